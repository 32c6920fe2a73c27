#include <gtest/gtest.h>

#include <cstdlib>

#include "formats/groove/floortest.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/groove_level.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::groove {
namespace {

std::filesystem::path samplePath() {
    return geomconv::test::sourceDir() / "samples/letter_f.wad";
}

TEST(GrooveSample, IsWhatTheGeneratorMakes) {
    const ByteVector made = geomconv::test::sampleLevel();
    if (std::getenv("GEOMCONV_REWRITE_SAMPLES") != nullptr) geomconv::test::writeFile(samplePath(), made);
    EXPECT_EQ(geomconv::test::readFile(samplePath()), made);
}

TEST(GrooveSample, IsSoundAndComesBack) {
    const ByteVector made = geomconv::test::sampleLevel();
    Defects defects;
    const Level level = read(made, false, defects);
    check(level, made, false, defects);
    for (const Defect& d : defects.list()) ADD_FAILURE() << toText(d);
    EXPECT_TRUE(level.map->restLands);
    EXPECT_EQ(level.stpc->variant, SlotVariant::P);
    SceneOptions options;
    options.content = ContentSet::all();
    EXPECT_EQ(geomconv::test::sceneFaults(toScene(level, "letter_f.wad", options, defects)),
              std::vector<std::string>());
}

FloorResult at(const FloorTest& test, double x, double y, double z) {
    return test.probe(makeProbe(x, y, z, {}));
}

TEST(GrooveSample, FloorsAreWhereTheModelsPutThem) {
    Defects defects;
    const FloorTest test(read(geomconv::test::sampleLevel(), false, defects));
    EXPECT_NEAR(*at(test, 0.4, 0.1, 0.6).h / 4096.0, 0.0, 0.002) << "grass";
    EXPECT_NEAR(*at(test, 2.3, 0.6, 3.2).h / 4096.0, 0.5, 0.002) << "stem of the letter";
    EXPECT_EQ(at(test, 2.3, 0.6, 3.2).found->material, 3);
    EXPECT_NEAR(*at(test, 1.75, 0.5, 2.5).h / 4096.0, 0.375, 0.01) << "ramp towards +x";
    EXPECT_NEAR(*at(test, 2.5, 0.5, 5.25).h / 4096.0, 0.375, 0.01) << "the same ramp turned towards -z";
    EXPECT_EQ(at(test, 7.5, 0.5, 5.5).outcome, FloorOutcome::NoFloor) << "the hole";
    EXPECT_EQ(at(test, 8.5, 0.5, 5.5).outcome, FloorOutcome::Outside);
    EXPECT_NEAR(*at(test, 6.5, 1.1, 1.5).h / 4096.0, 1.0, 0.005) << "on the gate";
}

TEST(GrooveSample, TheSpikeHoldsUpFeetBesideIt) {
    // The measured case of the original game, moved: at z + 0.233 the spike wins, 12 mm further the path does.
    Defects defects;
    const Level level = read(geomconv::test::sampleLevel(), false, defects);
    const FloorTest test(level);
    const FloorResult spike = at(test, 6.204, 0.27, 3.733);
    const FloorResult path = at(test, 6.204, 0.27, 3.745);
    EXPECT_NEAR(*spike.h / 4096.0, 0.4745, 0.001);
    EXPECT_NEAR(*path.h / 4096.0, 0.26, 0.001);
    const std::vector<Needle> found = needles(level, defects);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].position.x, 6.197, 0.002);
    EXPECT_NEAR(found[0].position.y, 0.469, 0.002);
    EXPECT_NEAR(found[0].position.z, 3.736, 0.002);
}

TEST(GrooveBuild, PolygonsDecodeToTheirCorners) {
    const std::array<Vec3d, 4> quad{{{-0.5, 0.1, 0.5}, {0.5, 0.3, 0.5}, {0.5, 0.3, -0.5}, {-0.5, 0.1, -0.5}}};
    PolygonSource source;
    source.corners = quad;
    source.reference = quad;
    source.material = 7;
    const BuiltPolygon built = buildPolygon(source);
    ASSERT_EQ(built.outcome, BuildOutcome::Built);
    EXPECT_EQ(built.group, 0);
    EXPECT_EQ(built.polygon.type, CollisionPolygon::kQuad);
    EXPECT_EQ(built.polygon.planes[0].ny, 125);
    const PolygonCorners corners = polygonCorners(built.polygon);
    ASSERT_EQ(corners.corners.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(glm::distance(corners.corners[i], quad[i]), 0.01);
}

TEST(GrooveBuild, KeepsToTheLimitsOfTheRecord) {
    const auto outcome = [](std::array<Vec3d, 3> corners, const std::array<Vec3d, 3>& reference) {
        PolygonSource source;
        source.corners = corners;
        source.reference = reference;
        return buildPolygon(source).outcome;
    };
    const std::array<Vec3d, 3> flat{{{0, 9, 0}, {0, 9, 1}, {1, 9, 0}}};
    EXPECT_EQ(outcome(flat, flat), BuildOutcome::TooFar);
    const std::array<Vec3d, 3> none{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
    EXPECT_EQ(outcome(none, none), BuildOutcome::Degenerate);
    // An edge 100 units outside is stored as far as it goes, and decodes as that.
    const std::array<Vec3d, 3> wide{{{-100, 0, 100}, {100, 0, 100}, {100, 0, -100}}};
    EXPECT_EQ(outcome(wide, {{{-0.5, 0, 0.5}, {0.5, 0, 0.5}, {0.5, 0, -0.5}}}), BuildOutcome::Built);
}

}  // namespace
}  // namespace geomconv::groove
