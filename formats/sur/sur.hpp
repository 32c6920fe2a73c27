#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/defect.hpp"
#include "lib/format.hpp"
#include "lib/geometry/extent.hpp"
#include "lib/geometry/math.hpp"

/// Freelancer .sur: a flat list of parts, each with a box, a bounding-volume tree of convex hulls over shared points,
/// mass properties and a list of hardpoints. FORMAT.md has the layout; the structs here follow it record by record and
/// lose nothing, so that write(read(x)) == x.
namespace geomconv::sur {

inline constexpr std::size_t kMaxFaces = 4096;        ///< per hull: a face's own index has 12 bits
inline constexpr std::size_t kMaxPoints = 65536;      ///< per part: a point index has 16 bits
inline constexpr std::uint32_t kMaxBlock = 0xFFFFFF;  ///< bytes of a surf block: its size has 24 bits
/// Step of the deviation and box bytes: the float32 nearest to 1/250, widened.
inline constexpr double kStep = static_cast<double>(1.0F / 250.0F);

/// A box: part space, game units.
using geomconv::Extent;

/// A point of a part, shared by its hulls. clientData: id of the hull it belongs to.
struct Point {
    Vec3 position{0.0F, 0.0F, 0.0F};
    std::uint32_t clientData = 0;

    bool operator==(const Point&) const = default;
};

/// A triangle, counter-clockwise from outside.
struct Face {
    std::uint16_t index = 0;                  ///< own index, 12 bits; the position in Hull::faces
    std::uint16_t pierce = 0;                 ///< face on the other side, 12 bits
    std::array<std::uint16_t, 3> points{};    ///< Surface::points, counted from Hull::firstPoint
    std::array<std::int16_t, 3> opposites{};  ///< distance in 4-byte slots from the edge to its reverse, 15 bits signed
    std::uint8_t material = 0;                ///< 7 bits
    bool isVirtual = false;                   ///< set in hulls that only bound a subtree
    std::array<bool, 3> virtualEdges{};

    bool operator==(const Face&) const = default;
};

/// Where a half-edge lies in a hull: face and edge, both from 0.
struct HalfEdge {
    std::uint32_t face = 0;
    std::uint32_t edge = 0;

    bool operator==(const HalfEdge&) const = default;
};
/// The slot distance from one half-edge to another, as Face::opposites holds it.
constexpr std::int32_t slotDelta(HalfEdge from, HalfEdge to) {
    return static_cast<std::int32_t>(4 * to.face + to.edge) - static_cast<std::int32_t>(4 * from.face + from.edge);
}
/// The half-edge a slot distance leads to; nullopt when it falls on a face's head or outside `faces` faces.
std::optional<HalfEdge> oppositeOf(HalfEdge edge, std::int32_t delta, std::size_t faces);

inline constexpr std::uint8_t kTerminal = 4;  ///< a hull that collides
inline constexpr std::uint8_t kWrap = 5;      ///< a hull that bounds a subtree

/// A convex hull (IVP: ledge).
struct Hull {
    std::uint32_t id = 0;                     ///< terminal: hash of a part or hardpoint, a label; wrap: 0
    std::uint8_t type = kTerminal;            ///< bits 0-1 has children, bits 2-3 is compact
    std::uint32_t size = 0;                   ///< stated: 1 + faces + own points, 24 bits; not to be relied on
    std::uint16_t reserved = 0;               ///< zero in every file
    std::uint32_t firstPoint = 0;             ///< where its point array begins in Surface::points; 0 in every file
    std::optional<std::uint32_t> nodeOffset;  ///< wrap: the stored word, when it is not the distance to the root node
    std::vector<Face> faces;                  ///< 1 to kMaxFaces

    bool terminal() const { return (type & 3) == 0; }
    bool operator==(const Hull&) const = default;
};

/// A node of the bounding-volume tree. Nodes lie in pre-order: the left child of an inner node is the next one.
struct Node {
    std::optional<std::uint32_t> right;  ///< Surface::nodes; absent on a leaf
    std::optional<std::uint32_t> hull;   ///< Surface::hulls; on every leaf, and on the root where there is a wrap hull
    Vec3 center{0.0F, 0.0F, 0.0F};       ///< part space
    float radius = 0.0F;
    std::array<std::uint8_t, 3> boxSizes{};  ///< half sizes of the box around center, in steps of radius / 250
    std::uint8_t padding = 0;                ///< zero

    bool leaf() const { return !right; }
    bool operator==(const Node&) const = default;
};

/// The surf block. Sizes and offsets follow from the lists; where a file states another value it is kept here.
struct Surface {
    Vec3 massCenter{0.0F, 0.0F, 0.0F};
    Vec3 rotationInertia{0.0F, 0.0F, 0.0F};
    float radius = 0.0F;                     ///< of the sphere around massCenter that holds all points
    std::uint8_t surfaceDeviation = 0;       ///< in steps of radius / 250
    std::array<std::uint32_t, 3> padding{};  ///< zero
    std::vector<Hull> hulls;                 ///< file order: terminal ones, then the wrap hull
    std::vector<Point> points;
    std::vector<Node> nodes;                ///< pre-order; empty when `block` is not
    std::optional<std::uint32_t> byteSize;  ///< the inner size, when it is not where the nodes end
    ByteVector tail;                        ///< what follows the nodes up to the outer size
    /// The whole block as it came, when its tree cannot be said by `nodes` (a node met twice, an offset that meets no
    /// hull): hulls and points are still delivered, and write gives these bytes.
    ByteVector block;
    std::vector<std::uint32_t> hullOffsets;  ///< of `hulls` in `block`, when some of its hulls could not be read

    bool operator==(const Surface&) const = default;
};

/// Whether what `write` gives of the surface can be read without recovery: nothing was left out, and there are hulls.
inline bool keepsItsBytes(const Surface& surface) {
    return surface.hullOffsets.empty() && !surface.hulls.empty();
}

/// Chunk tags as little-endian words of their four letters.
enum class ChunkTag : std::uint32_t {
    Unfixed = 0x64786621,     ///< "!fxd"
    Extent = 0x73747865,      ///< "exts"
    Surface = 0x66727573,     ///< "surf"
    Hardpoints = 0x64697068,  ///< "hpid"
};

/// A chunk of a part, in file order. Its content is in Part; only what repeats an earlier chunk of the same tag, which
/// no file does, is kept here as bytes.
struct Chunk {
    ChunkTag tag = ChunkTag::Surface;
    bool repeats = false;
    ByteVector payload = {};

    bool operator==(const Chunk&) const = default;
};

/// What collides of one part of a model.
struct Part {
    std::uint32_t id = 0;          ///< hash of the part's name; 0 in a model of a single part
    bool fixed = true;             ///< no "!fxd" chunk
    std::optional<Extent> extent;  ///< box of the hulls that are not hardpoint hulls
    std::optional<Surface> surface;
    std::vector<std::uint32_t> hardpoints;    ///< ids of hardpoints with a hull of their own
    std::vector<Chunk> chunks;                ///< order in the file; empty: the usual order of what is there
    std::optional<std::uint32_t> chunkCount;  ///< the stated number, when it is not that of `chunks`

    bool operator==(const Part&) const = default;
};

struct Library {
    std::vector<Part> parts;

    bool operator==(const Library&) const = default;
};

/// Where the records of a surf block lie, from the first byte after its size word.
struct Layout {
    std::vector<std::uint32_t> hulls;  ///< offset of each hull's header
    std::uint32_t points = 0;
    std::uint32_t nodes = 0;
    std::uint32_t end = 0;  ///< behind the nodes
};
/// Throws FormatError (`field-range`) when the block would be larger than kMaxBlock.
Layout layoutOf(const Surface& surface);

/// The usual chunks of a part in the usual order: !fxd, exts, surf, hpid.
std::vector<Chunk> usualChunks(const Part& part);

// ------------------------------------------------------------------------------------------------------------- verbs

Confidence probe(Bytes bytes, std::string_view name) noexcept;
/// Throws FormatError for what cannot be delivered; what real files do is a warning in `defects` (FORMAT.md, "Quirks").
/// recover: what cannot be read is left out instead, each loss a warning (FORMAT.md, "Recovery"): hulls one by one,
/// a surf block without hulls, the rest of the file behind a chunk that has no end.
Library read(Bytes bytes, Defects& defects, bool recover = false);
/// Throws FormatError (`field-range`) when a number does not fit its field.
ByteVector write(const Library& library);

/// A node per part, its hulls in part space. With ReadOptions::model parts are named and placed by the model, parents
/// of parts included, and with `forMesh` (or `--duplicates drop`) the copies of hulls that fixed ancestors carry are
/// left out; without a model all parts stand at the origin, named by ReadOptions::names or by id. Hulls are named so
/// that PART/HULL reads back as the same ids. Content Bounds adds wrap hulls and the boxes of the nodes. wayBack: the
/// nodes' extras carry the parts as bytes, from which `fromScene` makes the same file.
Scene toScene(const Library& library, const ReadOptions& options, Defects& defects);
/// The library a scene from `toScene` stands for: parts whose hulls were not touched keep every byte, the others are
/// built anew from the hulls that are there. scale: of all hulls, within their parts. Throws GeometryError for hulls
/// that cannot be held, FormatError for extras that do not hold a part.
Library fromScene(const Scene& scene, Defects& defects, double scale = 1.0);

/// base with hulls replaced by the objects of the same address (PART/HULL; a lone object by its part's name), added or
/// removed; `--rename OLD=NEW` goes before that and changes ids only. Objects that are the same as in the base count as
/// unedited; a part that has no edited hull keeps every byte, in an edited one the unedited hulls keep theirs. Throws
/// GeometryError (`not-found`, `duplicate-name`, `name`, and what HitboxMode::Exact refuses).
PatchResult patch(const Input& base, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                  Defects& defects);

/// Every rule of FORMAT.md that the library breaks and a reader can live with, as warnings. The library is one that
/// `read` gave, so that offsets can be told. options: names for the parts, and the model to compare with.
void check(const Library& library, Defects& defects, const ReadOptions& options = {});

/// Figures per part for `info`: what it holds, how well the boxes of its tree do their work, and what its header states
/// against what the hulls give. Names as in toScene.
nlohmann::ordered_json info(const Library& library, const ReadOptions& options);
/// Parts and hulls with their offsets and sizes, named as they can be addressed.
std::vector<Member> list(const Library& library, const ReadOptions& options);

/// The document as JSON (FORMAT.md, "Dump"), streamed.
void toJson(const Library& library, Sink& out);
/// The document from such JSON. Throws FormatError: `json` for what is no JSON or not of this shape, `field-range`.
Library fromJson(std::string_view json);

}  // namespace geomconv::sur
