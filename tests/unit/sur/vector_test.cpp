#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/sur/sur.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/shared.hpp"

// What other builders wrote is read as they say it is, and comes out again byte for byte.

namespace geomconv::sur {
namespace {

using Json = nlohmann::json;

ByteVector bytesFromHex(const std::string& hex) {
    ByteVector out(hex.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<std::uint8_t>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
    }
    return out;
}

void expectFaces(const Hull& hull, const Json& faces) {
    ASSERT_EQ(hull.faces.size(), faces["pierce"].size());
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        EXPECT_EQ(hull.faces[f].index, f);
        EXPECT_EQ(hull.faces[f].pierce, faces["pierce"][f].get<std::uint16_t>());
        EXPECT_EQ(hull.faces[f].opposites, (faces["oppositeSlotDelta"][f].get<std::array<std::int16_t, 3>>()));
    }
}

/// Corners of each face of a hull against the triangles it was made of.
void expectCorners(const Surface& surface, const Hull& hull, const Json& input) {
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        for (std::size_t e = 0; e < 3; ++e) {
            const Json& given = input["points"][input["triangles"][f][e].get<std::size_t>()];
            const Vec3& p = surface.points[hull.faces[f].points[e]].position;
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_EQ(p[axis], given[static_cast<std::size_t>(axis)].get<float>());
            }
        }
    }
}

void expectNodes(const Surface& surface, const Json& nodes) {
    ASSERT_EQ(surface.nodes.size(), nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const Json& given = nodes[n];
        const Node& node = surface.nodes[n];
        EXPECT_EQ(node.leaf(), given["right"].is_null());
        if (!node.leaf()) {
            EXPECT_EQ(*node.right, given["right"].get<std::uint32_t>());
            EXPECT_EQ(n + 1, given["left"].get<std::size_t>());
        } else {
            EXPECT_EQ(node.hull, given["leafHull"].get<std::uint32_t>());
        }
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(node.center[axis], given["center"][static_cast<std::size_t>(axis)].get<float>());
        }
        EXPECT_EQ(node.radius, given["radius"].get<float>());
        EXPECT_EQ(node.boxSizes, (given["box"].get<std::array<std::uint8_t, 3>>()));
    }
}

void expectHeader(const Surface& surface, const Json& ivp) {
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(surface.massCenter[axis], ivp["massCenter"][static_cast<std::size_t>(axis)].get<float>());
        EXPECT_EQ(surface.rotationInertia[axis], ivp["rotationInertia"][static_cast<std::size_t>(axis)].get<float>());
    }
    EXPECT_EQ(surface.radius, ivp["radius"].get<float>());
    EXPECT_EQ(surface.surfaceDeviation, ivp["deviationByte"].get<int>());
    EXPECT_EQ(surface.points.size(), ivp["pointCount"].get<std::size_t>());
}

/// Reads, compares with what the vector says and checks that it is rewritten byte for byte.
Library readBack(const std::string& hex) {
    const ByteVector bytes = bytesFromHex(hex);
    Defects defects;
    Library library = read(bytes, defects);
    EXPECT_TRUE(defects.empty()) << toText(defects.list().front());
    EXPECT_EQ(write(library), bytes);
    ReadOptions options;
    options.content = ContentSet{Content::Collision, Content::Bounds};
    EXPECT_EQ(test::sceneFaults(toScene(library, options, defects)), std::vector<std::string>{});
    return library;
}

void expectVector(const std::string& name, const Json& vector) {
    const Json& input = vector["input"];
    const Library bare = readBack(vector["ivp"]["fileHexNoWrap"]);
    ASSERT_EQ(bare.parts.size(), 1U);
    const Part& part = bare.parts[0];
    EXPECT_EQ(part.id, input["partId"].get<std::uint32_t>());
    EXPECT_EQ(part.fixed, input["fixed"].get<bool>());
    EXPECT_EQ(part.hardpoints, input["hardpoints"].get<std::vector<std::uint32_t>>());
    ASSERT_TRUE(part.surface);
    const Surface& surface = *part.surface;
    expectHeader(surface, vector["ivp"]);
    expectNodes(surface, vector["ivp"]["nodes"]);
    ASSERT_EQ(surface.hulls.size(), input["hulls"].size());
    for (std::size_t h = 0; h < surface.hulls.size(); ++h) {
        EXPECT_EQ(surface.hulls[h].id, input["hulls"][h]["id"].get<std::uint32_t>());
        EXPECT_TRUE(surface.hulls[h].terminal());
        expectFaces(surface.hulls[h], vector["faces"][h]);
        expectCorners(surface, surface.hulls[h], input["hulls"][h]);
    }
    // The one builder's boxes hold their hulls: a checker that says otherwise is wrong.
    Defects found;
    check(bare, found);
    for (const char* kind : {"box-misses-hull", "box-misses-child", "box-misses-hulls-below", "leaf-sphere", "tree",
                             "virtual-flags", "face-index", "pierce-range", "extent"}) {
        EXPECT_EQ(found.count(kind), 0U) << kind;
    }
    // A position that is named twice within a hull opens it by index.
    if (!name.ends_with("_duplicates.json")) {
        EXPECT_EQ(found.count("opposite"), 0U);
        EXPECT_EQ(found.count("open-edge"), 0U);
    }
    if (vector["ivp"].contains("fileHexWrap")) {
        const Library wrapped = readBack(vector["ivp"]["fileHexWrap"]);
        const Surface& withWrap = *wrapped.parts[0].surface;
        ASSERT_EQ(withWrap.hulls.size(), surface.hulls.size() + 1);
        EXPECT_FALSE(withWrap.hulls.back().terminal());
        EXPECT_EQ(withWrap.hulls.back().faces.size(), vector["ivp"]["wrap"]["faces"].get<std::size_t>());
        EXPECT_EQ(withWrap.nodes[0].hull, surface.hulls.size());
    }
    if (vector.contains("treewyrm")) readBack(vector["treewyrm"]["fileHexNoWrap"]);
}

std::size_t expectFolder(const std::filesystem::path& folder) {
    std::size_t files = 0;
    for (const auto& path : test::filesIn(folder, ".json")) {
        SCOPED_TRACE(path.filename().string());
        const Json vector = Json::parse(test::readText(path));
        if (!vector.contains("ivp")) continue;  // what a builder must refuse
        expectVector(path.filename().string(), vector);
        ++files;
    }
    return files;
}

TEST(SurVectors, OwnCopiesAreReadAsOtherBuildersSay) {
    EXPECT_GT(expectFolder(test::sourceDir() / "tests" / "vectors" / "sur"), 0U);
}

TEST(SurVectors, SharedOnesAreReadAsOtherBuildersSay) {
    const auto shared = test::sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    const std::size_t files = expectFolder(*shared / "vectors" / "sur");
    std::printf("%zu vectors read\n", files);
    EXPECT_GT(files, 0U);
}

}  // namespace
}  // namespace geomconv::sur
