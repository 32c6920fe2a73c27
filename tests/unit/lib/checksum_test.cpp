#include "lib/bytes/checksum.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace geomconv {
namespace {

using namespace std::string_literals;

TEST(FreelancerHash, GivesThePublishedIds) {
    const std::vector<std::pair<std::string, std::uint32_t>> known{
        {"Root", 0x12688f2d},
        {"HpMount", 0xf00fb9de},
        {"HpWeapon01", 0x03981f6f},
        {"HpWeapon02", 0x18914ed5},
        {"HpTurret01", 0x0399e410},
        {"HpEngine01", 0x114c09cc},
        {"HpCM01", 0xef2423b0},
        {"HpThruster01", 0x12fafcd0},
        {"HpShield01", 0xec0ac291},
        {"wing_lt", 0xed7ab1b1},
        {"port wing", 0x0b44e0ea},
        {"ku_dmg_engine", 0xe39dd05c},
        {"data.solar.starsphere.starsphere_rh05_stars.lod0-102.vms", 0x00d93c59},
        {"", 0x00000000},
        {"A", 0xfcb7be43},
        {"a", 0xfcb7be43},
        {"Z_0[`{", 0x014e0240},
        {"caf\xe9", 0x0f3b6ef3},
    };
    for (const auto& [name, id] : known) EXPECT_EQ(freelancerHash(name), id) << name;
}

TEST(FreelancerHash, FoldsAsciiLettersOnly) {
    EXPECT_EQ(freelancerHash("HPWEAPON01"), freelancerHash("hpweapon01"));
    EXPECT_NE(freelancerHash("caf\xc9"), freelancerHash("caf\xe9"));
    EXPECT_NE(freelancerHash("["), freelancerHash("{"));
}

TEST(FreelancerHash, DiffersFromTheStandardChecksum) {
    EXPECT_NE(freelancerHash("root"), 0x16f4f95bU);
}

TEST(FreelancerId, TakesUtf8) {
    EXPECT_EQ(freelancerId("Root"), 0x12688f2dU);
    EXPECT_EQ(freelancerId("caf\xc3\xa9"), 0x0f3b6ef3U);
    EXPECT_EQ(freelancerId("\xe2\x82\xac"s), freelancerHash("\x80"));
    EXPECT_EQ(freelancerId("\xe6\xbc\xa2"s), std::nullopt);
}

}  // namespace
}  // namespace geomconv
