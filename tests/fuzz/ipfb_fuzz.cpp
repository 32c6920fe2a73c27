#include <nlohmann/json.hpp>

#include "formats/ipfb/format.hpp"
#include "formats/ipfb/ipfb.hpp"

using namespace geomconv;

// The input is both the index and its part, so that mutations reach entries and blocks alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto part = InputFile::fromBytes("fuzz.p00", ByteVector(data, data + size));
    const Input input{"fuzz.pak", Bytes(data, size), [&](std::string_view) { return part; }, part};
    ReadOptions options;
    options.maxMemory = 1 << 20;
    Defects defects;
    ipfb::kFormat.probe(input.bytes, input.name);
    ipfb::check(input, options, defects);
    try {
        ipfb::kFormat.list(input, options, defects);
        ipfb::kFormat.extract(input, options, ipfb::defaultMember(input, options, defects), defects);
    } catch (const FormatError&) {
    }
    return 0;
}
