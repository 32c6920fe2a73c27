#include <algorithm>
#include <cstdlib>

#include "formats/sur/format.hpp"
#include "formats/sur/sur.hpp"

// What reads must come out again byte for byte, as a file, as a dump and as a scene; nothing may crash on the way.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace geomconv;
    const Bytes bytes(data, size);
    sur::probe(bytes, "a.sur");
    try {
        Defects defects;
        const sur::Library library = sur::read(bytes, defects);
        const ByteVector written = sur::write(library);
        if (!std::equal(written.begin(), written.end(), bytes.begin(), bytes.end())) std::abort();
        MemorySink json;
        sur::toJson(library, json);
        if (sur::write(sur::fromJson(json.takeText())) != written) std::abort();
        ReadOptions options;
        options.wayBack = true;
        options.content = ContentSet::all();
        if (sur::write(sur::fromScene(sur::toScene(library, options, defects), defects)) != written) std::abort();
    } catch (const FormatError&) {
    }
    try {
        Defects defects;
        sur::read(bytes, defects, true);
    } catch (const FormatError&) {
    }
    return 0;
}
