#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/ccsf/kinds.hpp"
#include "lib/bytes/byte_reader.hpp"
#include "lib/defect.hpp"
#include "lib/format.hpp"
#include "lib/scene/scene.hpp"

/// CyberConnect2's scene files (.ccs). Layout, units and the standing of every claim: FORMAT.md, whose words are the
/// names here.
namespace geomconv::ccsf {

// Arrays of the file (positions, pixels, keys) stay where they are: `Bytes` members borrow from the input, which must
// outlive the document. Object indices are kept as stored; 0 means none, and one past the index table stands for none
// (warned of once per place when the file is read).

/// One run of bytes with an 8-byte head, in the setup section, the frame section or an Anime.
struct Chunk {
    std::uint16_t kind = 0;
    std::uint16_t tag = 0;
    std::uint32_t size = 0;    ///< as stored, in words; it lies for textures and some models
    std::uint64_t offset = 0;  ///< of the head, from the start of the inflated file
    Bytes payload;             ///< the real payload
    /// How much of the payload the fields of its record are; behind them stand bytes that no source knows.
    std::size_t known = SIZE_MAX;
};

struct Header {
    Bytes rawName;  ///< 32 bytes
    std::string name;
    std::uint16_t version = 0;
    std::uint32_t frames = 0;
    std::vector<std::uint32_t> words;
};

struct PathEntry {
    Bytes raw;         ///< 32 bytes
    std::string text;  ///< UTF-8, its first character (' ' own, '#' elsewhere) included
};

struct ObjectEntry {
    Bytes raw;  ///< 30 bytes
    std::string name;
    std::uint16_t path = 0;
};

struct Obj {
    std::uint32_t object = 0, parent = 0, model = 0, shadowModel = 0, extra = 0;
    std::uint32_t chunk = 0;  ///< Document::chunks; the same in all records below
};

struct Obj2 {
    std::uint32_t object = 0, flags = 0, modifier = 0, layer = 0, shadowLayer = 0;
    std::uint32_t chunk = 0;
};

struct ExtObj {
    std::uint32_t object = 0, parent = 0, target = 0;
    std::uint32_t chunk = 0;
};

/// A local transform as stored: T * Rx * Ry * Rz * S, rotation in degrees.
struct Transform {
    Vec3 position{0.0F, 0.0F, 0.0F};
    Vec3 rotation{0.0F, 0.0F, 0.0F};
    Vec3 scale{1.0F, 1.0F, 1.0F};
};

struct Clump {
    std::uint32_t object = 0;
    std::vector<std::uint32_t> nodes;  ///< objects in slot order
    std::vector<Transform> binds;      ///< one per node above version 0x110, else empty
    std::uint32_t chunk = 0;
};

struct Material {
    std::uint32_t object = 0, texture = 0;
    float transparency = 1.0F;
    std::int16_t offsetU = 0, offsetV = 0;  ///< crop up to 0x11f; 1/4096
    std::int16_t scaleU = 0, scaleV = 0;    ///< from 0x120; 0 means 1.0
    std::uint32_t chunk = 0;
};

struct TextureLevel {
    std::uint16_t bufX = 0, bufY = 0;
    Bytes pixels;
};

/// The block that carries DXT images.
struct Btx {
    std::uint32_t version = 0;
    std::uint16_t width = 0, height = 0, mips = 0, format = 0;
    std::uint32_t headerSize = 0, blockSize = 0;
};

struct Texture {
    std::uint32_t object = 0, clut = 0, bltGroup = 0;
    std::uint8_t flag = 0, psm = 0, mipmap = 0, aref = 0, tw = 0, th = 0;
    std::uint32_t width = 0, height = 0;  ///< of level 0; 0 where the file does not say
    std::vector<TextureLevel> levels;
    std::optional<Btx> btx;
    std::uint32_t chunk = 0;

    bool clamps() const noexcept { return (flag & 0x10) != 0; }
    bool translucent() const noexcept { return (flag & 0x08) != 0; }
    /// Stored top row first, unlike all others.
    bool topFirst() const noexcept { return btx.has_value(); }
};

struct Clut {
    std::uint32_t object = 0, bltGroup = 0;
    std::uint8_t flag = 0, cpsm = 0;
    std::uint16_t bufX = 0, bufY = 0;
    std::uint32_t count = 0;
    Bytes colours;  ///< R, G, B, A with 0x80 opaque
    std::uint32_t chunk = 0;
};

enum class MmatKind : std::uint8_t { Rigid, Bone, Skin, Shadow, Sections };
/// "rigid" and so on.
std::string_view mmatKindName(MmatKind kind);

/// One array of an mmat of kind Sections (mtype & 2 above version 0x110), kept but not decoded.
struct MmatSection {
    std::uint8_t flags = 0, type = 0;
    std::uint32_t count = 0;
    float scale = 1.0F;
    Bytes data;
};

/// A run of vertices with one material. Arrays are as stored; what mtype leaves out is empty.
struct Mmat {
    MmatKind kind = MmatKind::Rigid;
    std::uint32_t name = 0, material = 0;
    std::uint32_t vertexNum = 0, boneNum = 0, offsetNum = 0;  ///< as stored
    std::uint32_t vertexCount = 0;                            ///< real: a skin's is the number of last entries
    std::uint32_t node = 0;                                   ///< bone: slot as stored
    Bytes positions;                                          ///< s16[3]; a skin's are in its entries
    Bytes entries;                                            ///< skin: offsetNum times 8 bytes (12 from version 0x125)
    Bytes normals;                                            ///< s8[3] and the strip flag; a skin has one per entry
    Bytes colours;                                            ///< u8[4]
    Bytes st;                                                 ///< u16[2] (s32[2] when wideSt)
    Bytes tangents, binormals;
    Bytes triangles;  ///< shadow: s32[3]
    std::vector<MmatSection> sections;
    bool wideSt = false;
};

struct Model {
    std::uint32_t object = 0;
    float vertexScale = 1.0F;
    std::uint16_t storedType = 0;
    std::uint16_t mtype = 0;  ///< storedType, its low byte alone below version 0x100
    std::uint16_t flag = 0;
    std::int16_t zoffs = 0;
    std::uint8_t unknown10 = 0;  ///< up to 0x110; above, the lookup count
    std::uint8_t extraFlags = 0;
    std::uint16_t tangentFlag = 0;
    std::uint32_t outlineColour = 0;
    float outlineWidth = 0.0F;
    bool hasLookup = false;
    Bytes lookup;  ///< clump slot per slot of the model
    std::vector<Mmat> mmats;
    bool wideEntries = false;  ///< skin entries of 12 bytes
    std::uint32_t chunk = 0;

    bool lit() const noexcept { return (mtype & 1) != 0; }
    bool deformable() const noexcept { return (mtype & 4) != 0; }
    bool shadow() const noexcept { return (mtype & 8) != 0 && (mtype & 4) == 0; }
    std::uint8_t blend() const noexcept { return flag & 3; }
    /// Length of one stored position unit. A scale that is no number counts as 1.
    double unit() const noexcept;
};

struct HitGroup {
    std::uint32_t attribute = 0, count = 0;
    Bytes positions, normals;  ///< f32[3] each
};

struct Hit {
    std::uint32_t object = 0, parent = 0, totalVertices = 0;
    std::vector<HitGroup> groups;
    std::uint32_t chunk = 0;
};

struct Bbox {
    std::uint32_t object = 0, target = 0;
    Vec3 min{0.0F, 0.0F, 0.0F}, max{0.0F, 0.0F, 0.0F};
    std::uint32_t chunk = 0;
};

struct Dummy {
    std::uint32_t object = 0;
    Vec3 position{0.0F, 0.0F, 0.0F};
    std::optional<Vec3> rotation;  ///< degrees
    std::uint32_t chunk = 0;
};

struct Camera {
    std::uint32_t object = 0;
    std::uint32_t chunk = 0;
};

struct Light {
    std::uint32_t object = 0;
    std::int16_t type = 0;  ///< 1 distant, 2 direct, 3 spot, 4 omni
    std::uint32_t chunk = 0;
};

struct Morpher {
    std::uint32_t object = 0, baseModel = 0;
    std::uint32_t chunk = 0;
};

struct Anime {
    std::uint32_t object = 0, frames = 0, words = 0;
    std::vector<Chunk> records;
    bool loops = false;  ///< its end Top is -2
    std::uint32_t chunk = 0;
};

struct Document {
    Bytes file;
    Header header;
    std::vector<PathEntry> paths;
    std::vector<ObjectEntry> objects;
    std::vector<Chunk> chunks;   ///< all, Header and Index first, the frame section's records last
    std::size_t frameStart = 0;  ///< chunks index of the first record behind the Frame chunk; chunks.size() without one
    Bytes trailing;              ///< behind the end Top

    std::vector<Obj> objs;
    std::vector<Obj2> obj2s;
    std::vector<ExtObj> extObjs;
    std::vector<Clump> clumps;
    std::vector<Material> materials;
    std::vector<Texture> textures;
    std::vector<Clut> cluts;
    std::vector<Model> models;
    std::vector<Hit> hits;
    std::vector<Bbox> boxes;
    std::vector<Dummy> dummies;
    std::vector<Camera> cameras;
    std::vector<Light> lights;
    std::vector<Morpher> morphers;
    std::vector<Anime> animes;

    std::uint16_t version() const noexcept { return header.version; }
    /// The object's name; empty for none and for an index past the table.
    std::string_view nameOf(std::uint32_t object) const noexcept {
        return object < objects.size() ? std::string_view(objects[object].name) : std::string_view();
    }
    /// Whether the object is defined in another file (its path starts with '#').
    bool isElsewhere(std::uint32_t object) const noexcept;
};

// ------------------------------------------------------------------------------------------------------ the verbs

Confidence probe(Bytes bytes, std::string_view name) noexcept;

/// Walks an inflated file to its last byte and reads every chunk whose layout is known. Throws FormatError: `magic`,
/// `truncated` (the file ends inside header, index or a chunk), `sync` (no chunk head where one is due). With recover
/// the last two are warnings and what was read before is kept, or found again behind. A chunk whose own fields are
/// broken is kept as bytes and reported (`bad-chunk` and the kinds of FORMAT.md).
Document read(Bytes file, bool recover, Defects& defects);

/// The file again, byte for byte: heads and payloads as they were read.
ByteVector write(const Document& document);

enum class Winding : std::uint8_t { Auto, Strip };

/// Which pose nodes are in. Default: the stored bind; up to version 0x110, which has none, frame 0 of the first
/// animation that drives a node of a clump (one whose name contains "nut" first), then of any that drives what is left.
struct PoseChoice {
    enum class Source : std::uint8_t { Default, Bind, None, Frames, Anime } source = Source::Default;
    std::string anime;
    double frame = 0.0;
};

/// Which animations come out.
struct AnimationChoice {
    bool all = true;
    std::vector<std::string> names;  ///< without all: these
    double fps = 30.0;               ///< frames per second
};

struct SceneOptions {
    ContentSet content{Content::Render};
    Winding winding = Winding::Auto;
    PoseChoice pose;
    AnimationChoice animations;
};

/// "NAME[@FRAME]", "bind", "none", "frames[@FRAME]". Throws FormatError (`pose`) for a frame that is no number.
PoseChoice parsePose(std::string_view text);

/// "all", "none" or names with commas between them.
AnimationChoice parseAnimations(std::string_view text);

/// The scene: Z-up, units of the file. Throws FormatError (`pose`, `animation`) when there is no animation of that
/// name.
Scene toScene(const Document& document, const SceneOptions& options, Defects& defects);

/// import: rigid models by name, a texture (--texture NAME), chunks (--raw NAME=FILE) put into the file; everything
/// else keeps its bytes, and edits that change nothing are said to be kept. Throws GeometryError for what a model
/// cannot hold or whose name is not there, FormatError (`raw`, `no-member`) for chunks.
PatchResult patch(Bytes file, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                  Defects& defects);

/// Rules of FORMAT.md that a readable file may still break.
void check(const Document& document, Defects& defects);

/// The whole document.
void toJson(const Document& document, Sink& out);
nlohmann::ordered_json info(const Document& document);

}  // namespace geomconv::ccsf
