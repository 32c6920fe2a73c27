// What goes out as OBJ comes back: files that are read and written, and scenes that are written and read.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "tests/support/same_scene.hpp"
#include "tests/unit/obj/read_support.hpp"

namespace geomconv::obj {
namespace {

using test_support::readFile;
using test_support::vectors;

struct Files {
    ByteVector obj;
    std::vector<std::pair<std::string, ByteVector>> siblings;
};

Files written(const Scene& scene) {
    MemoryOutput out("back");
    Defects defects;
    writeScene(scene, {}, out, defects);
    EXPECT_TRUE(defects.empty());
    Files files;
    files.obj = out.takeMain();
    files.siblings = out.takeSiblings();
    return files;
}

Scene readBack(const Files& files) {
    const Companions companions = [&files](std::string_view name) -> std::shared_ptr<const InputFile> {
        for (const auto& [n, bytes] : files.siblings) {
            if (n == name) return InputFile::fromBytes(n, bytes);
        }
        return nullptr;
    };
    Defects defects;
    Scene scene = readScene({"back.obj", files.obj, companions, nullptr}, {}, defects);
    EXPECT_TRUE(defects.empty());
    return scene;
}

TEST(ObjRoundTrip, EveryGoodFileComesBackAsTheSameScene) {
    std::size_t files = 0;
    for (const auto& path : test::filesIn(vectors(), ".obj")) {
        if (!path.filename().string().starts_with("good_")) continue;
        SCOPED_TRACE(path.filename());
        Defects defects;
        Scene scene = readFile(path, defects);
        const Files first = written(scene);
        const Scene back = readBack(first);
        scene.source.file = "back.obj";
        EXPECT_EQ(test::sceneDifferences(scene, back), std::vector<std::string>());
        EXPECT_EQ(asText(written(back).obj), asText(first.obj));
        EXPECT_EQ(written(back).siblings, first.siblings);
        ++files;
    }
    EXPECT_GE(files, 30U);
}

TEST(ObjRoundTrip, EveryFloatComesBackBitForBit) {
    std::mt19937 random(5);
    const auto any = [&random] {
        const float v = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        return std::isfinite(v) ? v : 0.5F;
    };
    const auto unitish = [&random] {
        return static_cast<float>(static_cast<double>(random()) / 4294967296.0 * 4.0 - 2.0);
    };
    Primitive p;
    for (std::uint32_t i = 0; i < 30000; ++i) {
        p.positions.push_back({any(), any(), any()});
        // Of v the file keeps one minus it; smaller numbers than 2^-29 lose bits in that.
        float v = unitish();
        if (i % 4 == 0) v = std::ldexp(v, -static_cast<int>(random() % 27));
        p.uvs.push_back({any(), std::abs(v) < 0x1p-29F ? 0.0F : v});
        const double turn = unitish() * 3.0;
        p.normals.push_back(Vec3(Vec3d(std::cos(turn), std::sin(turn), 0.0)));
        p.colors.push_back({std::abs(unitish()), std::abs(unitish()), std::abs(unitish()), 1.0F});
        p.indices.push_back(i);
    }
    Scene scene;
    scene.source = {"obj", "back.obj", {}};
    scene.meshes.resize(1);
    scene.meshes[0].name = "all";
    scene.meshes[0].primitives = {p};
    scene.nodes.resize(1);
    scene.nodes[0].name = "all";
    scene.nodes[0].mesh = 0;
    EXPECT_EQ(test::sceneDifferences(scene, readBack(written(scene))), std::vector<std::string>());
}

TEST(ObjRoundTrip, MaterialsAndImagesComeBack) {
    Scene scene;
    scene.source = {"obj", "back.obj", {}};
    scene.images.resize(1);
    scene.images[0].name = "back_skin";
    scene.images[0].mimeType = "image/jpeg";
    scene.images[0].encoded = {0xff, 0xd8, 0xff, 0xe0, 1, 2, 3};
    scene.materials.resize(3);
    scene.materials[0].name = "plain";
    scene.materials[0].baseColor = {0.1F, 0.2F, 0.3F, 1};
    scene.materials[1].name = "skin of a ship";
    scene.materials[1].image = 0;
    scene.materials[1].alphaMode = AlphaMode::Blend;
    scene.materials[1].wrapU = scene.materials[1].wrapV = Wrap::Clamp;
    scene.materials[2].name = "lamp";
    scene.materials[2].emissive = {3, 2, 1};
    scene.materials[2].roughness = 0.25F;
    scene.materials[2].metallic = 0.5F;
    scene.materials[2].unlit = true;
    Primitive p;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    p.indices = {0, 1, 2};
    scene.meshes.resize(1);
    scene.meshes[0].name = scene.nodes.emplace_back().name = "m";
    scene.nodes[0].mesh = 0;
    for (std::uint32_t m : {2U, 0U, 1U}) {
        p.material = m;
        scene.meshes[0].primitives.push_back(p);
    }
    p.material.reset();
    scene.meshes[0].primitives.push_back(p);
    EXPECT_EQ(test::sceneDifferences(scene, readBack(written(scene))), std::vector<std::string>());
}

}  // namespace
}  // namespace geomconv::obj
