#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <random>

#include "formats/groove/floortest.hpp"
#include "formats/groove/format.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/unit/groove/vectors.hpp"

namespace geomconv::groove {
namespace {

using nlohmann::json;

/// Everything that a converter may do with a file; what it throws is let through.
void useAll(Bytes bytes, bool recover, Defects& defects) {
    Input input;
    input.name = "level.wad";
    input.bytes = bytes;
    ReadOptions options;
    options.recover = recover;
    options.content = ContentSet::all();
    const Scene scene = kFormat.readScene(input, options, defects);
    ASSERT_EQ(geomconv::test::sceneFaults(scene), std::vector<std::string>());
    options.format.set("needles", "");
    kFormat.check(input, options, defects);
    kFormat.info(input, options, defects);
    NullSink sink;
    kFormat.dump(input, options, sink, defects);
    for (const Member& m : kFormat.list(input, options, defects)) kFormat.extract(input, options, m.name, defects);
    const FloorTest test(read(bytes, recover, defects));
    for (std::int32_t i = 0; i < 64; ++i) test.candidates({i * 997, 4096, i * 1009});
}

std::string outcomeOf(Bytes bytes, bool recover, std::string& said) {
    Defects defects;
    try {
        useAll(bytes, recover, defects);
    } catch (const FormatError& error) {
        said = error.what();
        return "error";
    }
    for (const Defect& d : defects.list()) said += toText(d) + "; ";
    return defects.empty() ? "ok" : "warn";
}

std::filesystem::path malformedDir() {
    return geomconv::test::sourceDir() / "tests/vectors/groove/malformed";
}

TEST(GrooveMalformed, EndsAsItsVerdictSays) {
    const json verdicts = json::parse(geomconv::test::readText(malformedDir() / "MALFORMED.json"));
    for (const json& row : verdicts["files"]) {
        const std::string file = row["file"];
        SCOPED_TRACE(file);
        const ByteVector bytes = geomconv::test::readFile(malformedDir() / file);
        const auto start = std::chrono::steady_clock::now();
        std::string said;
        const std::string outcome = outcomeOf(bytes, false, said);
        EXPECT_NE(std::find(row["allow"].begin(), row["allow"].end(), outcome), row["allow"].end())
            << outcome << ": " << said;
        if (row.contains("lenient")) {
            EXPECT_EQ(outcomeOf(bytes, true, said), "warn");
        }
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
    }
}

TEST(GrooveMalformed, SaysWhatAndWhere) {
    const auto said = [](const char* file) {
        std::string text;
        outcomeOf(geomconv::test::readFile(malformedDir() / file), false, text);
        return text;
    };
    EXPECT_NE(said("short.wad").find("not an Argonaut WAD"), std::string::npos);
    EXPECT_NE(said("garbage.wad").find("not an Argonaut WAD"), std::string::npos);
    EXPECT_NE(said("cut_map.wad").find("chunk MAP at 0x"), std::string::npos) << said("cut_map.wad");
    EXPECT_NE(said("face_vertex_oob.wad").find("model "), std::string::npos);
    EXPECT_NE(said("face_vertex_oob.wad").find("face "), std::string::npos);
    EXPECT_NE(said("tile_model_oob.wad").find("tile "), std::string::npos);
}

/// A level of a few KB from the vectors.
ByteVector smallLevel(const char* name) {
    return geomconv::test::readFile(geomconv::test::sourceDir() / "tests/vectors/groove" / name);
}

TEST(GrooveTruncation, EveryLengthEndsInAnErrorOrALevel) {
    for (const char* name : {"lvl_modelb.wad", "lvl_f1.wad", "lvl_f2.wad", "lvl_f3.wad", "lvl_slack.wad"}) {
        const ByteVector whole = smallLevel(name);
        std::size_t errors = 0;
        for (std::size_t n = 0; n < whole.size(); ++n) {
            // An allocation of its own, so that a sanitizer sees one byte too many.
            const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
            Defects defects;
            try {
                read(cut, false, defects);
            } catch (const FormatError&) {
                errors += 1;
            }
        }
        EXPECT_GT(errors, whole.size() * 9 / 10) << name;
    }
}

TEST(GrooveTruncation, EveryLengthOfEveryChunkIsKeptInside) {
    const ByteVector whole = smallLevel("lvl_modelb.wad");
    Defects defects;
    const Level level = read(whole, false, defects);
    for (const char* tag : {"TEXT", "TRAK", "STPC", "MAP "}) {
        const ByteVector payload = findChunk(level.container, tag)->payload;
        for (std::size_t n = 0; n < payload.size(); ++n) {
            Container cut = level.container;
            setPayload(cut, *findChunk(cut, tag), {payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(n)});
            Defects ignored;
            try {
                read(writeContainer(cut), false, ignored);
            } catch (const FormatError& error) {
                EXPECT_FALSE(error.defect().kind.empty());
            }
        }
    }
}

TEST(GrooveMutations, NeverCrashAndWriteBackWhatTheyRead) {
    std::mt19937 random(20);
    std::size_t readable = 0;
    for (const char* name : {"lvl_modelb.wad", "lvl_flags.wad", "lvl_records.wad", "lvl_f2.wad"}) {
        const ByteVector whole = smallLevel(name);
        for (int round = 0; round < 400; ++round) {
            ByteVector bytes = whole;
            const std::size_t edits = 1 + random() % 4;
            for (std::size_t e = 0; e < edits; ++e) {
                const std::size_t at = random() % bytes.size();
                constexpr std::array<std::uint8_t, 6> kTelling{0, 1, 0x7f, 0x80, 0xfe, 0xff};
                bytes[at] =
                    random() % 2 == 0 ? kTelling[random() % kTelling.size()] : static_cast<std::uint8_t>(random());
            }
            Defects defects;
            try {
                EXPECT_EQ(write(read(bytes, false, defects)), bytes);
                readable += 1;
            } catch (const FormatError&) {
            }
            std::string said;
            outcomeOf(bytes, true, said);
        }
    }
    std::cout << "groove: " << readable << " of 1600 mutated levels readable\n";
}

}  // namespace
}  // namespace geomconv::groove
