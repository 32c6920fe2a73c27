#include "formats/utf/utf.hpp"

#include <algorithm>
#include <utility>

#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::utf {

namespace {

constexpr std::uint32_t kVersion = 0x101;
constexpr std::uint64_t kHeaderSize = 56;
constexpr std::size_t kNamesOffsetAt = 24;
constexpr std::size_t kNamesUsedAt = 32;
constexpr std::uint64_t kEntrySize = 44;
/// Of a whole path. Entries share names, and a chain of folders shares its beginning: without a limit a small file
/// could name gigabytes.
constexpr std::size_t kPathLimit = 1024;

struct Header {
    std::uint32_t treeOffset = 0;
    std::uint32_t treeSize = 0;
    std::uint32_t namesOffset = 0;
    std::uint32_t namesUsed = 0;
    std::uint32_t dataOffset = 0;
};

Header readHeader(ByteReader& in) {
    if (in.fourcc("signature") != "UTF ") in.failAt("signature", 0, "no \"UTF \" at the start");
    const std::uint32_t version = in.u32("version");
    if (version != kVersion) in.failAt("version", 4, "version " + hex(version) + ", only 0x101 is known");
    Header header;
    header.treeOffset = in.u32("tree offset");
    header.treeSize = in.u32("tree size");
    in.u32("free entry offset");  // not the root: the root is always at the start of the tree
    const std::uint32_t entrySize = in.u32("entry size");
    if (entrySize != kEntrySize) in.failAt("entry-size", 20, "entry size " + std::to_string(entrySize) + ", not 44");
    header.namesOffset = in.u32("names offset");
    in.u32("names allocated");
    header.namesUsed = in.u32("names used");
    header.dataOffset = in.u32("data offset");
    in.skip(16, "unused space and file time");
    return header;
}

/// Reads entries one by one; a directory's children and an entry's siblings are queued, never recursed into.
class TreeReader {
public:
    TreeReader(const ByteReader& file, const Header& header, Defects& defects)
        : file_(file),
          defects_(defects),
          dataOffset_(header.dataOffset),
          tree_(file.within("tree", "", header.treeOffset, header.treeSize)),
          names_(file.within("names", "", header.namesOffset, header.namesUsed)),
          seen_(header.treeSize, false) {}

    Tree read() {
        Tree out;
        struct Chain {
            std::uint32_t parent;    ///< index
            std::uint32_t first;     ///< tree offset of its first child
            std::size_t pathLength;  ///< of the parent
        };
        std::vector<Chain> chains;
        out.entries.push_back(readEntry(0));
        if (!out.root().directory()) tree_.failAt("root", out.root().offset, "the root is no directory");
        if (childOffset_ != 0) chains.push_back({0, childOffset_, 0});
        while (!chains.empty()) {
            const auto [parent, first, parentLength] = chains.back();
            chains.pop_back();
            for (std::uint32_t at = first; at != 0; at = nextOffset_) {
                Entry entry = readEntry(at);
                const std::size_t length = parentLength + 1 + entry.name.size();
                if (length > kPathLimit) tree_.failAt("path-length", entry.offset, pathDetail(length));
                const auto index = static_cast<std::uint32_t>(out.entries.size());
                if (entry.directory() && childOffset_ != 0) chains.push_back({index, childOffset_, length});
                out.entries[parent].children.push_back(index);
                out.entries.push_back(std::move(entry));
            }
        }
        return out;
    }

private:
    /// Also sets nextOffset_ and childOffset_, both from the start of the tree, 0 for none.
    Entry readEntry(std::uint32_t at) {
        ByteReader in = tree_.within("entry", hex(at), at, kEntrySize);
        if (seen_[at]) in.failAt("cycle", in.offset(), "the entry is reached twice");
        seen_[at] = true;
        Entry entry;
        entry.offset = in.offset();
        nextOffset_ = in.u32("next sibling");
        entry.name = readName(in.u32("name offset"));
        entry.attributes = in.u32("attributes");
        in.u32("sharing");
        const std::uint32_t childOrData = in.u32("child or data offset");
        in.u32("allocated size");
        const std::uint32_t used = in.u32("used size");
        childOffset_ = entry.directory() ? childOrData : 0;
        if (!entry.directory()) readData(entry, childOrData, used);
        return entry;
    }

    static std::string pathDetail(std::size_t length) {
        return "the path has " + std::to_string(length) + " bytes, the limit is " + std::to_string(kPathLimit);
    }

    std::string readName(std::uint32_t at) {
        names_.at(at, "name offset");
        const std::string_view rest = asText(names_.rest()).substr(0, kPathLimit + 1);
        const std::size_t length = std::min(rest.find('\0'), rest.size());
        if (length > kPathLimit) names_.failAt("path-length", names_.offset(), pathDetail(length));
        return std::string(rest.substr(0, length));
    }

    void readData(Entry& entry, std::uint32_t at, std::uint32_t used) {
        const std::uint64_t start = std::uint64_t{dataOffset_} + at;
        const std::uint64_t there = start < file_.size() ? file_.size() - start : 0;
        entry.dataOffset = start;
        if (used > there) {
            defects_.warn("data-range", entry.offset, {{"entry", printable(entry.name)}},
                          "data of " + std::to_string(used) + " bytes at " + hex(start) + ", " + std::to_string(there) +
                              " are there");
        }
        if (there == 0) return;
        entry.data = file_.all().subspan(static_cast<std::size_t>(start),
                                         static_cast<std::size_t>(std::min<std::uint64_t>(used, there)));
    }

    const ByteReader& file_;
    Defects& defects_;
    std::uint32_t dataOffset_;
    ByteReader tree_;
    ByteReader names_;
    std::vector<bool> seen_;  ///< by offset in the tree, which within() has found to lie in the file
    std::uint32_t nextOffset_ = 0;
    std::uint32_t childOffset_ = 0;
};

}  // namespace

const Entry* Tree::child(const Entry& directory, std::string_view name) const {
    for (const std::uint32_t i : directory.children) {
        if (equalWithoutCase(entries[i].name, name)) return &entries[i];
    }
    return nullptr;
}

const Entry* Tree::find(const Entry& directory, std::string_view path) const {
    const Entry* at = &directory;
    while (at != nullptr) {
        const std::size_t slash = path.find('/');
        at = child(*at, path.substr(0, slash));
        if (slash == std::string_view::npos) break;
        path.remove_prefix(slash + 1);
    }
    return at;
}

ChildIndex::ChildIndex(const Tree& tree, const Entry& directory) {
    for (const std::uint32_t i : directory.children) {
        byName_.try_emplace(asciiLower(tree.entries[i].name), &tree.entries[i]);
    }
}

const Entry* ChildIndex::child(std::string_view name) const {
    const auto found = byName_.find(asciiLower(name));
    return found == byName_.end() ? nullptr : found->second;
}

Confidence probe(Bytes bytes) noexcept {
    if (bytes.size() < kHeaderSize || asText(bytes.first(4)) != "UTF ") return Confidence::No;
    const bool version = bytes[4] == 1 && bytes[5] == 1 && bytes[6] == 0 && bytes[7] == 0;
    return version ? Confidence::Certain : Confidence::Likely;
}

Bytes namesOf(Bytes bytes) noexcept {
    if (probe(bytes) == Confidence::No) return {};
    const auto word = [&](std::size_t at) {
        std::size_t value = 0;
        for (std::size_t i = 4; i-- > 0;) value = value << 8 | bytes[at + i];
        return value;
    };
    const std::size_t at = std::min(word(kNamesOffsetAt), bytes.size());
    return bytes.subspan(at, std::min(word(kNamesUsedAt), bytes.size() - at));
}

Tree read(Bytes bytes, Defects& defects) {
    ByteReader in(bytes);
    const Header header = readHeader(in);
    return TreeReader(in, header, defects).read();
}

std::vector<std::pair<std::string, std::uint32_t>> filePaths(const Tree& tree) {
    std::vector<std::pair<std::string, std::uint32_t>> out;
    std::vector<std::pair<std::string, std::uint32_t>> open{{"", 0}};
    while (!open.empty()) {
        const auto [path, index] = open.back();
        open.pop_back();
        const Entry& entry = tree.entries[index];
        if (!entry.directory()) {
            out.emplace_back(path, index);
            continue;
        }
        for (std::size_t k = entry.children.size(); k-- > 0;) {
            std::string below = path.empty() ? path : path + '/';
            below += printable(utf8FromWindows1252(tree.entries[entry.children[k]].name));
            open.emplace_back(std::move(below), entry.children[k]);
        }
    }
    return out;
}

}  // namespace geomconv::utf
