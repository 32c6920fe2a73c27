#include <gtest/gtest.h>

#include <array>

#include "lib/json.hpp"

namespace geomconv {
namespace {

TEST(JsonWriter, KeepsTheSignOfZeroForReadersThatTakeItForAnInteger) {
    MemorySink sink;
    JsonWriter out(sink);
    out.numbers(std::span<const float>(std::array<float, 3>{-0.0F, 0.0F, -1.0F}));
    EXPECT_EQ(sink.takeText(), "[-0.0,0,-1]");
}

}  // namespace
}  // namespace geomconv
