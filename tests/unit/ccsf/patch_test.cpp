#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/encode.hpp"
#include "formats/ccsf/geometry.hpp"
#include "formats/ccsf/members.hpp"
#include "formats/ccsf/model.hpp"
#include "lib/image/png.hpp"
#include "tests/support/ccsf_builder.hpp"
#include "tests/unit/ccsf/vectors.hpp"

namespace geomconv::ccsf {
namespace {

using test::CcsfBuilder;
using test::ccsfVectors;

Scene sceneOf(Bytes bytes, Winding winding = Winding::Auto) {
    Defects defects;
    SceneOptions options;
    options.winding = winding;
    return toScene(read(bytes, false, defects), options, defects);
}
PatchResult patched(Bytes file, const Scene& edits, const PatchOptions& options = {}) {
    Defects defects;
    return patch(file, {}, edits, options, defects);
}
std::string ruleOf(Bytes file, const Scene& edits, const PatchOptions& options = {}) {
    try {
        patched(file, edits, options);
    } catch (const GeometryError& e) {
        return e.rule();
    } catch (const FormatError& e) {
        return e.defect().kind;
    }
    return "";
}

/// Two models on moved nodes, one lit and one with colours.
struct Made {
    std::uint16_t version;
    ByteVector file;

    explicit Made(std::uint16_t v) : version(v) {
        CcsfBuilder b(v);
        const auto clut = b.object("CLT_a");
        const auto texture = b.object("TEX_a");
        const auto material = b.object("MAT_a");
        const auto other = b.object("MAT_b");
        const auto lit = b.object("MDL_lit");
        const auto plain = b.object("MDL_plain");
        const auto first = b.object("OBJ_first");
        const auto second = b.object("OBJ_second");
        b.clut(clut, std::vector<std::array<std::uint8_t, 4>>(256, {10, 20, 30, 0x80}));
        b.texture8(texture, clut, 2, 2, ByteVector(16));
        b.material(material, texture);
        b.material(other, texture);
        b.gridModel(lit, material, 5, 3, 1);
        b.gridModel(plain, material, 4, 4, 0);
        b.obj(first, 0, lit);
        b.obj(second, first, plain);
        file = b.file();
    }
};

TEST(CcsfPatch, ItsOwnSceneChangesNothing) {
    std::size_t files = 0;
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        const Scene scene = sceneOf(v.bytes);
        if (scene.meshes.empty()) continue;
        const PatchResult result = patched(v.bytes, scene);
        EXPECT_EQ(result.bytes, v.bytes);
        for (const Change& change : result.changes) EXPECT_EQ(change.kind, Change::Kind::Kept);
        ++files;
    }
    EXPECT_GT(files, 0U);
}

TEST(CcsfPatch, AnEditedModelComesBackAsItWasPutInAndAllElseStays) {
    for (const std::uint16_t version : std::to_array<std::uint16_t>({0x90, 0x100, 0x123, 0x125})) {
        SCOPED_TRACE(version);
        const Made made(version);
        Scene scene = sceneOf(made.file);
        Primitive& p = scene.meshes.at(1).primitives.at(0);
        ASSERT_EQ(scene.meshes[1].name, "MDL_plain");
        p.positions[3] = {1.5F, -0.25F, 0.75F};
        p.colors[3] = {0.5F, 0.25F, 0.0F, 1.0F};
        p.uvs[3] = {0.5F, -3.0F};
        std::swap(p.indices[0], p.indices[3]);
        const PatchResult result = patched(made.file, scene);
        ASSERT_EQ(result.changes.size(), 2U);
        EXPECT_EQ(result.changes[1].kind, Change::Kind::Replaced);
        EXPECT_EQ(result.changes[1].name, "MDL_plain");
        EXPECT_EQ(patched(result.bytes, scene).bytes, result.bytes);

        Defects defects;
        const Document before = read(made.file, false, defects);
        const Document after = read(result.bytes, false, defects);
        EXPECT_TRUE(defects.empty());
        ASSERT_EQ(before.chunks.size(), after.chunks.size());
        for (std::size_t i = 0; i < before.chunks.size(); ++i) {
            if (i == before.models[1].chunk) continue;
            EXPECT_TRUE(std::ranges::equal(before.chunks[i].payload, after.chunks[i].payload)) << i;
            EXPECT_EQ(before.chunks[i].size, after.chunks[i].size);
        }
        const Scene again = sceneOf(result.bytes, Winding::Strip);
        const Primitive& q = again.meshes.at(1).primitives.at(0);
        ASSERT_EQ(q.indices.size(), p.indices.size());
        for (std::size_t i = 0; i < q.indices.size(); ++i) {
            const std::uint32_t a = p.indices[i];
            // Strips keep the order of triangles, each beginning at any of its corners.
            bool found = false;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t b = q.indices[i / 3 * 3 + k];
                found = found || (p.positions[a] == q.positions[b] && p.colors[a] == q.colors[b]);
            }
            EXPECT_TRUE(found) << i;
        }
        EXPECT_EQ(again.meshes[1].primitives[0].material, p.material);
    }
}

TEST(CcsfPatch, ATransformInTheEditsIsTakenOffAgain) {
    const Made made(0x100);
    Scene scene = sceneOf(made.file);
    // As a modelling program may hand it on: y up, the turn in a node above, meshes at the top.
    scene.source.format = "gltf";
    scene.space.up = UpAxis::Y;
    Node root;
    root.name = "root";
    root.rotation = quat(-0.70710678F, 0.0F, 0.0F, 0.70710678F);
    scene.nodes.push_back(root);
    for (std::size_t i = 0; i + 1 < scene.nodes.size(); ++i) {
        if (!scene.nodes[i].parent) scene.nodes[i].parent = static_cast<std::uint32_t>(scene.nodes.size() - 1);
        scene.nodes[i].name += ".001";
    }
    for (Mesh& mesh : scene.meshes) mesh.name += ".001";
    for (Mesh& mesh : scene.meshes) {
        for (Primitive& p : mesh.primitives) p.name.clear();
    }
    EXPECT_EQ(patched(made.file, scene).bytes, made.file);
}

TEST(CcsfPatch, StripsGiveBackEveryTriangleInEveryGeneration) {
    std::mt19937 engine(7);
    const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
    for (const std::uint16_t version : std::to_array<std::uint16_t>({0x100, 0x110, 0x111, 0x123, 0x125})) {
        for (int round = 0; round < 20; ++round) {
            SCOPED_TRACE(std::to_string(version) + " round " + std::to_string(round));
            const Made made(version);
            Defects defects;
            const Document document = read(made.file, false, defects);
            const auto corner = [&](std::uint32_t n) {
                Corner c;
                c.position = {static_cast<std::int16_t>(n * 37 % 101), static_cast<std::int16_t>(n * 11), 5};
                c.normal = {0, 0, 64};
                c.colour = {static_cast<std::uint8_t>(n), 2, 3, 0x80};
                c.st = {static_cast<std::int32_t>(n), 7};
                return c;
            };
            MmatTriangles mmat;
            std::vector<CornerTriangle> wanted;
            const std::uint32_t vertices = 3 + random() % 12;
            const std::uint32_t count = random() % 40;
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::uint32_t a = random() % vertices;
                wanted.push_back({corner(a), corner((a + 1) % vertices), corner((a + 2 + random() % 2) % vertices)});
            }
            mmat.triangles = wanted;
            ByteVector file = made.file;
            const Chunk& chunk = document.chunks[document.models[1].chunk];
            const ByteVector model = encodeModel(document, document.models[1], 64.0F, std::span(&mmat, 1));
            const auto at = file.begin() + static_cast<std::ptrdiff_t>(chunk.offset);
            file.insert(file.erase(at, at + 8 + static_cast<std::ptrdiff_t>(chunk.payload.size())), model.begin(),
                        model.end());
            const Document again = read(file, false, defects);
            EXPECT_TRUE(defects.empty());
            const Model& m = again.models.at(1);
            const Mmat& x = m.mmats.at(0);
            const Strips strips = trianglesOf(stripFlags(m, x), version);
            EXPECT_FALSE(strips.oddOpening);
            ASSERT_EQ(strips.indices.size(), 3 * wanted.size());
            for (std::size_t t = 0; t < wanted.size(); ++t) {
                CornerTriangle got;
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t i = strips.indices[3 * t + k];
                    got[k] = {rawPosition(x, i), rawNormal(x, i), load<std::array<std::uint8_t, 4>>(x.colours, 4 * i),
                              rawSt(x, i)};
                }
                bool same = false;  // from any of its corners on
                for (std::size_t k = 0; k < 3 && !same; ++k) {
                    same = got == wanted[t];
                    std::rotate(got.begin(), got.begin() + 1, got.end());
                }
                EXPECT_TRUE(same) << t;
            }
        }
    }
}

TEST(CcsfPatch, ScalesReachWhatTheyMustAndNoFurther) {
    const auto scaleFor = [](double x, float known) {
        MmatMesh mesh;
        mesh.positions = {Vec3d(x, 0.0, 0.0)};
        return vertexScaleFor(std::span(&mesh, 1), known, "MDL_a");
    };
    EXPECT_EQ(scaleFor(1.0, 20.0F), 64.0F);  // not on the grid of 20 / 4096
    EXPECT_EQ(scaleFor(20.0 / 4096 * 7, 20.0F), 20.0F);
    EXPECT_EQ(scaleFor(511.0, 64.0F), 64.0F);
    EXPECT_EQ(scaleFor(512.0, 64.0F), 128.0F);
    EXPECT_THROW(scaleFor(1e9, 64.0F), GeometryError);
    EXPECT_THROW(scaleFor(std::numeric_limits<double>::quiet_NaN(), 64.0F), GeometryError);
}

TEST(CcsfPatch, TextureCoordinatesAreMovedByWholeRepeats) {
    MmatMesh mesh;
    mesh.positions = {Vec3d(0.0), Vec3d(1.0, 0.0, 0.0), Vec3d(0.0, 1.0, 0.0)};
    mesh.triangles = {{0, 1, 2}};
    mesh.uvs = {Vec2(-2.5F, 0.5F), Vec2(-1.0F, 0.5F), Vec2(0.0F, 0.5F)};
    std::size_t outside = 0;
    auto made = quantised(mesh, 64.0F, 0x100, outside);
    EXPECT_EQ(made[0][0].st[0], 128);
    EXPECT_EQ(made[0][2].st[0], 768);
    EXPECT_EQ(outside, 0U);
    EXPECT_EQ(made[0][0].normal, (std::array<std::int8_t, 3>{0, 0, 64}));  // none given: the triangle's own
    mesh.uvs[2] = Vec2(300.0F, 0.5F);
    made = quantised(mesh, 64.0F, 0x100, outside);
    EXPECT_EQ(made[0][2].st[0], 0xffff);
    EXPECT_EQ(outside, 1U);
    EXPECT_EQ(quantised(mesh, 64.0F, 0x125, outside)[0][0].st[0], -163840);
}

TEST(CcsfPatch, WhatCannotBePutInIsRefusedByName) {
    const Made made(0x100);
    Scene scene = sceneOf(made.file);
    for (Primitive& p : scene.meshes[0].primitives) p.name.clear();
    scene.meshes[0].name = "MDL_stranger";
    for (Node& node : scene.nodes) node.name = "OBJ_stranger";
    EXPECT_EQ(ruleOf(made.file, scene), "not-found");
    const Scene image = [] {
        Scene s;
        s.images.emplace_back();
        return s;
    }();
    EXPECT_EQ(ruleOf(made.file, image), "texture");
    scene = sceneOf(made.file);
    scene.meshes[1].primitives[0].positions[0].x = std::numeric_limits<float>::infinity();
    EXPECT_EQ(ruleOf(made.file, scene), "non-finite");
}

/// A scene of one image of these colours.
Scene imageScene(std::uint32_t width, std::uint32_t height, const std::vector<std::array<std::uint8_t, 4>>& colours) {
    Scene scene;
    Image& image = scene.images.emplace_back();
    image.width = width;
    image.height = height;
    for (std::size_t i = 0; i < std::size_t{width} * height; ++i) {
        const auto& c = colours[i % colours.size()];
        image.rgba.insert(image.rgba.end(), c.begin(), c.end());
    }
    return scene;
}
PatchOptions textureNamed(std::string name) {
    PatchOptions options;
    options.format.set("texture", std::move(name));
    return options;
}

TEST(CcsfPatch, ATextureTakesAnImageWithItsColours) {
    const Made made(0x100);
    const Scene edit = imageScene(4, 4, {{255, 0, 0, 255}, {0, 255, 0, 254}, {0, 0, 255, 0}});
    const PatchResult result = patched(made.file, edit, textureNamed("TEX_a"));
    EXPECT_EQ(result.changes.size(), 2U);  // the palette too
    const Scene scene = sceneOf(result.bytes);
    const Image& image = scene.images.at(0);
    ASSERT_EQ(image.indexed.size(), 16U);
    for (std::size_t i = 0; i < 16; ++i) {
        for (std::size_t k = 0; k < 4; ++k)
            EXPECT_EQ(image.palette[image.indexed[i]][k], edit.images[0].rgba[4 * i + k]);
    }
    // Colours that the palette has by now leave it alone.
    const PatchResult again = patched(result.bytes, edit, textureNamed("TEX_a"));
    EXPECT_EQ(again.bytes, result.bytes);
    EXPECT_EQ(again.changes.size(), 1U);
    EXPECT_EQ(ruleOf(made.file, imageScene(8, 4, {{1, 2, 3, 255}}), textureNamed("TEX_a")), "texture");
    EXPECT_EQ(ruleOf(made.file, edit, textureNamed("TEX_b")), "not-found");
}

TEST(CcsfPatch, APaletteThatOthersUseIsNotChangedAndNoneIsOverfilled) {
    CcsfBuilder b(0x100);
    const auto clut = b.object("CLT_a");
    const auto small = b.object("CLT_b");
    const auto one = b.object("TEX_one");
    const auto two = b.object("TEX_two");
    const auto alone = b.object("TEX_alone");
    b.clut(clut, std::vector<std::array<std::uint8_t, 4>>(256, {10, 20, 30, 0x80}));
    b.clut(small, std::vector<std::array<std::uint8_t, 4>>(16, {10, 20, 30, 0x80}));
    for (const auto texture : {one, two}) b.texture8(texture, clut, 2, 2, ByteVector(16));
    b.texture8(alone, small, 3, 3, ByteVector(64));
    const ByteVector file = b.file();
    EXPECT_EQ(ruleOf(file, imageScene(4, 4, {{1, 2, 3, 255}}), textureNamed("TEX_one")), "texture");
    EXPECT_EQ(ruleOf(file, imageScene(4, 4, {{10, 20, 30, 255}}), textureNamed("TEX_one")), "");
    std::vector<std::array<std::uint8_t, 4>> many;
    for (int i = 0; i < 17; ++i) many.push_back({static_cast<std::uint8_t>(i), 0, 0, 255});
    EXPECT_EQ(ruleOf(file, imageScene(8, 8, many), textureNamed("TEX_alone")), "texture");
    many.pop_back();
    EXPECT_EQ(ruleOf(file, imageScene(8, 8, many), textureNamed("TEX_alone")), "");
}

}  // namespace
}  // namespace geomconv::ccsf
