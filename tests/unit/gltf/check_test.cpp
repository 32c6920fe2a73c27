// What `validate` says of glTF files, side by side with the Khronos validator: for every file here both must agree
// whether it is sound, but for the rows that say why not.

#include <gmock/gmock.h>

#include <cstdio>
#include <functional>
#include <limits>

#include "tests/support/shared.hpp"
#include "tests/unit/gltf/files.hpp"
#include "tests/unit/gltf/scenes.hpp"

namespace geomconv {
namespace {

using test::append;
using test::json;
using test::Triangle;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Defects checked(const ByteVector& bytes) {
    Input input;
    input.name = "a.glb";
    input.bytes = bytes;
    Defects defects;
    gltf::check(input, {}, defects);
    return defects;
}

std::string textOf(const Defects& defects) {
    std::string text;
    for (const Defect& defect : defects.list()) text += defect.kind + ": " + toText(defect) + "\n";
    return text;
}

TEST(GltfCheck, WhatWeWriteIsSound) {
    for (const Scene& scene : {test::fullScene(), test::hullScene()}) {
        MemoryOutput out;
        Defects said;
        gltf::writeGlb(scene, {}, out, said);
        EXPECT_EQ(textOf(checked(out.takeMain())), "");
    }
}

TEST(GltfCheck, AChunkOfOddLengthIsAnErrorThatAReaderGoesPast) {
    ByteVector glb = test::glbOf(Triangle().head.dump(), Triangle().bin);
    // The BIN chunk is the last: one byte less of it, and of the file.
    glb.pop_back();
    const auto total = static_cast<std::uint32_t>(glb.size());
    const auto chunk = static_cast<std::uint32_t>(Triangle().bin.size() - 1);
    std::memcpy(glb.data() + 8, &total, 4);
    std::memcpy(glb.data() + glb.size() - chunk - 8, &chunk, 4);
    json head = Triangle().head;
    EXPECT_EQ(checked(glb).count("truncated"), 1U);  // the buffer now says more than there is
    head["buffers"][0]["byteLength"] = chunk;
    ByteVector sound = test::glbOf(head, Triangle().bin);
    sound.pop_back();
    const auto soundTotal = static_cast<std::uint32_t>(sound.size());
    std::memcpy(sound.data() + 8, &soundTotal, 4);
    std::memcpy(sound.data() + sound.size() - chunk - 8, &chunk, 4);
    EXPECT_EQ(test::readBytes(sound).errorText(), "");
    const Defects defects = checked(sound);
    EXPECT_EQ(defects.count("glb-chunk"), 1U);
    EXPECT_EQ(defects.count(Severity::Error), 1U);
}

struct Case {
    const char* name;
    std::function<void(Triangle&)> damage;
    const char* kind;   ///< of the defect we report; null: none
    bool isError;       ///< or a warning
    const char* other;  ///< why the validator's verdict differs; null: it agrees
};

json& accessor(Triangle& t, std::size_t i) {
    return t.head["accessors"][i];
}
json& node(Triangle& t) {
    return t.head["nodes"][0];
}

void addFloats(Triangle& t, const char* attribute, std::initializer_list<float> values, const char* type) {
    ByteVector bytes;
    append<float>(bytes, values);
    t.primitive()["attributes"][attribute] = t.add(bytes, 5126, 3, type);
}

void skin(Triangle& t, std::initializer_list<float> weights, ByteVector joints) {
    addFloats(t, "WEIGHTS_0", weights, "VEC4");
    t.primitive()["attributes"]["JOINTS_0"] = t.add(joints, 5121, 3, "VEC4");
    t.head["nodes"].push_back({{"name", "bone"}});
    t.head["scenes"][0]["nodes"] = {0, 1};
    t.head["skins"] = json::parse(R"([{"joints": [1]}])");
    node(t)["skin"] = 0;
}

void animate(Triangle& t, std::initializer_list<float> times, std::initializer_list<float> values, const char* path,
             const char* type, std::size_t count) {
    ByteVector in, out;
    append<float>(in, times);
    append<float>(out, values);
    const auto input = t.add(in, 5126, times.size(), "SCALAR");
    accessor(t, input)["min"] = {std::min(times)};
    accessor(t, input)["max"] = {std::max(times)};
    const auto output = t.add(out, 5126, count, type);
    t.head["animations"] = json::array();
    t.head["animations"].push_back({{"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", path}}}}}},
                                    {"samplers", {{{"input", input}, {"output", output}}}}});
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const Case kCases[] = {
    {"Sound", [](Triangle&) {}, nullptr, false, nullptr},
    {"MinWrong",
     [](Triangle& t) {
         accessor(t, 0)["min"] = {-1, 0, 0};
     },
     "min-max", true, nullptr},
    {"MaxWrong",
     [](Triangle& t) {
         accessor(t, 0)["max"] = {1, 0.5, 0};
     },
     "min-max", true, nullptr},
    {"PositionWithoutBounds", [](Triangle& t) { accessor(t, 0).erase("min"); }, "min-max", true, nullptr},
    {"PositionNan",
     [](Triangle& t) {
         const float nan = kNan;
         std::memcpy(t.bin.data() + 12, &nan, 4);
     },
     "nonfinite", true, nullptr},
    {"NormalNan",
     [](Triangle& t) {
         addFloats(t, "NORMAL", {0, 0, 1, 0, 0, kNan, 0, 0, 1}, "VEC3");
     },
     "nonfinite", true, nullptr},
    {"NormalTooLong",
     [](Triangle& t) {
         addFloats(t, "NORMAL", {0, 0, 1, 0, 0, 2, 0, 0, 1}, "VEC3");
     },
     "unit-length", true, nullptr},
    {"NormalWithinTolerance",
     [](Triangle& t) {
         addFloats(t, "NORMAL", {0, 0, 1, 0, 0, 1.005F, 0, 0, 1}, "VEC3");
     },
     nullptr, false, nullptr},
    {"TangentSign",
     [](Triangle& t) {
         addFloats(t, "NORMAL", {0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
         addFloats(t, "TANGENT", {1, 0, 0, 1, 1, 0, 0, 0.5F, 1, 0, 0, 1}, "VEC4");
     },
     "tangent-sign", true, nullptr},
    {"IndexPastTheEnd", [](Triangle& t) { t.bin[38] = 7; }, "index-range", true, nullptr},
    {"DegenerateTriangle", [](Triangle& t) { t.bin[38] = 0; }, "degenerate", false, nullptr},
    {"FourIndices",
     [](Triangle& t) {
         accessor(t, 1)["count"] = 4;
         t.head["bufferViews"][1]["byteLength"] = 8;
     },
     "count", false, nullptr},
    {"CountsDiffer",
     [](Triangle& t) {
         ByteVector two;
         append<float>(two, {0, 0, 1, 0, 0, 1});
         t.primitive()["attributes"]["NORMAL"] = t.add(two, 5126, 2, "VEC3");
     },
     "count", true, nullptr},
    {"PositionsOfBytesWithoutExtension",
     [](Triangle& t) {
         t.primitive()["attributes"]["POSITION"] = t.add({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, 5121, 3, "VEC3");
         t.head["bufferViews"].back()["byteStride"] = 4;
         accessor(t, 2)["min"] = {0, 0, 0};
         accessor(t, 2)["max"] = {1, 1, 0};
     },
     "extension", true, nullptr},
    {"AttributeUnknown", [](Triangle& t) { t.primitive()["attributes"]["POSITIONS"] = 0; }, "attribute", true, nullptr},
    {"WeightsOff",
     [](Triangle& t) {
         skin(t, {1, 0, 0, 0, 0.5F, 0, 0, 0, 1, 0, 0, 0}, ByteVector(12));
     },
     "weights", true, nullptr},
    {"WeightsNegative",
     [](Triangle& t) {
         skin(t, {1, 0, 0, 0, 2, -1, 0, 0, 1, 0, 0, 0}, ByteVector(12));
     },
     "weights", true, nullptr},
    {"JointPastTheSkin",
     [](Triangle& t) {
         skin(t, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0});
     },
     "index-range", true, nullptr},
    {"SkinWithoutJoints",
     [](Triangle& t) {
         t.head["nodes"].push_back({{"name", "bone"}});
         t.head["scenes"][0]["nodes"] = {0, 1};
         t.head["skins"] = json::parse(R"([{"joints": [1]}])");
         node(t)["skin"] = 0;
     },
     "skin", true, nullptr},
    {"RotationNotUnit",
     [](Triangle& t) {
         node(t)["rotation"] = {0, 0, 0, 2};
     },
     "unit-length", true, nullptr},
    {"MatrixShears", [](Triangle& t) { node(t)["matrix"] = json::parse("[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]"); },
     "matrix", true, nullptr},
    {"TimesFall",
     [](Triangle& t) {
         animate(t, {1, 0.5F}, {1, 1, 1, 1, 1, 1}, "scale", "VEC3", 2);
     },
     "times", true, nullptr},
    {"TooFewValues",
     [](Triangle& t) {
         animate(t, {0, 1}, {1, 1, 1}, "scale", "VEC3", 1);
     },
     "count", true, nullptr},
    {"TurnsNotUnit",
     [](Triangle& t) {
         animate(t, {0, 1}, {0, 0, 0, 1, 0, 0, 0, 3}, "rotation", "VEC4", 2);
     },
     "unit-length", true, nullptr},
    {"MovesAMatrix",
     [](Triangle& t) {
         node(t)["matrix"] = json::parse("[2,0,0,0, 0,2,0,0, 0,0,2,0, 0,0,0,1]");
         animate(t, {0, 1}, {1, 1, 1, 1, 1, 1}, "scale", "VEC3", 2);
     },
     "channel", true, nullptr},
    {"MovesWeightsThatAreNotThere",
     [](Triangle& t) {
         animate(t, {0, 1}, {1, 1}, "weights", "SCALAR", 2);
     },
     "channel", true, nullptr},
    {"FactorOutOfRange",
     [](Triangle& t) { t.head["materials"] = json::parse(R"([{"pbrMetallicRoughness": {"metallicFactor": 2}}])"); },
     "factor", true, nullptr},
    {"TextureWithoutUvs",
     [](Triangle& t) {
         const ByteVector png = test::readFile(test::sourceDir() / "tests/vectors/gltf/pixel.png");
         t.add(png, 5121, png.size(), "SCALAR");
         t.head["accessors"].erase(2);
         t.head["images"] = json::parse(R"([{"bufferView": 2, "mimeType": "image/png"}])");
         t.head["textures"] = json::parse(R"([{"source": 0}])");
         t.head["materials"] = json::parse(R"([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}])");
         t.primitive()["material"] = 0;
     },
     "texcoord", true, nullptr},
    {"NoPrimitives", [](Triangle& t) { t.head["meshes"][0]["primitives"] = json::array(); }, "empty", true, nullptr},
    {"TargetsDiffer",
     [](Triangle& t) {
         json second = t.primitive();
         second["targets"] = json::parse(R"([{"POSITION": 0}])");
         t.head["meshes"][0]["primitives"].push_back(second);
     },
     "targets", true, nullptr},
    {"WeightsWithoutTargets", [](Triangle& t) { t.head["meshes"][0]["weights"] = {0.5}; }, "targets", true, nullptr},
    {"StrayBytesOfAView", [](Triangle& t) { t.head["bufferViews"][0]["byteLength"] = 100; }, "view-range", true,
     nullptr},
    {"OwnChild", [](Triangle& t) { node(t)["children"] = {0}; }, "node-cycle", true, nullptr},
    {"BlankAsAnIndex", [](Triangle& t) { node(t)["mesh"] = nullptr; }, "schema", true, nullptr},
};

TEST(GltfCheck, EachFaultIsNamed) {
    for (const Case& row : kCases) {
        Triangle file;
        row.damage(file);
        const Defects defects = checked(file.glb());
        if (row.kind == nullptr) {
            EXPECT_EQ(textOf(defects), "") << row.name;
            continue;
        }
        EXPECT_GE(defects.count(std::string_view(row.kind)), 1U) << row.name << ": " << textOf(defects);
        EXPECT_EQ(defects.count(Severity::Error) > 0, row.isError) << row.name << ": " << textOf(defects);
    }
}

TEST(GltfCheck, TheKhronosValidatorComesToTheSameVerdict) {
    std::vector<std::pair<std::string, ByteVector>> files;
    for (const Case& row : kCases) {
        Triangle file;
        row.damage(file);
        files.emplace_back(std::string(row.name) + ".glb", file.glb());
    }
    const auto errors = test::validatorErrors(files);
    if (!errors) return;
    ASSERT_EQ(errors->size(), std::size(kCases));
    for (std::size_t i = 0; i < errors->size(); ++i) {
        if (kCases[i].other != nullptr) continue;
        EXPECT_EQ((*errors)[i] > 0, kCases[i].isError) << kCases[i].name;
    }
    std::printf("%zu files, same verdict as gltf-validator\n", errors->size());
}

TEST(GltfInfo, CountsAndTopology) {
    Input input;
    const ByteVector glb = Triangle().glb();
    input.bytes = glb;
    ReadOptions options;
    options.topology = true;
    Defects defects;
    const auto info = gltf::info(input, options, defects);
    EXPECT_EQ(info["triangles"], 1);
    EXPECT_EQ(info["meshes"][0]["topology"]["openEdges"], 3);
    EXPECT_EQ(info["meshes"][0]["topology"]["closed"], false);
}

}  // namespace
}  // namespace geomconv
