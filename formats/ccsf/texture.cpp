// Texture 0x0300 and Clut 0x0400.

#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

namespace {

constexpr std::uint32_t kBtxMark = 0xffffffff;
constexpr std::uint32_t kSmallestBtxHeader = 64;
constexpr std::uint8_t kExplicitSize = 0xff;
constexpr std::uint8_t kHighestSize = 15;
constexpr std::uint8_t kHighestMipmap = 3;

bool isDxt(std::uint8_t psm) {
    return psm >= 0x87 && psm <= 0x89;
}

/// DXT pixels: the mark, an unread word, the btx block with its header, align4 behind it.
void readBtx(ByteReader& in, Reading& reading, Texture& texture) {
    if (in.u32("btx mark") != kBtxMark)
        in.fail("texture", "psm " + hex(texture.psm) + " without the mark of a btx block");
    in.skip(4, "unread word");
    const std::uint64_t start = in.position();
    Btx btx;
    if (in.string(4, "btx magic").substr(0, 3) != "btx")
        in.fail("texture", "psm " + hex(texture.psm) + " without a btx block");
    btx.version = in.u32("btx version");
    btx.width = in.u16("btx width");
    btx.height = in.u16("btx height");
    btx.mips = in.u16("btx mips");
    in.skip(2, "btx field 14");
    btx.format = in.u16("btx format");
    in.skip(6, "btx field 18");
    btx.headerSize = in.u32("btx header size");
    in.skip(4, "btx field 28");
    btx.blockSize = in.u32("btx block size");
    if (btx.blockSize < btx.headerSize || btx.headerSize < kSmallestBtxHeader) {
        in.fail("texture", "a btx block of " + std::to_string(btx.blockSize) + " bytes with a header of " +
                               std::to_string(btx.headerSize));
    }
    in.at(start, "btx block");
    in.skip(btx.headerSize, "btx header");
    texture.levels.push_back({0, 0, in.bytes(btx.blockSize - btx.headerSize, "btx pixels")});
    in.skip((4 - in.offset() % 4) % 4, "padding");
    if (btx.format != texture.psm - 0x87 + 7) {
        reading.warn(in, "texture-format",
                     "btx format " + std::to_string(btx.format) + " does not fit psm " + hex(texture.psm));
    }
    if (texture.mipmap != 0) in.fail("texture", "mip maps of a DXT texture are not known");
    const bool sized = texture.tw <= kHighestSize && texture.th <= kHighestSize;
    if (sized && (btx.width != 1U << texture.tw || btx.height != 1U << texture.th)) {
        reading.warn(in, "texture-size",
                     "the btx block has " + std::to_string(btx.width) + " x " + std::to_string(btx.height) +
                         " pixels, the head " + std::to_string(1U << texture.tw) + " x " +
                         std::to_string(1U << texture.th));
    }
    texture.width = btx.width;
    texture.height = btx.height;
    texture.btx = btx;
}

}  // namespace

Texture readTexture(ByteReader& in, Reading& reading) {
    const std::uint16_t version = reading.document.version();
    Texture texture;
    texture.chunk = reading.chunk;
    texture.object = reading.object(in, "texture");
    texture.clut = reading.object(in, "clut");
    if (version >= 0x92) texture.bltGroup = in.u32("bltGroup");
    texture.flag = in.u8("flag");
    texture.psm = in.u8("psm");
    if (version >= 0x90) {
        texture.mipmap = in.u8("mipmap");
        texture.aref = in.u8("aref");
        texture.tw = in.u8("tw");
        texture.th = in.u8("th");
    }
    in.skip(2, "padding");
    if (isDxt(texture.psm)) {
        readBtx(in, reading, texture);
        return texture;
    }
    if (texture.tw == kExplicitSize || texture.th == kExplicitSize) {
        // Link on the PSP: pixels in an order that is not known.
        in.fail("psp-texture", "tw or th 0xff: pixels in the order of the PSP, which is not known; kept as bytes");
    }
    if (version >= 0x90) {
        if (texture.tw > kHighestSize || texture.th > kHighestSize) {
            in.fail("texture", "size 2^" + std::to_string(texture.tw) + " x 2^" + std::to_string(texture.th) +
                                   ", the highest is 2^15");
        }
        texture.width = 1U << texture.tw;
        texture.height = 1U << texture.th;
    } else {
        reading.warn(in, "texture-size", "below version 0x90 width and height are not stored");
    }
    if (texture.mipmap > kHighestMipmap) {
        in.fail("texture",
                std::to_string(texture.mipmap) + " mip maps, the highest is " + std::to_string(kHighestMipmap));
    }
    for (unsigned i = 0; i <= texture.mipmap; ++i) {
        TextureLevel level;
        level.bufX = in.u16("level bufX");
        level.bufY = in.u16("level bufY");
        const std::uint32_t count = in.count32(4, "level word count");
        level.pixels = in.bytes(4 * std::uint64_t{count}, "level pixels");
        texture.levels.push_back(level);
    }
    return texture;
}

void readClut(ByteReader& in, Reading& reading) {
    const std::uint16_t version = reading.document.version();
    Clut clut;
    clut.chunk = reading.chunk;
    clut.object = reading.object(in, "clut");
    if (version >= 0x92) clut.bltGroup = in.u32("bltGroup");
    if (version >= 0x90) {
        clut.flag = in.u8("flag");
        clut.cpsm = in.u8("cpsm");
        in.skip(2, "unread bytes");
        clut.bufX = in.u16("bufX");
        clut.bufY = in.u16("bufY");
    }
    clut.count = in.count32(4, "colour count");
    clut.colours = in.bytes(4 * std::uint64_t{clut.count}, "colours");
    if (clut.count != 16 && clut.count != 256) {
        reading.warn(in, "clut-count", std::to_string(clut.count) + " colours, 16 or 256 are usual");
    }
    reading.document.cluts.push_back(clut);
}

}  // namespace geomconv::ccsf
