#include "formats/gzip/gzip.hpp"

#include <gtest/gtest.h>

#include <array>
#include <ctime>
#include <map>
#include <numeric>
#include <random>

#include "formats/ccs_archive/ccs_archive.hpp"
#include "formats/ccs_archive/format.hpp"
#include "formats/gzip/format.hpp"
#include "lib/bytes/byte_writer.hpp"

namespace geomconv {
namespace {

ByteVector someBytes(std::size_t n) {
    ByteVector out(n);
    std::mt19937 random(7);
    for (auto& b : out) b = static_cast<std::uint8_t>(random() % 13);
    return out;
}

std::string kindOf(auto&& call) {
    try {
        call();
    } catch (const FormatError& e) {
        return e.defect().kind;
    }
    return "none";
}

TEST(Gzip, ReadsWhatItWrote) {
    for (const std::size_t n : {0UL, 1UL, 300UL, 200000UL}) {
        const ByteVector content = someBytes(n);
        const ByteVector file = gzip::pack(content, "scene.cmp");
        Defects defects;
        const gzip::Unpacked back = gzip::unpackAll(file, {}, defects);
        EXPECT_EQ(back.bytes, content);
        EXPECT_EQ(back.info.name, "scene.cmp");
        EXPECT_EQ(back.info.stored, file.size());
        EXPECT_TRUE(defects.empty());
        EXPECT_EQ(gzip::measure(file, 0, defects).inflated, n);
    }
}

TEST(Gzip, PassesEveryOptionalFieldOfTheHeader) {
    const ByteVector plain = gzip::pack(someBytes(50), "");
    ByteVector file(plain.begin(), plain.begin() + 10);
    file[3] = 2 | 4 | 8 | 16;
    const ByteVector fields{3, 0, 'e', 'x', 't', 'n', 0, 'c', 0};
    file.insert(file.end(), fields.begin(), fields.end());
    file.push_back(0);
    file.push_back(0);
    file.insert(file.end(), plain.begin() + 10, plain.end());
    Defects defects;
    const gzip::Unpacked back = gzip::unpack(file, 0, {}, defects);
    EXPECT_EQ(back.bytes, someBytes(50));
    EXPECT_EQ(back.info.name, "n");
    EXPECT_EQ(defects.count("gzip-header-crc"), 1U);
    const gzip::Header header = gzip::readHeader(file, 0, defects);
    EXPECT_EQ(asText(header.extra), "ext");
    EXPECT_EQ(asText(header.comment), "c");
}

TEST(Gzip, WarnsOfATrailerThatDoesNotFit) {
    ByteVector file = gzip::pack(someBytes(50), "");
    file[file.size() - 8] ^= 1;
    file[file.size() - 1] ^= 1;
    Defects defects;
    EXPECT_EQ(gzip::unpack(file, 0, {}, defects).bytes, someBytes(50));
    EXPECT_EQ(defects.count("gzip-crc"), 1U);
    EXPECT_EQ(defects.count("gzip-size"), 1U);
    EXPECT_EQ(defects.count(Severity::Error), 0U);
}

TEST(Gzip, RefusesEveryCutAndKeepsWhatCameOutOnRequest) {
    const ByteVector content = someBytes(2000);
    const ByteVector file = gzip::pack(content, "a");
    for (std::size_t n = 0; n < file.size(); ++n) {
        const ByteVector cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n));
        Defects defects;
        EXPECT_EQ(kindOf([&] { gzip::unpack(cut, 0, {}, defects); }), "truncated") << n;
        if (n < 12) continue;
        ReadOptions recover;
        recover.recover = true;
        const ByteVector got = gzip::unpack(cut, 0, recover, defects).bytes;
        EXPECT_EQ(defects.count("truncated"), 1U) << n;
        EXPECT_TRUE(got.size() <= content.size() && std::equal(got.begin(), got.end(), content.begin())) << n;
    }
}

TEST(Gzip, StopsABombAtTheLimit) {
    const ByteVector bomb = gzip::pack(ByteVector(64U << 20), "");
    EXPECT_LT(bomb.size(), 100000U);
    ReadOptions options;
    options.maxMemory = 1 << 20;
    Defects defects;
    EXPECT_EQ(kindOf([&] { gzip::unpack(bomb, 0, options, defects); }), "memory-limit");
    options.maxMemory = 64U << 20;
    EXPECT_EQ(gzip::unpack(bomb, 0, options, defects).bytes.size(), 64U << 20);
    options.maxMemory -= 1;
    EXPECT_EQ(kindOf([&] { gzip::unpack(bomb, 0, options, defects); }), "memory-limit");
}

TEST(Gzip, ASizeWordThatLiesCostsNothing) {
    ByteVector file = gzip::pack(someBytes(100), "");
    std::fill(file.end() - 4, file.end(), std::uint8_t{0xff});
    Defects defects;
    EXPECT_EQ(gzip::unpack(file, 0, {}, defects).bytes, someBytes(100));
}

TEST(Gzip, MembersSideBySideAreOneStream) {
    ByteVector file = gzip::pack(someBytes(10), "a");
    const ByteVector second = gzip::pack(someBytes(20), "b");
    file.insert(file.end(), second.begin(), second.end());
    file.resize(file.size() + 5);
    Defects defects;
    EXPECT_EQ(gzip::unpackAll(file, {}, defects).bytes.size(), 30U);
    EXPECT_TRUE(defects.empty());
    file.push_back('x');
    gzip::unpackAll(file, {}, defects);
    EXPECT_EQ(defects.count("trailing"), 1U);
}

ByteVector archiveOf(const std::vector<std::pair<std::string, ByteVector>>& members) {
    ByteVector file;
    for (const auto& [name, content] : members) {
        file.resize((file.size() + 2047) / 2048 * 2048);
        const ByteVector packed = gzip::pack(content, name);
        file.insert(file.end(), packed.begin(), packed.end());
    }
    return file;
}

TEST(CcsArchive, ListsAndFindsMembersByName) {
    const ByteVector file =
        archiveOf({{"a.cmp", someBytes(9000)}, {"", someBytes(10)}, {"b.cmp", someBytes(11)}, {"a.cmp", someBytes(5)}});
    EXPECT_EQ(ccs_archive::kFormat.probe(file, "x"), Confidence::Certain);
    EXPECT_EQ(ccs_archive::kFormat.probe(gzip::pack(someBytes(9000), "a"), "x"), Confidence::No);
    Defects defects;
    Input input{"x.bin", file, {}, {}};
    const auto rows = ccs_archive::kFormat.list(input, {}, defects);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].name, "a.cmp");
    EXPECT_EQ(rows[1].name, "member_0001");
    EXPECT_EQ(rows[3].name, "a.cmp#2");
    EXPECT_EQ(rows[2].size, 11U);
    EXPECT_EQ(rows[1].offset.value() % 2048, 0U);
    EXPECT_EQ(ccs_archive::kFormat.extract(input, {}, "B", defects), someBytes(11));
    EXPECT_EQ(ccs_archive::kFormat.extract(input, {}, "A.CMP", defects), someBytes(9000));
    EXPECT_EQ(ccs_archive::kFormat.extract(input, {}, "a.cmp#2", defects), someBytes(5));
    EXPECT_EQ(ccs_archive::kFormat.extract(input, {}, "member_0001", defects), someBytes(10));
    EXPECT_EQ(kindOf([&] { ccs_archive::kFormat.extract(input, {}, "c", defects); }), "no-member");
    EXPECT_TRUE(defects.empty());
}

TEST(CcsArchive, ReplacesOneMemberAndKeepsTheOthersPacked) {
    const ByteVector file = archiveOf({{"a.cmp", someBytes(9000)}, {"b.cmp", someBytes(11)}, {"c.cmp", someBytes(12)}});
    Input input{"x.bin", file, {}, {}};
    MemoryOutput out;
    Defects defects;
    ccs_archive::kFormat.replaceMember(input, {}, "b", someBytes(7000), {}, out, defects);
    const ByteVector changed = out.takeMain();
    Input again{"y.bin", changed, {}, {}};
    EXPECT_EQ(ccs_archive::kFormat.extract(again, {}, "a.cmp", defects), someBytes(9000));
    EXPECT_EQ(ccs_archive::kFormat.extract(again, {}, "b.cmp", defects), someBytes(7000));
    EXPECT_EQ(ccs_archive::kFormat.extract(again, {}, "c.cmp", defects), someBytes(12));
    EXPECT_EQ(defects.count("moved-members"), 1U);
}

/// What the walk over all members gives, by name; "-" where there is none.
std::vector<std::string> walked(const ByteVector& file, Defects& defects) {
    const Input input{"x.bin", file, {}, {}};
    Members members = ccs_archive::kFormat.members(input, {}, defects);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < members.names.size(); ++i) {
        const auto bytes = members.take(i, defects);
        out.push_back(bytes ? members.names[i] + " " + std::to_string(bytes->size()) : "-");
    }
    return out;
}

TEST(CcsArchive, AWalkGivesWhatListAndExtractGive) {
    const ByteVector file =
        archiveOf({{"a.cmp", someBytes(9000)}, {"", someBytes(10)}, {"b.cmp", someBytes(11)}, {"a.cmp", someBytes(5)}});
    const Input input{"x.bin", file, {}, {}};
    Defects defects;
    const auto rows = ccs_archive::kFormat.list(input, {}, defects);
    Members members = ccs_archive::kFormat.members(input, {}, defects);
    ASSERT_EQ(members.names.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(members.names[i], rows[i].name);
        EXPECT_EQ(members.take(i, defects), ccs_archive::kFormat.extract(input, {}, rows[i].name, defects));
    }
    EXPECT_TRUE(defects.empty());
}

/// A member whose stored content has the start of another one on a boundary of the file.
ByteVector archiveWithAStartInside() {
    ByteVector content(6000, 0x55);
    ByteWriter head;
    head.bytes(std::array<std::uint8_t, 10>{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3});
    head.u8(1);  // one stored block, the last
    head.u16(std::uint16_t{6000});
    head.u16(static_cast<std::uint16_t>(~6000U));
    ByteVector file = head.finish();
    const std::size_t before = file.size();
    const ByteVector inner = gzip::pack(someBytes(20), "");
    std::copy(inner.begin(), inner.end(), content.begin() + static_cast<std::ptrdiff_t>(2048 - before));
    file.insert(file.end(), content.begin(), content.end());
    const ByteVector trailer(8);
    file.insert(file.end(), trailer.begin(), trailer.end());
    file.resize(8192);
    for (const std::size_t n : {30UL, 40UL}) {
        const ByteVector member = gzip::pack(someBytes(n), "");
        file.insert(file.end(), member.begin(), member.end());
        file.resize((file.size() + 2047) / 2048 * 2048);
    }
    return file;
}

TEST(CcsArchive, AStartInsideAMemberIsNoneAndMovesNoName) {
    const ByteVector file = archiveWithAStartInside();
    const Input input{"x.bin", file, {}, {}};
    Defects defects;
    EXPECT_EQ(walked(file, defects),
              (std::vector<std::string>{"member_0000 6000", "-", "member_0002 30", "member_0003 40"}));
    const auto rows = ccs_archive::kFormat.list(input, {}, defects);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[2].name, "member_0003");
    EXPECT_EQ(ccs_archive::kFormat.extract(input, {}, rows[2].name, defects), someBytes(40));
}

TEST(CcsArchive, ADamagedMemberDoesNotHideTheNext) {
    ByteVector file = archiveOf({{"a.cmp", someBytes(9000)}, {"b.cmp", someBytes(11)}});
    file[300] ^= 0xff;
    file[301] ^= 0xff;
    const Input input{"x.bin", file, {}, {}};
    Defects defects;
    Members members = ccs_archive::kFormat.members(input, {}, defects);
    EXPECT_EQ(members.names, (std::vector<std::string>{"a.cmp", "b.cmp"}));
    defects = {};
    try {
        static_cast<void>(members.take(0, defects));
    } catch (const FormatError& e) {
        EXPECT_GT(e.defect().offset.value(), 250U) << "the place where the stream broke";
    }
    EXPECT_EQ(members.take(1, defects), someBytes(11));
}

TEST(CcsArchive, IsToldByItsFirst32MiB) {
    ByteVector file = gzip::pack(someBytes(100), "a");
    file.resize(std::size_t{33} << 20);
    const ByteVector second = gzip::pack(someBytes(100), "b");
    ByteVector far = file;
    far.insert(far.end(), second.begin(), second.end());
    EXPECT_EQ(ccs_archive::kFormat.probe(far, "x"), Confidence::No);
    std::copy(second.begin(), second.end(), file.begin() + (std::ptrdiff_t{31} << 20));
    EXPECT_EQ(ccs_archive::kFormat.probe(file, "x"), Confidence::Certain);
}

/// CPU seconds of a call.
double secondsOf(auto&& call) {
    const std::clock_t start = std::clock();
    call();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(CcsArchive, ManyMembersCostNoMoreThanTheirBytes) {
    const ByteVector member = gzip::pack(someBytes(300), "");
    ByteVector file;
    for (int i = 0; i < 10000; ++i) {
        file.insert(file.end(), member.begin(), member.end());
        file.resize((file.size() + 2047) / 2048 * 2048);
    }
    Defects defects;
    std::vector<std::string> got;
    // Room for the rest of the file at each member would take minutes.
    EXPECT_LT(secondsOf([&] { got = walked(file, defects); }), 20.0);
    EXPECT_EQ(got.size(), 10000U);
    EXPECT_EQ(got.back(), "member_9999 300");
}

TEST(CcsArchive, StartsThatLeadThroughTheWholeFileEndTheWalk) {
    // Each boundary begins a member of stored blocks whose heads all lie on the same place of a boundary, so that every
    // one of them runs to the end of the file.
    constexpr std::uint16_t kLength = 31 * 2048 - 5;
    ByteWriter sector;
    sector.bytes(std::array<std::uint8_t, 10>{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3});
    sector.u8(0);
    sector.u16(kLength);
    sector.u16(static_cast<std::uint16_t>(~kLength));
    ByteVector one = sector.finish();
    one.resize(2048, 'x');
    ByteVector file;
    for (int i = 0; i < 4096; ++i) file.insert(file.end(), one.begin(), one.end());
    const Input input{"x.bin", file, {}, {}};
    Defects defects;
    Members members = ccs_archive::kFormat.members(input, {}, defects);
    std::map<std::string, std::size_t> kinds;
    const double seconds = secondsOf([&] {
        for (std::size_t i = 0; i < members.names.size(); ++i) {
            ++kinds[kindOf([&] { static_cast<void>(members.take(i, defects)); })];
        }
    });
    EXPECT_LT(seconds, 10.0);
    EXPECT_EQ(kinds["damaged-members"], 1U) << "said once, the rest is passed over";
    EXPECT_LT(kinds["truncated"], 50U);
    EXPECT_EQ(kinds["truncated"] + kinds["none"] + 1, 4096U);
    ReadOptions recover;
    recover.recover = true;
    EXPECT_EQ(kindOf([&] { ccs_archive::walk(input, recover, defects); }), "damaged-members");
}

TEST(Gzip, ManyMembersCostNoMoreThanTheirBytes) {
    const ByteVector member = gzip::pack(someBytes(30), "");
    ByteVector file;
    for (int i = 0; i < 40000; ++i) file.insert(file.end(), member.begin(), member.end());
    Defects defects;
    gzip::Unpacked all;
    EXPECT_LT(secondsOf([&] { all = gzip::unpackAll(file, {}, defects); }), 10.0);
    EXPECT_EQ(all.bytes.size(), 40000U * 30);
    EXPECT_TRUE(defects.empty());
}

TEST(Gzip, RefusesANameWithoutEnd) {
    ByteVector file(20000, 'a');
    const ByteVector head{0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3};
    std::copy(head.begin(), head.end(), file.begin());
    Defects defects;
    EXPECT_EQ(kindOf([&] { gzip::readHeader(file, 0, defects); }), "header-text");
    file[10 + 4096] = 0;
    EXPECT_EQ(gzip::readHeader(file, 0, defects).rawName.size(), 4096U);
}

}  // namespace
}  // namespace geomconv
