#include "formats/z1/format.hpp"

#include <array>

#include "formats/z1/z1.hpp"

namespace geomconv::z1 {

namespace {

constexpr std::array<std::string_view, 1> kExtensions{".z1"};

/// A data part of a pack (NAME.p00) begins with a block too; its pack claims it with more right.
Confidence probe(Bytes bytes, std::string_view name) noexcept {
    if (!isBlock(bytes)) return Confidence::No;
    return isPartName(name) ? Confidence::Likely : Confidence::Certain;
}

ByteVector extract(const Input& input, const ReadOptions& options, std::string_view, Defects& defects) {
    return unpack(input.bytes, options.maxMemory, defects);
}

std::vector<Member> list(const Input& input, const ReadOptions&, Defects&) {
    return {{"content", "file", 0, declaredSize(input.bytes), std::to_string(input.bytes.size()) + " bytes packed"}};
}

void check(const Input& input, const ReadOptions& options, Defects& defects) {
    collectDefects(defects, [&] { unpack(input.bytes, options.maxMemory, defects); });
}

void replaceMember(const Input&, const ReadOptions&, std::string_view, Bytes content, const PatchOptions&,
                   OutputSet& outputs, Defects&) {
    outputs.main().write(pack(content));
}

}  // namespace

const Format kFormat{.id = "z1",
                     .title = "Project Sylpheed compressed block",
                     .extensions = kExtensions,
                     .role = Role::Container,
                     .probe = probe,
                     .check = check,
                     .list = list,
                     .extract = extract,
                     .replaceMember = replaceMember,
                     .transparent = true};

}  // namespace geomconv::z1
