// Material 0x0200.

#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

void readMaterial(ByteReader& in, Reading& reading) {
    const std::uint16_t version = reading.document.version();
    Material material;
    material.chunk = reading.chunk;
    material.object = reading.object(in, "object");
    material.texture = reading.object(in, "texture");
    material.transparency = in.f32("transparency");
    material.offsetU = in.s16("offsetU");
    material.offsetV = in.s16("offsetV");
    if (version >= 0x120) {
        material.scaleU = in.s16("scaleU");
        material.scaleV = in.s16("scaleV");
    }
    // Later fields (colours, cull mode, normal and specular maps) are kept in the chunk.
    if (version >= 0x130) in.skip(in.left(), "later fields");
    reading.document.materials.push_back(material);
}

}  // namespace geomconv::ccsf
