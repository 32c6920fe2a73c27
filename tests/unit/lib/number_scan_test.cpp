#include "lib/bytes/number_scan.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace geomconv {
namespace {

std::uint32_t bitsOf(float v) {
    return std::bit_cast<std::uint32_t>(v);
}
std::uint64_t bitsOf(double v) {
    return std::bit_cast<std::uint64_t>(v);
}

/// Both widths against strtof and strtod of the C library.
void expectSame(const std::string& text) {
    const char* const end = text.data() + text.size();
    float f = -7.0F;
    double d = -7.0;
    ASSERT_EQ(scanNumber(text.data(), end, f), end) << text;
    ASSERT_EQ(scanNumber(text.data(), end, d), end) << text;
    EXPECT_EQ(bitsOf(f), bitsOf(std::strtof(text.c_str(), nullptr))) << text;
    EXPECT_EQ(bitsOf(d), bitsOf(std::strtod(text.c_str(), nullptr))) << text;
}

TEST(NumberScan, RoundsAsTheCLibraryDoes) {
    for (const char* text : {"0",
                             "-0",
                             "0.0",
                             "1",
                             "-1",
                             "123.456",
                             ".5",
                             "5.",
                             "-.25",
                             "1e3",
                             "1E-3",
                             "1e+10",
                             "16777217",
                             "16777219",
                             "16777217.0000001",
                             "0.1",
                             "0.30000001192092896",
                             "9007199254740993",
                             "9007199254740992",
                             "3.4028235e38",
                             "340282350000000000000000000000000000000",
                             "1e-45",
                             "0.0000000000000000000001",
                             "0.00000000000000000000001",
                             "1.17549435e-38",
                             "123456789012345678901234567890",
                             "0.000000000000000000000000000000000000011754943"}) {
        expectSame(text);
    }
}

TEST(NumberScan, RoundsNumbersMidwayBetweenTwoFloats) {
    // 1 + 2^-24 lies midway between 1 and the next float; a hair more must round up, which a double does not see.
    expectSame("1.000000059604644775390625");
    expectSame("1.0000000596046447753906250000001");
    expectSame("1.00000005960464478");
    expectSame("1.0000000596046448");
    expectSame("1.0000000596046447");
}

TEST(NumberScan, AgreesOnRandomNumbers) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 200000; ++i) {
        std::string text = random() % 2 ? "-" : "";
        text += std::to_string(random() >> (random() % 64));
        if (random() % 4) {
            const std::string decimals = std::to_string(random() >> (random() % 64));
            text += '.' + std::string(random() % 6, '0') + decimals;
        }
        if (random() % 8 == 0) text += "e-" + std::to_string(random() % 50);
        expectSame(text);
    }
}

TEST(NumberScan, EveryFloatComesBackFromItsShortestText) {
    std::mt19937 random(11);
    char text[64];
    for (int i = 0; i < 200000; ++i) {
        const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (!std::isfinite(value)) continue;
        const char* const end = std::to_chars(text, text + sizeof text, value).ptr;
        float back = 0.0F;
        ASSERT_EQ(scanNumber(text, end, back), end);
        ASSERT_EQ(bitsOf(back), bitsOf(value)) << std::string_view(text, static_cast<std::size_t>(end - text));
    }
}

TEST(NumberScan, TooLargeIsInfinityAndTooSmallIsZero) {
    const auto both = [](std::string_view text, double& d, float& f) {
        EXPECT_EQ(scanNumber(text.data(), text.data() + text.size(), d), text.data() + text.size()) << text;
        EXPECT_EQ(scanNumber(text.data(), text.data() + text.size(), f), text.data() + text.size()) << text;
    };
    double d = 0.0;
    float f = 0.0F;
    both("1e400", d, f);
    EXPECT_TRUE(std::isinf(d) && std::isinf(f));
    both("-1e400", d, f);
    EXPECT_TRUE(d < 0.0 && std::isinf(d) && std::isinf(f));
    both("1e-400", d, f);
    EXPECT_TRUE(d == 0.0 && f == 0.0F);
    both("0." + std::string(400, '0') + "1", d, f);
    EXPECT_TRUE(d == 0.0 && f == 0.0F);
    both("1" + std::string(400, '0'), d, f);
    EXPECT_TRUE(std::isinf(d) && std::isinf(f));
    both("nan", d, f);
    EXPECT_TRUE(std::isnan(d) && std::isnan(f));
}

TEST(NumberScan, StopsWhereTheNumberEnds) {
    for (const std::string_view text : {"1.5 2", "1.5/2", "1.5\n", "1.5,2", "1.5x"}) {
        double d = 0.0;
        EXPECT_EQ(scanNumber(text.data(), text.data() + text.size(), d), text.data() + 3) << text;
        EXPECT_EQ(d, 1.5);
    }
    for (const std::string_view text : {"", "-", ".", "+1", "x", "-.", " 1"}) {
        double d = 0.0;
        EXPECT_EQ(scanNumber(text.data(), text.data() + text.size(), d), nullptr) << text;
    }
}

}  // namespace
}  // namespace geomconv
