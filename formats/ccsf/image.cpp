#include "formats/ccsf/image.hpp"

#include <algorithm>
#include <cstring>

#include "lib/image/dxt.hpp"

namespace geomconv::ccsf {

namespace {

constexpr std::uint8_t kRgba32 = 0x00;
constexpr std::uint8_t kIndex8 = 0x13;
constexpr std::uint8_t kIndex4 = 0x14;
constexpr std::uint8_t kDxt1 = 0x87;

using Colour = std::array<std::uint8_t, 4>;

std::uint8_t alphaFrom(std::uint8_t stored) {
    return static_cast<std::uint8_t>(std::min(255, 2 * stored));
}

/// One texture being decoded.
struct Source {
    const Document& document;
    const Texture& texture;
    const Clut* clut;
    Defects& defects;

    void warn(std::string_view kind, std::string detail) const { add(Severity::Warning, kind, std::move(detail)); }
    std::nullopt_t leaveOut(Severity severity, std::string_view kind, std::string detail) const {
        add(severity, kind, std::move(detail) + "; the texture is left out");
        return std::nullopt;
    }
    void add(Severity severity, std::string_view kind, std::string detail) const {
        defects.add({severity,
                     std::string(kind),
                     document.chunks[texture.chunk].offset,
                     {Place{"Texture", std::string(document.nameOf(texture.object))}},
                     std::move(detail)});
    }
};

/// Colours of a palette, completed to `size` entries with transparent black.
std::vector<Colour> paletteOf(const Clut* clut, std::size_t size) {
    std::vector<Colour> out(size, Colour{0, 0, 0, 0});
    for (std::size_t i = 0; i < size; ++i) {
        if (clut == nullptr) {
            const auto grey = static_cast<std::uint8_t>(size > 1 ? i * 255 / (size - 1) : 0);
            out[i] = {grey, grey, grey, 255};
        } else if (i < clut->count) {
            const std::uint8_t* c = clut->colours.data() + 4 * i;
            out[i] = {c[0], c[1], c[2], alphaFrom(c[3])};
        }
    }
    return out;
}

/// Indices, rows from the top. stored: how many pixels there are; the rest stays 0.
void unpackIndices(Bytes pixels, unsigned bits, std::uint64_t stored, Image& image) {
    const std::size_t width = image.width;
    for (std::size_t row = 0; row < image.height; ++row) {
        std::uint8_t* to = image.indexed.data() + (image.height - 1 - row) * width;
        const std::size_t first = row * width;
        const std::size_t n =
            first < stored ? static_cast<std::size_t>(std::min<std::uint64_t>(width, stored - first)) : 0;
        if (bits == 8) {
            if (n > 0) std::memcpy(to, pixels.data() + first, n);
            continue;
        }
        for (std::size_t x = 0; x < n; ++x) {
            const std::size_t i = first + x;
            to[x] = static_cast<std::uint8_t>((pixels[i >> 1] >> (4 * (i & 1))) & 15);
        }
    }
}

/// Pixels that no palette of 256 can hold any more: with a transparent colour for what is missing.
void toRgba(Image& image, std::uint64_t stored) {
    image.rgba.resize(4 * image.indexed.size());
    const std::size_t width = image.width;
    for (std::size_t i = 0; i < image.indexed.size(); ++i) {
        const std::size_t storedIndex = (image.height - 1 - i / width) * width + i % width;
        const Colour c = storedIndex < stored ? image.palette[image.indexed[i]] : Colour{0, 0, 0, 0};
        std::memcpy(image.rgba.data() + 4 * i, c.data(), 4);
    }
    image.indexed.clear();
    image.palette.clear();
}

void decodeIndexed(const Source& source, Bytes pixels, unsigned bits, std::uint64_t stored, Image& image) {
    image.indexed.resize(std::size_t{image.width} * image.height);
    unpackIndices(pixels, bits, stored, image);
    image.palette = paletteOf(source.clut, std::size_t{1} << bits);
    const auto highest = *std::max_element(image.indexed.begin(), image.indexed.end());
    if (source.clut != nullptr && highest >= source.clut->count) {
        source.warn("clut-range", "index " + std::to_string(highest) + " is past the palette of " +
                                      std::to_string(source.clut->count) + " colours; transparent");
    }
    if (stored < image.indexed.size()) toRgba(image, stored);
}

void decodeRgba(Bytes pixels, std::uint64_t stored, Image& image) {
    image.rgba.resize(std::size_t{4} * image.width * image.height);
    const std::size_t width = image.width;
    for (std::size_t i = 0; i < stored; ++i) {
        std::uint8_t* to = image.rgba.data() + 4 * ((image.height - 1 - i / width) * width + i % width);
        const std::uint8_t* c = pixels.data() + 4 * i;
        const Colour colour{c[0], c[1], c[2], alphaFrom(c[3])};
        std::memcpy(to, colour.data(), 4);
    }
}

std::uint64_t bitsOf(std::uint8_t psm) {
    switch (psm) {
        case kRgba32:
            return 32;
        case kIndex8:
            return 8;
        case kIndex4:
            return 4;
        default:
            return 0;
    }
}

}  // namespace

std::optional<Image> imageOf(const Document& document, const Texture& texture, const Clut* clut, std::size_t level,
                             std::uint64_t& missing, Defects& defects) {
    const Source source{document, texture, clut, defects};
    Image image;
    image.name = document.nameOf(texture.object);
    image.width = std::max(1U, texture.width >> level);
    image.height = std::max(1U, texture.height >> level);
    const Bytes pixels = texture.levels[level].pixels;
    const std::uint64_t bits = bitsOf(texture.psm);
    if (texture.width == 0 || texture.height == 0) {
        return source.leaveOut(Severity::Warning, "texture-size", "its size is not stored");
    }
    if (!texture.btx && bits == 0) {
        return source.leaveOut(Severity::Warning, "texture-psm", "psm " + hex(texture.psm) + " is not known");
    }
    const auto kind = static_cast<Dxt>(texture.psm - kDxt1);
    const std::uint64_t count = std::uint64_t{image.width} * image.height;
    const std::uint64_t needed = texture.btx ? dxtSize(image.width, image.height, kind) : (count * bits + 7) / 8;
    if (pixels.size() < needed) {
        const std::string sizes = "level " + std::to_string(level) + " has " + std::to_string(pixels.size()) + " of " +
                                  std::to_string(needed) + " bytes";
        const std::uint64_t absent = count - count * pixels.size() / needed;
        if (absent > missing) return source.leaveOut(Severity::Error, "texture", sizes);
        missing -= absent;
        source.warn("texture-short", sizes + "; missing pixels are transparent");
    }
    if (texture.btx) {
        image.rgba = decodeDxt(pixels, image.width, image.height, kind);
        return image;
    }
    const std::uint64_t stored = std::min(count, pixels.size() * 8 / bits);
    if (texture.psm == kRgba32) {
        decodeRgba(pixels, stored, image);
    } else {
        if (clut == nullptr) source.warn("no-clut", "its CLUT is not in this file; indices are shown as grey");
        decodeIndexed(source, pixels, static_cast<unsigned>(bits), stored, image);
    }
    return image;
}

AlphaUse alphaUse(const Image& image, const Texture& texture, const Clut* clut) {
    bool zero = false;
    bool between = false;
    const auto see = [&](std::uint8_t alpha) {
        zero = zero || alpha == 0;
        between = between || (alpha != 0 && alpha < 0xff);
    };
    if (bitsOf(texture.psm) < 32 && !texture.btx) {
        for (std::uint32_t i = 0; clut != nullptr && i < clut->count; ++i)
            see(alphaFrom(clut->colours[4 * std::size_t{i} + 3]));
    } else {
        for (std::size_t i = 3; i < image.rgba.size(); i += 4) see(image.rgba[i]);
    }
    return between ? AlphaUse::Partial : zero ? AlphaUse::Cutout : AlphaUse::Opaque;
}

}  // namespace geomconv::ccsf
