#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/members.hpp"

// What reads must come out again byte for byte; scene, dump, info and members must stand whatever the file says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace geomconv;
    const Bytes bytes(data, size);
    ccsf::probe(bytes, "a.ccs");
    for (const bool recover : {false, true}) {
        try {
            Defects defects;
            const ccsf::Document document = ccsf::read(bytes, recover, defects);
            const ByteVector written = ccsf::write(document);
            if (!std::equal(written.begin(), written.end(), bytes.begin(), bytes.end())) std::abort();
            ccsf::SceneOptions options;
            options.content = ContentSet::all();
            ccsf::toScene(document, options, defects);
            ccsf::check(document, defects);
            NullSink sink;
            ccsf::toJson(document, sink);
            ccsf::info(document);
            for (const Member& member : ccsf::members(document)) ccsf::memberBytes(document, member.name);
        } catch (const FormatError&) {
        }
    }
    return 0;
}
