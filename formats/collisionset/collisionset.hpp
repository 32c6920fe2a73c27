#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/bytes/text.hpp"
#include "lib/defect.hpp"
#include "lib/files/sink.hpp"
#include "lib/format.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv::collisionset {

// ---------------------------------------------------------------------------------------------------- the document

/// One mesh: a name, positions, triangles; nothing else is stored. Source: FORMAT.md "Record".
struct Record {
    std::string nameField;             ///< as stored: the name, its NUL and whatever fills the field
    std::vector<Vec3> vertex;          ///< as stored; axes and unit are not known
    std::vector<std::uint32_t> index;  ///< three per triangle, 0-based
    std::uint32_t number = 0;          ///< 0-based place in the file; records that recovery dropped count
    std::uint64_t offset = 0;          ///< of the record in the file

    /// The bytes before the first NUL.
    std::string_view name() const noexcept { return untilNul(nameField); }
    std::uint64_t nv() const noexcept { return vertex.size(); }
    std::uint64_t nt() const noexcept { return index.size() / 3; }
    /// The size word: bytes behind its own first eight.
    std::uint64_t size() const noexcept { return nameField.size() + 8 + 12 * (nv() + nt()); }
};

/// Most zero bytes behind the last record that JSON may ask for.
inline constexpr std::uint64_t kPaddingLimit = std::uint64_t{1} << 24;

struct Library {
    ByteOrder byteOrder = ByteOrder::Big;
    std::vector<Record> records;
    std::uint64_t trailingZeros = 0;  ///< bytes behind the last record
};

/// Whether two records hold the same bytes (floats compared as words).
bool sameRecord(const Record& a, const Record& b) noexcept;

// ---------------------------------------------------------------------------------------------------- names

inline constexpr std::uint32_t kNameFieldLimit = 4096;  ///< longest field that is read
inline constexpr std::size_t kNameLimit = 255;          ///< longest name that is written into a new field
inline constexpr std::size_t kUsualNameField = 32;      ///< longest field of the shipped library

/// The field of a new record: the name, at least one NUL, filled with NULs to a multiple of 8 and at least 16.
std::string makeNameField(std::string_view name);
/// "rou", "mob", "rob", "asteroid" or "other".
std::string_view family(std::string_view name) noexcept;
/// "bdy", "brg", "eng", "wep", "sld" or "none".
std::string_view part(std::string_view name) noexcept;
/// Why a name field is odd, "" when it is not: no NUL, padding not NUL, length no multiple of 8, bytes outside
/// 0x20..0x7E, empty.
std::string oddities(std::string_view nameField);
/// Place of a record in messages.
Place place(std::uint32_t number, std::string_view name);

// ---------------------------------------------------------------------------------------------------- record

/// The four numbers of a record.
struct Header {
    std::uint32_t size = 0;
    std::uint32_t nameLen = 0;
    std::uint32_t nv = 0;
    std::uint32_t nt = 0;

    /// What the size word must be, in 64 bits.
    std::uint64_t need() const noexcept { return nameLen + std::uint64_t{8} + 12 * (std::uint64_t{nv} + nt); }
};

/// The header at an offset when it passes the header test of FORMAT.md: everything fits and the size identity holds.
std::optional<Header> headerAt(Bytes file, std::uint64_t offset, ByteOrder order);
/// Whether the first bytes of a file can begin a library of this order: the size identity holds, whatever is behind
/// them.
bool sizeIdentityHolds(Bytes head, ByteOrder order);
/// The arrays of a record whose framing has been checked.
Record readRecord(Bytes file, std::uint64_t offset, const Header& header, ByteOrder order);
/// Throws GeometryError (`size`) when the size word does not hold the record.
void writeRecord(const Record& record, ByteOrder order, Sink& out);

// ---------------------------------------------------------------------------------------------------- library

/// A record that was found: where, and its numbers. size is the one that framing goes by (recovery may have corrected
/// it).
struct Frame {
    std::uint64_t offset = 0;
    std::uint32_t number = 0;
    Header header;

    std::uint64_t end() const noexcept { return offset + 8 + header.size; }
    std::uint64_t arrays() const noexcept { return offset + 16 + header.nameLen; }
};

/// Steps through the records of a file by their size words. Framing faults go into `defects`: as errors, which end the
/// walk, or with `recover` as warnings, behind which it goes on by the rules of FORMAT.md "Recovery".
class Walker {
public:
    Walker(Bytes file, ByteOrder order, bool recover, Defects& defects);
    std::optional<Frame> next();

    std::uint64_t unreadBytes() const noexcept { return unread_; }
    std::uint32_t droppedRecords() const noexcept { return dropped_; }
    std::uint64_t trailingZeros() const noexcept { return zeros_; }
    /// Where the walk stands: the end of the last record, or where it could not go on.
    std::uint64_t position() const noexcept { return at_; }
    /// The fault that ended the walk.
    const std::optional<Defect>& error() const noexcept { return error_; }

private:
    struct Fault;
    std::optional<Fault> faultAt(std::uint64_t at, Header& header) const;
    bool lands(std::uint64_t at) const;
    void stop(const Fault& fault);
    void report(const Fault& fault, bool isError);

    Bytes file_;
    ByteOrder order_;
    bool recover_;
    Defects& defects_;
    std::uint64_t tail_;  ///< from here on there are only zero bytes
    std::uint64_t at_ = 0;
    std::uint32_t number_ = 0;
    std::uint32_t kept_ = 0;
    std::uint32_t dropped_ = 0;
    std::uint64_t unread_ = 0;
    std::uint64_t zeros_ = 0;
    bool ended_ = false;
    std::optional<Defect> error_;
};

/// The file's byte order by the size identity of record 0; nullopt when no order makes sense of it, which is the defect
/// `not-recognised`. Source: FORMAT.md "Byte order".
std::optional<ByteOrder> detectByteOrder(Bytes file, ByteOrderChoice choice);

/// What one walk over a file found.
struct Reading {
    Library library;
    std::optional<ByteOrder> byteOrder;  ///< absent when not recognised
    std::uint64_t bytes = 0;
    std::uint64_t unreadBytes = 0;
    std::uint32_t droppedRecords = 0;
    std::uint64_t droppedTriangles = 0;
    std::optional<Defect> error;  ///< the first error
};

// ---------------------------------------------------------------------------------------------------- verbs

/// How sure the bytes make us; the whole file is looked at only through its first two records.
Confidence probe(Bytes file, std::string_view name) noexcept;
/// Reads to the end whatever it finds, as far as framing allows; never throws for a bad file. Records with an index out
/// of range stay as they are, or lose those triangles with `recover`.
Reading survey(Bytes file, const ReadOptions& options, Defects& defects);
/// The library. Throws FormatError for the first error of FORMAT.md "Defects".
Library read(Bytes file, const ReadOptions& options, Defects& defects);
void write(const Library& library, Sink& out);
ByteVector write(const Library& library);

/// One mesh and one root node per record, in file order; a record without triangles is a node without a mesh.
/// Vertices with NaN or infinity are 0 in the scene, and what they were goes into extras; with
/// ReadOptions::finite they are a FormatError (`nonfinite`), and with `recover` too the triangles that use them are
/// dropped.
Scene toScene(Library library, std::string_view fileName, const ReadOptions& options, Defects& defects);

struct BuildOptions {
    bool weld = false;        ///< merge vertices with bit-equal positions (-0 equals +0)
    bool forceNames = false;  ///< allow duplicate, empty and over-long names
    Mat4d root{1.0};          ///< applied after every node's own transform
};
/// Whether welding is asked for, by the options or by what the scene was read from.
bool weldWanted(const Scene& scene, const OptionValues& options);
/// What a record cannot hold, counted, with the first object's name.
struct Losses {
    struct Tally {
        std::uint64_t count = 0;
        std::string first;
        void add(std::uint64_t n, std::string_view object);
    };
    Tally attributes;  ///< meshes with normals, UVs, colours, materials, skins or shapes
    Tally topology;    ///< primitives of lines or points
    Tally degenerate;  ///< triangles with two equal indices after merging
    Tally longNames;   ///< new name fields that are longer than any that was seen
};

/// Makes records of a scene's nodes.
class Builder {
public:
    Builder(const Scene& scene, BuildOptions options);
    /// A record of everything that one node shows, world transform applied, nothing merged; nullopt when it shows no
    /// triangles and came from no record. Its name is not judged. Throws GeometryError: nonfinite, index-range, size.
    std::optional<Record> build(std::size_t node);
    /// Merges vertices, where that is asked for, and drops triangles that have lost a corner by it.
    void merge(Record& record);
    /// Throws GeometryError (`name`) for a name that no new record may have.
    void requireName(const Record& record);
    /// Says each kind of loss once.
    void reportLosses(Defects& defects) const;

private:
    Record gather(const Node& node);

    const Scene& scene_;
    BuildOptions options_;
    std::vector<Mat4d> world_;
    Losses losses_;
};
/// A library of the scene's mesh instances. Throws GeometryError as Builder, and: no-records, duplicate-name.
void fromScene(const Scene& scene, const WriteOptions& options, Sink& out, Defects& defects);

/// The file with records replaced by name (or `#N`), added, removed; every other byte as it was.
PatchResult patch(Bytes base, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                  Defects& defects);

void toJson(const Library& library, Sink& out);
/// Throws FormatError (`json`).
Library fromJson(std::string_view text);

// ---------------------------------------------------------------------------------------------------- statistics

struct Box {
    Vec3d min{0.0};
    Vec3d max{0.0};
};

/// The figures of one record, exactly as FORMAT.md "Statistics" defines them.
struct Statistics {
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    std::uint64_t indexDegenerate = 0;
    std::uint64_t badTriangles = 0;
    std::uint64_t unusedVertices = 0;
    std::uint64_t duplicatePositions = 0;
    std::uint64_t nonfiniteVertices = 0;
    std::uint64_t duplicateTriangles = 0;
    std::uint64_t zeroArea = 0;
    std::uint64_t edges = 0;
    std::uint64_t edges1 = 0;
    std::uint64_t edges2 = 0;
    std::uint64_t edges3plus = 0;
    std::uint64_t inconsistentEdges = 0;
    std::uint64_t components = 0;
    std::int64_t euler = 0;
    std::int64_t eulerStored = 0;
    std::optional<Box> bbox;
    std::optional<double> area;
    std::optional<double> signedVolume;

    bool closed() const noexcept { return edges > 0 && edges2 == edges; }
    bool oriented() const noexcept { return closed() && inconsistentEdges == 0; }
    std::optional<double> edges2Percent() const;
    std::optional<double> bboxDiagonal() const;
};
Statistics statistics(const Record& record);
/// The summary that `info` gives: {"library": {...}, "records": [...]}, with rows for the first 4,096 records.
nlohmann::ordered_json summary(const Reading& reading);

}  // namespace geomconv::collisionset
