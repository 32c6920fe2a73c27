#include <cstddef>
#include <cstdint>

#include "formats/cmp/cmp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace geomconv;
    Defects defects;
    try {
        cmp::check({"fuzz.cmp", {data, size}, {}, {}}, {}, defects);
    } catch (const FormatError&) {
    }
    return 0;
}
