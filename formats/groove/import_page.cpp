#include <algorithm>
#include <limits>

#include "formats/groove/import.hpp"
#include "lib/image/png.hpp"

namespace geomconv::groove {

namespace {

constexpr std::uint16_t kTop = 0x8000;  ///< half transparency; also what tells black from nothing
constexpr std::uint8_t kOpaque = 128;

struct Rgba {
    std::uint8_t r, g, b, a;
};

Rgba pixel(const ByteVector& rgba, std::size_t i) {
    return {rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2], rgba[4 * i + 3]};
}

/// The inverse of (v << 3) | (v >> 2), nearest for values between.
unsigned fiveBits(std::uint8_t v) {
    return (unsigned{v} * 31U + 127U) / 255U;
}

/// The colour of a pixel without the top bit.
std::uint16_t colourBits(const Rgba& c) {
    return static_cast<std::uint16_t>(fiveBits(c.r) | (fiveBits(c.g) << 5) | (fiveBits(c.b) << 10));
}

/// The top bit that most opaque pixels have.
std::uint16_t usualTop(const std::vector<std::uint16_t>& words) {
    std::size_t opaque = 0;
    std::size_t with = 0;
    for (const std::uint16_t w : words) {
        opaque += w != 0 ? 1U : 0U;
        with += (w & kTop) != 0 ? 1U : 0U;
    }
    return 2 * with > opaque ? kTop : std::uint16_t{0};
}

std::vector<std::uint16_t> wordsOf(const ByteVector& rgba, const std::vector<std::uint16_t>& old) {
    const std::uint16_t usual = usualTop(old);
    std::vector<std::uint16_t> out(old.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Rgba c = pixel(rgba, i);
        if (c.a < kOpaque) continue;
        const std::uint16_t bits = colourBits(c);
        const auto top = static_cast<std::uint16_t>(old[i] != 0 ? old[i] & kTop : usual);
        out[i] = static_cast<std::uint16_t>(bits | (bits == 0 ? kTop : top));
    }
    return out;
}

/// The palette entry nearest to a colour; of equal ones the old index, else the first.
std::uint8_t nearest(const std::vector<std::array<int, 4>>& palette, const Rgba& c, std::uint8_t old) {
    std::size_t best = 0;
    int least = std::numeric_limits<int>::max();
    const auto distance = [&c](const std::array<int, 4>& p) {
        if ((p[3] != 0) != (c.a >= kOpaque)) return 4 * 255 * 255;
        if (p[3] == 0) return 0;
        const int r = p[0] - c.r;
        const int g = p[1] - c.g;
        const int b = p[2] - c.b;
        return r * r + g * g + b * b;
    };
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const int d = distance(palette[i]);
        if (d < least || (d == least && i == old)) {
            least = d;
            best = i;
        }
    }
    return static_cast<std::uint8_t>(best);
}

/// The colours that indices show: the palette's, or grey.
std::vector<std::array<int, 4>> shownColours(const Palette* palette) {
    std::vector<std::array<int, 4>> out;
    const std::size_t count = palette == nullptr ? 256 : std::min<std::size_t>(palette->colours.size(), 256);
    for (std::size_t i = 0; i < count; ++i) {
        const int grey = static_cast<int>(i);
        if (palette == nullptr) {
            out.push_back({grey, grey, grey, 255});
            continue;
        }
        const unsigned w = palette->colours[i];
        const auto wide = [](unsigned v) { return static_cast<int>((v << 3) | (v >> 2)); };
        out.push_back({wide(w & 31U), wide((w >> 5) & 31U), wide((w >> 10) & 31U), w == 0 ? 0 : 255});
    }
    return out;
}

ByteVector indicesOf(const ByteVector& rgba, const ByteVector& old, const Palette* palette) {
    const auto colours = shownColours(palette);
    if (colours.empty()) throw GeometryError("", "index", "the page's palette has no colours");
    ByteVector out(old.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        // Neighbours are often of one colour.
        const bool again = i > 0 && std::equal(rgba.begin() + static_cast<std::ptrdiff_t>(4 * i),
                                               rgba.begin() + static_cast<std::ptrdiff_t>(4 * i + 4),
                                               rgba.begin() + static_cast<std::ptrdiff_t>(4 * i - 4));
        out[i] = again && old[i] == old[i - 1] ? out[i - 1] : nearest(colours, pixel(rgba, i), old[i]);
    }
    return out;
}

std::string sizeText(std::uint32_t w, std::uint32_t h) {
    return std::to_string(w) + " x " + std::to_string(h);
}

}  // namespace

void importPage(Textures& text, std::size_t number, const Image& image) {
    if (number >= text.pages.size()) {
        throw GeometryError("", "index", "page " + std::to_string(number) + " of " + std::to_string(text.pages.size()));
    }
    Page& page = text.pages[number];
    const Image decoded = image.encoded.empty() ? image : decodePng(image.encoded);
    if (decoded.width != page.w || decoded.height != page.h || decoded.rgba.size() != 4 * page.pixelCount()) {
        throw GeometryError(image.name, "page-size",
                            "image of " + sizeText(decoded.width, decoded.height) + " pixels, page " +
                                std::to_string(number) + " has " + sizeText(page.w, page.h));
    }
    const Pixels old = decodePage(page);
    if (page.indexed()) {
        page.body = indicesOf(decoded.rgba, old.indices, paletteOf(text, number));
        return;
    }
    const std::vector<std::uint16_t> words = wordsOf(decoded.rgba, old.words);
    if (words == old.words) return;
    if (page.compressed()) {
        page.body = encodeRle16(words);
        return;
    }
    ByteWriter raw;
    for (const std::uint16_t w : words) raw.u16(w);
    page.body = raw.finish();
}

}  // namespace geomconv::groove
