#include "lib/bytes/byte_reader.hpp"

#include <gtest/gtest.h>

#include "lib/bytes/byte_writer.hpp"

namespace geomconv {
namespace {

TEST(ByteReader, ReadsBothByteOrders) {
    const ByteVector bytes{1, 2, 3, 4};
    ByteReader little(bytes, ByteOrder::Little);
    EXPECT_EQ(little.u32("word"), 0x04030201U);
    ByteReader big(bytes, ByteOrder::Big);
    EXPECT_EQ(big.u32("word"), 0x01020304U);
}

TEST(ByteReader, AllowsAReadThatEndsExactlyAtTheEnd) {
    const ByteVector bytes{1, 2, 3, 4};
    ByteReader in(bytes);
    EXPECT_EQ(in.bytes(4, "all").size(), 4U);
    EXPECT_THROW(in.u8("one more"), FormatError);
}

TEST(ByteReader, RefusesACountThatWouldOverflow) {
    const ByteVector bytes{0xff, 0xff, 0xff, 0xff, 0, 0};
    ByteReader in(bytes);
    try {
        in.count32(12, "vertex count");
        FAIL();
    } catch (const FormatError& e) {
        EXPECT_EQ(e.defect().kind, "truncated");
        EXPECT_EQ(e.defect().offset, 0U);
    }
}

TEST(ByteReader, SpellsItsNesting) {
    const ByteVector bytes(8);
    ByteReader file(bytes, ByteOrder::Little, 0x100);
    const ByteReader part = file.within("part", "7", 2, 6);
    ByteReader hull = part.within("hull", "3", 1, 4);
    hull.skip(3, "header");
    try {
        hull.u16("face count");
        FAIL();
    } catch (const FormatError& e) {
        EXPECT_STREQ(e.what(), "offset 0x106: hull 3 of part 7: face count needs 2 bytes, 1 left");
    }
}

TEST(ByteReader, RefusesAChildThatLeavesItsParent) {
    const ByteVector bytes(8);
    const ByteReader file(bytes);
    EXPECT_THROW(file.within("part", "", 4, 5), FormatError);
    EXPECT_THROW(file.within("part", "", 9, 0), FormatError);
    EXPECT_THROW(file.within("part", "", 4, UINT64_MAX), FormatError);
    EXPECT_EQ(file.within("part", "", 8, 0).size(), 0U);
}

TEST(ByteWriter, FillsItsHoles) {
    ByteWriter out(ByteOrder::Big);
    const auto hole = out.hole32();
    out.u16(0x1234);
    out.fill(hole, out.size(), "size");
    EXPECT_EQ(out.finish(), (ByteVector{0, 0, 0, 6, 0x12, 0x34}));
}

TEST(ByteWriter, RefusesANumberThatDoesNotFit) {
    ByteWriter out;
    EXPECT_THROW(out.u16(65536, "face count"), FormatError);
    out.u16(65535, "face count");
    EXPECT_EQ(out.size(), 2U);
}

}  // namespace
}  // namespace geomconv
