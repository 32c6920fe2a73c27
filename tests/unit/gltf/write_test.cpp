#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "exporters/gltf/gltf.hpp"
#include "lib/bytes/base64.hpp"
#include "tests/unit/gltf/scenes.hpp"

namespace geomconv {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ByteVector glb(const Scene& scene, const WriteOptions& options = {}, Defects* said = nullptr) {
    MemoryOutput out;
    Defects defects;
    gltf::writeGlb(scene, options, out, defects);
    if (said != nullptr) *said = defects;
    return out.takeMain();
}

std::uint32_t word(const ByteVector& bytes, std::size_t at) {
    std::uint32_t v = 0;
    std::memcpy(&v, bytes.data() + at, 4);
    return v;
}

json headOf(const ByteVector& glb) {
    return json::parse(glb.begin() + 20, glb.begin() + 20 + static_cast<std::ptrdiff_t>(word(glb, 12)));
}

json written(const Scene& scene, const WriteOptions& options = {}) {
    return headOf(glb(scene, options));
}

const json& nodeNamed(const json& document, const std::string& name) {
    for (const json& node : document["nodes"]) {
        if (node.value("name", "") == name) return node;
    }
    throw std::runtime_error("no node " + name);
}

// ---------------------------------------------------------------------------------------------------- container

TEST(GlbWriter, LengthsOfTheContainerAreTrue) {
    const ByteVector file = glb(test::hullScene());
    ASSERT_GT(file.size(), 20U);
    EXPECT_EQ(word(file, 0), gltf::kGlbMagic);
    EXPECT_EQ(word(file, 4), 2U);
    EXPECT_EQ(word(file, 8), file.size());
    EXPECT_EQ(word(file, 16), gltf::kJsonChunk);
    const std::size_t bin = 20 + word(file, 12);
    EXPECT_EQ(word(file, bin + 4), gltf::kBinChunk);
    EXPECT_EQ(bin + 8 + word(file, bin), file.size());
    EXPECT_EQ(headOf(file)["buffers"][0]["byteLength"], word(file, bin));
}

TEST(GlbWriter, AnEmptySceneHasNoBinChunk) {
    const ByteVector file = glb(Scene());
    EXPECT_EQ(20 + word(file, 12), file.size());
    EXPECT_FALSE(headOf(file).contains("buffers"));
}

TEST(GlbWriter, TheSameSceneGivesTheSameBytes) {
    EXPECT_EQ(glb(test::fullScene()), glb(test::fullScene()));
}

// ---------------------------------------------------------------------------------------------------- hulls

TEST(GltfWriter, HullsAreNodesBelowTheirPart) {
    const json document = written(test::hullScene());
    const json& wing = nodeNamed(document, "wing_lt");
    ASSERT_EQ(wing["children"].size(), 2U);
    EXPECT_EQ(document["nodes"][wing["children"][0].get<std::size_t>()]["name"], "0x03981F6F");
    EXPECT_EQ(document["nodes"][wing["children"][1].get<std::size_t>()]["name"], "wrap");
}

TEST(GltfWriter, HullExtrasCarryIdAndTypeAndTheHullsOwn) {
    const json document = written(test::hullScene());
    EXPECT_EQ(nodeNamed(document, "0x03981F6F")["extras"],
              json::parse(R"({"geomconv": {"hull": {"id": 60301167, "type": "terminal"}}, "pierce": [1, 2]})"));
    EXPECT_EQ(nodeNamed(document, "wrap")["extras"],
              json::parse(R"({"geomconv": {"node": 7, "hull": {"type": "wrap"}}})"));
}

TEST(GltfWriter, HullNamesForEngines) {
    WriteOptions options;
    options.hullNames = HullNames::Godot;
    EXPECT_NO_THROW(nodeNamed(written(test::hullScene(), options), "wrap-convcolonly"));
    options.hullNames = HullNames::Unreal;
    EXPECT_NO_THROW(nodeNamed(written(test::hullScene(), options), "UCX_wing_lt_01"));
}

TEST(GltfWriter, EachHullHasAColourOfItsOwnAndBoundsAreTranslucent) {
    const json document = written(test::hullScene());
    ASSERT_EQ(document["materials"].size(), 3U);
    EXPECT_NE(document["materials"][0]["pbrMetallicRoughness"], document["materials"][1]["pbrMetallicRoughness"]);
    EXPECT_EQ(document["materials"][2]["alphaMode"], "BLEND");
}

TEST(GltfWriter, ThirtyThousandHullsShareTwoViews) {
    Scene scene;
    scene.nodes.resize(1);
    for (std::uint32_t i = 0; i < 30000; ++i) {
        scene.hulls.push_back(test::hull("h" + std::to_string(i), i, HullType::Terminal));
        scene.nodes[0].hulls.push_back(i);
    }
    const json document = written(scene);
    EXPECT_EQ(document["bufferViews"].size(), 2U);
    EXPECT_EQ(document["accessors"].size(), 60000U);
    EXPECT_LE(document["materials"].size(), 64U);
}

// ---------------------------------------------------------------------------------------------------- space

TEST(GltfWriter, YUpRightHandedNeedsNoRoot) {
    const json document = written(test::hullScene());
    EXPECT_EQ(document["scenes"][0]["nodes"], json::parse("[0]"));
}

TEST(GltfWriter, OtherSpacesAreTurnedByOneRootAndNothingIsBaked) {
    Scene scene = test::hullScene();
    scene.space = {UpAxis::Z, Handedness::Left};
    WriteOptions options;
    options.scale = 2.0;
    const json document = written(scene, options);
    const json& root = nodeNamed(document, "root");
    EXPECT_EQ(root["children"], json::parse("[0]"));
    // x stays, z goes up, y goes to +z in a mirrored space; all doubled.
    EXPECT_EQ(root["matrix"].get<std::vector<float>>(),
              (std::vector<float>{2, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(nodeNamed(document, "wing_lt")["translation"], json::parse("[0, 2, 0]"));
    options = {};
    options.up = UpChoice::Native;
    EXPECT_THROW(nodeNamed(written(scene, options), "root"), std::runtime_error);
}

// ---------------------------------------------------------------------------------------------------- arrays

TEST(GltfWriter, MinAndMaxAreThoseOfThePositions) {
    Scene scene = test::fullScene();
    const json document = written(scene);
    const json& primitive = document["meshes"][0]["primitives"][0];
    const json& accessor = document["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
    EXPECT_EQ(accessor["min"].get<std::vector<float>>(), (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(accessor["max"].get<std::vector<float>>(), (std::vector<float>{1, 1, 0.1F}));
}

TEST(GltfWriter, InstancesShareTheirMesh) {
    const json document = written(test::fullScene());
    EXPECT_EQ(nodeNamed(document, "body")["mesh"], nodeNamed(document, "body.001")["mesh"]);
}

TEST(GltfWriter, ANonFinitePositionIsRefusedByName) {
    Scene scene = test::fullScene();
    scene.meshes[1].primitives[0].positions[1].y = std::numeric_limits<float>::quiet_NaN();
    try {
        glb(scene);
        FAIL();
    } catch (const GeometryError& e) {
        EXPECT_EQ(e.rule(), "nonfinite");
        EXPECT_THAT(e.object(), HasSubstr("wires"));
    }
}

TEST(GltfWriter, NormalsOfOtherLengthAreBroughtToOne) {
    Scene scene = test::fullScene();
    scene.meshes[3].primitives[0].normals.assign(4, Vec3(0, 3, 4));
    Defects said;
    const ByteVector file = glb(scene, {}, &said);
    EXPECT_EQ(said.count("normals-length"), 1U);
    const auto complaints = test::validatorComplaints({{"a.glb", file}});
    EXPECT_THAT(complaints.value_or(std::vector<std::string>()), IsEmpty());
}

TEST(GltfWriter, NormalsWithoutADirectionAreLeftOut) {
    Scene scene = test::fullScene();
    scene.meshes[3].primitives[0].normals[2] = Vec3(0.0F);
    Defects said;
    const json document = headOf(glb(scene, {}, &said));
    EXPECT_EQ(said.count("normals-zero"), 1U);
    EXPECT_FALSE(document["meshes"][3]["primitives"][0]["attributes"].contains("NORMAL"));
}

TEST(GltfWriter, AMeshWithoutTrianglesGivesANodeWithoutMesh) {
    Scene scene = test::fullScene();
    scene.meshes[1].primitives.clear();
    Defects said;
    const json document = headOf(glb(scene, {}, &said));
    EXPECT_EQ(said.count("mesh-empty"), 1U);
    EXPECT_FALSE(nodeNamed(document, "wires").contains("mesh"));
    EXPECT_EQ(document["nodes"].size(), scene.nodes.size());
}

TEST(GltfWriter, UnsoundInfluencesAreRepaired) {
    Scene scene = test::fullScene();
    Influences& set = scene.meshes[2].primitives[0].influences[0];
    set.weights = {Vec4(0.5F, 0, 0, 0), Vec4(0.3F, 0.3F, 0, 0), Vec4(0.1F, 0.2F, 0.7F, 0.4F), Vec4(0.0F)};
    set.joints = {{1, 1, 0, 0}, {1, 1, 0, 0}, {0, 1, 0, 1}, {1, 1, 1, 1}};
    const auto complaints = test::validatorComplaints({{"a.glb", glb(scene)}});
    EXPECT_THAT(complaints.value_or(std::vector<std::string>()), IsEmpty());
}

// ---------------------------------------------------------------------------------------------------- text form

TEST(GltfWriter, TextHasItsBufferAndImagesBesideIt) {
    MemoryOutput out("ship \xc3\xa4");
    Defects defects;
    gltf::writeGltf(test::fullScene(), {}, out, defects);
    const json document = json::parse(out.takeMain());
    EXPECT_EQ(document["buffers"][0]["uri"], "ship%20%C3%A4.bin");
    const auto siblings = out.takeSiblings();
    ASSERT_EQ(siblings.size(), 3U);
    EXPECT_EQ(siblings[0].first, "ship \xc3\xa4.bin");
    EXPECT_EQ(siblings[0].second.size(), document["buffers"][0]["byteLength"]);
    EXPECT_EQ(siblings[2].first, "ship \xc3\xa4_glow.png");
    EXPECT_EQ(document["images"][1]["uri"], "ship%20%C3%A4_glow.png");
}

TEST(GltfWriter, TextOnStandardOutputHoldsTheSameBuffer) {
    const ByteVector binary = glb(test::fullScene());
    MemoryOutput out("out", false);
    Defects defects;
    gltf::writeGltf(test::fullScene(), {}, out, defects);
    const json document = json::parse(out.takeMain());
    const std::string uri = document["buffers"][0]["uri"];
    const std::string head = "data:application/octet-stream;base64,";
    ASSERT_TRUE(uri.starts_with(head));
    const auto bytes = bytesFromBase64(std::string_view(uri).substr(head.size()));
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, ByteVector(binary.begin() + 28 + word(binary, 12), binary.end()));
}

TEST(GltfWriter, LeavesOutAnImageThatWasNotThere) {
    Scene scene = test::fullScene();
    Image gone;
    gone.name = "gone";
    gone.uri = "gone.png";
    scene.materials[0].image = static_cast<std::uint32_t>(scene.images.size());
    scene.images.push_back(gone);
    MemoryOutput out;
    Defects defects;
    gltf::writeGltf(scene, {}, out, defects);
    const json document = json::parse(out.takeMain());
    EXPECT_EQ(document["images"].size(), scene.images.size() - 1);
    EXPECT_EQ(defects.count("image-missing"), 1U);
}

TEST(GltfWriter, WithoutTexturesThereAreNoImages) {
    WriteOptions options;
    options.textures = false;
    const json document = written(test::fullScene(), options);
    EXPECT_FALSE(document.contains("images"));
    EXPECT_FALSE(document.contains("textures"));
}

// ---------------------------------------------------------------------------------------------------- the validator

TEST(GltfWriter, TheKhronosValidatorHasNoErrorAndNoWarning) {
    std::vector<std::pair<std::string, ByteVector>> files;
    files.emplace_back("empty.glb", glb(Scene()));
    files.emplace_back("hulls.glb", glb(test::hullScene()));
    files.emplace_back("full.glb", glb(test::fullScene()));
    Scene turned = test::fullScene();
    turned.space = {UpAxis::Z, Handedness::Left};
    WriteOptions options;
    options.scale = 0.01;
    files.emplace_back("turned.glb", glb(turned, options));
    Scene moved = test::fullScene();
    moved.nodes[4].hulls.push_back(0);
    moved.hulls = {test::hull("a", 1, HullType::Terminal)};
    moved.meshes[0].primitives[0].colors.assign(4, Vec4(2, -1, 0, 1));
    files.emplace_back("split.glb", glb(moved));
    Scene apart = test::fullScene();
    for (Node& node : apart.nodes) node.parent.reset();
    files.emplace_back("apart.glb", glb(apart));
    MemoryOutput out("text \xc3\xa4");
    Defects defects;
    gltf::writeGltf(test::fullScene(), {}, out, defects);
    files.emplace_back("text \xc3\xa4.gltf", out.takeMain());
    for (auto& sibling : out.takeSiblings()) files.push_back(std::move(sibling));
    const auto complaints = test::validatorComplaints(files);
    EXPECT_THAT(complaints.value_or(std::vector<std::string>()), IsEmpty());
}

}  // namespace
}  // namespace geomconv
