#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "formats/groove/scene_parts.hpp"

namespace geomconv::groove {

namespace {

using nlohmann::ordered_json;

/// Alpha of the blend modes 0 to 4; others are opaque.
float blendAlpha(unsigned mode) {
    constexpr std::array<float, 5> kAlpha{1.0F, 0.5F, 0.75F, 0.5F, 0.25F};
    return mode < kAlpha.size() ? kAlpha[mode] : 1.0F;
}

bool hasTransparency(const Image& image) {
    for (const auto& c : image.palette) {
        if (c[3] == 0) return true;
    }
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
        if (image.rgba[i] == 0) return true;
    }
    return false;
}

std::string materialName(std::uint32_t key) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string name = numbered("tex", key >> 16, 4);
    const std::uint32_t bits = key & 0xFFFF;
    if (bits == 0) return name;
    name += "_f";
    for (const int shift : {12, 8, 4, 0}) name += kDigits[(bits >> shift) & 15];
    return name;
}

/// The pages that have been made images, by number.
struct PageImages {
    struct Entry {
        std::uint32_t image;
        bool transparent;
    };
    std::map<std::size_t, Entry> entries;

    const Entry& get(Scene& scene, const Textures& text, std::size_t page, Defects& defects) {
        const auto known = entries.find(page);
        if (known != entries.end()) return known->second;
        Image image = pageImage(text, page, defects);
        const Entry entry{static_cast<std::uint32_t>(scene.images.size()), hasTransparency(image)};
        scene.images.push_back(std::move(image));
        return entries.emplace(page, entry).first->second;
    }
};

Material materialOf(std::uint32_t key, Scene& scene, const Level& level, PageImages& pages, Defects& defects) {
    Material m;
    m.name = materialName(key);
    m.unlit = true;  // the light is in the vertex colours
    m.doubleSided = (key & Face::kDoubleSided) != 0;
    const std::size_t number = key >> 16;
    if (!level.text || number >= level.text->textures.size()) return m;
    const Texture& t = level.text->textures[number];
    if (t.flat()) {
        m.baseColor = Vec4(t.u0, t.u1, t.v0, 255) / 255.0F;
    } else if (t.page >= 0 && static_cast<std::size_t>(t.page) < level.text->pages.size()) {
        const Page& page = level.text->pages[static_cast<std::size_t>(t.page)];
        if (page.pixelCount() > 0) {
            const auto& entry = pages.get(scene, *level.text, static_cast<std::size_t>(t.page), defects);
            m.image = entry.image;
            if (entry.transparent) m.alphaMode = AlphaMode::Mask;
        }
    }
    m.baseColor.a = blendAlpha(t.blendMode());
    if (m.baseColor.a < 1.0F) m.alphaMode = AlphaMode::Blend;
    return m;
}

/// What a byte of a vertex colour multiplies with.
std::array<float, 256> colourFactors(bool raw) {
    std::array<float, 256> factors{};
    for (std::size_t byte = 0; byte < factors.size(); ++byte) {
        const auto value = static_cast<float>(byte);
        factors[byte] = raw ? value / 255.0F : std::min(value / 128.0F, 1.0F);
    }
    return factors;
}

Vec4 colourOf(const VertexColour& c, const SceneOptions& options) {
    static const std::array<std::array<float, 256>, 2> kFactors{colourFactors(false), colourFactors(true)};
    const auto& factors = kFactors[options.rawColours ? 1 : 0];
    if (options.colourOrder == ColourOrder::Bgr) return {factors[c.c2], factors[c.c1], factors[c.c0], 1.0F};
    return {factors[c.c0], factors[c.c1], factors[c.c2], 1.0F};
}

/// The colours that are shown: the set asked for, or the first.
std::span<const VertexColour> shownColours(const Tile& tile, std::size_t nVerts, std::uint32_t set) {
    const std::span<const VertexColour> all = tile.colours.colours;
    const std::uint32_t number = set >= 1 && set <= tile.colours.sets ? set - 1 : 0;
    return all.subspan(number * nVerts, nVerts);
}

Quat turnOf(const Tile& tile, bool exportSpace) {
    // Half of the turn about y; export space sees it the other way round.
    const double angle = 3.14159265358979323846 * tile.turn() / 4096.0;
    double s = std::sin(angle);
    double c = std::cos(angle);
    if (tile.turn() == 0) s = 0.0, c = 1.0;
    if (tile.turn() == 2048) s = 1.0, c = 0.0;
    return quat(0.0F, static_cast<float>(exportSpace ? -s : s), 0.0F, static_cast<float>(c));
}

Extras tileExtras(const Map& map, const Tile& tile, std::size_t number) {
    const Cell cell = cellOf(tile);
    ordered_json json{{"tile", number}, {"model", tile.model}, {"cell", {cell.x, cell.z}}};
    if (inGrid(map, cell)) json["zone"] = map.zoneGrid[static_cast<std::size_t>(cell.x + cell.z * std::int64_t{map.w})];
    if (tile.animFlag != 0) json["animFlag"] = tile.animFlag;
    if (tile.swap) json["swapModel"] = (*map.swaps)[*tile.swap].modelB;
    return Extras(json);
}

Extras levelExtras(const Level& level) {
    ordered_json json{{"levelFlags", level.levelFlags}};
    if (level.map) {
        json["grid"] = {level.map->w, level.map->h};
        json["zones"] = ordered_json::array();
        for (const Zone& z : level.map->zones) json["zones"].push_back({z.mask, z.waterLevel});
    }
    return Extras(json);
}

/// Vertices alone, for tiles that have no faces.
Mesh pointMesh(const Model& model, std::span<const VertexColour> colours, const SceneOptions& options) {
    Primitive p;
    p.topology = Topology::Points;
    for (std::size_t i = 0; i < model.vertices.size(); ++i) {
        // Vertices are in export space.
        p.positions.push_back(inScene(model.vertices[i].position, !options.exportSpace));
        p.colors.push_back(colourOf(colours[i], options));
    }
    Mesh mesh;
    mesh.primitives.push_back(std::move(p));
    return mesh;
}

/// Meshes of placed models: tiles with the same model and the same colours share one.
class TileMeshes {
public:
    TileMeshes(Scene& scene, const SceneContext& context, const std::vector<Tile>& tiles)
        : scene_(scene), context_(context), uses_(context.level.trak->models.size(), 0) {
        for (const Tile& tile : tiles) ++uses_[tile.model];
    }

    std::optional<std::uint32_t> get(const Tile& tile) {
        const Model& model = context_.level.trak->models[tile.model];
        const bool points = model.faces.empty() && context_.options.emptyTiles && !model.vertices.empty();
        if (model.faces.empty() && !points) return std::nullopt;
        const auto colours = shownColours(tile, model.vertices.size(), context_.options.colourSet);
        const std::string_view bytes(reinterpret_cast<const char*>(colours.data()), colours.size_bytes());
        const auto known = meshes_.find({tile.model, bytes});
        if (known != meshes_.end()) return known->second;

        Mesh mesh = points ? pointMesh(model, colours, context_.options) : meshOf(model, tile.model, colours);
        std::uint32_t& variants = variants_[tile.model];
        mesh.name = numbered("model_", tile.model, 4);
        if (variants > 0) mesh.name += numbered("_c", variants, 1);
        variants += 1;
        const auto number = static_cast<std::uint32_t>(scene_.meshes.size());
        scene_.meshes.push_back(std::move(mesh));
        meshes_.emplace(Key{tile.model, bytes}, number);
        return number;
    }

private:
    using Key = std::pair<std::uint32_t, std::string_view>;

    Mesh meshOf(const Model& model, std::uint32_t number, std::span<const VertexColour> colours) {
        context_.budget.take(model.faces.size());
        Mesh mesh;
        const auto add = [&](ModelPart part) {
            mesh.primitives.push_back(partPrimitive(model, std::move(part), colours, context_));
        };
        if (uses_[number] == 1) {
            for (ModelPart& part : modelParts(model, context_.options.exportSpace)) add(std::move(part));
            return mesh;
        }
        auto parts = parts_.find(number);
        if (parts == parts_.end())
            parts = parts_.emplace(number, modelParts(model, context_.options.exportSpace)).first;
        for (const ModelPart& part : parts->second) add(part);
        return mesh;
    }

    Scene& scene_;
    const SceneContext& context_;
    std::vector<std::uint32_t> uses_;                        ///< tiles of each model
    std::map<std::uint32_t, std::vector<ModelPart>> parts_;  ///< of models that several tiles use
    std::map<std::uint32_t, std::uint32_t> variants_;
    std::map<Key, std::uint32_t> meshes_;
};

}  // namespace

std::string numbered(std::string_view noun, std::uint64_t number, std::size_t digits) {
    std::string text = std::to_string(number);
    if (text.size() < digits) text.insert(0, digits - text.size(), '0');
    return std::string(noun) + text;
}

void PlacementBudget::take(std::uint64_t triangles) {
    if (triangles > left_) {
        throw FormatError("placed-limit", "the tiles show the same models more often than any level can");
    }
    left_ -= triangles;
}

void MaterialTable::use(const Model& model) {
    for (const Face& f : model.faces) indices_.emplace(materialKey(f), 0);
}

void MaterialTable::build(Scene& scene, const Level& level, Defects& defects) {
    PageImages pages;
    for (auto& [key, index] : indices_) {
        index = static_cast<std::uint32_t>(scene.materials.size());
        Material material = materialOf(key, scene, level, pages, defects);
        scene.materials.push_back(std::move(material));
    }
}

std::array<std::uint8_t, 3> uvCorners(std::uint16_t flags) {
    constexpr std::uint8_t kRight = 1;
    constexpr std::uint8_t kBottom = 2;
    const bool mirrored = (flags & Face::kMirror) != 0;
    const std::uint8_t a = mirrored ? 0 : kRight;
    const std::uint8_t b = mirrored ? kRight : 0;
    const auto bottom = [](std::uint8_t side) { return static_cast<std::uint8_t>(side | kBottom); };
    if ((flags & Face::kQuadHalf) == 0) return {bottom(a), bottom(b), a};
    if ((flags & Face::kSecondHalf) == 0) return {bottom(a), bottom(b), b};
    return {b, a, bottom(a)};
}

Vec4 uvRectangle(const Textures& text, const Texture& t, bool byPage) {
    float width = 256.0F;
    float height = 256.0F;
    if (byPage && t.page >= 0 && static_cast<std::size_t>(t.page) < text.pages.size()) {
        const Page& page = text.pages[static_cast<std::size_t>(t.page)];
        width = static_cast<float>(std::max(page.w, 1U));
        height = static_cast<float>(std::max(page.h, 1U));
    }
    return {static_cast<float>(t.u0) / width, static_cast<float>(t.v0) / height, static_cast<float>(t.u1 + 1) / width,
            static_cast<float>(t.v1 + 1) / height};
}

/// Number of each vertex among those that faces show.
static std::vector<std::uint32_t> shownVertices(const Model& model) {
    std::vector<std::uint32_t> numbers(model.vertices.size(), 0);
    for (const Face& face : model.faces) {
        for (const std::uint16_t v : face.vertices) numbers[v] = 1;
    }
    std::exclusive_scan(numbers.begin(), numbers.end(), numbers.begin(), 0U);
    return numbers;
}

std::vector<ModelPart> modelParts(const Model& model, bool exportSpace) {
    constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<ModelPart> parts;
    std::map<std::uint32_t, std::size_t> partOf;
    std::size_t current = 0;  // faces of one material stand together
    for (std::uint32_t i = 0; i < model.faces.size(); ++i) {
        const std::uint32_t key = materialKey(model.faces[i]);
        if (parts.empty() || parts[current].key != key) {
            current = partOf.emplace(key, parts.size()).first->second;
            if (current == parts.size()) parts.push_back({key, {}, {}, {}, {}});
        }
        parts[current].faces.push_back(i);
    }
    const std::vector<std::uint32_t> shown = shownVertices(model);
    // Which vertex of the part a corner became.
    std::vector<std::uint32_t> numbers(model.vertices.size() * 4, kNone);
    const std::array<std::size_t, 3> order =
        exportSpace ? std::array<std::size_t, 3>{0, 1, 2} : std::array<std::size_t, 3>{0, 2, 1};
    for (ModelPart& part : parts) {
        part.indices.reserve(3 * part.faces.size());
        part.corners.reserve(2 * part.faces.size());  // of two triangles that share an edge; more are rare
        part.modelVertices.reserve(2 * part.faces.size());
        for (const std::uint32_t i : part.faces) {
            const Face& face = model.faces[i];
            const auto corners = uvCorners(face.flags);
            for (const std::size_t k : order) {
                const std::uint32_t corner = (std::uint32_t{face.vertices[k]} << 2) | corners[k];
                if (numbers[corner] == kNone) {
                    numbers[corner] = static_cast<std::uint32_t>(part.corners.size());
                    part.corners.push_back(corner);
                    part.modelVertices.push_back(shown[face.vertices[k]]);
                }
                part.indices.push_back(numbers[corner]);
            }
        }
        for (const std::uint32_t corner : part.corners) numbers[corner] = kNone;
    }
    return parts;
}

Primitive partPrimitive(const Model& model, ModelPart part, std::span<const VertexColour> colours,
                        const SceneContext& context) {
    const bool toFile = !context.options.exportSpace;
    const std::size_t n = part.corners.size();
    Primitive p;
    p.material = context.materials.index(part.key);
    p.positions.resize(n);
    p.normals.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vertex& v = model.vertices[part.corners[i] >> 2];
        p.positions[i] = inScene(v.position, toFile);
        p.normals[i] = inScene(v.normal, toFile);
    }
    const std::size_t texture = part.key >> 16;
    const auto& text = context.level.text;
    if (text && texture < text->textures.size() && !text->textures[texture].flat()) {
        const Vec4 r = uvRectangle(*text, text->textures[texture], context.options.uvByPage);
        const std::array<Vec2, 4> rectangle{Vec2(r.x, r.y), Vec2(r.z, r.y), Vec2(r.x, r.w), Vec2(r.z, r.w)};
        p.uvs.resize(n);
        for (std::size_t i = 0; i < n; ++i) p.uvs[i] = rectangle[part.corners[i] & 3];
    }
    if (!colours.empty()) {
        p.colors.resize(n);
        for (std::size_t i = 0; i < n; ++i) p.colors[i] = colourOf(colours[part.corners[i] >> 2], context.options);
    }
    p.indices = std::move(part.indices);
    p.modelVertices = std::move(part.modelVertices);
    p.modelFaces = std::move(part.faces);
    return p;
}

void addTiles(Scene& scene, const SceneContext& context) {
    const Map& map = requireMap(context.level);
    requireTrak(context.level);
    TileMeshes meshes(scene, context, map.tiles);
    scene.nodes.reserve(scene.nodes.size() + map.tiles.size());
    for (std::size_t i = 0; i < map.tiles.size(); ++i) {
        const Tile& tile = map.tiles[i];
        Node node;
        node.name = numbered("tile_", i, 4) + numbered("_m", tile.model, 4);
        node.mesh = meshes.get(tile);
        node.translation = inScene(Vec3(Vec3d(tile.x, tile.y, tile.z) / 4096.0), context.options.exportSpace);
        node.rotation = turnOf(tile, context.options.exportSpace);
        node.content = Content::Render;
        node.extras = tileExtras(map, tile, i);
        scene.nodes.push_back(std::move(node));
    }
}

Scene toScene(const Level& level, std::string_view fileName, const SceneOptions& options, Defects& defects) {
    Scene scene;
    scene.source.format = "groove";
    scene.source.file = std::string(fileName);
    scene.source.extras = levelExtras(level);
    scene.space.up = UpAxis::Y;
    scene.space.handedness = options.exportSpace ? Handedness::Left : Handedness::Right;
    scene.separateContents = true;

    MaterialTable materials;
    const bool render = options.content.has(Content::Render);
    const bool objects = options.content.has(Content::Objects) && level.stpc;
    if (render) {
        const Trak& trak = requireTrak(level);
        std::vector<bool> used(trak.models.size(), false);
        for (const Tile& t : requireMap(level).tiles) used[t.model] = true;
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (used[i]) materials.use(trak.models[i]);
        }
    }
    if (objects) {
        for (const Model& m : level.stpc->objects) materials.use(m);
    }
    materials.build(scene, level, defects);

    PlacementBudget budget(level.container.fileSize);
    const SceneContext context{level, options, materials, budget, defects};
    if (render) addTiles(scene, context);
    if (options.content.has(Content::Collision)) addCollision(scene, context);
    if (objects) addObjects(scene, context);
    if (options.content.has(Content::Helpers)) addHelpers(scene, context);
    return scene;
}

}  // namespace geomconv::groove
