#include "lib/geometry/convex_hull.hpp"

#include <gtest/gtest.h>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

#include "lib/geometry/extent.hpp"
#include "lib/geometry/mass_properties.hpp"
#include "lib/geometry/predicates.hpp"
#include "tests/support/check_hull.hpp"

namespace geomconv {
namespace {

using Cloud = std::vector<Vec3>;

Cloud pointsOf(const ConvexHull& hull, const Cloud& cloud) {
    Cloud out;
    for (const std::uint32_t i : hull.indices) out.push_back(cloud[i]);
    return out;
}

/// Volume of the hull by another program; nullopt when it finds none.
std::optional<double> qhullVolume(const Cloud& cloud) {
    std::vector<double> flat;
    for (const Vec3& p : cloud)
        flat.insert(flat.end(), {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
    qhT memory;
    qhT* qh = &memory;
    qh_zero(qh, nullptr);
    char options[] = "qhull Pp Qt FA";
    FILE* nowhere = std::fopen("/dev/null", "w");
    std::optional<double> out;
    if (qh_new_qhull(qh, 3, static_cast<int>(cloud.size()), flat.data(), False, options, nullptr, nowhere) == 0) {
        qh_getarea(qh, qh->facet_list);
        out = static_cast<double>(qh->totvol);
    }
    qh_freeqhull(qh, !qh_ALL);
    int left = 0;
    int total = 0;
    qh_memfreeshort(qh, &left, &total);
    if (nowhere != nullptr) std::fclose(nowhere);
    return out;
}

double volumeOf(const ConvexHull& hull, const Cloud& cloud) {
    return massProperties(pointsOf(hull, cloud), hull.triangles).volume;
}

/// Solid, sound, and of the volume that qhull finds.
void expectSound(const Cloud& cloud, double volumeTolerance = 1e-9) {
    const ConvexHull hull = convexHull(cloud);
    ASSERT_EQ(hull.shape, HullShape::Solid);
    const Cloud points = pointsOf(hull, cloud);
    const auto faults = test::hullFaults(points, hull.triangles, cloud, hull.epsilon * 1.0001);
    EXPECT_TRUE(faults.empty()) << faults.front() << " and " << faults.size() - 1 << " more; " << cloud.size()
                                << " points";
    const auto witness = qhullVolume(cloud);
    if (witness) {
        const Extent box = *extentOf(cloud);
        const Vec3d size = Vec3d(box.maximum) - Vec3d(box.minimum);
        const double slack = hull.epsilon * (size.x * size.y + size.y * size.z + size.z * size.x);
        EXPECT_NEAR(volumeOf(hull, cloud), *witness, slack + volumeTolerance * *witness);
    }
}

std::set<std::array<float, 3>> positions(const ConvexHull& hull, const Cloud& cloud) {
    std::set<std::array<float, 3>> out;
    for (const std::uint32_t i : hull.indices) out.insert({cloud[i].x, cloud[i].y, cloud[i].z});
    return out;
}

Cloud randomCloud(std::uint32_t seed, std::size_t n, const Vec3d& size, const Vec3d& center, bool onSphere = false) {
    std::mt19937 random(seed);
    std::normal_distribution<double> gauss;
    Cloud out;
    while (out.size() < n) {
        Vec3d p(gauss(random), gauss(random), gauss(random));
        if (onSphere) p = glm::normalize(p);
        out.emplace_back(p * size + center);
    }
    return out;
}

Cloud grid(int nx, int ny, int nz, double step, const Vec3d& origin) {
    Cloud out;
    for (int x = 0; x < nx; ++x) {
        for (int y = 0; y < ny; ++y) {
            for (int z = 0; z < nz; ++z) out.emplace_back(Vec3d(x, y, z) * step + origin);
        }
    }
    return out;
}

TEST(ConvexHull, ReportsWhatIsNoSolid) {
    const float nan = std::nanf("");
    const float inf = std::numeric_limits<float>::infinity();
    const auto shape = [](const Cloud& cloud) { return convexHull(cloud).shape; };
    EXPECT_EQ(shape({}), HullShape::Empty);
    EXPECT_EQ(shape({{0, 0, 0}}), HullShape::Point);
    EXPECT_EQ(shape({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}), HullShape::Point);
    EXPECT_EQ(shape({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {-3, -3, -3}}), HullShape::Line);
    EXPECT_EQ(shape({{0, 0, 7}, {1, 0, 7}, {0, 1, 7}, {1, 1, 7}, {0.5F, 0.5F, 7}}), HullShape::Flat);
    EXPECT_EQ(shape({{0, 0, 0}, {1, 0, 0}, {0, nan, 0}, {0, 0, 1}}), HullShape::NotFinite);
    EXPECT_EQ(shape({{0, 0, 0}, {1, 0, 0}, {0, inf, 0}, {0, 0, 1}}), HullShape::NotFinite);
}

TEST(ConvexHull, GivesTheBorderOfAFlatCloudInOrder) {
    const Cloud cloud{{0, 5, 0}, {1, 5, 0}, {2, 5, 0}, {1, 5, 1}, {2, 5, 2}, {0, 5, 2}, {0, 5, 1}, {0, 5, 0}};
    const ConvexHull hull = convexHull(cloud);
    ASSERT_EQ(hull.shape, HullShape::Flat);
    ASSERT_EQ(hull.indices.size(), 4U);
    Vec3d area(0.0);
    for (std::size_t i = 1; i + 1 < 4; ++i) {
        const auto p = [&](std::size_t k) { return Vec3d(cloud[hull.indices[k]]); };
        area += glm::cross(p(i) - p(0), p(i + 1) - p(0));
    }
    EXPECT_DOUBLE_EQ(glm::length(area), 8.0);
}

TEST(ConvexHull, KeepsTheEightCornersOfAGridAndNothingElse) {
    for (const Vec3d& origin : {Vec3d(0.0), Vec3d(-1.0, 3.0, 0.1), Vec3d(10'000.0, -10'000.0, 10'000.0)}) {
        for (const double step : {1.0, 0.5, 2.0}) {
            const Cloud cloud = grid(6, 5, 7, step, origin);
            const ConvexHull hull = convexHull(cloud);
            EXPECT_EQ(hull.indices.size(), 8U);
            expectSound(cloud);
        }
    }
}

TEST(ConvexHull, KeepsTheCornersOfTurnedBoxesWithClutter) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int round = 0; round < 300; ++round) {
        const Quatd turn = glm::normalize(Quatd(unit(random), unit(random), unit(random), unit(random)));
        Cloud cloud;
        for (int i = 0; i < 400; ++i) {  // on the sides and edges
            Vec3d p(unit(random), unit(random), unit(random));
            p[i % 3] = p[i % 3] < 0.0 ? -1.0 : 1.0;
            if (i % 2 == 0) p[(i + 1) % 3] = p[(i + 1) % 3] < 0.0 ? -1.0 : 1.0;
            cloud.emplace_back(turn * (p * Vec3d(3.0, 1.0, 2.0)));
        }
        std::set<std::array<float, 3>> corners;
        for (const Vec3& corner : boxCorners({{-3, -1, -2}, {3, 1, 2}})) {
            const Vec3 p(turn * Vec3d(corner));
            cloud.push_back(p);
            corners.insert({p.x, p.y, p.z});
        }
        std::shuffle(cloud.begin(), cloud.end(), random);
        const ConvexHull hull = convexHull(cloud);
        const auto kept = positions(hull, cloud);
        EXPECT_TRUE(std::includes(kept.begin(), kept.end(), corners.begin(), corners.end()));
        EXPECT_LE(kept.size(), 12U)
            << round;  // rounding to float can lift a point on an edge by more than the tolerance
        expectSound(cloud);
    }
}

TEST(ConvexHull, EndsWhenAnExtremePointLiesAHairInFrontOfAFace) {
    // Such a point stays on a face's list; it was dealt to the lists a second time, and the list became a ring.
    std::mt19937 random(8);
    std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
    for (int round = 0; round < 3000; ++round) {
        Cloud cloud;
        for (const Vec3& corner : boxCorners({{0.0F, 0.0F, 0.0F}, {0.3F, 0.7F, 1.1F}})) cloud.push_back(corner);
        for (int i = 0; i < 24; ++i) {  // on a slanted grid, a part of a float step off its sides
            Vec3 p = cloud[static_cast<std::size_t>(i) % 8];
            p[i % 3] += 6e-8F * unit(random);
            cloud.push_back(p);
        }
        for (Vec3& p : cloud) p = Vec3(0.6F * p.x - 0.8F * p.y, 0.8F * p.x + 0.6F * p.y, p.z + 0.3F * p.x);
        std::shuffle(cloud.begin(), cloud.end(), random);
        expectSound(cloud, 1e-5);
        if (HasFailure()) return;
    }
}

TEST(ConvexHull, IgnoresDuplicates) {
    Cloud cloud;
    for (int i = 0; i < 30; ++i) {
        for (const Vec3& corner : boxCorners({{-1, -1, -1}, {1, 1, 1}})) cloud.push_back(corner);
        cloud.emplace_back(0.0F, -0.0F, 0.0F);
        cloud.emplace_back(1.0F, -0.0F, 0.0F);
    }
    EXPECT_EQ(convexHull(cloud).indices.size(), 8U);
    expectSound(cloud);
}

TEST(ConvexHull, StandsTenKilometresOut) {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        expectSound(
            randomCloud(seed, 30 + seed * 5, Vec3d(5.0, 3.0, 1.0), Vec3d(10'000.0, -7'000.0, 9'000.0), seed % 2 == 0),
            1e-6);
    }
}

TEST(ConvexHull, HoldsAMillimetre) {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        expectSound(randomCloud(seed, 30 + seed * 5, Vec3d(1e-3, 1e-3, 5e-4), Vec3d(0.0), seed % 2 == 0));
    }
}

TEST(ConvexHull, HoldsNeedles) {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const double thin = std::pow(10.0, -1.0 - 0.02 * seed);
        expectSound(
            randomCloud(seed, 20 + seed * 3, Vec3d(1000.0 * thin, 1000.0, 1000.0 * thin), Vec3d(0.0), seed % 2 == 0),
            1e-6);
        expectSound(randomCloud(seed, 20 + seed * 3, Vec3d(10.0, 10.0, 10.0 * thin), Vec3d(0.0), seed % 2 == 0), 1e-6);
    }
}

TEST(ConvexHull, HoldsIntegerClouds) {
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
        std::uniform_int_distribution<int> coordinate(0, 2 + round % 7);
        Cloud cloud(static_cast<std::size_t>(6 + round % 100));
        for (Vec3& p : cloud)
            p = Vec3(static_cast<float>(coordinate(random)), static_cast<float>(coordinate(random)),
                     static_cast<float>(coordinate(random)));
        if (convexHull(cloud).shape == HullShape::Solid) expectSound(cloud);
    }
}

TEST(ConvexHull, KeepsOnlyCornersOfIntegerClouds) {
    // A vertex is superfluous when the others hold it: asked by building the hull without it.
    std::mt19937 random(6);
    for (int round = 0; round < 500; ++round) {
        std::uniform_int_distribution<int> coordinate(0, 2 + round % 5);
        Cloud cloud(static_cast<std::size_t>(8 + round % 60));
        for (Vec3& p : cloud)
            p = Vec3(static_cast<float>(coordinate(random)), static_cast<float>(coordinate(random)),
                     static_cast<float>(coordinate(random)));
        const ConvexHull hull = convexHull(cloud);
        if (hull.shape != HullShape::Solid || hull.indices.size() == 4) continue;
        const double volume = volumeOf(hull, cloud);
        for (std::size_t left = 0; left < hull.indices.size(); ++left) {
            Cloud rest = pointsOf(hull, cloud);
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left));
            const ConvexHull smaller = convexHull(rest);
            if (smaller.shape != HullShape::Solid) continue;
            EXPECT_LT(volumeOf(smaller, rest), volume * (1.0 - 1e-6)) << "round " << round;
        }
    }
}

TEST(ConvexHull, HoldsManyRandomClouds) {
    const char* wanted = std::getenv("GEOMCONV_PROPERTY_COUNT");
    const int rounds = wanted != nullptr ? std::atoi(wanted) : 2000;
    const std::uint32_t seed = 20240601;
    for (int round = 0; round < rounds; ++round) {
        std::mt19937 random(seed + static_cast<std::uint32_t>(round));
        std::uniform_real_distribution<double> exponent(-3.0, 3.0);
        std::uniform_int_distribution<std::size_t> count(4, 150);
        const double size = std::pow(10.0, exponent(random));
        const Vec3d axes(size, size * std::pow(10.0, -0.5 * std::fabs(exponent(random))), size);
        const Vec3d center = round % 3 == 0 ? Vec3d(100.0 * size) : Vec3d(0.0);
        const Cloud cloud =
            randomCloud(static_cast<std::uint32_t>(random()), count(random), axes, center, round % 2 == 0);
        if (convexHull(cloud).shape == HullShape::Solid) expectSound(cloud, 1e-6);
        if (HasFailure()) FAIL() << "seed " << seed << " round " << round;
    }
}

TEST(ConvexHull, KeepsEveryPointOfASphere) {
    const Cloud cloud = randomCloud(3, 100'000, Vec3d(1.0), Vec3d(0.0), true);
    const ConvexHull hull = convexHull(cloud);
    EXPECT_GE(hull.indices.size(), 99'900U);
    expectSound(cloud);
}

TEST(ConvexHull, UntidyHullsHaveTheSameVolume) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<float> place(-1.0F, 1.0F);
    for (int round = 0; round < 200; ++round) {
        // Coplanar clutter on the sides of a box makes vertices within facets.
        std::vector<Vec3> points;
        for (int i = 0; i < 60; ++i) {
            Vec3 p(place(random), place(random), place(random));
            p[i % 3] = i % 2 == 0 ? 1.0F : -1.0F;
            points.push_back(p);
        }
        const auto volume = [&](bool tidy) {
            const ConvexHull hull = convexHull(points, {.tidy = tidy});
            double sum = 0.0;
            for (const auto& t : hull.triangles) {
                sum += glm::dot(Vec3d(points[hull.indices[t[0]]]),
                                glm::cross(Vec3d(points[hull.indices[t[1]]]), Vec3d(points[hull.indices[t[2]]])));
            }
            return sum / 6.0;
        };
        EXPECT_NEAR(volume(false), volume(true), 1e-6);
    }
}

TEST(ConvexHull, GivesTheSameTwice) {
    const Cloud cloud = randomCloud(9, 20'000, Vec3d(1.0), Vec3d(0.0), true);
    const ConvexHull a = convexHull(cloud);
    const ConvexHull b = convexHull(cloud);
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_EQ(a.triangles, b.triangles);
}

TEST(ConvexHull, KeepsWithinTheNumberOfPointsAllowed) {
    const Cloud cloud = randomCloud(4, 5000, Vec3d(1.0), Vec3d(0.0), true);
    double last = 2.0;
    for (const std::uint32_t most : {4U, 5U, 8U, 32U, 100U, 1000U}) {
        const ConvexHull hull = convexHull(cloud, {.epsilon = {}, .maxPoints = most});
        ASSERT_EQ(hull.shape, HullShape::Solid);
        EXPECT_EQ(hull.indices.size(), most);
        EXPECT_TRUE(hull.simplified);
        EXPECT_TRUE(
            test::hullFaults(pointsOf(hull, cloud), hull.triangles, pointsOf(hull, cloud), hull.epsilon).empty());
        EXPECT_LT(hull.outside, last);  // more points leave less outside
        EXPECT_TRUE(
            test::hullFaults(pointsOf(hull, cloud), hull.triangles, cloud, hull.outside * 2.0 + hull.epsilon).empty());
        last = hull.outside;
    }
    const ConvexHull whole = convexHull(cloud, {.epsilon = {}, .maxPoints = 5000});
    EXPECT_FALSE(whole.simplified);
}

TEST(ConvexHull, DropsWhatIsWithinAWideTolerance) {
    const Cloud cloud = randomCloud(4, 5000, Vec3d(1.0), Vec3d(0.0), true);
    const ConvexHull hull = convexHull(cloud, {.epsilon = 0.05});
    ASSERT_EQ(hull.shape, HullShape::Solid);
    EXPECT_LT(hull.indices.size(), 200U);
    EXPECT_TRUE(test::hullFaults(pointsOf(hull, cloud), hull.triangles, cloud, 0.0501).empty());
}

TEST(SideOfPlane, IsExactOnThePlane) {
    // 0.1, 0.2, 0.3 ... are no exact numbers; a + b - a rounds.
    const Vec3 a(0.1F, 0.7F, 0.3F);
    const Vec3 b(16'777'216.0F, 1.0F, 3.0F);
    const Vec3 c(1.0F, 1e-20F, 5.0F);
    EXPECT_EQ(sideOfPlane(a, b, c, a), 0);
    EXPECT_EQ(sideOfPlane(a, b, c, b), 0);
    EXPECT_EQ(sideOfPlane({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 1e-38F}), 1);
    EXPECT_EQ(sideOfPlane({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, -1e-38F}), -1);
    EXPECT_EQ(sideOfPlane({1e30F, 0, 0}, {0, 1e30F, 0}, {0, 0, 1e30F}, {1e30F, 1e30F, -1e30F}), 0);
    EXPECT_EQ(sideOfPlane({1e30F, 0, 0}, {0, 1e30F, 0}, {0, 0, 1e30F}, {1e30F, 1e30F, -0.9999999e30F}), 1);
}

}  // namespace
}  // namespace geomconv
