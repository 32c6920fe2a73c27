#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "exporters/obj/obj.hpp"
#include "lib/defect.hpp"

namespace geomconv::obj {
namespace {

struct Written {
    std::string obj;
    std::vector<std::pair<std::string, ByteVector>> siblings;
    Defects defects;

    std::string sibling(std::string_view name) const {
        for (const auto& [n, bytes] : siblings) {
            if (n == name) return std::string(asText(bytes));
        }
        return "(no " + std::string(name) + ")";
    }
};

Written write(const Scene& scene, const WriteOptions& options = {}, bool siblings = true) {
    MemoryOutput out("ship", siblings);
    Written written;
    writeScene(scene, options, out, written.defects);
    const ByteVector bytes = out.takeMain();
    written.obj = asText(bytes);
    written.siblings = out.takeSiblings();
    return written;
}

/// A triangle with one corner on each axis.
Primitive triangle() {
    Primitive p;
    p.positions = {{1, 0, 0}, {0, 2, 0}, {0, 0, 0.1F}};
    p.indices = {0, 1, 2};
    return p;
}

Mesh meshOf(std::string name, Primitive p) {
    Mesh mesh;
    mesh.name = std::move(name);
    mesh.primitives.push_back(std::move(p));
    return mesh;
}

Node nodeOf(std::string name, std::optional<std::uint32_t> mesh = std::nullopt) {
    Node node;
    node.name = std::move(name);
    node.mesh = mesh;
    return node;
}

Scene sceneOf(Primitive p, const std::string& name = "tri") {
    Scene scene;
    scene.meshes.push_back(meshOf(name, std::move(p)));
    scene.nodes.push_back(nodeOf(name, 0));
    return scene;
}

TEST(ObjWrite, WritesATriangle) {
    EXPECT_EQ(write(sceneOf(triangle())).obj,
              "# geomconv\n"
              "o tri\n"
              "v 1 0 0\n"
              "v 0 2 0\n"
              "v 0 0 0.1\n"
              "f 1 2 3\n");
}

TEST(ObjWrite, NumbersUvsAndNormalsByVertex) {
    Primitive p = triangle();
    p.uvs = {{0, 0}, {1, 0.25F}, {0.5F, 1}};
    p.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    p.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    Scene scene = sceneOf(p);
    p.uvs.clear();
    p.colors.clear();
    scene.meshes[0].primitives.push_back(p);
    p.normals.clear();
    p.uvs = {{0, 0}, {1, 0}, {0, 1}};
    scene.meshes[0].primitives.push_back(p);
    const Written written = write(scene);
    EXPECT_TRUE(written.defects.empty());
    EXPECT_EQ(written.obj,
              "# geomconv\n"
              "o tri\n"
              "v 1 0 0 1 0 0\n"
              "v 0 2 0 0 1 0\n"
              "v 0 0 0.1 0 0 1\n"
              "vt 0 1\n"
              "vt 1 0.75\n"
              "vt 0.5 0\n"
              "vn 0 0 1\n"
              "vn 0 0 1\n"
              "vn 0 0 1\n"
              "f 1/1/1 2/2/2 3/3/3\n"
              "v 1 0 0\n"
              "v 0 2 0\n"
              "v 0 0 0.1\n"
              "vn 0 0 1\n"
              "vn 0 0 1\n"
              "vn 0 0 1\n"
              "f 4//4 5//5 6//6\n"
              "v 1 0 0\n"
              "v 0 2 0\n"
              "v 0 0 0.1\n"
              "vt 0 1\n"
              "vt 1 1\n"
              "vt 0 0\n"
              "f 7/4 8/5 9/6\n");
}

TEST(ObjWrite, VerticesSplitByASeamShareTheirPosition) {
    Primitive p;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    p.uvs = {{0, 0}, {1, 0}, {0, 0}, {0, 1}};
    p.indices = {0, 1, 3, 0, 2, 3};
    EXPECT_EQ(write(sceneOf(p)).obj,
              "# geomconv\n"
              "o tri\n"
              "v 0 0 0\n"
              "v 1 0 0\n"
              "v 0 1 0\n"
              "vt 0 1\n"
              "vt 1 1\n"
              "vt 0 1\n"
              "vt 0 0\n"
              "f 1/1 2/2 3/4\n"
              "f 1/1 2/3 3/4\n");
    // Without uvs and normals nothing could tell the two apart again.
    p.uvs.clear();
    EXPECT_NE(write(sceneOf(p)).obj.find("f 1 3 4\n"), std::string::npos);
}

TEST(ObjWrite, WritesLinesAndPoints) {
    Primitive lines;
    lines.topology = Topology::Lines;
    lines.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    lines.indices = {0, 1, 1, 2};
    Primitive points;
    points.topology = Topology::Points;
    points.positions = {{5, 0, 0}, {6, 0, 0}};
    Scene scene = sceneOf(lines);
    scene.meshes[0].primitives.push_back(points);
    points.indices = {1};
    scene.meshes[0].primitives.push_back(points);
    EXPECT_EQ(write(scene).obj,
              "# geomconv\no tri\nv 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2\nl 2 3\n"
              "v 5 0 0\nv 6 0 0\np 4\np 5\nv 5 0 0\nv 6 0 0\np 7\n");
}

TEST(ObjWrite, BakesNodesAndTurnsMirroredTriangles) {
    Primitive p = triangle();
    p.normals = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Scene scene = sceneOf(p);
    scene.nodes[0].parent = 1;
    scene.nodes[0].scale = {-2, 1, 1};
    scene.nodes.push_back(nodeOf("root"));
    scene.nodes[1].translation = {10, 0, 0};
    EXPECT_EQ(write(scene).obj,
              "# geomconv\no tri\nv 8 0 0\nv 10 2 0\nv 10 0 0.1\nvn -1 0 0\nvn 0 1 0\nvn 0 0 1\nf 1//1 3//3 2//2\n");
}

TEST(ObjWrite, BakesScaleAndUpAxis) {
    WriteOptions options;
    options.scale = 100.0;
    options.up = UpChoice::Z;
    EXPECT_EQ(write(sceneOf(triangle()), options).obj, "# geomconv\no tri\nv 100 0 0\nv 0 0 200\nv 0 -10 0\nf 1 2 3\n");
    Scene left = sceneOf(triangle());
    left.space.handedness = Handedness::Left;
    options.scale = 1.0;
    options.up = UpChoice::Y;
    EXPECT_EQ(write(left, options).obj, "# geomconv\no tri\nv 1 0 0\nv 0 2 0\nv 0 0 -0.1\nf 1 3 2\n");
    options.up = UpChoice::Native;
    EXPECT_EQ(write(left, options).obj, write(sceneOf(triangle())).obj);
}

TEST(ObjWrite, KeepsEveryBitWhereNothingIsBaked) {
    Primitive p = triangle();
    p.positions = {{-0.0F, 1e-45F, 3.4028235e38F}, {0.1F, 16777217.0F, -1.17549435e-38F}, {0.3F, 1.0F / 3.0F, 1e10F}};
    EXPECT_EQ(write(sceneOf(p)).obj,
              "# geomconv\no tri\nv -0 1e-45 3.4028235e+38\nv 0.1 16777216 -1.1754944e-38\nv 0.3 0.33333334 1e+10\nf 1 "
              "2 3\n");
}

TEST(ObjWrite, PrecisionGivesDecimals) {
    Primitive p = triangle();
    p.uvs = {{0.123456F, 0.9999F}, {0, 0}, {0, 0}};
    WriteOptions options;
    options.precision = 2;
    EXPECT_NE(write(sceneOf(p), options).obj.find("v 0.00 0.00 0.10\nvt 0.12 0.00\nvt 0.00 1.00\n"), std::string::npos);
}

TEST(ObjWrite, NamesAreSafe) {
    for (const auto& [name, line] :
         std::vector<std::pair<std::string, std::string>>{{"left wing", "o left wing\n"},
                                                          {"Fl\xc3\xbcgel.001", "o Fl\xc3\xbcgel.001\n"},
                                                          {"a\nv 1 2 3", "o a\\x0Av 1 2 3\n"},
                                                          {" padded ", "o padded\n"},
                                                          {"back\\", "o back\n"},
                                                          {"", "o node_0\n"}}) {
        Scene scene = sceneOf(triangle());
        scene.meshes[0].name.clear();
        scene.nodes[0].name = name;
        EXPECT_NE(write(scene).obj.find(line), std::string::npos) << name;
    }
}

Scene hullScene() {
    Scene scene;
    scene.hulls.resize(2);
    for (Hull& hull : scene.hulls) {
        hull.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        hull.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    }
    scene.hulls[0].name = "HpWeapon01";
    scene.hulls[1].id = 0x1234ABCD;
    scene.hulls[1].type = HullType::Wrap;
    scene.nodes.push_back(nodeOf("wing_lt"));
    scene.nodes[0].hulls = {0, 1};
    return scene;
}

TEST(ObjWrite, HullsAreObjectsWithColoursOfTheirOwn) {
    const Written written = write(hullScene());
    EXPECT_EQ(written.obj,
              "# geomconv\nmtllib ship.mtl\n"
              "o wing_lt/HpWeapon01\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl hull_0\n"
              "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
              "o wing_lt/0x1234ABCD\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl hull_1\n"
              "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n");
    const std::string mtl = written.sibling("ship.mtl");
    EXPECT_TRUE(mtl.starts_with("newmtl hull_0\nKd ")) << mtl;
    EXPECT_NE(mtl.find("newmtl hull_1\nKd "), std::string::npos);
    EXPECT_NE(mtl.find("d 0.25\n"), std::string::npos);
    WriteOptions options;
    options.hullNames = HullNames::Unreal;
    EXPECT_NE(write(hullScene(), options).obj.find("o UCX_wing_lt_01\n"), std::string::npos);
}

TEST(ObjWrite, ASingleFileKeepsTheNamesOfMaterialsAndSaysSo) {
    const Written hulls = write(hullScene(), {}, false);
    EXPECT_EQ(hulls.obj.find("mtllib"), std::string::npos);
    EXPECT_NE(hulls.obj.find("usemtl hull_0\n"), std::string::npos);
    EXPECT_TRUE(hulls.defects.empty());  // colours that nobody gave are no loss

    Scene scene = sceneOf(triangle());
    scene.materials.resize(1);
    scene.materials[0].name = "steel";
    scene.meshes[0].primitives[0].material = 0;
    const Written written = write(scene, {}, false);
    EXPECT_NE(written.obj.find("usemtl steel\n"), std::string::npos);
    EXPECT_EQ(written.defects.count("lost-materials"), 1U);
    EXPECT_TRUE(written.siblings.empty());
}

TEST(ObjWrite, MaterialsAndImagesLieBeside) {
    Scene scene = sceneOf(triangle());
    scene.images.resize(2);
    scene.images[0].name = "hull skin";
    scene.images[0].width = scene.images[0].height = 1;
    scene.images[0].rgba = {255, 0, 0, 255};
    scene.images[1].name = "photo";
    scene.images[1].mimeType = "image/jpeg";
    scene.images[1].encoded = {0xff, 0xd8, 0xff, 0x01};
    scene.materials.resize(3);
    scene.materials[0].name = "steel";
    scene.materials[0].baseColor = {0.5F, 0.25F, 1, 0.5F};
    scene.materials[0].image = 0;
    scene.materials[0].alphaMode = AlphaMode::Blend;
    scene.materials[1].name = "steel";
    scene.materials[1].image = 1;
    scene.materials[1].unlit = true;
    scene.materials[1].emissive = {0, 0, 2};
    scene.materials[1].wrapU = scene.materials[1].wrapV = Wrap::Clamp;
    scene.materials[2].roughness = 0.5F;
    scene.materials[2].metallic = 1.0F;
    scene.meshes[0].primitives[0].material = 1;
    const Written written = write(scene);
    EXPECT_NE(written.obj.find("usemtl steel#2\n"), std::string::npos);
    EXPECT_EQ(written.sibling("ship.mtl"),
              "newmtl steel\nKd 0.5 0.25 1\nd 0.5\nillum 1\nmap_Kd ship_hull skin.png\nmap_d ship_hull skin.png\n\n"
              "newmtl steel#2\nKd 1 1 1\nKe 0 0 2\nd 1\nillum 0\nmap_Kd -clamp on ship_photo.jpg\n\n"
              "newmtl material_2\nKd 1 1 1\nd 1\nPr 0.5\nPm 1\nillum 1\n\n");
    EXPECT_EQ(written.sibling("ship_photo.jpg"), std::string("\xff\xd8\xff\x01"));
    EXPECT_TRUE(written.sibling("ship_hull skin.png").starts_with("\x89PNG"));

    WriteOptions options;
    options.textures = false;
    const Written bare = write(scene, options);
    EXPECT_EQ(bare.siblings.size(), 1U);
    EXPECT_EQ(bare.sibling("ship.mtl").find("map_"), std::string::npos);
}

TEST(ObjWrite, APrimitiveWithoutMaterialTakesNoneFromItsNeighbour) {
    Scene scene = sceneOf(triangle());
    scene.materials.resize(1);
    scene.materials[0].name = "steel";
    scene.meshes[0].primitives[0].material = 0;
    scene.meshes[0].primitives.push_back(triangle());
    EXPECT_NE(write(scene).obj.find("usemtl (null)\nf 4 5 6\n"), std::string::npos);
}

TEST(ObjWrite, AMeshOfTwoNodesIsWrittenTwice) {
    Scene scene = sceneOf(triangle());
    scene.nodes.push_back(nodeOf("copy", 0));
    scene.nodes[1].translation = {0, 0, 1};
    EXPECT_EQ(write(scene).obj,
              "# geomconv\no tri\nv 1 0 0\nv 0 2 0\nv 0 0 0.1\nf 1 2 3\n"
              "o copy\nv 1 0 1\nv 0 2 1\nv 0 0 1.1\nf 4 5 6\n");
}

TEST(ObjWrite, PolygonsStayPolygons) {
    Primitive p;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {-1, 1, 0}};
    p.indices = {0, 1, 2, 0, 1, 2, 0, 2, 3, 0, 3, 4};
    p.faceSizes = {3, 5};
    Scene scene = sceneOf(p);
    EXPECT_NE(write(scene).obj.find("f 1 2 3\nf 1 2 3 4 5\n"), std::string::npos);
    scene.nodes[0].scale = {1, 1, -1};
    EXPECT_NE(write(scene).obj.find("f 1 3 2\nf 1 5 4 3 2\n"), std::string::npos);
}

/// Two triangles of a square, of one material each; a texture seam splits the corners that they share.
Scene splitSquare() {
    Primitive p;
    p.positions = {{1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    p.normals.assign(3, {0, 0, 1});
    p.uvs = {{1, 0}, {0, 0}, {0, 1}};
    p.colors.assign(3, {0.5F, 1, 1, 1});
    p.indices = {0, 1, 2};
    p.modelVertices = {3, 1, 0};
    p.material = 0;
    Primitive q = p;
    q.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    q.uvs = {{0, 1}, {1, 1}, {1, 0.5F}};
    q.modelVertices = {0, 5, 3};
    q.material = 1;
    Scene scene = sceneOf(std::move(p), "square");
    scene.meshes[0].primitives.push_back(std::move(q));
    scene.materials.resize(2);
    scene.materials[0].name = "a";
    scene.materials[1].name = "b";
    return scene;
}

TEST(ObjWrite, PrimitivesOfAModelShareItsVertices) {
    Scene scene = splitSquare();
    EXPECT_EQ(
        write(scene).obj,
        "# geomconv\nmtllib ship.mtl\no square\n"
        "v 0 0 0 0.5 1 1\nv 0 1 0 0.5 1 1\nv 1 1 0 0.5 1 1\nv 1 0 0 0.5 1 1\n"
        "vn 0 0 1\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
        "vt 1 1\nvt 0 1\nvt 0 0\nvt 1 0\nvt 1 0.5\nusemtl a\nf 3/1/3 2/2/2 1/3/1\nusemtl b\nf 1/3/1 4/4/4 3/5/3\n");
    // Another mesh counts on behind it, and finds the texture coordinates that stand there.
    scene.nodes.push_back(nodeOf("copy", 0));
    scene.nodes[1].translation = {2, 0, 0};
    EXPECT_NE(write(scene).obj.find("o copy\nv 2 0 0 0.5 1 1\n"), std::string::npos);
    EXPECT_NE(write(scene).obj.find("vn 0 0 1\nusemtl a\nf 7/1/7 6/2/6 5/3/5\nusemtl b\nf 5/3/5 8/4/8 7/5/7\n"),
              std::string::npos);
}

TEST(ObjWrite, FacesOfAModelStandInItsOrder) {
    Scene scene = splitSquare();
    Primitive& p = scene.meshes[0].primitives[0];
    p.indices = {0, 1, 2, 1, 2, 0, 2, 0, 1};
    p.modelFaces = {0, 2, 3};
    scene.meshes[0].primitives[1].modelFaces = {1};
    EXPECT_NE(write(scene).obj.find("usemtl a\nf 3/1/3 2/2/2 1/3/1\nusemtl b\nf 1/3/1 4/4/4 3/5/3\n"
                                    "usemtl a\nf 2/2/2 1/3/1 3/1/3\nf 1/3/1 3/1/3 2/2/2\n"),
              std::string::npos)
        << write(scene).obj;
}

TEST(ObjWrite, SharedVerticesNeedNoUvsAndNoNormals) {
    Scene scene = splitSquare();
    for (Primitive& p : scene.meshes[0].primitives) p.uvs.clear(), p.normals.clear(), p.colors.clear();
    scene.nodes[0].scale = {1, 1, -1};
    EXPECT_NE(write(scene).obj.find("v 0 0 0\nv 0 1 0\nv 1 1 0\nv 1 0 0\nusemtl a\nf 3 1 2\nusemtl b\nf 1 3 4\n"),
              std::string::npos)
        << write(scene).obj;
}

TEST(ObjWrite, NamedPrimitivesAreObjectsWithVerticesOfTheirOwn) {
    Scene scene = splitSquare();
    for (Primitive& p : scene.meshes[0].primitives) p.name = "part";
    const std::string obj = write(scene).obj;
    EXPECT_NE(obj.find("f 1/1/1 2/2/2 3/3/3\n"), std::string::npos);
    EXPECT_NE(obj.find("f 4/4/4 5/5/5 6/6/6\n"), std::string::npos);
}

TEST(ObjWrite, ManyUvsAreFoundAgain) {
    Scene scene = splitSquare();
    scene.meshes[0].primitives.pop_back();
    Primitive& p = scene.meshes[0].primitives[0];
    p.positions.assign(3000, {0, 0, 0});
    p.normals.clear();
    p.colors.clear();
    p.uvs.clear();
    p.modelVertices.assign(3000, 0);
    for (int i = 0; i < 3000; ++i) p.uvs.emplace_back(static_cast<float>(i % 1000) / 1000.0F, 0.25F);
    p.indices = {999, 1999, 2999, 0, 1000, 1001};
    const std::string obj = write(scene).obj;
    EXPECT_NE(obj.find("v 0 0 0\nvt 0 0.75\nvt 0.001 0.75\n"), std::string::npos);
    EXPECT_NE(obj.find("vt 0.999 0.75\nusemtl a\nf 1/1000 1/1000 1/1000\nf 1/1 1/1 1/2\n"), std::string::npos);
}

TEST(ObjWrite, EveryUvOfAGridIsWrittenOnce) {
    Scene scene = splitSquare();
    scene.meshes[0].primitives.pop_back();
    Primitive& p = scene.meshes[0].primitives[0];
    constexpr int kSide = 256;
    p.positions.assign(2 * kSide * kSide, {0, 0, 0});
    p.normals.clear();
    p.colors.clear();
    p.uvs.clear();
    p.modelVertices.assign(p.positions.size(), 0);
    for (int i = 0; i < 2 * kSide * kSide; ++i) {
        p.uvs.emplace_back(static_cast<float>(i % kSide) / 256.0F, static_cast<float>(i / kSide % kSide) / 256.0F);
    }
    const std::string obj = write(scene).obj;
    std::size_t lines = 0;
    for (std::size_t at = obj.find("\nvt "); at != std::string::npos; at = obj.find("\nvt ", at + 1)) ++lines;
    EXPECT_EQ(lines, std::size_t{kSide} * kSide);
}

TEST(ObjWrite, ContentsThatAreKeptApartAreFilesOfTheirOwn) {
    Scene scene = sceneOf(triangle());
    scene.separateContents = true;
    scene.nodes.push_back(nodeOf("floor", 0));
    scene.nodes[1].content = Content::Collision;
    const Written written = write(scene);
    EXPECT_EQ(written.obj, write(sceneOf(triangle())).obj);
    EXPECT_EQ(written.sibling("ship_collision.obj"), "# geomconv\no floor\nv 1 0 0\nv 0 2 0\nv 0 0 0.1\nf 1 2 3\n");
    EXPECT_EQ(written.siblings.size(), 1U);
    // A single file holds them all.
    EXPECT_NE(write(scene, {}, false).obj.find("o floor\n"), std::string::npos);
    // Beside level.obj names are bare.
    MemoryOutput out("level", true);
    Defects defects;
    writeScene(scene, {}, out, defects);
    EXPECT_EQ(out.takeSiblings().at(0).first, "collision.obj");
    // A content alone is the main file.
    scene.nodes.erase(scene.nodes.begin());
    EXPECT_NE(write(scene).obj.find("o floor\n"), std::string::npos);
}

TEST(ObjWrite, GroupsStayBelowTheirObject) {
    Scene scene;
    scene.meshes.push_back(meshOf("m", triangle()));
    scene.nodes = {nodeOf("ship"), nodeOf("wing", 0), nodeOf("tail", 0), nodeOf("other", 0)};
    scene.nodes[1].parent = scene.nodes[2].parent = 0;
    scene.nodes[1].extras = scene.nodes[2].extras = Extras::fromText(std::string(kGroupMark));
    const std::string obj = write(scene).obj;
    std::string heads;
    for (std::size_t at = 0; at < obj.size(); at = obj.find('\n', at) + 1) {
        if (obj[at] == 'o' || obj[at] == 'g') heads += obj.substr(at, obj.find('\n', at) - at) + ';';
    }
    EXPECT_EQ(heads, "o ship;g wing;g tail;o other;");
    // Without the object they are objects themselves.
    scene.nodes.erase(scene.nodes.begin());
    for (Node& node : scene.nodes) node.parent.reset();
    EXPECT_NE(write(scene).obj.find("o wing\n"), std::string::npos);
}

/// A triangle that hangs on two joints, the second below the first.
Scene skinned() {
    Primitive p = triangle();
    p.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    p.influences.resize(1);
    p.influences[0].joints = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}};
    p.influences[0].weights = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0.5F, 0.5F, 0, 0}};
    Scene scene = sceneOf(p);
    scene.nodes[0].skin = 0;
    scene.nodes[0].translation = {100, 0, 0};  // a skinned mesh's own node does not move it
    scene.nodes.push_back(nodeOf("hip"));
    scene.nodes.push_back(nodeOf("knee"));
    scene.nodes[1].translation = {0, 1, 0};
    scene.nodes[2].parent = 1;
    scene.nodes[2].translation = {0, 0, 2};
    scene.skins.resize(1);
    scene.skins[0].joints = {1, 2};
    Mat4 hip(1.0F);
    hip[3] = {0, -1, 0, 1};
    Mat4 knee(1.0F);
    knee[3] = {0, -1, -2, 1};
    scene.skins[0].inverseBindMatrices = {hip, knee};
    return scene;
}

TEST(ObjWrite, ASkinnedMeshInItsBindPoseKeepsItsBits) {
    EXPECT_NE(write(skinned()).obj.find("v 1 0 0\nv 0 2 0\nv 0 0 0.1\nvn 0 0 1\n"), std::string::npos)
        << write(skinned()).obj;
}

TEST(ObjWrite, ASkinnedMeshStandsWhereItsJointsAre) {
    Scene scene = skinned();
    scene.nodes[1].translation = {0, 1, 10};
    scene.nodes[2].translation = {4, 0, 2};
    EXPECT_NE(write(scene).obj.find("v 1 0 10\nv 4 2 10\nv 2 0 10.1\nvn 0 0 1\n"), std::string::npos)
        << write(scene).obj;
    WriteOptions options;
    options.scale = 2.0;
    EXPECT_NE(write(scene, options).obj.find("v 2 0 20\nv 8 4 20\n"), std::string::npos);
}

TEST(ObjWrite, SaysOncePerKindWhatIsLost) {
    Primitive p = triangle();
    p.targets.resize(2);
    p.colors = {{1, 1, 1, 0.5F}, {1, 1, 1, 1}, {1, 1, 1, 1}};
    Scene scene = sceneOf(p, "face");
    scene.skins.resize(1);
    scene.skins[0].name = "rig";
    scene.animations.resize(2);
    scene.animations[0].name = "walk";
    scene.meshes.push_back(meshOf("spare", triangle()));
    const Written written = write(scene);
    std::vector<std::string> said;
    for (const Defect& d : written.defects.list()) said.push_back(d.kind + ": " + d.detail);
    EXPECT_EQ(said, (std::vector<std::string>{
                        "lost-skins: skins left out, meshes stand as posed: 1, the first is rig",
                        "lost-animations: animations left out: 2, the first is walk",
                        "lost-morph-targets: morph targets left out: 2, the first is face",
                        "lost-alpha: meshes whose vertex colours lose their alpha: 1, the first is face",
                        "unplaced: meshes left out that no node shows: 1, the first is spare"}));
}

TEST(ObjWrite, PrimitivesWithNamesAreObjectsAndKeepThemApart) {
    Scene scene = sceneOf(triangle(), "part");
    scene.meshes[0].primitives[0].name = "MDL_a.0.rigid";
    scene.meshes[0].primitives.push_back(triangle());
    scene.nodes.push_back(nodeOf("again", 0));
    const std::string obj = write(scene).obj;
    std::vector<std::string> objects;
    for (std::size_t at = obj.find("o "); at != std::string::npos; at = obj.find("\no ", at)) {
        at += obj[at] == '\n' ? 1U : 0U;
        objects.push_back(obj.substr(at, obj.find('\n', at) - at));
    }
    EXPECT_EQ(objects, (std::vector<std::string>{"o MDL_a.0.rigid", "o part", "o MDL_a.0.rigid#2", "o again"}));
}

}  // namespace
}  // namespace geomconv::obj
