#include <gtest/gtest.h>

#include "tests/samples/collision_libraries.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::collisionset {
namespace {

void expectSample(const std::string& name, const Library& library) {
    EXPECT_EQ(test::readFile(test::sourceDir() / "samples" / "collisionset" / name), write(library)) << name;
}

TEST(CollisionSetSamples, AreWhatTheirGeneratorMakes) {
    expectSample("asteroids.bin", samples::asteroids());
    expectSample("ship.bin", samples::ship());
}

TEST(CollisionSetSamples, AreClosedAndTurnedOutward) {
    for (const Library& library : {samples::asteroids(), samples::ship()}) {
        Defects defects;
        read(write(library), {}, defects);
        EXPECT_TRUE(defects.empty());
        for (const Record& record : library.records) {
            const Statistics s = statistics(record);
            EXPECT_TRUE(s.oriented()) << record.name();
            EXPECT_EQ(s.euler, 2) << record.name();
            EXPECT_GT(s.signedVolume.value_or(0.0), 0.0) << record.name();
            EXPECT_EQ(s.duplicatePositions, 0U) << record.name();
        }
    }
}

}  // namespace
}  // namespace geomconv::collisionset
