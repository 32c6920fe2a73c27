#include "formats/sur/build.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/geometry/convex_hull.hpp"
#include "lib/geometry/extent.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::sur {
namespace {

using Json = nlohmann::json;

Vec3 vec3(const Json& j) {
    return {j[0].get<float>(), j[1].get<float>(), j[2].get<float>()};
}

std::vector<HullGeometry> hullsOf(const Json& vector) {
    std::vector<HullGeometry> out;
    for (const Json& j : vector["input"]["hulls"]) {
        HullGeometry& hull = out.emplace_back();
        hull.id = j["id"];
        for (const Json& p : j["points"]) hull.points.push_back(vec3(p));
        for (const Json& t : j["triangles"]) hull.triangles.push_back({t[0], t[1], t[2]});
    }
    return out;
}

Part partOf(const Json& vector, Bounds bounds, PointKey key = PointKey::PositionAndId, Tree tree = Tree::Ivp) {
    BuildOptions options;
    options.fixed = vector["input"]["fixed"];
    options.hardpoints = vector["input"]["hardpoints"].get<std::vector<std::uint32_t>>();
    options.bounds = bounds;
    options.key = key;
    options.tree = tree;
    Defects defects;
    return createPart(vector["input"]["partId"], hullsOf(vector), options, defects);
}

std::string hexOf(Bytes bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t b : bytes) {
        out += kDigits[b >> 4];
        out += kDigits[b & 15];
    }
    return out;
}

/// The surf block of a part from its byte 28 on.
std::string surfFrom28(const Part& part) {
    const ByteVector file = write({{part}});
    const std::size_t block = 8 + 8 + (part.fixed ? 0 : 4) + 28 + 8;
    const std::size_t end = part.hardpoints.empty() ? file.size() : file.size() - 8 - 4 * part.hardpoints.size();
    return hexOf(Bytes(file).subspan(block + 28, end - block - 28));
}

void forEachVector(const std::function<void(const std::string&, const Json&)>& visit) {
    const auto shared = test::sharedDir();
    int read = 0;
    if (shared) {
        for (const auto& path : test::filesIn(*shared / "vectors" / "sur", ".json")) {
            std::ifstream in(path);
            const Json vector = Json::parse(in);
            SCOPED_TRACE(path.stem().string());
            visit(path.stem().string(), vector);
            ++read;
        }
    }
    std::cout << "vectors read: " << read << '\n';
}

TEST(SurBuild, GivesTheBytesOfTheOriginalBuilder) {
    forEachVector([](const std::string&, const Json& vector) {
        if (vector.contains("refused")) return;
        const std::string built = surfFrom28(partOf(vector, Bounds::None));
        const Json& layout = vector["layout"];
        const std::string welded = layout.value("surfBytesFrom28Welded", layout["surfBytesFrom28"].get<std::string>());
        EXPECT_EQ(built, welded);
    });
}

TEST(SurBuild, GivesTheBytesOfTheOriginalBuilderByPositionOnly) {
    forEachVector([](const std::string& name, const Json& vector) {
        if (vector.contains("refused") || vector["layout"].contains("surfBytesFrom28Welded") || name == "box_far")
            return;
        const Part part = partOf(vector, Bounds::None, PointKey::Position);
        const std::string file = vector["ivp"]["fileHexNoWrap"];
        const std::size_t block = 2 * (8 + 8 + (part.fixed ? 0 : 4) + 28 + 8 + 28);
        const std::size_t tail = part.hardpoints.empty() ? 0 : 2 * (8 + 4 * part.hardpoints.size());
        EXPECT_EQ(surfFrom28(part), file.substr(block, file.size() - block - tail));
    });
}

TEST(SurBuild, DerivesTheMassProperties) {
    forEachVector([](const std::string&, const Json& vector) {
        if (vector.contains("refused")) return;
        const Part part = partOf(vector, Bounds::None);
        const Json& exact = vector["exact"];
        const MassProperties mass = massOf(*part.surface);
        const double radius = exact["radius"];
        EXPECT_EQ(mass.degenerate, exact["degenerate"].get<bool>());
        EXPECT_NEAR(mass.volume, exact["volume"], 1e-5 * std::fabs(exact["volume"].get<double>()) + 1e-12);
        EXPECT_NEAR(mass.radius, radius, 1e-5 * radius);
        EXPECT_NEAR(mass.deviation, exact["deviation"], 1e-5 * radius);
        for (int k = 0; k < 3; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            EXPECT_NEAR(mass.massCenter[k], exact["massCenter"][axis], 1e-5 * radius);
            const double inertia = exact["rotationInertia"][axis];
            EXPECT_NEAR(mass.rotationInertia[k], inertia, 1e-5 * inertia);
            EXPECT_EQ(part.extent->minimum[k], exact["exts"][0][axis].get<float>());
            EXPECT_EQ(part.extent->maximum[k], exact["exts"][1][axis].get<float>());
        }
        const double fraction = exact["deviationStepFraction"];
        const int slack = fraction < 1e-4 || fraction > 1.0 - 1e-4 ? 1 : 0;
        EXPECT_NEAR(part.surface->surfaceDeviation, exact["deviationByte"].get<int>(), slack);
    });
}

TEST(SurBuild, FindsTheVerticesOfTheClouds) {
    forEachVector([](const std::string&, const Json& vector) {
        if (!vector.contains("cloud")) return;
        std::vector<Vec3> cloud;
        for (const Json& p : vector["input"]["pointCloud"]) cloud.push_back(vec3(p));
        const auto key = [](const Vec3& p) { return std::array<float, 3>{p.x, p.y, p.z}; };
        std::set<std::array<float, 3>> wanted;
        for (const Json& i : vector["cloud"]["treewyrm"]["hullPointIndices"])
            wanted.insert(key(cloud[i.get<std::size_t>()]));
        std::set<std::array<float, 3>> found;
        for (const std::uint32_t i : convexHull(cloud).indices) found.insert(key(cloud[i]));
        EXPECT_EQ(found, wanted);
    });
}

TEST(SurBuild, RefusesTheNeedleWithoutAPierceFace) {
    forEachVector([](const std::string&, const Json& vector) {
        if (!vector.contains("refused")) return;
        try {
            partOf(vector, Bounds::None);
            ADD_FAILURE() << "not refused";
        } catch (const GeometryError& error) {
            EXPECT_EQ(error.rule(), "no-pierce");
            EXPECT_NE(error.detail().find("face 0"), std::string::npos);
        }
    });
}

TEST(SurBuild, FindsTheReferencesTreeByPairs) {
    // Spheres in order of size: equal pairs may be joined in another order, and a box byte on a step differs by one.
    forEachVector([](const std::string&, const Json& vector) {
        if (!vector.contains("treewyrm") || !vector["treewyrm"].contains("nodes")) return;
        const Part part = partOf(vector, Bounds::None, PointKey::PositionAndId, Tree::Pairs);
        std::vector<double> found;
        std::vector<double> wanted;
        for (const Node& node : part.surface->nodes) found.push_back(static_cast<double>(node.radius));
        for (const Json& node : vector["treewyrm"]["nodes"]) wanted.push_back(node["radius"]);
        std::sort(found.begin(), found.end());
        std::sort(wanted.begin(), wanted.end());
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n], wanted[n], 0.01 * wanted[n]);
    });
}

HullGeometry box(std::uint32_t id, const Vec3& low, const Vec3& high) {
    const auto corners = boxCorners({low, high});
    return {id, "box", {corners.begin(), corners.end()}, {kBoxTriangles.begin(), kBoxTriangles.end()}};
}

std::string ruleOf(const HullGeometry& hull) {
    Defects defects;
    try {
        createPart(0, std::span(&hull, 1), {}, defects);
    } catch (const GeometryError& error) {
        EXPECT_EQ(error.object(), hullLabel(hull));
        EXPECT_FALSE(error.detail().empty());
        return error.rule();
    }
    return "accepted";
}

TEST(SurBuild, RefusesWhatTheFormatCannotHold) {
    const HullGeometry good = box(1, {0, 0, 0}, {1, 1, 1});
    EXPECT_EQ(ruleOf(good), "accepted");
    HullGeometry open = good;
    open.triangles.pop_back();
    EXPECT_EQ(ruleOf(open), "open-edge");
    HullGeometry turned = good;
    std::swap(turned.triangles[0][0], turned.triangles[0][1]);
    EXPECT_EQ(ruleOf(turned), "turned-edge");
    HullGeometry crowded = good;
    crowded.triangles.insert(crowded.triangles.end(), {{0, 4, 6}, {0, 6, 4}});
    EXPECT_EQ(ruleOf(crowded), "edge-used-twice");
    HullGeometry two = good;
    for (const Vec3& p : boxCorners({{3, 3, 3}, {4, 4, 4}})) two.points.push_back(p);
    for (const Triangle& t : kBoxTriangles) two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    EXPECT_EQ(ruleOf(two), "euler");
    HullGeometry thin = good;
    for (Vec3& p : thin.points) p.z = 0.0F;
    EXPECT_EQ(ruleOf(thin), "degenerate-triangle");
    HullGeometry far = good;
    far.points[0].x = -1.5e6F;
    EXPECT_EQ(ruleOf(far), "coordinate-range");
    HullGeometry wild = good;
    wild.triangles[0][0] = 99;
    EXPECT_EQ(ruleOf(wild), "index-range");
    HullGeometry infinite = good;
    infinite.points[3].y = std::numeric_limits<float>::infinity();
    EXPECT_EQ(ruleOf(infinite), "nonfinite");
    HullGeometry many = good;
    many.triangles.resize(5000, {0, 1, 2});
    EXPECT_EQ(ruleOf(many), "too-many-faces");
}

TEST(SurBuild, RefusesAPartWithoutHulls) {
    Defects defects;
    EXPECT_THROW(createPart(0, {}, {}, defects), GeometryError);
}

TEST(SurBuild, HoldsAFlatHullOfThreePoints) {
    HullGeometry flat{7, "flat", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
    EXPECT_EQ(ruleOf(flat), "accepted");
}

TEST(SurBuild, JoinsEqualPositionsAndBothZeros) {
    HullGeometry soup{1, "soup", {}, {}};
    const HullGeometry whole = box(1, {0, -1, 0}, {1, 0, 1});
    for (const Triangle& t : whole.triangles) {
        Triangle own;
        for (std::size_t k = 0; k < 3; ++k) {
            own[k] = static_cast<std::uint32_t>(soup.points.size());
            Vec3 p = whole.points[t[k]];
            if (k == 1 && p.y == 0.0F) p.y = -0.0F;
            soup.points.push_back(p);
        }
        soup.triangles.push_back(own);
    }
    EXPECT_EQ(tidyHull(soup).points.size(), 8U);
    EXPECT_EQ(ruleOf(soup), "accepted");
}

TEST(SurBuild, HangsAWrapHullOnTheRootOnly) {
    const std::vector<HullGeometry> hulls{box(1, {0, 0, 0}, {1, 1, 1}), box(2, {3, 0, 0}, {4, 1, 1}),
                                          box(1, {0, 3, 0}, {1, 4, 1})};
    Defects defects;
    const Part part = createPart(9, hulls, {}, defects);
    const Surface& surface = *part.surface;
    ASSERT_EQ(surface.hulls.size(), 4U);
    const Hull& wrap = surface.hulls.back();
    EXPECT_EQ(wrap.type, kWrap);
    EXPECT_EQ(surface.points.size(), 24U);  // the wrap hull adds none
    EXPECT_EQ(surface.nodes.size(), 5U);
    for (std::size_t n = 0; n < surface.nodes.size(); ++n) {
        const Node& node = surface.nodes[n];
        if (n == 0) {
            EXPECT_EQ(node.hull, 3U);
        } else if (!node.leaf()) {
            EXPECT_FALSE(node.hull);
        }
    }
    for (const Face& face : wrap.faces) {
        EXPECT_TRUE(face.isVirtual && face.virtualEdges[0] && face.virtualEdges[1] && face.virtualEdges[2]);
    }
    EXPECT_TRUE(defects.empty());
}

TEST(SurBuild, LeavesTheRootBareWhenAllHullsLieInAPlane) {
    const HullGeometry a{1, "a", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
    HullGeometry b = a;
    for (Vec3& p : b.points) p.x += 5.0F;
    Defects defects;
    const Part part = createPart(0, std::vector{a, b}, {}, defects);
    EXPECT_FALSE(part.surface->nodes[0].hull);
    EXPECT_EQ(defects.count("no-wrap-hull"), 1U);
}

TEST(SurBuild, HangsABoxOnEveryInnerNodeOnRequest) {
    std::vector<HullGeometry> hulls;
    for (int i = 0; i < 5; ++i) {
        const auto x = static_cast<float>(3 * i * i);
        hulls.push_back(box(1, {x, 0, 0}, {x + 1, 1, 1}));
    }
    for (const Tree tree : {Tree::Ivp, Tree::Pairs}) {
        BuildOptions options;
        options.bounds = Bounds::Box;
        options.tree = tree;
        Defects defects;
        const Part part = createPart(0, hulls, options, defects);
        EXPECT_EQ(part.surface->hulls.size(), 9U);
        EXPECT_LE(part.surface->points.size(), 40U + 4U * 8U);
        Defects read;
        const ByteVector bytes = write({{part}});
        EXPECT_EQ(sur::read(bytes, read).parts[0].surface->nodes, part.surface->nodes);
        EXPECT_TRUE(read.empty());
    }
}

TEST(SurBuild, LeavesHardpointHullsOutOfTheExtent) {
    BuildOptions options;
    options.hardpoints = {2};
    Defects defects;
    const std::vector<HullGeometry> hulls{box(1, {0, 0, 0}, {1, 1, 1}), box(2, {3, 0, 0}, {4, 1, 1})};
    EXPECT_EQ(createPart(9, hulls, options, defects).extent->maximum, Vec3(1, 1, 1));
    options.hardpoints = {1, 2};
    EXPECT_EQ(createPart(9, hulls, options, defects).extent->maximum, Vec3(4, 1, 1));
}

TEST(SurBuild, TakesOverridesOfTheMassProperties) {
    BuildOptions options;
    options.mass.massCenter = Vec3(0, 0, 0);
    const std::vector<HullGeometry> hulls{box(1, {-1, -1, -1}, {3, 1, 1})};
    Defects defects;
    const Part part = createPart(9, hulls, options, defects);
    EXPECT_FLOAT_EQ(part.surface->radius, std::sqrt(11.0F));  // of the centre given
    options.mass = {
        .massCenter = {}, .rotationInertia = Vec3(1, 2, 3), .radius = 20.0F, .surfaceDeviation = std::uint8_t{7}};
    const Surface surface = *createPart(9, hulls, options, defects).surface;
    EXPECT_EQ(surface.massCenter, Vec3(1, 0, 0));
    EXPECT_EQ(surface.rotationInertia, Vec3(1, 2, 3));
    EXPECT_EQ(surface.radius, 20.0F);
    EXPECT_EQ(surface.surfaceDeviation, 7);
}

}  // namespace
}  // namespace geomconv::sur
