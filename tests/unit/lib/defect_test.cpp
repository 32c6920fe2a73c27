#include "lib/defect.hpp"

#include <gtest/gtest.h>

namespace geomconv {
namespace {

TEST(Defect, SaysNumberAndName) {
    const Defect defect{Severity::Error, "counts", 0x1f40, {{"record", "12", "rou_e106_eng"}}, "needs 8 bytes, 4 left"};
    EXPECT_EQ(toText(defect), "offset 0x1f40: record 12 'rou_e106_eng': needs 8 bytes, 4 left");
}

TEST(Defect, SaysANumberAlone) {
    const Defect defect{Severity::Warning, "trailing", std::nullopt, {{"record", "4"}}, "9 bytes left"};
    EXPECT_EQ(toText(defect), "record 4: 9 bytes left");
}

}  // namespace
}  // namespace geomconv
