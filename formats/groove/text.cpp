#include <algorithm>
#include <array>

#include "formats/groove/groove.hpp"

namespace geomconv::groove {

namespace {

constexpr std::uint32_t kMostSide = 4096;
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 24;
/// What all pages of a chunk may unpack to, in pixels: so many in any case, and so many more per byte of the chunk.
constexpr std::uint64_t kFreePixels = std::uint64_t{1} << 24;
constexpr std::uint64_t kPixelsPerByte = 8;
constexpr std::size_t kLongestRun = 32767;

using Rgba = std::array<std::uint8_t, 4>;

ByteVector copied(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

Palette readPalette(ByteReader& in) {
    Palette p;
    p.id = in.s32("palette id");
    p.colours.resize(in.count32(3, "palette size"));
    for (auto& c : p.colours) c = in.u16("palette colour");
    p.extra = copied(in.bytes(p.colours.size(), "palette bytes"));
    return p;
}

void writePalette(ByteWriter& out, const Palette& p) {
    out.s32(p.id);
    out.u32(p.colours.size(), "palette size");
    for (const auto c : p.colours) out.u16(c);
    out.bytes(p.extra);
}

Page readPage(ByteReader& in) {
    Page p;
    p.flags = in.u32("page flags");
    p.w = in.u32("page width");
    p.h = in.u32("page height");
    if (p.w > kMostSide || p.h > kMostSide || p.pixelCount() > kMostPixels) {
        in.failAt("page-size", in.offset() - 8,
                  "page of " + std::to_string(p.w) + " x " + std::to_string(p.h) + " pixels, 4096 x 4096 are possible");
    }
    std::uint64_t size = p.pixelCount();
    if (p.compressed())
        size = in.count32(1, "page stream length");
    else if (!p.indexed())
        size *= 2;
    p.body = copied(in.bytes(size, "page body"));
    return p;
}

void writePage(ByteWriter& out, const Page& p) {
    out.u32(p.flags);
    out.u32(p.w);
    out.u32(p.h);
    if (p.compressed()) out.u32(p.body.size(), "page stream length");
    out.bytes(p.body);
}

Texture readTexture(ByteReader& in) {
    Texture t;
    t.flags = in.u16("texture flags");
    t.page = in.s8("texture page");
    t.palette = in.s8("texture palette");
    t.u0 = in.u8("texture u0");
    t.u1 = in.u8("texture u1");
    t.v0 = in.u8("texture v0");
    t.v1 = in.u8("texture v1");
    return t;
}

void writeTexture(ByteWriter& out, const Texture& t) {
    out.u16(t.flags);
    out.u8(static_cast<std::uint8_t>(t.page));
    out.u8(static_cast<std::uint8_t>(t.palette));
    out.u8(t.u0);
    out.u8(t.u1);
    out.u8(t.v0);
    out.u8(t.v1);
}

std::uint16_t word(Bytes bytes, std::size_t number) {
    return static_cast<std::uint16_t>(bytes[2 * number] | (bytes[2 * number + 1] << 8));
}

/// Control words: c >= 0, c literal pixels follow; c < 0, the next pixel -c times. An odd last byte takes no part.
void decodeRle16(Bytes stream, std::uint64_t total, Pixels& out) {
    const std::size_t words = stream.size() / 2;
    out.words.reserve(static_cast<std::size_t>(total));
    std::size_t at = 0;
    while (out.words.size() < total && at < words) {
        const std::int32_t control = static_cast<std::int16_t>(word(stream, at++));
        const auto room = static_cast<std::size_t>(total) - out.words.size();
        if (control >= 0) {
            const auto wanted = std::min(static_cast<std::size_t>(control), words - at);
            out.clipped = out.clipped || wanted > room;
            for (std::size_t i = 0; i < std::min(wanted, room); ++i) out.words.push_back(word(stream, at + i));
            at += wanted;
        } else if (at < words) {
            const auto wanted = static_cast<std::size_t>(-control);
            out.clipped = out.clipped || wanted > room;
            out.words.insert(out.words.end(), std::min(wanted, room), word(stream, at++));
        }
    }
    out.missing = total - out.words.size();
    out.words.resize(static_cast<std::size_t>(total), 0);
}

/// ABGR1555: 5 bits as 8; word 0 is transparent, everything else opaque.
Rgba colourOf(std::uint16_t w) {
    if (w == 0) return {0, 0, 0, 0};
    const auto wide = [](unsigned v) { return static_cast<std::uint8_t>((v << 3) | (v >> 2)); };
    return {wide(w & 31U), wide((w >> 5) & 31U), wide((w >> 10) & 31U), 255};
}

/// A palette image where 256 different words do, else RGBA.
void paint16(const std::vector<std::uint16_t>& words, Image& image) {
    constexpr std::uint16_t kNew = 0xFFFF;
    std::vector<std::uint16_t> numbers(65536, kNew);
    std::vector<Rgba> palette;
    image.indexed.resize(words.size());
    std::size_t i = 0;
    for (; i < words.size(); ++i) {
        std::uint16_t& number = numbers[words[i]];
        if (number == kNew) {
            if (palette.size() == 256) break;
            number = static_cast<std::uint16_t>(palette.size());
            palette.push_back(colourOf(words[i]));
        }
        image.indexed[i] = static_cast<std::uint8_t>(number);
    }
    if (i == words.size()) {
        image.palette = std::move(palette);
        return;
    }
    image.indexed.clear();
    image.rgba.resize(words.size() * 4);
    for (std::size_t k = 0; k < words.size(); ++k) {
        const Rgba c = colourOf(words[k]);
        std::copy(c.begin(), c.end(), image.rgba.begin() + static_cast<std::ptrdiff_t>(4 * k));
    }
}

/// Grey without a palette; magenta beyond its end.
void paint8(const ByteVector& indices, const Palette* palette, Image& image, Defects& defects) {
    const std::uint8_t highest = indices.empty() ? std::uint8_t{0} : *std::max_element(indices.begin(), indices.end());
    for (unsigned i = 0; i <= highest; ++i) {
        const auto grey = static_cast<std::uint8_t>(i);
        if (palette == nullptr)
            image.palette.push_back({grey, grey, grey, 255});
        else if (i < palette->colours.size())
            image.palette.push_back(colourOf(palette->colours[i]));
        else
            image.palette.push_back({255, 0, 255, 255});
    }
    image.indexed = indices;
    if (palette != nullptr && highest >= palette->colours.size()) {
        defects.warn("palette-range", std::nullopt, {{"page", image.name}},
                     "palette index " + std::to_string(highest) + " of " + std::to_string(palette->colours.size()));
    }
}

}  // namespace

Textures readTextures(ByteReader& in) {
    Textures text;
    const std::uint32_t nPal = in.count32(8, "palette count");
    for (std::uint32_t i = 0; i < nPal; ++i) text.palettes.push_back(readPalette(in));
    const std::uint32_t nPages = in.count32(12, "page count");
    std::uint64_t pixels = 0;
    for (std::uint32_t i = 0; i < nPages; ++i) {
        text.pages.push_back(readPage(in));
        pixels += text.pages.back().pixelCount();
        if (pixels > kFreePixels + kPixelsPerByte * in.size()) {
            in.fail("page-size", "pages up to " + std::to_string(i) + " hold " + std::to_string(pixels) +
                                     " pixels, too many for a chunk of " + std::to_string(in.size()) + " bytes");
        }
    }
    text.textures.resize(in.count32(8, "texture count"));
    for (Texture& t : text.textures) t = readTexture(in);
    text.rest = copied(in.rest());
    return text;
}

ByteVector writeTextures(const Textures& text) {
    ByteWriter out;
    out.u32(text.palettes.size(), "palette count");
    for (const Palette& p : text.palettes) writePalette(out, p);
    out.u32(text.pages.size(), "page count");
    for (const Page& p : text.pages) writePage(out, p);
    out.u32(text.textures.size(), "texture count");
    for (const Texture& t : text.textures) writeTexture(out, t);
    out.bytes(text.rest);
    return out.finish();
}

Pixels decodePage(const Page& page) {
    Pixels out;
    if (page.indexed()) {
        out.indices = page.body;
    } else if (page.compressed()) {
        decodeRle16(page.body, page.pixelCount(), out);
    } else {
        out.words.resize(page.body.size() / 2);
        for (std::size_t i = 0; i < out.words.size(); ++i) out.words[i] = word(page.body, i);
    }
    return out;
}

ByteVector encodeRle16(const std::vector<std::uint16_t>& words) {
    ByteWriter out;
    std::size_t literalFrom = 0;
    const auto closeLiterals = [&](std::size_t end) {
        while (literalFrom < end) {
            const std::size_t n = std::min(end - literalFrom, kLongestRun);
            out.u16(static_cast<std::uint16_t>(n));
            for (std::size_t i = 0; i < n; ++i) out.u16(words[literalFrom + i]);
            literalFrom += n;
        }
    };
    for (std::size_t i = 0; i < words.size();) {
        std::size_t run = 1;
        while (i + run < words.size() && run < kLongestRun && words[i + run] == words[i]) ++run;
        if (run >= (literalFrom < i ? 3U : 2U)) {
            closeLiterals(i);
            out.s16(static_cast<std::int16_t>(-static_cast<std::int32_t>(run)));
            out.u16(words[i]);
            literalFrom = i + run;
        }
        i += run;
    }
    closeLiterals(words.size());
    return out.finish();
}

const Palette* paletteOf(const Textures& text, std::size_t page) {
    for (const Texture& t : text.textures) {
        if (t.flat() || t.palette < 0 || t.page < 0 || static_cast<std::size_t>(t.page) != page) continue;
        const auto number = static_cast<std::size_t>(t.palette);
        return number < text.palettes.size() ? &text.palettes[number] : nullptr;
    }
    return nullptr;
}

Image pageImage(const Textures& text, std::size_t page, Defects& defects) {
    const Page& p = text.pages[page];
    Image image;
    const std::string number = std::to_string(page);
    image.name = "page_" + (number.size() < 2 ? "0" + number : number);
    image.width = p.w;
    image.height = p.h;
    const Pixels pixels = decodePage(p);
    if (p.indexed())
        paint8(pixels.indices, paletteOf(text, page), image, defects);
    else
        paint16(pixels.words, image);
    return image;
}

}  // namespace geomconv::groove
