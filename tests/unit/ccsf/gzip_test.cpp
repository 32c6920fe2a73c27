#include "formats/gzip/gzip.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "formats/ccs_archive/ccs_archive.hpp"
#include "formats/ccs_archive/format.hpp"
#include "formats/gzip/format.hpp"

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

}  // namespace
}  // namespace geomconv
