#include "formats/ccs_archive/ccs_archive.hpp"
#include "formats/ccs_archive/format.hpp"
#include "formats/gzip/gzip.hpp"

// One member, the same walked through without keeping it, and the whole as an archive.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace geomconv;
    const Bytes bytes(data, size);
    const Input input{.name = "fuzz", .bytes = bytes, .companions = {}, .file = {}};
    ReadOptions options;
    options.maxMemory = 1 << 22;
    for (const bool recover : {false, true}) {
        options.recover = recover;
        Defects defects;
        try {
            gzip::unpackAll(bytes, options, defects);
        } catch (const FormatError&) {
        }
        try {
            ccs_archive::walk(input, options, defects);
        } catch (const FormatError&) {
        }
        try {
            const Members members = ccs_archive::kFormat.members(input, options, defects);
            for (std::size_t i = 0; i < members.names.size(); ++i) {
                try {
                    members.take(i, defects);
                } catch (const FormatError&) {
                }
            }
        } catch (const FormatError&) {
        }
    }
    for (const ccs_archive::Entry& entry : ccs_archive::entries(bytes)) ccs_archive::find(bytes, entry.name);
    return 0;
}
