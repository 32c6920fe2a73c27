#include "lib/geometry/mass_properties.hpp"

#include <gtest/gtest.h>

#include "lib/geometry/extent.hpp"

namespace geomconv {
namespace {

MassProperties ofBox(const Vec3& low, const Vec3& high) {
    return massProperties(boxCorners({low, high}), kBoxTriangles);
}

TEST(MassProperties, OfACubeOfSideTwo) {
    const MassProperties cube = ofBox({-1, -1, -1}, {1, 1, 1});
    EXPECT_DOUBLE_EQ(cube.volume, 8.0);
    EXPECT_FALSE(cube.degenerate);
    EXPECT_DOUBLE_EQ(cube.secondMoment.x, 1.0 / 3.0);
    EXPECT_NEAR(cube.rotationInertia.x, 0.47140452079103168, 1e-15);
    EXPECT_DOUBLE_EQ(cube.radius, std::sqrt(3.0));
    EXPECT_DOUBLE_EQ(cube.deviation, std::sqrt(2.0));
}

TEST(MassProperties, LosesNothingTenKilometresOut) {
    const MassProperties box = ofBox({10'000, 10'000, 10'000}, {10'002, 10'001, 10'004});
    EXPECT_NEAR(box.volume, 8.0, 1e-12);
    EXPECT_NEAR(box.massCenter.z, 10'002.0, 1e-11);
    EXPECT_NEAR(box.secondMoment.z, 16.0 / 12.0, 1e-12);
}

TEST(MassProperties, AFlatPieceFarAwayWeighsNothing) {
    // A cube of side 2, and two faces back to back 500 km from it.
    std::vector<Vec3> points;
    for (const Vec3& corner : boxCorners({{-1, -1, -1}, {1, 1, 1}})) points.push_back(corner);
    std::vector<std::array<std::uint32_t, 3>> triangles(kBoxTriangles.begin(), kBoxTriangles.end());
    points.insert(points.end(), {{500'000.1F, 300'000.3F, -400'000.7F},
                                 {500'031.9F, 300'007.7F, -400'003.1F},
                                 {499'983.3F, 300'029.9F, -399'987.9F}});
    triangles.push_back({8, 9, 10});
    triangles.push_back({8, 10, 9});
    const std::array<std::size_t, 2> ends{12, 14};
    const MassProperties mass = massProperties(points, triangles, ends);
    EXPECT_FALSE(mass.degenerate);
    EXPECT_DOUBLE_EQ(mass.volume, 8.0);
    EXPECT_NEAR(glm::length(mass.massCenter), 0.0, 1e-9);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(mass.rotationInertia[axis], 0.47140452079103168, 1e-9);
    EXPECT_GT(mass.radius, 700'000.0);
}

TEST(MassProperties, FallsBackAboveASideOf524) {
    EXPECT_FALSE(ofBox({-262, -262, -262}, {262, 262, 262}).degenerate);
    const MassProperties large = ofBox({-262.5F, -262.5F, -262.5F}, {262.5F, 262.5F, 262.5F});
    EXPECT_TRUE(large.degenerate);
    EXPECT_DOUBLE_EQ(large.rotationInertia.y, 0.5 * 3.0 * 262.5 * 262.5);
}

TEST(MassProperties, FallsBackOnAFlatHull) {
    const std::vector<Vec3> points{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {99, 99, 99}};
    const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 1, 2}, {0, 2, 1}};
    const MassProperties flat = massProperties(points, triangles);
    EXPECT_TRUE(flat.degenerate);
    EXPECT_EQ(flat.massCenter, Vec3d(1, 1, 0));  // the unused point does not count
    EXPECT_DOUBLE_EQ(flat.rotationInertia.x, 1.0);
}

TEST(MassProperties, OfNothingAreZero) {
    EXPECT_EQ(massProperties({}, {}).volume, 0.0);
}

}  // namespace
}  // namespace geomconv
