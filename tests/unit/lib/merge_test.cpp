#include "lib/scene/merge.hpp"

#include <gtest/gtest.h>

namespace geomconv {
namespace {

Scene sceneWith(const std::string& name) {
    Scene scene;
    scene.nodes.resize(2);
    scene.nodes[0].name = name;
    scene.nodes[1].parent = 0;
    scene.nodes[1].mesh = 0;
    scene.nodes[1].hulls = {0};
    scene.nodes[1].skin = 0;
    Primitive primitive;
    primitive.material = 0;
    scene.meshes.push_back({.name = name, .primitives = {primitive}, .weights = {}, .extras = {}});
    scene.hulls.resize(1);
    scene.materials.resize(1);
    scene.materials[0].image = 0;
    scene.images.resize(1);
    scene.skins.resize(1);
    scene.skins[0].joints = {1};
    scene.skins[0].skeletonRoot = 0;
    scene.animations.resize(1);
    scene.animations[0].channels.resize(1);
    scene.animations[0].channels[0].node = 1;
    return scene;
}

TEST(AppendScene, MovesEveryIndexAlong) {
    Scene scene = sceneWith("first");
    appendScene(scene, sceneWith("second"));
    ASSERT_EQ(scene.nodes.size(), 4U);
    EXPECT_EQ(scene.nodes[2].name, "second");
    EXPECT_EQ(scene.nodes[3].parent, 2U);
    EXPECT_EQ(scene.nodes[3].mesh, 1U);
    EXPECT_EQ(scene.nodes[3].hulls, std::vector<std::uint32_t>{1});
    EXPECT_EQ(scene.nodes[3].skin, 1U);
    EXPECT_EQ(scene.meshes[1].primitives[0].material, 1U);
    EXPECT_EQ(scene.materials[1].image, 1U);
    EXPECT_EQ(scene.skins[1].joints, std::vector<std::uint32_t>{3});
    EXPECT_EQ(scene.skins[1].skeletonRoot, 2U);
    EXPECT_EQ(scene.animations[1].channels[0].node, 3U);
    EXPECT_EQ(scene.nodes[1].parent, 0U);
}

TEST(AppendScene, TakesSourceAndSpaceOfTheFirst) {
    Scene scene;
    Scene more = sceneWith("only");
    more.source.file = "only.obj";
    more.space.up = UpAxis::Z;
    appendScene(scene, std::move(more));
    EXPECT_EQ(scene.source.file, "only.obj");
    EXPECT_EQ(scene.space.up, UpAxis::Z);
}

}  // namespace
}  // namespace geomconv
