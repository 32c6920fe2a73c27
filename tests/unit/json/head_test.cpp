#include "exporters/json/head.hpp"

#include <gtest/gtest.h>

namespace geomconv::json {
namespace {

JsonHead headOf(std::string_view text) {
    return readHead(asBytes(text));
}

TEST(JsonHead, TellsScenesFromDumps) {
    const JsonHead scene =
        headOf(R"({"geomconv": {"version": "0.1.0", "schema": 1}, "source": {"format": "sur", "file": "x"}, "nodes)");
    EXPECT_EQ(scene.schema, 1U);
    EXPECT_EQ(scene.sourceFormat, "sur");
    EXPECT_FALSE(scene.isDump());
    const JsonHead dump = headOf(R"({"geomconv": {"schema": 1}, "document": "sur", "parts": [)");
    EXPECT_TRUE(dump.isDump());
    EXPECT_EQ(dump.document, "sur");
}

TEST(JsonHead, FindsMembersInAnyOrder) {
    const JsonHead head = headOf(
        R"({"animations": [1, {"source": {"format": "no"}}], "source": {"x": [], "format": "cmp"}, "geomconv": {"schema": 2}})");
    EXPECT_EQ(head.schema, 2U);
    EXPECT_EQ(head.sourceFormat, "cmp");
}

TEST(JsonHead, OtherJsonHasNone) {
    for (const std::string_view text :
         {"", "{}", "[]", "12", "{\"asset\": {\"version\": \"2.0\"}}", "{\"geomconv\": 7}", "{\"geomconv\"",
          "{\"geomconv\": {\"schema\": \"1\"}}", "{\"document\": [1]}", "\xff\xfe"}) {
        const JsonHead head = headOf(text);
        EXPECT_FALSE(head.schema.has_value()) << text;
        EXPECT_FALSE(head.isDump()) << text;
    }
}

}  // namespace
}  // namespace geomconv::json
