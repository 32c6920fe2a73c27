#include "exporters/gltf/document.hpp"
#include "lib/bytes/byte_reader.hpp"

namespace geomconv::gltf {

namespace {

constexpr std::string_view kMagicText = "glTF";

void readChunk(ByteReader& in, std::size_t number, Container& out, bool& hasJson, Defects& defects) {
    const std::uint64_t at = in.offset();
    const std::uint32_t length = in.u32("chunk length");
    const std::uint32_t type = in.u32("chunk type");
    if (length % 4 != 0) {
        defects.warn("glb-chunk", at, {{"chunk", std::to_string(number)}}, "chunk length is no multiple of 4");
    }
    const std::uint64_t start = in.offset();
    const Bytes bytes = in.bytes(length, "chunk bytes");
    if (number == 0) {
        if (type != kJsonChunk)
            in.failAt("glb-chunk", at + 4, "the first chunk is of type " + hex(type) + ", not JSON");
        out.json = bytes.first(asText(bytes).find_last_not_of('\0') + 1);
        if (out.json.size() < bytes.size()) {
            defects.warn("glb-chunk", start + out.json.size(), {{"chunk", std::to_string(number)}},
                         "the JSON is filled up with zeros, not with blanks");
        }
        out.jsonOffset = start;
        hasJson = true;
    } else if (type == kBinChunk && number == 1) {
        out.bin = bytes;
        out.binOffset = start;
    } else if (type == kBinChunk || type == kJsonChunk) {
        in.failAt("glb-chunk", at + 4, "a second JSON chunk, or a BIN chunk that is not the second one");
    }
}

}  // namespace

Container openContainer(Bytes bytes, Defects& defects) {
    Container out;
    if (!asText(bytes).starts_with(kMagicText)) {
        out.json = bytes;
        return out;
    }
    ByteReader header(bytes);
    header.skip(4, "magic");
    const std::uint32_t version = header.u32("version");
    if (version != kGlbVersion) {
        header.failAt("glb-version", 4, "version " + std::to_string(version) + ", only 2 can be read");
    }
    const std::uint32_t length = header.u32("length");
    if (length > bytes.size()) {
        header.failAt("truncated", 8,
                      "length " + std::to_string(length) + ", the file has " + std::to_string(bytes.size()));
    }
    if (length < kGlbHeader)
        header.failAt("truncated", 8, "length " + std::to_string(length) + " ends inside the header");
    if (length < bytes.size()) {
        defects.warn("trailing", length, {},
                     std::to_string(bytes.size() - length) + " bytes behind the end of the file");
    }
    ByteReader in(bytes.first(length));
    in.skip(kGlbHeader, "header");
    bool hasJson = false;
    for (std::size_t number = 0; in.left() > 0; ++number) {
        in.name("chunk", std::to_string(number));
        readChunk(in, number, out, hasJson, defects);
    }
    if (!hasJson) in.fail("glb-chunk", "there is no JSON chunk");
    return out;
}

}  // namespace geomconv::gltf
