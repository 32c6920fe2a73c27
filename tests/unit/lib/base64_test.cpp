#include "lib/bytes/base64.hpp"

#include <gtest/gtest.h>

#include <string>

namespace geomconv {
namespace {

struct Pair {
    std::string_view plain;
    std::string_view coded;
};

class Base64 : public testing::TestWithParam<Pair> {};

// The vectors of RFC 4648 section 10, and the two characters that other alphabets spell otherwise.
INSTANTIATE_TEST_SUITE_P(Rfc4648, Base64,
                         testing::Values(Pair{"", ""}, Pair{"f", "Zg=="}, Pair{"fo", "Zm8="}, Pair{"foo", "Zm9v"},
                                         Pair{"foob", "Zm9vYg=="}, Pair{"fooba", "Zm9vYmE="},
                                         Pair{"foobar", "Zm9vYmFy"}, Pair{"\xfb\xff\xbf", "+/+/"}));

TEST_P(Base64, GoesBothWays) {
    EXPECT_EQ(base64FromBytes(asBytes(GetParam().plain)), GetParam().coded);
    const auto back = bytesFromBase64(GetParam().coded);
    ASSERT_TRUE(back);
    EXPECT_EQ(asText(*back), GetParam().plain);
}

TEST(Base64Text, PassesOverLineBreaksAndMissingPadding) {
    EXPECT_EQ(asText(bytesFromBase64("Zm9v\r\nYg").value()), "foob");
    EXPECT_EQ(asText(bytesFromBase64("Zm9v YmE").value()), "fooba");
}

TEST(Base64Text, RefusesJunk) {
    for (const std::string_view text :
         {"Z", "Zg=", "Zg===", "=Zg=", "Zg==Zg==", "Zm9v-", "Zm9_", "Z===", "Zm9v=", "Zm9vY==="}) {
        EXPECT_FALSE(bytesFromBase64(text)) << text;
    }
}

TEST(Base64Text, EveryByteComesBack) {
    ByteVector all;
    for (unsigned round = 0; round < 5; ++round) {
        all.push_back(static_cast<std::uint8_t>(round));
        for (unsigned i = 0; i < 256; ++i) all.push_back(static_cast<std::uint8_t>(i));
        EXPECT_EQ(bytesFromBase64(base64FromBytes(all)).value(), all);
    }
}

}  // namespace
}  // namespace geomconv
