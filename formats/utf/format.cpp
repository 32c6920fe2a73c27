#include "formats/utf/format.hpp"

#include <array>
#include <memory>

#include "formats/utf/utf.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::utf {

namespace {

constexpr std::array<std::string_view, 6> kExtensions{".utf", ".mat", ".txm", ".vms", ".ale", ".anm"};

// A model is a UTF tree too: the reader of models comes first, so here the answer is one step less sure.
Confidence probeRow(Bytes bytes, std::string_view) noexcept {
    return probe(bytes) == Confidence::No ? Confidence::No : Confidence::Likely;
}

std::vector<Member> list(const Input& input, const ReadOptions&, Defects& defects) {
    const Tree tree = read(input.bytes, defects);
    std::vector<Member> out;
    for (auto& [path, index] : filePaths(tree)) {
        const Entry& entry = tree.entries[index];
        out.push_back({std::move(path), "file", entry.dataOffset, entry.data.size(), ""});
    }
    return out;
}

ByteVector extract(const Input& input, const ReadOptions&, std::string_view member, Defects& defects) {
    const Tree tree = read(input.bytes, defects);
    for (const auto& [path, index] : filePaths(tree)) {
        if (!equalWithoutCase(path, member)) continue;
        const Bytes data = tree.entries[index].data;
        return {data.begin(), data.end()};
    }
    throw FormatError("no-member", "no entry " + printable(member));
}

Members members(const Input& input, const ReadOptions&, Defects& defects) {
    auto tree = std::make_shared<const Tree>(read(input.bytes, defects));
    std::vector<std::uint32_t> entries;
    Members out;
    for (auto& [path, index] : filePaths(*tree)) {
        out.names.push_back(std::move(path));
        entries.push_back(index);
    }
    out.take = [tree = std::move(tree), entries = std::move(entries), reading = ReleaseAsRead(input.file)](
                   std::size_t i, Defects&) mutable {
        const Bytes data = tree->entries[entries[i]].data;
        std::optional<ByteVector> bytes(std::in_place, data.begin(), data.end());
        reading.add(data.size());
        return bytes;
    };
    return out;
}

}  // namespace

const Format kFormat{
    .id = "utf",
    .title = "Freelancer UTF tree",
    .extensions = kExtensions,
    .role = Role::Container,
    .probe = probeRow,
    .list = list,
    .extract = extract,
    .members = members,
};

}  // namespace geomconv::utf
