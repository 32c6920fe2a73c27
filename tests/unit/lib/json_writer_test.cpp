#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "lib/json.hpp"
#include "lib/scene/extras.hpp"

namespace geomconv {
namespace {

TEST(JsonWriter, WritesWhatAParserReadsBack) {
    MemorySink sink;
    JsonWriter out(sink);
    out.beginObject();
    out.head();
    out.field("name", "a \"quote\", a \\ and\na line\x01");
    out.key("empty");
    out.beginArray();
    out.endArray();
    out.field("values", std::span<const float>(std::array{0.1F, -0.0F, 3.4e38F}));
    out.field("big", std::uint64_t{18446744073709551615ULL});
    out.key("raw");
    out.raw(R"({"x":[1,2]})");
    out.field("no", false);
    out.endObject();
    const std::string text = sink.takeText();
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["geomconv"]["schema"], 1);
    EXPECT_EQ(json["name"], "a \"quote\", a \\ and\na line\x01");
    EXPECT_EQ(json["values"][0].get<float>(), 0.1F);
    EXPECT_EQ(json["values"][2].get<float>(), 3.4e38F);
    EXPECT_EQ(json["big"].get<std::uint64_t>(), 18446744073709551615ULL);
    EXPECT_EQ(json["raw"]["x"][1], 2);
    EXPECT_EQ(text.back(), '\n');
}

TEST(JsonWriter, WritesAnObjectPerItem) {
    MemorySink sink;
    JsonWriter out(sink, {}, JsonLayout::Compact);
    out.beginObject();
    out.objects("rows", std::array{1, 2}, [&](int n) { out.field("n", std::int32_t{n}); });
    out.objects("none", std::array<int, 0>{}, [&](int) { FAIL(); });
    out.endObject();
    EXPECT_EQ(sink.takeText(), R"({"rows":[{"n":1},{"n":2}],"none":[]})");
}

TEST(JsonWriter, WritesBytesInHexadecimalOfAnyLength) {
    ByteVector bytes(9000);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
    MemorySink sink;
    JsonWriter out(sink, {}, JsonLayout::Compact);
    out.beginObject();
    out.hex("none", {});
    out.hex("three", std::array<std::uint8_t, 3>{0x00, 0xaf, 0x10});
    out.hex("many", bytes);
    out.endObject();
    const auto json = nlohmann::json::parse(sink.takeText());
    EXPECT_EQ(json["none"], "");
    EXPECT_EQ(json["three"], "00af10");
    const std::string many = json["many"];
    ASSERT_EQ(many.size(), 2 * bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(std::stoi(many.substr(2 * i, 2), nullptr, 16), bytes[i]);
}

TEST(JsonWriter, HasNoFormForNanAndBrokenUtf8) {
    MemorySink sink;
    JsonWriter out(sink);
    out.beginArray();
    out.number(std::numeric_limits<float>::quiet_NaN());
    out.number(std::numeric_limits<double>::infinity());
    out.text("a\xff");
    out.endArray();
    const auto json = nlohmann::json::parse(sink.takeText());
    EXPECT_TRUE(json[0].is_null());
    EXPECT_TRUE(json[1].is_null());
    EXPECT_EQ(json[2], "a\xef\xbf\xbd");
}

TEST(JsonWriter, KeepsTheSignOfZeroForReadersThatTakeItForAnInteger) {
    MemorySink sink;
    JsonWriter out(sink);
    out.numbers(std::span<const float>(std::array<float, 3>{-0.0F, 0.0F, -1.0F}));
    EXPECT_EQ(sink.takeText(), "[-0.0,0,-1]");
}

TEST(Extras, KeepsTheOrderOfKeys) {
    const auto value = nlohmann::ordered_json::parse(R"({"z":1,"a":[2,3]})");
    const Extras extras(value);
    EXPECT_EQ(extras.text(), R"({"z":1,"a":[2,3]})");
    EXPECT_EQ(extras.value(), value);
    EXPECT_TRUE(Extras(nullptr).empty());
}

TEST(JsonWriter, CompactLayoutHasNoBlanksAndNoLineEnds) {
    MemorySink out;
    JsonWriter json(out, {}, JsonLayout::Compact);
    json.beginObject();
    json.field("a", 1.5F);
    json.key("b");
    json.beginArray();
    json.boolean(true);
    json.text("x y");
    json.endArray();
    json.endObject();
    EXPECT_EQ(out.takeText(), R"({"a":1.5,"b":[true,"x y"]})");
}

}  // namespace
}  // namespace geomconv
