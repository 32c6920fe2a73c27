#include "lib/geometry/decompose.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lib/geometry/extent.hpp"
#include "tests/support/check_hull.hpp"

namespace geomconv {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

struct Mesh3 {
    std::vector<Vec3> points;
    Triangles triangles;
};

/// The surface of the cells that `filled` says are in, each side two triangles, a unit each.
template <typename Filled>
Mesh3 blocks(int n, Filled filled) {
    Mesh3 out;
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            for (int z = 0; z < n; ++z) {
                if (!filled(x, y, z)) continue;
                const Vec3 low(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
                const auto corners = boxCorners({low, low + Vec3(1.0F)});
                for (std::size_t t = 0; t < kBoxTriangles.size(); ++t) {
                    // Sides of kBoxTriangles: -x, +x, -y, +y, -z, +z.
                    static constexpr int kStep[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                                        {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
                    const int* step = kStep[t / 2];
                    const int nx = x + step[0];
                    const int ny = y + step[1];
                    const int nz = z + step[2];
                    const bool inside = nx >= 0 && ny >= 0 && nz >= 0 && nx < n && ny < n && nz < n;
                    if (inside && filled(nx, ny, nz)) continue;
                    const auto base = static_cast<std::uint32_t>(out.points.size());
                    for (const std::uint32_t corner : kBoxTriangles[t]) out.points.push_back(corners[corner]);
                    out.triangles.push_back({base, base + 1, base + 2});
                }
            }
        }
    }
    return out;
}

Decomposition split(const Mesh3& mesh, std::uint32_t most = 32) {
    DecomposeOptions options;
    options.maxHulls = most;
    const Decomposition out = decompose(mesh.points, mesh.triangles, options);
    for (const ConvexPiece& hull : out.hulls) {
        EXPECT_TRUE(test::hullFaults(hull.points, hull.triangles, hull.points, 1e-5).empty());
    }
    return out;
}

TEST(Decompose, LeavesABoxWhole) {
    const Decomposition made = split(blocks(3, [](int, int, int) { return true; }));
    EXPECT_TRUE(made.solid);
    ASSERT_EQ(made.hulls.size(), 1U);
    EXPECT_NEAR(made.hullVolume, 27.0, 1e-6);
}

TEST(Decompose, FindsTheBoxesOfACross) {
    const Decomposition made =
        split(blocks(3, [](int x, int y, int z) { return (x == 1) + (y == 1) + (z == 1) >= 2; }));
    EXPECT_NEAR(made.volume, 7.0, 1e-6);
    EXPECT_NEAR(made.hullVolume, 7.0, 1e-6);
    EXPECT_LE(made.hulls.size(), 7U);
}

TEST(Decompose, FindsTheWallsOfARoom) {
    const auto wall = [](int x, int y, int z) { return x == 0 || y == 0 || z == 0 || x == 3 || y == 3 || z == 3; };
    const Decomposition made = split(blocks(4, wall));
    EXPECT_NEAR(made.volume, 56.0, 1e-6);
    EXPECT_NEAR(made.hullVolume, 56.0, 1e-5);
}

TEST(Decompose, KeepsToTheNumberOfHulls) {
    const auto stairs = [](int x, int y, int) { return y <= x; };
    for (const std::uint32_t most : {1U, 2U, 4U, 8U}) {
        const Decomposition made = split(blocks(8, stairs), most);
        EXPECT_LE(made.hulls.size(), most);
        EXPECT_GE(made.hullVolume, made.volume - 1e-5);
    }
    EXPECT_NEAR(split(blocks(8, stairs), 8).hullVolume, 8.0 * 36.0, 1e-5);
}

/// A box turned out of the axes, so that no cut along them finds it.
void addTurnedBox(Mesh3& mesh, const Vec3& center, float angle) {
    const auto base = static_cast<std::uint32_t>(mesh.points.size());
    for (const Vec3& corner : boxCorners({{-1, -2, -3}, {1, 2, 3}})) {
        const float c = std::cos(angle);
        const float s = std::sin(angle);
        mesh.points.push_back(center + Vec3(c * corner.x - s * corner.y, s * corner.x + c * corner.y, corner.z));
    }
    for (const auto& t : kBoxTriangles) mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
}

TEST(Decompose, KeepsPiecesThatAreConvexAlready) {
    Mesh3 mesh;
    addTurnedBox(mesh, {0, 0, 0}, 0.5F);
    addTurnedBox(mesh, {1, 0.5F, 0.25F}, 1.1F);  // through the first one
    addTurnedBox(mesh, {20, 0, 0}, 0.2F);
    const Decomposition made = split(mesh, 3);
    ASSERT_EQ(made.hulls.size(), 3U);
    for (const ConvexPiece& hull : made.hulls) {
        EXPECT_NEAR(hull.volume, 48.0, 1e-4);
        EXPECT_EQ(hull.points.size(), 8U);
    }
}

TEST(Decompose, CutsThePieceThatIsNot) {
    Mesh3 mesh = blocks(3, [](int x, int y, int z) { return (x == 1) + (y == 1) + (z == 1) >= 2; });
    addTurnedBox(mesh, {20, 0, 0}, 0.5F);
    const Decomposition made = split(mesh, 8);
    EXPECT_NEAR(made.hullVolume, 48.0 + 7.0, 1e-4);
    EXPECT_LE(made.hulls.size(), 8U);
    EXPECT_EQ(made.hulls.front().points.size(), 8U);  // convex pieces first
    EXPECT_NEAR(made.hulls.front().volume, 48.0, 1e-4);
}

TEST(Decompose, AHollowIsNoPiece) {
    // A block with a hole in it: the outer skin alone is convex.
    Mesh3 mesh = blocks(3, [](int x, int y, int z) { return x != 1 || y != 1 || z != 1; });
    const Decomposition made = split(mesh);
    EXPECT_NEAR(made.volume, 26.0, 1e-6);
    EXPECT_NEAR(made.hullVolume, 26.0, 1e-4);
}

TEST(Decompose, ReportsAMeshThatIsNoSolid) {
    Mesh3 open = blocks(1, [](int, int, int) { return true; });
    open.triangles.pop_back();
    EXPECT_FALSE(split(open).solid);
    EXPECT_FALSE(split({}).solid);
}

}  // namespace
}  // namespace geomconv
