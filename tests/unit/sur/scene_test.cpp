#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "formats/sur/build.hpp"
#include "formats/sur/format.hpp"
#include "formats/sur/names.hpp"
#include "formats/sur/sur.hpp"
#include "lib/bytes/checksum.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::sur {
namespace {

TEST(SurNames, AnOrdinalIsNoPartOfTheName) {
    EXPECT_EQ(withoutOrdinal("wing_lt#2"), "wing_lt");
    EXPECT_EQ(withoutOrdinal("wing_lt.001"), "wing_lt");
    EXPECT_EQ(withoutOrdinal("wing_lt.01"), "wing_lt.01");
    EXPECT_EQ(withoutOrdinal("HpWeapon01"), "HpWeapon01");
    EXPECT_EQ(withoutOrdinal("#2"), "#2");
    EXPECT_EQ(withoutOrdinal("2"), "2");
    EXPECT_EQ(withoutOrdinal(""), "");
}

TEST(SurNames, IdsAreHashesLiteralsOrZero) {
    EXPECT_EQ(idFromName("Root"), 0x12688f2dU);
    EXPECT_EQ(idFromName("Root#3"), 0x12688f2dU);
    EXPECT_EQ(idFromName("0"), 0U);
    EXPECT_EQ(idFromName("0#2"), 0U);
    EXPECT_EQ(idFromName("0xA1B2C3D4"), 0xa1b2c3d4U);
    EXPECT_EQ(idFromName("0xA1B2C3D4.002"), 0xa1b2c3d4U);
    EXPECT_EQ(idFromName("\xe6\xbc\xa2"), std::nullopt);
}

TEST(SurNames, OnlyNamesThatReadBackAreUsed) {
    const KnownNames names(nullptr, {"Root", "part#2", "a/b", "", "0x12", "HpMount"});
    EXPECT_EQ(names.nameOf(0x12688f2d), "Root");
    EXPECT_EQ(names.nameOf(0xf00fb9de), "HpMount");
    EXPECT_EQ(names.nameOf(0), "0");
    EXPECT_EQ(names.nameOf(0xa1b2c3d4), "0xA1B2C3D4");
    EXPECT_EQ(names.nameOf(0x12), "0x00000012");
    for (const char* odd : {"part#2", "a/b"}) EXPECT_EQ(names.nameOf(*freelancerId(odd)), hexId(*freelancerId(odd)));
}

TEST(SurScene, EveryRealFileGivesASoundSceneAndComesBackByteForByte) {
    const auto shared = test::sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    std::size_t hulls = 0;
    std::size_t closed = 0;
    for (const auto& path : test::filesIn(*shared / "corpus" / "sur", ".sur", true)) {
        SCOPED_TRACE(path.filename().string());
        const ByteVector bytes = test::readFile(path);
        Defects defects;
        ReadOptions options;
        options.wayBack = true;
        options.content = ContentSet{Content::Collision, Content::Bounds};
        const Scene scene = kFormat.readScene({"ship.sur", bytes, {}, {}}, options, defects);
        EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>{});
        for (const geomconv::Hull& hull : scene.hulls) {
            ++hulls;
            closed += test::hullFaults(hull).empty() ? 1U : 0U;
        }
        EXPECT_EQ(write(fromScene(scene, defects)), bytes);
    }
    std::printf("%zu hulls, %zu of them closed with a volume\n", hulls, closed);
}

// ------------------------------------------------------------------------------------------------- edits in the scene

constexpr std::uint32_t kRootId = 0x12688F2D;
constexpr std::uint32_t kMountId = 0xF00FB9DE;
constexpr std::uint32_t kWingId = 0xED7AB1B1;

/// Two parts: a root of two boxes, one on a hardpoint, and a wing of one box.
Library twoParts() {
    const auto box = [](std::uint32_t id, float x) {
        const auto corners = boxCorners({Vec3(x, 0.0F, 0.0F), Vec3(x + 1.0F, 2.0F, 3.0F)});
        return HullGeometry{id, "", {corners.begin(), corners.end()}, {kBoxTriangles.begin(), kBoxTriangles.end()}};
    };
    Defects defects;
    Library library;
    BuildOptions options;
    options.hardpoints = {kMountId};
    library.parts.push_back(
        createPart(kRootId, std::vector{box(kRootId, 0.0F), box(kMountId, 4.0F)}, options, defects));
    options.hardpoints.clear();
    options.fixed = true;
    library.parts.push_back(createPart(kWingId, std::vector{box(kWingId, 0.0F)}, options, defects));
    // Header values of another exporter, so that a part that is built anew shows.
    for (Part& part : library.parts) part.surface->rotationInertia = Vec3(9.0F, 9.0F, 9.0F);
    return library;
}

Scene sceneOf(const Library& library, bool wayBack = true) {
    Defects defects;
    ReadOptions options;
    options.wayBack = wayBack;
    return toScene(library, options, defects);
}
Library libraryOf(const Scene& scene) {
    Defects defects;
    Library library = fromScene(scene, defects);
    check(library, defects);
    EXPECT_TRUE(defects.empty() || defects.list().front().kind == "rotation-inertia") << toText(defects.list().front());
    return library;
}

TEST(SurSceneEdit, NothingTouchedIsTheSameLibrary) {
    EXPECT_EQ(libraryOf(sceneOf(twoParts())), twoParts());
}

TEST(SurSceneEdit, AMovedPointRebuildsItsPartOnly) {
    Scene scene = sceneOf(twoParts());
    for (Vec3& p : scene.hulls[0].points) p.y *= 2.0F;
    const Library library = libraryOf(scene);
    EXPECT_EQ(library.parts[1], twoParts().parts[1]);
    const Part& root = library.parts[0];
    EXPECT_NE(root.surface->rotationInertia, Vec3(9.0F, 9.0F, 9.0F));
    EXPECT_EQ(root.extent, (Extent{Vec3(0.0F, 0.0F, 0.0F), Vec3(1.0F, 4.0F, 3.0F)}));
    EXPECT_EQ(root.hardpoints, std::vector<std::uint32_t>{kMountId});
    EXPECT_FALSE(root.fixed);
    EXPECT_EQ(root.surface->hulls.size(), 3U);
}

TEST(SurSceneEdit, AHullThatIsGoneIsGone) {
    Scene scene = sceneOf(twoParts());
    scene.nodes[0].hulls.erase(scene.nodes[0].hulls.begin());
    const Library library = libraryOf(scene);
    ASSERT_EQ(library.parts[0].surface->hulls.size(), 1U);
    EXPECT_EQ(library.parts[0].surface->hulls[0].id, kMountId);
}

TEST(SurSceneEdit, AChangedIdCounts) {
    Scene scene = sceneOf(twoParts());
    scene.hulls[0].id = 77;
    EXPECT_EQ(libraryOf(scene).parts[0].surface->hulls[0].id, 77U);
}

TEST(SurSceneEdit, ChangedExtrasCount) {
    Scene scene = sceneOf(twoParts());
    nlohmann::ordered_json extras = scene.nodes[0].extras.value();
    extras["sur"]["hardpoints"] = nlohmann::ordered_json::array();
    extras["sur"]["fixed"] = true;
    scene.nodes[0].extras = Extras(extras);
    Defects defects;
    const Library library = fromScene(scene, defects);
    EXPECT_TRUE(library.parts[0].fixed);
    EXPECT_TRUE(library.parts[0].hardpoints.empty());
    EXPECT_EQ(read(write(library), defects), library);
}

TEST(SurSceneEdit, BrokenExtrasAreRefused) {
    for (const char* sur : {R"({"part": "*"})", R"({"part": "AAAA"})", R"({"part": ""})"}) {
        Scene scene = sceneOf(twoParts());
        scene.nodes[0].extras = Extras::fromText(std::string(R"({"sur": )") + sur + "}");
        Defects defects;
        EXPECT_THROW(fromScene(scene, defects), FormatError) << sur;
    }
}

// -------------------------------------------------------------------------------------------------------- with a model

/// root - wing (fixed) - tip (fixed), root - door (revolute); the mount hangs on the wing.
std::shared_ptr<const ModelParts> model() {
    auto parts = std::make_shared<ModelParts>();
    parts->compound = true;
    const auto add = [&](const char* name, std::optional<std::uint32_t> parent, JointKind joint, float x) {
        ModelPart part;
        part.name = name;
        part.id = *freelancerId(name);
        part.parent = parent;
        part.joint = joint;
        part.local[3] = Vec4(x, 0.0F, 0.0F, 1.0F);
        parts->parts.push_back(part);
    };
    add("Root", std::nullopt, JointKind::Root, 0.0F);
    add("wing_lt", 0, JointKind::Fixed, 5.0F);
    add("tip", 1, JointKind::Fixed, 2.0F);
    add("door", 0, JointKind::Revolute, -3.0F);
    parts->parts[1].hardpoints.push_back({"HpMount", kMountId, false, {}, {}});
    return parts;
}

/// The library of that model as an exporter writes it: fixed children's hulls are copied into their ancestors.
Library foldedLibrary() {
    const auto hulls = [](std::initializer_list<std::uint32_t> ids) {
        std::vector<HullGeometry> out;
        for (const std::uint32_t id : ids) {
            const float x = static_cast<float>(out.size()) * 2.0F;
            const auto corners = boxCorners({Vec3(x, 0.0F, 0.0F), Vec3(x + 1.0F, 1.0F, 1.0F)});
            out.push_back({id, "", {corners.begin(), corners.end()}, {kBoxTriangles.begin(), kBoxTriangles.end()}});
        }
        return out;
    };
    const std::uint32_t tip = *freelancerId("tip");
    const std::uint32_t door = *freelancerId("door");
    Defects defects;
    Library library;
    library.parts.push_back(createPart(kRootId, hulls({kRootId, kWingId, kMountId, tip, door}), {}, defects));
    library.parts.push_back(createPart(kWingId, hulls({kWingId, kMountId, tip}), {}, defects));
    library.parts.push_back(createPart(tip, hulls({tip}), {}, defects));
    library.parts.push_back(createPart(door, hulls({door, kMountId}), {}, defects));
    return library;
}

std::vector<std::string> addressesOf(const Scene& scene) {
    std::vector<std::string> out;
    for (const geomconv::Node& node : scene.nodes) {
        for (const std::uint32_t h : node.hulls) out.push_back(node.name + '/' + scene.hulls[h].name);
    }
    return out;
}

TEST(SurSceneModel, NamesAndPlacesParts) {
    ReadOptions options;
    options.model = model();
    Defects defects;
    const Scene scene = toScene(foldedLibrary(), options, defects);
    EXPECT_TRUE(defects.empty());
    ASSERT_EQ(scene.nodes.size(), 4U);
    EXPECT_EQ(scene.nodes[2].name, "tip");
    EXPECT_EQ(scene.nodes[2].parent, 1U);
    EXPECT_EQ(scene.nodes[2].translation, Vec3(2.0F, 0.0F, 0.0F));
    EXPECT_EQ(scene.nodes[3].parent, 0U);
    EXPECT_EQ(addressesOf(scene).size(), 11U);
    EXPECT_EQ(addressesOf(scene)[2], "Root/HpMount");
}

TEST(SurSceneModel, CopiesInFixedAncestorsAreDroppedForMeshes) {
    ReadOptions options;
    options.model = model();
    options.forMesh = true;
    Defects defects;
    // The door turns, so the root's hull of its id is the root's own; the door's mount is nobody's copy.
    const std::vector<std::string> once{"Root/Root", "Root/door", "wing_lt/wing_lt", "wing_lt/HpMount",
                                        "tip/tip",   "door/door", "door/HpMount"};
    EXPECT_EQ(addressesOf(toScene(foldedLibrary(), options, defects)), once);
    options.format.set("duplicates", "keep");
    EXPECT_EQ(addressesOf(toScene(foldedLibrary(), options, defects)).size(), 11U);
    options.forMesh = false;
    options.format.set("duplicates", "drop");
    EXPECT_EQ(addressesOf(toScene(foldedLibrary(), options, defects)), once);
}

TEST(SurSceneModel, AnAncestorWithoutHullsGetsANode) {
    Library library = foldedLibrary();
    library.parts.erase(library.parts.begin(), library.parts.begin() + 2);  // root and wing
    ReadOptions options;
    options.model = model();
    Defects defects;
    const Scene scene = toScene(library, options, defects);
    ASSERT_EQ(scene.nodes.size(), 4U);
    EXPECT_EQ(scene.nodes[0].name, "tip");
    ASSERT_TRUE(scene.nodes[0].parent);
    EXPECT_EQ(scene.nodes[*scene.nodes[0].parent].name, "wing_lt");
    EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>{});
}

TEST(SurSceneModel, APartThatTheModelDoesNotKnowIsKept) {
    Library library = foldedLibrary();
    library.parts[3].id = 5;
    ReadOptions options;
    options.model = model();
    Defects defects;
    const Scene scene = toScene(library, options, defects);
    EXPECT_EQ(scene.nodes[3].name, "0x00000005");
    EXPECT_EQ(defects.count("part-without-model"), 1U);
}

TEST(SurSceneModel, ThePartOfASinglePartModelHasIdZeroOrTheHashOfRoot) {
    auto single = std::make_shared<ModelParts>();
    single->parts.push_back({});
    single->parts[0].name = "Root";
    for (const std::uint32_t id : {0U, kRootId}) {
        Library library = twoParts();
        library.parts.resize(1);
        library.parts[0].id = id;
        ReadOptions options;
        options.model = single;
        Defects defects;
        const Scene scene = toScene(library, options, defects);
        EXPECT_TRUE(defects.empty());
        EXPECT_EQ(idFromName(scene.nodes[0].name), id);
    }
}

TEST(SurScene, NamesReadBackAsTheIdsTheyStandFor) {
    Library library = twoParts();
    library.parts[0].surface->hulls[1].id = kRootId;
    library.parts[1].id = 0;
    ReadOptions options;
    options.names = {"Root", "wing_lt"};
    Defects defects;
    const Scene scene = toScene(library, options, defects);
    EXPECT_EQ(addressesOf(scene), (std::vector<std::string>{"Root/Root", "Root/Root#2", "0/wing_lt"}));
    for (const geomconv::Hull& hull : scene.hulls) EXPECT_EQ(idFromName(hull.name), hull.id);
}

TEST(SurScene, BoundsAddWrapHullsAndNodeBoxes) {
    ReadOptions options;
    options.content = ContentSet{Content::Bounds};
    Defects defects;
    const Scene scene = toScene(twoParts(), options, defects);
    EXPECT_EQ(addressesOf(scene), (std::vector<std::string>{"0x12688F2D/wrap", "0x12688F2D/box", "0x12688F2D/box#2",
                                                            "0x12688F2D/box#3", "0xED7AB1B1/box"}));
    EXPECT_EQ(scene.hulls[0].type, HullType::Wrap);
    EXPECT_EQ(scene.hulls[1].type, HullType::Box);
    for (const geomconv::Hull& hull : scene.hulls) EXPECT_EQ(test::hullFaults(hull), std::vector<std::string>{});
}

}  // namespace
}  // namespace geomconv::sur
