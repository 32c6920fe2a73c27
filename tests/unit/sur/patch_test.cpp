#include <gtest/gtest.h>

#include <cstdio>

#include "formats/sur/edit.hpp"
#include "formats/sur/format.hpp"
#include "formats/sur/sur.hpp"
#include "lib/bytes/checksum.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::sur {
namespace {

constexpr std::uint32_t kRoot = 0x12688F2D;
constexpr std::uint32_t kMount = 0xF00FB9DE;
constexpr std::uint32_t kWing = 0xED7AB1B1;

HullGeometry box(std::uint32_t id, float x, float size = 1.0F) {
    const auto corners = boxCorners({Vec3(x, 0.0F, 0.0F), Vec3(x + size, size, size)});
    return {id, "", {corners.begin(), corners.end()}, {kBoxTriangles.begin(), kBoxTriangles.end()}};
}

/// A root of three boxes, two of one name, and a wing; header values that no builder gives.
Library base() {
    Defects defects;
    Library library;
    BuildOptions options;
    options.hardpoints = {kMount};
    library.parts.push_back(
        createPart(kRoot, std::vector{box(kRoot, 0.0F), box(kMount, 4.0F), box(kRoot, 8.0F)}, options, defects));
    library.parts.push_back(createPart(kWing, std::vector{box(kWing, 0.0F)}, {}, defects));
    for (Part& part : library.parts) {
        part.surface->rotationInertia = Vec3(9.0F, 9.0F, 9.0F);
        part.surface->hulls[0].faces[0].pierce = 7;  // not what a builder writes
    }
    return library;
}

/// Objects with a mesh each, as an OBJ gives them.
Scene objects(const std::vector<std::pair<std::string, HullGeometry>>& list) {
    Scene scene;
    scene.source.format = "obj";
    for (const auto& [name, hull] : list) {
        Primitive primitive;
        primitive.positions = hull.points;
        for (const Triangle& t : hull.triangles) primitive.indices.insert(primitive.indices.end(), t.begin(), t.end());
        geomconv::Node& node = scene.nodes.emplace_back();
        node.name = name;
        node.mesh = static_cast<std::uint32_t>(scene.meshes.size());
        Mesh& mesh = scene.meshes.emplace_back();
        mesh.name = name;
        mesh.primitives.push_back(std::move(primitive));
    }
    return scene;
}

struct Patched {
    Library library;
    std::vector<Change> changes;
    ByteVector bytes;
};
Patched patched(const Library& library, const Scene& edits, const PatchOptions& options = {}) {
    const ByteVector bytes = write(library);
    ReadOptions reading;
    reading.names = {"Root", "HpMount", "wing_lt"};
    Defects defects;
    PatchResult result = patch({"base.sur", bytes, {}, {}}, reading, edits, options, defects);
    Patched out{read(result.bytes, defects), std::move(result.changes), std::move(result.bytes)};
    return out;
}
std::string ruleOf(const Scene& edits, const PatchOptions& options = {}) {
    try {
        patched(base(), edits, options);
    } catch (const GeometryError& error) {
        return error.rule();
    }
    return "";
}

TEST(SurPatch, NothingToDoGivesTheSameBytes) {
    EXPECT_EQ(patched(base(), {}).bytes, write(base()));
    const auto shared = test::sharedDir();
    if (!shared) return;
    std::size_t files = 0;
    for (const auto& path : test::filesIn(*shared / "corpus" / "sur", ".sur", true)) {
        SCOPED_TRACE(path.filename().string());
        const ByteVector bytes = test::readFile(path);
        Defects defects;
        EXPECT_EQ(patch({"a.sur", bytes, {}, {}}, {}, {}, {}, defects).bytes, bytes);
        // The file's own hulls as edits are no edits, broken ones included.
        const Scene own = kFormat.readScene({"a.sur", bytes, {}, {}}, {}, defects);
        const PatchResult same = patch({"a.sur", bytes, {}, {}}, {}, own, {}, defects);
        EXPECT_EQ(same.bytes, bytes);
        for (const Change& change : same.changes) EXPECT_EQ(change.kind, Change::Kind::Kept) << change.name;
        ++files;
    }
    std::printf("%zu real files patched with nothing and with themselves\n", files);
}

TEST(SurPatch, AHullIsReplacedByItsAddress) {
    const Patched out = patched(base(), objects({{"Root/HpMount", box(kMount, 4.0F, 2.0F)}}));
    ASSERT_EQ(out.changes.size(), 1U);
    EXPECT_EQ(out.changes[0].kind, Change::Kind::Replaced);
    EXPECT_EQ(out.changes[0].name, "Root/HpMount");
    EXPECT_EQ(out.changes[0].detail, "8 -> 8 points, 12 -> 12 faces");
    EXPECT_EQ(out.library.parts[1], base().parts[1]);
    const Part& root = out.library.parts[0];
    EXPECT_EQ(root.hardpoints, std::vector<std::uint32_t>{kMount});
    // Unedited hulls keep their faces, odd ones included; what follows from all hulls is derived anew.
    EXPECT_EQ(root.surface->hulls[0].faces[0].pierce, 7);
    EXPECT_EQ(root.surface->points.size(), 24U);
    EXPECT_NE(root.surface->rotationInertia, Vec3(9.0F, 9.0F, 9.0F));
    Defects defects;
    check(out.library, defects);
    EXPECT_EQ(defects.list().size(), 1U) << toText(defects.list().back());  // the wing's inertia
}

TEST(SurPatch, AnOrdinalPicksOneOfSeveral) {
    const Patched out = patched(base(), objects({{"Root/Root#2", box(kRoot, 8.0F, 2.0F)}}));
    EXPECT_EQ(out.changes[0].name, "Root/Root#2");
    const std::vector<HullGeometry> hulls = terminalHulls(out.library.parts[0]);
    EXPECT_TRUE(sameShape(hulls[0], box(kRoot, 0.0F), 0.0));
    EXPECT_TRUE(sameShape(hulls[2], box(kRoot, 8.0F, 2.0F), 0.0));
}

TEST(SurPatch, ALoneObjectIsThePartOfItsName) {
    const Patched out = patched(base(), objects({{"wing_lt", box(kWing, 1.0F)}}));
    EXPECT_EQ(out.changes[0].name, "wing_lt/wing_lt");
    EXPECT_EQ(out.library.parts[0], base().parts[0]);
    EXPECT_EQ(ruleOf(objects({{"Root", box(kRoot, 1.0F)}})), "duplicate-name");
}

TEST(SurPatch, TwoObjectsForOneHullAreRefused) {
    EXPECT_EQ(ruleOf(objects({{"Root/HpMount", box(kMount, 1.0F)}, {"Root/HpMount#1", box(kMount, 2.0F)}})),
              "duplicate-name");
}

TEST(SurPatch, WhatIsNotThereIsAddedOnRequestOnly) {
    const Scene hull = objects({{"Root/HpCM01", box(0xEF2423B0, 20.0F)}});
    const Scene part = objects({{"fin/fin", box(1, 0.0F)}});
    EXPECT_EQ(ruleOf(hull), "not-found");
    EXPECT_EQ(ruleOf(part), "not-found");
    PatchOptions options;
    options.add = true;
    const Patched withHull = patched(base(), hull, options);
    EXPECT_EQ(withHull.changes[0].kind, Change::Kind::Added);
    EXPECT_EQ(withHull.library.parts[0].surface->hulls[3].id, 0xEF2423B0U);
    const Patched withPart = patched(base(), part, options);
    ASSERT_EQ(withPart.library.parts.size(), 3U);
    EXPECT_EQ(withPart.library.parts[0], base().parts[0]);
}

TEST(SurPatch, HullsAndPartsAreRemovedByGlob) {
    PatchOptions options;
    options.remove = {"Root/Root*"};
    EXPECT_EQ(terminalHulls(patched(base(), {}, options).library.parts[0]).size(), 1U);
    options.remove = {"wing*"};
    EXPECT_EQ(patched(base(), {}, options).library.parts.size(), 1U);
    options.remove = {"nothing"};
    EXPECT_EQ(ruleOf({}, options), "not-found");
    options.remove = {"Root/*"};
    EXPECT_EQ(ruleOf({}, options), "no-hull");
}

PatchOptions renaming(std::initializer_list<const char*> texts) {
    PatchOptions options;
    for (const char* text : texts) options.format.set("rename", text);
    return options;
}

TEST(SurPatch, RenamingChangesIdsAndNothingElse) {
    const Patched out = patched(base(), {}, renaming({"wing_lt=wing_lt_lod1", "HpMount=HpShield01"}));
    Library expected = base();
    const std::uint32_t wing = *freelancerId("wing_lt_lod1");
    const std::uint32_t shield = *freelancerId("HpShield01");
    expected.parts[1].id = wing;
    expected.parts[0].hardpoints = {shield};
    for (Part& part : expected.parts) {
        for (Hull& hull : part.surface->hulls) {
            if (hull.id == kWing) hull.id = wing;
            if (hull.id == kMount) hull.id = shield;
        }
        for (Point& point : part.surface->points) {
            if (point.clientData == kWing) point.clientData = wing;
            if (point.clientData == kMount) point.clientData = shield;
        }
    }
    EXPECT_EQ(out.library, expected);
    ASSERT_GE(out.changes.size(), 2U);
    EXPECT_EQ(out.changes[0].name, "wing_lt");
    EXPECT_EQ(out.changes[0].detail, "now wing_lt_lod1: 1 part, 1 hull, 0 hardpoints");
    EXPECT_EQ(out.changes[1].detail, "now HpShield01: 0 parts, 1 hull, 1 hardpoint");
}

TEST(SurPatch, EditsGoByTheNewName) {
    const Patched out =
        patched(base(), objects({{"HpShield01/HpShield01", box(*freelancerId("HpShield01"), 0.0F, 5.0F)}}),
                renaming({"wing_lt=HpShield01"}));
    EXPECT_EQ(out.library.parts[1].extent->maximum, Vec3(5.0F));
}

TEST(SurPatch, RenamesInTheBytesOfADamagedTree) {
    ByteVector bytes = write(base());
    const std::uint32_t second = static_cast<std::uint32_t>(bytes.size()) - 28;  // the leaf of the wing
    for (std::size_t k = 0; k < 4; ++k) bytes[second + 4 + k] = 0xf8;
    ReadOptions reading;
    Defects defects;
    const PatchResult result =
        patch({"base.sur", bytes, {}, {}}, reading, {}, renaming({"wing_lt=0x00000007"}), defects);
    EXPECT_EQ(result.bytes.size(), bytes.size());
    const Library back = read(result.bytes, defects);
    ASSERT_FALSE(back.parts[1].surface->block.empty());
    EXPECT_EQ(back.parts[1].id, 7U);
    EXPECT_EQ(back.parts[1].surface->hulls[0].id, 7U);
    for (const Point& point : back.parts[1].surface->points) EXPECT_EQ(point.clientData, 7U);
}

TEST(SurPatch, RenamingWhatIsNotThereOrOntoAnotherPartIsRefused) {
    const auto rule = [](const char* text) { return ruleOf({}, renaming({text})); };
    EXPECT_EQ(rule("nothing=wing_rt"), "not-found");
    EXPECT_EQ(rule("wing_lt=Root"), "duplicate-name");
    EXPECT_EQ(rule("wing_lt"), "name");
    EXPECT_EQ(rule("=x"), "name");
    EXPECT_EQ(rule("x="), "name");
    EXPECT_EQ(rule("wing_lt=\xe4\xbd\xa0"), "name");
}

TEST(SurPatch, AnEditThatIsNoHullIsRefused) {
    HullGeometry open = box(kMount, 4.5F);
    open.triangles.pop_back();
    EXPECT_EQ(ruleOf(objects({{"Root/HpMount", open}})), "open-edge");
    HullGeometry dented = box(kMount, 4.5F);
    dented.points[0] = Vec3(4.7F, 0.2F, 0.2F);
    EXPECT_EQ(ruleOf(objects({{"Root/HpMount", dented}})), "not-convex");
}

}  // namespace
}  // namespace geomconv::sur
