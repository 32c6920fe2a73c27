#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace geomconv::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A command line whose last word is the value of the option before it.
struct NumberCase {
    std::vector<std::string> command;
    std::vector<std::string> good;
    std::vector<std::string> bad;
};

TEST(CliNumbers, AreTakenWholeAndInRangeOrRefused) {
    const Program program;
    program.write("mesh.obj", "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    const std::string level = (sourceDir() / "samples/letter_f.wad").string();
    const std::string model = (sourceDir() / "samples/patrol_ship.sur").string();
    const std::string huge = "99999999999999999999";
    const std::vector<std::string> convert{"convert", "mesh.obj", "-o", "out.json"};
    const std::vector<std::string> hitbox{"hitbox", "mesh.obj", "-o", "out.sur"};
    const std::vector<std::string> floor{"floortest", level, "1", "1", "1"};
    const std::vector<std::string> tiles{"import", level, "mesh.obj", "--dry-run"};
    const auto with = [](std::vector<std::string> words, const std::string& option) {
        words.push_back(option);
        return words;
    };
    const NumberCase cases[] = {
        {with(convert, "--scale"),
         {"2", "-1.5", "+3", ".5", "1e3"},
         {"0", "nan", "inf", "1e400", "1x", "x", "1,5", "1e20"}},
        {with(convert, "--precision"), {"0", "17"}, {"18", "-1", "1.5", "0x3", "3 ", huge}},
        {with(convert, "--max-memory"),
         {"1", "64M", "4 GiB", "4194304T"},
         {"0", "-1", "1X", "4194305T", "16777216T", huge, "1.5G", "M"}},
        {with(hitbox, "--part"),
         {"0", "0x1", "0xFFFFFFFF", "0XaBc", "wing", "1", "0x12#2"},
         {"0x1FFFFFFFF", "0x", "0x12G", "0x-1", "0x000000001"}},
        {with(hitbox, "--hardpoint"), {"HpWeapon01", "0x12"}, {"0x100000000", "0xyz"}},
        {with(hitbox, "--max-points"), {"4", "4294967295"}, {"3", "-4", "4294967296", huge, "4.0", "x"}},
        {with(hitbox, "--max-hulls"), {"1"}, {"0", "-1", huge, "1e1"}},
        {with(hitbox, "--epsilon"), {"0", "1e-3"}, {"-1", "nan", "inf", "1e400", "x"}},
        {with(hitbox, "--radius"), {"1.5"}, {"0", "-1", "nan", "1e39", "1e400", "1m"}},
        {with(hitbox, "--deviation"), {"0", "255"}, {"256", "-1", "1.5", huge}},
        {with(hitbox, "--center"), {"1,2,3"}, {"1,2", "1,2,3,4", "1,2,", "1,,3", "1,2,nan", "1,2,1e39", ",,", "1 2 3"}},
        {with(hitbox, "--inertia"), {"1,2,3"}, {"1,2,inf"}},
        {with(hitbox, "--box"), {"0,0,0,1,1,1"}, {"0,0,0,1,1", "0,0,0,1,1,0", "0,0,0,1,1,1e39", "0,0,0,1,1,1e400"}},
        {with(floor, "--strat-flags"), {"0x200000", "4294967295"}, {"4294967296", "0x100000000", "-1", "0x", "1x"}},
        {with(floor, "--probe-offset"), {"-2147483648", "2147483647"}, {"2147483648", "-2147483649", "1.5", "x"}},
        {with({"convert", level, "-o", "out.obj"}, "--color-set"), {"1"}, {"0", "-1", "4294967296", "x", "1.5"}},
        {with(tiles, "--check-floor"), {"5"}, {"-1", "4294967296", "x", "5x"}},
        {with(tiles, "--default-tex"), {"0"}, {"-1", "4294967296", "x"}},
        {with(tiles, "--page"), {}, {"-1", huge, "x"}},
        {with(tiles, "--object"), {}, {"-1", huge, "x"}},
        {with({"convert", model, "-o", "out.obj"}, "--lod"), {}, {"0"}},  // no option of sur
        {with({"batch", ".", "-o", "out", "--to", "glb", "--dry-run"}, "-j"),
         {"1", "1024"},
         {"0", "1025", "-1", "1.5", "x", huge}},
        {with({"batch", ".", "-o", "out", "--to", "glb", "--dry-run"}, "--shard"),
         {"1/1", "3/16"},
         {"0/1", "2/1", "1", "1/", "/1", "-1/2", "1/2/3", "1/1e3", huge + "/" + huge}},
    };
    for (const NumberCase& c : cases) {
        const auto run = [&](const std::string& value) {
            std::vector<std::string> words = c.command;
            words.push_back(value);
            return program(words);
        };
        for (const std::string& value : c.good) {
            const Outcome outcome = run(value);
            EXPECT_EQ(outcome.code, 0) << c.command.back() << " " << value << ": " << outcome.err;
        }
        for (const std::string& value : c.bad) {
            const Outcome outcome = run(value);
            EXPECT_EQ(outcome.code, 2) << c.command.back() << " " << value << ": " << outcome.err;
            EXPECT_THAT(outcome.err, StartsWith("geomconv: error: ")) << value;
            EXPECT_THAT(outcome.err, HasSubstr(c.command.back() == "-j" ? "--jobs" : c.command.back())) << value;
        }
        EXPECT_EQ(run("").code, 2) << c.command.back() << ": nothing is no number";
    }
}

TEST(CliNumbers, AnIdBeyond32BitsIsSaidToBe) {
    const Program program;
    const Outcome run = program({"hitbox", "--box", "0,0,0,1,1,1", "--part", "0x1FFFFFFFF", "-o", "a.sur"});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("'0x1FFFFFFFF' is out of range, ids go from 0x0 to 0xFFFFFFFF"));
    EXPECT_FALSE(program.has("a.sur"));
}

}  // namespace
}  // namespace geomconv::test
