#include "formats/gzip/format.hpp"

#include <array>

#include "formats/gzip/gzip.hpp"

namespace geomconv::gzip {

namespace {

constexpr std::array<std::string_view, 1> kExtensions{".gz"};

Confidence probe(Bytes bytes, std::string_view) noexcept {
    return startsMember(bytes) ? Confidence::Certain : Confidence::No;
}

std::string memberName(const std::string& name) {
    return name.empty() ? "member_0000" : name;
}

std::vector<Member> list(const Input& input, const ReadOptions&, Defects& defects) {
    const MemberInfo info = measure(input.bytes, 0, defects);
    return {Member{memberName(info.name), "file", info.offset, info.inflated,
                   std::to_string(info.stored) + " bytes packed"}};
}

/// There is one file in it, so any name means that one.
ByteVector extract(const Input& input, const ReadOptions& options, std::string_view, Defects& defects) {
    return unpackAll(input.bytes, options, defects).bytes;
}

void replaceMember(const Input& input, const ReadOptions&, std::string_view, Bytes content, const PatchOptions&,
                   OutputSet& out, Defects& defects) {
    const Header header = readHeader(input.bytes, 0, defects);
    out.main().write(pack(content, asText(header.rawName)));
}

}  // namespace

const Format kFormat{.id = "gzip",
                     .title = "gzip member",
                     .extensions = kExtensions,
                     .role = Role::Container,
                     .probe = probe,
                     .list = list,
                     .extract = extract,
                     .replaceMember = replaceMember,
                     .transparent = true};

}  // namespace geomconv::gzip
