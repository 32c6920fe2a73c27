#include "formats/groove/import.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "formats/groove/demo.hpp"
#include "formats/groove/floortest.hpp"
#include "lib/image/png.hpp"
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

/// A bumpy plate of `side` x `side` quads per cell over the sample's grid, and steps on it.
Scene randomMesh(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto unit = [&random] { return static_cast<double>(random() & 0xFFFF) / 65536.0; };
    const int side = 1 + static_cast<int>(random() % 3);
    const double bumps = unit() * 0.6 / side;
    Scene scene;
    Primitive p;
    const int w = 8 * side;
    const int h = 6 * side;
    for (int z = 0; z <= h; ++z) {
        for (int x = 0; x <= w; ++x) {
            p.positions.emplace_back(Vec3d(x, 0.0, z) / static_cast<double>(side) + Vec3d(0.0, bumps * unit(), 0.0));
        }
    }
    const auto at = [w](int x, int z) { return static_cast<std::uint32_t>(z * (w + 1) + x); };
    for (int z = 0; z < h; ++z) {
        for (int x = 0; x < w; ++x) {
            p.indices.insert(p.indices.end(),
                             {at(x, z), at(x, z + 1), at(x + 1, z), at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)});
        }
    }
    for (int step = 0; step < 12; ++step) {
        const Vec3d corner(unit() * 6.5, 1.0 + step, unit() * 4.5);
        const double wide = 0.4 + unit();
        const auto first = static_cast<std::uint32_t>(p.positions.size());
        for (const Vec3d& d : {Vec3d(0, 0, 0), Vec3d(0, unit() * 0.3, wide), Vec3d(wide, 0, wide), Vec3d(wide, 0, 0)})
            p.positions.emplace_back(corner + d);
        p.indices.insert(p.indices.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
    }
    scene.meshes.emplace_back().primitives.push_back(p);
    scene.nodes.emplace_back().mesh = 0;
    return scene;
}

TEST(GrooveImportProperty, FloorsLieWhereTheMeshLiesAndTheSecondImportIsTheSame) {
    const ByteVector base = geomconv::test::sampleLevel();
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Scene mesh = randomMesh(seed);
        Defects defects;
        Level once = read(base, false, defects);
        ImportOptions options;
        options.floorPoints = 500;
        const ImportReport report = importMesh(once, mesh, nullptr, options, defects);
        ASSERT_TRUE(report.floors);
        EXPECT_GT(report.floors->points, 480U) << seed;
        EXPECT_EQ(report.floors->missing, 0U) << seed;
        // Normals have 7 bits and planes 5 bits of a unit: (1/4 sum of extents + 1/64) / 127, edges likewise.
        EXPECT_LE(report.floors->histogram[4] + report.floors->histogram[5], 5U)
            << seed << ": " << report.floors->largest << " at " << report.floors->at.x << ' ' << report.floors->at.y
            << ' ' << report.floors->at.z;
        const ByteVector first = write(once);
        Defects again;
        Level twice = read(first, false, again);
        importMesh(twice, mesh, nullptr, options, again);
        EXPECT_EQ(write(twice), first) << seed;
        check(read(first, false, again), first, false, again);
        for (const Defect& d : again.list()) EXPECT_EQ(d.kind, "needle") << toText(d);
    }
}

TEST(GrooveFloorCheck, SeesASurfaceThatIsNotThere) {
    Defects defects;
    Level level = read(geomconv::test::sampleLevel(), false, defects);
    importMesh(level, triangleAt(2.1, 1.0, 2.1), nullptr, {}, defects);
    const auto surface = [](double y) { return FloorSurface{{2.1, y, 2.1}, {2.1, y, 2.6}, {2.6, y, 2.1}}; };
    const FloorCheck good = checkFloors(level, {surface(1.0)}, 100);
    EXPECT_EQ(good.points, 100U);
    EXPECT_EQ(good.missing, 0U);
    EXPECT_LT(good.largest, 0.004);
    const FloorCheck high = checkFloors(level, {surface(1.5)}, 100);
    EXPECT_NEAR(high.largest, 0.5, 0.004);
    EXPECT_EQ(high.histogram[4], 100U);
    EXPECT_EQ(checkFloors(level, {surface(0.5)}, 100).missing, 100U);
}

TEST(GrooveDemo, IsImportedWithoutAWarning) {
    std::vector<ByteVector> levels{geomconv::test::sampleLevel(), geomconv::test::largeLevel(6, 2)};
    for (const auto& v : test::levelVectors()) levels.push_back(v.bytes);
    std::size_t made = 0;
    for (const ByteVector& bytes : levels) {
        for (const bool plaza : {false, true}) {
            Defects ignored;
            Level level = read(bytes, false, ignored);
            if (ignored.count("outside-grid") > 0) continue;  // import refuses those
            Scene demo;
            try {
                demo = demoScene(level, plaza, ignored);
            } catch (const GeometryError&) {
                continue;  // a grid too small, or no texture
            }
            Defects defects;
            ImportOptions options;
            options.floorPoints = 200;
            const ImportReport report = importMesh(level, demo, nullptr, options, defects);
            for (const Defect& d : defects.list()) ADD_FAILURE() << toText(d);
            // Beside the ramp the test still finds it, as far as its tolerance goes.
            EXPECT_LE(report.floors->histogram[4] + report.floors->histogram[5], 2U);
            EXPECT_EQ(report.floors->missing, 0U);
            made += 1;
        }
    }
    EXPECT_GE(made, 4U);
}

TEST(GrooveImportPage, KeepsWhatIsNotChangedAndCodesWhatIs) {
    Defects defects;
    const Level base = read(geomconv::test::sampleLevel(), false, defects);
    for (std::size_t i = 0; i < base.text->pages.size(); ++i) {
        Image image;
        image.encoded = encodePng(pageImage(*base.text, i, defects));
        Textures text = *base.text;
        importPage(text, i, image);
        EXPECT_EQ(text, *base.text) << "page " << i;
        Image changed = decodePng(image.encoded);
        const std::array<std::uint8_t, 12> pixels{255, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 0};
        std::copy(pixels.begin(), pixels.end(), changed.rgba.begin());
        importPage(text, i, changed);
        const Pixels now = decodePage(text.pages[i]);
        EXPECT_EQ(now.missing, 0U);
        if (now.words.empty()) continue;
        EXPECT_EQ(now.words[0], 0x801F);
        EXPECT_EQ(now.words[1], 0x8000) << "black is no hole";
        EXPECT_EQ(now.words[2], 0);
        EXPECT_EQ(now.words[3], decodePage(base.text->pages[i]).words[3]);
    }
}

TEST(GrooveImportPage, RefusesOtherSizesAndPages) {
    Defects defects;
    Textures text = *read(geomconv::test::sampleLevel(), false, defects).text;
    Image image;
    image.width = image.height = 2;
    image.rgba.assign(16, 255);
    EXPECT_THROW(importPage(text, 0, image), GeometryError);
    EXPECT_THROW(importPage(text, 99, image), GeometryError);
}

TEST(GrooveImportObject, ReplacesARigidModelAlone) {
    Defects defects;
    const Level base = read(geomconv::test::sampleLevel(), false, defects);
    Level level = base;
    importObject(level, triangleAt(0.25, 0.5, 0.75), 0, {}, defects);
    const ByteVector file = write(level);
    Defects found;
    const Level again = read(file, false, found);
    check(again, file, false, found);
    for (const Defect& d : found.list()) ADD_FAILURE() << toText(d);
    const Model& model = again.stpc->objects[0];
    ASSERT_EQ(model.vertices.size(), 3U);
    EXPECT_EQ(model.nStatic, 3);
    EXPECT_EQ(model.vertices[0].position, Vec3(0.25F, 0.5F, -0.75F));
    EXPECT_EQ(again.stpc->objects[1], base.stpc->objects[1]);
    EXPECT_EQ(again.stpc->behind, base.stpc->behind);
    EXPECT_THROW(importObject(level, triangleAt(0, 0, 0), 1, {}, defects), GeometryError) << "moved by bones";
    EXPECT_THROW(importObject(level, triangleAt(0, 0, 0), 9, {}, defects), GeometryError);
    EXPECT_THROW(importObject(level, Scene(), 0, {}, defects), GeometryError);
}

TEST(GrooveImportObject, TakesTheExportBack) {
    Defects defects;
    const Level base = read(geomconv::test::sampleLevel(), false, defects);
    Level level = base;
    importObject(level, sceneOf(base, Content::Objects), 0, {}, defects);
    const Model& model = level.stpc->objects[0];
    EXPECT_EQ(model.faces.size(), base.stpc->objects[0].faces.size());
    EXPECT_EQ(model.boxCorners, base.stpc->objects[0].boxCorners);
}

TEST(GrooveImportPatch, ReportsWhatWasMadeAndChecked) {
    const ByteVector base = geomconv::test::sampleLevel();
    PatchOptions options;
    options.format.set("check-floor", "50");
    Defects defects;
    const PatchResult result = patch({"a.wad", base, {}, {}}, {}, triangleAt(2.1, 1.0, 2.1), options, defects);
    const auto report = result.report.value();
    const std::vector<std::pair<std::string, int>> expected{
        {"tiles", 1},      {"models", 1},  {"faces", 1},   {"vertices", 3},  {"polygons", 1},
        {"degenerate", 0}, {"outside", 0}, {"clamped", 0}, {"uvMisfits", 0}, {"wide", 0}};
    for (const auto& [key, value] : expected) EXPECT_EQ(report.at(key), value) << key;
    EXPECT_TRUE(report.at("needles").is_array());
    EXPECT_EQ(report.at("floorCheck").at("points"), 50);
    EXPECT_EQ(report.at("floorCheck").at("missing"), 0);
    EXPECT_EQ(report.at("floorCheck").at("histogram").size(), 6U);
    ASSERT_EQ(result.changes.size(), 1U);
    EXPECT_EQ(result.changes[0].name, "tiles");
}

TEST(GrooveImportPatch, RefusesNumbersThatAreNone) {
    const ByteVector base = geomconv::test::sampleLevel();
    for (const char* option : {"default-tex", "page", "object", "check-floor"}) {
        PatchOptions options;
        options.format.set(option, "-1");
        Defects defects;
        EXPECT_THROW(patch({"a.wad", base, {}, {}}, {}, triangleAt(2, 1, 2), options, defects), GeometryError)
            << option;
    }
}

}  // namespace
}  // namespace geomconv::groove
