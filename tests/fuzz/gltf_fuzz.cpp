// Any bytes as .glb or .gltf: checked, read as it is and with recover, the scene held against its invariants, and
// written again.

#include <cstdlib>

#include "exporters/gltf/gltf.hpp"
#include "tests/support/check_scene.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace geomconv;
    Input input;
    input.name = "fuzz.glb";
    input.bytes = {data, size};
    Defects found;
    gltf::check(input, {}, found);
    for (const bool recover : {false, true}) {
        ReadOptions options;
        options.recover = recover;
        try {
            Defects defects;
            const Scene scene = gltf::readGlb(input, options, defects);
            if (!test::sceneFaults(scene).empty()) std::abort();
            MemoryOutput out("fuzz", false);
            gltf::writeGlb(scene, {}, out, defects);
        } catch (const FormatError&) {
        } catch (const GeometryError&) {
        }
    }
    return 0;
}
