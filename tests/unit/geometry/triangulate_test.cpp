#include "lib/geometry/triangulate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace geomconv {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

Triangles cut(const std::vector<Vec3>& polygon) {
    Triangles out;
    triangulate(polygon, out);
    return out;
}

double signedArea(const std::vector<Vec3>& p, const std::array<std::uint32_t, 3>& t, const Vec3d& normal) {
    const Vec3d cross = glm::cross(Vec3d(p[t[1]]) - Vec3d(p[t[0]]), Vec3d(p[t[2]]) - Vec3d(p[t[0]]));
    return glm::dot(cross, normal) / 2.0;
}

/// All triangles on the normal's side, areas adding up to the polygon's.
void expectExactCover(const std::vector<Vec3>& polygon, const Vec3d& normal, double area) {
    const Triangles triangles = cut(polygon);
    ASSERT_EQ(triangles.size(), polygon.size() - 2);
    double sum = 0.0;
    for (const auto& t : triangles) {
        const double one = signedArea(polygon, t, normal);
        EXPECT_GE(one, -1e-9 * area);
        sum += one;
    }
    EXPECT_NEAR(sum, area, 1e-6 * area);
}

TEST(Triangulate, LeavesATriangleAlone) {
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), (Triangles{{0, 1, 2}}));
}

TEST(Triangulate, FansAConvexQuad) {
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), (Triangles{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Triangulate, CutsAConcaveQuadAlongTheInnerDiagonal) {
    for (std::size_t turn = 0; turn < 4; ++turn) {
        std::vector<Vec3> dart{{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}};
        std::rotate(dart.begin(), dart.begin() + static_cast<std::ptrdiff_t>(turn), dart.end());
        expectExactCover(dart, {0, 0, 1}, 4.0);
    }
}

TEST(Triangulate, KeepsTheWindingOfAPolygonSeenFromBehind) {
    expectExactCover({{0, 0, 5}, {0, 4, 5}, {1, 1, 5}, {4, 0, 5}}, {0, 0, -1}, 4.0);
}

TEST(Triangulate, CutsACombInSpace) {
    // Teeth of width 1 and height 3 on a bar, in the plane x = 7.
    std::vector<Vec3> comb;
    const int teeth = 50;
    for (int i = 0; i < teeth; ++i) {
        const auto at = static_cast<float>(2 * i);
        for (const auto& [y, z] : {std::pair{at, 1.0F}, {at, 4.0F}, {at + 1, 4.0F}, {at + 1, 1.0F}})
            comb.emplace_back(7.0F, y, z);
    }
    comb.emplace_back(7.0F, 99.0F, 0.0F);
    comb.emplace_back(7.0F, 0.0F, 0.0F);
    expectExactCover(comb, {-1, 0, 0}, 50.0 * 3.0 + 99.0);
}

TEST(Triangulate, CutsAHoleJoinedByADoubleEdge) {
    const std::vector<Vec3> frame{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0},
                                  {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}};
    expectExactCover(frame, {0, 0, 1}, 12.0);
}

TEST(Triangulate, UsesCornersInLineWithoutEmptyTriangles) {
    const std::vector<Vec3> polygon{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}};
    for (const auto& t : cut(polygon)) EXPECT_GT(signedArea(polygon, t, {0, 0, 1}), 0.0);
    expectExactCover(polygon, {0, 0, 1}, 4.0);
}

TEST(Triangulate, CutsRandomStarsExactly) {
    std::mt19937 random(20240501);
    std::uniform_real_distribution<double> radius(0.2, 5.0);
    for (int round = 0; round < 200; ++round) {
        const int corners = 4 + round % 60;
        std::vector<Vec3> star;
        double area = 0.0;
        for (int i = 0; i < corners; ++i) {
            const double angle = 2.0 * M_PI * i / corners;
            const double r = radius(random);
            star.emplace_back(static_cast<float>(r * std::cos(angle)), 100.0F, static_cast<float>(r * std::sin(angle)));
        }
        for (std::size_t i = 0; i < star.size(); ++i) {
            const Vec3& p = star[i];
            const Vec3& q = star[(i + 1) % star.size()];
            area += (static_cast<double>(p.x) * q.z - static_cast<double>(p.z) * q.x) / 2.0;
        }
        expectExactCover(star, {0, -1, 0}, area);
    }
}

TEST(Triangulate, GivesTheCountForDegeneratePolygons) {
    const float nan = std::nanf("");
    const std::vector<std::vector<Vec3>> bad{
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},  // one spot
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 0, 0}},  // one line
        {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}},             // a bow
        {{0, 0, 0}, {nan, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}},
    };
    for (const auto& polygon : bad) {
        const Triangles triangles = cut(polygon);
        ASSERT_EQ(triangles.size(), polygon.size() - 2);
        for (const auto& t : triangles) {
            for (const std::uint32_t corner : t) EXPECT_LT(corner, polygon.size());
        }
    }
    EXPECT_TRUE(cut({}).empty());
    EXPECT_TRUE(cut({{0, 0, 0}, {1, 0, 0}}).empty());
}

TEST(Triangulate, EndsOnAHugeTangle) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> coordinate(-1.0F, 1.0F);
    std::vector<Vec3> tangle(50'000);
    for (Vec3& p : tangle) p = Vec3(coordinate(random), coordinate(random), 0.0F);
    EXPECT_EQ(cut(tangle).size(), tangle.size() - 2);
}

}  // namespace
}  // namespace geomconv
