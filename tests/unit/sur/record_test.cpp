#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "formats/sur/records.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/sur_samples.hpp"

namespace geomconv::sur {
namespace {

using test::kSmallSurBlock;
using test::smallSur;
using testing::HasSubstr;

constexpr std::uint32_t kRoot = 0x12688F2D;
constexpr std::uint32_t kMount = 0xF00FB9DE;

void put32(ByteVector& bytes, std::size_t at, std::uint32_t value) {
    std::memcpy(bytes.data() + at, &value, 4);
}
void putFloat(ByteVector& bytes, std::size_t at, float value) {
    put32(bytes, at, std::bit_cast<std::uint32_t>(value));
}

Library readAll(const ByteVector& bytes) {
    Defects defects;
    return read(bytes, defects);
}
/// The error that reading gives; a defect without kind when there is none.
Defect errorOf(const ByteVector& bytes) {
    try {
        readAll(bytes);
    } catch (const FormatError& error) {
        return error.defect();
    }
    return {};
}
/// The kinds of warnings, and that the file comes out byte for byte all the same.
std::vector<std::string> warningsOf(const ByteVector& bytes) {
    Defects defects;
    const Library library = read(bytes, defects);
    EXPECT_EQ(write(library), bytes);
    std::vector<std::string> kinds;
    for (const Defect& d : defects.list()) kinds.push_back(d.kind);
    return kinds;
}

// --------------------------------------------------------------------------------------------------------------- faces

TEST(SurFace, UnpacksEveryField) {
    const std::uint8_t bytes[16] = {0xbc, 0xda, 0xef, 0xd5, 0x01, 0x02, 0xff, 0x7f,
                                    0xff, 0xff, 0x00, 0xc0, 0x03, 0x00, 0xff, 0x3f};
    const Face face = unpackFace(bytes);
    EXPECT_EQ(face.index, 0xabc);
    EXPECT_EQ(face.pierce, 0xefd);
    EXPECT_EQ(face.material, 0x55);
    EXPECT_TRUE(face.isVirtual);
    EXPECT_EQ(face.points, (std::array<std::uint16_t, 3>{0x0201, 0xffff, 3}));
    EXPECT_EQ(face.opposites, (std::array<std::int16_t, 3>{-1, -16384, 16383}));
    EXPECT_EQ(face.virtualEdges, (std::array{false, true, false}));
    EXPECT_TRUE(std::equal(std::begin(bytes), std::end(bytes), packFace(face).begin()));
}

TEST(SurFace, EveryBitComesThroughAlone) {
    for (std::size_t bit = 0; bit < 128; ++bit) {
        FaceBytes bytes{};
        bytes[bit / 8] = static_cast<std::uint8_t>(1U << (bit % 8));
        EXPECT_EQ(packFace(unpackFace(bytes.data())), bytes) << bit;
    }
}

TEST(SurFace, RefusesWhatItsBitsCannotHold) {
    const auto refuses = [](auto change) {
        Face face;
        change(face);
        EXPECT_THROW(packFace(face), FormatError);
    };
    refuses([](Face& f) { f.index = 4096; });
    refuses([](Face& f) { f.pierce = 4096; });
    refuses([](Face& f) { f.material = 128; });
    refuses([](Face& f) { f.opposites[1] = 16384; });
    refuses([](Face& f) { f.opposites[1] = -16385; });
}

TEST(SurFace, SlotsSkipTheHeadOfEachFace) {
    EXPECT_EQ(slotDelta({0, 0}, {1, 2}), 6);
    EXPECT_EQ(slotDelta({1, 2}, {0, 0}), -6);
    EXPECT_EQ(oppositeOf({0, 0}, 6, 2), (HalfEdge{1, 2}));
    EXPECT_EQ(oppositeOf({0, 0}, 3, 2), std::nullopt);   // the head of face 1
    EXPECT_EQ(oppositeOf({0, 0}, 8, 2), std::nullopt);   // behind the last face
    EXPECT_EQ(oppositeOf({0, 0}, -2, 2), std::nullopt);  // before the first
}

// ------------------------------------------------------------------------------------------------------- whole library

TEST(SurLibrary, ReadsEveryRecord) {
    const Library library = readAll(smallSur());
    ASSERT_EQ(library.parts.size(), 1U);
    const Part& part = library.parts[0];
    EXPECT_EQ(part.id, kRoot);
    EXPECT_FALSE(part.fixed);
    EXPECT_EQ(part.extent, (Extent{Vec3(-2.0F, -1.0F, 0.0F), Vec3(-1.0F, 1.0F, 0.0F)}));
    EXPECT_EQ(part.hardpoints, std::vector<std::uint32_t>{kMount});
    EXPECT_TRUE(part.chunks.empty());
    ASSERT_TRUE(part.surface);
    const Surface& surface = *part.surface;
    EXPECT_EQ(surface.massCenter, Vec3(0.25F, 0.5F, 0.75F));
    EXPECT_EQ(surface.rotationInertia, Vec3(1.5F, 2.5F, 3.5F));
    EXPECT_EQ(surface.radius, 4.0F);
    EXPECT_EQ(surface.surfaceDeviation, 250);
    EXPECT_EQ(surface.byteSize, std::nullopt);
    EXPECT_TRUE(surface.tail.empty());
    EXPECT_TRUE(surface.block.empty());
    ASSERT_EQ(surface.hulls.size(), 3U);
    EXPECT_EQ(surface.hulls[0].id, kRoot);
    EXPECT_EQ(surface.hulls[1].id, kMount);
    EXPECT_FALSE(surface.hulls[2].terminal());
    EXPECT_EQ(surface.hulls[2].nodeOffset, std::nullopt);
    EXPECT_EQ(surface.hulls[1].size, 6U);
    EXPECT_EQ(surface.hulls[1].faces[1], (Face{1, 0, {3, 5, 4}, {-2, -4, -6}, 0, false, {false, false, false}}));
    ASSERT_EQ(surface.points.size(), 6U);
    EXPECT_EQ(surface.points[4], (Point{Vec3(2.0F, -1.0F, 0.0F), kMount}));
    ASSERT_EQ(surface.nodes.size(), 3U);
    EXPECT_EQ(surface.nodes[0].right, 2U);
    EXPECT_EQ(surface.nodes[0].hull, 2U);
    EXPECT_TRUE(surface.nodes[1].leaf());
    EXPECT_EQ(surface.nodes[2].hull, 1U);
    EXPECT_EQ(surface.nodes[2].boxSizes, (std::array<std::uint8_t, 3>{201, 201, 201}));
    EXPECT_EQ(write(library), smallSur());
}

TEST(SurLibrary, AnotherOrderOfChunksIsKept) {
    ByteVector bytes = smallSur();
    // exts before !fxd
    std::rotate(bytes.begin() + 16, bytes.begin() + 20, bytes.begin() + 48);
    EXPECT_EQ(warningsOf(bytes), std::vector<std::string>{});
    EXPECT_EQ(readAll(bytes).parts[0].chunks.size(), 4U);
}

TEST(SurLibrary, ACountThatLeavesOutHpidIsKeptAndReported) {
    ByteVector bytes = smallSur();
    put32(bytes, 12, 3);
    EXPECT_EQ(warningsOf(bytes), std::vector<std::string>{"chunk-count"});
    EXPECT_EQ(readAll(bytes).parts[0].hardpoints, std::vector<std::uint32_t>{kMount});
}

TEST(SurLibrary, APartWhoseIdIsATagIsAPart) {
    // "surf" as the id of the second part: told from an uncounted chunk by what follows it.
    ByteVector bytes = smallSur();
    ByteVector second(bytes.begin() + 8, bytes.end());
    bytes.insert(bytes.end(), second.begin(), second.end());
    put32(bytes, second.size() + 8, 0x66727573);
    EXPECT_EQ(warningsOf(bytes), std::vector<std::string>{});
    EXPECT_EQ(readAll(bytes).parts.size(), 2U);
}

TEST(SurLibrary, APartWithoutSurfaceIsRead) {
    ByteVector bytes = smallSur();
    bytes.resize(48);  // !fxd and exts
    put32(bytes, 12, 2);
    EXPECT_EQ(warningsOf(bytes), std::vector<std::string>{});
    EXPECT_FALSE(readAll(bytes).parts[0].surface);
}

TEST(SurSurface, BytesBehindTheInnerSizeAreKept) {
    ByteVector bytes = smallSur();
    const char extra[] = "SHPE\0\0\0\0";
    bytes.insert(bytes.begin() + kSmallSurBlock + 372, extra, extra + 8);
    put32(bytes, 52, 380);
    EXPECT_EQ(warningsOf(bytes), std::vector<std::string>{"surf-size"});
    EXPECT_EQ(readAll(bytes).parts[0].surface->tail.size(), 8U);
}

TEST(SurSurface, ALedgeSizeOfZeroIsIgnored) {
    ByteVector bytes = smallSur();
    put32(bytes, kSmallSurBlock + 48 + 8, 4);
    EXPECT_EQ(warningsOf(bytes), std::vector<std::string>{});
    Defects defects;
    check(readAll(bytes), defects);
    EXPECT_EQ(defects.count("size-word"), 1U);
}

TEST(SurSurface, AWrapHullKeepsAnOddOffset) {
    ByteVector bytes = smallSur();
    put32(bytes, kSmallSurBlock + 144 + 4, 99);
    EXPECT_EQ(warningsOf(bytes), std::vector<std::string>{});
    EXPECT_EQ(readAll(bytes).parts[0].surface->hulls[2].nodeOffset, 99U);
}

// ------------------------------------------------------------------------------------------------------- damaged trees

/// A broken tree is a warning; all hulls come out without it and the block stays as it is.
void expectDamagedTree(const ByteVector& bytes) {
    EXPECT_EQ(warningsOf(bytes), std::vector<std::string>{"tree"});
    Defects defects;
    const Library library = read(bytes, defects);
    EXPECT_EQ(library.parts[0].surface->hulls.size(), 3U);
    EXPECT_EQ(library.parts[0].surface->points.size(), 6U);
    EXPECT_TRUE(library.parts[0].surface->nodes.empty());
    const Scene scene = toScene(library, {}, defects);
    EXPECT_EQ(scene.hulls.size(), 2U);
    EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>{});
}

TEST(SurNode, ACycleIsAWarning) {
    for (const std::int32_t right : {-28, 28, 56, 84, 0x7fffffff, -0x7fffffff, 1, 12}) {
        ByteVector bytes = smallSur();
        put32(bytes, kSmallSurBlock + 288 + 28, static_cast<std::uint32_t>(right));
        expectDamagedTree(bytes);
    }
}

TEST(SurNode, ANodeMetTwiceIsAWarning) {
    ByteVector bytes = smallSur();
    put32(bytes, kSmallSurBlock + 288, 28);
    expectDamagedTree(bytes);
}

TEST(SurNode, AHullOffsetThatMeetsNoHullIsAWarning) {
    for (const std::int32_t off : {-8, 4, 0x7fffffff, -0x7fffffff}) {
        ByteVector bytes = smallSur();
        put32(bytes, kSmallSurBlock + 288 + 28 + 4, static_cast<std::uint32_t>(48 - 316 + off % 0x40000000));
        expectDamagedTree(bytes);
    }
}

TEST(SurNode, ALeafWithoutHullIsAWarning) {
    ByteVector bytes = smallSur();
    put32(bytes, kSmallSurBlock + 288 + 28 + 4, 0);
    expectDamagedTree(bytes);
}

TEST(SurNode, ACenterThatIsNoNumberIsAWarning) {
    ByteVector bytes = smallSur();
    put32(bytes, kSmallSurBlock + 288 + 28 + 8, 0x7fc00001);
    expectDamagedTree(bytes);
}

// --------------------------------------------------------------------------------------------------------------
// refusals

TEST(SurRefusal, AnEmptyFileHasItsOwnMessage) {
    EXPECT_EQ(errorOf({}).kind, "empty");
    EXPECT_EQ(errorOf({}).detail, "the file is empty");
}

TEST(SurRefusal, AFileFromBeforeVersionTwoHasItsOwnMessage) {
    ByteWriter out;
    for (int i = 0; i < 6; ++i) out.f32(static_cast<float>(i));
    out.u32(8);
    out.text(std::string_view("li_ship\0", 8));
    out.text("ledg");
    out.u32(0);
    const ByteVector old = out.finish();
    EXPECT_EQ(errorOf(old).kind, "old-version");
    EXPECT_EQ(errorOf(old).detail, "written before .sur version 2; not supported");
    EXPECT_EQ(probe(old, "a.sur"), Confidence::Certain);
}

TEST(SurRefusal, NamesTheVersion) {
    ByteVector bytes = smallSur();
    putFloat(bytes, 4, 1.9F);
    EXPECT_EQ(errorOf(bytes).kind, "version");
    bytes[0] = 'V';
    EXPECT_EQ(errorOf(bytes).kind, "signature");
}

struct Wrong {
    const char* what;
    std::size_t at;
    std::uint32_t word;
    const char* kind;
    const char* text;
};

TEST(SurRefusal, SaysWhereAndWhat) {
    constexpr std::size_t b = kSmallSurBlock;
    const Wrong cases[] = {
        {"chunk count", 12, 0x80000000, "truncated", "offset 0xc: part 0x12688F2D: chunk count 2147483648 "},
        {"unknown chunk", 16, 0x34333231, "unknown-chunk",
         "offset 0x10: part 0x12688F2D: unknown chunk tag 0x34333231"},
        {"exts", 24 + 8, 0x7fc00000, "nonfinite", "offset 0x20: part 0x12688F2D: exts minimum"},
        {"surf size", 52, 0x80000000, "truncated", "offset 0x34: part 0x12688F2D: surf size 2147483648 needs"},
        {"mass center", b, 0xff800000, "nonfinite", "offset 0x38: part 0x12688F2D: mass center"},
        {"radius", b + 24, 0x7f800000, "nonfinite", "offset 0x50: part 0x12688F2D: radius"},
        {"byte size", b + 28, 373U << 8, "surf-size",
         "offset 0x54: part 0x12688F2D: byte size 373 inside a chunk of 372"},
        {"root", b + 32, 372, "offset-range", "offset 0x58: part 0x12688F2D: root node offset 372"},
        {"root", b + 32, 0x80000000, "offset-range", "root node offset -2147483648"},
        {"root", b + 32, 48, "offset-range", "root node offset 48"},
        {"first point offset", b + 48, 0x7fffffff, "offset-range", "point offset of hull 0 leads to 2147483695"},
        {"first point offset", b + 48, 0, "offset-range", "point offset of hull 0 leads to 48"},
        {"point offset", b + 96, 0x80000000, "offset-range", "offset 0x98: hull 1 of part 0x12688F2D: point offset"},
        {"point offset", b + 96, 97, "offset-range", "hull 1 of part 0x12688F2D: point offset leads to 193"},
        {"face count", b + 96 + 12, 0xffff, "truncated",
         "offset 0xa4: hull 1 of part 0x12688F2D: face count 65535 needs 1048560 bytes, 80 left"},
        {"face count", b + 96 + 12, 0, "face-count", "hull 1 of part 0x12688F2D: face count 0"},
        {"face count", b + 96 + 12, 3, "index-range", "hull 1 of part 0x12688F2D: face 2 names"},
        {"point index", b + 96 + 16 + 4, 6, "index-range",
         "offset 0xa8: hull 1 of part 0x12688F2D: face 0 names point 6 of 6"},
        {"point", b + 192 + 16, 0x7fc00000, "nonfinite", "offset 0x108: points of part 0x12688F2D: point is no number"},
        {"hpid count", 432, 0x80000000, "truncated", "offset 0x1b0: part 0x12688F2D: hpid count 2147483648 needs"},
    };
    for (const Wrong& wrong : cases) {
        SCOPED_TRACE(wrong.what);
        ByteVector bytes = smallSur();
        put32(bytes, wrong.at, wrong.word);
        const Defect error = errorOf(bytes);
        EXPECT_EQ(error.kind, wrong.kind);
        EXPECT_THAT(toText(error), HasSubstr(wrong.text));
    }
}

TEST(SurRefusal, AFileCutAnywhereIsOneError) {
    const ByteVector bytes = smallSur();
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        // Cut between the counted chunks and hpid nothing is missing but hpid itself, so the count tells.
        const ByteVector cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
        if (n == 8) {
            EXPECT_EQ(errorOf(cut).kind, "");  // a library without parts
            continue;
        }
        EXPECT_NE(errorOf(cut).kind, "") << n;
    }
}

/// smallSur with its part twice.
ByteVector twoParts() {
    ByteVector bytes = smallSur();
    const ByteVector second(bytes.begin() + 8, bytes.end());
    bytes.insert(bytes.end(), second.begin(), second.end());
    return bytes;
}

struct Recovered {
    Library library;
    Defects defects;

    std::size_t hulls(std::size_t part) const {
        const auto& surface = library.parts.at(part).surface;
        return surface ? surface->hulls.size() : 0;
    }
};
/// What recovery gives of a file that is refused without it.
Recovered recovered(const ByteVector& bytes) {
    EXPECT_NE(errorOf(bytes).kind, "");
    Recovered out;
    out.library = read(bytes, out.defects, true);
    EXPECT_GT(out.defects.count(Severity::Warning), 0U);
    EXPECT_EQ(out.defects.count(Severity::Error), 0U);
    Defects scratch;
    EXPECT_THAT(test::sceneFaults(toScene(out.library, {}, scratch)), testing::IsEmpty());
    check(out.library, scratch);
    info(out.library, {});
    list(out.library, {});
    return out;
}

TEST(SurRecovery, AHullThatCannotBeReadIsLeftOutAlone) {
    ByteVector bytes = twoParts();
    put32(bytes, kSmallSurBlock + 96 + 16 + 4, 9);  // face 0 of hull 1 names point 9 of 6
    const Recovered out = recovered(bytes);
    ASSERT_EQ(out.library.parts.size(), 2U);
    ASSERT_EQ(out.hulls(0), 2U);
    EXPECT_EQ(out.hulls(1), 3U);
    EXPECT_TRUE(out.library.parts[0].surface->hulls[0].terminal());
    EXPECT_FALSE(out.library.parts[0].surface->hulls[1].terminal());
    EXPECT_EQ(toText(out.defects.list().front()),
              "offset 0xa8: hull 1 of part 0x12688F2D: face 0 names point 9 of 6; the hull is left out");
    EXPECT_EQ(write(out.library), bytes);
    // The hull behind it is still said to lie where it does.
    EXPECT_EQ(list(out.library, {})[2].offset, kSmallSurBlock + 144);
}

TEST(SurRecovery, AFaceCountThatLeadsNowhereEndsTheHulls) {
    ByteVector bytes = twoParts();
    put32(bytes, kSmallSurBlock + 96 + 12, 0);
    const Recovered out = recovered(bytes);
    EXPECT_EQ(out.hulls(0), 1U);
    EXPECT_EQ(out.hulls(1), 3U);
    EXPECT_THAT(toText(out.defects.list().front()), HasSubstr("the hulls from here on are left out"));
    EXPECT_EQ(write(out.library), bytes);
}

TEST(SurRecovery, HullsOverAPointThatIsNoNumberAreLeftOut) {
    ByteVector bytes = twoParts();
    put32(bytes, kSmallSurBlock + 192 + 16 + 4, 0x7fc00000);  // y of point 1: hull 0 and the wrap hull
    const Recovered out = recovered(bytes);
    ASSERT_EQ(out.hulls(0), 1U);
    EXPECT_EQ(out.library.parts[0].surface->hulls[0].id, kMount);
    EXPECT_THAT(toText(out.defects.list().front()),
                HasSubstr("offset 0x10c: points of part 0x12688F2D: point is no number; hulls that use point 1 are"));
    EXPECT_EQ(write(out.library), bytes);
}

TEST(SurRecovery, ARootOffsetThatLeadsOutOfTheBlockLosesTheTreeOnly) {
    ByteVector bytes = twoParts();
    put32(bytes, kSmallSurBlock + 32, 372);
    const Recovered out = recovered(bytes);
    EXPECT_EQ(out.hulls(0), 3U);
    EXPECT_TRUE(out.library.parts[0].surface->nodes.empty());
    EXPECT_EQ(write(out.library), bytes);
}

TEST(SurRecovery, ABlockWithoutHullsIsKeptAsBytes) {
    ByteVector bytes = twoParts();
    put32(bytes, kSmallSurBlock + 48, 0);
    const Recovered out = recovered(bytes);
    EXPECT_EQ(out.hulls(0), 0U);
    EXPECT_EQ(out.hulls(1), 3U);
    EXPECT_EQ(write(out.library), bytes);
}

TEST(SurRecovery, WhatIsNoNumberInTheHeaderIsZero) {
    ByteVector bytes = smallSur();
    put32(bytes, 24 + 8, 0x7fc00000);
    put32(bytes, kSmallSurBlock + 12, 0xff800000);
    const Recovered out = recovered(bytes);
    EXPECT_EQ(out.library.parts[0].extent->minimum.z, 0.0F);
    EXPECT_EQ(out.library.parts[0].surface->rotationInertia, Vec3(0.0F, 2.5F, 3.5F));
    EXPECT_EQ(out.defects.count("nonfinite"), 2U);
    EXPECT_EQ(out.hulls(0), 3U);
}

TEST(SurRecovery, ASizeWordThatLeadsNowhereGivesWayToTheOneInside) {
    for (const std::uint32_t size : {373U, 300U, 0U, 0x80000000U}) {
        SCOPED_TRACE(size);
        ByteVector bytes = twoParts();
        put32(bytes, kSmallSurBlock - 4, size);
        const Recovered out = recovered(bytes);
        ASSERT_EQ(out.library.parts.size(), 2U);
        EXPECT_EQ(out.hulls(0), 3U);
        EXPECT_EQ(out.hulls(1), 3U);
        EXPECT_EQ(out.library.parts[0].hardpoints, std::vector<std::uint32_t>{kMount});
    }
}

TEST(SurRecovery, AChunkCountThatIsWrongLosesNothing) {
    for (const std::uint32_t count : {5U, 9U, 0x80000000U}) {
        SCOPED_TRACE(count);
        ByteVector bytes = twoParts();
        put32(bytes, 12, count);
        const Recovered out = recovered(bytes);
        ASSERT_EQ(out.library.parts.size(), 2U);
        EXPECT_EQ(out.hulls(0), 3U);
        EXPECT_EQ(out.hulls(1), 3U);
        EXPECT_EQ(out.defects.count("chunk-count"), 1U);
        EXPECT_EQ(errorOf(write(out.library)).kind, "");  // what is written is sound again
    }
}

TEST(SurRecovery, AnUnknownChunkEndsTheFile) {
    ByteVector bytes = twoParts();
    const std::size_t second = bytes.size() - (smallSur().size() - 8);
    put32(bytes, second + 8, 0x34333231);
    const Recovered out = recovered(bytes);
    ASSERT_EQ(out.library.parts.size(), 1U);  // nothing of the second one could be read
    EXPECT_EQ(out.hulls(0), 3U);
    EXPECT_THAT(toText(out.defects.list().front()),
                HasSubstr("unknown chunk tag 0x34333231; the rest of the file, 424 bytes, is left out"));
}

TEST(SurRecovery, AFileCutAnywhereGivesWhatLiesBeforeTheCut) {
    const ByteVector bytes = twoParts();
    const std::size_t second = bytes.size() - (smallSur().size() - 8);
    const std::size_t block = second + kSmallSurBlock - 8;  // of the second part
    for (std::size_t n = second + 12; n < bytes.size(); ++n) {
        SCOPED_TRACE(n);
        const ByteVector cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
        const Recovered out = recovered(cut);
        ASSERT_GE(out.library.parts.size(), 1U);
        EXPECT_EQ(out.hulls(0), 3U);
        // Cut within the tree all hulls are there; cut within the points those whose points are.
        if (n >= block + 192 + 48) {
            EXPECT_EQ(out.hulls(1), n >= block + 288 ? 3U : 2U);
        }
    }
}

TEST(SurRecovery, WhatIsWrittenOfItIsSound) {
    ByteVector bytes = twoParts();
    put32(bytes, kSmallSurBlock + 192 + 16 + 4, 0x7fc00000);
    Defects defects;
    ReadOptions reading;
    reading.wayBack = true;
    const Library written = fromScene(toScene(recovered(bytes).library, reading, defects), defects);
    const Library back = readAll(write(written));
    ASSERT_EQ(back.parts.size(), 2U);
    std::size_t hulls = 0;
    for (const Part& part : back.parts) hulls += part.surface->hulls.size();
    EXPECT_EQ(hulls, 1U + 3U);
    EXPECT_EQ(back.parts[1].hardpoints, std::vector<std::uint32_t>{kMount});
}

TEST(SurRecovery, ABlockCutToNothingIsNotWrittenAgain) {
    const ByteVector whole = twoParts();
    const std::size_t second = whole.size() - (smallSur().size() - 8);
    for (std::size_t bytes = 0; bytes < 64; ++bytes) {
        SCOPED_TRACE(bytes);
        ByteVector cut = whole;
        cut.resize(second + kSmallSurBlock - 8 + bytes);
        Defects defects;
        ReadOptions reading;
        reading.wayBack = true;
        const Library written = fromScene(toScene(recovered(cut).library, reading, defects), defects);
        EXPECT_EQ(errorOf(write(written)).kind, "");
    }
}

TEST(SurRecovery, MutatedBytesNeverThrowBehindTheFirstPart) {
    const ByteVector whole = twoParts();
    const std::size_t second = whole.size() - (smallSur().size() - 8);
    std::mt19937_64 random(20261130);
    for (std::size_t i = 0; i < 50'000; ++i) {
        ByteVector bytes = whole;
        const std::size_t edits = 1 + random() % 3;
        for (std::size_t e = 0; e < edits; ++e)
            bytes[second + 4 + random() % (bytes.size() - second - 4)] = static_cast<std::uint8_t>(random());
        Defects defects;
        const Library library = read(bytes, defects, true);
        ASSERT_GE(library.parts.size(), 1U) << i;
        ASSERT_EQ(library.parts[0].surface->hulls.size(), 3U) << i;
        ASSERT_EQ(defects.count(Severity::Error), 0U) << i;
        Defects scratch;
        ASSERT_THAT(test::sceneFaults(toScene(library, {}, scratch)), testing::IsEmpty()) << i;
        check(library, scratch);
    }
}

TEST(SurSurface, TheFirstHullMayNameALaterPointArray) {
    // Hull 0 counts its points from point 3, hull 1 from point 0: the array of hull 1 is the first one.
    Library library = readAll(smallSur());
    Surface& surface = *library.parts[0].surface;
    std::swap(surface.points[0], surface.points[3]);
    std::swap(surface.points[1], surface.points[4]);
    std::swap(surface.points[2], surface.points[5]);
    surface.hulls[0].firstPoint = 3;
    for (Face& face : surface.hulls[1].faces) {
        for (std::uint16_t& p : face.points) p = static_cast<std::uint16_t>(p - 3);
    }
    const ByteVector bytes = write(library);
    const Library back = readAll(bytes);
    EXPECT_EQ(back, library);
    EXPECT_EQ(write(back), bytes);
}

TEST(SurRefusal, ALibraryMadeToCostTimeEndsSoon) {
    // A comb of 10,000 hulls, each over points far apart in the list and each inner node with a wrap hull: whatever
    // looks at all hulls, points or nodes per hull takes minutes here.
    constexpr std::uint32_t kHulls = 10'000;
    Library library;
    Part& part = library.parts.emplace_back();
    part.extent.emplace();
    Surface& surface = part.surface.emplace();
    surface.points.resize(kMaxPoints);
    for (std::size_t i = 0; i < kMaxPoints; ++i) surface.points[i].position = Vec3(static_cast<float>(i), 0.0F, 0.0F);
    Hull hull;
    hull.faces.resize(2);
    hull.faces[0].points = {0, 40'000, 65'535};
    hull.faces[1].points = {0, 65'535, 40'000};
    surface.hulls.assign(2 * kHulls - 1, hull);
    for (std::uint32_t i = 0; i + 1 < kHulls; ++i) {
        surface.hulls[kHulls + i].type = kWrap;
        Node& inner = surface.nodes.emplace_back();
        inner.right = 2 * i + 2;
        inner.hull = kHulls + i;
        surface.nodes.emplace_back().hull = i;
    }
    surface.nodes.emplace_back().hull = kHulls - 1;
    const ByteVector bytes = write(library);
    Defects defects;
    const Library back = read(bytes, defects);
    EXPECT_TRUE(back.parts[0].surface->block.empty());
    EXPECT_EQ(toScene(back, {}, defects).hulls.size(), kHulls);
    check(back, defects);
    EXPECT_GT(defects.count("wrap-below-root"), 0U);
    info(back, {});
    EXPECT_EQ(list(back, {}).size(), 2 * kHulls);
}

TEST(SurRefusal, MutatedBytesGiveAnErrorOrComeOutAgain) {
    const ByteVector whole = smallSur();
    std::mt19937_64 random(20261129);
    std::size_t readable = 0;
    constexpr std::size_t kMutations = 150'000;
    for (std::size_t i = 0; i < kMutations; ++i) {
        ByteVector bytes = whole;
        const std::size_t edits = 1 + random() % 3;
        for (std::size_t e = 0; e < edits; ++e)
            bytes[8 + random() % (bytes.size() - 8)] = static_cast<std::uint8_t>(random());
        Defects defects;
        try {
            const Library library = read(bytes, defects);
            ++readable;
            ASSERT_EQ(write(library), bytes) << i;
            check(library, defects);
        } catch (const FormatError& error) {
            ASSERT_FALSE(error.defect().kind.empty());
            ASSERT_TRUE(error.defect().offset.has_value());
        }
    }
    std::printf("%zu mutations, %zu of them readable and rewritten byte for byte\n", kMutations, readable);
}

}  // namespace
}  // namespace geomconv::sur
