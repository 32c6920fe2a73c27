#include "app/render.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/arguments.hpp"
#include "app/usage_error.hpp"

namespace geomconv {
namespace {

std::string rendered(const std::string& json) {
    return renderInfo(Extras::fromText(json));
}

TEST(Render, MakesWordsOfKeys) {
    EXPECT_EQ(wordsFromKey("massCenter"), "mass center");
    EXPECT_EQ(wordsFromKey("hpid"), "hpid");
    EXPECT_EQ(wordsFromKey("edges3plus"), "edges3plus");
    EXPECT_EQ(wordsFromKey("hasUV"), "has UV");
    EXPECT_EQ(wordsFromKey("rou_e101"), "rou_e101");
}

TEST(Render, AlignsScalars) {
    EXPECT_EQ(rendered(R"({"parts": 3, "massCenter": [0, 1.5, 2], "fixed": true, "note": null})"),
              "  parts:       3\n"
              "  mass center: 0 1.5 2\n"
              "  fixed:       yes\n"
              "  note:        -\n");
}

TEST(Render, MakesTablesOfArraysOfObjects) {
    EXPECT_EQ(rendered(R"({"hulls": [{"name": "wing", "points": 8}, {"name": "a", "points": 12}]})"),
              "  hulls:\n"
              "    name  points\n"
              "    wing       8\n"
              "    a         12\n");
}

TEST(Render, ShortensNumbersAndShowsControlCharactersAsHex) {
    EXPECT_EQ(rendered(R"({"x": 0.30000001192092896, "big": 447522.0, "name": "a\u0007b"})"),
              "  x:    0.3\n"
              "  big:  447522\n"
              "  name: a\\x07b\n");
}

TEST(Render, LeavesOutColumnsThatSayNothing) {
    EXPECT_EQ(rendered(R"({"r": [{"name": "a", "bad": 0, "n": 1}, {"name": "b", "bad": 0, "n": 2}]})"),
              "  r:\n"
              "    name  n\n"
              "    a     1\n"
              "    b     2\n"
              "    none of them: bad\n");
}

TEST(Numbers, AreReadWhole) {
    EXPECT_EQ(realFromText("1.5"), 1.5);
    EXPECT_EQ(realFromText("-2e3"), -2000.0);
    EXPECT_EQ(realFromText("+1"), 1.0);
    for (const char* text : {"", "x", "1x", "nan", "inf", "1e999", " 1", "1 "})
        EXPECT_FALSE(realFromText(text)) << text;
}

TEST(Sizes, TakeUnits) {
    EXPECT_EQ(sizeFromText("4096"), 4096U);
    EXPECT_EQ(sizeFromText("64M"), 64U << 20);
    EXPECT_EQ(sizeFromText("1 GiB"), 1U << 30);
    EXPECT_EQ(sizeFromText("2kb"), 2048U);
    EXPECT_EQ(sizeFromText("10B"), 10U);
    for (const char* text : {"", "M", "1X", "1MM", "-1", "99999999999999999999", "99999999999T"}) {
        EXPECT_FALSE(sizeFromText(text)) << text;
    }
}

TEST(Lists, OfNumbersHaveTheirLength) {
    EXPECT_EQ(realsFromText("box", "-2,-1,-6,2,1,6", 6).size(), 6U);
    EXPECT_THROW(realsFromText("box", "1,2", 6), UsageError);
    EXPECT_THROW(realsFromText("box", "1,2,3,4,5,x", 6), UsageError);
}

}  // namespace
}  // namespace geomconv
