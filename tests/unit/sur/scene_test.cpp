#include <gtest/gtest.h>

#include <cstdio>

#include "formats/sur/format.hpp"
#include "formats/sur/names.hpp"
#include "formats/sur/sur.hpp"
#include "lib/bytes/checksum.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::sur {
namespace {

TEST(SurNames, AnOrdinalIsNoPartOfTheName) {
    EXPECT_EQ(withoutOrdinal("wing_lt#2"), "wing_lt");
    EXPECT_EQ(withoutOrdinal("wing_lt.001"), "wing_lt");
    EXPECT_EQ(withoutOrdinal("wing_lt.01"), "wing_lt.01");
    EXPECT_EQ(withoutOrdinal("HpWeapon01"), "HpWeapon01");
    EXPECT_EQ(withoutOrdinal("#2"), "#2");
    EXPECT_EQ(withoutOrdinal("2"), "2");
    EXPECT_EQ(withoutOrdinal(""), "");
}

TEST(SurNames, IdsAreHashesLiteralsOrZero) {
    EXPECT_EQ(idFromName("Root"), 0x12688f2dU);
    EXPECT_EQ(idFromName("Root#3"), 0x12688f2dU);
    EXPECT_EQ(idFromName("0"), 0U);
    EXPECT_EQ(idFromName("0#2"), 0U);
    EXPECT_EQ(idFromName("0xA1B2C3D4"), 0xa1b2c3d4U);
    EXPECT_EQ(idFromName("0xA1B2C3D4.002"), 0xa1b2c3d4U);
    EXPECT_EQ(idFromName("\xe6\xbc\xa2"), std::nullopt);
}

TEST(SurNames, OnlyNamesThatReadBackAreUsed) {
    const KnownNames names(nullptr, {"Root", "part#2", "a/b", "", "0x12", "HpMount"});
    EXPECT_EQ(names.nameOf(0x12688f2d), "Root");
    EXPECT_EQ(names.nameOf(0xf00fb9de), "HpMount");
    EXPECT_EQ(names.nameOf(0), "0");
    EXPECT_EQ(names.nameOf(0xa1b2c3d4), "0xA1B2C3D4");
    EXPECT_EQ(names.nameOf(0x12), "0x00000012");
    for (const char* odd : {"part#2", "a/b"}) EXPECT_EQ(names.nameOf(*freelancerId(odd)), hexId(*freelancerId(odd)));
}

TEST(SurScene, EveryRealFileGivesASoundSceneAndComesBackByteForByte) {
    const auto shared = test::sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    std::size_t hulls = 0;
    std::size_t closed = 0;
    for (const auto& path : test::filesIn(*shared / "corpus" / "sur", ".sur", true)) {
        SCOPED_TRACE(path.filename().string());
        const ByteVector bytes = test::readFile(path);
        Defects defects;
        ReadOptions options;
        options.wayBack = true;
        options.content = ContentSet{Content::Collision, Content::Bounds};
        const Scene scene = kFormat.readScene({"ship.sur", bytes, {}, {}}, options, defects);
        EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>{});
        for (const geomconv::Hull& hull : scene.hulls) {
            ++hulls;
            closed += test::hullFaults(hull).empty() ? 1U : 0U;
        }
        EXPECT_EQ(write(fromScene(scene, defects)), bytes);
    }
    std::printf("%zu hulls, %zu of them closed with a volume\n", hulls, closed);
}

}  // namespace
}  // namespace geomconv::sur
