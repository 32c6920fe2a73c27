#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "lib/scene/check.hpp"
#include "lib/scene/summary.hpp"

namespace geomconv {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A tetrahedron as a mesh and as a hull.
Scene sound() {
    Scene scene;
    Primitive p;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    p.indices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    scene.hulls.resize(1);
    scene.hulls[0].points = p.positions;
    scene.hulls[0].triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    scene.meshes.resize(1);
    scene.meshes[0].name = "tetra";
    scene.meshes[0].primitives.push_back(std::move(p));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.nodes[0].hulls = {0};
    return scene;
}

std::string firstFault(const Scene& scene) {
    Defects defects;
    checkStructure(scene, defects);
    return defects.empty() ? "" : defects.list()[0].kind + ": " + toText(defects.list()[0]);
}

std::vector<std::string> meaning(const Scene& scene, bool topology = true) {
    Defects defects;
    checkMeaning(scene, topology, defects);
    EXPECT_EQ(defects.count(Severity::Error), 0U);
    std::vector<std::string> out;
    for (const Defect& d : defects.list()) out.push_back(d.kind);
    return out;
}

TEST(SceneCheck, ASoundSceneHasNoFault) {
    EXPECT_EQ(firstFault(sound()), "");
    EXPECT_NO_THROW(requireStructure(sound()));
    EXPECT_EQ(meaning(sound()), std::vector<std::string>());
}

TEST(SceneCheck, NamesThePlaceOfAFault) {
    Scene scene = sound();
    scene.meshes[0].primitives[0].indices[4] = 9;
    EXPECT_EQ(firstFault(scene), "index-range: primitive 0 of mesh 0 'tetra': vertex 9 of 4");
    EXPECT_THROW(requireStructure(scene), FormatError);
    scene = sound();
    scene.meshes[0].primitives[0].positions[2].y = kNaN;
    EXPECT_EQ(firstFault(scene), "nonfinite: primitive 0 of mesh 0 'tetra': position 2 is not finite");
    scene = sound();
    scene.hulls[0].triangles[1][2] = 4;
    EXPECT_EQ(firstFault(scene), "index-range: hull 0: point 4 of 4");
    scene = sound();
    scene.nodes[0].scale.x = kNaN;
    EXPECT_EQ(firstFault(scene), "nonfinite: node 0: its transform is not finite");
    scene = sound();
    scene.nodes[0].parent = 0;
    EXPECT_EQ(firstFault(scene), "node-cycle: a node is its own ancestor");
}

TEST(SceneCheck, TakesAttributesThatAreNotFiniteOffTheirMesh) {
    Scene scene = sound();
    scene.meshes.push_back(scene.meshes[0]);
    for (Mesh& mesh : scene.meshes) {
        mesh.primitives[0].normals.assign(4, Vec3(0, 0, 1));
        mesh.primitives[0].uvs.assign(4, Vec2(0, 0));
    }
    scene.meshes[1].primitives[0].normals[3].x = kNaN;
    Defects defects;
    dropNonFinite(scene, defects);
    EXPECT_EQ(scene.meshes[0].primitives[0].normals.size(), 4U);
    EXPECT_TRUE(scene.meshes[1].primitives[0].normals.empty());
    EXPECT_EQ(scene.meshes[1].primitives[0].uvs.size(), 4U);
    ASSERT_EQ(defects.list().size(), 1U);
    EXPECT_EQ(toText(defects.list()[0]), "mesh 1 'tetra': normals that are not finite are left out");
}

TEST(SceneCheck, SaysWhatASoundSceneShouldNotHave) {
    Scene scene = sound();
    scene.nodes.push_back(scene.nodes[0]);
    scene.nodes[0].name = scene.nodes[1].name = "twice";
    scene.materials.resize(1);
    Primitive& p = scene.meshes[0].primitives[0];
    p.positions.push_back({7, 7, 7});
    p.normals.assign(5, Vec3(0, 0, 2));
    p.indices.insert(p.indices.end(), {0, 1, 1});
    EXPECT_EQ(meaning(scene), (std::vector<std::string>{"duplicate-name", "unused", "unused-vertices", "normal-length",
                                                        "degenerate-triangle"}));
}

TEST(SceneCheck, TellsOfEdgesThatNoSurfaceHas) {
    Scene scene = sound();
    std::swap(scene.meshes[0].primitives[0].indices[0], scene.meshes[0].primitives[0].indices[1]);
    EXPECT_EQ(meaning(scene), (std::vector<std::string>{"turned-edges"}));
    EXPECT_EQ(meaning(scene, false), std::vector<std::string>());
    scene = sound();
    scene.hulls[0].triangles.pop_back();
    EXPECT_EQ(meaning(scene), (std::vector<std::string>{"open-edges"}));
    scene = sound();
    for (auto& t : scene.hulls[0].triangles) std::swap(t[0], t[1]);
    EXPECT_EQ(meaning(scene), (std::vector<std::string>{"inside-out"}));
}

TEST(SceneSummary, CountsAndMeasures) {
    Scene scene = sound();
    scene.nodes[0].translation = {10, 0, 0};
    const nlohmann::ordered_json info = sceneSummary(scene, true);
    EXPECT_EQ(info["vertices"], 8);
    EXPECT_EQ(info["triangles"], 8);
    EXPECT_EQ(info["minimum"], (std::vector<double>{10, 0, 0}));
    EXPECT_EQ(info["maximum"], (std::vector<double>{11, 1, 1}));
    EXPECT_EQ(info["meshes"][0]["name"], "tetra");
    EXPECT_EQ(info["meshes"][0]["closed"], true);
    EXPECT_NEAR(info["meshes"][0]["volume"].get<double>(), 1.0 / 6.0, 1e-12);
    EXPECT_EQ(info["hulls"][0]["openEdges"], 0);
    EXPECT_FALSE(sceneSummary(scene, false)["meshes"][0].contains("closed"));
}

}  // namespace
}  // namespace geomconv
