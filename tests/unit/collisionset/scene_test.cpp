#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "formats/collisionset/format.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/unit/collisionset/made.hpp"

namespace geomconv::collisionset {
namespace {

using namespace made;

Scene sceneOf(std::vector<Record> records, std::string_view format, bool forMesh = true) {
    ReadOptions options;
    options.forMesh = forMesh;
    Defects defects;
    Scene scene = toScene(made::library(std::move(records)), "made.bin", options, defects);
    EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>{});
    scene.source.format = format;
    return scene;
}

Library built(const Scene& scene, Defects& defects, const WriteOptions& options = {}) {
    MemorySink out;
    fromScene(scene, options, out, defects);
    return read(out.take(), {}, defects);
}

WriteOptions with(std::string option) {
    WriteOptions options;
    options.format.set(std::move(option), "");
    return options;
}

/// A box whose triangles share no vertex, as glTF exporters make it at hard edges.
Record soup(std::string_view name) {
    const Record whole = box(name);
    Record out;
    out.nameField = whole.nameField;
    for (const std::uint32_t i : whole.index) {
        out.index.push_back(static_cast<std::uint32_t>(out.vertex.size()));
        out.vertex.push_back(whole.vertex[i]);
    }
    return out;
}

TEST(CollisionSetScene, OneRecordIsOneRootNodeWithOneMesh) {
    const Scene scene = sceneOf({box("rou_e101_bdy"), triangle("b")}, "collisionset");
    ASSERT_EQ(scene.nodes.size(), 2U);
    ASSERT_EQ(scene.meshes.size(), 2U);
    EXPECT_EQ(scene.nodes[1].name, "b");
    EXPECT_FALSE(scene.nodes[1].parent);
    EXPECT_EQ(scene.meshes[1].name, "b");
    EXPECT_EQ(scene.meshes[0].primitives[0].indices, box("x").index);
    EXPECT_TRUE(scene.nodes[0].extras.empty());
}

TEST(CollisionSetScene, ARecordWithoutTrianglesIsANodeWithoutMesh) {
    Record points = triangle("points");
    points.index.clear();
    const Scene scene = sceneOf({box("a"), points}, "collisionset", false);
    ASSERT_EQ(scene.nodes.size(), 2U);
    EXPECT_FALSE(scene.nodes[1].mesh);
    Defects defects;
    const Library back = built(scene, defects);
    ASSERT_EQ(back.records.size(), 2U);
    EXPECT_TRUE(sameRecord(back.records[1], points));
}

TEST(CollisionSetScene, NoMeshFormatTakesVerticesThatAreNotFinite) {
    Record record = box("a");
    record.vertex[7].z = std::numeric_limits<float>::infinity();
    Defects defects;
    for (const bool forMesh : {true, false}) {
        ReadOptions options;
        options.forMesh = forMesh;
        options.finite = true;
        try {
            toScene(made::library({record}), "x.bin", options, defects);
            FAIL();
        } catch (const FormatError& e) {
            EXPECT_EQ(e.defect().kind, "nonfinite");
            EXPECT_EQ(e.defect().offset, 16U + 16U + 7 * 12U + 8U);
        }
        options.recover = true;
        const Scene scene = toScene(made::library({record}), "x.bin", options, defects);
        EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>{});
        EXPECT_EQ(scene.meshes[0].primitives[0].positions.size(), 8U) << "the vertex is kept";
        EXPECT_EQ(scene.meshes[0].primitives[0].indices.size(), 3U * 9U) << "its three triangles are not";
    }
}

TEST(CollisionSetScene, GltfIsWeldedAndObjIsNot) {
    Defects defects;
    EXPECT_EQ(built(sceneOf({soup("a")}, "glb"), defects).records[0].nv(), 8U);
    EXPECT_EQ(built(sceneOf({soup("a")}, "gltf"), defects).records[0].nt(), 12U);
    EXPECT_EQ(built(sceneOf({soup("a")}, "obj"), defects).records[0].nv(), 36U);
    EXPECT_EQ(built(sceneOf({soup("a")}, "collisionset"), defects).records[0].nv(), 36U);
    EXPECT_EQ(built(sceneOf({soup("a")}, "glb"), defects, with("no-weld")).records[0].nv(), 36U);
    EXPECT_EQ(built(sceneOf({soup("a")}, "obj"), defects, with("weld")).records[0].nv(), 8U);
    EXPECT_TRUE(defects.empty());
}

TEST(CollisionSetScene, WeldingTakesBothZerosForEqualAndKeepsTheFirst) {
    Record record = triangle("a");
    record.vertex.emplace_back(-0.0F, -0.0F, -0.0F);
    record.vertex.emplace_back(0.0F, 0.0F, 1.0F);
    record.index = {0, 1, 2, 3, 4, 1, 0, 3, 2};
    Defects defects;
    const Library library = built(sceneOf({record}, "glb"), defects);
    EXPECT_EQ(library.records[0].nv(), 4U);
    EXPECT_EQ(library.records[0].index, (std::vector<std::uint32_t>{0, 1, 2, 0, 3, 1}));
    EXPECT_FALSE(std::signbit(library.records[0].vertex[0].x));
    ASSERT_EQ(kinds(defects), (std::vector<std::string>{"dropped-triangles"}));
}

TEST(CollisionSetScene, TransformsAreAppliedAndMirrorsTurnTriangles) {
    Scene scene = sceneOf({triangle("a")}, "glb");
    scene.nodes[0].translation = Vec3(10.0F, 0.0F, 0.0F);
    Node parent;
    parent.name = "parent";
    parent.scale = Vec3(-1.0F, 1.0F, 1.0F);
    scene.nodes.push_back(parent);
    scene.nodes[0].parent = 1;
    Defects defects;
    const Library library = built(scene, defects);
    ASSERT_EQ(library.records.size(), 1U);
    EXPECT_EQ(library.records[0].vertex[1], Vec3(-11.0F, 0.0F, 0.0F));
    EXPECT_EQ(library.records[0].index, (std::vector<std::uint32_t>{0, 2, 1}));
}

TEST(CollisionSetScene, EveryInstanceIsARecord) {
    Scene scene = sceneOf({triangle("a")}, "glb");
    scene.nodes.push_back(scene.nodes[0]);
    scene.nodes[1].name = "b";
    Defects defects;
    EXPECT_EQ(built(scene, defects).records.size(), 2U);
}

TEST(CollisionSetScene, RefusesWhatARecordCannotHold) {
    const auto ruleOf = [](const Scene& scene, const WriteOptions& options = {}) -> std::string {
        Defects defects;
        MemorySink out;
        try {
            fromScene(scene, options, out, defects);
        } catch (const GeometryError& e) {
            EXPECT_EQ(out.written(), 0U) << "refused before anything is written";
            return e.rule();
        }
        return "";
    };
    EXPECT_EQ(ruleOf(Scene{}), "no-records");
    EXPECT_EQ(ruleOf(sceneOf({triangle("a"), triangle("a")}, "glb")), "duplicate-name");
    EXPECT_EQ(ruleOf(sceneOf({triangle("a"), triangle("a")}, "glb"), with("force-names")), "");
    EXPECT_EQ(ruleOf(sceneOf({triangle("")}, "glb")), "name");
    EXPECT_EQ(ruleOf(sceneOf({triangle(std::string(256, 'x'))}, "glb")), "name");
    EXPECT_EQ(ruleOf(sceneOf({triangle(std::string(255, 'x'))}, "glb")), "");
    Scene scene = sceneOf({triangle("a")}, "glb");
    scene.meshes[0].primitives[0].positions[2].x = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(ruleOf(scene), "nonfinite");
    scene = sceneOf({triangle("a")}, "glb");
    scene.meshes[0].primitives[0].indices[2] = 3;
    EXPECT_EQ(ruleOf(scene), "index-range");
}

TEST(CollisionSetScene, SaysOncePerKindWhatIsLost) {
    Scene scene = sceneOf({triangle("a"), triangle("b"), triangle(std::string(40, 'n'))}, "glb");
    for (Mesh& mesh : scene.meshes) mesh.primitives[0].normals.assign(3, Vec3(0.0F, 0.0F, 1.0F));
    Defects defects;
    built(scene, defects);
    EXPECT_EQ(kinds(defects), (std::vector<std::string>{"dropped-attributes", "unusual-name-length"}));
    EXPECT_EQ(toText(defects.list()[0]), "object 'a': 3 meshes lose all but their positions");
}

TEST(CollisionSetScene, NewLibrariesAreBigEndian) {
    Defects defects;
    EXPECT_EQ(built(sceneOf({triangle("a")}, "obj"), defects).byteOrder, ByteOrder::Big);
}

// ---------------------------------------------------------------------------------------------------- list and extract

TEST(CollisionSetList, NamesThatOccurTwiceAreListedByNumber) {
    const ByteVector file = write(made::library({box("rou_e101_bdy"), triangle("b"), triangle("b")}));
    const Input input{.name = "x.bin", .bytes = file, .companions = {}, .file = {}};
    Defects defects;
    const std::vector<Member> members = kFormat.list(input, {}, defects);
    ASSERT_EQ(members.size(), 3U);
    EXPECT_EQ(members[0].name, "rou_e101_bdy");
    EXPECT_EQ(members[0].detail, "rou bdy, 8 vertices, 12 triangles");
    EXPECT_EQ(members[1].name, "#1");
    for (const Member& member : members) {
        const ByteVector part = kFormat.extract(input, {}, member.name, defects);
        EXPECT_EQ(part, ByteVector(file.begin() + static_cast<std::ptrdiff_t>(*member.offset),
                                   file.begin() + static_cast<std::ptrdiff_t>(*member.offset + *member.size)));
    }
    EXPECT_THROW(kFormat.extract(input, {}, "nothing", defects), FormatError);
    Members all = kFormat.members(input, {}, defects);
    ASSERT_EQ(all.names.size(), members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        EXPECT_EQ(all.names[i], members[i].name);
        EXPECT_EQ(all.take(i, defects), kFormat.extract(input, {}, members[i].name, defects));
    }
}

// ---------------------------------------------------------------------------------------------------- dump

TEST(CollisionSetJson, KeepsNaNAndOddNames) {
    Record record = triangle("a");
    record.nameField = std::string("a\0\xcd\xcd\x01", 5);
    record.vertex[0].x = std::bit_cast<float>(0xffc12345U);
    record.vertex[1].y = -0.0F;
    Library library = made::library({record}, ByteOrder::Little);
    library.trailingZeros = 12;
    MemorySink out;
    toJson(library, out);
    EXPECT_EQ(write(fromJson(out.takeText())), write(library));
}

TEST(CollisionSetJson, AnEditedNameMakesANewField) {
    MemorySink out;
    Record record = triangle("a");
    record.nameField = std::string("a\0x", 3);
    toJson(made::library({record}), out);
    std::string text = out.takeText();
    text.replace(text.find("\"name\": \"a\""), 11, "\"name\": \"longer than before\"");
    EXPECT_EQ(fromJson(text).records[0].nameField, makeNameField("longer than before"));
}

TEST(CollisionSetJson, RefusesBrokenDumps) {
    for (const char* text : {"", "[]", "{\"document\":\"sur\"}", "{\"byteOrder\":\"pdp\"}",
                             "{\"trailingZeros\":99999999999}", "{\"records\":[{\"index\":[0,0]}]}",
                             "{\"records\":[{\"index\":[0,0,0]}]}", "{\"records\":[{\"vertex\":[0,0]}]}",
                             "{\"records\":[{\"vertexBytes\":\"AAAA\"}]}", "{\"records\":[{\"nameField\":\"?\"}]}"}) {
        EXPECT_THROW(fromJson(text), FormatError) << text;
    }
}

TEST(CollisionSetJson, EveryTruncationOfADumpIsRefused) {
    MemorySink out;
    toJson(made::library({triangle("a")}), out);
    const std::string text = out.takeText();
    for (std::size_t n = 0; n + 2 < text.size(); ++n) EXPECT_THROW(fromJson(text.substr(0, n)), FormatError) << n;
}

}  // namespace
}  // namespace geomconv::collisionset
