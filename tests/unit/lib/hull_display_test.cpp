#include "lib/hull_display.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace geomconv {
namespace {

Scene oneNode() {
    Scene scene;
    scene.hulls.resize(3);
    scene.hulls[0].name = "HpWeapon01";
    scene.hulls[1].id = 0xA1B2C3D4;
    scene.nodes.resize(1);
    scene.nodes[0].name = "wing_lt";
    scene.nodes[0].hulls = {0, 1, 2};
    return scene;
}

TEST(HullDisplay, NamesFollowTheStyle) {
    const Scene scene = oneNode();
    EXPECT_EQ(hullOutputName(scene, 0, 0, HullNames::Plain, true), "wing_lt/HpWeapon01");
    EXPECT_EQ(hullOutputName(scene, 0, 1, HullNames::Plain, true), "wing_lt/0xA1B2C3D4");
    EXPECT_EQ(hullOutputName(scene, 0, 2, HullNames::Plain, false), "hull_2");
    EXPECT_EQ(hullOutputName(scene, 0, 0, HullNames::Godot, false), "HpWeapon01-convcolonly");
    EXPECT_EQ(hullOutputName(scene, 0, 0, HullNames::Godot, true), "wing_lt/HpWeapon01-convcolonly");
    EXPECT_EQ(hullOutputName(scene, 0, 2, HullNames::Unreal, true), "UCX_wing_lt_02");
}

TEST(HullDisplay, NodesWithoutNameAreNamedByTheirMesh) {
    Scene scene;
    scene.meshes.resize(1);
    scene.meshes[0].name = "crate";
    scene.nodes.resize(2);
    scene.nodes[1].mesh = 0;
    EXPECT_EQ(nodeName(scene, 0), "node_0");
    EXPECT_EQ(nodeName(scene, 1), "crate");
}

TEST(HullDisplay, ColoursOfManyHullsDiffer) {
    std::set<std::tuple<float, float, float>> seen;
    for (std::size_t i = 0; i < 200; ++i) {
        const Vec3 c = hullColor(i);
        for (const float v : {c.x, c.y, c.z}) {
            EXPECT_GE(v, 0.0F);
            EXPECT_LE(v, 1.0F);
        }
        seen.emplace(c.x, c.y, c.z);
    }
    EXPECT_GE(seen.size(), 190U);
}

}  // namespace
}  // namespace geomconv
