#include <cstddef>
#include <cstdint>

#include "exporters/json/head.hpp"
#include "exporters/json/json.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/same_scene.hpp"

using namespace geomconv;

/// Whatever is read can be written, and comes back the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Defects defects;
    try {
        json::readHead({data, size});
        json::probe({data, size}, "x.json");
        const Scene scene = json::readScene({"x.json", {data, size}, {}, nullptr}, {}, defects);
        MemoryOutput out;
        json::writeScene(scene, {}, out, defects);
        const ByteVector text = out.takeMain();
        const Scene back = json::readScene({"y.json", text, {}, nullptr}, {}, defects);
        if (!test::sceneDifferences(scene, back).empty()) __builtin_trap();
    } catch (const FormatError&) {
    }
    return 0;
}
