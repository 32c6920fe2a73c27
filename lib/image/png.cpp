#include "lib/image/png.hpp"

#include <spng.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>

#include "lib/defect.hpp"

namespace geomconv {

namespace {

struct ContextDeleter {
    void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
struct BufferDeleter {
    void operator()(void* buffer) const { std::free(buffer); }
};

using Colour = std::array<std::uint8_t, 4>;

/// Pixels as palette indices, when 256 colours do.
struct Indexed {
    ByteVector pixels;
    std::vector<Colour> palette;
};

/// The palette of RGBA pixels in order of first use; empty when there are more than 256 colours.
Indexed indexedFrom(const ByteVector& rgba) {
    Indexed out;
    std::unordered_map<std::uint32_t, std::uint8_t> known;
    out.pixels.resize(rgba.size() / 4);
    std::uint32_t last = 0;
    std::uint8_t lastIndex = 0;
    for (std::size_t i = 0; i < out.pixels.size(); ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, rgba.data() + 4 * i, 4);
        if (i == 0 || word != last) {
            const auto found = known.find(word);
            if (found != known.end()) {
                lastIndex = found->second;
            } else {
                if (out.palette.size() == 256) return {};
                lastIndex = static_cast<std::uint8_t>(out.palette.size());
                known.emplace(word, lastIndex);
                out.palette.push_back({rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2], rgba[4 * i + 3]});
            }
            last = word;
        }
        out.pixels[i] = lastIndex;
    }
    return out;
}

[[noreturn]] void refuse(const Image& image, std::string detail) {
    throw GeometryError(image.name, "image", std::move(detail));
}

void require(int result, const Image& image) {
    if (result != 0) refuse(image, spng_strerror(result));
}

/// Bits per palette index: the fewest that a PNG can hold.
std::uint8_t depthFor(std::size_t colours) {
    if (colours <= 2) return 1;
    if (colours <= 4) return 2;
    return colours <= 16 ? 4 : 8;
}

/// Rows of palette indices packed to the depth, each row starting on a byte.
ByteVector packed(const ByteVector& pixels, std::uint32_t width, std::uint32_t height, std::uint8_t depth) {
    if (depth == 8) return pixels;
    const std::size_t perByte = 8U / depth;
    const std::size_t rowBytes = (width + perByte - 1) / perByte;
    ByteVector out(rowBytes * height);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const unsigned shift = static_cast<unsigned>(8 - depth * (1 + x % perByte));
            auto& byte = out[y * rowBytes + x / perByte];
            byte = static_cast<std::uint8_t>(byte | (pixels[y * width + x] << shift));
        }
    }
    return out;
}

/// The pixels as palette indices: those of the image, or found among at most 256 colours; without a palette when there
/// are more. Throws GeometryError (`image`) when palette, pixels and sizes do not match.
Indexed indexedOf(const Image& image) {
    const std::uint64_t count = std::uint64_t{image.width} * image.height;
    if (count == 0) refuse(image, "no pixels");
    if (image.palette.empty()) {
        if (image.rgba.size() != count * 4) refuse(image, "pixels and sizes do not match");
        return indexedFrom(image.rgba);
    }
    if (image.indexed.size() != count || image.palette.size() > 256) refuse(image, "palette and sizes do not match");
    const auto highest = *std::max_element(image.indexed.begin(), image.indexed.end());
    if (highest >= image.palette.size()) refuse(image, "palette index out of range");
    return {image.indexed, image.palette};
}

/// What goes into a PNG: chunks before the pixels, and the pixels as its colour type lays them.
struct Layout {
    spng_ihdr header{};
    spng_plte palette{};
    spng_trns transparency{};
    ByteVector pixels;  ///< empty: RGBA as the image has it
};

Layout paletteLayout(const Image& image, const Indexed& indexed) {
    Layout out;
    out.header.color_type = SPNG_COLOR_TYPE_INDEXED;
    out.header.bit_depth = depthFor(indexed.palette.size());
    out.palette.n_entries = static_cast<std::uint32_t>(indexed.palette.size());
    for (std::size_t i = 0; i < indexed.palette.size(); ++i) {
        const Colour& c = indexed.palette[i];
        out.palette.entries[i] = {c[0], c[1], c[2], 255};
        out.transparency.type3_alpha[i] = c[3];
        // Alpha entries behind the last one that is not opaque are left out.
        if (c[3] != 255) out.transparency.n_type3_entries = static_cast<std::uint32_t>(i + 1);
    }
    out.pixels = packed(indexed.pixels, image.width, image.height, out.header.bit_depth);
    return out;
}

Layout trueColourLayout(const Image& image) {
    Layout out;
    out.header.bit_depth = 8;
    bool opaque = true;
    for (std::size_t i = 3; i < image.rgba.size() && opaque; i += 4) opaque = image.rgba[i] == 255;
    out.header.color_type = opaque ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    if (!opaque) return out;
    const std::size_t count = image.rgba.size() / 4;
    out.pixels.resize(count * 3);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(out.pixels.data() + 3 * i, image.rgba.data() + 4 * i, 3);
    return out;
}

}  // namespace

ByteVector encodePng(const Image& image) {
    if (!image.encoded.empty() && image.mimeType == "image/png") return image.encoded;
    const Indexed indexed = indexedOf(image);
    Layout layout = indexed.palette.empty() ? trueColourLayout(image) : paletteLayout(image, indexed);
    layout.header.width = image.width;
    layout.header.height = image.height;
    const ByteVector& data = layout.pixels.empty() ? image.rgba : layout.pixels;

    const std::unique_ptr<spng_ctx, ContextDeleter> context(spng_ctx_new(SPNG_CTX_ENCODER));
    if (!context) refuse(image, "no memory for the encoder");
    require(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1), image);
    require(spng_set_option(context.get(), SPNG_IMG_COMPRESSION_LEVEL, 1), image);
    require(spng_set_ihdr(context.get(), &layout.header), image);
    if (!indexed.palette.empty()) require(spng_set_plte(context.get(), &layout.palette), image);
    if (layout.transparency.n_type3_entries > 0) require(spng_set_trns(context.get(), &layout.transparency), image);
    require(spng_encode_image(context.get(), data.data(), data.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), image);
    std::size_t size = 0;
    int error = 0;
    const std::unique_ptr<void, BufferDeleter> buffer(spng_get_png_buffer(context.get(), &size, &error));
    require(error, image);
    const auto* first = static_cast<const std::uint8_t*>(buffer.get());
    return {first, first + size};
}

Image decodePng(Bytes file, std::uint64_t maxPixels) {
    const auto fail = [](const std::string& detail) { throw FormatError("png", detail); };
    const auto check = [&fail](int result) {
        if (result != 0) fail(spng_strerror(result));
    };
    const std::unique_ptr<spng_ctx, ContextDeleter> context(spng_ctx_new(0));
    if (!context) fail("no memory for the decoder");
    check(spng_set_image_limits(context.get(), 1U << 20, 1U << 20));
    check(spng_set_chunk_limits(context.get(), std::size_t{1} << 26, std::size_t{1} << 26));
    check(spng_set_png_buffer(context.get(), file.data(), file.size()));
    spng_ihdr header{};
    check(spng_get_ihdr(context.get(), &header));
    if (std::uint64_t{header.width} * header.height > maxPixels) {
        fail(std::to_string(header.width) + " x " + std::to_string(header.height) + " pixels, the limit is " +
             std::to_string(maxPixels) + " in all");
    }
    std::size_t size = 0;
    check(spng_decoded_image_size(context.get(), SPNG_FMT_RGBA8, &size));
    Image image;
    image.width = header.width;
    image.height = header.height;
    image.rgba.resize(size);
    check(spng_decode_image(context.get(), image.rgba.data(), size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS));
    return image;
}

}  // namespace geomconv
