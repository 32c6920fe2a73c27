#pragma once

// The records of a .sur file, reader and writer of each in a file of its own. Inside formats/sur only.

#include "formats/sur/sur.hpp"
#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/byte_writer.hpp"

namespace geomconv::sur {

inline constexpr std::uint32_t kHeaderBytes = 48;  ///< of a surf block
inline constexpr std::uint32_t kHullBytes = 16;    ///< of a hull's header
inline constexpr std::uint32_t kFaceBytes = 16;
inline constexpr std::uint32_t kPointBytes = 16;
inline constexpr std::uint32_t kNodeBytes = 28;

/// A face as it lies in the file.
using FaceBytes = std::array<std::uint8_t, kFaceBytes>;
Face unpackFace(const std::uint8_t* bytes) noexcept;
/// Throws FormatError (`field-range`) for an index, material or distance that its bits cannot hold.
FaceBytes packFace(const Face& face);

/// What the hulls of a block must agree with: where its points lie and how many there are.
struct PointArray {
    std::uint32_t at = 0;
    std::uint32_t count = 0;
};
/// in: from the hull's header to the points at most. hullAt: block offset of the header.
Hull readHull(ByteReader& in, std::uint32_t hullAt, const PointArray& points);
/// nodeAt: block offset of the node that carries the hull, for wrap hulls.
void writeHull(ByteWriter& out, const Hull& hull, std::uint32_t hullAt, std::uint32_t pointsAt, std::uint32_t nodeAt);

/// Fills nodes from the block offset `nodesAt` on. hullAt: block offset of each hull, rising. Returns nothing when the
/// tree is sound, else what is wrong with it and where (position in `block`); nodes are then not to be used.
struct TreeFault {
    std::uint64_t at = 0;
    std::string detail;
};
std::optional<TreeFault> readNodes(const ByteReader& block, std::uint32_t nodesAt,
                                   const std::vector<std::uint32_t>& hullAt, std::vector<Node>& nodes);
void writeNodes(ByteWriter& out, const std::vector<Node>& nodes, const Layout& layout);

/// block: exactly the bytes of the chunk behind its size word. Warnings go to defects. recover: a hull that cannot be
/// read is left out with a warning, the others are delivered beside the block's bytes; throws when no hull can be
/// found.
Surface readSurface(ByteReader& block, Defects& defects, bool recover);
void writeSurface(ByteWriter& out, const Surface& surface);

Part readPart(ByteReader& in, Defects& defects, bool recover);
void writePart(ByteWriter& out, const Part& part);

/// Offset of the content of a part's first surf chunk from the part's start, and the part's size.
struct PartPlace {
    std::uint64_t surface = 0;
    std::uint64_t size = 0;
};
PartPlace placeOf(const Part& part);

/// Reads a float or three. Throws FormatError (`nonfinite`) for NaN and infinity; with recover gives 0 and a warning.
Vec3 readVec3(ByteReader& in, std::string_view field, Defects& defects, bool recover);
float readFinite(ByteReader& in, std::string_view field, Defects& defects, bool recover);
void writeVec3(ByteWriter& out, const Vec3& v);

/// For each hull the node that carries it (the first one), or the root.
std::vector<std::uint32_t> carriers(const std::vector<Node>& nodes, std::size_t hulls);

}  // namespace geomconv::sur
