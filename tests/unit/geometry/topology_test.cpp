#include "lib/geometry/topology.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lib/geometry/extent.hpp"

namespace geomconv {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

Triangles boxTriangles() {
    return {kBoxTriangles.begin(), kBoxTriangles.end()};
}

TEST(Topology, OfABox) {
    const auto corners = boxCorners({{0, 0, 0}, {1, 2, 3}});
    const SurfaceTopology box = topologyOf(corners, kBoxTriangles);
    EXPECT_TRUE(box.closed() && box.manifold() && box.oriented());
    EXPECT_EQ(box.vertices, 8U);
    EXPECT_EQ(box.edges, 18U);
    EXPECT_EQ(box.components, 1U);
    EXPECT_EQ(box.euler(), 2);
    EXPECT_DOUBLE_EQ(box.signedVolume, 6.0);
}

TEST(Topology, FindsTheOpenEdges) {
    const auto corners = boxCorners({{0, 0, 0}, {1, 1, 1}});
    Triangles triangles = boxTriangles();
    triangles.pop_back();  // 4 7 6
    const SurfaceTopology box = topologyOf(corners, triangles);
    EXPECT_FALSE(box.closed());
    EXPECT_EQ(box.openEdges, 3U);
    EXPECT_EQ(box.firstOpen, (std::array<std::uint32_t, 2>{4, 6}));
}

TEST(Topology, FindsATurnedTriangle) {
    const auto corners = boxCorners({{0, 0, 0}, {1, 1, 1}});
    Triangles triangles = boxTriangles();
    std::swap(triangles[0][0], triangles[0][1]);
    const SurfaceTopology box = topologyOf(corners, triangles);
    EXPECT_TRUE(box.closed());
    EXPECT_FALSE(box.oriented());
    EXPECT_EQ(box.turnedEdges, 3U);
}

TEST(Topology, FindsACrowdedEdgeAndAPinchedVertex) {
    const std::vector<Vec3> points(7, Vec3(0.0F));
    const SurfaceTopology fan = topologyOf(points, Triangles{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
    EXPECT_EQ(fan.crowdedEdges, 1U);
    EXPECT_EQ(fan.firstCrowded, (std::array<std::uint32_t, 2>{0, 1}));
    const SurfaceTopology bow = topologyOf(points, Triangles{{0, 1, 2}, {0, 3, 4}});
    EXPECT_EQ(bow.pinchedVertices, 1U);
    EXPECT_EQ(bow.components, 1U);
    EXPECT_FALSE(bow.manifold());
}

TEST(Topology, LeavesTrianglesOutThatNameACornerTwice) {
    const std::vector<Vec3> points(3, Vec3(0.0F));
    const SurfaceTopology one = topologyOf(points, Triangles{{0, 1, 2}, {0, 0, 1}});
    EXPECT_EQ(one.degenerate, 1U);
    EXPECT_EQ(one.triangles, 1U);
}

TEST(Topology, PairsHalfEdges) {
    const std::vector<std::uint32_t> opposite = oppositeEdges(kBoxTriangles);
    ASSERT_EQ(opposite.size(), 36U);
    for (std::uint32_t e = 0; e < 36; ++e) {
        ASSERT_NE(opposite[e], kNoEdge);
        EXPECT_EQ(opposite[opposite[e]], e);
        EXPECT_EQ(kBoxTriangles[e / 3][e % 3], kBoxTriangles[opposite[e] / 3][(opposite[e] % 3 + 1) % 3]);
    }
}

TEST(Topology, WeldsEqualPositionsAndBothZeros) {
    const float nan = std::nanf("");
    const std::vector<Vec3> points{{0, 1, 2}, {-0.0F, 1, 2}, {nan, 0, 0}, {nan, 0, 0}, {0, 1, 3}, {0, 1, 2}};
    EXPECT_EQ(weldPoints(points), (std::vector<std::uint32_t>{0, 0, 2, 3, 4, 0}));
}

TEST(Topology, SplitsPieces) {
    const Triangles triangles{{0, 1, 2}, {3, 4, 5}, {2, 1, 6}, {5, 4, 7}};
    EXPECT_EQ(connectedPieces(8, triangles), (std::vector<std::vector<std::uint32_t>>{{0, 2}, {1, 3}}));
}

}  // namespace
}  // namespace geomconv
