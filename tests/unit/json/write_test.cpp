#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "exporters/json/json.hpp"
#include "lib/version.hpp"

namespace geomconv::json {
namespace {

std::string write(const Scene& scene, const WriteOptions& options = {}) {
    MemoryOutput out;
    Defects defects;
    writeScene(scene, options, out, defects);
    EXPECT_TRUE(defects.empty());
    const ByteVector bytes = out.takeMain();
    return std::string(asText(bytes));
}

nlohmann::json parsed(const Scene& scene, const WriteOptions& options = {}) {
    return nlohmann::json::parse(write(scene, options));
}

TEST(JsonWrite, AnEmptySceneHasEveryList) {
    Scene scene;
    scene.source = {"obj", "empty.obj", {}};
    EXPECT_EQ(write(scene), std::string(R"({
  "geomconv": {
    "version": ")") + kVersion + R"(",
    "schema": 1
  },
  "source": {
    "format": "obj",
    "file": "empty.obj"
  },
  "space": {
    "up": "y",
    "handedness": "right"
  },
  "nodes": [],
  "meshes": [],
  "hulls": [],
  "materials": [],
  "images": [],
  "skins": [],
  "animations": []
}
)");
}

TEST(JsonWrite, ArraysAreFlatAndOnOneLine) {
    Scene scene;
    Primitive p;
    p.material = 0;
    p.positions = {{1, 0, 0.1F}, {0, 2, 0}, {-0.0F, 1e10F, 3}};
    p.uvs = {{0, 0.25F}, {1, 0}, {0, 1}};
    p.indices = {0, 1, 2};
    scene.meshes.resize(1);
    scene.meshes[0].name = "tri";
    scene.meshes[0].primitives = {p};
    scene.materials.resize(1);
    const std::string text = write(scene);
    EXPECT_NE(text.find(R"("primitives": [
        {
          "material": 0,
          "positions": [1,0,0.1,0,2,0,-0.0,1e+10,3],
          "uvs": [0,0.25,1,0,0,1],
          "indices": [0,1,2]
        }
      ])"),
              std::string::npos)
        << text;
}

TEST(JsonWrite, NodesSayTheirTransformAsItIs) {
    Scene scene;
    scene.nodes.resize(2);
    scene.nodes[0].name = "a";
    scene.nodes[0].rotation = quat(0.5F, 0.25F, 0.125F, 1.0F);
    scene.nodes[0].hulls = {0, 1};
    scene.nodes[0].content = Content::Collision;
    scene.nodes[0].extras = Extras::fromText(R"({"id":7,"list":[1.50,2]})");
    scene.nodes[1].parent = 0;
    scene.nodes[1].matrix = Mat4(2.0F);
    const nlohmann::json nodes = parsed(scene)["nodes"];
    EXPECT_EQ(nodes[0].dump(), R"({"content":"collision","extras":{"id":7,"list":[1.5,2]},"hulls":[0,1],"name":"a",)"
                               R"("rotation":[0.5,0.25,0.125,1],"scale":[1,1,1],"translation":[0,0,0]})");
    EXPECT_EQ(nodes[1].dump(), R"({"matrix":[2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,2],"name":"","parent":0})");
    // The text of extras is spliced in as it is.
    EXPECT_NE(write(scene).find(R"("extras": {"id":7,"list":[1.50,2]})"), std::string::npos);
}

TEST(JsonWrite, HullsHaveIdsAndTypes) {
    Scene scene;
    scene.hulls.resize(1);
    scene.hulls[0].id = 0xA1B2C3D4;
    scene.hulls[0].type = HullType::Wrap;
    scene.hulls[0].points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    scene.hulls[0].triangles = {{0, 2, 1}, {0, 1, 3}};
    EXPECT_EQ(
        parsed(scene)["hulls"][0].dump(),
        R"({"id":2712847316,"name":"","points":[0,0,0,1,0,0,0,1,0,0,0,1],"triangles":[0,2,1,0,1,3],"type":"wrap"})");
}

TEST(JsonWrite, ImagesAreEncodedFiles) {
    Scene scene;
    scene.images.resize(3);
    scene.images[0].mimeType = "image/jpeg";
    scene.images[0].encoded = {'f', 'o', 'o', 'b'};
    scene.images[1].width = scene.images[1].height = 1;
    scene.images[1].rgba = {1, 2, 3, 4};
    scene.images[2].uri = "away.png";
    const nlohmann::json images = parsed(scene)["images"];
    EXPECT_EQ(images[0].dump(), R"({"data":"Zm9vYg==","mimeType":"image/jpeg","name":""})");
    EXPECT_EQ(images[1]["mimeType"], "image/png");
    EXPECT_TRUE(images[1]["data"].get<std::string>().starts_with("iVBORw0KGgo"));
    EXPECT_EQ(images[2].dump(), R"({"name":"","uri":"away.png"})");
    WriteOptions options;
    options.textures = false;
    EXPECT_FALSE(parsed(scene, options)["images"][0].contains("data"));
}

TEST(JsonWrite, ALargeImageIsWrittenInPieces) {
    Scene scene;
    scene.images.resize(1);
    scene.images[0].mimeType = "image/jpeg";
    scene.images[0].encoded.assign(100001, 0xff);
    const std::string data = parsed(scene)["images"][0]["data"];
    EXPECT_EQ(data.size(), (100001U + 2) / 3 * 4);
    EXPECT_EQ(data.find_first_not_of('/'), data.size() - 2);  // 0xff 0xff, then one byte of padding
}

TEST(JsonWrite, ScaleAndUpAxisAreARootNode) {
    Scene scene;
    scene.space.up = UpAxis::Z;
    scene.nodes.resize(2);
    scene.nodes[1].parent = 0;
    WriteOptions options;
    options.up = UpChoice::Y;
    options.scale = 2.0;
    const nlohmann::json out = parsed(scene, options);
    EXPECT_EQ(out["space"].dump(), R"({"handedness":"right","up":"y"})");
    ASSERT_EQ(out["nodes"].size(), 3U);
    EXPECT_EQ(out["nodes"][0]["parent"], 2);
    EXPECT_EQ(out["nodes"][1]["parent"], 0);
    EXPECT_EQ(out["nodes"][2]["matrix"], (std::vector<float>{2, 0, 0, 0, 0, 0, -2, 0, 0, 2, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(parsed(scene)["nodes"].size(), 2U);
}

TEST(JsonWrite, SetsOfInfluencesFollowOneAnother) {
    Scene scene;
    Primitive p;
    p.positions = {{0, 0, 0}};
    p.influences.resize(2);
    p.influences[0] = {{{1, 2, 3, 4}}, {{0.5F, 0, 0, 0}}};
    p.influences[1] = {{{5, 6, 7, 8}}, {{0.25F, 0, 0, 0.25F}}};
    scene.meshes.resize(1);
    scene.meshes[0].primitives = {p};
    const nlohmann::json primitive = parsed(scene)["meshes"][0]["primitives"][0];
    EXPECT_EQ(primitive["joints"], (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(primitive["weights"], (std::vector<float>{0.5F, 0, 0, 0, 0.25F, 0, 0, 0.25F}));
}

}  // namespace
}  // namespace geomconv::json
