#include "lib/bytes/words.hpp"

#include <gtest/gtest.h>

#include <array>

namespace geomconv {
namespace {

TEST(Words, SwapTwiceGivesTheSameBytes) {
    const ByteVector bytes{0, 1, 2, 3, 4, 0x7f, 0xa0, 0x00, 0x01};
    std::array<std::uint32_t, 2> words{};
    copyWords32(words.data(), Bytes(bytes).subspan(1), ByteOrder::Big);
    EXPECT_EQ(words[0], 0x01020304U);
    EXPECT_EQ(words[1], 0x7fa00001U);
    ByteVector back(8);
    copyWords32(back.data(), {reinterpret_cast<const std::uint8_t*>(words.data()), 8}, ByteOrder::Big);
    EXPECT_EQ(back, ByteVector(bytes.begin() + 1, bytes.end()));
}

TEST(Words, LittleEndianIsACopy) {
    const ByteVector bytes{1, 2, 3, 4};
    std::uint32_t word = 0;
    copyWords32(&word, bytes, ByteOrder::Little);
    EXPECT_EQ(word, 0x04030201U);
}

}  // namespace
}  // namespace geomconv
