#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::sur {

namespace {

constexpr std::uint32_t kSignature = 0x73726576;  // "vers"
constexpr float kVersion = 2.0F;

/// Files from before version 2: a box, a counted name in place of the part id, then a tag that may be "ledg".
bool looksOlder(Bytes bytes) {
    if (bytes.size() < 33) return false;
    ByteReader in(bytes);
    for (int i = 0; i < 6; ++i) {
        if (!std::isfinite(in.f32("box"))) return false;
    }
    const std::uint32_t length = in.u32("name length");
    if (length < 1 || length > 256 || in.left() < length + 4) return false;
    const std::string name = in.string(length, "name");
    const auto printable = [&](const char& c) { return (c >= 0x20 && c < 0x7f) || (c == 0 && &c == &name.back()); };
    if (!std::all_of(name.begin(), name.end(), printable)) return false;
    const std::string tag = in.fourcc("tag");
    return tag == "surf" || tag == "ledg";
}

void readHeader(ByteReader& in) {
    if (in.size() == 0) in.fail("empty", "the file is empty");
    if (looksOlder(in.all())) in.fail("old-version", "written before .sur version 2; not supported");
    const std::uint32_t signature = in.u32("signature");
    if (signature != kSignature) {
        in.failAt("signature", 0, "signature " + hexId(signature) + ", a .sur begins with \"vers\"");
    }
    const float version = in.f32("version");
    if (version != kVersion) in.failAt("version", 4, "version " + std::to_string(version) + ", only 2.0 is known");
}

}  // namespace

Confidence probe(Bytes bytes, std::string_view name) noexcept {
    if (bytes.size() >= 8 && asText(bytes.first(4)) == "vers") {
        ByteReader in(bytes.subspan(4, 4));
        return in.f32("version") == kVersion ? Confidence::Certain : Confidence::Likely;
    }
    if (looksOlder(bytes.first(std::min<std::size_t>(bytes.size(), 512)))) return Confidence::Certain;
    return name.ends_with(".sur") ? Confidence::Maybe : Confidence::No;
}

Library read(Bytes bytes, Defects& defects, bool recover) {
    ByteReader in(bytes);
    readHeader(in);
    Library library;
    while (in.left() > 0) {
        const bool first = library.parts.empty();
        if (recover && !first && in.left() < 8) {
            defects.add(in.defect(Severity::Warning, "truncated", in.offset(),
                                  counted(in.left(), "bytes") + " behind the last part are left out"));
            break;
        }
        Part part = readPart(in, defects, recover);
        const bool nothing = recover && !part.extent && !part.surface && part.hardpoints.empty();
        if (first || !nothing) library.parts.push_back(std::move(part));
    }
    return library;
}

ByteVector write(const Library& library) {
    ByteWriter out;
    out.u32(kSignature);
    out.f32(kVersion);
    for (const Part& part : library.parts) writePart(out, part);
    return out.finish();
}

}  // namespace geomconv::sur
