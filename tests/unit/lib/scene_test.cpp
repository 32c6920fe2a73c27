#include "lib/scene/scene.hpp"

#include <gtest/gtest.h>

#include "lib/scene/content.hpp"
#include "lib/scene/select.hpp"
#include "lib/scene/transform.hpp"
#include "tests/support/check_scene.hpp"

namespace geomconv {
namespace {

TEST(Glob, MatchesLikeAShellWithoutCase) {
    EXPECT_TRUE(globMatches("rou_*_bdy*", "ROU_e101_bdy_cmesh"));
    EXPECT_TRUE(globMatches("*", ""));
    EXPECT_TRUE(globMatches("a?c", "abc"));
    EXPECT_FALSE(globMatches("a?c", "ac"));
    EXPECT_TRUE(globMatches("hull[0-3]", "hull2"));
    EXPECT_FALSE(globMatches("hull[!0-3]", "hull2"));
    EXPECT_TRUE(globMatches("[", "["));
    EXPECT_TRUE(globMatches("a[]]", "a]"));
    EXPECT_FALSE(globMatches("", "x"));
}

TEST(Glob, StaysFastOnManyStars) {
    const std::string stars = "*a*a*a*a*a*a*a*a*a*a*a*a*b";
    EXPECT_FALSE(globMatches(stars, std::string(5000, 'a')));
}

TEST(Content, ReadsItsList) {
    EXPECT_EQ(parseContent("render,bounds"), (ContentSet{Content::Render, Content::Bounds}));
    EXPECT_EQ(parseContent("all"), ContentSet::all());
    EXPECT_EQ(parseContent("render,"), std::nullopt);
    EXPECT_EQ(parseContent("meshes"), std::nullopt);
}

/// part wing with hulls a, b; below it tip with mesh m.
Scene smallScene() {
    Scene scene;
    scene.meshes.resize(2);
    scene.meshes[0].name = "unused";
    scene.meshes[1].name = "m";
    scene.hulls.resize(2);
    scene.hulls[0].name = "a";
    scene.hulls[1].name = "b";
    Node wing;
    wing.name = "wing";
    wing.hulls = {0, 1};
    Node tip;
    tip.name = "tip";
    tip.parent = 0;
    tip.mesh = 1;
    scene.nodes = {wing, tip};
    return scene;
}

TEST(Selection, KeepsParentsOfWhatPasses) {
    Scene scene = smallScene();
    EXPECT_EQ(applySelection(scene, {{"tip"}, {}}), 1U);
    ASSERT_EQ(scene.nodes.size(), 2U);
    EXPECT_TRUE(scene.nodes[0].hulls.empty());
    ASSERT_EQ(scene.meshes.size(), 1U);
    EXPECT_EQ(scene.nodes[1].mesh, 0U);
    EXPECT_TRUE(test::sceneFaults(scene).empty());
}

TEST(Selection, NamesHullsByPartAndHull) {
    Scene scene = smallScene();
    EXPECT_EQ(applySelection(scene, {{"WING/b"}, {}}), 1U);
    ASSERT_EQ(scene.nodes.size(), 1U);
    EXPECT_EQ(scene.hulls.at(scene.nodes[0].hulls.at(0)).name, "b");
}

TEST(Selection, ExcludesBelowAnExcludedNode) {
    Scene scene = smallScene();
    EXPECT_EQ(applySelection(scene, {{}, {"wing"}}), 0U);
    EXPECT_TRUE(scene.nodes.empty());
}

TEST(Transform, MultipliesParentsInAnyOrder) {
    Scene scene;
    scene.nodes.resize(2);
    scene.nodes[0].parent = 1;
    scene.nodes[0].translation = Vec3(1.0F, 0.0F, 0.0F);
    scene.nodes[1].scale = Vec3(2.0F, 2.0F, 2.0F);
    const auto world = worldMatrices(scene);
    EXPECT_DOUBLE_EQ(world[0][3].x, 2.0);
}

TEST(Transform, FindsCyclesAndStrayParents) {
    Scene scene;
    scene.nodes.resize(3);
    scene.nodes[0].parent = 1;
    scene.nodes[1].parent = 2;
    EXPECT_TRUE(parentsAreSound(scene));
    scene.nodes[2].parent = 0;
    EXPECT_FALSE(parentsAreSound(scene));
    scene.nodes[2].parent = 7;
    EXPECT_FALSE(parentsAreSound(scene));
    scene.nodes[2].parent = 2;
    EXPECT_FALSE(parentsAreSound(scene));
}

TEST(Transform, TurnsZUpWithoutMirroring) {
    const Mat4d turn = toYUp({UpAxis::Z, Handedness::Right});
    EXPECT_EQ(Vec3d(turn * glm::dvec4(0, 0, 1, 0)), Vec3d(0, 1, 0));
    EXPECT_FALSE(mirrors(turn));
    EXPECT_TRUE(mirrors(toYUp({UpAxis::Y, Handedness::Left})));
    for (const UpAxis up : {UpAxis::X, UpAxis::Y, UpAxis::Z}) {
        EXPECT_NEAR(glm::determinant(Mat3d(toZUp({up, Handedness::Right}))), 1.0, 1e-12);
    }
}

TEST(CheckScene, FindsAFault) {
    Scene scene = smallScene();
    EXPECT_TRUE(test::sceneFaults(scene).empty());
    scene.nodes[1].mesh = 2;
    EXPECT_EQ(test::sceneFaults(scene).size(), 1U);
}

}  // namespace
}  // namespace geomconv
