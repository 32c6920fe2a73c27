#include <algorithm>

#include "formats/groove/groove.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::groove {

namespace {

/// Hands the payload of a chunk to a function, or says that the level goes without it.
template <class Read>
void withChunk(Bytes file, const Level& level, std::string_view tag, Defects& defects, Read read) {
    const Chunk* chunk = findChunk(level.container, tag);
    if (chunk == nullptr) {
        defects.warn("missing-chunk", std::nullopt, {}, "no " + std::string(tag) + " chunk");
        return;
    }
    ByteReader in(chunk->payloadIn(file), ByteOrder::Little, chunk->payloadOffset());
    in.name("chunk", chunk->tag.substr(0, chunk->tag.find_last_not_of(' ') + 1));
    read(in);
}

void readLevelFlags(Bytes file, Level& level, Defects& defects) {
    withChunk(file, level, "WFPC", defects, [&](ByteReader& in) {
        level.hasLevelFlags = in.left() >= 4;
        if (level.hasLevelFlags)
            level.levelFlags = in.u32("level flags");
        else
            defects.add(in.defect(Severity::Warning, "truncated", in.offset(), "no level flags, taken as 0"));
    });
}

/// A stream that is short by one pixel is how the originals are.
void warnOfPages(const Level& level, Defects& defects) {
    const Textures& text = *level.text;
    for (std::size_t i = 0; i < text.pages.size(); ++i) {
        if (!text.pages[i].compressed()) continue;
        const Pixels pixels = decodePage(text.pages[i]);
        const std::vector<Place> where{{"page", std::to_string(i)}, {"chunk", "TEXT"}};
        if (pixels.missing > 1) {
            defects.warn("rle-short", std::nullopt, where,
                         "the stream ends " + std::to_string(pixels.missing) + " pixels early, they are 0");
        }
        if (pixels.clipped) defects.warn("rle-long", std::nullopt, where, "a run passes the end of the page");
    }
    for (std::size_t i = 0; i < text.textures.size(); ++i) {
        const Texture& t = text.textures[i];
        if (t.flat() || (t.page >= 0 && static_cast<std::size_t>(t.page) < text.pages.size())) continue;
        defects.warn(
            "page-range", std::nullopt, {{"texture", std::to_string(i)}, {"chunk", "TEXT"}},
            "page " + std::to_string(t.page) + " of " + std::to_string(text.pages.size()) + ", shown untextured");
    }
}

void warnOfTextures(const std::vector<Model>& models, std::string_view noun, std::string_view tag, std::size_t textures,
                    Defects& defects) {
    for (std::size_t i = 0; i < models.size(); ++i) {
        std::size_t odd = 0;
        std::uint16_t highest = 0;
        for (const Face& f : models[i].faces) {
            odd += f.texture >= textures ? 1 : 0;
            highest = std::max(highest, f.texture);
        }
        if (odd == 0) continue;
        defects.warn("texture-range", std::nullopt,
                     {{std::string(noun), std::to_string(i)}, {"chunk", std::string(tag)}},
                     counted(odd, "faces") + " with texture " + std::to_string(highest) + " of " +
                         std::to_string(textures) + ", shown untextured");
    }
}

[[noreturn]] void refuseWithout(std::string_view tag) {
    throw FormatError("missing-chunk", "no " + std::string(tag) + " chunk");
}

Level readWith(Bytes file, Payloads payloads, bool recover, Defects& defects) {
    Level level;
    level.container = readContainer(file, payloads, defects);
    readLevelFlags(file, level, defects);
    withChunk(file, level, "TEXT", defects, [&](ByteReader& in) { level.text = readTextures(in); });
    withChunk(file, level, "TRAK", defects, [&](ByteReader& in) {
        ModelReading reading{defects, recover, false};
        level.trak = readTrak(in, reading);
    });
    withChunk(file, level, "STPC", defects, [&](ByteReader& in) {
        ModelReading reading{defects, recover, false};
        level.stpc = readStpc(in, level.levelFlags, reading);
    });
    withChunk(file, level, "MAP ", defects, [&](ByteReader& in) {
        if (!level.trak) return;  // the models size its colours
        level.map = readMap(in, {level.levelFlags, level.trak->models, defects, recover});
    });
    if (level.text) {
        warnOfPages(level, defects);
        const std::size_t textures = level.text->textures.size();
        if (level.trak) warnOfTextures(level.trak->models, "model", "TRAK", textures, defects);
        if (level.stpc) warnOfTextures(level.stpc->objects, "object", "STPC", textures, defects);
    }
    return level;
}

}  // namespace

Level read(Bytes file, bool recover, Defects& defects) {
    return readWith(file, Payloads::All, recover, defects);
}

Level readToLook(Bytes file, bool recover, Defects& defects) {
    return readWith(file, Payloads::Undecoded, recover, defects);
}

ByteVector write(const Level& level) {
    Container out = level.container;
    const auto put = [&out](std::string_view tag, ByteVector payload) {
        if (Chunk* chunk = findChunk(out, tag)) setPayload(out, *chunk, std::move(payload));
    };
    if (level.text) put("TEXT", writeTextures(*level.text));
    if (level.trak) put("TRAK", writeTrak(*level.trak));
    if (level.stpc) put("STPC", writeStpc(*level.stpc));
    if (level.map) put("MAP ", writeMap(*level.map));
    return writeContainer(out);
}

const Trak& requireTrak(const Level& level) {
    if (!level.trak) refuseWithout("TRAK");
    return *level.trak;
}

const Map& requireMap(const Level& level) {
    if (!level.map) refuseWithout("MAP");
    return *level.map;
}

}  // namespace geomconv::groove
