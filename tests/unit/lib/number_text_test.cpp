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

/// What the standard library writes.
std::string standardText(float value) {
    char room[kNumberRoom];
    return {room, std::to_chars(room, room + kNumberRoom, value).ptr};
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

TEST(NumberText, IsTheStandardLibrarysText) {
    std::mt19937 random(11);
    // Every exponent: its power of two, the neighbours of that, and significands at random.
    for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
        for (int i = 0; i < 4000; ++i) {
            const auto significand = static_cast<std::uint32_t>(i < 4 ? static_cast<std::uint64_t>(i) : random());
            std::uint32_t bits = (exponent << 23) | (significand & 0x7FFFFF);
            if (i >= 4 && i < 8) bits = (exponent << 23) | (0x7FFFFFU - static_cast<std::uint32_t>(i - 4));
            if (i % 2 == 1) bits |= 0x80000000;
            const auto value = std::bit_cast<float>(bits);
            ASSERT_EQ(textOf(value), standardText(value)) << bits;
        }
    }
}

TEST(NumberText, IsTheStandardLibrarysTextForShortDecimals) {
    for (const int decimals : {1, 10, 100, 1000, 10000, 100000, 1000000}) {
        for (int i = 0; i < 20000; ++i) {
            const float value = static_cast<float>(i * 37) / static_cast<float>(decimals);
            ASSERT_EQ(textOf(value), standardText(value));
        }
    }
    for (int i = 0; i <= 256; ++i) {
        ASSERT_EQ(textOf(static_cast<float>(i) / 128.0F), standardText(static_cast<float>(i) / 128.0F));
        ASSERT_EQ(textOf(static_cast<float>(i) / 255.0F), standardText(static_cast<float>(i) / 255.0F));
    }
}

TEST(NumberText, RemembersWhatItMet) {
    NumberTexts texts;
    char room[kNumberRoom];
    std::mt19937 random(3);
    for (int i = 0; i < 100000; ++i) {
        // Few values, so that most are met again, and many, so that entries are taken from each other.
        const auto bits = static_cast<std::uint32_t>(i % 2 == 0 ? random() % 64 << 20 : random());
        const auto value = std::bit_cast<float>(bits);
        ASSERT_EQ(std::string(room, texts.write(room, value)), standardText(value));
    }
    EXPECT_EQ(std::string(room, texts.write(room, 0.0F)), "0");
    EXPECT_EQ(std::string(room, texts.write(room, -0.0F)), "-0");
}

TEST(NumberText, WritesWholeNumbers) {
    char room[kNumberRoom];
    std::mt19937_64 random(5);
    for (int shift = 0; shift < 64; ++shift) {
        for (int i = 0; i < 200; ++i) {
            const std::uint64_t value = random() >> shift;
            ASSERT_EQ(std::string(room, uintText(room, value)), std::to_string(value));
        }
    }
    for (std::uint64_t power = 1; power <= 10'000'000'000'000'000'000U / 10; power *= 10) {
        for (const std::uint64_t value : {power - 1, power, power + 1}) {
            ASSERT_EQ(std::string(room, uintText(room, value)), std::to_string(value));
        }
    }
}

TEST(NumberText, FitsItsRoomAtTheWorst) {
    EXPECT_EQ(textOf(-3.4028235e38F, {17}).size(), 1U + 39 + 1 + 17);
    EXPECT_EQ(textOf(0.5F, {3}), "0.500");
    EXPECT_EQ(textOf(0.1F), "0.1");
}

}  // namespace
}  // namespace geomconv
