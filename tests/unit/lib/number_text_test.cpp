#include "lib/files/number_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace geomconv {
namespace {

std::string textOf(float value, NumberFormat format = {}) {
    char room[kNumberRoom];
    return {room, floatText(room, value, format)};
}

TEST(NumberText, ReadsBackAsTheSameFloat) {
    std::mt19937 random(7);
    for (int i = 0; i < 200000; ++i) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (!std::isfinite(value)) continue;
        const std::string text = textOf(value);
        float back = 0.0F;
        std::from_chars(text.data(), text.data() + text.size(), back);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(back), std::bit_cast<std::uint32_t>(value)) << text;
    }
}

TEST(NumberText, FitsItsRoomAtTheWorst) {
    EXPECT_EQ(textOf(-3.4028235e38F, {17}).size(), 1U + 39 + 1 + 17);
    EXPECT_EQ(textOf(0.5F, {3}), "0.500");
    EXPECT_EQ(textOf(0.1F), "0.1");
}

}  // namespace
}  // namespace geomconv
