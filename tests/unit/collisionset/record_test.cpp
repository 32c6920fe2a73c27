#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/unit/collisionset/made.hpp"

namespace geomconv::collisionset {
namespace {

using namespace made;

// One triangle named "a", written out by hand.
const ByteVector kBig{
    0x00, 0x00, 0x00, 0x48,  // size 72 = 16 + 8 + 12 * (3 + 1)
    0x00, 0x00, 0x00, 0x10,  // nameLen 16
    'a',  0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0,  // name
    0x00, 0x00, 0x00, 0x03,                                                              // nv
    0x00, 0x00, 0x00, 0x01,                                                              // nt
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,              // 0 0 0
    0x3f, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,              // 1 0 0
    0x00, 0x00, 0x00, 0x00, 0x3f, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,              // 0 1 0
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02,              // 0 1 2
};

TEST(CollisionSetRecord, ReadsWhatIsWrittenOutByHand) {
    Defects defects;
    const Library library = read(kBig, {}, defects);
    EXPECT_TRUE(defects.empty());
    ASSERT_EQ(library.records.size(), 1U);
    EXPECT_EQ(library.byteOrder, ByteOrder::Big);
    EXPECT_TRUE(sameRecord(library.records[0], triangle("a")));
    EXPECT_EQ(library.records[0].size(), 72U);
}

TEST(CollisionSetRecord, WritesWhatIsWrittenOutByHand) {
    EXPECT_EQ(write(made::library({triangle("a")})), kBig);
    const ByteVector little = write(made::library({triangle("a")}, ByteOrder::Little));
    EXPECT_EQ((ByteVector{little.begin(), little.begin() + 9}), (ByteVector{0x48, 0, 0, 0, 0x10, 0, 0, 0, 'a'}));
    Defects defects;
    EXPECT_EQ(read(little, {}, defects).byteOrder, ByteOrder::Little);
}

TEST(CollisionSetRecord, TellsByteOrderByTheSizeIdentityOnly) {
    // Everything else says big-endian; the size word decides.
    ByteVector broken = kBig;
    broken[3] = 0x49;
    EXPECT_FALSE(headerAt(broken, 0, ByteOrder::Big));
    EXPECT_FALSE(headerAt(broken, 0, ByteOrder::Little));
    EXPECT_TRUE(headerAt(kBig, 0, ByteOrder::Big));
    EXPECT_FALSE(headerAt(kBig, 0, ByteOrder::Little));
}

// Both orders pass only for a nameless record whose size word reads the same both ways; 12 * (nv + nt) + 8 does that
// for no file below 64 MiB, so here stands only that a missing name does not confuse.
TEST(CollisionSetRecord, ANamelessFirstRecordHasAnOrderToo) {
    EXPECT_EQ(detectByteOrder(raw({8, "", 0, 0, 0}) + kBig, ByteOrderChoice::Auto), ByteOrder::Big);
    EXPECT_EQ(detectByteOrder(raw({8, "", 0, 0, 0}, ByteOrder::Little), ByteOrderChoice::Auto), ByteOrder::Little);
}

TEST(CollisionSetRecord, AForcedByteOrderIsKept) {
    Defects defects;
    ReadOptions options;
    options.byteOrder = ByteOrderChoice::Little;
    const Reading reading = survey(kBig, options, defects);
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->kind, "name-length");
    options.byteOrder = ByteOrderChoice::Big;
    EXPECT_FALSE(survey(kBig, options, defects).error);
}

TEST(CollisionSetRecord, CountsAreAddedIn64Bits) {
    // 12 * nv wraps to 8 in 32 bits, so that the identity would hold there.
    for (const std::uint32_t nv : {0x20000000U, 0x55555556U, 0x40000003U}) {
        const auto wrapped = static_cast<std::uint32_t>(16 + 8 + 12 * (std::uint64_t{nv} + 1));
        const ByteVector file = kBig + raw({wrapped, std::string(16, 'x'), nv, 1, 200});
        Defects defects;
        const Reading reading = survey(file, {}, defects);
        ASSERT_TRUE(reading.error) << nv;
        EXPECT_EQ(reading.error->kind, "counts") << nv;
        EXPECT_EQ(reading.error->offset, kBig.size() + 8 + 16);
    }
    // nv + nt wraps too.
    const ByteVector file = kBig + raw({24, std::string(16, 'x'), 0x80000000U, 0x80000000U, 0});
    Defects defects;
    EXPECT_EQ(survey(file, {}, defects).error->kind, "counts");
}

TEST(CollisionSetRecord, KeepsNaNPayloadsThroughBothOrders) {
    Record record = triangle("a");
    record.vertex[1].y = std::bit_cast<float>(0x7fa12345U);
    Defects defects;
    const ByteVector big = write(made::library({record}));
    Library library = read(big, {}, defects);
    EXPECT_EQ(kinds(defects), (std::vector<std::string>{"nonfinite"}));
    library.byteOrder = ByteOrder::Little;
    Library back = read(write(library), {}, defects);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(back.records[0].vertex[1].y), 0x7fa12345U);
    back.byteOrder = ByteOrder::Big;
    EXPECT_EQ(write(back), big);
}

// ---------------------------------------------------------------------------------------------------- recovery

TEST(CollisionSetRecovery, GoesOnByTheCountsWhenTheyLead) {
    ByteVector bytes = kBig + kBig;
    bytes[kBig.size() + 3] = 0x50;
    bytes = bytes + kBig;
    Defects defects;
    const Reading reading = survey(bytes, made::reading(true), defects);
    EXPECT_EQ(reading.library.records.size(), 3U);
    EXPECT_EQ(reading.droppedRecords, 0U);
    EXPECT_EQ(defects.list()[0].kind, "size-word");
}

TEST(CollisionSetRecovery, KeepsWhatIsBeforeARecordThatLeadsNowhere) {
    ByteVector bytes = kBig + raw({9999, std::string(16, 'x'), 3, 1, 48});
    Defects defects;
    const Reading reading = survey(bytes, made::reading(true), defects);
    EXPECT_EQ(reading.library.records.size(), 2U) << "the counts lead to the end";
    bytes = bytes + ByteVector(40, 0xee);
    const Reading second = survey(bytes, made::reading(true), defects);
    EXPECT_EQ(second.library.records.size(), 1U);
    EXPECT_EQ(second.unreadBytes, bytes.size() - kBig.size());
    EXPECT_FALSE(second.error);
}

TEST(CollisionSetRecovery, NothingLeftIsAnError) {
    // The only record is dropped, its size word leads to the end.
    const ByteVector bytes = raw({16 + 8 + 24, std::string(16, 'x'), 0x01000000, 0, 24});
    Defects defects;
    const Reading reading = survey(bytes, made::reading(true), defects);
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->kind, "counts");
    EXPECT_THROW(read(bytes, made::reading(true), defects), FormatError);
}

TEST(CollisionSetRecovery, BadTrianglesGoAndVerticesStay) {
    Record record = box("a");
    record.index[4] = 8;
    record.index[20] = 0xffffffffU;
    const ByteVector bytes = write(made::library({record}));
    Defects strict;
    EXPECT_THROW(read(bytes, {}, strict), FormatError);
    Defects defects;
    const Library library = read(bytes, made::reading(true), defects);
    EXPECT_EQ(library.records[0].nv(), 8U);
    EXPECT_EQ(library.records[0].nt(), 10U);
}

// ---------------------------------------------------------------------------------------------------- hostile files

TEST(CollisionSetHostile, EveryTruncationIsRefusedOrWarned) {
    const ByteVector whole = write(made::library({box("rou_e101_bdy"), triangle("b"), box("rou_e106_eng")}));
    for (std::size_t n = 0; n < whole.size(); ++n) {
        const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
        Defects defects;
        const Reading reading = survey(cut, {}, defects);
        // A cut is seen unless it falls between records, or in the zeros that a size word begins with.
        std::size_t end = 0;
        while (const auto header = headerAt(cut, end, ByteOrder::Big)) end += 8 + std::size_t{header->size};
        const bool sound = end > 0 && std::all_of(cut.begin() + static_cast<std::ptrdiff_t>(end), cut.end(),
                                                  [](std::uint8_t byte) { return byte == 0; });
        EXPECT_EQ(reading.error.has_value(), !sound) << n;
        Defects again;
        const Reading kept = survey(cut, made::reading(true), again);
        EXPECT_LE(kept.library.records.size(), 2U);
        if (!kept.error) {
            EXPECT_GE(kept.library.records.size(), 1U) << n;
        }
    }
}

TEST(CollisionSetHostile, MutatedBytesNeverBreakAnything) {
    const ByteVector whole = write(made::library({box("rou_e101_bdy"), triangle("b"), box("rou_e106_eng")}));
    std::uint32_t random = 12345;
    const auto next = [&random] { return random = random * 1664525U + 1013904223U, random >> 8; };
    for (int round = 0; round < 20000; ++round) {
        ByteVector bytes = whole;
        for (std::uint32_t i = 0; i <= next() % 3; ++i)
            bytes[next() % bytes.size()] = static_cast<std::uint8_t>(next());
        Defects defects;
        const Reading reading = survey(bytes, made::reading(round % 2 == 0), defects);
        EXPECT_EQ(reading.error.has_value(), defects.count(Severity::Error) > 0);
        if (!reading.error && round % 2 == 1) {
            EXPECT_EQ(write(reading.library), bytes);
        }
        static_cast<void>(summary(reading));
        static_cast<void>(probe(bytes, "x.bin"));
    }
}

// ---------------------------------------------------------------------------------------------------- names

TEST(CollisionSetName, FieldsAreRoundedUpToEightAndAtLeastSixteen) {
    for (const auto& [length, field] : {std::pair{0, 16}, {15, 16}, {16, 24}, {23, 24}, {24, 32}, {31, 32}, {32, 40}}) {
        EXPECT_EQ(makeNameField(std::string(static_cast<std::size_t>(length), 'x')).size(),
                  static_cast<std::size_t>(field));
    }
}

TEST(CollisionSetName, FamiliesAndParts) {
    struct Case {
        std::string_view name, family, part;
    };
    for (const Case& c : {Case{"rou_e101_bdy", "rou", "bdy"},
                          {"rou_e101_bdy_cmesh", "rou", "bdy"},
                          {"rou_e101_brg_01", "rou", "brg"},
                          {"rou_f104_sld_02", "rou", "sld"},
                          {"rou_e901_wing_01_L", "rou", "none"},
                          {"mob_n040", "mob", "none"},
                          {"mob_n900_gear", "mob", "none"},
                          {"mob_bdy", "mob", "none"},
                          {"rob_f002", "rob", "none"},
                          {"S01_Asteroid_cmesh_01a", "asteroid", "none"},
                          {"S14_p1_Asteroid_cmesh_05", "asteroid", "none"},
                          {"S14_p_Asteroid_cmesh", "other", "none"},
                          {"S1_Asteroid_cmesh", "other", "none"},
                          {"Rou_e101_bdy", "other", "bdy"},
                          {"", "other", "none"}}) {
        EXPECT_EQ(family(c.name), c.family) << c.name;
        EXPECT_EQ(part(c.name), c.part) << c.name;
    }
}

}  // namespace
}  // namespace geomconv::collisionset
