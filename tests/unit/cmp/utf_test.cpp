#include "formats/utf/utf.hpp"

#include <gtest/gtest.h>

#include "formats/cmp/cmp.hpp"
#include "formats/utf/format.hpp"
#include "lib/bytes/byte_writer.hpp"

namespace geomconv::utf {
namespace {

struct MadeEntry {
    std::uint32_t next, name, attributes, childOrData, used;
};

/// A file of the header, the entries, names "\0root\0a\0b\0" and the data "hello".
ByteVector made(const std::vector<MadeEntry>& entries) {
    const std::string names = std::string("\0root\0a\0b\0", 10);
    ByteWriter out;
    out.text("UTF ");
    const auto treeSize = static_cast<std::uint32_t>(44 * entries.size());
    for (const std::uint32_t v : {0x101U, 56U, treeSize, 0U, 44U, 56 + treeSize, 10U, 10U, 56 + treeSize + 10, 0U, 0U})
        out.u32(v);
    out.u64(0);
    for (const MadeEntry& e : entries) {
        for (const std::uint32_t v :
             {e.next, e.name, e.attributes, 0U, e.childOrData, e.used, e.used, e.used, 0U, 0U, 0U})
            out.u32(v);
    }
    out.text(names);
    out.text("hello");
    return out.finish();
}

const std::vector<MadeEntry> kSound{{0, 1, 0x10, 44, 0}, {88, 6, 0x80, 1, 4}, {0, 8, 0x10, 0, 0}};

TEST(Utf, ReadsFilesAndEmptyDirectories) {
    const ByteVector bytes = made(kSound);
    Defects defects;
    const Tree tree = read(bytes, defects);
    EXPECT_TRUE(defects.empty());
    ASSERT_EQ(tree.root().children.size(), 2U);
    const Entry* a = tree.find(tree.root(), "A");
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(asText(a->data), "ello");
    EXPECT_EQ(a->dataOffset, 56U + 132 + 10 + 1);
    EXPECT_TRUE(tree.child(tree.root(), "b")->directory());
    EXPECT_EQ(tree.find(tree.root(), "b/c"), nullptr);
    ASSERT_EQ(filePaths(tree).size(), 1U);
    EXPECT_EQ(filePaths(tree)[0].first, "a");
}

std::string kindOf(const ByteVector& bytes) {
    Defects defects;
    try {
        read(bytes, defects);
    } catch (const FormatError& e) {
        return e.defect().kind;
    }
    return defects.empty() ? "" : defects.list()[0].kind;
}

TEST(Utf, RefusesPathsBeyondTheirLimit) {
    const auto nested = [](std::uint32_t depth) {
        std::vector<MadeEntry> entries{{0, 1, 0x10, 44, 0}};
        for (std::uint32_t i = 1; i <= depth; ++i) entries.push_back({0, 6, 0x10, i < depth ? 44 * (i + 1) : 0, 0});
        return made(entries);
    };
    EXPECT_EQ(kindOf(nested(512)), "");
    EXPECT_EQ(kindOf(nested(513)), "path-length");
}

TEST(Utf, RefusesCyclesAndOffsetsOutside) {
    auto entries = kSound;
    entries[2].next = 44;
    EXPECT_EQ(kindOf(made(entries)), "cycle");
    entries = kSound;
    entries[1].next = 4400;
    EXPECT_EQ(kindOf(made(entries)), "truncated");
    entries = kSound;
    entries[1].name = 11;
    EXPECT_EQ(kindOf(made(entries)), "offset-range");
    entries = kSound;
    entries[0].attributes = 0x80;
    EXPECT_EQ(kindOf(made(entries)), "root");
    ByteVector bytes = made(kSound);
    bytes[0] = 'X';
    EXPECT_EQ(kindOf(bytes), "signature");
    bytes = made(kSound);
    bytes[4] = 2;
    EXPECT_EQ(kindOf(bytes), "version");
    bytes = made(kSound);
    bytes[20] = 40;
    EXPECT_EQ(kindOf(bytes), "entry-size");
}

TEST(Utf, DeliversWhatIsThereOfShortData) {
    auto entries = kSound;
    entries[1].used = 400;
    const ByteVector bytes = made(entries);
    Defects defects;
    const Tree tree = read(bytes, defects);
    EXPECT_EQ(defects.count("data-range"), 1U);
    EXPECT_EQ(asText(tree.find(tree.root(), "a")->data), "ello");
}

TEST(Utf, EndsAtEveryCut) {
    const ByteVector bytes = made(kSound);
    for (std::size_t n = 0; n < 56 + 132; ++n) {
        EXPECT_NE(kindOf(ByteVector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n))), "") << n;
    }
}

TEST(Utf, AWalkGivesEveryFileByItsPlace) {
    // Two files of one name: by its place each gives its own bytes.
    const ByteVector bytes = made({{0, 1, 0x10, 44, 0}, {88, 6, 0x80, 0, 4}, {132, 6, 0x80, 1, 4}, {0, 8, 0x80, 2, 3}});
    const Input input{"x.utf", bytes, {}, {}};
    Defects defects;
    Members members = kFormat.members(input, {}, defects);
    EXPECT_EQ(members.names, (std::vector<std::string>{"a", "a", "b"}));
    const auto taken = [&](std::size_t i) { return std::string(asText(members.take(i, defects).value())); };
    EXPECT_EQ(taken(0), "hell");
    EXPECT_EQ(taken(1), "ello");
    EXPECT_EQ(taken(2), "llo");
    EXPECT_EQ(asText(kFormat.extract(input, {}, "b", defects)), "llo");
    EXPECT_TRUE(defects.empty());
}

TEST(Utf, ModelsAreToldByTheirNamesAlone) {
    const auto file = [](std::string_view name, std::size_t before, std::string_view data) {
        ByteWriter out;
        out.text("UTF ");
        const auto names = static_cast<std::uint32_t>(before + name.size() + 1);
        for (const std::uint32_t v : {0x101U, 56U, 0U, 0U, 44U, 56U, names, names, 56 + names, 0U, 0U}) out.u32(v);
        out.u64(0);
        out.zeros(before);
        out.text(name);
        out.u8(0);
        out.text(data);
        return out.finish();
    };
    EXPECT_EQ(cmp::probe(file("VMeshPart", 10, ""), "x.utf"), Confidence::Certain);
    EXPECT_EQ(cmp::probe(file("Trees", 10, "VMeshPart"), "x.utf"), Confidence::Maybe) << "a word in some file's bytes";
    EXPECT_EQ(cmp::probe(file("Trees", 10, "VMeshPart"), "x.CMP"), Confidence::Certain);
    EXPECT_EQ(cmp::probe(file("Cmpnd", 200000, ""), "x.utf"), Confidence::Maybe) << "further than a probe looks";
    ByteVector cut = file("Cmpnd", 10, "");
    for (std::size_t n = 0; n < cut.size(); ++n) {
        const Bytes bytes = Bytes(cut).first(n);
        EXPECT_EQ(cmp::probe(bytes, "x.utf"), n < 56   ? Confidence::No
                                              : n < 71 ? Confidence::Maybe
                                                       : Confidence::Certain)
            << n;
    }
    cut[24] = cut[27] = cut[32] = cut[35] = 0xff;  // names far behind the end
    EXPECT_EQ(cmp::probe(cut, "x.utf"), Confidence::Maybe);
}

}  // namespace
}  // namespace geomconv::utf
