#include "formats/groove/import.hpp"

#include <gtest/gtest.h>

#include <set>

#include "formats/groove/floortest.hpp"
#include "lib/scene/transform.hpp"
#include "tests/support/groove_level.hpp"
#include "tests/unit/groove/vectors.hpp"

namespace geomconv::groove {
namespace {

TEST(GrooveImportNames, TexturesAreReadWithTheirBits) {
    EXPECT_EQ(parseTextureName("tex0012")->texture, 12U);
    EXPECT_EQ(parseTextureName("tex0012_f0400")->bits, 0x0400);
    EXPECT_EQ(parseTextureName("tex7_fffff.001")->bits, 0xF7C7) << "UV and batch bits are found anew";
    for (const char* name : {"tex", "text", "tex1x", "tex1_f040", "tex1_f04000", "tex1.", "tex1.0a", "atex1"}) {
        EXPECT_FALSE(parseTextureName(name)) << name;
    }
}

TEST(GrooveImportNames, CollisionIsReadWithGroupAndBits) {
    const auto all = parseCollisionName("mat0x09_grp0_t15.002");
    ASSERT_TRUE(all);
    EXPECT_EQ(all->material, 9);
    EXPECT_EQ(all->group, std::uint8_t{0});
    EXPECT_EQ(all->bits, 0x10);
    EXPECT_EQ(parseCollisionName("mat30")->material, 30);
    EXPECT_FALSE(parseCollisionName("mat30")->group);
    for (const char* name : {"mat", "material7", "mat05_grp3", "mat05_grp0_Plane", "mat256", "mat05_t1", "xmat05"}) {
        EXPECT_FALSE(parseCollisionName(name)) << name;
    }
}

TEST(GrooveImportUv, EveryClassIsFoundAgainUnturned) {
    const Vec4 r(0.25F, 0.5F, 0.75F, 0.625F);
    for (const std::uint16_t flags : std::array<std::uint16_t, 6>{0x0800, 0x0810, 0x0820, 0x0830, 0x0000, 0x0020}) {
        std::array<Vec2d, 3> uvs{};
        const auto corners = uvCorners(flags);
        for (std::size_t k = 0; k < 3; ++k) {
            uvs[k] = Vec2d((corners[k] & 1) != 0 ? r.z : r.x, (corners[k] & 2) != 0 ? r.w : r.y);
        }
        const UvChoice choice = chooseUvFlags(uvs, r);
        EXPECT_EQ(choice.flags, flags);
        EXPECT_EQ(choice.rotation, 0U);
        EXPECT_EQ(choice.distance, 0.0);
        // Turned corners show the same picture.
        const UvChoice turned = chooseUvFlags({uvs[1], uvs[2], uvs[0]}, r);
        EXPECT_LT(turned.distance, 1e-9);
    }
}

/// A level's triangles as text: rounded corners from the smallest on, UVs, colours, material.
std::multiset<std::string> trianglesOf(const Level& level) {
    Defects defects;
    const Scene scene = toScene(level, "level.wad", {}, defects);
    const auto world = worldMatrices(scene);
    std::multiset<std::string> out;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (!scene.nodes[i].mesh) continue;
        for (const Primitive& p : scene.meshes[*scene.nodes[i].mesh].primitives) {
            for (std::size_t t = 0; t < p.indices.size(); t += 3) {
                std::array<std::string, 3> corners;
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t v = p.indices[t + k];
                    const Vec3d at(world[i] * glm::dvec4(Vec3d(p.positions[v]), 1.0));
                    for (int a = 0; a < 3; ++a) corners[k] += std::to_string(std::lround(at[a] * 1000.0)) + ' ';
                    if (!p.uvs.empty()) {
                        for (int a = 0; a < 2; ++a)
                            corners[k] += std::to_string(std::lround(p.uvs[v][a] * 256.0F)) + ' ';
                    }
                    for (int a = 0; a < 3; ++a)
                        corners[k] += std::to_string(std::lround(p.colors[v][a] * 128.0F)) + ' ';
                }
                std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
                out.insert(scene.materials[*p.material].name + ": " + corners[0] + corners[1] + corners[2]);
            }
        }
    }
    return out;
}

Scene sceneOf(const Level& level, Content content) {
    Defects defects;
    SceneOptions options;
    options.content = ContentSet{content};
    return toScene(level, "level.wad", options, defects);
}

TEST(GrooveImport, WhatWasExportedComesBack) {
    for (const auto& bytes : {geomconv::test::sampleLevel(), geomconv::test::largeLevel(6, 4)}) {
        Defects defects;
        const Level base = read(bytes, false, defects);
        const Scene mesh = sceneOf(base, Content::Render);
        const Scene collision = sceneOf(base, Content::Collision);
        Level made = base;
        const ImportReport report = importMesh(made, mesh, &collision, {}, defects);
        EXPECT_EQ(report.uvMisfits, 0U);
        EXPECT_EQ(report.degenerate, 0U);
        const ByteVector file = write(made);
        Defects found;
        const Level again = read(file, false, found);
        check(again, file, false, found);
        for (const Defect& d : found.list()) ADD_FAILURE() << toText(d);
        EXPECT_EQ(trianglesOf(again), trianglesOf(base));
        // The floors are where they were.
        const FloorTest before(base);
        const FloorTest after(again);
        std::size_t compared = 0;
        for (std::int32_t k = 0; k < 2000; ++k) {
            const FloorProbe probe{(k * 7919) % (static_cast<std::int32_t>(base.map->w) * 4096), 4096 + k % 2048,
                                   (k * 104729) % (static_cast<std::int32_t>(base.map->h) * 4096)};
            const FloorResult a = before.probe(probe);
            const FloorResult b = after.probe(probe);
            if (a.outcome != FloorOutcome::Floor || b.outcome != FloorOutcome::Floor) continue;
            if (std::abs(*a.h - *b.h) <= 61) compared += 1;
        }
        EXPECT_GT(compared, 1500U);
    }
}

TEST(GrooveImport, TheSecondImportChangesNothing) {
    Defects defects;
    Level once = read(geomconv::test::largeLevel(5, 3), false, defects);
    const Scene mesh = sceneOf(once, Content::Render);
    const Scene collision = sceneOf(once, Content::Collision);
    importMesh(once, mesh, &collision, {}, defects);
    const ByteVector first = write(once);
    Level twice = read(first, false, defects);
    importMesh(twice, mesh, &collision, {}, defects);
    EXPECT_EQ(write(twice), first);
}

TEST(GrooveImport, KeepingTilesWithoutFacesChangesNothing) {
    for (const auto& v : test::levelVectors()) {
        Defects defects;
        Level level = read(v.bytes, false, defects);
        if (defects.count("outside-grid") > 0) continue;
        ImportOptions options;
        options.keepTiles = true;
        importMesh(level, Scene(), nullptr, options, defects);
        EXPECT_EQ(write(level), v.bytes) << v.path;
    }
}

Scene triangleAt(double x, double y, double z) {
    Scene scene;
    Primitive p;
    p.positions = {Vec3(Vec3d(x, y, z)), Vec3(Vec3d(x, y, z + 0.5)), Vec3(Vec3d(x + 0.5, y, z))};
    p.indices = {0, 1, 2};
    scene.meshes.emplace_back().primitives.push_back(p);
    scene.nodes.emplace_back().mesh = 0;
    scene.nodes[0].name = "spot";
    return scene;
}

std::string ruleOf(const Scene& mesh, const ImportOptions& options) {
    Defects defects;
    Level level = read(geomconv::test::sampleLevel(), false, defects);
    try {
        importMesh(level, mesh, nullptr, options, defects);
    } catch (const GeometryError& error) {
        return error.rule();
    }
    return "";
}

TEST(GrooveImport, RefusesByClass) {
    EXPECT_EQ(ruleOf(Scene(), {}), "empty");
    EXPECT_EQ(ruleOf(triangleAt(20, 0, 2), {}), "grid");
    EXPECT_EQ(ruleOf(triangleAt(9, 0, 2), {}), "") << "up to 2 units outside go into the nearest cell";
    ImportOptions options;
    options.defaultTexture = 99;
    EXPECT_EQ(ruleOf(triangleAt(2, 0, 2), options), "index");
    options = {};
    options.skipOutside = true;
    EXPECT_EQ(ruleOf(triangleAt(20, 0, 2), options), "empty");
    EXPECT_EQ(ruleOf(triangleAt(2, 1e9, 2), {}), "limit");
}

TEST(GrooveImport, HighAndLowPolygonsStandInBandsOfTheirOwn) {
    Defects defects;
    Level level = read(geomconv::test::sampleLevel(), false, defects);
    importMesh(level, triangleAt(2.1, 100.0, 2.1), nullptr, {}, defects);
    ASSERT_EQ(level.map->tiles.size(), 1U);
    EXPECT_EQ(level.map->tiles[0].y, 104 * 4096);
    const FloorTest test(level);
    EXPECT_NEAR(*test.probe(makeProbe(2.2, 100.1, 2.2, {})).h / 4096.0, 100.0, 0.004);
}

}  // namespace
}  // namespace geomconv::groove
