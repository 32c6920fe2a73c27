#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "formats/sur/names.hpp"
#include "tests/samples/patrol_ship.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::sur {
namespace {

TEST(SurSample, IsWhatItsMakerMakes) {
    EXPECT_EQ(test::readFile(test::sourceDir() / "samples" / "patrol_ship.sur"), write(test::patrolShip()));
}

TEST(SurSample, BreaksNoRule) {
    Defects defects;
    const Library ship = read(write(test::patrolShip()), defects);
    check(ship, defects);
    EXPECT_TRUE(defects.empty()) << toText(defects.list().front());
    const KnownNames names(nullptr, test::patrolShipNames());
    for (const Part& part : ship.parts) {
        for (const Hull& hull : part.surface->hulls) EXPECT_TRUE(!hull.terminal() || names.knows(hull.id));
    }
    for (const geomconv::Hull& hull : toScene(ship, {}, defects).hulls) {
        EXPECT_EQ(test::hullFaults(hull), std::vector<std::string>{});
    }
}

TEST(SurSample, CutAnywhereItIsOneErrorOrWholeParts) {
    const ByteVector whole = write(test::patrolShip());
    std::size_t shorter = 0;
    for (std::size_t n = 0; n < whole.size(); ++n) {
        const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
        Defects defects;
        try {
            const Library library = read(cut, defects);
            EXPECT_EQ(write(library), cut);
            ++shorter;  // between two parts
        } catch (const FormatError& error) {
            EXPECT_TRUE(error.defect().offset.has_value());
        }
    }
    EXPECT_EQ(shorter, 4U);
}

}  // namespace
}  // namespace geomconv::sur
