#include "lib/bytes/text.hpp"

#include <gtest/gtest.h>

#include "lib/bytes/counted.hpp"

namespace geomconv {
namespace {

TEST(Text, KnowsWellFormedUtf8) {
    EXPECT_TRUE(isUtf8(""));
    EXPECT_TRUE(isUtf8("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x80"));
    EXPECT_FALSE(isUtf8("caf\xe9"));
    EXPECT_FALSE(isUtf8("\xc0\x80"));          // overlong
    EXPECT_FALSE(isUtf8("\xed\xa0\x80"));      // a surrogate
    EXPECT_FALSE(isUtf8("\xf4\x90\x80\x80"));  // above U+10FFFF
    EXPECT_FALSE(isUtf8("\xe2\x82"));          // cut
}

TEST(Text, CountsInTheSingularToo) {
    EXPECT_EQ(counted(1, "faces"), "1 face");
    EXPECT_EQ(counted(1, "vertices"), "1 vertex");
    EXPECT_EQ(counted(1, "meshes"), "1 mesh");
    EXPECT_EQ(counted(0, "meshes"), "0 meshes");
    EXPECT_EQ(counted(2, "collision polygons"), "2 collision polygons");
}

TEST(Text, RepairsOnlyWhatIsBroken) {
    EXPECT_EQ(repairUtf8("a\xff!\xc3\xa9"), "a\xef\xbf\xbd!\xc3\xa9");
}

TEST(Text, CarriesEveryWindows1252ByteThereAndBack) {
    std::string all;
    for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
    const std::string utf8 = utf8FromWindows1252(all);
    EXPECT_TRUE(isUtf8(utf8));
    EXPECT_EQ(windows1252FromUtf8(utf8), all);
    EXPECT_EQ(utf8FromWindows1252("\x80\xe9"), "\xe2\x82\xac\xc3\xa9");
    EXPECT_EQ(windows1252FromUtf8("\xe3\x81\x82"), std::nullopt);
}

TEST(Listed, NamesTheFirstAndCountsTheOthers) {
    const std::vector<std::string> names{"a", "b", "c"};
    EXPECT_EQ(listed(names), "a, b, c");
    EXPECT_EQ(listed(names, 2), "a, b and 1 more");
    EXPECT_EQ(listed({}), "");
}

TEST(Text, ShowsNoControlCharacter) {
    EXPECT_EQ(printable("wing \xc3\xa9"), "wing \xc3\xa9");
    EXPECT_EQ(printable("a\x1b[31m"), "a\\x1B[31m");
    EXPECT_EQ(printable("\xc2\x85"), "\\xC2\\x85");  // a C1 control in valid UTF-8
    EXPECT_EQ(printable("\xe9"), "\\xE9");
}

TEST(Text, ShowsNothingThatTurnsTheDirectionOrEndsTheLine) {
    for (const std::uint32_t code : {0x61cU, 0x200eU, 0x200fU, 0x2028U, 0x2029U, 0x202aU, 0x202bU, 0x202cU, 0x202dU,
                                     0x202eU, 0x2066U, 0x2067U, 0x2068U, 0x2069U}) {
        std::string name = "a";
        appendUtf8(name, code);
        EXPECT_EQ(printable(name + "txt.exe").find("a\\x"), 0U) << std::hex << code;
    }
    // Their neighbours are characters like others: joiners, dashes, spaces, Arabic letters.
    for (const std::uint32_t code : {0x61bU, 0x61dU, 0x200dU, 0x2010U, 0x2027U, 0x202fU, 0x2065U, 0x206aU, 0x5d0U}) {
        std::string name = "a";
        appendUtf8(name, code);
        EXPECT_EQ(printable(name), name) << std::hex << code;
    }
}

TEST(Text, ComparesWithoutTheCaseOfAsciiLettersOnly) {
    EXPECT_TRUE(equalWithoutCase("Wing_01", "wING_01"));
    EXPECT_FALSE(equalWithoutCase("wing", "wings"));
    EXPECT_FALSE(equalWithoutCase("@[", "`{"));      // the neighbours of A and Z
    EXPECT_FALSE(equalWithoutCase("\xc9", "\xe9"));  // letters of windows-1252
    EXPECT_EQ(asciiLower("Ship.\xc9.SUR"), "ship.\xc9.sur");
}

TEST(Text, NamesTheFileBehindTheLastSlash) {
    EXPECT_EQ(fileNameOf("a/b\\c.sur"), "c.sur");
    EXPECT_EQ(fileNameOf("c.sur"), "c.sur");
    EXPECT_EQ(fileNameOf("a/"), "");
}

TEST(Text, EndsAtTheFirstNul) {
    EXPECT_EQ(untilNul(std::string_view("ab\0cd", 5)), "ab");
    EXPECT_EQ(untilNul("abc"), "abc");
}

}  // namespace
}  // namespace geomconv
