#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/files/number_text.hpp"
#include "lib/files/output_set.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv::obj {

/// A name as it may stand in an OBJ or .mtl line: no control characters, no blanks at the ends, and no backslash last,
/// which would continue the line.
std::string safeName(std::string_view name);

/// What `usemtl` says, decided once for a whole output. Names are unique, because a .mtl knows materials by name alone.
struct MaterialNames {
    std::vector<std::string> materials;  ///< one per Scene::materials
    std::vector<std::string> hulls;      ///< one per Scene::hulls: each has a colour of its own
};
MaterialNames materialNames(const Scene& scene);

/// Options -s and -o of a texture: it is read at uv * scale + offset, v running up.
struct TexturePlace {
    Vec2 scale{1.0F, 1.0F};
    Vec2 offset{0.0F, 0.0F};
    bool operator==(const TexturePlace&) const = default;
};

/// One material of a .mtl file and the texture it names.
struct MtlMaterial {
    Material material;
    std::string texture;  ///< map_Kd as it stands in the file, or empty
    TexturePlace place;
};
/// All materials of a .mtl file, in its order. Unknown and broken lines are passed over. Where nothing is said, the
/// colour is white, roughness 1 and metallic 0.
std::vector<MtlMaterial> readMaterials(std::string_view text);

/// The .mtl file. images: file name per Scene::images; empty to leave textures out.
void writeMaterials(Sink& out, const Scene& scene, const MaterialNames& names, const std::vector<std::string>& images);

}  // namespace geomconv::obj
