#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "formats/gzip/gzip.hpp"

/// CyberConnect2's archives (DATA.BIN, STREAM/*.BIN): gzip members on 2,048-byte boundaries, no directory. FORMAT.md.
namespace geomconv::ccs_archive {

constexpr std::uint64_t kBoundary = 2048;

/// Whether a file starts with a member and a further one begins on a later boundary.
bool isArchive(Bytes file) noexcept;

/// Where a member's header says it is, found by looking at the boundaries alone; nothing is unpacked.
struct Entry {
    std::string name;  ///< FNAME, or member_NNNN by its place; a name met before gets "#2", "#3"
    std::uint64_t offset = 0;
};

/// All members by their headers, in order.
std::vector<Entry> entries(Bytes file);
/// The member of that name, with or without extension, letters compared without case; absent: there is none.
std::optional<Entry> find(Bytes file, std::string_view name);

/// Walks through the archive by the sizes that unpacking shows, as the games' tools lay it out; keeps nothing.
std::vector<gzip::MemberInfo> walk(Bytes file, const ReadOptions& options, Defects& defects);

/// The archive with one member's content replaced; the other members keep their packed bytes, offsets move as needed.
void writeReplaced(Bytes file, const Entry& entry, Bytes content, Sink& out, Defects& defects);

}  // namespace geomconv::ccs_archive
