#include <cstddef>
#include <cstdint>

#include "exporters/obj/obj.hpp"
#include "tests/support/check_scene.hpp"

using namespace geomconv;

namespace {

std::size_t trianglesOf(const Scene& scene) {
    std::size_t n = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            if (p.topology == Topology::Triangles) n += p.indices.size() / 3;
        }
    }
    return n;
}

}  // namespace

/// Whatever is read, with recover or without, is sound and can be written; what we wrote reads back to the same number
/// of triangles.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Defects defects;
    const auto mtl = [data, size](std::string_view) {
        return InputFile::fromBytes("x.mtl", ByteVector(data, data + size));
    };
    obj::probe({data, size}, "x.obj");
    for (const bool recover : {false, true}) {
        ReadOptions options;
        options.recover = recover;
        try {
            const Scene scene = obj::readScene({"x.obj", {data, size}, mtl, nullptr}, options, defects);
            if (!test::sceneFaults(scene).empty()) __builtin_trap();
            MemoryOutput out;
            obj::writeScene(scene, {}, out, defects);
            const ByteVector text = out.takeMain();
            const Scene back = obj::readScene({"y.obj", text, {}, nullptr}, {}, defects);
            if (trianglesOf(back) != trianglesOf(scene)) __builtin_trap();
        } catch (const FormatError&) {
        }
    }
    return 0;
}
