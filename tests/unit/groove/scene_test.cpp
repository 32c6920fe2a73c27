#include <gtest/gtest.h>

#include <iostream>

#include "lib/scene/transform.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/unit/groove/vectors.hpp"

namespace geomconv::groove {
namespace {

using nlohmann::json;

bool near(double a, double b) {
    return std::abs(a - b) <= 2e-5 + 1e-5 * std::abs(b);
}

bool near(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!near(a[i], b[i])) return false;
    }
    return true;
}

SceneOptions only(Content content) {
    SceneOptions options;
    options.content = ContentSet{content};
    return options;
}

std::string texName(int tex, int flags) {
    char text[32];
    const int bits = flags & 0xF7C7;
    if (bits != 0)
        std::snprintf(text, sizeof text, "tex%04d_f%04x", tex, bits);
    else
        std::snprintf(text, sizeof text, "tex%04d", tex);
    return text;
}

/// A triangle of the scene in world space with the attributes of its corners.
struct Triangle {
    std::string material;
    std::vector<double> xyz, uv, rgb;
    bool used = false;
};

std::vector<Triangle> trianglesOf(const Scene& scene, const Node& node, const Mat4d& world) {
    std::vector<Triangle> out;
    if (!node.mesh) return out;
    for (const Primitive& p : scene.meshes[*node.mesh].primitives) {
        for (std::size_t i = 0; i < p.indices.size(); i += 3) {
            Triangle t;
            t.material = scene.materials[*p.material].name;
            for (std::size_t k = i; k < i + 3; ++k) {
                const std::uint32_t v = p.indices[k];
                const Vec3d at(world * glm::dvec4(Vec3d(p.positions[v]), 1.0));
                t.xyz.insert(t.xyz.end(), {at.x, at.y, at.z});
                if (!p.uvs.empty()) t.uv.insert(t.uv.end(), {p.uvs[v].x, p.uvs[v].y});
                for (int c = 0; c < 3; ++c) t.rgb.push_back(std::round(p.colors[v][c] * 255.0F));
            }
            out.push_back(std::move(t));
        }
    }
    return out;
}

TEST(GrooveScene, ShowsEveryTriangleOfTheVectors) {
    std::size_t compared = 0;
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Defects defects;
        SceneOptions options = only(Content::Render);
        options.rawColours = true;
        const Scene scene = toScene(read(v.bytes, false, defects), "level.wad", options, defects);
        EXPECT_EQ(geomconv::test::sceneFaults(scene), std::vector<std::string>());
        EXPECT_EQ(scene.nodes.size(), v.expected["map"]["n"]);
        const auto world = worldMatrices(scene);
        std::vector<std::vector<Triangle>> tiles;
        std::size_t total = 0;
        Vec3d low(1e9), high(-1e9);
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            tiles.push_back(trianglesOf(scene, scene.nodes[i], world[i]));
            total += tiles.back().size();
            for (const Triangle& t : tiles.back()) {
                for (std::size_t k = 0; k < 9; ++k) {
                    low[static_cast<int>(k % 3)] = std::min(low[static_cast<int>(k % 3)], t.xyz[k]);
                    high[static_cast<int>(k % 3)] = std::max(high[static_cast<int>(k % 3)], t.xyz[k]);
                }
            }
        }
        EXPECT_EQ(total, v.expected["stat"]["faces"]);
        for (int k = 0; k < 3; ++k) {
            EXPECT_TRUE(near(low[k], v.expected["bounds"][0][static_cast<std::size_t>(k)].get<double>()));
            EXPECT_TRUE(near(high[k], v.expected["bounds"][1][static_cast<std::size_t>(k)].get<double>()));
        }
        for (const json& row : v.expected["render"]) {
            const auto xyz = row[4].get<std::vector<double>>();
            const auto uv = row[5].is_null() ? std::vector<double>() : row[5].get<std::vector<double>>();
            const auto rgb = row[6].get<std::vector<double>>();
            const std::string material = texName(row[2], row[3]);
            bool hit = false;
            for (Triangle& t : tiles[row[0]]) {
                if (hit || t.used || t.material != material || !near(t.xyz, xyz) || !near(t.uv, uv) || t.rgb != rgb)
                    continue;
                hit = t.used = true;
            }
            EXPECT_TRUE(hit) << row.dump();
            compared += 1;
        }
    }
    std::cout << "groove: " << compared << " triangles compared\n";
}

TEST(GrooveScene, ExportSpaceIsTheMirrorOfFileSpace) {
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Defects defects;
        const Level level = read(v.bytes, false, defects);
        SceneOptions options = only(Content::Render);
        const Scene file = toScene(level, "level.wad", options, defects);
        options.exportSpace = true;
        const Scene raw = toScene(level, "level.wad", options, defects);
        EXPECT_EQ(raw.space.handedness, Handedness::Left);
        const auto fileWorld = worldMatrices(file);
        const auto rawWorld = worldMatrices(raw);
        for (std::size_t i = 0; i < file.nodes.size(); ++i) {
            const auto a = trianglesOf(file, file.nodes[i], fileWorld[i]);
            const auto b = trianglesOf(raw, raw.nodes[i], rawWorld[i]);
            ASSERT_EQ(a.size(), b.size());
            for (std::size_t t = 0; t < a.size(); ++t) {
                // Corners 0 1 2 there are 0 2 1 here.
                const std::array<std::size_t, 3> turned{0, 2, 1};
                for (std::size_t k = 0; k < 3; ++k) {
                    EXPECT_NEAR(a[t].xyz[3 * k], b[t].xyz[3 * turned[k]], 1e-4);
                    EXPECT_NEAR(a[t].xyz[3 * k + 2], -b[t].xyz[3 * turned[k] + 2], 1e-4);
                }
            }
        }
    }
}

/// The same polygon whatever its first corner.
bool sameRing(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t shift = 0; shift < b.size(); shift += 3) {
        std::vector<double> turned(b.begin() + static_cast<std::ptrdiff_t>(shift), b.end());
        turned.insert(turned.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(shift));
        if (near(a, turned)) return true;
    }
    return false;
}

TEST(GrooveCollision, GivesTheCornersOfTheVectors) {
    std::size_t compared = 0;
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Defects defects;
        const Level level = read(v.bytes, false, defects);
        std::size_t row = 0, all = 0, quads = 0, ill = 0, undefined = 0;
        const std::size_t step = v.expected["collision_step"];
        for (std::size_t t = 0; t < level.map->tiles.size(); ++t) {
            const Tile& tile = level.map->tiles[t];
            const Model& model = level.trak->models[tile.model];
            for (std::size_t p = 0; p < model.polygons.size(); ++p, ++all) {
                const PolygonCorners c = polygonCorners(model.polygons[p]);
                quads += model.polygons[p].type & 1U;
                undefined += c.source == CornerSource::Degenerate ? 1 : 0;
                ill += c.source != CornerSource::Degenerate && c.quality < kIllConditioned ? 1 : 0;
                if (all % step != 0) continue;
                const json& e = v.expected["collision"][row];
                EXPECT_EQ(json({t, p, model.groupOf(p), model.polygons[p].type, model.polygons[p].material}),
                          json({e[0], e[1], e[2], e[3], e[4]}));
                std::vector<double> xyz;
                for (const Vec3d& corner : c.corners) {
                    const Vec3d at = placed(tile, tileTurn(tile), corner);
                    xyz.insert(xyz.end(), {at.x, at.y, at.z});
                }
                const auto wanted = e[5].is_null() ? std::vector<double>() : e[5].get<std::vector<double>>();
                EXPECT_TRUE(xyz == wanted || near(xyz, wanted) || sameRing(xyz, wanted)) << e.dump();
                if (v.expected.contains("collision_how")) {
                    const json& how = v.expected["collision_how"][row];
                    const std::array<const char*, 3> names{"planes", "clip", "degenerate"};
                    EXPECT_EQ(names[static_cast<std::size_t>(c.source)], how[0]);
                    EXPECT_NEAR(c.quality, how[1].get<double>(), 1e-6);
                }
                row += 1;
            }
        }
        compared += row;
        EXPECT_EQ(row, v.expected["collision"].size());
        const json& stat = v.expected["stat"];
        EXPECT_EQ(all, stat["polys"]);
        EXPECT_EQ(quads, stat["quads"]);
        EXPECT_EQ(ill, stat["ill"]);
        EXPECT_EQ(undefined, stat["undefined"]);
    }
    std::cout << "groove: " << compared << " collision polygons compared\n";
}

TEST(GrooveCollision, SceneHoldsEveryPolygonOnceInItsGroup) {
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Defects defects;
        const Level level = read(v.bytes, false, defects);
        const Scene scene = toScene(level, "level.wad", only(Content::Collision), defects);
        EXPECT_EQ(geomconv::test::sceneFaults(scene), std::vector<std::string>());
        std::size_t polygons = 0;
        for (const Mesh& mesh : scene.meshes) {
            const Primitive& p = mesh.primitives.at(0);
            polygons += p.faceSizes.size();
            std::size_t triangles = 0;
            for (const auto n : p.faceSizes) triangles += n - 2;
            EXPECT_EQ(triangles * 3, p.indices.size());
        }
        const json& stat = v.expected["stat"];
        EXPECT_EQ(polygons, stat["polys"].get<std::size_t>() - stat["undefined"].get<std::size_t>());
    }
}

TEST(GrooveCollision, ClipsToTheCellOfTheTile) {
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Defects defects;
        SceneOptions options = only(Content::Collision);
        options.clipCells = true;
        const Level level = read(v.bytes, false, defects);
        const Scene scene = toScene(level, "level.wad", options, defects);
        // Parts of polygons never pass the border of the grid.
        const bool inside = defects.count("outside-grid") == 0;
        for (const Mesh& mesh : scene.meshes) {
            for (const Vec3& p : mesh.primitives.at(0).positions) {
                if (!inside) continue;
                EXPECT_GE(p.x, -1e-4F);
                EXPECT_LE(p.x, static_cast<float>(level.map->w) + 1e-4F);
                EXPECT_GE(p.z, -1e-4F);
                EXPECT_LE(p.z, static_cast<float>(level.map->h) + 1e-4F);
            }
        }
    }
}

TEST(GrooveObjects, StandSideBySideAndSkinsMatchThePose) {
    std::size_t skins = 0, animations = 0;
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Defects defects;
        const Level level = read(v.bytes, false, defects);
        const Scene scene = toScene(level, "level.wad", only(Content::Objects), defects);
        EXPECT_EQ(geomconv::test::sceneFaults(scene), std::vector<std::string>());
        const auto world = worldMatrices(scene);
        double last = -1e9;
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            const Node& node = scene.nodes[i];
            if (!node.mesh) continue;
            double low = 1e9, high = -1e9;
            for (const Primitive& p : scene.meshes[*node.mesh].primitives) {
                for (std::size_t k = 0; k < p.positions.size(); ++k) {
                    const Vec3d at(world[i] * glm::dvec4(Vec3d(p.positions[k]), 1.0));
                    low = std::min(low, at.x);
                    high = std::max(high, at.x);
                    if (!node.skin) continue;
                    const Skin& skin = scene.skins[*node.skin];
                    const std::uint16_t joint = p.influences.at(0).joints[k][0];
                    const Mat4d m = world[skin.joints[joint]] * Mat4d(skin.inverseBindMatrices[joint]);
                    const Vec3d moved(m * glm::dvec4(Vec3d(p.positions[k]), 1.0));
                    EXPECT_NEAR(glm::distance(moved, at), 0.0, 1e-4);
                }
            }
            EXPECT_GE(low, last + (last > -1e8 ? 0.4999 : 0.0));
            last = high;
        }
        skins += scene.skins.size();
        animations += scene.animations.size();
    }
    std::cout << "groove: " << skins << " skins, " << animations << " animations\n";
}

}  // namespace
}  // namespace geomconv::groove
