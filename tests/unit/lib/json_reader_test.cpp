#include "lib/json_reader.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "lib/defect.hpp"
#include "lib/json.hpp"

namespace geomconv {
namespace {

using Kind = JsonReader::Kind;

TEST(JsonReader, PullsObjectsArraysAndValues) {
    JsonReader in(R"( {"a": [1, 2.5, null], "b": {"c": true}, "d": "x\né\ud83d\ude00", "e": -0.0} )");
    in.beginObject();
    std::string key;
    ASSERT_TRUE(in.nextKey(key));
    std::vector<float> a;
    in.numbers(a);
    ASSERT_EQ(a.size(), 3U);
    EXPECT_EQ(a[1], 2.5F);
    EXPECT_TRUE(std::isnan(a[2]));
    ASSERT_TRUE(in.nextKey(key));
    EXPECT_EQ(in.raw(), R"({"c": true})");
    ASSERT_TRUE(in.nextKey(key));
    EXPECT_EQ(in.text(), "x\n\xc3\xa9\xf0\x9f\x98\x80");
    ASSERT_TRUE(in.nextKey(key));
    EXPECT_TRUE(std::signbit(in.float32()));
    EXPECT_FALSE(in.nextKey(key));
    in.expectEnd();
}

TEST(JsonReader, RefusesWhatIsNoJson) {
    for (const char* text :
         {"",           "{",     "[",   "[1",  "[1,",     "[1,]",        "[1 2]",    "{\"a\"}", "{\"a\":}",
          "{\"a\":1,}", "{a:1}", "01",  "1.",  ".5",      "1e",          "+1",       "-",       "nul",
          "tru",        "inf",   "NaN", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\x01\"", "1 2",     "[1]]"}) {
        JsonReader in(text);
        EXPECT_THROW((in.skip(), in.expectEnd()), FormatError) << text;
    }
}

TEST(JsonReader, LimitsItsDepth) {
    const std::string deep(100000, '[');
    JsonReader in(deep);
    EXPECT_THROW(in.skip(), FormatError);
    const std::string fits = std::string(JsonReader::kDepthLimit, '[') + std::string(JsonReader::kDepthLimit, ']');
    JsonReader good(fits);
    good.skip();
    good.expectEnd();
}

TEST(JsonReader, RefusesNumbersThatDoNotFit) {
    EXPECT_THROW(JsonReader("4294967296").unsigned32(), FormatError);
    EXPECT_THROW(JsonReader("-1").unsigned32(), FormatError);
    EXPECT_THROW(JsonReader("1.5").unsigned32(), FormatError);
    EXPECT_THROW(JsonReader("1e39").float32(), FormatError);
    EXPECT_EQ(JsonReader("1e-99").float32(), 0.0F);
    EXPECT_EQ(JsonReader("4294967295").unsigned32(), 4294967295U);
}

TEST(JsonReader, TakesBase64AndNamesTheFieldThatIsNone) {
    JsonReader in(R"("AQID")");
    EXPECT_EQ(in.base64("tail"), (ByteVector{1, 2, 3}));
    JsonReader broken(R"("A*")");
    try {
        broken.base64("tail");
        FAIL() << "took it";
    } catch (const FormatError& e) {
        EXPECT_EQ(e.defect().kind, "json");
        EXPECT_EQ(e.defect().detail, "tail is no base64");
    }
}

TEST(JsonReader, TakesSignedNumbers) {
    std::vector<std::int32_t> values;
    JsonReader("[-5, 0, 2147483647, -2147483648]").numbers(values);
    EXPECT_EQ(values, (std::vector<std::int32_t>{-5, 0, INT32_MAX, INT32_MIN}));
    EXPECT_THROW(JsonReader("2147483648").signed32(), FormatError);
}

TEST(JsonReader, RefusesATruncatedCoordinate) {
    std::vector<Vec3> points;
    JsonReader in("[1,2,3,4,5]");
    EXPECT_THROW(in.numbers(points), FormatError);
}

TEST(JsonReader, ReadsBackWhatTheWriterWrote) {
    std::mt19937 random(7);
    std::vector<float> values{0.0F, -0.0F, 1e-45F, -3.4028235e38F, 16777216.0F};
    while (values.size() < 20000) {
        const float v = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (std::isfinite(v)) values.push_back(v);
    }
    MemorySink sink;
    JsonWriter(sink).numbers(std::span<const float>(values));
    const std::string text = sink.takeText();
    std::vector<float> back;
    JsonReader(text).numbers(back);
    ASSERT_EQ(back.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(back[i]), std::bit_cast<std::uint32_t>(values[i]));
    }
}

TEST(CompactJson, TakesBlanksBetweenTokensOnly) {
    EXPECT_EQ(compactJson("{ \"a b\" :\n [ 1 , \"x\\\" y\" ]\t}"), R"({"a b":[1,"x\" y"]})");
}

}  // namespace
}  // namespace geomconv
