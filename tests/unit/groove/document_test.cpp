#include <gtest/gtest.h>
#include <zlib.h>

#include <iostream>

#include "tests/unit/groove/vectors.hpp"

namespace geomconv::groove {
namespace {

using nlohmann::json;

std::uint32_t crc(Bytes bytes) {
    return static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<uInt>(bytes.size())));
}
template <class T>
std::uint32_t crcOf(const std::vector<T>& values) {
    return crc({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)});
}

json chunksOf(const Container& c) {
    json out = json::array();
    for (const Chunk& chunk : c.chunks) {
        out.push_back({{"tag", chunk.tag},
                       {"offset", chunk.offset},
                       {"size", chunk.payload.size()},
                       {"declared", chunk.declared}});
    }
    return out;
}

json palettesOf(const Textures& text) {
    json out = json::array();
    for (const Palette& p : text.palettes) out.push_back({{"n", p.colours.size()}, {"crc32", crcOf(p.colours)}});
    return out;
}

json pagesOf(const Textures& text) {
    json out = json::array();
    for (const Page& p : text.pages) {
        const Pixels pixels = decodePage(p);
        out.push_back({{"flags", p.flags},
                       {"w", p.w},
                       {"h", p.h},
                       {"pixels_crc32", p.indexed() ? crcOf(pixels.indices) : crcOf(pixels.words)}});
    }
    return out;
}

json texturesOf(const Textures& text) {
    json out = json::array();
    for (const Texture& t : text.textures) out.push_back({t.flags, t.page, t.palette, t.u0, t.u1, t.v0, t.v1});
    return out;
}

json modelOf(const Model& m, bool object) {
    json out{{"nv", m.vertices.size()}, {"nf", m.faces.size()}, {"coll", m.groups}};
    if (object) {
        out["static"] = m.nStatic;
        out["bones"] = m.bones;
    }
    return out;
}

json tilesOf(const Map& map, bool withB) {
    json out = json::array();
    for (const Tile& t : map.tiles) {
        const Cell cell = cellOf(t);
        json tile{{"cell", {cell.x, cell.z}}, {"b", {t.x, t.y, t.z}}, {"rot", t.ry},
                  {"model", t.model},         {"anim", t.animFlag},   {"sets", t.colours.sets}};
        if (withB) tile["sets_b"] = t.swapColours ? json(t.swapColours->sets) : json(nullptr);
        out.push_back(std::move(tile));
    }
    return out;
}

json without(json list, const char* key) {
    for (auto& item : list) item.erase(key);
    return list;
}

void compare(const json& expected, const Level& level) {
    EXPECT_EQ(framingName(level.container.framing), expected.value("framing", "F0"));
    EXPECT_EQ(chunksOf(level.container), expected["chunks"]);
    EXPECT_EQ(level.container.trailing.size(), expected["trailing_bytes"]);
    const json& lengthWord = expected["length_word"];
    EXPECT_EQ(level.container.framing == Framing::F3 ? json(nullptr) : json(level.container.lengthWord), lengthWord);
    EXPECT_EQ(level.levelFlags, expected["wfpc"]);

    const json& text = expected["text"];
    EXPECT_EQ(palettesOf(*level.text), text["palettes"]);
    EXPECT_EQ(pagesOf(*level.text), without(text["pages"], "mode"));
    EXPECT_EQ(texturesOf(*level.text), text["textures"]);
    EXPECT_EQ(level.text->rest.size(), text["rest_len"]);

    json models = json::array();
    for (const Model& m : level.trak->models) models.push_back(modelOf(m, false));
    EXPECT_EQ(models, without(expected["trak"]["models"], "name"));

    const json& stpc = expected["stpc"];
    json objects = json::array();
    for (const Model& m : level.stpc->objects) objects.push_back(modelOf(m, true));
    EXPECT_EQ(objects, without(stpc["models"], "name"));
    EXPECT_EQ(variantName(level.stpc->variant), stpc["variant"]);
    EXPECT_EQ(level.stpc->animations.size(), stpc["n2"]);
    EXPECT_EQ(level.stpc->cutscenes ? json(level.stpc->cutscenes->size()) : json(nullptr), stpc["n3"]);
    EXPECT_EQ(level.stpc->tailSize, stpc["tail_len"]);
    EXPECT_EQ(level.stpc->scripts, stpc["scripts"].get<std::uint32_t>());

    const json& map = expected["map"];
    EXPECT_EQ(level.map->w, map["w"]);
    EXPECT_EQ(level.map->h, map["h"]);
    json zones = json::array();
    for (const Zone& z : level.map->zones) zones.push_back({z.mask, z.waterLevel});
    EXPECT_EQ(zones, map["zones"]);
    EXPECT_EQ(crcOf(level.map->zoneGrid), map["grid_crc32"]);
    json swaps = nullptr;
    if (level.map->swaps) {
        swaps = json::array();
        for (const Swap& s : *level.map->swaps) swaps.push_back({s.cellX, s.y, s.cellZ, s.modelA, s.modelB});
    }
    EXPECT_EQ(swaps, map["swaps"]);
    EXPECT_EQ(tilesOf(*level.map, map["tiles"][0].contains("sets_b")), map["tiles"]);
    EXPECT_EQ(level.map->rest.size(), map["rest_len"]);
    EXPECT_TRUE(level.map->restLands);
}

TEST(GrooveVectors, DecodeAsExpected) {
    const auto vectors = test::levelVectors();
    for (const auto& v : vectors) {
        SCOPED_TRACE(v.path.filename().string());
        EXPECT_EQ(crc(v.bytes), v.expected["crc32"]);
        Defects defects;
        compare(v.expected, read(v.bytes, false, defects));
        EXPECT_EQ(defects.count(Severity::Error), 0U);
        for (const Defect& d : defects.list()) {
            EXPECT_TRUE(d.kind == "length-word" || d.kind == "size-word") << toText(d);
        }
    }
    std::cout << "groove: " << vectors.size() << " levels read\n";
}

TEST(GrooveVectors, WriteBackTheSameBytes) {
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Defects defects;
        const Level level = read(v.bytes, false, defects);
        EXPECT_EQ(writeContainer(level.container), v.bytes);
        EXPECT_EQ(writeTextures(*level.text), findChunk(level.container, "TEXT")->payload);
        EXPECT_EQ(writeTrak(*level.trak), findChunk(level.container, "TRAK")->payload);
        EXPECT_EQ(writeStpc(*level.stpc), findChunk(level.container, "STPC")->payload);
        EXPECT_EQ(writeMap(*level.map), findChunk(level.container, "MAP ")->payload);
        EXPECT_EQ(write(level), v.bytes);
    }
}

}  // namespace
}  // namespace geomconv::groove
