#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/format.hpp"

namespace geomconv::utf {

/// One entry of the tree: a directory with children, or a file with bytes.
struct Entry {
    std::string name;                     ///< windows-1252 bytes, up to the first NUL
    std::uint32_t attributes = 0;         ///< bit 0x10: a directory
    std::uint64_t offset = 0;             ///< of the 44-byte entry, from the start of the file
    std::uint64_t dataOffset = 0;         ///< of a file's bytes, from the start of the file
    Bytes data;                           ///< a file's bytes, borrowed from the input
    std::vector<std::uint32_t> children;  ///< Tree::entries, in the file's order

    bool directory() const { return (attributes & 0x10) != 0; }
};

/// entries[0] is the root directory. Every other entry is somebody's child exactly once.
struct Tree {
    std::vector<Entry> entries;

    const Entry& root() const { return entries.front(); }
    /// The child of that name, compared without case; nullptr when there is none.
    const Entry* child(const Entry& directory, std::string_view name) const;
    /// The same, a level for each part of "MultiLevel/Level0/VMeshPart".
    const Entry* find(const Entry& directory, std::string_view path) const;
};

/// The children of one directory by name, for who asks for many of thousands. The first of a name counts.
class ChildIndex {
public:
    ChildIndex(const Tree& tree, const Entry& directory);
    /// As Tree::child.
    const Entry* child(std::string_view name) const;

private:
    std::unordered_map<std::string, const Entry*> byName_;  ///< in lower case
};

Confidence probe(Bytes bytes) noexcept;
/// The block of all names, as far as it lies in the file; empty where the header is none.
Bytes namesOf(Bytes bytes) noexcept;

/// Reads the whole tree. Throws FormatError: no "UTF ", `version`, `truncated`, `offset-range`, `cycle`. File entries
/// whose bytes are not all there get what is there, with a warning (`data-range`). Source: FORMAT.md.
Tree read(Bytes bytes, Defects& defects);

/// Paths of all files below the root, joined by '/', as UTF-8, in the file's order; with the entry's index.
std::vector<std::pair<std::string, std::uint32_t>> filePaths(const Tree& tree);

}  // namespace geomconv::utf
