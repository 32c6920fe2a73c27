#include "formats/ccsf/format.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/geometry.hpp"
#include "formats/ccsf/pose.hpp"
#include "tests/support/ccsf_builder.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/unit/ccsf/vectors.hpp"

namespace geomconv::ccsf {
namespace {

using test::CcsfBuilder;

Scene sceneOf(const ByteVector& file, Defects& defects, SceneOptions options = {}) {
    const Document document = read(file, false, defects);
    EXPECT_EQ(write(document), file);
    Scene scene = toScene(document, options, defects);
    EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>());
    return scene;
}

const Node* nodeNamed(const Scene& scene, std::string_view name) {
    for (const Node& node : scene.nodes) {
        if (node.name == name) return &node;
    }
    return nullptr;
}

TEST(CcsfStrips, FollowTheRuleOfEachGeneration) {
    using U = std::vector<std::uint32_t>;
    const std::vector<std::uint8_t> ones{1, 1, 0, 0, 1, 1, 0};
    EXPECT_EQ(trianglesOf(ones, 0x110).indices, (U{1, 0, 2, 1, 2, 3, 5, 4, 6}));
    EXPECT_EQ(trianglesOf(ones, 0x111).indices, (U{0, 1, 2, 2, 1, 3, 4, 5, 6}));
    const std::vector<std::uint8_t> twos{2, 2, 0, 0};
    EXPECT_EQ(trianglesOf(twos, 0x123).indices, (U{1, 0, 2, 1, 2, 3}));
    EXPECT_EQ(trianglesOf(twos, 0x100).indices, (U{1, 0, 2, 1, 2, 3}));
    const std::vector<std::uint8_t> open{0, 0, 0, 3, 0};
    EXPECT_TRUE(trianglesOf(open, 0x100).oddOpening);
    EXPECT_TRUE(trianglesOf(open, 0x100).oddFlag);
    EXPECT_EQ(trianglesOf(open, 0x100).indices.size(), 6U);
    EXPECT_TRUE(trianglesOf({}, 0x100).indices.empty());
}

TEST(CcsfStrips, AutoTurnsAWholeStripThatFacesAway) {
    Strips strips = trianglesOf(std::vector<std::uint8_t>{1, 1, 0, 0}, 0x100);
    const std::array<Vec3d, 4> square{Vec3d(0, 0, 0), Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(1, 1, 0)};
    const auto position = [&](std::uint32_t i) { return square[i]; };
    turnByNormals(strips, position, [](std::uint32_t) { return Vec3d(0, 0, -1); });
    EXPECT_EQ(strips.indices, (std::vector<std::uint32_t>{1, 0, 2, 1, 2, 3}));
    turnByNormals(strips, position, [](std::uint32_t) { return Vec3d(0, 0, 1); });
    EXPECT_EQ(strips.indices, (std::vector<std::uint32_t>{1, 2, 0, 1, 3, 2}));
}

/// A textured square on one node.
ByteVector smallScene(std::uint16_t version, float transparency = 1.0F, std::uint8_t alpha = 0x80,
                      std::uint8_t textureFlag = 1, float scale = 64.0F, std::uint16_t mtype = 1) {
    CcsfBuilder b(version);
    const auto clut = b.object("CLT_a");
    const auto texture = b.object("TEX_a");
    const auto material = b.object("MAT_a");
    const auto obj = b.object("OBJ_a");
    const auto model = b.object("MDL_a");
    std::vector<std::array<std::uint8_t, 4>> colours(256, {10, 20, 30, 0x80});
    colours[1] = {1, 2, 3, alpha};
    b.clut(clut, colours);
    ByteVector pixels(16);
    pixels[0] = 1;  // stored first: lower left
    b.texture8(texture, clut, 2, 2, pixels, textureFlag);
    b.material(material, texture, transparency);
    b.gridModel(model, material, 2, 1, mtype, scale);
    b.obj(obj, 0, model);
    return b.file();
}

TEST(CcsfMaterials, AlphaModeFollowsPaletteTextureAndMaterial) {
    Defects defects;
    const auto only = [&](const ByteVector& file) { return sceneOf(file, defects).materials.at(0); };
    EXPECT_EQ(only(smallScene(0x100)).alphaMode, AlphaMode::Opaque);
    EXPECT_EQ(only(smallScene(0x100, 1.0F, 0)).alphaMode, AlphaMode::Mask);
    EXPECT_FLOAT_EQ(only(smallScene(0x100, 1.0F, 0)).alphaCutoff, 0x70 / 128.0F);
    EXPECT_EQ(only(smallScene(0x100, 1.0F, 0x7f)).alphaMode, AlphaMode::Blend);
    EXPECT_EQ(only(smallScene(0x100, 0.5F)).alphaMode, AlphaMode::Blend);
    EXPECT_EQ(only(smallScene(0x100, 1.0F, 0x80, 9)).alphaMode, AlphaMode::Blend);
    EXPECT_EQ(only(smallScene(0x100, 1.0F, 0x80, 0x11)).wrapU, Wrap::Clamp);
    EXPECT_TRUE(only(smallScene(0x100)).doubleSided);
    EXPECT_FALSE(only(smallScene(0x100)).unlit);
    EXPECT_TRUE(only(smallScene(0x100, 1.0F, 0x80, 1, 64.0F, 0)).unlit);
    EXPECT_TRUE(defects.empty());
}

TEST(CcsfTextures, AreTurnedTopRowFirstWithTheirPalette) {
    Defects defects;
    const Scene scene = sceneOf(smallScene(0x100), defects);
    const Image& image = scene.images.at(0);
    ASSERT_EQ(image.indexed.size(), 16U);
    EXPECT_EQ(image.indexed[12], 1);
    EXPECT_EQ(image.palette[1], (std::array<std::uint8_t, 4>{1, 2, 3, 255}));
    const Primitive& p = scene.meshes.at(0).primitives.at(0);
    EXPECT_FLOAT_EQ(p.uvs[1].y, 1.0F);  // T = 0 is the bottom row
    EXPECT_EQ(p.name, "MDL_a.0.rigid");
    EXPECT_TRUE(p.colors.empty());
    EXPECT_EQ(nodeNamed(scene, "OBJ_a")->mesh, 0U);
    EXPECT_EQ(scene.space.up, UpAxis::Z);
}

TEST(CcsfTextures, AFewBytesAskForNoLargeImage) {
    CcsfBuilder b(0x100);
    const auto clut = b.object("CLT_a");
    const auto texture = b.object("TEX_a");
    b.clut(clut, std::vector<std::array<std::uint8_t, 4>>(16, {0, 0, 0, 0}));
    b.texture8(texture, clut, 15, 15, ByteVector(64));
    Defects defects;
    EXPECT_TRUE(sceneOf(b.file(), defects).images.empty());
    EXPECT_EQ(defects.count("texture"), 1U);
}

TEST(CcsfTextures, OfWhichHardlyAnythingIsStoredAreTransparentUpToALimit) {
    CcsfBuilder b(0x100);
    const auto clut = b.object("CLT_a");
    b.clut(clut, std::vector<std::array<std::uint8_t, 4>>(256, {9, 9, 9, 0x80}));
    for (int i = 0; i < 6; ++i) b.texture8(b.object("TEX_" + std::to_string(i)), clut, 10, 10, ByteVector(4));
    Defects defects;
    const Scene scene = sceneOf(b.file(), defects);
    EXPECT_EQ(scene.images.size(), 4U);  // of 2^20 pixels each
    EXPECT_EQ(defects.count("texture-short"), 4U);
    EXPECT_EQ(defects.count("texture"), 2U);
}

TEST(CcsfTextures, PixelsInAnUnknownOrderAreKeptWithAWarning) {
    CcsfBuilder b(0x124);
    const auto clut = b.object("CLT_a");
    const auto texture = b.object("TEX_a");
    b.texture8(texture, clut, 0xff, 0xff, ByteVector(64));
    Defects defects;
    EXPECT_TRUE(sceneOf(b.file(), defects).images.empty());
    EXPECT_EQ(defects.count("psp-texture"), 1U);
    EXPECT_EQ(defects.count(Severity::Error), 0U);
}

TEST(CcsfTextures, MissingPixelsAreTransparent) {
    CcsfBuilder b(0x100);
    const auto clut = b.object("CLT_a");
    const auto texture = b.object("TEX_a");
    b.clut(clut, std::vector<std::array<std::uint8_t, 4>>(256, {9, 9, 9, 0x80}));
    b.texture8(texture, clut, 3, 3, ByteVector(16));
    Defects defects;
    const Scene scene = sceneOf(b.file(), defects);
    EXPECT_EQ(defects.count("texture-short"), 1U);
    const Image& image = scene.images.at(0);
    ASSERT_EQ(image.rgba.size(), 256U);
    EXPECT_EQ(image.rgba[3], 0);             // top row: missing
    EXPECT_EQ(image.rgba[4 * 56 + 3], 255);  // bottom row: stored
}

TEST(CcsfModels, AScaleThatIsNoNumberCountsAsOne) {
    for (const float scale : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Defects defects;
        const Scene scene = sceneOf(smallScene(0x100, 1.0F, 0x80, 1, scale), defects);
        EXPECT_EQ(defects.count("nonfinite"), 1U);
        EXPECT_FLOAT_EQ(scene.meshes.at(0).primitives.at(0).positions.back().x, 32.0F / 4096.0F);
    }
    Defects defects;
    const Scene scene = sceneOf(smallScene(0x100, std::numeric_limits<float>::quiet_NaN()), defects);
    EXPECT_EQ(scene.materials.at(0).baseColor.a, 1.0F);
}

TEST(CcsfModels, SectionsOfLaterGamesAreWalkedAndKept) {
    CcsfBuilder b(0x123);
    const auto model = b.object("MDL_a");
    const auto obj = b.object("OBJ_a");
    ByteWriter p;
    p.u32(model);
    p.f32(64.0F);
    for (const int half : {0x1002, 1, 0, 0}) p.u16(static_cast<std::uint16_t>(half));
    for (const std::uint32_t word : {0U, 0U, 0U}) p.u32(word);
    p.u32(0);  // material
    p.u32(2);  // sections: three normals, five indices
    const std::array<std::pair<std::uint32_t, std::uint32_t>, 2> sections{{{0x0000, 3}, {0x0800, 5}}};
    for (const auto& [flagsAndType, count] : sections) {
        p.u32(flagsAndType);
        p.u32(count);
        p.f32(1.0F);
        p.zeros(12);
    }
    b.chunk(0x0800, p, 7);
    b.obj(obj, 0, model);
    Defects defects;
    const ByteVector file = b.file();
    const Document document = read(file, false, defects);
    EXPECT_TRUE(defects.empty());
    ASSERT_EQ(document.models.size(), 1U);
    EXPECT_EQ(document.models[0].mmats.at(0).sections.at(1).data.size(), 10U);
    sceneOf(file, defects);
    EXPECT_EQ(defects.count("sections"), 1U);
}

TEST(CcsfHierarchy, CyclesAreBroken) {
    CcsfBuilder b(0x100);
    const auto a = b.object("OBJ_a");
    const auto c = b.object("OBJ_c");
    const auto self = b.object("OBJ_self");
    const auto x = b.object("EXT_x");
    const auto y = b.object("EXT_y");
    b.obj(a, c, 0);
    b.obj(c, a, 0);
    b.obj(self, self, 0);
    for (const auto& [from, to] : {std::pair(x, y), std::pair(y, x)}) {
        ByteWriter p;
        for (const std::uint32_t word : {from, 0U, to}) p.u32(word);
        b.chunk(0x0a00, p);
    }
    Defects defects;
    const Scene scene = sceneOf(b.file(), defects);
    EXPECT_EQ(scene.nodes.size(), 3U);
    EXPECT_EQ(defects.count("cycle"), 4U);
}

TEST(CcsfHierarchy, IndicesPastTheTableStandForNone) {
    CcsfBuilder b(0x100);
    const auto a = b.object("OBJ_a");
    b.obj(a, 77, 78);
    b.obj(99, 0, 0);
    ByteWriter clump;
    for (const std::uint32_t word : {98U, 2U, 97U, a}) clump.u32(word);
    b.chunk(0x0900, clump);
    Defects defects;
    const Scene scene = sceneOf(b.file(), defects);
    EXPECT_EQ(defects.count("object-range"), 5U);
    ASSERT_NE(nodeNamed(scene, "OBJ_a"), nullptr);
}

TEST(CcsfWalk, UnknownKindsAreSteppedOverAndSaidOnce) {
    CcsfBuilder b(0x100);
    ByteWriter p;
    p.u32(5);
    b.chunk(0x7700, p);
    b.chunk(0x7700, p);
    Defects defects;
    sceneOf(b.file(), defects);
    EXPECT_EQ(defects.count("unknown-kind"), 1U);
}

TEST(CcsfWalk, FindsTheNextHeadBehindALayoutThatMissesIt) {
    // Four bytes behind a texture that neither layout nor size accounts for.
    CcsfBuilder b(0x100);
    const auto clut = b.object("CLT_a");
    const auto texture = b.object("TEX_a");
    const auto obj = b.object("OBJ_a");
    b.texture8(texture, clut, 2, 2, ByteVector(16));
    b.raw(ByteVector{1, 2, 3, 4});
    b.obj(obj, 0, 0);
    Defects defects;
    const Scene scene = sceneOf(b.file(), defects);
    EXPECT_EQ(defects.count("resync"), 1U);
    EXPECT_NE(nodeNamed(scene, "OBJ_a"), nullptr);
}

TEST(CcsfWalk, AFileOfLyingHeadsIsNotReadOncePerHead) {
    // Each model claims sections (mtype & 2) whose chain runs on through all later heads to the file's end and fails
    // there.
    CcsfBuilder b(0x123);
    const auto model = b.object("MDL_a");
    for (int i = 0; i < 20000; ++i) {
        ByteWriter p;
        p.u32(model);
        p.f32(64.0F);
        for (const int half : {0x1002, 0xffff, 0, 0}) p.u16(static_cast<std::uint16_t>(half));
        for (int word = 0; word < 4; ++word) p.u32(0);
        p.u32(0);
        b.chunk(0x0800, p);
    }
    const ByteVector file = b.file();
    for (const bool recover : {false, true}) {
        Defects defects;
        try {
            EXPECT_EQ(write(read(file, recover, defects)), file);
        } catch (const FormatError& e) {
            EXPECT_EQ(e.defect().kind, "sync");
        }
    }
}

TEST(CcsfMaterials, HaveNamesOfTheirOwn) {
    CcsfBuilder b(0x100);
    for (const char* name : {"MAT_a", "MAT_a.2", "MAT_a", "MAT_a"}) b.material(b.object(name), 0);
    Defects defects;
    std::set<std::string> names;
    for (const auto& material : sceneOf(b.file(), defects).materials) names.insert(material.name);
    EXPECT_EQ(names, (std::set<std::string>{"MAT_a", "MAT_a.2", "MAT_a.3", "MAT_a.4"}));
}

TEST(CcsfWalk, AnErrorNamesKindObjectAndOffset) {
    CcsfBuilder b(0x100);
    const auto obj = b.object("OBJ_a");
    b.obj(obj, 0, 0);
    ByteVector file = b.file();
    const std::size_t at = file.size() - 24 - 24;  // the Obj's head: Frame and Top follow
    ASSERT_EQ(file[at + 1], 1);
    file[at + 7] = 0x40;
    Defects defects;
    try {
        read(file, false, defects);
        FAIL();
    } catch (const FormatError& e) {
        EXPECT_EQ(e.defect().kind, "truncated");
        EXPECT_EQ(e.defect().offset, at);
        EXPECT_NE(std::string(e.what()).find("Obj OBJ_a"), std::string::npos) << e.what();
    }
}

TEST(CcsfPose, ReadsItsSpelling) {
    EXPECT_EQ(parsePose("bind").source, PoseChoice::Source::Bind);
    EXPECT_EQ(parsePose("none").source, PoseChoice::Source::None);
    EXPECT_EQ(parsePose("ANM_a@2.5").anime, "ANM_a");
    EXPECT_EQ(parsePose("ANM_a@2.5").frame, 2.5);
    EXPECT_EQ(parsePose("frames@7").source, PoseChoice::Source::Frames);
    EXPECT_THROW(parsePose("ANM_a@x"), FormatError);
    EXPECT_THROW(parsePose("ANM_a@nan"), FormatError);
    Defects defects;
    const ByteVector file = smallScene(0x100);
    const Document document = read(file, false, defects);
    SceneOptions options;
    options.pose = parsePose("ANM_none");
    EXPECT_THROW(toScene(document, options, defects), FormatError);
}

TEST(CcsfPose, GenerationOneStandsInItsNeutralAnimation) {
    const auto& v = test::ccsfVector("skin_v100.ccs");
    Defects defects;
    const Document d = read(v.bytes, false, defects);
    SceneOptions named;
    named.pose = parsePose("ANM_chrnut0@0");
    const Scene asked = toScene(d, named, defects);
    const Scene usual = toScene(d, {}, defects);
    ASSERT_EQ(asked.nodes.size(), usual.nodes.size());
    for (std::size_t i = 0; i < usual.nodes.size(); ++i) {
        EXPECT_EQ(usual.nodes[i].translation, asked.nodes[i].translation);
        EXPECT_EQ(usual.nodes[i].rotation, asked.nodes[i].rotation);
    }
    EXPECT_NE(nodeNamed(usual, "MDL_body"), nullptr);
    SceneOptions none;
    none.pose = parsePose("none");
    EXPECT_EQ(nodeNamed(toScene(d, none, defects), "MDL_body"), nullptr);
    EXPECT_EQ(defects.count("not-posed"), 1U);
}

TEST(CcsfContent, ComesWhenAskedFor) {
    const auto& zoo = test::ccsfVector("zoo_v100.ccs");
    Defects defects;
    const Document d = read(zoo.bytes, false, defects);
    EXPECT_EQ(nodeNamed(toScene(d, {}, defects), "HIT_z0"), nullptr);
    SceneOptions all;
    all.content = ContentSet::all();
    const Scene scene = toScene(d, all, defects);
    ASSERT_NE(nodeNamed(scene, "HIT_z0"), nullptr);
    EXPECT_EQ(nodeNamed(scene, "HIT_z0")->content, Content::Collision);
    EXPECT_EQ(nodeNamed(scene, "DMY_b")->content, Content::Helpers);
    EXPECT_EQ(nodeNamed(scene, "BOX_z")->content, Content::Bounds);
    const Document shadows = read(test::ccsfVector("shadow_v100.ccs").bytes, false, defects);
    EXPECT_TRUE(std::any_of(scene.nodes.begin(), scene.nodes.end(),
                            [](const Node& n) { return n.content == Content::Bounds; }));
    std::size_t volumes = 0;
    for (const Node& node : toScene(shadows, all, defects).nodes)
        volumes += node.content == Content::Shadow && node.mesh ? 1U : 0U;
    EXPECT_GT(volumes, 0U);
}

TEST(CcsfRow, DumpsListsAndExtracts) {
    for (const auto& v : test::ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        const Input input{v.name, v.bytes, {}, {}};
        Defects defects;
        MemorySink sink;
        kFormat.dump(input, {}, sink, defects);
        const auto dump = nlohmann::json::parse(sink.takeText());
        EXPECT_EQ(dump["document"], "ccsf");
        EXPECT_EQ(dump["chunks"].size() + dump["frames"].size() + 2, v.sidecar["chunks"].size());
        const auto info = kFormat.info(input, {}, defects);
        EXPECT_EQ(info["models"].size(), v.sidecar["models"].size());
        ByteVector joined;
        for (const Member& member : kFormat.list(input, {}, defects)) {
            const ByteVector bytes = kFormat.extract(input, {}, member.name, defects);
            EXPECT_EQ(bytes.size(), member.size);
            joined.insert(joined.end(), bytes.begin(), bytes.end());
        }
        EXPECT_EQ(joined, v.bytes);
        EXPECT_THROW(kFormat.extract(input, {}, "no such object", defects), FormatError);
    }
}

nlohmann::json dumpOf(Bytes bytes) {
    Defects defects;
    MemorySink sink;
    kFormat.dump(Input{"made.ccs", bytes, {}, {}}, {}, sink, defects);
    return nlohmann::json::parse(sink.takeText());
}

TEST(CcsfDump, ShowsTheFieldsOfEveryKindThatFormatMdDescribes) {
    const std::set<std::string> opaque{"Particle",          "BltGrp", "ParticleAnmCtrl",
                                       "ParticleGenerator", "chunk",  "BinaryBlob"};
    std::set<std::string> shown;
    for (const auto& v : test::ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        const auto dump = dumpOf(v.bytes);
        const auto look = [&](const nlohmann::json& entry) {
            const std::string kind = entry["kind"];
            shown.insert(kind);
            EXPECT_TRUE(!entry.contains("bytes") || opaque.contains(kind)) << kind << " " << entry.dump();
        };
        for (const auto& chunk : dump["chunks"]) {
            look(chunk);
            if (chunk.contains("records")) {
                for (const auto& record : chunk["records"]) look(record);
            }
        }
        for (const auto& record : dump["frames"]) look(record);
    }
    for (const char* kind :
         {"Eff", "FBRect", "FBPage", "Layer", "Shadow", "Pcm", "Frame", "F_Camera", "F_Note", "F_OmniLight",
          "F_DistantLight", "F_SpotLight", "F_DirectLight", "F_Material", "MaterialController", "F_Morpher"})
        EXPECT_TRUE(shown.contains(kind)) << kind;
}

TEST(CcsfDump, CameraRecordsHoldAFloatPerClearFlag) {
    static constexpr std::array<const char*, 8> kFields{"x", "y", "z", "rx", "ry", "rz", "unknown7", "fov"};
    std::size_t values = 0;
    for (const auto& v : test::ccsfVectors("plain")) {
        const auto dump = dumpOf(v.bytes);
        std::map<std::string, std::vector<nlohmann::json>> found;
        for (const auto& record : dump["frames"]) {
            if (record["kind"] == "F_Camera" && (record["flag"].get<unsigned>() & 1) == 0)
                found[record["camera"]["name"]].push_back(record);
        }
        for (const auto& camera : v.sidecar["cameras"]) {
            const auto& records = found[camera["name"]];
            if (!camera.contains("frames")) continue;
            ASSERT_EQ(records.size(), camera["frames"].size());
            for (std::size_t i = 0; i < records.size(); ++i) {
                const auto& e = camera["frames"][i];
                for (std::size_t bit = 1; bit <= 8; ++bit) {
                    const std::string number = std::to_string(bit);
                    const auto& wanted = e.contains("values") ? e["values"] : e;
                    EXPECT_EQ(wanted.contains(number), records[i].contains(kFields[bit - 1]));
                    if (!wanted.contains(number)) continue;
                    ++values;
                    EXPECT_FLOAT_EQ(records[i][kFields[bit - 1]].get<float>(), wanted[number].get<float>());
                }
            }
        }
    }
    EXPECT_GT(values, 0U);
}

TEST(CcsfDump, KeepsWhatStandsBehindKnownFieldsAndRecordsThatAreCutShort) {
    CcsfBuilder b(0x100);
    const auto light = b.object("LGT_a");
    const auto layer = b.object("LYR_a");
    ByteWriter longer;
    for (const std::uint32_t word : {light, 1U, 0xaabbccddU}) longer.u32(word);
    b.chunk(0x0600, longer);
    ByteWriter cut;
    for (const std::uint32_t word : {0x00ee0009U, layer}) cut.u32(word);
    b.chunk(0x1700, cut);
    ByteWriter shadow;
    shadow.u32(layer);
    for (const int half : {1, 2, 3, 4, -5, -6, 0x0807, 0x0a09}) shadow.u16(static_cast<std::uint16_t>(half));
    shadow.f32(2.5F);
    b.chunk(0x1800, shadow);
    const auto dump = dumpOf(b.file());
    EXPECT_EQ(dump["chunks"][1]["unknown"], "ddccbbaa");
    EXPECT_EQ(dump["chunks"][1]["type"], 1);
    EXPECT_EQ(dump["chunks"][2]["bytes"], "0900ee0002000000");
    EXPECT_EQ(dump["chunks"][3]["py"], -6);
    EXPECT_EQ(dump["chunks"][3]["copies"], 7);
    EXPECT_EQ(dump["chunks"][3]["unknown12"], "090a");
    EXPECT_EQ(dump["chunks"][3]["length"], 2.5);
}

TEST(CcsfContent, LightsAndCamerasStandWhereTheirFirstRecordSays) {
    SceneOptions helpers;
    helpers.content = ContentSet{Content::Helpers};
    std::size_t lights = 0;
    for (const auto& v : test::ccsfVectors("plain")) {
        if (!v.sidecar.contains("light_records")) continue;
        Defects defects;
        const Document d = read(v.bytes, false, defects);
        const Scene scene = toScene(d, helpers, defects);
        std::set<std::string> seen;
        for (const auto& e : v.sidecar["light_records"]) {
            const std::string name = e["light"];
            if (!seen.insert(name).second) continue;
            SCOPED_TRACE(name);
            ++lights;
            const Node* node = nodeNamed(scene, name);
            ASSERT_NE(node, nullptr);
            const auto light = node->extras.value()["light"];
            const bool placed = !e["position"].is_null();
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_NEAR(light["color"][i].get<double>(), e["rgb"][i].get<double>() / 255.0, 1e-6);
                EXPECT_NEAR(node->translation[static_cast<int>(i)], placed ? e["position"][i].get<float>() : 0.0F,
                            1e-4);
            }
            const auto& values = e["values"];
            EXPECT_FLOAT_EQ(light["intensity"].get<float>(), values.empty() ? 1.0F : values[0].get<float>());
            EXPECT_EQ(light.contains("range"), values.size() > 2);
            if (values.size() > 2) {
                EXPECT_FLOAT_EQ(light["range"].get<float>(), values[2].get<float>());
            }
            if (!e["rotation"].is_null()) {
                const Vec3d degrees(e["rotation"][0], e["rotation"][1], e["rotation"][2]);
                EXPECT_NEAR(std::abs(glm::dot(quaternionOf(degrees), Quatd(node->rotation))), 1.0, 1e-6);
            }
        }
    }
    EXPECT_GT(lights, 0U);
    Defects defects;
    const Document frames = read(test::ccsfVector("frames_v100.ccs").bytes, false, defects);
    const Scene scene = toScene(frames, helpers, defects);
    ASSERT_NE(nodeNamed(scene, "CAM_f"), nullptr);
    EXPECT_FLOAT_EQ(nodeNamed(scene, "CAM_f")->translation.x, 53.42070007324219F);
    EXPECT_EQ(nodeNamed(scene, "CAM_f")->content, Content::Helpers);
    EXPECT_EQ(nodeNamed(toScene(frames, {}, defects), "CAM_f"), nullptr);
}

}  // namespace
}  // namespace geomconv::ccsf
