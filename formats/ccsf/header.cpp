#include "formats/ccsf/header.hpp"

#include "lib/bytes/text.hpp"

namespace geomconv::ccsf {

namespace {

constexpr std::uint32_t kMagic = 0xcccc0001;
constexpr std::uint64_t kSmallest = 60;
constexpr std::uint64_t kPathSize = 32;
constexpr std::uint64_t kObjectSize = 32;

std::string decoded(Bytes raw) {
    return utf8FromCp932(untilNul(asText(raw)));
}

}  // namespace

void readHeader(ByteReader& in, Document& document, Defects& defects) {
    if (in.size() < kSmallest) {
        in.fail("truncated", std::to_string(in.size()) + " bytes, a scene has at least " + std::to_string(kSmallest));
    }
    if (in.u32("magic") != kMagic) in.failAt("magic", 0, "the first word is not 0xCCCC0001");
    const std::uint32_t size = in.u32("size");
    if (in.fourcc("magic") != "CCSF") in.failAt("magic", 8, "no CCSF at offset 8");
    Header& header = document.header;
    header.rawName = in.bytes(32, "scene name");
    header.name = decoded(header.rawName);
    header.version = in.u16("version");
    in.skip(2, "padding");
    header.frames = in.u32("frames");
    const std::uint32_t count = in.count32(4, "header words");
    header.words.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) header.words.push_back(in.u32("header word"));
    document.chunks.push_back(
        {kind::kHeader, kTag, size, 0, in.all().subspan(8, static_cast<std::size_t>(in.position() - 8))});
    if (header.version < 0x90) {
        defects.warn("version", 44, {}, "version " + hex(header.version) + " is below 0x90, older than any known file");
    } else if (header.version > kHighestKnown) {
        defects.warn("version", 44, {},
                     "version " + hex(header.version) + " is not known; read like " + hex(kHighestKnown));
    }
}

void readIndex(ByteReader& in, Document& document, Defects& defects) {
    const std::uint64_t at = in.offset();
    Chunk chunk;
    chunk.offset = at;
    chunk.kind = in.u16("index kind");
    chunk.tag = in.u16("index tag");
    if (chunk.kind != kind::kIndex)
        in.failAt("no-index", at, "the second chunk is not the index but kind " + hex(chunk.kind));
    chunk.size = in.u32("index size");
    in.name("Index", "");
    const std::uint64_t countsAt = in.offset();
    const std::uint32_t paths = in.u32("file count");
    const std::uint32_t objects = in.u32("object count");
    in.checkCount(paths, kPathSize, "file count", countsAt);
    in.checkCount(std::uint64_t{paths} + objects, kPathSize, "file and object count", countsAt);
    document.paths.reserve(paths);
    for (std::uint32_t i = 0; i < paths; ++i) {
        PathEntry& path = document.paths.emplace_back();
        path.raw = in.bytes(kPathSize, "path");
        path.text = decoded(path.raw);
    }
    document.objects.reserve(objects);
    for (std::uint32_t i = 0; i < objects; ++i) {
        ObjectEntry& object = document.objects.emplace_back();
        object.raw = in.bytes(kObjectSize - 2, "object name");
        object.name = decoded(object.raw);
        object.path = in.u16("object path");
    }
    const auto words = (in.offset() - countsAt) / 4;
    chunk.payload = in.all().subspan(static_cast<std::size_t>(countsAt), static_cast<std::size_t>(words * 4));
    document.chunks.push_back(chunk);
    if (chunk.size != words) {
        defects.warn("index-size", at + 4, in.where(),
                     "size is " + std::to_string(chunk.size) + " words, the counts give " + std::to_string(words));
    }
    in.name("", "");
}

bool Document::isElsewhere(std::uint32_t object) const noexcept {
    if (object >= objects.size() || objects[object].path >= paths.size()) return false;
    return paths[objects[object].path].text.starts_with('#');
}

}  // namespace geomconv::ccsf
