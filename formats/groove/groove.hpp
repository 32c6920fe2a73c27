#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/byte_writer.hpp"
#include "lib/defect.hpp"
#include "lib/files/sink.hpp"
#include "lib/geometry/math.hpp"
#include "lib/scene/content.hpp"
#include "lib/scene/scene.hpp"

/// Level WADs of The Emperor's New Groove (PC). Every struct follows FORMAT.md in field order; the words are the same.
namespace geomconv::groove {

// -------------------------------------------------------------------------------------------------- container

/// How chunk headers follow each other (FORMAT.md "Framings").
enum class Framing : std::uint8_t {
    F0,  ///< length word, sizes count the payload
    F1,  ///< length word, sizes count the header too
    F2,  ///< length word, payloads filled up to a multiple of 4
    F3,  ///< no length word
};
std::string_view framingName(Framing framing);

struct Chunk {
    std::string tag;             ///< four characters as the engine names them: "TRAK", "MAP ", "END "
    std::uint64_t offset = 0;    ///< of the 8-byte header, when read
    std::uint32_t declared = 0;  ///< the size word as stored
    std::uint64_t size = 0;      ///< of the payload, when read
    ByteVector payload;
    ByteVector padding;  ///< F2: what fills the payload up

    std::uint64_t payloadOffset() const { return offset + 8; }
    /// The payload as it lies in the file that was read.
    Bytes payloadIn(Bytes file) const {
        return file.subspan(static_cast<std::size_t>(payloadOffset()), static_cast<std::size_t>(size));
    }
};

struct Container {
    Framing framing = Framing::F0;
    std::uint32_t lengthWord = 0;  ///< as stored; unused under F3
    std::uint64_t fileSize = 0;    ///< of the file that was read: a changed file moves lengthWord by the difference
    std::vector<Chunk> chunks;
    ByteVector trailing;  ///< bytes behind END
};

/// Which payloads a container holds: all, as a writer needs them, or only those that nothing but the container keeps.
enum class Payloads : std::uint8_t { All, Undecoded };

/// Confidence from the first headers alone. Never throws.
bool looksLikeWad(Bytes bytes) noexcept;
/// Walks the chunks under every framing and keeps the best walk. Throws FormatError (`container`, `chunk-past-end`,
/// `truncated`).
Container readContainer(Bytes file, Payloads payloads, Defects& defects);
ByteVector writeContainer(const Container& container);
/// The first chunk of a tag, or null.
const Chunk* findChunk(const Container& container, std::string_view tag);
Chunk* findChunk(Container& container, std::string_view tag);
/// Puts a payload into a chunk. Equal bytes change nothing; others get an exact size word in the file's framing.
void setPayload(const Container& container, Chunk& chunk, ByteVector payload);

// -------------------------------------------------------------------------------------------------- TEXT

struct Palette {
    std::int32_t id = 0;
    std::vector<std::uint16_t> colours;  ///< ABGR1555
    ByteVector extra;                    ///< one byte per colour

    bool operator==(const Palette&) const = default;
};

struct Page {
    std::uint32_t flags = 0;  ///< 0: palette indices; 0x80: RLE16; else raw 16-bit pixels
    std::uint32_t w = 0;
    std::uint32_t h = 0;
    ByteVector body;  ///< as stored, without the length in front of an RLE16 stream

    bool operator==(const Page&) const = default;
    bool compressed() const { return (flags & 0x80) != 0; }
    bool indexed() const { return flags == 0; }
    std::uint64_t pixelCount() const { return std::uint64_t{w} * h; }
};

/// A row of the texture table: a rectangle of a page, or a flat colour.
struct Texture {
    static constexpr std::uint16_t kFlat = 0x0001;

    std::uint16_t flags = 0;
    std::int8_t page = -1;
    std::int8_t palette = -1;  ///< of 8-bit pages
    std::uint8_t u0 = 0;       ///< flat: red
    std::uint8_t u1 = 0;       ///< inclusive; flat: green
    std::uint8_t v0 = 0;       ///< flat: blue
    std::uint8_t v1 = 0;       ///< inclusive

    bool operator==(const Texture&) const = default;
    bool flat() const { return (flags & kFlat) != 0; }
    unsigned blendMode() const { return (flags >> 12) & 7U; }
};

struct Textures {
    std::vector<Palette> palettes;
    std::vector<Page> pages;
    std::vector<Texture> textures;
    ByteVector rest;

    bool operator==(const Textures&) const = default;
};

Textures readTextures(ByteReader& in);
ByteVector writeTextures(const Textures& text);

/// A page as pixels: 16-bit words, or palette indices.
struct Pixels {
    std::vector<std::uint16_t> words;  ///< w * h, or empty
    ByteVector indices;                ///< w * h, or empty
    std::uint64_t missing = 0;         ///< pixels that the stream did not hold, now 0
    bool clipped = false;              ///< a run passed the end of the page
};
Pixels decodePage(const Page& page);
/// RLE16: greedy, repeats from length 3 (2 outside a literal run), runs and literals of at most 32767.
ByteVector encodeRle16(const std::vector<std::uint16_t>& words);
/// The palette of an 8-bit page: that of the first texture that names the page. Null when there is none.
const Palette* paletteOf(const Textures& text, std::size_t page);
/// A page as an image; a palette image where 256 colours do. Word 0 is transparent.
Image pageImage(const Textures& text, std::size_t page, Defects& defects);

// -------------------------------------------------------------------------------------------------- models

/// Export space, local to the model.
struct Vertex {
    Vec3 position;
    Vec3 normal;

    bool operator==(const Vertex&) const = default;
};

struct Face {
    static constexpr std::uint16_t kBatch = 0x0008;
    static constexpr std::uint16_t kSecondHalf = 0x0010;
    static constexpr std::uint16_t kMirror = 0x0020;
    static constexpr std::uint16_t kDoubleSided = 0x0400;
    static constexpr std::uint16_t kQuadHalf = 0x0800;
    static constexpr std::uint16_t kNoColours = 0x4000;
    /// What a material name carries: all but the batch bit and the UV bits.
    static constexpr std::uint16_t kMaterialBits = 0xF7C7;

    std::uint16_t flags = 0;
    std::array<std::uint16_t, 3> vertices{};
    std::uint16_t texture = 0;
    std::uint16_t unknown0a = 0;
    Vec3 normal;  ///< export space: normalize((v1 - v0) x (v2 - v0))
    float d = 0;  ///< normal . v0

    bool operator==(const Face&) const = default;
};

/// n . P = d / 32 with P in units: the engine compares (n * 32 . P) >> 12 with d, P in 20.12.
struct Plane {
    std::int8_t nx = 0;
    std::int8_t ny = 0;
    std::int8_t nz = 0;
    std::uint8_t unknown03 = 0;
    std::int16_t d = 0;

    bool operator==(const Plane&) const = default;
};

/// Game space, local to the model.
struct CollisionPolygon {
    static constexpr std::uint8_t kQuad = 0x01;
    static constexpr std::uint8_t kCeiling = 0x04;

    std::uint8_t type = 0;
    std::uint8_t material = 0;
    std::array<Plane, 5> planes;  ///< the surface, then the edges with inward normals

    bool operator==(const CollisionPolygon&) const = default;
    unsigned edgeCount() const { return (type & kQuad) != 0 ? 4 : 3; }
};

/// A model of TRAK or STPC; the fields from nStatic on exist in STPC only.
struct Model {
    Vec3 boxCenter;
    std::array<Vec3, 8> boxCorners{};
    std::uint32_t unknown70 = 0;
    std::uint32_t unknown74 = 0;
    std::array<std::uint16_t, 3> groups{};  ///< polygons that are floors, ceilings, walls
    std::uint16_t unknown7e = 0;
    std::uint32_t unknown80 = 0;
    std::uint16_t nStatic = 0;
    std::uint32_t unknown88 = 0;
    std::vector<std::uint16_t> bones;  ///< vertices of each bone
    std::vector<Vertex> vertices;
    std::vector<Face> faces;
    std::vector<CollisionPolygon> polygons;  ///< floors, ceilings, walls

    bool operator==(const Model&) const = default;
    /// 0 floor, 1 ceiling, 2 wall: which group a polygon stands in.
    unsigned groupOf(std::size_t polygon) const {
        if (polygon < groups[0]) return 0;
        return polygon < std::size_t{groups[0]} + groups[1] ? 1 : 2;
    }
};

enum class ModelKind : std::uint8_t { Trak, Stpc };
inline constexpr std::uint64_t kTrakHeader = 0x84;
inline constexpr std::uint64_t kStpcHeader = 0x8c;

/// What the readers of models share: options, and where defects go.
struct ModelReading {
    Defects& defects;
    bool recover = false;    ///< drop bad faces, zero bad floats, each a warning
    bool padWarned = false;  ///< unknown fields that are not 0 are said once per chunk
};

/// A header: everything but the arrays. The counts behind it are kept apart.
struct ModelHeader {
    Model model;
    std::uint16_t nVerts = 0;
    std::uint16_t nFaces = 0;
    std::uint16_t nBones = 0;

    /// Bytes of the data that belong to this header.
    std::uint64_t dataSize() const;
};
ModelHeader readModelHeader(ByteReader& in, ModelKind kind, ModelReading& reading);
/// Fills the arrays. Throws FormatError (`truncated`, `index-range`, `nonfinite`).
Model readModelData(ByteReader& in, ModelHeader header, ModelReading& reading);
void writeModelHeader(ByteWriter& out, const Model& model, ModelKind kind);
void writeModelData(ByteWriter& out, const Model& model);
std::uint64_t modelDataSize(const Model& model);

/// TRAK: the tile models.
struct Trak {
    std::vector<Model> models;
    ByteVector rest;  ///< bytes behind the last model; none in a sound file

    bool operator==(const Trak&) const = default;
};
Trak readTrak(ByteReader& in, ModelReading& reading);
ByteVector writeTrak(const Trak& trak);

// -------------------------------------------------------------------------------------------------- STPC

struct Trigger {
    std::uint16_t frame = 0;
    std::uint16_t trigger = 0;
};

/// A skeletal animation. Its vertex deltas stay in Stpc::behind.
struct Animation {
    std::int32_t nFrames = 0;
    std::int32_t flag = 0;
    std::int32_t nDelta = 0;
    std::int32_t nBones = 0;
    std::vector<Trigger> triggers;
    std::uint64_t bonesAt = 0;     ///< in Stpc::behind: the first frame's matrices
    std::uint64_t frameSize = 0;   ///< bytes from the first frame's data to the second's, deltas included
    std::uint64_t firstDelta = 0;  ///< bytes of deltas in front of the first frame's matrices
    std::uint64_t nextDelta = 0;   ///< and in front of each further frame's

    bool hasBones() const { return nBones > 0 && nFrames > 0; }
};

struct Cutscene {
    std::string name;
    std::vector<std::pair<std::int32_t, std::int32_t>> parts;  ///< nDelta, nBones
    std::vector<Model> models;
};

/// With or without pointer slots in the animations.
enum class SlotVariant : std::uint8_t { P, N, Either, Unknown };
std::string_view variantName(SlotVariant variant);

/// STPC: object models; what stands behind them is decoded as far as one variant lands, and kept as it came.
struct Stpc {
    std::vector<Model> objects;
    ByteVector behind;  ///< everything behind the object models
    SlotVariant variant = SlotVariant::Unknown;
    bool animationsKnown = false;
    std::vector<Animation> animations;
    std::optional<std::vector<Cutscene>> cutscenes;  ///< absent without the level flag
    std::uint64_t tailSize = 0;                      ///< script list, its count word included
    std::optional<std::uint32_t> scripts;
};
Stpc readStpc(ByteReader& in, std::uint32_t levelFlags, ModelReading& reading);
ByteVector writeStpc(const Stpc& stpc);
/// Matrix of a bone in a frame, export space, for column vectors.
Mat4d boneMatrix(const Stpc& stpc, const Animation& animation, std::int32_t frame, std::int32_t bone);

// -------------------------------------------------------------------------------------------------- MAP

inline constexpr std::uint32_t kFlagViewDistance = 0x00000010;
inline constexpr std::uint32_t kFlagCutscenes = 0x00000100;
inline constexpr std::uint32_t kFlagSwaps = 0x00010000;
inline constexpr std::uint32_t kFlagCameras = 0x00200000;
inline constexpr std::uint32_t kFlagCameraY = 0x04000000;

struct VertexColour {
    std::uint8_t c0 = 0;
    std::uint8_t c1 = 0;
    std::uint8_t c2 = 0;
    std::uint8_t sets = 0;

    bool operator==(const VertexColour&) const = default;
};

struct ColourSets {
    std::uint32_t sets = 1;
    std::vector<VertexColour> colours;  ///< sets * nVerts

    bool operator==(const ColourSets&) const = default;
};

struct Tile {
    // A: export space, sorts the tile into a cell
    Vec3 position;
    std::uint32_t rotation = 0;  ///< 4096 = a full turn
    std::uint32_t modelA = 0;    ///< dropped by the engine's loader
    std::uint32_t animFlag = 0;
    // B: game space, 20.12, what is drawn and tested
    std::int32_t rx = 0;
    std::int32_t ry = 0;
    std::int32_t rz = 0;
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
    std::uint32_t model = 0;
    ColourSets colours;
    std::optional<std::uint32_t> swap;      ///< Map::swaps
    std::optional<ColourSets> swapColours;  ///< of the swap's modelB

    bool operator==(const Tile&) const = default;
    std::uint32_t turn() const { return static_cast<std::uint32_t>(ry) & 0xFFFU; }
};

struct Zone {
    std::uint32_t mask = 0;
    std::int32_t waterLevel = 0;  ///< 20.12

    bool operator==(const Zone&) const = default;
};

struct Swap {
    std::uint32_t cellX = 0;
    std::uint32_t y = 0;
    std::uint32_t cellZ = 0;
    std::uint32_t modelA = 0;
    std::uint32_t modelB = 0;

    bool operator==(const Swap&) const = default;
};

/// Start position of an object with behaviour, from the rest of MAP.
struct Strat {
    std::array<std::uint16_t, 3> rotation{};
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
};

struct Map {
    std::uint32_t w = 0;
    std::uint32_t h = 0;
    std::vector<Tile> tiles;
    std::vector<std::uint32_t> params;
    std::uint32_t doorCount = 0;
    ByteVector doors;  ///< 90 bytes each
    std::uint32_t waypointCount = 0;
    ByteVector waypoints;  ///< 34 bytes each
    std::array<Zone, 32> zones{};
    std::vector<std::uint32_t> zoneGrid;  ///< w * h, zone of each cell, x fastest
    std::optional<std::vector<Swap>> swaps;
    std::uint8_t colourRule = 1;  ///< 1: the first entry's set count, 2: the largest
    ByteVector rest;
    bool restLands = false;
    std::vector<Strat> strats;  ///< only where the rest lands

    bool operator==(const Map& other) const;
};

struct MapContext {
    std::uint32_t levelFlags = 0;
    const std::vector<Model>& models;
    Defects& defects;
    bool recover = false;
};
Map readMap(ByteReader& in, const MapContext& context);
ByteVector writeMap(const Map& map);

struct Cell {
    std::int64_t x = 0;
    std::int64_t z = 0;

    bool operator==(const Cell&) const = default;
};
/// The cell a tile is listed in; may lie outside the grid.
Cell cellOf(const Tile& tile);
bool inGrid(const Map& map, const Cell& cell);

/// Tiles of each cell, in the order the engine meets them: descending index.
struct CellLists {
    std::vector<std::uint32_t> starts;  ///< w * h + 1
    std::vector<std::uint32_t> tiles;
};
CellLists cellLists(const Map& map);

// -------------------------------------------------------------------------------------------------- level

/// The native document. Chunks that are not interpreted live in the container only.
struct Level {
    Container container;
    std::uint32_t levelFlags = 0;  ///< WFPC
    bool hasLevelFlags = false;
    std::optional<Textures> text;
    std::optional<Trak> trak;
    std::optional<Stpc> stpc;
    std::optional<Map> map;
};

/// Throws FormatError; what can be gone past lands in the list.
Level read(Bytes file, bool recover, Defects& defects);
/// The same for those who only look: decoded chunks have no payload, the level cannot be written.
Level readToLook(Bytes file, bool recover, Defects& defects);
/// The file: decoded chunks are built from the document, all others as they came.
ByteVector write(const Level& level);
/// The parts that geometry needs. Throws FormatError (`missing-chunk`) naming the chunk.
const Trak& requireTrak(const Level& level);
const Map& requireMap(const Level& level);

// -------------------------------------------------------------------------------------------------- collision

enum class CornerSource : std::uint8_t { Planes, Clip, Degenerate };

/// Corners of a collision polygon, local game space, units, counter-clockwise about the surface normal.
struct PolygonCorners {
    CornerSource source = CornerSource::Degenerate;
    std::vector<Vec3d> corners;
    double quality = 0;  ///< least |det| relative to the normals' lengths; below kIllConditioned corners are vague
};
inline constexpr double kIllConditioned = 0.02;
PolygonCorners polygonCorners(const CollisionPolygon& polygon);
/// Rotation of a tile: exact for quarter turns.
struct SinCos {
    double sin = 0;
    double cos = 1;
};
SinCos tileTurn(const Tile& tile);
/// A point of a tile's local game space in the world's game space.
Vec3d placed(const Tile& tile, const SinCos& turn, const Vec3d& local);
/// The part of a convex polygon inside lo <= x, z <= hi of a cell.
std::vector<Vec3d> clippedToCell(const std::vector<Vec3d>& polygon, const Cell& cell);

/// A floor polygon whose tolerance spike is exposed (FORMAT.md "Needles").
struct Needle {
    std::uint32_t tile = 0;
    std::uint32_t polygon = 0;
    Vec3d position;             ///< game space, units: the first exposed sample
    std::optional<double> gap;  ///< to the next lower floor; absent when there is none
};
/// Warns (`needle-scan`) when it gives up on a cell that no real level has.
std::vector<Needle> needles(const Level& level, Defects& defects);

// -------------------------------------------------------------------------------------------------- scene

enum class ColourOrder : std::uint8_t { Rgb, Bgr };

struct SceneOptions {
    ContentSet content{Content::Render};
    bool exportSpace = false;  ///< raw export space instead of file space
    ColourOrder colourOrder = ColourOrder::Rgb;
    std::uint32_t colourSet = 1;  ///< from 1; tiles with fewer sets show their first
    bool rawColours = false;      ///< byte / 255 instead of min(byte / 128, 1)
    bool emptyTiles = false;      ///< tiles without faces show their vertices
    bool clipCells = false;       ///< collision polygons cut to the cell of their tile
    bool nominalScale = false;    ///< planes as d / 4096 with n / 127, for comparison
    bool uvByPage = false;        ///< divide by the page's size, as the game does, instead of 256
    std::string pose = "auto";    ///< "auto", "none", or "A@F"
};
Scene toScene(const Level& level, std::string_view fileName, const SceneOptions& options, Defects& defects);

/// Which corner of its texture's rectangle a face's corner shows: bit 0 right (U1), bit 1 bottom (V1); per stored
/// corner.
std::array<std::uint8_t, 3> uvCorners(std::uint16_t faceFlags);
/// The rectangle: u0, v0, u1, v1 in image convention (v down). byPage: in parts of the page's size instead of 256.
Vec4 uvRectangle(const Textures& text, const Texture& texture, bool byPage);

// -------------------------------------------------------------------------------------------------- verbs

/// Rules of FORMAT.md that a level may break and still be read, and whether it can be written as it was; read() has
/// told of all others.
void check(const Level& level, Bytes file, bool withNeedles, Defects& defects);
/// The native document, streamed.
void toJson(const Level& level, Sink& out);

}  // namespace geomconv::groove
