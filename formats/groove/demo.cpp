#include "formats/groove/demo.hpp"

#include <algorithm>
#include <cmath>

#include "formats/groove/build.hpp"

namespace geomconv::groove {

namespace {

constexpr std::uint32_t kWidth = 4;  ///< cells along x that ramp and blocks take
constexpr std::uint32_t kDepth = 3;
constexpr std::size_t kRampSquares = 3;
constexpr std::uint8_t kFallMaterial = 0x1e;

/// The textures to show, largest first: pictures, or flat colours where there is no picture.
std::vector<std::uint16_t> texturesBySize(const Textures& text) {
    std::vector<std::uint16_t> out;
    for (const bool flat : {false, true}) {
        for (std::size_t i = 0; i < std::min<std::size_t>(text.textures.size(), UINT16_MAX); ++i) {
            const Texture& t = text.textures[i];
            const bool shown = t.page >= 0 && static_cast<std::size_t>(t.page) < text.pages.size();
            if (t.flat() == flat && (flat || shown)) out.push_back(static_cast<std::uint16_t>(i));
        }
        if (!out.empty()) break;
    }
    const auto area = [&text](std::uint16_t i) {
        const Texture& t = text.textures[i];
        return t.flat() ? 0 : (t.u1 - t.u0 + 1) * (t.v1 - t.v0 + 1);
    };
    std::stable_sort(out.begin(), out.end(), [&](std::uint16_t a, std::uint16_t b) { return area(a) > area(b); });
    return out;
}

/// The model of one piece: squares and triangles, corners in units from the tile's origin, game space.
class Piece {
public:
    explicit Piece(std::uint16_t texture) : texture_(texture) {}

    /// Top left, top right, bottom right, bottom left, seen from outside.
    void square(const std::array<Vec3d, 4>& corners) {
        const std::uint16_t first = vertices(corners);
        const auto v = [first](unsigned k) { return static_cast<std::uint16_t>(first + k); };
        face({v(2), v(3), v(0)}, Face::kQuadHalf);
        face({v(0), v(1), v(2)}, Face::kQuadHalf | Face::kSecondHalf);
    }
    /// Counter-clockwise from outside.
    void triangle(const std::array<Vec3d, 3>& corners) {
        const std::uint16_t first = vertices(corners);
        // Stored order is the other way round.
        face({first, static_cast<std::uint16_t>(first + 2), static_cast<std::uint16_t>(first + 1)}, Face::kQuadHalf);
    }
    /// Top and four sides over the rectangle, each cut into squares one unit wide.
    void block(double x0, double x1, double z0, double z1, double height) {
        for (double x = x0; x < x1; x += 1.0) {
            square({{{x, height, z0}, {x + 1.0, height, z0}, {x + 1.0, height, z1}, {x, height, z1}}});
            square({{{x, height, z1}, {x + 1.0, height, z1}, {x + 1.0, 0.0, z1}, {x, 0.0, z1}}});
            square({{{x + 1.0, height, z0}, {x, height, z0}, {x, 0.0, z0}, {x + 1.0, 0.0, z0}}});
        }
        square({{{x1, height, z1}, {x1, height, z0}, {x1, 0.0, z0}, {x1, 0.0, z1}}});
        square({{{x0, height, z0}, {x0, height, z1}, {x0, 0.0, z1}, {x0, 0.0, z0}}});
    }
    /// Rises along x from 0, with its sides.
    void ramp() {
        for (std::size_t i = 0; i < kRampSquares; ++i) {
            const auto x = static_cast<double>(i);
            const double low = x / static_cast<double>(kRampSquares);
            const double high = (x + 1.0) / static_cast<double>(kRampSquares);
            square({{{x, low, 0.0}, {x + 1.0, high, 0.0}, {x + 1.0, high, 1.0}, {x, low, 1.0}}});
            if (i == 0) {
                triangle({{{0.0, 0.0, 1.0}, {1.0, 0.0, 1.0}, {1.0, high, 1.0}}});
                triangle({{{0.0, 0.0, 0.0}, {1.0, high, 0.0}, {1.0, 0.0, 0.0}}});
                continue;
            }
            square({{{x, low, 1.0}, {x + 1.0, high, 1.0}, {x + 1.0, 0.0, 1.0}, {x, 0.0, 1.0}}});
            square({{{x + 1.0, high, 0.0}, {x, low, 0.0}, {x, 0.0, 0.0}, {x + 1.0, 0.0, 0.0}}});
        }
    }

    Model finish(const std::vector<Texture>& textures) {
        finishModel(model_, {}, textures);
        return std::move(model_);
    }

private:
    template <std::size_t N>
    std::uint16_t vertices(const std::array<Vec3d, N>& corners) {
        const auto first = static_cast<std::uint16_t>(model_.vertices.size());
        const Vec3d around = newellNormal(corners) * (N == 4 ? -1.0 : 1.0);
        const Vec3d n = glm::normalize(around);
        for (const Vec3d& c : corners) {
            model_.vertices.push_back({Vec3(Vec3d(c.x, c.y, -c.z)), Vec3(Vec3d(n.x, n.y, -n.z))});
        }
        return first;
    }
    void face(const std::array<std::uint16_t, 3>& corners, unsigned flags) {
        Face f;
        f.flags = static_cast<std::uint16_t>(flags);
        f.vertices = corners;
        f.texture = texture_;
        model_.faces.push_back(f);
    }

    std::uint16_t texture_;
    Model model_;
};

/// The highest floor in the cells of a rectangle; 0 where there is none.
double highestFloor(const Level& level, std::uint32_t x0, std::uint32_t z0) {
    std::optional<double> highest;
    for (const Tile& tile : level.map->tiles) {
        const Cell cell = cellOf(tile);
        if (cell.x < x0 || cell.x >= x0 + kWidth || cell.z < z0 || cell.z >= z0 + kDepth) continue;
        const Model& model = level.trak->models[tile.model];
        for (std::size_t i = 0; i < model.groups[0] && i < model.polygons.size(); ++i) {
            const CollisionPolygon& p = model.polygons[i];
            if (p.planes[0].ny <= 0 || p.material == kFallMaterial) continue;
            std::vector<Vec3d> corners = polygonCorners(p).corners;
            for (Vec3d& c : corners) c = placed(tile, tileTurn(tile), c);
            for (const Vec3d& c : clippedToCell(corners, cell)) highest = std::max(highest.value_or(c.y), c.y);
        }
    }
    return highest.value_or(0.0);
}

class DemoLevel {
public:
    explicit DemoLevel(const Level& base) {
        level_.text = base.text;
        level_.trak.emplace();
        level_.map.emplace();
        level_.map->w = base.map->w;
        level_.map->h = base.map->h;
        level_.map->zoneGrid.assign(std::size_t{base.map->w} * base.map->h, 0);
        level_.container.fileSize = base.container.fileSize;
    }

    std::uint32_t model(Piece piece) {
        level_.trak->models.push_back(piece.finish(level_.text->textures));
        return static_cast<std::uint32_t>(level_.trak->models.size() - 1);
    }
    void place(std::uint32_t model, std::string name, double x, double y, double z) {
        Tile tile;
        tile.model = tile.modelA = model;
        tile.position = Vec3(Vec3d(x, y, -z));
        tile.x = static_cast<std::int32_t>(std::lround(x * 4096.0));
        tile.y = static_cast<std::int32_t>(std::lround(y * 4096.0));
        tile.z = static_cast<std::int32_t>(std::lround(z * 4096.0));
        tile.colours.colours.assign(level_.trak->models[model].vertices.size(), {0x80, 0x80, 0x80, 0});
        level_.map->tiles.push_back(std::move(tile));
        names_.push_back(std::move(name));
    }
    Scene scene(Defects& defects) const {
        Scene out = toScene(level_, "demo", {}, defects);
        for (std::size_t i = 0; i < std::min(out.nodes.size(), names_.size()); ++i) out.nodes[i].name = names_[i];
        return out;
    }

private:
    Level level_;
    std::vector<std::string> names_;
};

}  // namespace

Scene demoScene(const Level& level, bool plaza, Defects& defects) {
    requireTrak(level);
    const Map& map = requireMap(level);
    if (map.w < kWidth || map.h < kDepth) {
        throw GeometryError(
            "", "grid",
            "a demo takes 4 x 3 cells, the grid has " + std::to_string(map.w) + " x " + std::to_string(map.h));
    }
    const std::vector<std::uint16_t> textures = level.text ? texturesBySize(*level.text) : std::vector<std::uint16_t>();
    if (textures.empty()) throw GeometryError("", "index", "the level has no texture to show");
    const auto texture = [&textures](std::size_t k) { return textures[k % textures.size()]; };

    const std::uint32_t x0 = (map.w - kWidth) / 2;
    const std::uint32_t z0 = (map.h - kDepth) / 2;
    const double ground = plaza ? 0.0 : highestFloor(level, x0, z0);
    DemoLevel demo(level);
    Piece ramp(texture(0));
    ramp.ramp();
    Piece block(texture(1));
    block.block(0.0, 1.0, 0.0, 1.0, 1.0);
    Piece low(texture(2));
    low.block(0.0, 2.0, 0.0, 1.0, 0.5);
    demo.place(demo.model(std::move(ramp)), "ramp", x0, ground, z0);
    demo.place(demo.model(std::move(block)), "block", x0 + 3.0, ground, z0);
    demo.place(demo.model(std::move(low)), "low_block", x0 + 1.0, ground, z0 + 2.0);
    if (plaza) {
        Piece plate(texture(3));
        plate.square({{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}});
        const std::uint32_t model = demo.model(std::move(plate));
        for (std::uint32_t z = 0; z < map.h; ++z) {
            for (std::uint32_t x = 0; x < map.w; ++x) {
                demo.place(model, "plaza_" + std::to_string(x) + '_' + std::to_string(z), x, 0.0, z);
            }
        }
    }
    return demo.scene(defects);
}

}  // namespace geomconv::groove
