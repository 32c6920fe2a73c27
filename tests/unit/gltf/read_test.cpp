// Each rule of reading with a small file made by hand. Cases that must be refused are in a table at the end.

#include <gmock/gmock.h>

#include <functional>
#include <limits>

#include "lib/bytes/base64.hpp"
#include "tests/unit/gltf/files.hpp"
#include "tests/unit/gltf/scenes.hpp"

namespace geomconv {
namespace {

using test::append;
using test::json;
using test::Outcome;
using test::readBytes;
using test::readText;
using test::Triangle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Primitive& first(const Outcome& outcome) {
    static const Primitive kNone;
    EXPECT_EQ(outcome.errorText(), "");
    if (outcome.scene.meshes.empty() || outcome.scene.meshes[0].primitives.empty()) return kNone;
    return outcome.scene.meshes[0].primitives[0];
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// ---------------------------------------------------------------------------------------------------- sound files

TEST(GltfReader, ReadsATriangle) {
    const Outcome got = readBytes(Triangle().glb());
    const Primitive& primitive = first(got);
    EXPECT_THAT(primitive.positions, ElementsAre(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)));
    EXPECT_THAT(primitive.indices, ElementsAre(0, 1, 2));
    EXPECT_EQ(got.scene.nodes[0].name, "wing");
    EXPECT_EQ(got.scene.meshes[0].name, "wing mesh");
    EXPECT_EQ(got.scene.source.file, "ship.glb");
    EXPECT_TRUE(got.defects.empty());
}

TEST(GltfReader, IndicesOfEightAndThirtyTwoBits) {
    Triangle eight;
    eight.primitive()["indices"] = eight.add({2, 1, 0}, 5121, 3, "SCALAR");
    EXPECT_THAT(first(readBytes(eight.glb())).indices, ElementsAre(2, 1, 0));
    Triangle wide;
    ByteVector bytes;
    append<std::uint32_t>(bytes, {1, 2, 0});
    wide.primitive()["indices"] = wide.add(bytes, 5125, 3, "SCALAR");
    EXPECT_THAT(first(readBytes(wide.glb())).indices, ElementsAre(1, 2, 0));
}

TEST(GltfReader, WithoutIndicesVerticesAreTakenInOrder) {
    Triangle file;
    file.primitive().erase("indices");
    EXPECT_THAT(first(readBytes(file.glb())).indices, ElementsAre(0, 1, 2));
}

struct Mode {
    int mode;
    std::vector<std::uint8_t> run;
    Topology topology;
    std::vector<std::uint32_t> expected;
};

TEST(GltfReader, EveryModeBecomesAList) {
    const Mode modes[] = {
        {0, {2, 0}, Topology::Points, {2, 0}},
        {1, {0, 1, 1, 2}, Topology::Lines, {0, 1, 1, 2}},
        {2, {0, 1, 2}, Topology::Lines, {0, 1, 1, 2, 2, 0}},
        {3, {0, 1, 2}, Topology::Lines, {0, 1, 1, 2}},
        {4, {0, 1, 2}, Topology::Triangles, {0, 1, 2}},
        // Every second triangle of a strip is turned, so that all face the same way; those that join runs are dropped.
        {5, {0, 1, 2, 0, 0, 1}, Topology::Triangles, {0, 1, 2, 1, 0, 2}},
        {6, {0, 1, 2, 1}, Topology::Triangles, {1, 2, 0, 2, 1, 0}},
    };
    for (const Mode& mode : modes) {
        Triangle file;
        file.primitive()["mode"] = mode.mode;
        file.primitive()["indices"] = file.add(mode.run, 5121, mode.run.size(), "SCALAR");
        const Outcome got = readBytes(file.glb());
        EXPECT_EQ(first(got).topology, mode.topology) << mode.mode;
        EXPECT_EQ(first(got).indices, mode.expected) << mode.mode;
    }
}

TEST(GltfReader, IndicesThatAreNoMultipleOfThreeLoseTheRestWithAWarning) {
    Triangle file;
    file.primitive()["indices"] = file.add({0, 1, 2, 0}, 5121, 4, "SCALAR");
    const Outcome got = readBytes(file.glb());
    EXPECT_EQ(first(got).indices.size(), 3U);
    EXPECT_EQ(got.defects.count("count"), 1U);
}

TEST(GltfReader, InterleavedAttributesAreReadByStride) {
    Triangle file;
    ByteVector bytes;
    append<float>(bytes, {0, 0, 0, 9, 9, 1, 0, 0, 9, 9, 0, 1, 0, 9, 9});
    const std::size_t position = file.add(bytes, 5126, 3, "VEC3");
    file.head["bufferViews"].back()["byteStride"] = 20;
    file.head["accessors"].push_back(file.head["accessors"][position]);
    file.head["accessors"].back()["type"] = "VEC2";
    file.head["accessors"].back()["byteOffset"] = 12;
    file.primitive()["attributes"] = {{"POSITION", position}, {"TEXCOORD_0", position + 1}};
    const Outcome got = readBytes(file.glb());
    EXPECT_EQ(first(got).positions[2], Vec3(0, 1, 0));
    EXPECT_EQ(first(got).uvs[1], Vec2(9, 9));
}

TEST(GltfReader, SparseAccessorReplacesValues) {
    Triangle file;
    ByteVector indices{1};
    ByteVector values;
    append<float>(values, {5, 6, 7});
    file.add(indices, 5121, 1, "SCALAR");
    const std::size_t indexView = file.head["bufferViews"].size() - 1;
    file.add(values, 5126, 1, "VEC3");
    const json sparse{{"count", 1},
                      {"indices", {{"bufferView", indexView}, {"componentType", 5121}}},
                      {"values", {{"bufferView", indexView + 1}}}};
    file.head["accessors"][0]["sparse"] = sparse;
    EXPECT_THAT(first(readBytes(file.glb())).positions, ElementsAre(Vec3(0, 0, 0), Vec3(5, 6, 7), Vec3(0, 1, 0)));
    file.head["accessors"][0].erase("bufferView");
    EXPECT_THAT(first(readBytes(file.glb())).positions, ElementsAre(Vec3(0.0F), Vec3(5, 6, 7), Vec3(0.0F)));
}

TEST(GltfReader, QuantisedAttributesAreDividedOut) {
    Triangle file;
    file.head["extensionsUsed"] = file.head["extensionsRequired"] = {"KHR_mesh_quantization"};
    ByteVector positions;
    append<std::int16_t>(positions, {0, 0, 0, 0, 32767, -32768, 0, 0, 0, 16384, 0, 0});
    const std::size_t position = file.add(positions, 5122, 3, "VEC3", true);
    file.head["bufferViews"].back()["byteStride"] = 8;
    ByteVector normals;
    append<std::int8_t>(normals, {0, 0, 127, 0, 0, -127, 0, 0, 0, 0, 127, 0});
    const std::size_t normal = file.add(normals, 5120, 3, "VEC3", true);
    file.head["bufferViews"].back()["byteStride"] = 4;
    ByteVector uvs;
    append<std::uint16_t>(uvs, {0, 65535, 7, 8, 9, 10});
    const std::size_t uv = file.add(uvs, 5123, 3, "VEC2");
    file.primitive()["attributes"] = {{"POSITION", position}, {"NORMAL", normal}, {"TEXCOORD_0", uv}};
    const Outcome got = readBytes(file.glb());
    EXPECT_EQ(first(got).positions[1], Vec3(1, -1, 0));
    EXPECT_EQ(first(got).normals[1], Vec3(0, -1, 0));
    EXPECT_EQ(first(got).uvs[0], Vec2(0, 65535));
}

TEST(GltfReader, ColoursOfThreeAndFourComponentsAndOfIntegers) {
    Triangle file;
    const ByteVector bytes{255, 0, 51, 0, 255, 0, 51, 0, 255, 0, 51, 0};
    file.primitive()["attributes"]["COLOR_0"] = file.add(bytes, 5121, 3, "VEC3", true);
    file.head["bufferViews"].back()["byteStride"] = 4;
    EXPECT_EQ(first(readBytes(file.glb())).colors[2], Vec4(1, 0, 0.2F, 1));
    ByteVector four;
    append<std::uint16_t>(four, {65535, 0, 0, 0, 65535, 0, 0, 0, 65535, 0, 0, 0});
    file.primitive()["attributes"]["COLOR_0"] = file.add(four, 5123, 3, "VEC4", true);
    EXPECT_EQ(first(readBytes(file.glb())).colors[0], Vec4(1, 0, 0, 0));
}

TEST(GltfReader, SeveralUvSetsGiveTheOneOfTheTextureAndOneNotice) {
    Triangle file;
    ByteVector zero, one;
    append<float>(zero, {0, 0, 0, 0, 0, 0});
    append<float>(one, {1, 1, 1, 1, 1, 1});
    file.primitive()["attributes"]["TEXCOORD_0"] = file.add(zero, 5126, 3, "VEC2");
    file.primitive()["attributes"]["TEXCOORD_1"] = file.add(one, 5126, 3, "VEC2");
    Outcome got = readBytes(file.glb());
    EXPECT_EQ(first(got).uvs[0], Vec2(0, 0));
    EXPECT_EQ(got.defects.count("uv-sets"), 1U);
    file.head["images"] = {{{"uri", "a.png"}}};
    file.head["textures"] = {{{"source", 0}}};
    file.head["materials"] =
        json::parse(R"([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}}}])");
    file.primitive()["material"] = 0;
    got = readBytes(file.glb(), {{"a.png", {1}}});
    EXPECT_EQ(first(got).uvs[0], Vec2(1, 1));
}

/// A triangle with UVs (0 0) (1 0) (0 1) in its first set, (5 5) in the second, and two textured materials.
Triangle textured() {
    Triangle file;
    ByteVector first, second;
    append<float>(first, {0, 0, 1, 0, 0, 1});
    append<float>(second, {5, 5, 5, 5, 5, 5});
    file.primitive()["attributes"]["TEXCOORD_0"] = file.add(first, 5126, 3, "VEC2");
    file.primitive()["attributes"]["TEXCOORD_1"] = file.add(second, 5126, 3, "VEC2");
    file.primitive()["material"] = 0;
    file.head["images"] = json::parse(R"([{"uri": "data:image/png;base64,iVBORw0KGgo="}])");
    file.head["textures"] = json::parse(R"([{"source": 0}])");
    const json material = json::parse(R"({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})");
    file.head["materials"] = {material, material};
    return file;
}

json& baseTexture(Triangle& file, std::size_t material) {
    return file.head["materials"][material]["pbrMetallicRoughness"]["baseColorTexture"];
}

/// Equal but for what sines and cosines leave.
testing::Matcher<const std::vector<Vec2>&> nearly(const std::vector<Vec2>& expected) {
    return testing::Pointwise(
        testing::Truly([](const auto& pair) { return glm::length(std::get<0>(pair) - std::get<1>(pair)) < 1e-6F; }),
        expected);
}

TEST(GltfReader, ATextureTransformIsAppliedToTheUvsOfItsPrimitive) {
    Triangle file = textured();
    file.head["extensionsUsed"] = file.head["extensionsRequired"] = {"KHR_texture_transform"};
    json& transform = baseTexture(file, 0)["extensions"]["KHR_texture_transform"];
    transform = json::parse(R"({"offset": [0.5, 0.25], "scale": [2, 4]})");
    // The same arrays with another material keep their UVs: the transform is the material's, not theirs.
    file.head["meshes"][0]["primitives"].push_back(file.primitive());
    file.head["meshes"][0]["primitives"][1]["material"] = 1;
    Outcome got = readBytes(file.glb());
    EXPECT_THAT(first(got).uvs, nearly({{0.5F, 0.25F}, {2.5F, 0.25F}, {0.5F, 4.25F}}));
    EXPECT_THAT(got.scene.meshes.at(0).primitives.at(1).uvs, nearly({{0, 0}, {1, 0}, {0, 1}}));
    EXPECT_EQ(got.defects.count("uv-sets"), 1U);
    EXPECT_EQ(got.defects.list().size(), 1U);

    // A quarter turn, counter-clockwise where v runs down: what pointed right points up. Scaled before it is turned.
    transform = json::parse(R"({"rotation": 1.5707963267948966, "scale": [2, 4]})");
    EXPECT_THAT(first(readBytes(file.glb())).uvs, nearly({{0, 0}, {0, -2}, {4, 0}}));
    transform = json::parse(R"({"texCoord": 1, "offset": [1, 2]})");
    EXPECT_THAT(first(readBytes(file.glb())).uvs, nearly({{6, 7}, {6, 7}, {6, 7}}));
}

TEST(GltfReader, ATextureTransformOnAnotherMapLeavesTheUvsAlone) {
    Triangle file = textured();
    file.head["extensionsUsed"] = {"KHR_texture_transform"};
    file.head["materials"][0]["emissiveTexture"] =
        json::parse(R"({"index": 0, "extensions": {"KHR_texture_transform": {"scale": [3, 3]}}})");
    EXPECT_THAT(first(readBytes(file.glb())).uvs, nearly({{0, 0}, {1, 0}, {0, 1}}));
    // Nor does one of a material without a picture.
    file = textured();
    file.head["materials"][0] = json::parse(R"({"name": "plain"})");
    EXPECT_THAT(first(readBytes(file.glb())).uvs, nearly({{0, 0}, {1, 0}, {0, 1}}));
}

TEST(GltfReader, DiffuseColourAndTextureOfSpecularGlossinessWhereThereIsNoOther) {
    Triangle file = textured();
    file.head["materials"][0] = json::parse(R"({"extensions": {"KHR_materials_pbrSpecularGlossiness": {
        "diffuseFactor": [1, 0.5, 0.25, 1], "glossinessFactor": 0.25, "diffuseTexture": {"index": 0, "texCoord": 1,
        "extensions": {"KHR_texture_transform": {"offset": [1, 1]}}}}}})");
    file.head["materials"][1]["extensions"]["KHR_materials_pbrSpecularGlossiness"]["diffuseFactor"] = {0, 0, 0, 1};
    const Outcome got = readBytes(file.glb());
    EXPECT_THAT(first(got).uvs, nearly({{6, 6}, {6, 6}, {6, 6}}));
    const Material& look = got.scene.materials.at(0);
    EXPECT_EQ(look.image, 0U);
    EXPECT_EQ(look.baseColor, Vec4(1, 0.5F, 0.25F, 1));
    EXPECT_EQ(look.roughness, 0.75F);
    EXPECT_EQ(look.metallic, 0.0F);
    EXPECT_EQ(got.scene.materials.at(1).baseColor, Vec4(1.0F)) << "the material for readers without the extension";
}

TEST(GltfReader, ImagesOfKindsThatNotEveryReaderKnowsAreKept) {
    Triangle file = textured();
    file.head["extensionsUsed"] = file.head["extensionsRequired"] = {"EXT_texture_webp"};
    file.head["textures"][0] = json::parse(R"({"extensions": {"EXT_texture_webp": {"source": 0}}})");
    const Outcome got = readBytes(file.glb());
    ASSERT_EQ(got.errorText(), "");
    EXPECT_EQ(got.scene.materials.at(0).image, 0U);
    EXPECT_EQ(got.defects.count("look-extension"), 1U);
}

TEST(GltfReader, EachInstanceIsANode) {
    Triangle file;
    ByteVector places, turns;
    append<float>(places, {1, 2, 3, 4, 5, 6});
    append<std::int16_t>(turns, {0, 0, 32767, 0, 0, 0, 0, 32767});
    file.head["extensionsUsed"] = file.head["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
    json& attributes = file.head["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    attributes["TRANSLATION"] = file.add(places, 5126, 2, "VEC3");
    attributes["ROTATION"] = file.add(turns, 5122, 2, "VEC4", true);
    attributes["_ID"] = 0;
    Outcome got = readBytes(file.glb());
    ASSERT_EQ(got.errorText(), "");
    ASSERT_EQ(got.scene.nodes.size(), 3U);
    EXPECT_FALSE(got.scene.nodes[0].mesh);
    EXPECT_EQ(got.scene.nodes[2].name, "wing#1");
    EXPECT_EQ(got.scene.nodes[2].parent, 0U);
    EXPECT_EQ(got.scene.nodes[2].mesh, 0U);
    EXPECT_EQ(got.scene.nodes[2].translation, Vec3(4, 5, 6));
    EXPECT_EQ(got.scene.nodes[1].rotation, quat(0, 0, 1, 0));
    EXPECT_EQ(got.scene.nodes[2].scale, Vec3(1.0F));

    attributes["SCALE"] = file.add(ByteVector(12), 5126, 1, "VEC3");
    got = readBytes(file.glb());
    ASSERT_TRUE(got.error);
    EXPECT_EQ(got.error->kind, "count");
}

TEST(GltfReader, ABufferWithoutBytesNeedsNone) {
    const Outcome got = readText(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 0}], "nodes": [{}]})");
    EXPECT_EQ(got.errorText(), "");
    EXPECT_EQ(got.scene.nodes.size(), 1U);
}

TEST(GltfReader, ZerosBehindTheJsonOfAGlbArePassedOver) {
    std::string text = Triangle().head.dump();
    while (text.size() % 4 != 1) text += ' ';
    text += std::string(3, '\0');
    const Outcome got = readBytes(test::glbOf(text, Triangle().bin));
    EXPECT_EQ(first(got).positions.size(), 3U);
    EXPECT_EQ(got.defects.count("glb-chunk"), 1U);
}

TEST(GltfReader, Utf16IsNamed) {
    const Outcome got = readText(std::string("\xff\xfe{\0}\0", 6));
    EXPECT_THAT(got.errorText(), HasSubstr("the text is UTF-16"));
}

TEST(GltfReader, NamesWithBackslashesAreFoundAsWell) {
    Triangle file = textured();
    file.head["images"][0]["uri"] = "maps\\a.png";
    const Outcome got = readBytes(file.glb(), {{"maps/a.png", {1, 2, 3}}});
    EXPECT_EQ(got.scene.images.at(0).encoded, ByteVector({1, 2, 3}));
    EXPECT_TRUE(got.defects.list().size() == 1U && got.defects.count("uv-sets") == 1U);
}

TEST(GltfReader, NonFiniteNormalsAndUvsAreDroppedForThatMeshWithOneWarningEach) {
    Triangle file;
    ByteVector normals, uvs;
    append<float>(normals, {0, 0, 1, 0, kNan, 1, 0, 0, 1});
    append<float>(uvs, {0, 0, 0, std::numeric_limits<float>::infinity(), 0, 0});
    file.primitive()["attributes"]["NORMAL"] = file.add(normals, 5126, 3, "VEC3");
    file.primitive()["attributes"]["TEXCOORD_0"] = file.add(uvs, 5126, 3, "VEC2");
    const Outcome got = readBytes(file.glb());
    EXPECT_THAT(first(got).normals, IsEmpty());
    EXPECT_THAT(first(got).uvs, IsEmpty());
    EXPECT_EQ(got.defects.count("normal-nonfinite"), 1U);
    EXPECT_EQ(got.defects.count("uv-nonfinite"), 1U);
}

TEST(GltfReader, PrimitivesThatShareVerticesTakeOnlyTheirOwn) {
    Triangle file;
    ByteVector bytes;
    append<float>(bytes, {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0});
    const std::size_t position = file.add(bytes, 5126, 6, "VEC3");
    file.primitive() = {{"attributes", {{"POSITION", position}}}, {"indices", file.add({5, 3, 5}, 5121, 3, "SCALAR")}};
    file.head["meshes"][0]["primitives"].push_back(
        {{"attributes", {{"POSITION", position}}}, {"indices", file.add({0, 1, 2}, 5121, 3, "SCALAR")}});
    const Outcome got = readBytes(file.glb());
    EXPECT_THAT(first(got).positions, ElementsAre(Vec3(3, 0, 0), Vec3(5, 0, 0)));
    EXPECT_THAT(first(got).indices, ElementsAre(1, 0, 1));
    EXPECT_EQ(got.scene.meshes[0].primitives[1].positions.size(), 3U);
}

// ---------------------------------------------------------------------------------------------------- nodes

TEST(GltfReader, TransformsAreKeptAsTheyAreWritten) {
    Triangle file;
    file.head["nodes"] = json::parse(R"([
        {"name": "a", "children": [1, 2], "translation": [1, 2, 3], "rotation": [0, 0.6, 0, 0.8], "scale": [-1, 1, 1]},
        {"name": "b", "matrix": [2,0,0,0, 0,2,0,0, 0,0,2,0, 5,6,7,1], "mesh": 0},
        {"name": "b.001", "mesh": 0}])");
    const Outcome got = readBytes(file.glb());
    ASSERT_EQ(got.scene.nodes.size(), 3U);
    EXPECT_EQ(got.scene.nodes[0].scale, Vec3(-1, 1, 1));
    EXPECT_EQ(got.scene.nodes[0].rotation, quat(0, 0.6F, 0, 0.8F));
    EXPECT_EQ((*got.scene.nodes[1].matrix)[3], Vec4(5, 6, 7, 1));
    EXPECT_EQ(got.scene.nodes[2].name, "b.001");
    EXPECT_EQ(got.scene.nodes[1].parent, 0U);
    // An instance is a second node with the same mesh; nothing is copied. A mirrored node keeps its winding.
    EXPECT_EQ(got.scene.nodes[1].mesh, got.scene.nodes[2].mesh);
    EXPECT_EQ(got.scene.meshes.size(), 1U);
    EXPECT_THAT(first(got).indices, ElementsAre(0, 1, 2));
}

TEST(GltfReader, TheDefaultSceneIsReadAndTheRestIsMentioned) {
    Triangle file;
    file.head["nodes"] = json::parse(R"([{"name": "old", "mesh": 0}, {"name": "new", "mesh": 0}])");
    file.head["scenes"] = json::parse(R"([{"nodes": [0]}, {"nodes": [1]}])");
    file.head["scene"] = 1;
    Outcome got = readBytes(file.glb());
    ASSERT_EQ(got.scene.nodes.size(), 1U);
    EXPECT_EQ(got.scene.nodes[0].name, "new");
    EXPECT_EQ(got.defects.count("other-scenes"), 1U);
    file.head.erase("scene");
    EXPECT_EQ(readBytes(file.glb()).scene.nodes[0].name, "old");
    file.head.erase("scenes");
    EXPECT_EQ(readBytes(file.glb()).scene.nodes.size(), 2U);
}

TEST(GltfReader, ExtrasAreKeptAsText) {
    Triangle file;
    file.head["nodes"][0]["extras"] = json::parse(R"({"geomconv": {"hull": {"id": 60301167, "type": "wrap"}}})");
    const Outcome got = readBytes(file.glb());
    EXPECT_EQ(got.scene.nodes[0].extras.value(), file.head["nodes"][0]["extras"]);
    EXPECT_EQ(got.scene.nodes[0].content, Content::Bounds);
}

TEST(GltfReader, ExtrasThatNothingKeepsAreNoHindrance) {
    // Of items in arrays that are cut out of the text whole, and of such that are not; and of what lies inside items.
    Triangle file;
    const json extras{{"a", {{"extras", 1}}}};
    for (const char* array : {"accessors", "buffers", "bufferViews", "meshes", "nodes", "scenes"}) {
        for (json& item : file.head[array]) item["extras"] = extras;
    }
    file.primitive()["extras"] = extras;
    file.head["extras"] = file.head["asset"]["extras"] = extras;
    file.head["materials"] = json::parse(R"([{"extras": 7, "pbrMetallicRoughness": {"extras": 8}, "name": "m"}])");
    file.head["samplers"] = json::parse(R"([{"extras": [1]}])");
    const Outcome got = readBytes(file.glb());
    ASSERT_EQ(got.errorText(), "");
    EXPECT_EQ(got.scene.nodes.at(0).extras.text(), R"({"a":{"extras":1}})");
    EXPECT_EQ(got.scene.meshes.at(0).extras.text(), R"({"a":{"extras":1}})");
    EXPECT_EQ(got.scene.materials.at(0).extras.text(), "7");
    EXPECT_EQ(got.scene.materials.at(0).name, "m");
}

TEST(GltfReader, IndicesWithoutAViewAreZerosAndWhatTheirSparseValuesSay) {
    Triangle file;
    file.add({1, 2}, 5121, 2, "SCALAR");  // which elements
    file.add({1, 2}, 5121, 2, "SCALAR");  // and their values
    const std::size_t view = file.head["bufferViews"].size() - 2;
    file.head["accessors"].push_back({{"componentType", 5121}, {"count", 3}, {"type", "SCALAR"}});
    file.head["accessors"].back()["sparse"] = {{"count", 2},
                                               {"indices", {{"bufferView", view}, {"componentType", 5121}}},
                                               {"values", {{"bufferView", view + 1}}}};
    file.primitive()["indices"] = file.head["accessors"].size() - 1;
    EXPECT_THAT(first(readBytes(file.glb())).indices, ElementsAre(0, 1, 2));
}

TEST(GltfReader, RotationsAreOfLengthOne) {
    Triangle file;
    file.head["nodes"][0]["rotation"] = {0, 0, 2, 0};
    Outcome got = readBytes(file.glb());
    EXPECT_EQ(got.scene.nodes.at(0).rotation, quat(0, 0, 1, 0));
    EXPECT_EQ(got.defects.count("rotation-length"), 1U);
    file.head["nodes"][0]["rotation"] = {0, 0, 0, 0};
    got = readBytes(file.glb());
    EXPECT_EQ(got.scene.nodes.at(0).rotation, quat(0, 0, 0, 1));
    EXPECT_EQ(got.defects.count("rotation-zero"), 1U);
}

TEST(GltfReader, AMatrixStandsInsteadOfTheOtherThree) {
    Triangle file;
    file.head["nodes"][0]["translation"] = {1, 2, 3};
    file.head["nodes"][0]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
    const Outcome got = readBytes(file.glb());
    ASSERT_EQ(got.errorText(), "");
    EXPECT_EQ(got.scene.nodes[0].translation, Vec3(0.0F));
    EXPECT_EQ(got.scene.nodes[0].matrix.value()[3], Vec4(4, 5, 6, 1));
}

TEST(GltfReader, AnAttributeThatIsThereTwiceIsRefused) {
    std::string text = Triangle().head.dump();
    const std::string once = R"("POSITION":0)";
    text.insert(text.find(once), once + ",");
    const Outcome got = readBytes(test::glbOf(text, Triangle().bin));
    ASSERT_TRUE(got.error);
    EXPECT_THAT(got.errorText(), HasSubstr("primitive 0 of mesh 0 'wing mesh': POSITION is there twice"));
}

TEST(GltfReader, ADeepHierarchyIsNoProblem) {
    Triangle file;
    file.head["nodes"] = json::array();
    for (int i = 0; i < 20000; ++i) file.head["nodes"].push_back({{"children", {i + 1}}});
    file.head["nodes"].push_back({{"mesh", 0}});
    EXPECT_EQ(readBytes(file.glb()).scene.nodes.size(), 20001U);
}

// ---------------------------------------------------------------------------------------------------- files beside it

TEST(GltfReader, BuffersBesideTheFileByEncodedAndLiteralNames) {
    for (const std::string uri : {"ship%20%C3%A4.bin", "ship \xc3\xa4.bin", "sh%69p \xc3\xa4.bin"}) {
        Triangle file;
        file.head["buffers"][0]["uri"] = uri;
        const Outcome got = readText(file.head.dump(), {{"ship \xc3\xa4.bin", file.bin}});
        EXPECT_EQ(got.errorText(), "") << uri;
    }
    Triangle percent;
    percent.head["buffers"][0]["uri"] = "100%.bin";
    EXPECT_EQ(readText(percent.head.dump(), {{"100%.bin", percent.bin}}).errorText(), "");
}

TEST(GltfReader, DataUrisOfAnyMimeType) {
    const std::string body = base64FromBytes(Triangle().bin);
    for (const std::string head : {"data:application/octet-stream;base64,", "data:application/gltf-buffer;base64,",
                                   "data:;base64,", "data:text/plain;charset=utf-8;base64,"}) {
        Triangle file;
        file.head["buffers"][0]["uri"] = head + body;
        EXPECT_EQ(first(readText(file.head.dump())).positions.size(), 3U) << head;
    }
}

TEST(GltfReader, EscapedSlashesInADataUri) {
    Triangle file;
    std::string body = base64FromBytes(file.bin);
    file.head["buffers"][0]["uri"] = "data:;base64," + body;
    std::string text = file.head.dump();
    for (std::size_t at = 0; (at = text.find('/', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\/");
    EXPECT_EQ(readText(text).errorText(), "");
}

TEST(GltfReader, ImagesAreKeptByteForByte) {
    Triangle file;
    const ByteVector png{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2, 3};
    file.add(png, 5121, png.size(), "SCALAR");
    file.head["images"] = json::array();
    file.head["images"].push_back({{"bufferView", 2}, {"mimeType", "image/png"}, {"name", "inner"}});
    file.head["images"].push_back({{"uri", "textures/ru%20st.jpg"}});
    file.head["images"].push_back({{"uri", "data:image/webp;base64,AAEC"}});
    const Outcome got = readBytes(file.glb(), {{"textures/ru st.jpg", {0xff, 0xd8, 0xff, 9}}});
    ASSERT_EQ(got.scene.images.size(), 3U);
    EXPECT_EQ(got.scene.images[0].encoded, png);
    EXPECT_EQ(got.scene.images[0].name, "inner");
    EXPECT_EQ(got.scene.images[1].encoded, (ByteVector{0xff, 0xd8, 0xff, 9}));
    EXPECT_EQ(got.scene.images[1].name, "ru st");
    EXPECT_EQ(got.scene.images[1].mimeType, "image/jpeg");
    EXPECT_EQ(got.scene.images[2].mimeType, "image/webp");
    EXPECT_EQ(got.scene.images[2].encoded, (ByteVector{0, 1, 2}));
}

TEST(GltfReader, AMissingImageIsOneWarning) {
    Triangle file;
    file.head["images"] = {{{"uri", "gone.png"}}};
    const Outcome got = readBytes(file.glb());
    EXPECT_EQ(got.errorText(), "");
    EXPECT_EQ(got.defects.count("missing-file"), 1U);
    EXPECT_EQ(got.scene.images[0].uri, "gone.png");
}

TEST(GltfReader, NothingOutsideTheFolderIsAskedFor) {
    for (const std::string uri : {"../a.bin", "%2e%2e/a.bin", "sub/../../a.bin", "/etc/passwd", "\\\\host\\a.bin",
                                  "C:a.bin", "http://host/a.bin", "file:///a.bin", "a.bin%00.png", "..\\a.bin"}) {
        Triangle file;
        file.head["buffers"][0]["uri"] = uri;
        std::map<std::string, ByteVector> files;
        for (const std::string& name : {uri, std::string("../a.bin")}) files[name] = file.bin;
        const Outcome got = readText(file.head.dump(), files);
        ASSERT_TRUE(got.error) << uri;
        EXPECT_EQ(got.error->kind, "uri") << uri;
    }
}

TEST(GltfReader, AByteOrderMarkIsPassedOver) {
    Triangle file;
    file.head["buffers"][0]["uri"] = "data:;base64," + base64FromBytes(file.bin);
    EXPECT_EQ(readText("\xef\xbb\xbf" + file.head.dump()).errorText(), "");
}

TEST(GltfReader, UnknownChunksArePassedOver) {
    ByteVector glb = Triangle().glb();
    append<std::uint32_t>(glb, {4, 0x12345678, 0});
    const auto length = static_cast<std::uint32_t>(glb.size());
    std::memcpy(glb.data() + 8, &length, 4);
    EXPECT_EQ(readBytes(glb).errorText(), "");
}

// ---------------------------------------------------------------------------------------------------- there and back

Outcome thereAndBack(const Scene& scene) {
    MemoryOutput out;
    Defects defects;
    gltf::writeGlb(scene, {}, out, defects);
    return readBytes(out.takeMain());
}

TEST(GltfRoundTrip, NamesOrderHierarchyMaterialsAndExtrasSurvive) {
    const Scene before = test::fullScene();
    const Outcome got = thereAndBack(before);
    ASSERT_EQ(got.errorText(), "");
    const Scene& after = got.scene;
    ASSERT_EQ(after.nodes.size(), before.nodes.size());
    for (std::size_t i = 0; i < before.nodes.size(); ++i) {
        EXPECT_EQ(after.nodes[i].name, before.nodes[i].name);
        EXPECT_EQ(after.nodes[i].mesh, before.nodes[i].mesh);
        EXPECT_EQ(after.nodes[i].extras.value(), before.nodes[i].extras.value());
        if (i == 4) continue;  // the skinned mesh stands at the top, as glTF wants it
        EXPECT_EQ(after.nodes[i].parent, before.nodes[i].parent);
        EXPECT_EQ(after.nodes[i].translation, before.nodes[i].translation);
        EXPECT_EQ(after.nodes[i].matrix, before.nodes[i].matrix);
    }
    for (std::size_t i = 0; i < before.materials.size(); ++i) {
        EXPECT_EQ(after.materials[i].name, before.materials[i].name);
        EXPECT_EQ(after.materials[i].baseColor, before.materials[i].baseColor);
        EXPECT_EQ(after.materials[i].image, before.materials[i].image);
        EXPECT_EQ(after.materials[i].wrapU, before.materials[i].wrapU);
        EXPECT_EQ(after.materials[i].wrapV, before.materials[i].wrapV);
        EXPECT_EQ(after.materials[i].filter, before.materials[i].filter);
        EXPECT_EQ(after.materials[i].alphaMode, before.materials[i].alphaMode);
        EXPECT_EQ(after.materials[i].unlit, before.materials[i].unlit);
        EXPECT_EQ(after.materials[i].metallic, before.materials[i].metallic);
        EXPECT_EQ(after.materials[i].extras.value(), before.materials[i].extras.value());
    }
}

TEST(GltfRoundTrip, ArraysSkinsTargetsAndAnimationsSurvive) {
    const Scene before = test::fullScene();
    const Outcome got = thereAndBack(before);
    ASSERT_EQ(got.errorText(), "");
    const Scene& after = got.scene;
    EXPECT_EQ(after.meshes[0].primitives[0].positions, before.meshes[0].primitives[0].positions);
    EXPECT_EQ(after.meshes[0].primitives[0].indices, before.meshes[0].primitives[0].indices);
    EXPECT_EQ(after.meshes[1].primitives[0].topology, Topology::Lines);
    EXPECT_EQ(after.meshes[1].primitives[1].topology, Topology::Points);
    EXPECT_EQ(after.meshes[2].primitives[0].influences[0].joints, before.meshes[2].primitives[0].influences[0].joints);
    EXPECT_EQ(after.meshes[2].primitives[0].influences[0].weights,
              before.meshes[2].primitives[0].influences[0].weights);
    EXPECT_EQ(after.meshes[3].primitives[0].targets[1].name, "frown");
    EXPECT_EQ(after.meshes[3].primitives[0].targets[1].positions, before.meshes[3].primitives[0].targets[1].positions);
    EXPECT_EQ(after.meshes[3].weights, before.meshes[3].weights);
    EXPECT_EQ(after.meshes[3].extras, before.meshes[3].extras);
    EXPECT_EQ(after.skins[0].joints, before.skins[0].joints);
    EXPECT_EQ(after.skins[0].inverseBindMatrices, before.skins[0].inverseBindMatrices);
    ASSERT_EQ(after.animations[0].channels.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(after.animations[0].channels[i].times, before.animations[0].channels[i].times);
        EXPECT_EQ(after.animations[0].channels[i].values, before.animations[0].channels[i].values);
        EXPECT_EQ(after.animations[0].channels[i].node, before.animations[0].channels[i].node);
    }
}

TEST(GltfRoundTrip, ASecondRoundChangesNoByte) {
    for (const Scene& scene : {test::fullScene(), test::hullScene()}) {
        MemoryOutput first, second, third;
        Defects defects;
        gltf::writeGlb(scene, {}, first, defects);
        const ByteVector once = first.takeMain();
        gltf::writeGlb(readBytes(once).scene, {}, second, defects);
        const ByteVector twice = second.takeMain();
        gltf::writeGlb(readBytes(twice).scene, {}, third, defects);
        EXPECT_EQ(twice, third.takeMain());
    }
}

TEST(GltfRoundTrip, HullNodesComeBackWithTheirIds) {
    const Outcome got = thereAndBack(test::hullScene());
    ASSERT_EQ(got.errorText(), "");
    const Node& hull = got.scene.nodes[3];
    EXPECT_EQ(hull.name, "0x03981F6F");
    EXPECT_EQ(hull.parent, 1U);
    EXPECT_EQ(hull.content, Content::Collision);
    EXPECT_EQ(hull.extras.value()["geomconv"]["hull"]["id"], 0x03981f6f);
}

// ---------------------------------------------------------------------------------------------------- refused files

struct Refusal {
    const char* name;
    std::function<void(Triangle&)> damage;
    const char* kind;
    const char* text;  ///< part of the message: where it is
};

class GltfRefusal : public ::testing::TestWithParam<Refusal> {};

TEST_P(GltfRefusal, NamesThePlace) {
    Triangle file;
    GetParam().damage(file);
    const Outcome got = readBytes(file.glb());
    ASSERT_TRUE(got.error) << "was read";
    EXPECT_EQ(got.error->kind, GetParam().kind) << got.errorText();
    EXPECT_THAT(got.errorText(), HasSubstr(GetParam().text));
}

json& accessor(Triangle& t, std::size_t i) {
    return t.head["accessors"][i];
}
json& node(Triangle& t) {
    return t.head["nodes"][0];
}

void putFloat(Triangle& t, std::size_t at, float value) {
    std::memcpy(t.bin.data() + at, &value, 4);
}

const Refusal kRefusals[] = {
    {"VersionOne", [](Triangle& t) { t.head["asset"]["version"] = "1.0"; }, "version", "glTF 1.0"},
    {"MinVersion", [](Triangle& t) { t.head["asset"]["minVersion"] = "2.1"; }, "version", "/asset/minVersion"},
    {"NoAsset", [](Triangle& t) { t.head.erase("asset"); }, "schema", "\"asset\" is missing"},
    {"RequiredExtension", [](Triangle& t) { t.head["extensionsRequired"] = {"KHR_draco_mesh_compression"}; },
     "extension", "KHR_draco_mesh_compression"},
    {"DracoThatIsNotSaidToBeNeeded",
     [](Triangle& t) {
         accessor(t, 0).erase("bufferView");
         t.head["extensionsUsed"] = {"KHR_draco_mesh_compression"};
         t.primitive()["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", 0},
                                                                      {"attributes", {{"POSITION", 0}}}};
     },
     "extension", "primitive 0 of mesh 0 'wing mesh': POSITION is packed by KHR_draco_mesh_compression"},
    {"MeshoptThatIsNotSaidToBeNeeded",
     [](Triangle& t) {
         t.head["extensionsUsed"] = {"EXT_meshopt_compression"};
         t.head["buffers"].push_back({{"byteLength", 4}});
         t.head["buffers"][1]["extensions"]["EXT_meshopt_compression"]["fallback"] = true;
     },
     "extension", "buffer 1: its bytes are packed by EXT_meshopt_compression"},
    {"PositionNan", [](Triangle& t) { putFloat(t, 12, kNan); }, "nonfinite",
     "accessor 0 of primitive 0 of mesh 0 'wing mesh'"},
    {"PositionInfinite", [](Triangle& t) { putFloat(t, 4, std::numeric_limits<float>::infinity()); }, "nonfinite",
     "position 0"},
    {"IndexPastTheVertices", [](Triangle& t) { t.bin[38] = 3; }, "index-range", "element 1 is vertex 3, there are 3"},
    {"NegativeCount", [](Triangle& t) { accessor(t, 0)["count"] = -3; }, "schema", "/accessors/0/count"},
    {"CountOfTwoToThe31", [](Triangle& t) { accessor(t, 0)["count"] = 2147483648U; }, "accessor-range", "accessor 0"},
    {"CountOfTwoToThe53", [](Triangle& t) { accessor(t, 0)["count"] = 9007199254740992U; }, "accessor-range",
     "accessor 0"},
    {"CountZero", [](Triangle& t) { accessor(t, 1)["count"] = 0; }, "count", "accessor 1"},
    {"CountWithoutView",
     [](Triangle& t) {
         accessor(t, 0).erase("bufferView");
         accessor(t, 0)["count"] = 2147483648U;
     },
     "count", "accessor 0"},
    {"CountsDiffer",
     [](Triangle& t) {
         ByteVector two;
         append<float>(two, {0, 0, 1, 0, 0, 1});
         t.primitive()["attributes"]["NORMAL"] = t.add(two, 5126, 2, "VEC3");
     },
     "count", "NORMAL has 2 elements, POSITION 3"},
    {"AccessorBeyondItsView", [](Triangle& t) { accessor(t, 0)["count"] = 4; }, "accessor-range", "accessor 0"},
    {"OffsetBeyondItsView", [](Triangle& t) { accessor(t, 0)["byteOffset"] = 4; }, "accessor-range", "accessor 0"},
    {"ViewBeyondItsBuffer", [](Triangle& t) { t.head["bufferViews"][1]["byteLength"] = 100; }, "view-range",
     "bufferView 1"},
    {"BufferBeyondTheChunk", [](Triangle& t) { t.head["buffers"][0]["byteLength"] = 1U << 31; }, "truncated",
     "buffer 0"},
    {"NoSuchBuffer", [](Triangle& t) { t.head["bufferViews"][0]["buffer"] = 1; }, "index-range", "bufferView 0"},
    {"NoSuchView", [](Triangle& t) { accessor(t, 0)["bufferView"] = 7; }, "index-range", "accessor 0"},
    {"ViewNumberOf33Bits", [](Triangle& t) { accessor(t, 0)["bufferView"] = 4294967296U; }, "schema",
     "/accessors/0/bufferView"},
    {"NoSuchAccessor", [](Triangle& t) { t.primitive()["attributes"]["POSITION"] = 9; }, "index-range", "mesh 0"},
    {"NoSuchMaterial", [](Triangle& t) { t.primitive()["material"] = 0; }, "index-range", "material 0, there are 0"},
    {"NoSuchMesh", [](Triangle& t) { node(t)["mesh"] = 1; }, "index-range", "node 0 'wing'"},
    {"NoSuchSkin", [](Triangle& t) { node(t)["skin"] = 0; }, "index-range", "node 0"},
    {"NoSuchScene", [](Triangle& t) { t.head["scene"] = 3; }, "index-range", "/scene"},
    {"NoSuchRoot", [](Triangle& t) { t.head["scenes"][0]["nodes"] = {5}; }, "index-range", "scene 0"},
    {"Unaligned", [](Triangle& t) { t.head["bufferViews"][0]["byteOffset"] = 2; }, "alignment", "accessor 0"},
    {"StrideTooSmall", [](Triangle& t) { t.head["bufferViews"][0]["byteStride"] = 8; }, "stride", "accessor 0"},
    {"StrideOdd", [](Triangle& t) { t.head["bufferViews"][0]["byteStride"] = 13; }, "schema", "byteStride"},
    {"ComponentTypeUnknown", [](Triangle& t) { accessor(t, 0)["componentType"] = 5130; }, "component-type", "5130"},
    {"TypeUnknown", [](Triangle& t) { accessor(t, 0)["type"] = "VEC5"; }, "schema", "VEC5"},
    {"PositionOfTwoComponents",
     [](Triangle& t) {
         accessor(t, 0)["type"] = "VEC2";
         accessor(t, 0).erase("min");
         accessor(t, 0).erase("max");
     },
     "accessor-type", "VEC2 of FLOAT"},
    {"ColourOfBytesThatAreNotNormalised",
     [](Triangle& t) { t.primitive()["attributes"]["COLOR_0"] = t.add(ByteVector(12), 5121, 3, "VEC4"); },
     "accessor-type", "VEC4 of UNSIGNED_BYTE, not normalised, cannot be COLOR"},
    {"IndicesOfFloats", [](Triangle& t) { t.primitive()["indices"] = 0; }, "accessor-type", "cannot be indices"},
    {"MinOfTwoNumbers",
     [](Triangle& t) {
         accessor(t, 0)["min"] = {0, 0};
     },
     "schema", "accessor 0"},
    {"OffsetAsText", [](Triangle& t) { accessor(t, 0)["byteOffset"] = "0"; }, "schema", "/accessors/0/byteOffset"},
    {"MatrixOfTwelve", [](Triangle& t) { node(t)["matrix"] = json(std::vector<int>(12, 1)); }, "schema",
     "/nodes/0/matrix"},
    {"TranslationTooLarge",
     [](Triangle& t) {
         node(t)["translation"] = {1e300, 0, 0};
     },
     "nonfinite", "node 0 'wing'"},
    {"AttributesMissing", [](Triangle& t) { t.primitive().erase("attributes"); }, "schema", "/meshes/0/primitives/0"},
    {"AttributeNoNumber", [](Triangle& t) { t.primitive()["attributes"]["NORMAL"] = "x"; }, "schema",
     "/meshes/0/primitives/0/attributes/NORMAL"},
    {"TransformOfOneNumber",
     [](Triangle& t) {
         t.head["extensionsUsed"] = {"KHR_texture_transform"};
         t.head["materials"] = json::parse(
             R"([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [2]}}}}}])");
     },
     "schema", "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale"},
    {"ModeUnknown", [](Triangle& t) { t.primitive()["mode"] = 7; }, "mode", "mesh 0"},
    {"OwnChild", [](Triangle& t) { node(t)["children"] = {0}; }, "node-cycle", "node 0 'wing'"},
    {"Cycle",
     [](Triangle& t) {
         t.head["nodes"] = json::parse(R"([{"children": [1]}, {"children": [2]}, {"children": [0]}])");
         t.head.erase("scene");
         t.head.erase("scenes");
     },
     "node-cycle", "is its own ancestor"},
    {"TwoParents",
     [](Triangle& t) { t.head["nodes"] = json::parse(R"([{"children": [2]}, {"children": [2]}, {"name": "x"}])"); },
     "node-parents", "node 2 'x'"},
    {"SceneNamesAChild", [](Triangle& t) { t.head["nodes"] = json::parse(R"([{}, {"children": [0]}])"); }, "scene-root",
     "node 0"},
    {"SparseIndexPastTheEnd",
     [](Triangle& t) {
         t.add({9}, 5121, 1, "SCALAR");
         accessor(t, 0)["sparse"] = json::parse(
             R"({"count": 1, "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 0}})");
     },
     "sparse-index", "accessor 0"},
    {"SparseIndicesFall",
     [](Triangle& t) {
         t.add({1, 0}, 5121, 2, "SCALAR");
         accessor(t, 0)["sparse"] = json::parse(
             R"({"count": 2, "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 0}})");
     },
     "sparse-index", "not more than the one before"},
    {"SparseMoreThanThereAre",
     [](Triangle& t) {
         accessor(t, 0)["sparse"] = json::parse(
             R"({"count": 4, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}})");
     },
     "count", "sparse count 4"},
    {"Base64Junk", [](Triangle& t) { t.head["buffers"][0]["uri"] = "data:;base64,@@@@"; }, "data-uri", "buffer 0"},
    {"DataUriWithoutComma", [](Triangle& t) { t.head["buffers"][0]["uri"] = "data:junk"; }, "data-uri", "buffer 0"},
    {"BufferMissing", [](Triangle& t) { t.head["buffers"][0]["uri"] = "gone.bin"; }, "missing-file", "gone.bin"},
    {"SecondBufferOfTheChunk",
     [](Triangle& t) {
         t.head["buffers"].push_back({{"byteLength", 4}});
     },
     "missing-file", "buffer 1"},
    {"JointPastTheSkin",
     [](Triangle& t) {
         ByteVector weights;
         append<float>(weights, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
         t.primitive()["attributes"]["JOINTS_0"] = t.add({0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0}, 5121, 3, "VEC4");
         t.primitive()["attributes"]["WEIGHTS_0"] = t.add(weights, 5126, 3, "VEC4");
         t.head["skins"] = json::parse(R"([{"joints": [0]}])");
         node(t)["skin"] = 0;
     },
     "index-range", "node 0 'wing'"},
    {"TimesFall",
     [](Triangle& t) {
         ByteVector times, values;
         append<float>(times, {1, 0});
         append<float>(values, {0, 0, 0, 0, 0, 0});
         const auto input = t.add(times, 5126, 2, "SCALAR");
         const auto output = t.add(values, 5126, 2, "VEC3");
         t.head["animations"] =
             json::parse(R"([{"channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}]}])");
         t.head["animations"][0]["samplers"] = {{{"input", input}, {"output", output}}};
     },
     "times", "channel 0 of animation 0"},
};

INSTANTIATE_TEST_SUITE_P(Table, GltfRefusal, ::testing::ValuesIn(kRefusals),
                         [](const auto& row) { return std::string(row.param.name); });

/// Files that the Khronos validator finds sound, and why they are refused here. FORMAT.md section 6 has the same list.
const char* const kSoundForTheValidator[] = {"DracoThatIsNotSaidToBeNeeded", "MeshoptThatIsNotSaidToBeNeeded",
                                             "CountWithoutView", "TranslationTooLarge", "SecondBufferOfTheChunk"};

TEST(GltfReader, TheKhronosValidatorRefusesTheSameFiles) {
    std::vector<std::pair<std::string, ByteVector>> files;
    for (const Refusal& row : kRefusals) {
        Triangle file;
        row.damage(file);
        files.emplace_back(std::string(row.name) + ".glb", file.glb());
    }
    const auto errors = test::validatorErrors(files);
    if (!errors) return;
    ASSERT_EQ(errors->size(), std::size(kRefusals));
    for (std::size_t i = 0; i < errors->size(); ++i) {
        const bool sound = std::any_of(std::begin(kSoundForTheValidator), std::end(kSoundForTheValidator),
                                       [&](std::string_view name) { return name == kRefusals[i].name; });
        EXPECT_EQ((*errors)[i] == 0, sound) << kRefusals[i].name;
    }
}

/// Without recover the first fault ends the reading; with it everything else is there, and each loss is said.
TEST(GltfReader, RecoverLeavesOutWhatConcernsItselfAlone) {
    Triangle file;
    ByteVector two, times, weights;
    append<float>(two, {0, 0, 1, 0, 0, 1});
    append<float>(times, {1, 0});
    append<float>(weights, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    json& attributes = file.primitive()["attributes"];
    attributes["NORMAL"] = file.add(two, 5126, 2, "VEC3");
    attributes["JOINTS_0"] = file.add({9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 5121, 3, "VEC4");
    attributes["WEIGHTS_0"] = file.add(weights, 5126, 3, "VEC4");
    file.head["skins"] = json::parse(R"([{"joints": [0]}])");
    file.head["nodes"][0]["skin"] = 0;
    file.primitive()["targets"] = json::array({{{"POSITION", 1}}});
    // A second primitive whose indices are out of range, and an animation whose times fall.
    file.head["meshes"][0]["primitives"].push_back(file.primitive());
    file.head["meshes"][0]["primitives"][1]["indices"] = file.add({0, 1, 7}, 5121, 3, "SCALAR");
    file.head["animations"] =
        json::parse(R"([{"channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}]}])");
    file.head["animations"][0]["samplers"] = {
        {{"input", file.add(times, 5126, 2, "SCALAR")}, {"output", file.add(two, 5126, 2, "VEC3")}}};
    const ByteVector glb = file.glb();
    EXPECT_TRUE(readBytes(glb).error);

    Input input;
    input.bytes = glb;
    ReadOptions options;
    options.recover = true;
    Defects defects;
    const Scene scene = gltf::readGlb(input, options, defects);
    ASSERT_EQ(scene.meshes.at(0).primitives.size(), 1U);
    const Primitive& primitive = scene.meshes[0].primitives[0];
    EXPECT_THAT(primitive.positions, ElementsAre(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)));
    EXPECT_THAT(primitive.normals, IsEmpty());
    EXPECT_THAT(primitive.targets, IsEmpty());
    EXPECT_FALSE(scene.nodes.at(0).skin);
    EXPECT_THAT(scene.animations.at(0).channels, IsEmpty());
    EXPECT_EQ(defects.count(Severity::Error), 0U);
    EXPECT_EQ(defects.count("count"), 1U);          // the normals
    EXPECT_EQ(defects.count("accessor-type"), 1U);  // the target
    EXPECT_EQ(defects.count("index-range"), 2U);    // the primitive, the joint
    EXPECT_EQ(defects.count("times"), 1U);
}

TEST(GltfReader, DeepNestingIsRefused) {
    Triangle file;
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    std::string text = file.head.dump();
    text.insert(1, "\"extras\":" + deep + ",");
    const Outcome got = readText(text);
    ASSERT_TRUE(got.error);
    EXPECT_EQ(got.error->kind, "json");
}

TEST(GltfReader, ManyUsesOfOneArrayDoNotFillTheMemory) {
    Triangle file;
    ByteVector bytes(120000);
    const std::size_t position = file.add(bytes, 5126, 10000, "VEC3");
    const json primitive{{"attributes", {{"POSITION", position}}}};
    for (int i = 0; i < 20000; ++i) file.head["meshes"][0]["primitives"].push_back(primitive);
    const Outcome got = readBytes(file.glb());
    ASSERT_TRUE(got.error);
    EXPECT_EQ(got.error->kind, "memory");
}

TEST(GltfReader, EveryTruncationIsRefused) {
    const ByteVector glb = Triangle().glb();
    for (std::size_t n = 0; n < glb.size(); ++n) {
        const Outcome got = readBytes(ByteVector(glb.begin(), glb.begin() + static_cast<std::ptrdiff_t>(n)));
        EXPECT_TRUE(got.error) << n;
    }
}

TEST(GltfReader, LyingLengthsOfChunksAreRefused) {
    for (const std::size_t at : {8U, 12U}) {
        for (const std::uint32_t value : {0U, 1U, 0x7fffffffU, 0xffffffffU}) {
            ByteVector glb = Triangle().glb();
            std::memcpy(glb.data() + at, &value, 4);
            EXPECT_TRUE(readBytes(glb).error) << at << " " << value;
        }
    }
}

}  // namespace
}  // namespace geomconv
