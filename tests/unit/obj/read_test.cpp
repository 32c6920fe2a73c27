#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <clocale>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "exporters/obj/corners.hpp"
#include "exporters/obj/materials.hpp"
#include "lib/scene/faithful.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/unit/obj/read_support.hpp"

namespace geomconv::obj {
namespace {

using test_support::readFile;
using test_support::readText;
using test_support::vectors;
using testing::ElementsAre;

std::size_t countOf(const Scene& scene, Topology topology) {
    const std::size_t corners = topology == Topology::Triangles ? 3 : topology == Topology::Lines ? 2 : 1;
    std::size_t n = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            if (p.topology == topology) n += (p.indices.empty() ? p.positions.size() : p.indices.size()) / corners;
        }
    }
    return n;
}

std::size_t verticesOf(const Scene& scene) {
    std::size_t n = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) n += p.positions.size();
    }
    return n;
}

std::vector<std::string> namesOf(const Scene& scene) {
    std::vector<std::string> names;
    for (const Node& node : scene.nodes) names.push_back(node.name);
    return names;
}

const Primitive& only(const Scene& scene) {
    return scene.meshes.at(0).primitives.at(0);
}

/// Every case that people's tools write, and every way to be broken, with its own file in tests/vectors/obj.
struct Case {
    std::string_view file;
    std::string_view shows;
    std::size_t nodes = 0;
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    std::string_view kind = {};  ///< of the only warning, or of the error
    std::size_t line = 0;        ///< that the error names
};

constexpr Case kCases[] = {
    {"good_triangle", "a triangle", 1, 3, 1},
    {"good_quad", "a quad", 1, 4, 2},
    {"good_concave", "a concave polygon", 1, 4, 2},
    {"good_ngon", "a concave polygon of many corners", 1, 12, 10},
    {"good_bom", "byte order mark before the first vertex", 1, 3, 1},
    {"good_crlf", "CR LF", 1, 3, 1},
    {"good_cr_only", "CR alone", 1, 3, 1},
    {"good_no_last_newline", "no line end at the end", 1, 3, 1},
    {"good_continuation", "lines joined by a backslash", 1, 3, 1},
    {"good_negative", "negative indices", 2, 6, 2},
    {"good_comments", "comments behind anything, one that ends in a backslash", 1, 3, 1},
    {"good_blanks", "tabs, many blanks, indented lines", 1, 3, 1},
    {"good_forward", "faces before their vertices", 1, 3, 1},
    {"good_vertex_colors", "vertex colours", 1, 3, 1},
    {"good_weights", "weights behind positions", 1, 3, 1},
    {"good_seams", "corners that share a position only", 1, 6, 2},
    {"good_normals_only", "1//1", 1, 3, 1},
    {"good_uv_forms", "texture coordinates of one, two and three numbers", 1, 3, 1},
    {"good_long_normals", "normals that are not one long", 1, 3, 1},
    {"good_materials", "several usemtl in one object, names with blanks", 1, 7, 3},
    {"good_groups", "groups in an object", 3, 10, 4},
    {"good_groups_only", "groups without objects", 2, 6, 2},
    {"good_names", "blanks, umlauts, .001, PART/HULL#2", 3, 9, 3},
    {"good_latin1_name", "a name that is no UTF-8", 1, 3, 1},
    {"good_same_names", "two objects of one name", 2, 6, 2},
    {"good_cloud", "vertices alone", 1, 5, 0},
    {"good_clouds", "vertices alone in objects", 2, 3, 0},
    {"good_cloud_and_mesh", "a cloud beside a mesh", 2, 5, 1},
    {"good_vertices_first", "an object of vertices that others use", 1, 3, 1},
    {"good_lines_points", "lines and points", 1, 6, 0},
    {"good_line_uvs", "lines with texture coordinates", 1, 2, 0},
    {"good_smoothing", "smoothing groups", 1, 3, 1},
    {"good_numbers", "signs, exponents, too small, many digits", 1, 3, 1},
    {"good_empty", "nothing but a comment", 0, 0, 0},
    {"good_unused_object", "an object without anything", 1, 3, 1},
    {"good_file_order", "faces that begin with the last vertex", 1, 4, 2},
    {"warn_missing_mtl", "a .mtl that is not there", 1, 3, 1, "missing-mtl"},
    {"warn_missing_material", "a material that the .mtl does not have", 1, 3, 1, "missing-material"},
    {"warn_missing_image", "an image that is not there", 1, 3, 1, "missing-image"},
    {"warn_uv_index_without_uvs", "f 1/1/1 without any vt or vn", 1, 3, 1, "unused-index"},
    {"warn_nan_normal", "NaN in a normal", 2, 6, 2, "bad-normals"},
    {"warn_zero_normal", "a normal without length", 1, 3, 1, "bad-normals"},
    {"warn_inf_uv", "infinity in a texture coordinate", 1, 3, 1, "bad-uvs"},
    {"warn_mixed_corners", "a face of which one corner has no uv", 1, 3, 1, "mixed-corners"},
    {"warn_short_faces", "faces of two corners and none", 1, 3, 1, "short-face"},
    {"warn_unused_vertices", "a vertex that nothing uses", 1, 3, 1, "unused-vertices"},
    {"warn_extra_numbers", "more numbers than mean anything", 1, 3, 1, "extra-numbers"},
    {"warn_free_form", "curves", 1, 3, 1, "free-form"},
    {"warn_unknown_keyword", "an unknown keyword", 1, 3, 1, "unknown-keyword"},
    {"bad_nan_position", "NaN in a position", 0, 0, 0, "nonfinite", 3},
    {"bad_inf_position", "infinity in a position", 0, 0, 0, "nonfinite", 4},
    {"bad_huge_position", "1e400 in a position", 0, 0, 0, "nonfinite", 2},
    {"bad_beyond_float", "a position that no float holds", 0, 0, 0, "nonfinite", 4},
    {"bad_junk_number", "a word for a number", 0, 0, 0, "number", 3},
    {"bad_number_with_tail", "a letter behind a number", 0, 0, 0, "number", 3},
    {"bad_decimal_comma", "decimal commas", 0, 0, 0, "number", 2},
    {"bad_hex_number", "0x10", 0, 0, 0, "number", 2},
    {"bad_two_coordinates", "a vertex of two numbers", 0, 0, 0, "truncated", 3},
    {"bad_no_coordinates", "a vertex of none", 0, 0, 0, "truncated", 2},
    {"bad_short_normal", "a normal of two numbers", 0, 0, 0, "truncated", 5},
    {"bad_empty_uv", "a texture coordinate of none", 0, 0, 0, "truncated", 5},
    {"bad_index_range", "vertex 98 of 3", 0, 0, 0, "index-range", 5},
    {"bad_negative_range", "vertex -4 of 3", 0, 0, 0, "index-range", 5},
    {"bad_index_zero", "vertex 0", 0, 0, 0, "index-range", 5},
    {"bad_uv_range", "texture coordinate 2 of 1", 0, 0, 0, "index-range", 6},
    {"bad_normal_range", "normal 7 of 1", 0, 0, 0, "index-range", 6},
    {"bad_index_2_31", "vertex 2^31", 0, 0, 0, "index-range", 5},
    {"bad_index_absurd", "vertex 10^20", 0, 0, 0, "index-range", 5},
    {"bad_junk_corner", "a letter for a corner", 0, 0, 0, "number", 5},
    {"bad_corner_tail", "a letter behind a corner", 0, 0, 0, "number", 5},
    {"bad_four_part_corner", "1/1/1/1", 0, 0, 0, "number", 7},
    {"bad_line_range", "a line to vertex 3 of 2", 0, 0, 0, "index-range", 4},
    {"bad_not_obj", "a letter to the reader", 0, 0, 0, "not-obj", 1},
};

class ObjCases : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Table, ObjCases, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.file); });

TEST_P(ObjCases, IsReadOrRefusedAsTheTableSays) {
    const Case& c = GetParam();
    SCOPED_TRACE(c.shows);
    const auto path = vectors() / (std::string(c.file) + ".obj");
    Defects defects;
    if (c.file.starts_with("bad_")) {
        try {
            readFile(path, defects);
            FAIL() << "was read";
        } catch (const FormatError& e) {
            EXPECT_EQ(e.defect().kind, c.kind) << e.what();
            ASSERT_EQ(e.defect().where.size(), 1U);
            EXPECT_EQ(e.defect().where[0], (Place{"line", std::to_string(c.line), {}})) << e.what();
            EXPECT_TRUE(e.defect().offset.has_value());
        }
        return;
    }
    const Scene scene = readFile(path, defects);
    EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>());
    EXPECT_EQ(scene.source.format, "obj");
    EXPECT_EQ(scene.nodes.size(), c.nodes);
    EXPECT_EQ(verticesOf(scene), c.vertices);
    EXPECT_EQ(countOf(scene, Topology::Triangles), c.triangles);
    std::set<std::string> kinds;
    for (const Defect& d : defects.list()) kinds.insert(d.kind);
    EXPECT_EQ(kinds, c.kind.empty() ? std::set<std::string>() : std::set<std::string>{std::string(c.kind)});
    EXPECT_LE(defects.list().size(), 1U);
    EXPECT_EQ(probe(test::readFile(path), "x.obj"), Confidence::Likely);
}

TEST(ObjCasesTable, HasEveryFileOfTheFolder) {
    std::set<std::string> files;
    for (const auto& path : test::filesIn(vectors(), ".obj")) files.insert(path.stem().string());
    std::set<std::string> rows;
    for (const Case& c : kCases) rows.insert(std::string(c.file));
    EXPECT_EQ(files, rows);
}

// ------------------------------------------------------------------------------------------------ what was read

Scene good(std::string_view file) {
    Defects defects;
    Scene scene = readFile(vectors() / (std::string(file) + ".obj"), defects);
    EXPECT_TRUE(defects.empty());
    return scene;
}

TEST(ObjRead, KeepsTheOrderOfTheFile) {
    const Scene scene = good("good_file_order");
    EXPECT_THAT(only(scene).positions, ElementsAre(Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 1, 0), Vec3(4, 1, 5)));
    EXPECT_THAT(only(scene).indices, ElementsAre(3, 1, 0, 3, 2, 1));
}

TEST(ObjRead, SplitsVerticesInTheOrderOfTheFile) {
    const Primitive p = only(good("good_seams"));
    EXPECT_THAT(p.positions,
                ElementsAre(Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)));
    EXPECT_THAT(p.uvs, ElementsAre(Vec2(0, 1), Vec2(0.5F, 0.5F), Vec2(1, 1), Vec2(1, 0), Vec2(1, 0), Vec2(0, 0)));
    EXPECT_THAT(p.normals,
                ElementsAre(Vec3(0, 0, 1), Vec3(0, 0, 1), Vec3(0, 0, 1), Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(0, 0, 1)));
    EXPECT_THAT(p.indices, ElementsAre(0, 2, 3, 1, 4, 5));
}

TEST(ObjRead, ConcavePolygonsKeepTheirAreaAndStayInside) {
    const Primitive comb = only(good("good_ngon"));
    double area = 0.0;
    for (std::size_t i = 0; i < comb.indices.size(); i += 3) {
        const auto at = [&](std::size_t k) { return Vec3d(comb.positions[comb.indices[i + k]]); };
        const double part = glm::cross(at(1) - at(0), at(2) - at(0)).z / 2.0;
        EXPECT_GT(part, 0.0);
        area += part;
    }
    EXPECT_DOUBLE_EQ(area, 7.0 * 4.0 - 2.0 * 3.0);
}

TEST(ObjRead, ColoursBelongToVertices) {
    EXPECT_THAT(only(good("good_vertex_colors")).colors,
                ElementsAre(Vec4(1, 0, 0, 1), Vec4(0, 0.5F, 0, 1), Vec4(0, 0, 0.25F, 1)));
    EXPECT_TRUE(only(good("good_weights")).colors.empty());
    Defects defects;
    EXPECT_THAT(only(readText("v 1 0 0\nv 0 1 0 1 0 0 0.5\nv 0 0 1\nf 1 2 3\n", defects)).colors,
                ElementsAre(Vec4(1), Vec4(1, 0, 0, 0.5F), Vec4(1)));
    const Scene clouds = good("good_clouds");
    EXPECT_THAT(clouds.meshes[0].primitives[0].colors, ElementsAre(Vec4(1), Vec4(1, 0, 0, 1)));
    EXPECT_TRUE(clouds.meshes[1].primitives[0].colors.empty());
}

TEST(ObjRead, ColoursInCommentsOfZBrushGoToTheVerticesInTurn) {
    const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n";
    // Four colours in two lines and one too many; the mask means nothing, and a comment that is cut short neither.
    const std::string paint = "#MRGB ffff0000ff00ff00\n# MRGB ff\n#MRGB 000000FFff336699ffffffff\n#MRGB ff\n";
    Defects defects;
    for (const std::string& text : {vertices + paint + "f 1 2 3 4\n", "f 1 2 3 4\n" + vertices + paint}) {
        const Scene scene = readText(text, defects);
        EXPECT_THAT(scene.meshes.at(0).primitives.at(0).colors,
                    ElementsAre(Vec4(1, 0, 0, 1), Vec4(0, 1, 0, 1), Vec4(0, 0, 1, 1), Vec4(0.2F, 0.4F, 0.6F, 1)));
    }
    const Scene fewer = readText(vertices + "#MRGB ffff0000\nf 1 2 3 4\n", defects);
    EXPECT_EQ(fewer.meshes.at(0).primitives.at(0).colors.at(3), Vec4(1.0F));
    EXPECT_TRUE(defects.empty());
}

TEST(ObjRead, ColoursOfBytesAreBroughtToOne) {
    Defects defects;
    const auto colors = [&](std::string_view text) {
        return readText(text, defects).meshes.at(0).primitives.at(0).colors;
    };
    EXPECT_THAT(colors("v 0 0 0 255 0 51\nv 1 0 0 0 0 0\nv 0 1 0\nf 1 2 3\n"),
                ElementsAre(Vec4(1, 0, 0.2F, 1), Vec4(0, 0, 0, 1), Vec4(1.0F)));
    EXPECT_EQ(colors("v 0 0 0 255 0 51\nv 1 0 0 1 1 1\nv 0 1 0 0 0 0\nf 1 2 3\n").at(1).x, 1.0F / 255.0F);
    // Ones and zeros are no bytes, and neither is what shines: 2.5.
    EXPECT_EQ(colors("v 0 0 0 1 0 0\nv 1 0 0 0 0 0\nv 0 1 0 1 1 1\nf 1 2 3\n").at(0), Vec4(1, 0, 0, 1));
    EXPECT_EQ(colors("v 0 0 0 2 0 0\nv 1 0 0 2.5 0 0\nv 0 1 0 1 1 1\nf 1 2 3\n").at(0), Vec4(2, 0, 0, 1));
}

TEST(ObjRead, NumbersThatAreNoneAsWindowsWroteThem) {
    Defects defects;
    // The # is no comment here: the uv would be (-1 0).
    const Scene scene = readText(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt -1.#IND00 0\nvn 1.#QNAN0 1.#QNAN0 1.#QNAN0\nf 1/1/1 2/1/1 3/1/1\n", defects);
    EXPECT_THAT(scene.meshes.at(0).primitives.at(0).uvs, testing::IsEmpty());
    EXPECT_EQ(defects.count("bad-uvs"), 1U);
    EXPECT_EQ(defects.count("bad-normals"), 1U);
    try {
        readText("v 0 -1.#INF 0\n", defects);
        FAIL() << "was read";
    } catch (const FormatError& e) {
        EXPECT_EQ(e.defect().kind, "nonfinite");
    }
    EXPECT_EQ(readText("v 0 0 1.#comment\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", defects)
                  .meshes.at(0)
                  .primitives.at(0)
                  .positions.at(0),
              Vec3(0, 0, 1));
}

TEST(ObjRead, NumbersMayEndInACommaButNotHaveOneInside) {
    Defects defects;
    const std::string faces = "v 1 0 0\nv 0 1 0\nvn 0, -0, 1,\nf 1//1 2//1 3//1\n";
    const Scene scene = readText("v 0.5, 0.25, 2,\n" + faces, defects);
    EXPECT_EQ(scene.meshes.at(0).primitives.at(0).positions.at(0), Vec3(0.5F, 0.25F, 2));
    EXPECT_EQ(scene.meshes.at(0).primitives.at(0).normals.at(0), Vec3(0, 0, 1));
    EXPECT_THROW(readText("v 0,5 0 0\n" + faces, defects), FormatError);
    EXPECT_THROW(readText("v 1 2 3,,\n" + faces, defects), FormatError);
}

/// With recover a broken line goes; what it would have counted as is still counted, so that the rest stays as it is.
TEST(ObjRead, RecoverLeavesOutBrokenLines) {
    const std::string text =
        "v 0 0 0\nv x 0 0\nv 1 0 0\nv 0 1 0 0.5 0.5 green\nvt 0 0\nvt\t?\nvn 0 0 1\n"
        "f 1 3 4\nf 1 2 3\nf 1 3 9\nf 1 3 4x\nf 1/2 3/1 4/1\nf -4 -2 -1\nl 1 3\nv 5 5";
    const auto read = [](std::string_view obj, bool recover, Defects& defects) {
        ReadOptions options;
        options.recover = recover;
        return readScene({"text.obj", asBytes(obj), {}, nullptr}, options, defects);
    };
    Defects defects;
    EXPECT_THROW(read(text, false, defects), FormatError);
    const Scene scene = read(text, true, defects);
    EXPECT_THAT(test::sceneFaults(scene), testing::IsEmpty());
    ASSERT_EQ(scene.meshes.size(), 1U);
    const auto& primitives = scene.meshes[0].primitives;
    ASSERT_EQ(primitives.size(), 3U);
    EXPECT_THAT(primitives[0].positions, ElementsAre(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)));
    EXPECT_THAT(primitives[0].indices, ElementsAre(0, 1, 2, 0, 1, 2)) << "back from the last line, too";
    EXPECT_THAT(primitives[1].uvs, testing::IsEmpty()) << "one could not be read";
    EXPECT_EQ(primitives[2].topology, Topology::Lines);
    EXPECT_EQ(defects.count("broken-line"), 1U);
    EXPECT_THAT(toText(defects.list().back()), testing::HasSubstr("left out"));

    // Elements before their vertices: the file is read twice, and says the same.
    Defects twice;
    const Scene forward = read("f 1 3 4\n" + text, true, twice);
    EXPECT_EQ(forward.meshes.at(0).primitives.at(0).positions, primitives[0].positions);
    // A cloud does not get what could not be read.
    EXPECT_EQ(read("v 0 0 0\nv 1 0\nv 1 1 1\n", true, twice).meshes.at(0).primitives.at(0).positions.size(), 2U);
}

TEST(ObjRead, ManyBrokenLinesTakeNoQuadraticTime) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (int i = 0; i < 100000; ++i) text += "f 1 2 9                                                  \n";
    ReadOptions options;
    options.recover = true;
    Defects defects;
    const auto start = std::chrono::steady_clock::now();
    const Scene scene = readScene({"text.obj", asBytes(text), {}, nullptr}, options, defects);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));  // quadratic: some minutes
    EXPECT_EQ(scene.meshes.at(0).primitives.at(0).indices.size(), 3U);
}

TEST(ObjRead, OldFacesAreFaces) {
    Defects defects;
    EXPECT_EQ(readText("v 0 0 0\nv 1 0 0\nv 0 1 0\nfo 1 2 3\n", defects).meshes.at(0).primitives.at(0).indices.size(),
              3U);
    EXPECT_TRUE(defects.empty());
}

TEST(ObjRead, Utf16IsNamed) {
    Defects defects;
    try {
        readText(std::string_view("\xff\xfev\0 \0", 6), defects);
        FAIL() << "was read";
    } catch (const FormatError& e) {
        EXPECT_THAT(toText(e.defect()), testing::HasSubstr("UTF-16"));
    }
}

TEST(ObjRead, NumbersAreRoundedOnceAndUvsTurned) {
    const Primitive p = only(good("good_numbers"));
    EXPECT_THAT(p.positions,
                ElementsAre(Vec3(1.5F, -0.5F, 5.0F), Vec3(1e-3F, 100.0F, -15.0F), Vec3(0.0F, 0.1F, 16777217.0F)));
    EXPECT_THAT(only(good("good_uv_forms")).uvs, ElementsAre(Vec2(0.5F, 1.0F), Vec2(0.25F, 0.25F), Vec2(0.125F, 1.0F)));
}

TEST(ObjRead, NormalsBecomeOneLongAndShortDecimalsStay) {
    EXPECT_THAT(only(good("good_long_normals")).normals,
                ElementsAre(Vec3(0, 0, 1), Vec3(0, 0.6F, 0.8F), Vec3(0.577350F, 0.577350F, 0.577350F)));
}

TEST(ObjRead, DropsBadNormalsOfTheirMeshAlone) {
    Defects defects;
    const Scene scene = readFile(vectors() / "warn_nan_normal.obj", defects);
    EXPECT_TRUE(scene.meshes[0].primitives[0].normals.empty());
    EXPECT_EQ(scene.meshes[0].primitives[0].uvs.size(), 3U);
    EXPECT_EQ(scene.meshes[1].primitives[0].normals.size(), 3U);
    ASSERT_EQ(defects.list().size(), 1U);
    EXPECT_EQ(defects.list()[0].detail,
              "meshes that lose their normals, of which some have no length or are no numbers: 1, the first is tri");
}

TEST(ObjRead, OnePrimitivePerMaterial) {
    const Scene scene = good("good_materials");
    ASSERT_EQ(scene.materials.size(), 3U);
    EXPECT_EQ(scene.materials[0].name, "red paint");
    EXPECT_EQ(scene.materials[0].baseColor, Vec4(1, 0.25F, 0, 1));
    EXPECT_EQ(scene.materials[1].name, "unused");
    EXPECT_EQ(scene.materials[2].baseColor, Vec4(0.5F, 0.5F, 1, 0.25F));
    EXPECT_EQ(scene.materials[2].alphaMode, AlphaMode::Blend);
    ASSERT_EQ(scene.meshes.size(), 1U);
    ASSERT_EQ(scene.meshes[0].primitives.size(), 2U);
    EXPECT_EQ(scene.meshes[0].primitives[0].material, 0U);
    EXPECT_EQ(scene.meshes[0].primitives[0].indices.size(), 6U);
    EXPECT_EQ(scene.meshes[0].primitives[1].material, 2U);
}

TEST(ObjRead, GroupsOfAnObjectAreItsChildren) {
    const Scene scene = good("good_groups");
    EXPECT_THAT(namesOf(scene), ElementsAre("ship", "wing", "tail"));
    EXPECT_EQ(scene.nodes[0].parent, std::nullopt);
    EXPECT_EQ(scene.nodes[1].parent, 0U);
    EXPECT_EQ(scene.nodes[2].parent, 0U);
    EXPECT_EQ(scene.meshes[*scene.nodes[0].mesh].primitives[0].indices.size(), 3U);
    EXPECT_EQ(scene.meshes[*scene.nodes[1].mesh].primitives[0].indices.size(), 6U);
    EXPECT_EQ(scene.nodes[1].extras.text(), kGroupMark);
    const Scene flat = good("good_groups_only");
    EXPECT_THAT(namesOf(flat), ElementsAre("left", "right"));
    EXPECT_TRUE(flat.nodes[0].extras.empty());
}

TEST(ObjRead, KeepsNamesAsTheyAre) {
    EXPECT_THAT(namesOf(good("good_names")), ElementsAre("left wing", "Fl\xc3\xbcgel.001", "wing/HpWeapon01#2"));
    EXPECT_THAT(namesOf(good("good_latin1_name")), ElementsAre("Fl\xc3\xbcgel"));
    EXPECT_THAT(namesOf(good("good_same_names")), ElementsAre("box", "box"));
    EXPECT_THAT(namesOf(good("good_bom")), ElementsAre("good_bom"));
}

TEST(ObjRead, VerticesThatNothingUsesAreACloud) {
    const Scene scene = good("good_cloud_and_mesh");
    EXPECT_THAT(namesOf(scene), ElementsAre("dust", "tri"));
    EXPECT_EQ(scene.meshes[*scene.nodes[0].mesh].primitives[0].topology, Topology::Points);
    EXPECT_EQ(countOf(scene, Topology::Points), 2U);
    EXPECT_EQ(countOf(good("good_cloud"), Topology::Points), 5U);
    EXPECT_THAT(namesOf(good("good_vertices_first")), ElementsAre("tri"));
}

TEST(ObjRead, ReadsLinesAndPoints) {
    const Scene scene = good("good_lines_points");
    ASSERT_EQ(scene.meshes[0].primitives.size(), 2U);
    EXPECT_EQ(scene.meshes[0].primitives[0].topology, Topology::Lines);
    EXPECT_THAT(scene.meshes[0].primitives[0].indices, ElementsAre(0, 1, 1, 2));
    EXPECT_EQ(scene.meshes[0].primitives[1].topology, Topology::Points);
    EXPECT_THAT(scene.meshes[0].primitives[1].indices, ElementsAre(0, 2, 1));
}

TEST(ObjRead, AFaceWithUvsAndOneWithoutAreTwoPrimitives) {
    Defects defects;
    const Scene scene = readText("v 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nf 1/1 2/1 3/1\nf 1 2 3\nf 3/1 2/1 1/1\n", defects);
    ASSERT_EQ(scene.meshes.at(0).primitives.size(), 2U);
    EXPECT_EQ(scene.meshes[0].primitives[0].indices.size(), 6U);
    EXPECT_TRUE(scene.meshes[0].primitives[1].uvs.empty());
    EXPECT_TRUE(defects.empty());
}

TEST(ObjRead, TheLocaleDoesNotMatter) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
        if (std::setlocale(LC_ALL, name) == nullptr) continue;
        EXPECT_EQ(only(good("good_numbers")).positions[0].x, 1.5F) << name;
        EXPECT_EQ(good("good_materials").materials[0].baseColor.y, 0.25F) << name;
    }
    std::setlocale(LC_ALL, before.c_str());
}

TEST(ObjRead, ManyDifferentCornersAtOnePositionTakeNoQuadraticTime) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    constexpr int kFaces = 100000;
    for (int i = 0; i < kFaces; ++i) text += "vt " + std::to_string(i) + " 0\n";
    for (int i = 1; i <= kFaces; ++i) text += "f 1/" + std::to_string(kFaces + 1 - i) + " 2/1 3/1\n";
    text += "f 1/7 2/1 3/1\nf 1/99990 2/1 3/1\n";
    Defects defects;
    const Primitive p = only(readText(text, defects));
    ASSERT_EQ(p.positions.size(), kFaces + 2U);
    for (std::size_t i = 0; i < kFaces; ++i) ASSERT_EQ(p.uvs[i].x, static_cast<float>(i));  // by the file's uvs
    EXPECT_EQ(p.indices[3 * kFaces], 6U);
    EXPECT_EQ(p.indices[3 * kFaces + 3], 99989U);
    EXPECT_EQ(p.indices[0], kFaces - 1U);
}

TEST(ObjRead, ManyObjectsThatUseFarVerticesTakeNoQuadraticTime) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += "v " + std::to_string(i) + " 0 0\n";
    for (int i = 0; i < 20000; ++i) text += "o x\nf 1 100000 " + std::to_string(i + 2) + "\n";
    Defects defects;
    const Scene scene = readText(text, defects);
    ASSERT_EQ(scene.nodes.size(), 20000U);
    EXPECT_THAT(scene.meshes[17].primitives[0].positions,
                ElementsAre(Vec3(0, 0, 0), Vec3(18, 0, 0), Vec3(99999, 0, 0)));
    EXPECT_THAT(scene.meshes[17].primitives[0].indices, ElementsAre(0, 2, 1));
    EXPECT_EQ(defects.count("unused-vertices"), 1U);
}

// ------------------------------------------------------------------------------------------------ materials

TEST(ObjMaterials, AreReadByName) {
    const auto materials = readMaterials(
        "\xef\xbb\xbf# head\r\nnewmtl  one two \r\nKd 0.25 0.5 1\r\nKe 0 0 3\r\nPr 0.5\r\nPm 1\r\nillum 0\r\n"
        "map_Kd -clamp on textures/old wood.png\r\nnewmtl plain\nnewmtl clear\nd 0.5\nnewmtl dark\nTr 0.25\nKd nan 2 "
        "-1\n"
        "newmtl cut\nmap_d leaf.png\nmap_Kd leaf.png");
    ASSERT_EQ(materials.size(), 5U);
    EXPECT_EQ(materials[0].material.name, "one two");
    EXPECT_EQ(materials[0].material.baseColor, Vec4(0.25F, 0.5F, 1, 1));
    EXPECT_EQ(materials[0].material.emissive, Vec3(0, 0, 3));
    EXPECT_EQ(materials[0].material.roughness, 0.5F);
    EXPECT_EQ(materials[0].material.metallic, 1.0F);
    EXPECT_TRUE(materials[0].material.unlit);
    EXPECT_EQ(materials[0].material.wrapU, Wrap::Clamp);
    EXPECT_EQ(materials[0].texture, "textures/old wood.png");
    EXPECT_EQ(materials[1].material.baseColor, Vec4(1.0F));
    EXPECT_EQ(materials[1].material.roughness, 1.0F);
    EXPECT_FALSE(materials[1].material.unlit);
    EXPECT_EQ(materials[2].material.alphaMode, AlphaMode::Blend);
    EXPECT_EQ(materials[3].material.baseColor.w, 0.75F);
    EXPECT_EQ(materials[3].material.baseColor.z, 0.0F);
    EXPECT_EQ(materials[4].material.alphaMode, AlphaMode::Blend);
}

TEST(ObjMaterials, BringTheirImagesAsTheyAre) {
    const std::string png = "\x89PNG\r\n\x1a\nrest";
    std::vector<std::string> asked;
    const Companions companions = [&](std::string_view name) -> std::shared_ptr<const InputFile> {
        asked.emplace_back(name);
        const auto file = [name](std::string_view text) {
            return InputFile::fromBytes(std::string(name), ByteVector(text.begin(), text.end()));
        };
        if (name == "my ship.mtl") {
            return file(
                "newmtl a\nmap_Kd C:\\art\\wood.png\nnewmtl b\nmap_Kd tex\\skin.jpg\nnewmtl c\nmap_Kd "
                "C:\\art\\wood.png\n");
        }
        if (name == "wood.png" || name == "tex/skin.jpg") return file(png);
        return nullptr;
    };
    Defects defects;
    const Scene scene =
        readText("mtllib my ship.mtl\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl b\nf 1 2 3\n", defects, companions);
    EXPECT_TRUE(defects.empty());
    ASSERT_EQ(scene.images.size(), 2U);
    EXPECT_EQ(scene.images[0].name, "wood");
    EXPECT_EQ(asText(scene.images[0].encoded), png);
    EXPECT_EQ(scene.images[0].mimeType, "image/png");
    EXPECT_EQ(scene.images[1].name, "skin");
    EXPECT_EQ(scene.materials[0].image, 0U);
    EXPECT_EQ(scene.materials[1].image, 1U);
    EXPECT_EQ(scene.materials[2].image, 0U);
    EXPECT_EQ(only(scene).material, 1U);
}

TEST(ObjMaterials, SeveralFilesMayStandOnOneLine) {
    const Companions companions = [](std::string_view name) -> std::shared_ptr<const InputFile> {
        if (name != "a.mtl" && name != "b.mtl") return nullptr;
        const std::string text = "newmtl " + std::string(name.substr(0, 1)) + "\n";
        return InputFile::fromBytes(std::string(name), ByteVector(text.begin(), text.end()));
    };
    Defects defects;
    const Scene scene = readText("mtllib a.mtl lost.mtl b.mtl\nv 1 0 0\n", defects, companions);
    EXPECT_EQ(scene.materials.size(), 2U);
    ASSERT_EQ(defects.list().size(), 1U);
    EXPECT_EQ(toText(defects.list()[0]), "offset 0x0: line 1: material files not found: 1, the first is lost.mtl");
}

// ------------------------------------------------------------------------------------------------ recognition

/// The scene of a triangle with the uvs (0 0) (1 0) (0 1) and the material "m", beside files.
Scene besideFiles(const std::string& library, std::map<std::string, std::string> files, Defects& defects) {
    const Companions companions = [files =
                                       std::move(files)](std::string_view name) -> std::shared_ptr<const InputFile> {
        const auto found = files.find(std::string(name));
        if (found == files.end()) return nullptr;
        const Bytes bytes = asBytes(found->second);
        return InputFile::fromBytes(found->first, ByteVector(bytes.begin(), bytes.end()));
    };
    return readText(
        "mtllib " + library + "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3\n", defects,
        companions);
}

TEST(ObjMaterials, NamesOfFilesMayStandInQuotationMarks) {
    Defects defects;
    const std::map<std::string, std::string> files{
        {"my m.mtl", "newmtl m\nKd 1 0 0\nmap_Kd \"a b.png\"\n"}, {"other.mtl", "newmtl o\n"}, {"a b.png", "pixels"}};
    for (const char* library : {"\"my m.mtl\"", "other.mtl \"my m.mtl\"", "\"my m.mtl\" \"other.mtl\""}) {
        const Scene scene = besideFiles(library, files, defects);
        ASSERT_EQ(scene.images.size(), 1U) << library;
        EXPECT_EQ(scene.images[0].name, "a b");
        EXPECT_FALSE(scene.images[0].encoded.empty());
    }
    EXPECT_TRUE(defects.empty());
}

TEST(ObjMaterials, ALibraryCalledLikeTheFileStandsInForOneThatIsNotThere) {
    Defects defects;
    const Scene scene = besideFiles("old.mtl", {{"text.mtl", "newmtl m\nKd 1 0 0\n"}}, defects);
    EXPECT_EQ(scene.materials.at(0).baseColor, Vec4(1, 0, 0, 1));
    EXPECT_EQ(defects.count("missing-mtl"), 1U);
}

TEST(ObjMaterials, ScaleAndOffsetOfATextureArePutIntoTheUvs) {
    Defects defects;
    const std::string placed = "newmtl m\nmap_Kd -s 2 3 1 -o 0.5 0.25 0 a.png\n";
    const Scene scene = besideFiles("m.mtl", {{"m.mtl", placed}, {"a.png", "pixels"}}, defects);
    // In the file's frame, v up: (0.5 0.25) (2.5 0.25) (0.5 3.25).
    EXPECT_THAT(scene.meshes.at(0).primitives.at(0).uvs,
                ElementsAre(Vec2(0.5F, 0.75F), Vec2(2.5F, 0.75F), Vec2(0.5F, -2.25F)));
}

TEST(ObjMaterials, LinesAsOtherProgramsWriteThem) {
    const auto read = [](std::string_view text) { return readMaterials(text).at(0); };
    EXPECT_EQ(read("NewMtl a\nkd 1 0.5 0\nMAP_KD a.png\n").texture, "a.png");
    EXPECT_EQ(read("NEWMTL a b\nkd 1 0.5 0\n").material.name, "a b");
    EXPECT_EQ(read("newmtl a\nkd 1 0.5 0\n").material.baseColor, Vec4(1, 0.5F, 0, 1));
    EXPECT_EQ(read("newmtl a\nKd 0.5\n").material.baseColor, Vec4(0.5F, 0.5F, 0.5F, 1));
    EXPECT_EQ(read("newmtl a\nKd spectral x.rfl 1\n").material.baseColor, Vec4(1.0F));
    EXPECT_EQ(read("newmtl a\nKd xyz 1 0 0\n").material.baseColor, Vec4(1.0F));
}

TEST(ObjProbe, KnowsAnObjByItsLines) {
    EXPECT_EQ(probe(asBytes("# x\nv 1 2 3\nv 2 3 4\nf 1 2 3\n"), "-"), Confidence::Likely);
    EXPECT_EQ(probe(asBytes("v of victory\n"), "-"), Confidence::No);
    EXPECT_EQ(probe(asBytes("{\"v\": 1}"), "-"), Confidence::No);
    EXPECT_EQ(probe(asBytes("{\"v\": 1}"), "x.obj"), Confidence::Maybe);
    EXPECT_EQ(probe(asBytes(""), "x.obj"), Confidence::Likely);
    EXPECT_EQ(probe(asBytes(""), "-"), Confidence::No);
    EXPECT_EQ(probe(asBytes(std::string_view("v 1 2 3\n\0", 9)), "x.obj"), Confidence::No);
}

Scene readFaithfully(std::string_view text) {
    Defects defects;
    ReadOptions options;
    options.format.set(std::string(kFaithful), "");
    return readScene({"a.obj", asBytes(text), {}, {}}, options, defects);
}

TEST(ObjFaithful, KeepsTheOrderOfNames) {
    const std::string v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    const Scene scene =
        readFaithfully(v + "usemtl a\nf 1 2 3\no x\nf 1 2 3\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\ng y\nf 1 2 3\n");
    std::vector<std::string> extras;
    for (const Mesh& mesh : scene.meshes) extras.push_back(mesh.extras.text());
    EXPECT_THAT(extras, ElementsAre(R"({"names":[["","a"]]})", R"({"names":[["x"],["x","a"],["x","a","b"]]})",
                                    R"({"names":[["y"]]})"));
}

TEST(ObjFaithful, HoldsNoMoreThanSixteenMaterialNames) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\no x\n";
    for (int i = 0; i < 40; ++i) text += "usemtl m" + std::to_string(i) + '\n';
    const auto names = readFaithfully(text + "f 1 2 3\n").meshes.at(0).extras.value()["names"][0];
    ASSERT_EQ(names.size(), 17U);
    EXPECT_EQ(names[0], "x");
    EXPECT_EQ(names[16], "m39");
}

TEST(ObjFaithful, KeepsAQuadWithACornerOnItsBorder) {
    const std::string text = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 0.5 0\nf 1 2 3 4\n";
    const Primitive p = readFaithfully(text).meshes.at(0).primitives.at(0);
    EXPECT_THAT(p.faceSizes, ElementsAre(4U));
    EXPECT_THAT(p.indices, ElementsAre(0U, 1U, 2U, 0U, 2U, 3U));
    Defects defects;
    EXPECT_TRUE(readText(text, defects).meshes.at(0).primitives.at(0).faceSizes.empty());
}

}  // namespace
}  // namespace geomconv::obj
