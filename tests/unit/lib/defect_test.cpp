#include "lib/defect.hpp"

#include <gtest/gtest.h>

namespace geomconv {
namespace {

TEST(Defect, NamesOffsetThenNestingThenReason) {
    const Defect defect{Severity::Error, "truncated", 0x1c4, {{"hull", "3"}, {"part", "0xA1B2C3D4"}}, "face count 7"};
    EXPECT_EQ(toText(defect), "offset 0x1c4: hull 3 of part 0xA1B2C3D4: face count 7");
}

TEST(Defect, LeavesOutWhatItDoesNotKnow) {
    EXPECT_EQ(toText({Severity::Error, "empty-file", std::nullopt, {}, "the file is empty"}), "the file is empty");
    EXPECT_EQ(toText({Severity::Error, "x", std::nullopt, {{"header", ""}}, "bad"}), "header: bad");
}

TEST(Defect, SaysNumberAndName) {
    const Defect defect{Severity::Error, "counts", 0x1f40, {{"record", "12", "rou_e106_eng"}}, "needs 8 bytes, 4 left"};
    EXPECT_EQ(toText(defect), "offset 0x1f40: record 12 'rou_e106_eng': needs 8 bytes, 4 left");
}

TEST(Defects, CountsMoreThanItKeeps) {
    Defects defects;
    for (int i = 0; i < 150; ++i) defects.warn("noisy", std::nullopt, {}, "again");
    defects.error("other", 4, {}, "once");
    EXPECT_EQ(defects.list().size(), Defects::kMaxPerKind + 1);
    EXPECT_EQ(defects.count(Severity::Warning), 150U);
    EXPECT_EQ(defects.count(Severity::Error), 1U);
    EXPECT_EQ(defects.count("noisy"), 150U);
    ASSERT_EQ(defects.leftOut().size(), 1U);
    EXPECT_EQ(defects.leftOut()[0].second, 50U);
}

TEST(Defects, RefusesWhatIsNotToBeRecovered) {
    const Defect loss{Severity::Error, "nonfinite", 4, {}, "x is no number"};
    Defects defects;
    EXPECT_THROW(defects.refuse(loss, false), FormatError);
    EXPECT_TRUE(defects.empty());
    defects.refuse(loss, true);
    ASSERT_EQ(defects.list().size(), 1U);
    EXPECT_EQ(defects.list()[0], asWarning(loss));
    EXPECT_EQ(defects.count(Severity::Warning), 1U);
}

TEST(FormatError, NeedsNoOffset) {
    const FormatError error("no-member", "there is no member x", {{"pack", "1"}});
    EXPECT_EQ(error.defect(),
              (Defect{Severity::Error, "no-member", std::nullopt, {{"pack", "1"}}, "there is no member x"}));
}

TEST(Hex, WritesIdsWithEightDigits) {
    EXPECT_EQ(hexId(0x1a), "0x0000001A");
    EXPECT_EQ(hexId(0xffffffff), "0xFFFFFFFF");
    EXPECT_EQ(hex(0), "0x0");
    EXPECT_EQ(hex(UINT64_MAX), "0xffffffffffffffff");
}

}  // namespace
}  // namespace geomconv
