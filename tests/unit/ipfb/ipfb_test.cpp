#include "formats/ipfb/ipfb.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "formats/collisionset/collisionset.hpp"
#include "formats/ipfb/format.hpp"
#include "formats/z1/z1.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::ipfb {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A pack in memory with its parts.
struct Files {
    ByteVector pak;
    std::map<std::string, ByteVector> parts;
    std::string name = "Made.pak";

    Input input() const {
        return {.name = name,
                .bytes = pak,
                .companions = [this](std::string_view file) -> std::shared_ptr<const InputFile> {
                    const auto found = parts.find(std::string(file));
                    return found == parts.end() ? nullptr : InputFile::fromBytes(found->first, found->second);
                },
                .file = {}};
    }
};

Files made(const std::vector<std::pair<std::string, ByteVector>>& files) {
    NewPack pack = make(files);
    Files out;
    out.pak = std::move(pack.pak);
    out.parts["Made.p00"] = std::move(pack.part);
    return out;
}

/// A library of one triangle; the number makes it differ.
ByteVector library(float x) {
    collisionset::Library out;
    collisionset::Record& record = out.records.emplace_back();
    record.nameField = collisionset::makeNameField("rou_e101_bdy");
    record.vertex = {Vec3(x, 0.0F, 0.0F), Vec3(1.0F, 0.0F, 0.0F), Vec3(0.0F, 1.0F, 0.0F)};
    record.index = {0, 1, 2};
    return collisionset::write(out);
}

ByteVector text(std::string_view t) {
    const Bytes bytes = asBytes(t);
    return {bytes.begin(), bytes.end()};
}

template <class Work>
std::string kindOf(Work work) {
    try {
        work();
    } catch (const FormatError& e) {
        return e.defect().kind;
    }
    return "";
}

std::string defaultKind(const Files& files) {
    Defects defects;
    return kindOf([&] { defaultMember(files.input(), {}, defects); });
}

// ---------------------------------------------------------------------------------------------------- names

TEST(IpfbName, HashesTheKnownPair) {
    EXPECT_EQ(nameHash("files.tbl"), 0x83421153U);
}

TEST(IpfbName, HashesTheEighteenLibraries) {
    EXPECT_EQ(nameHash("CollisionSet_S01.bin"), 0xB2528E60U);
    EXPECT_EQ(nameHash("CollisionSet_S10.bin"), 0xB2758A56U);
    EXPECT_EQ(nameHash("CollisionSet_Tutorial.bin"), 0x52E9D040U);
    EXPECT_EQ(nameHash("CollisionSet_test.bin"), 0x9EA1FFF7U);
    EXPECT_EQ(nameOf(0xB89A8056U), "CollisionSet_S16.bin");
    EXPECT_EQ(nameOf(0x00000012U), "$00000012");
    EXPECT_EQ(nameHash(""), 0U);
}

TEST(IpfbName, IsBlindToCaseAndSlashes) {
    EXPECT_EQ(nameHash("Hidden/A.TBL"), nameHash("hidden\\a.tbl"));
    EXPECT_EQ(hashOf("$b2528e60"), 0xB2528E60U);
    EXPECT_EQ(hashOf("collisionset_s01.BIN"), 0xB2528E60U);
    EXPECT_EQ(hashOf("$short"), nameHash("$short"));
}

// ---------------------------------------------------------------------------------------------------- table

TEST(IpfbTable, ReadsWhatIsWrittenOutByHand) {
    const ByteVector pak{'I', 'P', 'F',  'B',  0,    0,    0,    1,    0,    0,    8, 0, 0x10, 0,
                         0,   0,   0x83, 0x42, 0x11, 0x53, 0x10, 0x01, 0xa0, 0x00, 0, 0, 6,    0xeb};
    Defects defects;
    const Table table = readTable(pak, false, defects);
    ASSERT_EQ(table.entries.size(), 1U);
    EXPECT_EQ(table.entries[0].hash, 0x83421153U);
    EXPECT_EQ(table.entries[0].part(), 1U);
    EXPECT_EQ(table.entries[0].offset(), 0x1a000U);
    EXPECT_EQ(table.entries[0].stored, 1771U);
    EXPECT_TRUE(defects.empty());
}

TEST(IpfbTable, RefusesWhatItCannotBelieve) {
    Files files = made({{"a", text("hello")}});
    Defects defects;
    const auto kind = [&](const ByteVector& pak, bool recover = false) {
        return kindOf([&] { readTable(pak, recover, defects); });
    };
    ByteVector pak = files.pak;
    EXPECT_EQ(kind(pak), "");
    pak[4] = 0x15;  // 12 * count + 16 wraps in 32 bits
    pak[5] = pak[6] = 0x55;
    EXPECT_EQ(kind(pak), "pack-count");
    pak = files.pak;
    pak[12] = 0x20;
    EXPECT_EQ(kind(pak), "pack-part-limit");
    EXPECT_EQ(kind(pak, true), "");
    for (std::size_t n = 0; n < files.pak.size(); ++n) {
        EXPECT_NE(kind({files.pak.begin(), files.pak.begin() + static_cast<std::ptrdiff_t>(n)}), "") << n;
    }
}

TEST(IpfbTable, EndsEarlyAtAHashOfZero) {
    Files files = made({{"a", text("hello")}, {"b", text("world")}});
    std::fill(files.pak.begin() + 28, files.pak.begin() + 32, std::uint8_t{0});
    Defects defects;
    EXPECT_EQ(readTable(files.pak, false, defects).entries.size(), 1U);
}

// ---------------------------------------------------------------------------------------------------- entries

TEST(IpfbPack, GivesEntriesByNameAndByHash) {
    const Files files = made({{"a.txt", text("hello")}, {"CollisionSet_S01.bin", library(0.0F)}});
    Defects defects;
    EXPECT_EQ(kFormat.extract(files.input(), {}, "A.TXT", defects), text("hello"));
    EXPECT_EQ(kFormat.extract(files.input(), {}, "$B2528E60", defects), library(0.0F));
    EXPECT_EQ(kindOf([&] { kFormat.extract(files.input(), {}, "other", defects); }), "pack-no-entry");
    for (const Member& member : kFormat.list(files.input(), {}, defects)) {
        EXPECT_EQ(kFormat.extract(files.input(), {}, member.name, defects).size(), *member.size);
    }
    EXPECT_TRUE(defects.empty());
}

TEST(IpfbPack, ARawEntryThatBeginsLikeABlockIsRaw) {
    // A little-endian library of which the first record has the size 0x..315A.
    ByteVector raw(40, 0);
    raw[0] = 'Z';
    raw[1] = '1';
    EXPECT_FALSE(z1::isBlock(raw));
    Files files = made({{"a", text("x")}});
    files.parts["Made.p00"] = raw;
    files.pak[27] = 40;
    Defects defects;
    EXPECT_EQ(kFormat.extract(files.input(), {}, "a", defects), raw);
}

TEST(IpfbPack, AnEntryThatCannotBeTakenIsNamedAndTheOthersAreListed) {
    Files files = made({{"a", text("hello")}, {"b", text("world")}});
    files.pak[16 + 4] = 0x30;  // part 3, which is not there
    Defects defects;
    const std::vector<Member> members = kFormat.list(files.input(), {}, defects);
    ASSERT_EQ(members.size(), 2U);
    ASSERT_EQ(defects.list().size(), 1U);
    EXPECT_EQ(defects.list()[0].kind, "pack-part-missing");
    files = made({{"a", text("hello")}});
    files.pak[26] = 0x10;
    EXPECT_EQ(kindOf([&] { kFormat.extract(files.input(), {}, "a", defects); }), "pack-entry-range");
}

TEST(IpfbPack, APartAloneNamesItsPack) {
    EXPECT_EQ(packOfPart("MiscBin.p00"), "MiscBin.pak");
    EXPECT_EQ(packOfPart("MISCBIN.P12"), "MISCBIN.PAK");
    EXPECT_EQ(packOfPart("MiscBin.pak"), std::nullopt);
    const Files files = made({{"a", text("hello")}});
    Files part;
    part.pak = files.parts.at("Made.p00");
    part.name = "Made.p00";
    EXPECT_EQ(kFormat.probe(part.pak, part.name), Confidence::Certain);
    Defects defects;
    EXPECT_EQ(kindOf([&] { kFormat.list(part.input(), {}, defects); }), "pack-part-alone");
}

// ---------------------------------------------------------------------------------------------------- which one is
// meant

TEST(IpfbDefault, TheOnlyLibraryIsMeant) {
    Defects defects;
    const Files files = made({{"a.txt", text("hello")}, {"something.bin", library(0.0F)}});
    EXPECT_EQ(defaultMember(files.input(), {}, defects), nameOf(nameHash("something.bin")));
    EXPECT_TRUE(defects.empty());
}

TEST(IpfbDefault, IdenticalOnesAreOneAndDifferentOnesAreAmbiguous) {
    Defects defects;
    const Files same = made({{"CollisionSet_S01.bin", library(0.0F)}, {"CollisionSet_S02.bin", library(0.0F)}});
    EXPECT_EQ(defaultMember(same.input(), {}, defects), "CollisionSet_S01.bin");
    ASSERT_EQ(defects.list().size(), 1U);
    EXPECT_EQ(defects.list()[0].kind, "identical-members");
    EXPECT_EQ(defaultKind(made({{"CollisionSet_S01.bin", library(0.0F)}, {"CollisionSet_S02.bin", library(2.0F)}})),
              "pack-ambiguous");
    EXPECT_EQ(defaultKind(made({{"a.txt", text("hello")}})), "pack-no-library");
}

TEST(IpfbDefault, ADamagedLibraryIsStillMeantByItsName) {
    ByteVector damaged = library(0.0F);
    damaged[3] = 1;
    Defects defects;
    EXPECT_EQ(defaultMember(made({{"CollisionSet_S01.bin", damaged}}).input(), {}, defects), "CollisionSet_S01.bin");
}

// ---------------------------------------------------------------------------------------------------- writing back

Files replaced(const Files& files, std::string_view member, const ByteVector& content, bool allIdentical) {
    MemoryOutput output("Made");
    Defects defects;
    replace(files.input(), {}, member, content, allIdentical, output, defects);
    Files out;
    out.pak = output.takeMain();
    for (auto& [name, bytes] : output.takeSiblings()) out.parts[name] = std::move(bytes);
    return out;
}

TEST(IpfbReplace, AppendsTheBlockAndChangesLocationAndSizeOnly) {
    const Files before = made({{"a", text("hello")}, {"b", text("world")}, {"c", text("hello")}});
    const Files after = replaced(before, "a", text("a new content"), false);
    const ByteVector& old = before.parts.at("Made.p00");
    const ByteVector& now = after.parts.at("Made.p00");
    ASSERT_GE(now.size(), old.size());
    EXPECT_EQ(ByteVector(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(old.size())), old);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < before.pak.size(); ++i) changed += before.pak[i] != after.pak[i];
    EXPECT_LE(changed, 8U);
    Defects defects;
    EXPECT_EQ(kFormat.extract(after.input(), {}, "a", defects), text("a new content"));
    EXPECT_EQ(kFormat.extract(after.input(), {}, "b", defects), text("world"));
    EXPECT_EQ(kFormat.extract(after.input(), {}, "c", defects), text("hello"));
    EXPECT_TRUE(defects.empty());
    for (const Entry& entry : readTable(after.pak, false, defects).entries) EXPECT_EQ(entry.offset() % kAlignment, 0U);
}

TEST(IpfbReplace, TakesAllIdenticalEntriesOnRequest) {
    const Files before = made({{"a", text("hello")}, {"b", text("world")}, {"c", text("hello")}});
    const Files after = replaced(before, "a", text("a new content"), true);
    Defects defects;
    EXPECT_EQ(kFormat.extract(after.input(), {}, "c", defects), text("a new content"));
    EXPECT_EQ(kFormat.extract(after.input(), {}, "b", defects), text("world"));
}

TEST(IpfbReplace, WithTheSameContentGivesTheSameBytes) {
    const Files before = made({{"a", text("hello")}, {"b", text("world")}});
    const Files after = replaced(before, "a", text("hello"), true);
    EXPECT_EQ(after.pak, before.pak);
    EXPECT_EQ(after.parts, before.parts);
}

// ---------------------------------------------------------------------------------------------------- Z1

TEST(Z1Block, ReadsWhatItWrites) {
    for (const std::size_t n : {0U, 1U, 100U, 65536U, 300000U}) {
        ByteVector content(n);
        for (std::size_t i = 0; i < n; ++i) content[i] = static_cast<std::uint8_t>(i * i >> 7);
        const ByteVector block = z1::pack(content);
        EXPECT_TRUE(z1::isBlock(block));
        EXPECT_EQ(block[10], 0x78);
        EXPECT_EQ(block[11], 0xda);
        Defects defects;
        EXPECT_EQ(z1::unpack(block, 1 << 30, defects), content);
        EXPECT_TRUE(defects.empty());
    }
}

TEST(Z1Block, ABombIsRefusedBeforeAnythingIsAllocated) {
    ByteVector block = z1::pack(ByteVector(std::size_t{1} << 24));
    ASSERT_LT(block.size(), 30000U);
    Defects defects;
    EXPECT_EQ(kindOf([&] { z1::unpack(block, 1 << 20, defects); }), "z1-size");
    block[2] = 0xff;  // claims 4 GiB
    EXPECT_EQ(kindOf([&] { z1::unpack(block, 1 << 30, defects); }), "z1-size");
    // Allowed by the limit, but more than a stream of this length can hold: nothing near that is taken.
    EXPECT_EQ(z1::unpack(block, std::uint64_t{1} << 33, defects).size(), std::size_t{1} << 24);
    EXPECT_EQ(defects.list().at(0).kind, "z1-size-mismatch");
    block[2] = 0;  // claims less than comes out
    block[3] = 1;
    EXPECT_EQ(kindOf([&] { z1::unpack(block, 1 << 30, defects); }), "z1-data");
}

TEST(Z1Block, SaysWhatDoesNotFitTogether) {
    const ByteVector good = z1::pack(text("hello, hello, hello"));
    const auto warning = [](const ByteVector& block) {
        Defects defects;
        z1::unpack(block, 1 << 20, defects);
        return defects.list().empty() ? Defect{} : defects.list()[0];
    };
    ByteVector block = good;
    block[5] += 1;
    EXPECT_EQ(warning(block).kind, "z1-size-mismatch");
    EXPECT_EQ(warning(block).offset, 2U);
    block = good;
    block[9] ^= 1;
    EXPECT_EQ(warning(block).kind, "z1-adler-mismatch");
    EXPECT_EQ(warning(block).offset, 6U);
    block = good;
    block.push_back(0);
    EXPECT_EQ(warning(block).kind, "z1-trailing");
    EXPECT_EQ(warning(block).offset, good.size());
    block = good;
    block.back() ^= 1;  // the stream's own Adler-32
    Defects defects;
    EXPECT_EQ(kindOf([&] { z1::unpack(block, 1 << 20, defects); }), "z1-data");
}

TEST(Z1Block, EveryTruncationIsAnError) {
    const ByteVector block = z1::pack(library(0.0F));
    for (std::size_t n = 0; n < block.size(); ++n) {
        const ByteVector cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(n));
        Defects defects;
        EXPECT_EQ(kindOf([&] { z1::unpack(cut, 1 << 20, defects); }), "z1-data") << n;
        z1::peek(cut, 100);
    }
}

// ---------------------------------------------------------------------------------------------------- samples

Files load(const fs::path& pak) {
    Files files;
    files.pak = test::readFile(pak);
    files.name = pak.filename().string();
    const std::string part = pak.stem().string() + ".p00";
    if (fs::exists(pak.parent_path() / part)) files.parts[part] = test::readFile(pak.parent_path() / part);
    return files;
}

TEST(IpfbSamples, ThePackHoldsTheOtherSamples) {
    const fs::path folder = test::sourceDir() / "samples" / "collisionset";
    const ByteVector asteroids = test::readFile(folder / "asteroids.bin");
    const ByteVector ship = test::readFile(folder / "ship.bin");
    const Files pack = load(folder / "MiscBin.pak");
    Defects defects;
    EXPECT_EQ(kFormat.extract(pack.input(), {}, "CollisionSet_S01.bin", defects), asteroids);
    EXPECT_EQ(kFormat.extract(pack.input(), {}, "CollisionSet_S02.bin", defects), asteroids);
    EXPECT_EQ(kFormat.extract(pack.input(), {}, "ships/e101.bin", defects), ship);
    EXPECT_EQ(kFormat.extract(pack.input(), {}, "notes.txt", defects), text("stage notes\n"));
    EXPECT_TRUE(defects.empty());
}

// ---------------------------------------------------------------------------------------------------- vectors

std::vector<fs::path> folders() {
    std::vector<fs::path> out{test::sourceDir() / "tests" / "vectors" / "collisionset"};
    if (const auto shared = test::sharedDir()) out.push_back(*shared / "vectors" / "collisionset");
    return out;
}

void expectEntries(const Json& want, const Json& got) {
    EXPECT_EQ(got["count"], want["count"]);
    EXPECT_EQ(got["partLimit"], want["part_limit"]);
    ASSERT_EQ(got["entries"].size(), want["entries"].size());
    for (std::size_t i = 0; i < got["entries"].size(); ++i) {
        for (const auto& [key, value] : want["entries"][i].items()) {
            if (key == "sha256" || key == "warnings") continue;
            EXPECT_EQ(got["entries"][i].value(key, Json()), value) << key;
        }
    }
}

TEST(IpfbVectors, PacksAreWhatTheirVerdictsSay) {
    std::size_t files = 0;
    for (const fs::path& folder : folders()) {
        for (const fs::path& side : test::filesIn(folder, ".json")) {
            const Json verdict = Json::parse(test::readText(side));
            const fs::path path = folder / verdict["file"].get<std::string>();
            if (path.extension() != ".pak") continue;
            SCOPED_TRACE(side.string());
            const Files pack = load(path);
            Defects defects;
            if (verdict.contains("pack") && verdict["pack"]["count"].is_number()) {
                expectEntries(verdict["pack"], summary(pack.input(), {}, defects));
            }
            const std::string entry = verdict.value("entry", "");
            std::string member;
            const std::string kind = kindOf([&] {
                member = entry.empty() ? defaultMember(pack.input(), {}, defects) : entry;
                const ByteVector library = kFormat.extract(pack.input(), {}, member, defects);
                Defects inside;
                const Json info = collisionset::summary(collisionset::survey(library, {}, inside));
                EXPECT_EQ(info["library"]["records"], verdict["library"]["records"]);
                EXPECT_EQ(info["library"]["edges2"], verdict["library"]["edges_2"]);
                ASSERT_EQ(inside.list().size(), verdict["defects"].size());
                for (std::size_t i = 0; i < inside.list().size(); ++i) {
                    EXPECT_EQ(inside.list()[i].kind, verdict["defects"][i]["kind"]);
                    EXPECT_EQ(*inside.list()[i].offset, verdict["defects"][i]["offset"]);
                }
            });
            EXPECT_EQ(kind, verdict["status"] == "error" ? verdict["defects"][0]["kind"] : Json(""));
            ++files;
        }
    }
    std::printf("%zu packs read\n", files);
    EXPECT_GE(files, 5U);
}

TEST(IpfbVectors, MutatedPacksNeverBreakAnything) {
    const Files whole = load(folders().front() / "pack_differ.pak");
    std::uint32_t random = 99;
    const auto next = [&random] { return random = random * 1664525U + 1013904223U, random >> 8; };
    for (int round = 0; round < 3000; ++round) {
        Files files = whole;
        ByteVector& part = files.parts["pack_differ.p00"];
        ByteVector& target = round % 2 == 0 ? files.pak : part;
        target[next() % target.size()] = static_cast<std::uint8_t>(next());
        ReadOptions options;
        options.maxMemory = 1 << 20;
        Defects defects;
        check(files.input(), options, defects);
        kindOf([&] { summary(files.input(), options, defects); });
        kindOf([&] { kFormat.list(files.input(), options, defects); });
        kindOf(
            [&] { kFormat.extract(files.input(), options, defaultMember(files.input(), options, defects), defects); });
    }
}

TEST(IpfbMembers, AWalkOpensEachPartOnce) {
    std::vector<std::pair<std::string, ByteVector>> content;
    for (int i = 0; i < 50; ++i) content.emplace_back("f" + std::to_string(i), text(std::to_string(i)));
    const Files files = made(content);
    Input input = files.input();
    std::size_t opened = 0;
    input.companions = [&, open = input.companions](std::string_view name) {
        ++opened;
        return open(name);
    };
    Defects defects;
    Members members = kFormat.members(input, {}, defects);
    const auto rows = kFormat.list(files.input(), {}, defects);
    ASSERT_EQ(members.names.size(), 50U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(members.names[i], rows[i].name);
        EXPECT_EQ(members.take(i, defects), kFormat.extract(files.input(), {}, rows[i].name, defects));
    }
    EXPECT_EQ(opened, 1U);
    EXPECT_TRUE(defects.empty());
}

}  // namespace
}  // namespace geomconv::ipfb
