#include "formats/groove/format.hpp"

#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "formats/groove/groove.hpp"
#include "formats/groove/import.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::groove {

namespace {

using nlohmann::ordered_json;

constexpr std::array<std::string_view, 1> kExtensions{".wad"};
constexpr auto kRead = verbBits({Verb::Read});
constexpr auto kReadAndPatch = verbBits({Verb::Read, Verb::Patch});
constexpr auto kPatch = verbBits({Verb::Patch});
constexpr auto kInfo = verbBits({Verb::Info});

constexpr std::array kOptions{
    OptionSpec{"export-space", "", "Raw export space: z < 0, left-handed, corners as stored (file space)",
               kReadAndPatch},
    OptionSpec{"color-order", "rgb|bgr", "Which byte of a vertex colour is red (rgb)", kReadAndPatch, true},
    OptionSpec{"color-set", "N", "Which of a tile's colour sets to show, from 1 (1)", kRead, false, false, 1},
    OptionSpec{"raw-colors", "", "Vertex colours as byte / 255 instead of byte / 128 up to 1 (off)", kRead},
    OptionSpec{"empty-tiles", "", "Show the vertices of tiles that have no faces (off)", kRead},
    OptionSpec{"clip-cells", "", "Cut collision polygons to the cell of their tile (off)", kRead},
    OptionSpec{"coll-scale", "engine|nominal", "Scale of collision planes: d / 4064, or d / 4096 to compare (engine)",
               kRead, true},
    OptionSpec{"uv-div", "256|page", "What texture rectangles are divided by: 256, or the page's size (256)", kRead,
               true},
    OptionSpec{"pose", "A@F|auto|none",
               "Objects: animation A, frame F poses skinned models; auto: the first that fits (auto)", kRead},
    OptionSpec{"coll-obj", "FILE", "Collision from this mesh instead of the one that is drawn", kPatch},
    OptionSpec{"keep-tiles", "", "Put the new tiles behind the old ones (replace them)", kPatch},
    OptionSpec{"zones", "flat|keep",
               "Visibility: everything from everywhere, or as it was (flat; keep with keep-tiles)", kPatch, true},
    OptionSpec{"default-tex", "N", "Texture of faces whose material names none (0)", kPatch},
    OptionSpec{"outside", "refuse|skip", "Triangles outside of the grid (refuse)", kPatch, true},
    OptionSpec{"no-collision", "", "Nothing to stand on (off)", kPatch},
    OptionSpec{"uv", "page|rect|auto", "UVs run over the page, or over the texture's rectangle (page)", kPatch, true},
    OptionSpec{"object", "N", "The meshes replace this rigid object model of STPC (tiles)", kPatch},
    OptionSpec{"page", "N", "The PNG given replaces this texture page", kPatch},
    OptionSpec{"check-floor", "N", "Report how far the floors found at N places lie from the mesh (0)", kPatch},
    OptionSpec{"raw", "TAG=FILE", "Put a chunk back as it lies in a file", kPatch, false, true},
    OptionSpec{"needles", "", "Look for floor polygons whose corners hold up feet beside them (off)", kInfo},
};

SceneOptions sceneOptions(const ReadOptions& options) {
    SceneOptions out;
    const OptionValues& own = options.format;
    out.content = options.content.value_or(ContentSet{Content::Render});
    out.exportSpace = own.has("export-space");
    out.colourOrder = own.get("color-order", "rgb") == "bgr" ? ColourOrder::Bgr : ColourOrder::Rgb;
    out.rawColours = own.has("raw-colors");
    out.emptyTiles = own.has("empty-tiles");
    out.clipCells = own.has("clip-cells");
    out.nominalScale = own.get("coll-scale", "engine") == "nominal";
    out.uvByPage = own.get("uv-div", "256") == "page";
    out.pose = std::string(own.get("pose", "auto"));
    if (const auto set = own.get("color-set")) {
        const auto read = std::from_chars(set->data(), set->data() + set->size(), out.colourSet);
        if (read.ec != std::errc() || read.ptr != set->data() + set->size() || out.colourSet == 0) {
            throw FormatError("option", "color-set '" + std::string(*set) + "' is no number from 1");
        }
    }
    return out;
}

Confidence probe(Bytes bytes, std::string_view) noexcept {
    return looksLikeWad(bytes) ? Confidence::Certain : Confidence::No;
}

Scene readScene(const Input& input, const ReadOptions& options, Defects& defects) {
    const SceneOptions scene = sceneOptions(options);
    return toScene(readToLook(input.bytes, options.recover, defects), fileNameOf(input.name), scene, defects);
}

void dump(const Input& input, const ReadOptions& options, Sink& out, Defects& defects) {
    toJson(read(input.bytes, options.recover, defects), out);
}

void checkRow(const Input& input, const ReadOptions& options, Defects& defects) {
    collectDefects(defects, [&] {
        check(read(input.bytes, options.recover, defects), input.bytes, options.format.has("needles"), defects);
    });
}

struct ModelSums {
    std::size_t vertices = 0;
    std::size_t faces = 0;
    std::array<std::size_t, 3> groups{};
};

ModelSums sumsOf(const std::vector<Model>& models) {
    ModelSums sums;
    for (const Model& m : models) {
        sums.vertices += m.vertices.size();
        sums.faces += m.faces.size();
        for (std::size_t g = 0; g < 3; ++g) sums.groups[g] += m.groups[g];
    }
    return sums;
}

ordered_json modelsInfo(const std::vector<Model>& models) {
    const ModelSums sums = sumsOf(models);
    return {{"models", models.size()},  {"vertices", sums.vertices},  {"faces", sums.faces},
            {"floors", sums.groups[0]}, {"ceilings", sums.groups[1]}, {"walls", sums.groups[2]}};
}

std::string levelName(const Level& level) {
    const Chunk* chunk = findChunk(level.container, "NAME");
    return chunk == nullptr ? std::string() : printable(untilNul(asText(chunk->payload)));
}

ordered_json mapInfo(const Level& level) {
    const Map& map = *level.map;
    std::size_t faces = 0;
    std::size_t polygons = 0;
    std::size_t degenerate = 0;
    std::size_t ill = 0;
    std::size_t outside = 0;
    // Per model once, then by how often it is placed.
    std::vector<std::optional<std::array<std::size_t, 2>>> quality(level.trak->models.size());
    for (const Tile& t : map.tiles) {
        const Model& m = level.trak->models[t.model];
        auto& q = quality[t.model];
        if (!q) {
            q.emplace();
            for (const CollisionPolygon& p : m.polygons) {
                const PolygonCorners c = polygonCorners(p);
                if (c.source == CornerSource::Degenerate)
                    (*q)[0] += 1;
                else if (c.quality < kIllConditioned)
                    (*q)[1] += 1;
            }
        }
        faces += m.faces.size();
        polygons += m.polygons.size();
        degenerate += (*q)[0];
        ill += (*q)[1];
        if (!inGrid(map, cellOf(t))) outside += 1;
    }
    return {{"grid", {map.w, map.h}},         {"tiles", map.tiles.size()},
            {"tilesOutsideGrid", outside},    {"placedFaces", faces},
            {"placedPolygons", polygons},     {"degeneratePolygons", degenerate},
            {"illConditionedPolygons", ill},  {"doors", map.doorCount},
            {"waypoints", map.waypointCount}, {"swaps", map.swaps ? map.swaps->size() : 0},
            {"strats", map.strats.size()},    {"colourRule", map.colourRule},
            {"restLands", map.restLands}};
}

ordered_json stpcInfo(const Stpc& stpc) {
    ordered_json out = modelsInfo(stpc.objects);
    std::size_t skinned = 0;
    for (const Model& m : stpc.objects) {
        if (!m.bones.empty()) skinned += 1;
    }
    out["skinned"] = skinned;
    out["animations"] = stpc.animations.size();
    if (stpc.cutscenes) out["cutscenes"] = stpc.cutscenes->size();
    if (stpc.scripts) out["scripts"] = *stpc.scripts;
    out["slots"] = variantName(stpc.variant);
    out["lands"] = stpc.variant != SlotVariant::Unknown;
    return out;
}

ordered_json info(const Input& input, const ReadOptions& options, Defects& defects) {
    const Level level = readToLook(input.bytes, options.recover, defects);
    ordered_json out;
    if (const std::string name = levelName(level); !name.empty()) out["name"] = name;
    out["framing"] = framingName(level.container.framing);
    out["levelFlags"] = hexId(level.levelFlags);
    out["chunks"] = ordered_json::array();
    for (const Chunk& c : level.container.chunks) {
        out["chunks"].push_back({{"tag", c.tag}, {"offset", c.offset}, {"size", c.size}});
    }
    if (level.text) {
        out["textures"] = {{"palettes", level.text->palettes.size()},
                           {"pages", level.text->pages.size()},
                           {"textures", level.text->textures.size()}};
    }
    if (level.trak) {
        out["trak"] = modelsInfo(level.trak->models);
        out["trak"]["lands"] = level.trak->rest.empty();
    }
    if (level.stpc) out["objects"] = stpcInfo(*level.stpc);
    if (level.map) out["map"] = mapInfo(level);
    if (options.format.has("needles") && level.map) {
        out["needles"] = ordered_json::array();
        for (const Needle& n : needles(level, defects)) {
            out["needles"].push_back({{"tile", n.tile},
                                      {"poly", n.polygon},
                                      {"position", {n.position.x, n.position.y, n.position.z}},
                                      {"gap", n.gap ? ordered_json(*n.gap) : ordered_json(nullptr)}});
        }
    }
    return out;
}

/// "MAP", and "SMPC#2" for the second chunk of a tag.
std::vector<std::string> chunkNames(const Container& container) {
    std::vector<std::string> names;
    std::map<std::string, std::size_t> seen;
    for (const Chunk& c : container.chunks) {
        const std::string tag = c.tag.substr(0, c.tag.find_last_not_of(' ') + 1);
        const std::size_t number = ++seen[tag];
        names.push_back(number == 1 ? tag : tag + '#' + std::to_string(number));
    }
    return names;
}

std::vector<Member> list(const Input& input, const ReadOptions&, Defects& defects) {
    const Container container = readContainer(input.bytes, Payloads::Undecoded, defects);
    const std::vector<std::string> names = chunkNames(container);
    std::vector<Member> out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Chunk& c = container.chunks[i];
        out.push_back({names[i], "chunk", c.offset, c.size, ""});
    }
    return out;
}

/// The payload of a chunk, without its header.
ByteVector extract(const Input& input, const ReadOptions&, std::string_view member, Defects& defects) {
    const Container container = readContainer(input.bytes, Payloads::Undecoded, defects);
    const std::vector<std::string> names = chunkNames(container);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] != member) continue;
        const Bytes payload = container.chunks[i].payloadIn(input.bytes);
        return {payload.begin(), payload.end()};
    }
    throw FormatError("no-member", "no chunk is called " + std::string(member));
}

}  // namespace

const Format kFormat{
    .id = "groove",
    .title = "The Emperor's New Groove level",
    .extensions = kExtensions,
    .role = Role::Game,
    .options = kOptions,
    .contents =
        "render (default): tiles with textures; collision: polygons by material and group; objects: STPC models; "
        "helpers: lights and start positions",
    .probe = probe,
    .readScene = readScene,
    .patch = patch,
    .dump = dump,
    .check = checkRow,
    .info = info,
    .list = list,
    .extract = extract,
};

}  // namespace geomconv::groove
