#include <gtest/gtest.h>

#include <numeric>

#include "formats/groove/floortest.hpp"
#include "formats/groove/format.hpp"
#include "tests/unit/groove/vectors.hpp"

namespace geomconv::groove {
namespace {

// ------------------------------------------------------------------------------------------------- container

void chunk(ByteWriter& out, std::string_view tag, std::uint32_t declared, std::string_view payload) {
    for (std::size_t i = 4; i-- > 0;) out.u8(static_cast<std::uint8_t>(tag[i]));
    out.u32(declared);
    out.text(payload);
}

ByteVector tiny(bool word, std::uint32_t header, std::string_view fill) {
    ByteWriter out;
    if (word) out.u32(0);
    chunk(out, "INFO", 4 + header, "abcd");
    chunk(out, "WFPC", 5 + header, "12345");
    out.text(fill);
    chunk(out, "END ", header, "");
    return out.finish();
}

TEST(GrooveContainer, WalksEveryFraming) {
    const auto framing = [](const ByteVector& bytes) {
        Defects defects;
        const Container c = readContainer(bytes, Payloads::All, defects);
        EXPECT_EQ(c.chunks.size(), 3U);
        EXPECT_EQ(asText(findChunk(c, "WFPC")->payload), "12345");
        EXPECT_EQ(writeContainer(c), bytes);
        return framingName(c.framing);
    };
    EXPECT_EQ(framing(tiny(true, 0, "")), "F0");
    EXPECT_EQ(framing(tiny(true, 8, "")), "F1");
    EXPECT_EQ(framing(tiny(true, 0, {"\0\0\0", 3})), "F2");
    EXPECT_EQ(framing(tiny(false, 0, "")), "F3");
}

TEST(GrooveContainer, NamesChunksInReadingOrder) {
    ByteWriter out;
    out.u32(24);
    out.text("CPTS");
    out.u32(4);
    out.u32(7);
    out.text(" DNE");
    out.u32(0);
    Defects defects;
    const Container c = readContainer(out.finish(), Payloads::All, defects);
    EXPECT_EQ(c.chunks[0].tag, "STPC");
    EXPECT_EQ(c.chunks[1].tag, "END ");
}

TEST(GrooveContainer, AChangedChunkIsFramedAsTheFileIs) {
    for (const auto& bytes : {tiny(true, 0, ""), tiny(true, 8, ""), tiny(true, 0, {"\0\0\0", 3}), tiny(false, 0, "")}) {
        Defects defects;
        Container c = readContainer(bytes, Payloads::All, defects);
        const std::uint32_t word = c.lengthWord;
        setPayload(c, *findChunk(c, "INFO"), ByteVector(10, 'x'));
        const ByteVector longer = writeContainer(c);
        const Container again = readContainer(longer, Payloads::All, defects);
        EXPECT_EQ(again.framing, c.framing);
        EXPECT_EQ(findChunk(again, "INFO")->payload, ByteVector(10, 'x'));
        EXPECT_EQ(asText(findChunk(again, "WFPC")->payload), "12345");
        if (c.framing != Framing::F3) {
            EXPECT_EQ(again.lengthWord - word, longer.size() - bytes.size());
        }
    }
}

TEST(GrooveContainer, KeepsAndReportsBytesBehindEnd) {
    ByteVector bytes = tiny(true, 0, "");
    bytes.push_back(9);
    Defects defects;
    const Container c = readContainer(bytes, Payloads::All, defects);
    EXPECT_EQ(c.trailing, ByteVector{9});
    EXPECT_EQ(defects.count("trailing"), 1U);
    EXPECT_EQ(writeContainer(c), bytes);
}

TEST(GrooveContainer, TellsRelativesByTheirHeads) {
    const auto said = [](std::string_view head) {
        ByteVector bytes(64, 0);
        std::copy(head.begin(), head.end(), bytes.begin());
        Defects defects;
        try {
            readContainer(bytes, Payloads::All, defects);
        } catch (const FormatError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(said("IWAD").find("DOOM"), std::string::npos);
    EXPECT_NE(said({"\0\0\0\0TPSX", 8}).find("PlayStation"), std::string::npos);
    EXPECT_NE(said("TPSX").find("PlayStation"), std::string::npos);
}

// ------------------------------------------------------------------------------------------------------ TEXT

Page rlePage(std::uint32_t w, std::uint32_t h, const std::vector<std::uint16_t>& words) {
    Page page{0x80, w, h, {}};
    for (const auto word : words) {
        page.body.push_back(static_cast<std::uint8_t>(word & 0xff));
        page.body.push_back(static_cast<std::uint8_t>(word >> 8));
    }
    return page;
}

TEST(GrooveRle16, TakesLiteralsAndRuns) {
    using Words = std::vector<std::uint16_t>;
    const auto decoded = [](std::uint32_t w, const Words& stream) { return decodePage(rlePage(w, 1, stream)); };
    EXPECT_EQ(decoded(5, {2, 7, 8, 0xfffd, 9}).words, (Words{7, 8, 9, 9, 9}));
    EXPECT_EQ(decoded(2, {0, 0, 2, 1, 2}).words, (Words{1, 2})) << "no literals is legal";
    EXPECT_EQ(decoded(4, {0xfff0, 5}).words, (Words{5, 5, 5, 5}));
    EXPECT_TRUE(decoded(4, {0xfff0, 5}).clipped);
    EXPECT_EQ(decoded(4, {9, 1, 2}).words, (Words{1, 2, 0, 0})) << "cut literals are what is there";
    EXPECT_EQ(decoded(4, {9, 1, 2}).missing, 2U);
    EXPECT_EQ(decoded(3, {0xffff}).words, (Words{0, 0, 0})) << "a run without its pixel";
    const auto longest = decodePage(rlePage(4096, 8, {0x8000, 3}));
    EXPECT_EQ(longest.words, Words(32768, 3));
}

TEST(GrooveRle16, EncodesWhatItDecodes) {
    std::vector<std::uint16_t> words(70000, 4);
    for (std::size_t i = 0; i < 40000; ++i) words[i] = static_cast<std::uint16_t>(i * i >> 5);
    words.resize(256 * 256);
    const Page page{0x80, 256, 256, encodeRle16(words)};
    EXPECT_EQ(decodePage(page).words, words);
    // Three equal pixels outside of literals are a run, two inside are literals.
    EXPECT_EQ(encodeRle16({5, 5}), (ByteVector{0xfe, 0xff, 5, 0}));
    EXPECT_EQ(encodeRle16({1, 5, 5, 2}), (ByteVector{4, 0, 1, 0, 5, 0, 5, 0, 2, 0}));
}

TEST(GroovePage, WordZeroIsTransparentAndBlackIsNot) {
    Textures text;
    text.pages.push_back({1, 3, 1, {0, 0, 0, 0x80, 0x1f, 0x00}});
    Defects defects;
    const Image image = pageImage(text, 0, defects);
    ASSERT_EQ(image.palette.size(), 3U);
    EXPECT_EQ(image.palette[image.indexed[0]], (std::array<std::uint8_t, 4>{0, 0, 0, 0}));
    EXPECT_EQ(image.palette[image.indexed[1]], (std::array<std::uint8_t, 4>{0, 0, 0, 255}));
    EXPECT_EQ(image.palette[image.indexed[2]], (std::array<std::uint8_t, 4>{255, 0, 0, 255}));
}

TEST(GroovePage, EightBitPagesTakeThePaletteOfTheirFirstTexture) {
    Textures text;
    text.pages.push_back({0, 2, 1, {1, 7}});
    Defects defects;
    EXPECT_EQ(pageImage(text, 0, defects).palette[7], (std::array<std::uint8_t, 4>{7, 7, 7, 255}))
        << "grey without one";
    text.palettes.push_back({0, {0, 0x03e0}, {0, 0}});
    text.textures.push_back({0, 0, 0, 0, 1, 0, 0});
    const Image image = pageImage(text, 0, defects);
    EXPECT_EQ(image.palette[1], (std::array<std::uint8_t, 4>{0, 255, 0, 255}));
    EXPECT_EQ(image.palette[7], (std::array<std::uint8_t, 4>{255, 0, 255, 255})) << "beyond the palette";
    EXPECT_EQ(defects.count("palette-range"), 1U);
}

TEST(GrooveText, RefusesPagesThatUnpackToMoreThanAnyLevelHas) {
    ByteWriter out;
    out.u32(0);
    out.u32(3);
    for (int i = 0; i < 3; ++i) {
        for (const std::uint32_t v : {0x80U, 4096U, 4096U, 0U}) out.u32(v);
    }
    const ByteVector bytes = out.finish();
    ByteReader in(bytes);
    EXPECT_THROW(readTextures(in), FormatError);
}

// ---------------------------------------------------------------------------------------------------- models

TEST(GrooveUv, CornersFollowTheTable) {
    // T/B and L/R of the corners v0 v1 v2, from the table of FORMAT.md.
    const auto spelled = [](std::uint16_t flags) {
        std::string text;
        for (const auto c : uvCorners(flags)) {
            text += (c & 2) != 0 ? 'B' : 'T';
            text += (c & 1) != 0 ? "R " : "L ";
        }
        return text;
    };
    EXPECT_EQ(spelled(0x0000), "BR BL TR ");
    EXPECT_EQ(spelled(0x0010), "BR BL TR ");
    EXPECT_EQ(spelled(0x0020), "BL BR TL ");
    EXPECT_EQ(spelled(0x0800), "BR BL TL ");
    EXPECT_EQ(spelled(0x0820), "BL BR TR ");
    EXPECT_EQ(spelled(0x0810), "TL TR BR ");
    EXPECT_EQ(spelled(0x0830), "TR TL BL ");
}

TEST(GrooveMap, CellsAreTruncatedNotFloored) {
    const auto index = [](float x, float z, std::int64_t w) {
        Tile t;
        t.position = Vec3(x, 0.0F, z);
        const Cell c = cellOf(t);
        return c.x + c.z * w;
    };
    EXPECT_EQ(index(36.5F, -55.5F, 96), 5316);
    EXPECT_EQ(index(39.5F, -46.5F, 96), 4455);
    EXPECT_EQ(index(36.5F, -55.5F, 80), 4436);
    EXPECT_EQ(index(3.25F, -0.5F, 96), 2) << "not in the middle of a cell: not the floor";
    Tile far;
    far.position = Vec3(3e38F, 0.0F, -3e38F);
    Map map;
    map.w = map.h = 4;
    EXPECT_FALSE(inGrid(map, cellOf(far)));
}

TEST(GrooveMap, CellListsRunDownward) {
    Map map;
    map.w = map.h = 2;
    map.tiles.resize(3);
    for (Tile& t : map.tiles) t.position = Vec3(1.5F, 0.0F, -0.5F);
    map.tiles[1].position.x = 0.5F;
    const CellLists lists = cellLists(map);
    EXPECT_EQ(lists.starts, (std::vector<std::uint32_t>{0, 1, 3, 3, 3}));
    EXPECT_EQ(lists.tiles, (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(GrooveTurn, MeetsTheMeasuredPoint) {
    // Tile at (57.5, 2, 43.5), turned by 3072: the point (57.204, 43.733) is (0.233, 0.296) in its own space.
    Tile t;
    t.ry = 3072;
    t.x = 235520;
    t.y = 8192;
    t.z = 178176;
    const Vec3d world = placed(t, tileTurn(t), Vec3d(0.233, 0.0, 0.296));
    EXPECT_NEAR(world.x, 57.204, 1e-9);
    EXPECT_NEAR(world.z, 43.733, 1e-9);
}

// ---------------------------------------------------------------------------------------------------- format

TEST(GrooveFormat, EveryVectorIsValid) {
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Input input;
        input.name = "level.wad";
        input.bytes = v.bytes;
        EXPECT_EQ(kFormat.probe(input.bytes, input.name), Confidence::Certain);
        Defects defects;
        kFormat.check(input, {}, defects);
        for (const Defect& d : defects.list()) {
            EXPECT_TRUE(d.kind == "length-word" || d.kind == "size-word") << toText(d);
        }
    }
}

TEST(GrooveFormat, DumpIsJson) {
    for (const auto& v : test::levelVectors()) {
        Input input;
        input.bytes = v.bytes;
        MemorySink sink;
        Defects defects;
        kFormat.dump(input, {}, sink, defects);
        const auto json = nlohmann::json::parse(sink.takeText());
        EXPECT_EQ(json["document"], "groove");
        EXPECT_EQ(json["map"]["tiles"].size(), v.expected["map"]["n"]);
    }
}

TEST(GrooveFormat, ExtractGivesTheChunk) {
    const auto vectors = test::levelVectors();
    ASSERT_FALSE(vectors.empty());
    Input input;
    input.bytes = vectors.front().bytes;
    Defects defects;
    const auto members = kFormat.list(input, {}, defects);
    EXPECT_EQ(members.back().name, "END");
    for (const Member& m : members) EXPECT_EQ(kFormat.extract(input, {}, m.name, defects).size(), m.size);
    EXPECT_THROW(kFormat.extract(input, {}, "NONE", defects), FormatError);
}

TEST(GrooveFloorReport, IsJsonWithEveryCandidate) {
    for (const auto& v : test::levelVectors()) {
        Defects defects;
        const FloorTest test(read(v.bytes, false, defects));
        std::vector<FloorProbe> probes;
        for (const auto& q : v.expected["floor"]) probes.push_back({q["p"][0], q["p"][1], q["p"][2]});
        MemorySink sink;
        writeFloorJson(test, probes, {}, sink);
        const auto json = nlohmann::json::parse(sink.takeText());
        ASSERT_EQ(json["probes"].size(), probes.size());
        for (std::size_t i = 0; i < probes.size(); ++i) {
            EXPECT_EQ(json["probes"][i]["candidates"].size(), test.polygonsAt(probes[i]));
        }
        writeFloorText(test, probes, {}, sink);
        EXPECT_NE(sink.takeText().find("floor"), std::string::npos);
    }
}

}  // namespace
}  // namespace geomconv::groove
