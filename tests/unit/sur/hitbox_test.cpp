#include "formats/sur/hitbox.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "formats/sur/names.hpp"
#include "lib/bytes/checksum.hpp"
#include "lib/geometry/convex_hull.hpp"
#include "lib/geometry/extent.hpp"
#include "tests/support/check_hull.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::sur {
namespace {

std::uint32_t id(std::string_view name) {
    return *freelancerId(name);
}

/// A scene of meshes, a node each.
class SceneOf {
public:
    std::uint32_t add(const std::string& name, const std::vector<Vec3>& points,
                      const std::vector<Triangle>& triangles = {}, std::optional<std::uint32_t> parent = {}) {
        Primitive primitive;
        primitive.positions = points;
        primitive.topology = triangles.empty() ? Topology::Points : Topology::Triangles;
        for (const Triangle& t : triangles) primitive.indices.insert(primitive.indices.end(), t.begin(), t.end());
        scene.meshes.push_back({name, {primitive}, {}, {}});
        return node(name, parent, static_cast<std::uint32_t>(scene.meshes.size() - 1));
    }
    std::uint32_t addBox(const std::string& name, const Vec3& low, const Vec3& high,
                         std::optional<std::uint32_t> parent = {}) {
        const auto corners = boxCorners({low, high});
        return add(name, {corners.begin(), corners.end()}, {kBoxTriangles.begin(), kBoxTriangles.end()}, parent);
    }
    std::uint32_t node(const std::string& name, std::optional<std::uint32_t> parent = {},
                       std::optional<std::uint32_t> mesh = {}) {
        geomconv::Node node;
        node.name = name;
        node.parent = parent;
        node.mesh = mesh;
        scene.nodes.push_back(node);
        return static_cast<std::uint32_t>(scene.nodes.size() - 1);
    }
    Scene scene;
};

struct Built {
    Library library;
    HitboxReport report;
    Defects defects;
};
Built build(const Scene& scene, const HitboxOptions& options = {}) {
    Built out;
    out.library = buildHitbox(scene, options, out.report, out.defects);
    return out;
}

std::vector<std::uint32_t> hullIds(const Part& part) {
    std::vector<std::uint32_t> out;
    for (const Hull& hull : part.surface->hulls) {
        if (hull.terminal()) out.push_back(hull.id);
    }
    return out;
}

std::string ruleOf(const Scene& scene, const HitboxOptions& options = {}) {
    try {
        build(scene, options);
    } catch (const GeometryError& error) {
        EXPECT_FALSE(error.object().empty());
        EXPECT_FALSE(error.detail().empty());
        return error.rule();
    }
    return "accepted";
}

// ------------------------------------------------------------------------------------------------------- addresses

TEST(Hitbox, MakesOnePartOfIdZeroOfObjectsThatStandAlone) {
    SceneOf made;
    made.addBox("Cube", {0, 0, 0}, {1, 1, 1});
    made.addBox("Cube.001", {3, 0, 0}, {4, 1, 1});
    const Built built = build(made.scene);
    ASSERT_EQ(built.library.parts.size(), 1U);
    const Part& part = built.library.parts[0];
    EXPECT_EQ(part.id, 0U);
    EXPECT_FALSE(part.fixed);
    EXPECT_EQ(hullIds(part), (std::vector<std::uint32_t>{0, 0}));
    ASSERT_EQ(built.report.parts.size(), 1U);
    EXPECT_EQ(built.report.parts[0].hulls, 2U);
    EXPECT_DOUBLE_EQ(built.report.parts[0].volume, 2.0);
}

TEST(Hitbox, ReadsAddressesWithASlash) {
    SceneOf made;
    made.addBox("wing_lt/wing_lt", {0, 0, 0}, {1, 1, 1});
    made.addBox("wing_lt/HpWeapon01", {3, 0, 0}, {4, 1, 1});
    made.addBox("Root/0x1234ABCD#2", {0, 0, 0}, {1, 1, 1});
    made.addBox("0/0", {0, 0, 0}, {1, 1, 1});
    const Built built = build(made.scene, {.hardpoints = {"HpWeapon01"}});
    ASSERT_EQ(built.library.parts.size(), 3U);
    EXPECT_EQ(built.library.parts[0].id, id("wing_lt"));
    EXPECT_EQ(hullIds(built.library.parts[0]), (std::vector<std::uint32_t>{id("wing_lt"), id("HpWeapon01")}));
    EXPECT_EQ(built.library.parts[0].hardpoints, (std::vector<std::uint32_t>{id("HpWeapon01")}));
    EXPECT_EQ(built.library.parts[0].extent->maximum, Vec3(1, 1, 1));
    EXPECT_EQ(hullIds(built.library.parts[1]), (std::vector<std::uint32_t>{0x1234ABCD}));
    EXPECT_EQ(built.library.parts[2].id, 0U);
}

TEST(Hitbox, ReadsAddressesFromTheNodeAbove) {
    SceneOf made;
    const auto wing = made.node("wing_lt.002");
    made.scene.nodes[wing].translation = {100, 0, 0};
    const auto hull = made.addBox("HpWeapon01-convcolonly", {0, 0, 0}, {1, 1, 1}, wing);
    made.scene.nodes[hull].translation = {0, 5, 0};
    const Built built = build(made.scene);
    ASSERT_EQ(built.library.parts.size(), 1U);
    EXPECT_EQ(built.library.parts[0].id, id("wing_lt"));
    EXPECT_EQ(hullIds(built.library.parts[0]), (std::vector<std::uint32_t>{id("HpWeapon01")}));
    EXPECT_EQ(built.library.parts[0].extent->minimum, Vec3(0, 5, 0));  // the part's frame, not the scene's
}

TEST(Hitbox, PutsEverythingInOnePartOnRequest) {
    SceneOf made;
    const auto above = made.node("Scene");
    made.scene.nodes[above].translation = {10, 0, 0};
    made.addBox("Cube", {0, 0, 0}, {1, 1, 1}, above);
    made.addBox("x/HpGun", {0, 0, 0}, {1, 1, 1});
    const Built built = build(made.scene, {.part = "Root", .fixed = true});
    ASSERT_EQ(built.library.parts.size(), 1U);
    EXPECT_EQ(built.library.parts[0].id, id("Root"));
    EXPECT_TRUE(built.library.parts[0].fixed);
    EXPECT_EQ(hullIds(built.library.parts[0]), (std::vector<std::uint32_t>{id("Root"), id("HpGun")}));
    EXPECT_EQ(built.library.parts[0].extent->maximum.x, 11.0F);
}

TEST(Hitbox, MakesAPartOfEachTopObjectOfACompound) {
    SceneOf made;
    const auto body = made.addBox("body", {0, 0, 0}, {1, 1, 1});
    made.addBox("HpGun", {0, 0, 0}, {1, 1, 1}, body);
    made.addBox("tail", {0, 0, 0}, {1, 1, 1});
    const Built built = build(made.scene, {.compound = true});
    ASSERT_EQ(built.library.parts.size(), 2U);
    EXPECT_EQ(hullIds(built.library.parts[0]), (std::vector<std::uint32_t>{id("body"), id("HpGun")}));
    EXPECT_EQ(built.library.parts[1].id, id("tail"));
}

TEST(Hitbox, TurnsTrianglesThatAMirroringNodeTurnedInsideOut) {
    SceneOf made;
    const auto node = made.addBox("Cube", {0, 0, 0}, {1, 2, 3});
    made.scene.nodes[node].scale = {-1, 1, 1};
    for (const HitboxMode mode : {HitboxMode::Hull, HitboxMode::Exact, HitboxMode::Box}) {
        const Built built = build(made.scene, {.mode = mode});
        EXPECT_DOUBLE_EQ(built.report.parts[0].volume, 6.0);
        EXPECT_EQ(built.library.parts[0].extent->minimum.x, -1.0F);
        EXPECT_TRUE(built.defects.empty());
    }
}

// ----------------------------------------------------------------------------------------------------------- models

std::shared_ptr<const ModelParts> ship() {
    ModelParts model;
    model.compound = true;
    const auto part = [&](const std::string& name, std::optional<std::uint32_t> parent, JointKind joint,
                          const Vec3& at) {
        ModelPart& p = model.parts.emplace_back();
        p.name = name;
        p.id = id(name);
        p.parent = parent;
        p.joint = joint;
        p.local[3] = Vec4(at, 1.0F);
    };
    part("Root", {}, JointKind::Root, {0, 0, 0});
    part("wing", 0, JointKind::Fixed, {10, 0, 0});
    part("tip", 1, JointKind::Fixed, {5, 0, 0});
    part("bay_door", 0, JointKind::Revolute, {0, 7, 0});
    model.parts[2].hardpoints.push_back({"HpGun", id("HpGun"), false, {}, Mat3(1.0F)});
    return std::make_shared<const ModelParts>(model);
}

TEST(Hitbox, TakesPartsJointsAndHardpointsFromAModelAndFoldsFixedChildren) {
    SceneOf made;
    made.addBox("bay_door", {0, 0, 0}, {1, 1, 1});
    made.addBox("Root", {0, 0, 0}, {1, 1, 1});
    const auto tip = made.node("tip");
    made.addBox("HpGun", {0, 0, 0}, {1, 1, 1}, tip);
    made.addBox("anything", {0, 2, 0}, {1, 3, 1}, tip);
    HitboxOptions options;
    options.model = ship();
    const Built built = build(made.scene, options);
    ASSERT_EQ(built.library.parts.size(), 3U);
    const Part& root = built.library.parts[0];
    EXPECT_EQ(root.id, id("Root"));
    EXPECT_FALSE(root.fixed);
    EXPECT_EQ(hullIds(root), (std::vector<std::uint32_t>{id("Root"), id("HpGun"), id("tip")}));
    EXPECT_EQ(root.hardpoints, (std::vector<std::uint32_t>{id("HpGun")}));
    EXPECT_EQ(root.extent->maximum.x, 16.0F);  // over the wing, which has no hull of its own
    EXPECT_TRUE(built.library.parts[1].fixed);
    EXPECT_EQ(built.library.parts[2].id, id("bay_door"));
    EXPECT_FALSE(built.library.parts[2].fixed);
    options.fold = false;
    EXPECT_EQ(hullIds(build(made.scene, options).library.parts[0]).size(), 1U);
}

TEST(Hitbox, TakesALeafCalledLikeAPartElsewhereForAHullOfThePartAbove) {
    SceneOf made;  // as Blender leaves it: numbered names, a node per hull
    const auto root = made.node("Root");
    made.addBox("Root.001", {0, 0, 0}, {1, 1, 1}, root);
    made.addBox("wing.002", {10, 0, 0}, {11, 1, 1}, root);
    const auto wing = made.node("wing", root);
    made.scene.nodes[wing].translation = {10, 0, 0};
    made.addBox("wing.001", {0, 0, 0}, {1, 1, 1}, wing);
    HitboxOptions options;
    options.model = ship();
    options.fold = false;
    const Built built = build(made.scene, options);
    ASSERT_EQ(built.library.parts.size(), 2U);
    EXPECT_EQ(hullIds(built.library.parts[0]), (std::vector<std::uint32_t>{id("Root"), id("wing")}));
    EXPECT_EQ(built.library.parts[0].extent->maximum.x, 11.0F);
    EXPECT_EQ(hullIds(built.library.parts[1]), (std::vector<std::uint32_t>{id("wing")}));
    EXPECT_EQ(built.library.parts[1].extent->maximum.x, 1.0F);
}

TEST(Hitbox, BringsTheCoordinatesOfAnObjIntoTheFrameOfTheModelsPart) {
    SceneOf made;
    made.scene.source.format = "obj";
    made.addBox("tip/HpGun", {15, 0, 0}, {16, 1, 1});
    HitboxOptions options;
    options.model = ship();
    EXPECT_EQ(build(made.scene, options).library.parts[0].extent->minimum, Vec3(0, 0, 0));
}

TEST(Hitbox, RefusesAnObjectThatBelongsToNoPartOfTheModel) {
    SceneOf made;
    made.addBox("stranger", {0, 0, 0}, {1, 1, 1});
    HitboxOptions options;
    options.model = ship();
    EXPECT_EQ(ruleOf(made.scene, options), "unknown-part");
}

// ------------------------------------------------------------------------------------------------------------ modes

TEST(Hitbox, MakesHullsOfBarePoints) {
    SceneOf made;
    const auto corners = boxCorners({{0, 0, 0}, {1, 1, 1}});
    std::vector<Vec3> cloud(corners.begin(), corners.end());
    cloud.emplace_back(0.5F, 0.5F, 0.5F);
    made.add("cloud", cloud);
    const Built built = build(made.scene);
    EXPECT_EQ(built.report.parts[0].points, 8U);
    EXPECT_EQ(ruleOf(made.scene, {.mode = HitboxMode::Exact}), "open-edge");
}

TEST(Hitbox, KeepsTrianglesAndPointOrderOfWhatAlreadyIsItsHull) {
    SceneOf made;
    made.addBox("Cube", {0, 0, 0}, {1, 1, 1});
    const Part part = build(made.scene).library.parts[0];
    EXPECT_EQ(terminalHulls(part)[0].triangles, (std::vector<Triangle>{kBoxTriangles.begin(), kBoxTriangles.end()}));
}

TEST(Hitbox, RefusesWithObjectRuleValueAndLimit) {
    const auto corners = boxCorners({{0, 0, 0}, {1, 1, 1}});
    const std::vector<Vec3> points(corners.begin(), corners.end());
    const std::vector<Triangle> triangles(kBoxTriangles.begin(), kBoxTriangles.end());
    const auto rule = [](const std::vector<Vec3>& p, const std::vector<Triangle>& t, HitboxMode mode) {
        SceneOf made;
        made.add("thing", p, t);
        return ruleOf(made.scene, {.mode = mode});
    };
    std::vector<Triangle> open = triangles;
    open.pop_back();
    EXPECT_EQ(rule(points, open, HitboxMode::Exact), "open-edge");
    EXPECT_EQ(rule(points, open, HitboxMode::Hull), "accepted");
    std::vector<Vec3> dented = points;
    dented[7] = {0.4F, 0.4F, 0.4F};
    EXPECT_EQ(rule(dented, triangles, HitboxMode::Exact), "not-convex");
    EXPECT_EQ(rule({{0, 0, 0}, {1, 0, 0}}, {}, HitboxMode::Hull), "too-few-points");
    EXPECT_EQ(rule({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {}, HitboxMode::Hull), "too-few-points");
    EXPECT_EQ(rule({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}, HitboxMode::Hull), "accepted");
    EXPECT_EQ(rule({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {}, HitboxMode::Hull), "coplanar");
    EXPECT_EQ(rule({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {}, HitboxMode::Hull), "coplanar");
    EXPECT_EQ(rule({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, {}, HitboxMode::Hull), "coplanar");
    EXPECT_EQ(rule({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {}, HitboxMode::Box), "coplanar");
    EXPECT_EQ(rule({{0, 0, 0}, {1, 0, 0}, {0, std::nanf(""), 0}, {1, 1, 0}}, {}, HitboxMode::Hull), "nonfinite");
    EXPECT_EQ(rule({{0, 0, 0}, {2e6F, 0, 0}, {0, 1, 0}, {1, 1, 3}}, {}, HitboxMode::Hull), "coordinate-range");
    EXPECT_EQ(rule(points, open, HitboxMode::Decompose), "open-edge");
    EXPECT_EQ(rule(points, triangles, HitboxMode::Decompose), "accepted");
    EXPECT_EQ(ruleOf(Scene{}), "no-objects");
    SceneOf named;
    named.add("\xE4\xB8\x96/x", points, triangles);  // a character outside windows-1252
    EXPECT_EQ(ruleOf(named.scene), "name");
}

TEST(Hitbox, RefusesAnExactHullOverTheLimitsAndSimplifiesOneInHullMode) {
    std::mt19937 random(3);
    std::normal_distribution<double> gauss;
    std::vector<Vec3> sphere(6000);
    for (Vec3& p : sphere) p = Vec3(10.0 * glm::normalize(Vec3d(gauss(random), gauss(random), gauss(random))));
    const ConvexHull hull = convexHull(sphere);
    SceneOf made;
    std::vector<Vec3> points;
    for (const std::uint32_t i : hull.indices) points.push_back(sphere[i]);
    made.add("ball", points, hull.triangles);
    made.add("ball2", points, hull.triangles);
    EXPECT_EQ(ruleOf(made.scene, {.mode = HitboxMode::Exact}), "too-many-faces");
    const Built built = build(made.scene);
    EXPECT_EQ(built.library.parts[0].surface->hulls[0].faces.size(), kMaxFaces);
    EXPECT_EQ(built.defects.count("simplified"), 1U);  // said once
    EXPECT_EQ(built.defects.count("many-faces"), 1U);
    const Built small = build(made.scene, {.maxPoints = 24});
    EXPECT_EQ(small.report.parts[0].points, 24U);  // both balls share them
    Defects none;
    const auto parts = planHitbox(made.scene, {.forLibrary = false}, none);
    EXPECT_EQ(parts[0].hulls[0].points.size(), points.size());  // no limit for other formats
}

TEST(Hitbox, TurnsAnInsideOutObjectAndSaysSo) {
    SceneOf made;
    const auto corners = boxCorners({{0, 0, 0}, {1, 1, 1}});
    std::vector<Triangle> inward(kBoxTriangles.begin(), kBoxTriangles.end());
    for (Triangle& t : inward) std::swap(t[0], t[1]);
    made.add("Cube", {corners.begin(), corners.end()}, inward);
    const Built built = build(made.scene, {.mode = HitboxMode::Exact});
    EXPECT_EQ(built.defects.count("inside-out"), 1U);
    EXPECT_DOUBLE_EQ(built.report.parts[0].volume, 1.0);
}

TEST(Hitbox, WarnsOfHullsWithinACentimetreAndOfMissingHardpointHulls) {
    SceneOf made;
    made.addBox("speck", {0, 0, 0}, {0.004F, 0.004F, 0.004F});
    const Built built = build(made.scene, {.hardpoints = {"HpMount"}});
    EXPECT_EQ(built.defects.count("tiny-hull"), 1U);
    EXPECT_EQ(built.defects.count("no-hardpoint-hull"), 1U);
    EXPECT_TRUE(built.library.parts[0].hardpoints.empty());
}

TEST(Hitbox, TakesBoxesGivenAsNumbers) {
    HitboxOptions options;
    options.part = "Root";
    options.boxes = {{"", {{-2, -1, -6}, {2, 1, 6}}}};
    const Built built = build(Scene{}, options);
    EXPECT_EQ(hullIds(built.library.parts[0]), (std::vector<std::uint32_t>{id("Root")}));
    EXPECT_EQ(built.library.parts[0].extent, (Extent{{-2, -1, -6}, {2, 1, 6}}));
}

TEST(Hitbox, TakesMassFromAnotherMesh) {
    SceneOf mesh;
    mesh.addBox("heavy", {0, 0, 0}, {2, 2, 2});
    const MassOverrides mass = massFromScene(mesh.scene);
    EXPECT_EQ(*mass.massCenter, Vec3(1, 1, 1));
    EXPECT_NEAR(mass.rotationInertia->x, 0.4714045F, 1e-6F);
    SceneOf open;
    open.add("sheet", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
    EXPECT_THROW(massFromScene(open.scene), GeometryError);
}

TEST(Hitbox, GivesASceneThatMakesTheSameLibrary) {
    SceneOf made;
    made.addBox("wing_lt/wing_lt", {0, 0, 0}, {1, 1, 1});
    made.addBox("wing_lt/HpWeapon01", {3, 0, 0}, {4, 1, 1});
    made.addBox("wing_lt/HpWeapon01.001", {5, 0, 0}, {6, 1, 1});
    made.addBox("Cube", {3, 0, 0}, {4, 1, 1});
    made.addBox("Cube.001", {5, 0, 0}, {6, 1, 1});
    HitboxReport report;
    Defects defects;
    HitboxOptions options;
    const Scene scene = hitboxScene(planHitbox(made.scene, options, defects), options, report);
    EXPECT_TRUE(test::sceneFaults(scene).empty());
    EXPECT_EQ(write(build(scene).library), write(build(made.scene).library));
}

// ------------------------------------------------------------------------------------------------------- rebuilding

TEST(Hitbox, RebuildsALibraryToItself) {
    SceneOf made;
    made.addBox("wing_lt/wing_lt", {0, 0, 0}, {1, 1, 1});
    made.addBox("wing_lt/HpWeapon01", {3, 0, 0}, {4, 1, 1});
    const Library library = build(made.scene, {.hardpoints = {"HpWeapon01"}}).library;
    HitboxReport report;
    Defects defects;
    EXPECT_EQ(rebuildLibrary(library, {}, report, defects), library);
    ASSERT_EQ(report.changes.size(), 1U);
    EXPECT_EQ(report.changes[0].kind, Change::Kind::Kept);
    EXPECT_EQ(report.changes[0].detail, "nothing changed");
}

/// Four points in a plane, wound like a tetrahedron pressed flat: closed, and without volume.
HullGeometry flatHull(std::uint32_t hullId) {
    return {hullId, "", {{0, 0, 3}, {2, 0, 3}, {2, 1, 3}, {0, 1, 3}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
}

TEST(Hitbox, KeepsClosedFlatHulls) {
    // Hulls of original files are so; one that is not closed cannot be told from a drawing and is refused.
    Defects defects;
    Library library;
    library.parts.push_back(createPart(0, std::vector{flatHull(0)}, {}, defects));
    HitboxReport report;
    EXPECT_EQ(rebuildLibrary(library, {}, report, defects), library);
    EXPECT_TRUE(defects.empty());
    SceneOf made;
    const HullGeometry flat = flatHull(0);
    made.add("0/0", flat.points, flat.triangles);
    for (const HitboxMode mode : {HitboxMode::Hull, HitboxMode::Exact}) {
        const Built built = build(made.scene, {.mode = mode});
        EXPECT_EQ(built.library.parts[0].surface->hulls, library.parts[0].surface->hulls);
    }
    SceneOf open;
    open.add("0/0", flat.points, {{0, 1, 2}, {0, 2, 3}});
    EXPECT_EQ(ruleOf(open.scene), "coplanar");
    // Beside a solid hull it counts for the tree and not for the mass.
    SceneOf both;
    both.add("0/0", flat.points, flat.triangles);
    both.addBox("0/a", {0, 0, 0}, {1, 1, 1});
    const Built two = build(both.scene);
    EXPECT_EQ(two.library.parts[0].surface->massCenter, Vec3(0.5F, 0.5F, 0.5F));
    EXPECT_EQ(two.library.parts[0].surface->nodes.size(), 3U);
}

TEST(Hitbox, CountsTheNodesOfTheRebuiltTree) {
    SceneOf made;
    made.addBox("a/a", {0, 0, 0}, {1, 1, 1});
    made.addBox("a/b", {2, 0, 0}, {3, 1, 1});
    Library library = build(made.scene).library;
    Surface& surface = *library.parts[0].surface;
    // A second leaf on the first hull: a node more than a rebuilt tree has.
    surface.nodes.insert(surface.nodes.begin() + 2, {surface.nodes[1], surface.nodes[1]});
    surface.nodes[1].right = 3;
    surface.nodes[1].hull.reset();
    surface.nodes[0].right = 4;
    HitboxReport report;
    Defects defects;
    rebuildLibrary(library, {}, report, defects);
    EXPECT_NE(report.changes[0].detail.find("3 of 3 nodes bounded anew"), std::string::npos)
        << report.changes[0].detail;
}

TEST(Hitbox, ScalesWhatItReads) {
    SceneOf made;
    made.addBox("a/a", {1, 0, 0}, {2, 1, 1});
    made.addBox("a/b", {3, 0, 0}, {4, 1, 1});
    SceneOf large;
    large.addBox("a/a", {3, 0, 0}, {6, 3, 3});
    large.addBox("a/b", {9, 0, 0}, {12, 3, 3});
    const Library expected = build(large.scene).library;
    EXPECT_EQ(build(made.scene, {.scale = 3.0}).library, expected);
    // A library that is built anew, and one that is converted.
    const Library library = build(made.scene).library;
    HitboxReport report;
    Defects defects;
    EXPECT_EQ(rebuildLibrary(library, {.scale = 3.0}, report, defects), expected);
    ReadOptions reading;
    reading.wayBack = true;
    const Scene scene = toScene(library, reading, defects);
    const Library converted = fromScene(scene, defects, 3.0);
    EXPECT_EQ(converted.parts[0].surface->nodes, expected.parts[0].surface->nodes);
    EXPECT_EQ(converted.parts[0].surface->points, expected.parts[0].surface->points);
    EXPECT_EQ(converted.parts[0].extent, expected.parts[0].extent);
    // Kept header values grow with it: lengths by the scale, moments by its square.
    Library typed = library;
    typed.parts[0].surface->massCenter = {1, 2, 3};
    typed.parts[0].surface->radius = 10.0F;
    typed.parts[0].surface->rotationInertia = {1, 1, 1};
    const Library kept = rebuildLibrary(typed, {.keepMass = true, .scale = 3.0}, report, defects);
    EXPECT_EQ(kept.parts[0].surface->massCenter, Vec3(3.0F, 6.0F, 9.0F));
    EXPECT_EQ(kept.parts[0].surface->radius, 30.0F);
    EXPECT_EQ(kept.parts[0].surface->rotationInertia, Vec3(9.0F));
}

TEST(Hitbox, AMirroringScaleTurnsTheTriangles) {
    SceneOf made;
    made.addBox("a/a", {1, 0, 0}, {2, 1, 1});
    const Library library = build(made.scene).library;
    HitboxReport report;
    Defects defects;
    const Library mirrored = rebuildLibrary(library, {.scale = -1.0}, report, defects);
    EXPECT_EQ(report.changes[0].detail.find("built anew from its points"), std::string::npos);
    EXPECT_EQ(mirrored.parts[0].extent->minimum, Vec3(-2.0F, -1.0F, -1.0F));
    check(mirrored, defects);
    ReadOptions reading;
    reading.wayBack = true;
    check(fromScene(toScene(library, reading, defects), defects, -1.0), defects);
    EXPECT_TRUE(defects.empty()) << toText(defects.list().front());
}

TEST(Hitbox, PlacesAScaledObjInAModelOfThatSize) {
    auto parts = std::make_shared<ModelParts>();
    parts->compound = true;
    ModelPart root;
    root.name = "Root";
    root.id = id("Root");
    parts->parts.push_back(root);
    ModelPart wing;
    wing.name = "wing_lt";
    wing.id = id("wing_lt");
    wing.parent = 0;
    wing.joint = JointKind::Revolute;
    wing.local[3] = Vec4(10.0F, 0.0F, 0.0F, 1.0F);
    parts->parts.push_back(wing);
    SceneOf made;
    made.scene.source.format = "obj";
    made.addBox("wing_lt/wing_lt", {5, 0, 0}, {6, 1, 1});
    const Library library = build(made.scene, {.model = parts, .scale = 2.0}).library;
    EXPECT_EQ(library.parts[0].extent->minimum, Vec3(0.0F, 0.0F, 0.0F));
    EXPECT_EQ(library.parts[0].extent->maximum, Vec3(2.0F, 2.0F, 2.0F));
}

TEST(Hitbox, RepairsWhatLetsShotsPass) {
    SceneOf made;
    for (int i = 0; i < 6; ++i) {
        const auto x = static_cast<float>(3 * i);
        made.addBox("a/a", {x, 0, 0}, {x + 1, 1, 1});
    }
    const Library good = build(made.scene).library;
    Library bad = good;
    Surface& surface = *bad.parts[0].surface;
    for (Node& node : surface.nodes) {
        for (std::uint8_t& size : node.boxSizes) --size;
    }
    surface.massCenter = {0, 0, 0};
    surface.radius = 99.0F;
    bad.parts[0].extent->minimum.x = -5.0F;
    HitboxReport report;
    Defects defects;
    EXPECT_EQ(rebuildLibrary(bad, {}, report, defects), good);
    EXPECT_NE(report.changes[0].detail.find("11 of 11 nodes"), std::string::npos) << report.changes[0].detail;
    const Library kept = rebuildLibrary(bad, {.keepMass = true}, report, defects);
    EXPECT_EQ(kept.parts[0].surface->radius, 99.0F);
    EXPECT_EQ(kept.parts[0].surface->nodes, good.parts[0].surface->nodes);
}

/// The box of a node as a reader decodes it, and whether a point is in it but for the rounding of centre and radius.
Extent decoded(const Node& node) {
    Extent out;
    for (int k = 0; k < 3; ++k) {
        const double half = node.boxSizes[static_cast<std::size_t>(k)] * kStep * static_cast<double>(node.radius);
        out.minimum[k] = static_cast<float>(static_cast<double>(node.center[k]) - half);
        out.maximum[k] = static_cast<float>(static_cast<double>(node.center[k]) + half);
    }
    return out;
}
bool holds(const Node& node, const Vec3& p) {
    const Extent box = decoded(node);
    const float slack = 1e-6F * (glm::length(node.center) + node.radius);
    for (int k = 0; k < 3; ++k) {
        if (p[k] < box.minimum[k] - slack || p[k] > box.maximum[k] + slack) return false;
    }
    return true;
}
/// Pre-order: a node's descendants follow it up to the end of its right subtree.
bool isBelow(const Surface& surface, std::size_t ancestor, std::size_t node) {
    std::size_t last = ancestor;
    while (surface.nodes[last].right) last = *surface.nodes[last].right;
    return node > ancestor && node <= last;
}

/// Every rule that a built part must keep, told by figures made here and by the checker of the format.
std::vector<std::string> partFaults(const Part& part) {
    std::vector<std::string> out;
    const Surface& surface = *part.surface;
    const Library library{{part}};
    const ByteVector bytes = write(library);
    Defects defects;
    if (read(bytes, defects) != library) out.emplace_back("read gives another document");
    check(library, defects);
    // Said of sound parts too: a large part that takes the fallback, boxes asked for on inner nodes, a list of
    // hardpoints that is the caller's, points that hulls of several ids share.
    static const std::set<std::string> kHarmless{"mass-fallback", "wrap-below-root", "hardpoint-without-hull",
                                                 "client-data"};
    for (const Defect& defect : defects.list()) {
        if (!kHarmless.contains(defect.kind)) out.push_back(toText(defect));
    }
    for (std::size_t leaf = 0; leaf < surface.nodes.size(); ++leaf) {
        if (!surface.nodes[leaf].leaf()) continue;
        const Extent box = decoded(surface.nodes[leaf]);
        std::vector<Vec3> points(2);
        points[0] = box.minimum;
        points[1] = box.maximum;
        for (const Face& face : surface.hulls[*surface.nodes[leaf].hull].faces) {
            for (const std::uint16_t corner : face.points) {
                points.push_back(surface.points[corner].position);
                if (!holds(surface.nodes[leaf], points.back()))
                    out.push_back("leaf " + std::to_string(leaf) + " does not hold its hull");
            }
        }
        // Whatever lies below a node: the boxes of the leaves and the points of their hulls.
        for (std::size_t n = 0; n < leaf; ++n) {
            if (!isBelow(surface, n, leaf)) continue;
            for (const Vec3& p : points) {
                if (!holds(surface.nodes[n], p))
                    out.push_back("node " + std::to_string(n) + " does not hold leaf " + std::to_string(leaf));
            }
        }
    }
    return out;
}

/// A part of random hulls: blobs, boxes, needles, flat ones, touching and coincident ones.
std::vector<HullGeometry> randomHulls(std::mt19937& random) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::uniform_int_distribution<int> count(1, 12);
    std::uniform_int_distribution<int> kind(0, 5);
    const double size = std::pow(10.0, unit(random) + 0.5);
    std::vector<HullGeometry> out;
    const int hulls = count(random);
    while (static_cast<int>(out.size()) < hulls) {
        HullGeometry hull;
        hull.id = static_cast<std::uint32_t>(kind(random) < 3 ? 7 : 7 + out.size());
        const Vec3d center =
            kind(random) == 0 ? Vec3d(0.0) : Vec3d(unit(random), unit(random), unit(random)) * 10.0 * size;
        const int shape = kind(random);
        if (shape == 0) {
            const Vec3 low(Vec3d(std::floor(center.x), std::floor(center.y), std::floor(center.z)));
            const auto corners = boxCorners({low, low + Vec3(static_cast<float>(count(random)), 2.0F, 1.0F)});
            hull.points.assign(corners.begin(), corners.end());
            hull.triangles.assign(kBoxTriangles.begin(), kBoxTriangles.end());
        } else if (shape == 1) {
            for (int i = 0; i < 3; ++i)
                hull.points.emplace_back(center + Vec3d(unit(random), unit(random), unit(random)) * size);
            hull.triangles = {{0, 1, 2}, {0, 2, 1}};
        } else {
            const Vec3d axes = Vec3d(1.0, shape == 2 ? 0.05 : 0.7, 0.9) * size;
            std::vector<Vec3> cloud;
            for (int i = 0; i < 4 + 3 * count(random); ++i)
                cloud.emplace_back(center + Vec3d(unit(random), unit(random), unit(random)) * axes);
            const ConvexHull made = convexHull(cloud);
            if (made.shape != HullShape::Solid) continue;
            for (const std::uint32_t i : made.indices) hull.points.push_back(cloud[i]);
            hull.triangles = made.triangles;
        }
        out.push_back(std::move(hull));
    }
    return out;
}

TEST(Hitbox, RandomPartsKeepEveryRule) {
    const char* wanted = std::getenv("GEOMCONV_PROPERTY_COUNT");
    const int rounds = wanted != nullptr ? std::atoi(wanted) : 3000;
    const std::uint32_t seed = 20240701;
    const char* keep = std::getenv("GEOMCONV_PROPERTY_KEEP");  // a folder for a sample of the files
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
        std::mt19937 random(seed + static_cast<std::uint32_t>(round));
        BuildOptions options;
        options.fixed = round % 2 == 0;
        options.tree = round % 5 == 0 ? Tree::Pairs : Tree::Ivp;
        options.bounds = round % 7 == 0 ? Bounds::Box : round % 7 == 1 ? Bounds::None : Bounds::Wrap;
        options.key = round % 11 == 0 ? PointKey::Position : PointKey::PositionAndId;
        if (round % 3 == 0) options.hardpoints = {9};
        const std::vector<HullGeometry> hulls = randomHulls(random);
        Defects defects;
        Part part;
        try {
            part = createPart(static_cast<std::uint32_t>(random()), hulls, options, defects);
        } catch (const GeometryError& error) {
            ASSERT_EQ(error.rule(), "no-pierce") << error.what();
            ++refused;
            continue;
        }
        const auto faults = partFaults(part);
        ASSERT_TRUE(faults.empty()) << faults.front() << "\nseed " << seed << " round " << round;
        HitboxReport report;
        HitboxOptions same;
        same.tree = options.tree;
        same.bounds = options.bounds;
        if (options.key == PointKey::PositionAndId) {
            const Library library{{part}};
            ASSERT_EQ(rebuildLibrary(library, same, report, defects), library) << "seed " << seed << " round " << round;
        }
        if (keep != nullptr && round % std::max(1, rounds / 200) == 0) {
            test::writeFile(std::filesystem::path(keep) / (std::to_string(round) + ".sur"), write({{part}}));
        }
    }
    std::printf("%d random parts from seed %u, %d refused for a needle without a pierce face\n", rounds, seed, refused);
    EXPECT_LT(refused, rounds / 20 + 1);
}

TEST(Hitbox, RebuildsEveryRealFile) {
    const auto shared = test::sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    std::size_t files = 0;
    std::size_t parts = 0;
    std::size_t hulls = 0;
    std::size_t fewer = 0;
    std::size_t flat = 0;
    for (const auto& path : test::filesIn(*shared / "corpus" / "sur", ".sur", true)) {
        SCOPED_TRACE(path.filename().string());
        Defects defects;
        const Library library = read(test::readFile(path), defects);
        ++files;
        // Each hull from its own points.
        for (const Part& part : library.parts) {
            for (const HullGeometry& hull : terminalHulls(part)) {
                ++hulls;
                const ConvexHull made = convexHull(hull.points);
                if (made.shape != HullShape::Solid) {
                    ++flat;
                    continue;
                }
                std::vector<Vec3> points;
                for (const std::uint32_t i : made.indices) points.push_back(hull.points[i]);
                const auto faults = test::hullFaults(points, made.triangles, hull.points, made.epsilon * 1.0001);
                EXPECT_TRUE(faults.empty()) << faults.front();
                EXPECT_LE(points.size(), hull.points.size());
                if (points.size() < hull.points.size()) ++fewer;
            }
        }
        // The whole file.
        HitboxReport report;
        const Library rebuilt = rebuildLibrary(library, {}, report, defects);
        ASSERT_EQ(rebuilt.parts.size(), library.parts.size());
        for (std::size_t p = 0; p < rebuilt.parts.size(); ++p) {
            ++parts;
            EXPECT_EQ(rebuilt.parts[p].id, library.parts[p].id);
            EXPECT_EQ(rebuilt.parts[p].fixed, library.parts[p].fixed);
            EXPECT_EQ(rebuilt.parts[p].hardpoints, library.parts[p].hardpoints);
            if (report.changes[p].detail == "no hull that can be built") continue;
            for (const std::string& fault : partFaults(rebuilt.parts[p])) ADD_FAILURE() << fault;
        }
        HitboxReport again;
        EXPECT_EQ(rebuildLibrary(rebuilt, {}, again, defects), rebuilt);
    }
    std::printf("%zu real files, %zu parts rebuilt; of %zu hulls %zu flat, %zu with fewer points than the file\n",
                files, parts, hulls, flat, fewer);
}

TEST(Hitbox, PassesTheSecondReader) {
    const auto shared = test::sharedDir();
    if (!shared || std::system("python3 --version > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "no shared folder or no python3";
    const test::TemporaryFolder folder;
    std::mt19937 random(77);
    int written = 0;
    for (int round = 0; written < 25; ++round) {
        BuildOptions options;
        options.fixed = true;
        Defects defects;
        try {
            const Part part = createPart(7, randomHulls(random), options, defects);
            test::writeFile(folder / (std::to_string(written) + ".sur"), write({{part}}));
            ++written;
        } catch (const GeometryError&) {
            continue;
        }
    }
    const std::string command = "python3 '" + (*shared / "tools" / "sur_check.py").string() + "' '" +
                                folder.path().string() + "'/*.sur > '" + (folder / "out").string() + "' 2>&1";
    const int status = std::system(command.c_str());
    EXPECT_EQ(status, 0) << test::readText(folder / "out");
}

}  // namespace
}  // namespace geomconv::sur
