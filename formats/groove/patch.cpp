#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "formats/groove/import.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/bytes/text.hpp"
#include "lib/image/png.hpp"

namespace geomconv::groove {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostProbes = 10'000'000;

/// Throws GeometryError (`index`).
template <class T>
std::optional<T> numberOption(const OptionValues& options, std::string_view name) {
    const auto text = options.get(name);
    if (!text) return std::nullopt;
    T value{};
    const auto read = std::from_chars(text->data(), text->data() + text->size(), value);
    if (read.ec != std::errc() || read.ptr != text->data() + text->size()) {
        throw GeometryError("", "index", std::string(name) + " '" + std::string(*text) + "' is no number from 0");
    }
    return value;
}

ImportOptions importOptions(const PatchOptions& options) {
    ImportOptions out;
    const OptionValues& own = options.format;
    out.exportSpace = own.has("export-space");
    out.keepTiles = own.has("keep-tiles");
    if (const auto zones = own.get("zones")) out.flatZones = *zones == "flat";
    out.collision = !own.has("no-collision");
    out.skipOutside = own.get("outside", "") == "skip";
    out.colourOrder = own.get("color-order", "rgb") == "bgr" ? ColourOrder::Bgr : ColourOrder::Rgb;
    const std::string_view uv = own.get("uv", "page");
    out.uv = uv == "rect" ? UvReading::Rect : uv == "auto" ? UvReading::Auto : UvReading::Page;
    out.defaultTexture = numberOption<std::uint32_t>(own, "default-tex").value_or(0);
    out.floorPoints = std::min<std::size_t>(numberOption<std::uint32_t>(own, "check-floor").value_or(0), kMostProbes);
    return out;
}

ordered_json position(const Vec3d& p) {
    return {p.x, p.y, p.z};
}

ordered_json floorsOf(const FloorCheck& check) {
    ordered_json out{{"points", check.points}, {"missing", check.missing}, {"largest", check.largest}};
    out["at"] = position(check.at);
    out["histogram"] = ordered_json::array();
    for (std::size_t i = 0; i < check.histogram.size(); ++i) {
        const bool last = i == FloorCheck::kSteps.size();
        out["histogram"].push_back({{"upTo", last ? ordered_json(nullptr) : ordered_json(FloorCheck::kSteps[i])},
                                    {"points", check.histogram[i]}});
    }
    return out;
}

Extras reportOf(const ImportReport& r) {
    ordered_json json{{"tiles", r.tiles},       {"models", r.models},     {"faces", r.faces},
                      {"vertices", r.vertices}, {"polygons", r.polygons}, {"degenerate", r.degenerate},
                      {"outside", r.outside},   {"clamped", r.clamped},   {"uvMisfits", r.uvMisfits},
                      {"wide", r.wide}};
    json["needles"] = ordered_json::array();
    for (const Needle& n : r.needles) {
        json["needles"].push_back({{"tile", n.tile}, {"poly", n.polygon}, {"position", position(n.position)}});
    }
    if (r.floors) json["floorCheck"] = floorsOf(*r.floors);
    return Extras(json);
}

/// --raw TAG=FILE: the payload of a chunk, whatever it holds.
void putRaw(Container& container, const PatchOptions& options, PatchResult& result) {
    std::vector<std::shared_ptr<const InputFile>> files;
    for (const auto& [name, file] : options.files) {
        if (name == "raw") files.push_back(file);
    }
    const auto values = options.format.all("raw");
    for (std::size_t i = 0; i < std::min(values.size(), files.size()); ++i) {
        std::string tag(values[i].substr(0, values[i].find('=')));
        tag.resize(std::max<std::size_t>(tag.size(), 4), ' ');
        Chunk* chunk = findChunk(container, tag);
        if (chunk == nullptr) {
            throw FormatError({Severity::Error, "missing-chunk", std::nullopt, {}, "no chunk " + tag + " to replace"});
        }
        const Bytes bytes = files[i]->bytes();
        const std::string detail =
            std::to_string(chunk->payload.size()) + " -> " + std::to_string(bytes.size()) + " bytes";
        setPayload(container, *chunk, {bytes.begin(), bytes.end()});
        result.changes.push_back({Change::Kind::Replaced, "chunk " + tag, detail});
    }
}

bool hasFaces(const Scene& scene) {
    return std::any_of(scene.meshes.begin(), scene.meshes.end(), [](const Mesh& m) { return !m.primitives.empty(); });
}

/// --page N: the one image given becomes the pixels of a page.
void putPage(Level& level, std::uint32_t number, const Scene& edits, PatchResult& result) {
    if (edits.images.size() != 1 || hasFaces(edits)) {
        throw GeometryError("", "page", "--page takes one PNG and nothing else");
    }
    if (!level.text) throw FormatError({Severity::Error, "missing-chunk", std::nullopt, {}, "no TEXT chunk"});
    importPage(*level.text, number, edits.images[0]);
    setPayload(level.container, *findChunk(level.container, "TEXT"), writeTextures(*level.text));
    const Page& page = level.text->pages[number];
    result.changes.push_back({Change::Kind::Replaced, "page " + std::to_string(number),
                              std::to_string(page.w) + " x " + std::to_string(page.h) + " pixels, " +
                                  std::to_string(page.body.size()) + " bytes"});
}

/// --object N: the meshes become an object model.
void putObject(Level& level, std::uint32_t number, const Scene& edits, const ImportOptions& options,
               PatchResult& result, Defects& defects) {
    const ImportReport report = importObject(level, edits, number, options, defects);
    setPayload(level.container, *findChunk(level.container, "STPC"), writeStpc(*level.stpc));
    result.report = reportOf(report);
    result.changes.push_back(
        {Change::Kind::Replaced, "object " + std::to_string(number),
         std::to_string(report.vertices) + " vertices, " + std::to_string(report.faces) + " faces"});
}

/// Meshes become tiles.
void putTiles(Level& level, const Scene& edits, const PatchOptions& options, const ImportOptions& import,
              PatchResult& result, Defects& defects) {
    const Scene* collision = nullptr;
    for (const auto& [name, scene] : options.scenes) {
        if (name == "coll-obj") collision = scene.get();
    }
    const std::size_t tiles = level.map ? level.map->tiles.size() : 0;
    const ImportReport report = importMesh(level, edits, collision, import, defects);
    setPayload(level.container, *findChunk(level.container, "TRAK"), writeTrak(*level.trak));
    setPayload(level.container, *findChunk(level.container, "MAP "), writeMap(*level.map));
    result.report = reportOf(report);
    if (report.tiles == 0) return;
    result.changes.push_back({import.keepTiles ? Change::Kind::Added : Change::Kind::Replaced, "tiles",
                              std::to_string(tiles) + " -> " + counted(level.map->tiles.size(), "tiles") + ", " +
                                  counted(report.faces, "new faces") + ", " +
                                  counted(report.polygons, "collision polygons")});
}

}  // namespace

PatchResult patch(const Input& base, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                  Defects& defects) {
    PatchResult result;
    const ImportOptions import = importOptions(options);
    const auto page = numberOption<std::uint32_t>(options.format, "page");
    const auto object = numberOption<std::uint32_t>(options.format, "object");
    if (page && object) throw GeometryError("", "page", "--page and --object exclude each other");
    // Without a mesh, not even an empty one, there is nothing to put in: the file is given back as it is.
    if (edits.source.format.empty() && edits.nodes.empty() && options.scenes.empty() && options.format.list().empty()) {
        result.bytes.assign(base.bytes.begin(), base.bytes.end());
        return result;
    }
    Level level = read(base.bytes, reading.recover, defects);
    if (options.format.has("raw")) {
        putRaw(level.container, options, result);
        if (!hasFaces(edits) && !page) {
            result.bytes = writeContainer(level.container);
            return result;
        }
        // What is put in next meets the new chunks.
        Defects again;
        level = read(writeContainer(level.container), reading.recover, again);
    }
    if (page)
        putPage(level, *page, edits, result);
    else if (object)
        putObject(level, *object, edits, import, result, defects);
    else
        putTiles(level, edits, options, import, result, defects);
    result.bytes = writeContainer(level.container);
    return result;
}

}  // namespace geomconv::groove
