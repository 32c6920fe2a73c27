#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/gzip/gzip.hpp"

/// CyberConnect2's archives (DATA.BIN, STREAM/*.BIN): gzip members on 2,048-byte boundaries, no directory. FORMAT.md.
namespace geomconv::ccs_archive {

constexpr std::uint64_t kBoundary = 2048;

/// How far `isArchive` looks. The console has 32 MiB of memory, so no packed member of these games is longer.
constexpr std::size_t kProbed = std::size_t{32} << 20;

/// Whether a file starts with a member and a further one begins on a boundary in its first kProbed bytes.
bool isArchive(Bytes file) noexcept;

/// Where a member's header says it is, found by looking at the boundaries alone; nothing is unpacked.
struct Entry {
    std::string name;  ///< FNAME, or member_NNNN by its place; a name met before gets "#2", "#3"
    std::uint64_t offset = 0;
    std::uint64_t next = 0;  ///< where the next one starts; the file's size behind the last
};

/// All members by their headers, in order. A start that lies inside the member before it is none: see Progress.
/// holder: what holds the bytes, to be released on the way; may be null.
std::vector<Entry> entries(Bytes file, std::shared_ptr<const InputFile> holder = nullptr);
/// The member of that name, with or without extension, letters compared without case; absent: there is none.
std::optional<Entry> find(Bytes file, std::string_view name);

/// Unpacks one member; as gzip::unpack.
gzip::Unpacked unpack(Bytes file, const Entry& entry, const ReadOptions& options, Defects& defects);

/// How far a walk through the entries has come.
class Progress {
public:
    /// False for a start inside a member that was passed: compressed bytes that look like one. Throws FormatError
    /// (`damaged-members`) once members that fail have cost more than any real archive could; false from then on.
    bool mayHold(const Entry& entry);
    void passed(const gzip::MemberInfo& member);
    void failed(const Entry& entry, const Defect& defect);

private:
    std::uint64_t end_ = 0;   ///< the boundary behind the last member
    std::uint64_t lost_ = 0;  ///< bytes that failed members were read through
    bool gaveUp_ = false;
};

/// Walks through the archive by the sizes that unpacking shows, as the games' tools lay it out; keeps nothing.
std::vector<gzip::MemberInfo> walk(const Input& input, const ReadOptions& options, Defects& defects);

/// The archive with one member's content replaced; the other members keep their packed bytes, offsets move as needed.
void writeReplaced(Bytes file, const Entry& entry, Bytes content, Sink& out, Defects& defects);

}  // namespace geomconv::ccs_archive
