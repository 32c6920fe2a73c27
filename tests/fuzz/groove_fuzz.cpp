#include <algorithm>
#include <cstdlib>

#include "formats/groove/floortest.hpp"
#include "formats/groove/format.hpp"
#include "formats/groove/groove.hpp"

// A whole level, or by its first byte one chunk alone. What reads must come out again byte for byte; nothing may crash.
namespace {

using namespace geomconv;
using namespace geomconv::groove;

void require(bool law) {
    if (!law) std::abort();
}

bool same(Bytes a, Bytes b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

void useLevel(Bytes bytes, bool recover) {
    Defects defects;
    const Level level = read(bytes, recover, defects);
    if (!recover) require(same(write(level), bytes));
    SceneOptions options;
    options.content = ContentSet::all();
    toScene(level, "a.wad", options, defects);
    check(level, bytes, true, defects);
    NullSink sink;
    toJson(level, sink);
    const FloorTest test(level);
    for (std::int32_t i = 0; i < 16; ++i) test.candidates({i * 1009, 4096, i * 997});
}

void useChunk(Bytes bytes, std::uint8_t selector) {
    Defects defects;
    ModelReading reading{defects, (selector & 8) != 0, false};
    ByteReader in(bytes);
    switch (selector & 3) {
        case 0: {
            const Textures text = readTextures(in);
            require(same(writeTextures(text), bytes));
            for (std::size_t i = 0; i < std::min<std::size_t>(text.pages.size(), 4); ++i) pageImage(text, i, defects);
            break;
        }
        case 1:
            require(same(writeTrak(readTrak(in, reading)), bytes) || reading.recover);
            break;
        case 2:
            require(same(writeStpc(readStpc(in, kFlagCutscenes, reading)), bytes) || reading.recover);
            break;
        default: {
            const std::vector<Model> models(4);
            require(same(writeMap(readMap(in, {0xFFFFFFFF, models, defects, reading.recover})), bytes) ||
                    reading.recover);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes(data, size);
    const auto quietly = [](auto use) {
        try {
            use();
        } catch (const FormatError&) {
        }
    };
    quietly([&] { useLevel(bytes, false); });
    quietly([&] { useLevel(bytes, true); });
    if (size > 0) quietly([&] { useChunk(bytes.subspan(1), data[0]); });
    return 0;
}
