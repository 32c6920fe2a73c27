#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/defect.hpp"
#include "lib/format.hpp"

/// IPFB packs: an index NAME.pak over data parts NAME.p00, NAME.p01 ... Layout: FORMAT.md.
namespace geomconv::ipfb {

inline constexpr std::uint32_t kAlignment = 0x800;
inline constexpr std::uint32_t kPartLimit = 0x10000000;

struct Entry {
    std::uint32_t hash = 0;      ///< of the path inside the pack
    std::uint32_t location = 0;  ///< part in the top four bits, byte offset in it below
    std::uint32_t stored = 0;    ///< bytes

    std::uint32_t part() const noexcept { return location >> 28; }
    std::uint32_t offset() const noexcept { return location & 0x0fffffff; }
};

struct Table {
    std::uint32_t count = 0;  ///< as the header says; entries end early at a hash of 0
    std::uint32_t alignment = kAlignment;
    std::uint32_t partLimit = kPartLimit;
    std::vector<Entry> entries;
};

/// Hash of a path inside a pack: A-Z taken as lower case, / as \.
std::uint32_t nameHash(std::string_view path) noexcept;
/// The known name of a hash, else "$HHHHHHHH".
std::string nameOf(std::uint32_t hash);
/// The hash that a member's name means: "$HHHHHHHH", or the hash of the path.
std::uint32_t hashOf(std::string_view member) noexcept;
/// Whether the hash is one of the 18 CollisionSet libraries.
bool isKnownLibrary(std::uint32_t hash) noexcept;

bool isPack(Bytes bytes) noexcept;
/// "MiscBin.p00" belongs to "MiscBin.pak": that name, or nullopt when the file name is none of a part.
std::optional<std::string> packOfPart(std::string_view fileName);

/// Throws FormatError: pack-magic, pack-count, pack-part-limit (a warning with `recover`). Warns: pack-order.
Table readTable(Bytes pak, bool recover, Defects& defects);

/// ".p03" for part 3.
std::string partExtension(std::uint32_t part);

/// What an entry holds, by its first bytes.
enum class Kind : std::uint8_t { Unknown, CollisionSet, Mcol };
std::string_view kindName(Kind kind) noexcept;

/// A pack whose entries can be taken: the table, and parts opened when they are needed.
class Pack {
public:
    Pack(const Input& input, const ReadOptions& options, Defects& defects);

    const Table& table() const noexcept { return table_; }
    /// The place of a hash. Throws FormatError (pack-no-entry).
    std::size_t find(std::string_view member) const;
    /// The stored bytes. Throws FormatError: pack-part-missing, pack-entry-range.
    Bytes stored(const Entry& entry);
    /// The unpacked bytes. Throws as `stored` and as z1::unpack.
    ByteVector unpack(const Entry& entry, Defects& defects);
    /// Looks no further than the first records need. Throws as `stored`.
    Kind sniff(const Entry& entry);
    std::string partName(std::uint32_t part) const;
    std::shared_ptr<const InputFile> part(std::uint32_t part);

private:
    Input input_;
    ReadOptions options_;
    Table table_;
    std::map<std::uint32_t, std::shared_ptr<const InputFile>> parts_;
};

/// The entry that is a CollisionSet: the only one, or the first of several that are identical (a warning says so).
/// Throws FormatError: pack-no-library, pack-ambiguous, or why the entries could not be read.
std::string defaultMember(const Input& input, const ReadOptions& options, Defects& defects);

nlohmann::ordered_json summary(const Input& input, const ReadOptions& options, Defects& defects);
void check(const Input& input, const ReadOptions& options, Defects& defects);

/// The pack with one entry's content replaced (or, with `allIdentical`, that of all entries that hold the same): new
/// blocks are appended to the part that held the old ones, and only location and size in the table change. All parts
/// are written, named after the output. Throws FormatError: pack-no-entry, pack-part-limit.
void replace(const Input& input, const ReadOptions& options, std::string_view member, Bytes content, bool allIdentical,
             OutputSet& outputs, Defects& defects);

/// A new pack in one part, for tests and samples: (name, content), packed as Z1 blocks. The .pak and its .p00.
struct NewPack {
    ByteVector pak;
    ByteVector part;
};
NewPack make(const std::vector<std::pair<std::string, ByteVector>>& files);

}  // namespace geomconv::ipfb
