#include "formats/groove/scene_parts.hpp"

namespace geomconv::groove {

namespace {

/// Material, group and type bits beyond quad and ceiling: what a group of the export is named after.
struct GroupKey {
    std::uint8_t material;
    std::uint8_t group;
    std::uint8_t bits;

    auto operator<=>(const GroupKey&) const = default;
};

/// "mat30_grp0", "mat00_grp1_t10"
std::string groupName(const GroupKey& key) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string name = numbered("mat", key.material, 2) + numbered("_grp", key.group, 1);
    if (key.bits != 0) {
        name += "_t";
        name += kDigits[key.bits >> 4];
        name += kDigits[key.bits & 15];
    }
    return name;
}

/// Floors green, ceilings blue, walls red, each material a shade of its own.
Material groupMaterial(const GroupKey& key) {
    Material m;
    m.name = groupName(key);
    const float shade = 0.45F + 0.5F * static_cast<float>(key.material * 37 % 32) / 31.0F;
    m.baseColor = Vec4(0.2F, 0.2F, 0.2F, 0.5F);
    m.baseColor[key.group == 0 ? 1 : key.group == 1 ? 2 : 0] = shade;
    m.alphaMode = AlphaMode::Blend;
    m.doubleSided = true;
    return m;
}

/// One polygon: counter-clockwise about its normal, its first corner kept whatever the space.
void addPolygon(Primitive& p, const std::vector<Vec3d>& corners, bool exportSpace) {
    const auto first = static_cast<std::uint32_t>(p.positions.size());
    const std::size_t n = corners.size();
    for (std::size_t k = 0; k < n; ++k) {
        const Vec3d& c = corners[exportSpace ? (n - k) % n : k];
        p.positions.push_back(inScene(Vec3(c), exportSpace));
    }
    for (std::uint32_t k = 1; k + 1 < n; ++k) {
        p.indices.insert(p.indices.end(), {first, first + k, first + k + 1});
    }
    p.faceSizes.push_back(static_cast<std::uint32_t>(n));
}

}  // namespace

void addCollision(Scene& scene, const SceneContext& context) {
    const Map& map = requireMap(context.level);
    const std::vector<Model>& models = requireTrak(context.level).models;
    const SceneOptions& options = context.options;
    const double scale = options.nominalScale ? 4064.0 / 4096.0 : 1.0;

    // Models are placed many times; their corners are worked out once.
    std::vector<std::optional<std::vector<PolygonCorners>>> corners(models.size());
    std::map<GroupKey, Primitive> groups;
    std::size_t degenerate = 0;
    for (const Tile& tile : map.tiles) {
        const Model& model = models[tile.model];
        auto& known = corners[tile.model];
        if (!known) {
            known.emplace();
            for (const CollisionPolygon& p : model.polygons) known->push_back(polygonCorners(p));
        }
        context.budget.take(2 * model.polygons.size());
        const SinCos turn = tileTurn(tile);
        for (std::size_t i = 0; i < model.polygons.size(); ++i) {
            std::vector<Vec3d> polygon = (*known)[i].corners;
            if (polygon.empty()) {
                degenerate += 1;
                continue;
            }
            for (Vec3d& c : polygon) c = placed(tile, turn, c * scale);
            if (options.clipCells) polygon = clippedToCell(polygon, cellOf(tile));
            if (polygon.size() < 3) continue;
            const CollisionPolygon& p = model.polygons[i];
            const GroupKey key{
                p.material, static_cast<std::uint8_t>(model.groupOf(i)),
                static_cast<std::uint8_t>(p.type & ~(CollisionPolygon::kQuad | CollisionPolygon::kCeiling))};
            addPolygon(groups[key], polygon, options.exportSpace);
        }
    }
    if (degenerate > 0) {
        context.defects.warn("degenerate", std::nullopt, {{"chunk", "TRAK"}},
                             std::to_string(degenerate) + " placed collision polygons have no area and are left out");
    }

    for (auto& [key, primitive] : groups) {
        primitive.material = static_cast<std::uint32_t>(scene.materials.size());
        scene.materials.push_back(groupMaterial(key));
        Node node;
        node.name = groupName(key);
        node.content = Content::Collision;
        node.mesh = static_cast<std::uint32_t>(scene.meshes.size());
        Mesh mesh;
        mesh.name = groupName(key);
        mesh.primitives.push_back(std::move(primitive));
        scene.meshes.push_back(std::move(mesh));
        scene.nodes.push_back(std::move(node));
    }
}

}  // namespace geomconv::groove
