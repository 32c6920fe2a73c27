#include "lib/image/dxt.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace geomconv {

namespace {

using Texels = std::array<std::array<std::uint8_t, 4>, 16>;

std::array<std::uint32_t, 3> widened(std::uint32_t c) {
    const std::uint32_t r = c >> 11;
    const std::uint32_t g = (c >> 5) & 63;
    const std::uint32_t b = c & 31;
    return {(r << 3) | (r >> 2), (g << 2) | (g >> 4), (b << 3) | (b >> 2)};
}

std::uint32_t word(const std::uint8_t* p, unsigned bytes) {
    std::uint32_t v = 0;
    for (unsigned i = 0; i < bytes; ++i) v |= std::uint32_t{p[i]} << (8 * i);
    return v;
}

/// The eight bytes of colours. threeColours: DXT1's second form, where the fourth is transparent black.
void decodeColours(const std::uint8_t* block, bool mayHaveThree, Texels& out) {
    const std::uint32_t first = word(block, 2);
    const std::uint32_t second = word(block + 2, 2);
    const bool three = mayHaveThree && first <= second;
    const auto a = widened(first);
    const auto b = widened(second);
    std::array<std::array<std::uint8_t, 4>, 4> palette{};
    for (std::size_t c = 0; c < 3; ++c) {
        palette[0][c] = static_cast<std::uint8_t>(a[c]);
        palette[1][c] = static_cast<std::uint8_t>(b[c]);
        palette[2][c] = static_cast<std::uint8_t>(three ? (a[c] + b[c]) / 2 : (2 * a[c] + b[c]) / 3);
        palette[3][c] = static_cast<std::uint8_t>(three ? 0 : (a[c] + 2 * b[c]) / 3);
    }
    for (std::size_t i = 0; i < 4; ++i) palette[i][3] = three && i == 3 ? 0 : 255;
    const std::uint32_t bits = word(block + 4, 4);
    for (std::size_t i = 0; i < 16; ++i) out[i] = palette[(bits >> (2 * i)) & 3];
}

void decodeAlpha3(const std::uint8_t* block, Texels& out) {
    for (std::size_t i = 0; i < 16; ++i)
        out[i][3] = static_cast<std::uint8_t>(((block[i / 2] >> (4 * (i & 1))) & 15) * 17);
}

void decodeAlpha5(const std::uint8_t* block, Texels& out) {
    const std::uint32_t a = block[0];
    const std::uint32_t b = block[1];
    const std::uint32_t steps = a > b ? 7 : 5;
    std::array<std::uint8_t, 8> palette{block[0], block[1], 0, 0, 0, 0, 0, 255};
    for (std::uint32_t k = 1; k < steps; ++k)
        palette[k + 1] = static_cast<std::uint8_t>(((steps - k) * a + k * b) / steps);
    const std::uint64_t bits = word(block + 2, 4) | (std::uint64_t{word(block + 6, 2)} << 32);
    for (std::size_t i = 0; i < 16; ++i) out[i][3] = palette[(bits >> (3 * i)) & 7];
}

}  // namespace

std::uint64_t dxtSize(std::uint32_t width, std::uint32_t height, Dxt kind) {
    return ((std::uint64_t{width} + 3) / 4) * ((std::uint64_t{height} + 3) / 4) * (kind == Dxt::Dxt1 ? 8 : 16);
}

ByteVector decodeDxt(Bytes blocks, std::uint32_t width, std::uint32_t height, Dxt kind) {
    const std::size_t step = kind == Dxt::Dxt1 ? 8 : 16;
    const std::size_t wide = (std::size_t{width} + 3) / 4;
    ByteVector out(std::size_t{4} * width * height);
    Texels texels{};
    for (std::size_t by = 0; by * 4 < height; ++by) {
        for (std::size_t bx = 0; bx < wide; ++bx) {
            const std::size_t at = (by * wide + bx) * step;
            if (blocks.size() < step || at > blocks.size() - step) continue;
            const std::uint8_t* block = blocks.data() + at;
            decodeColours(block + step - 8, kind == Dxt::Dxt1, texels);
            if (kind == Dxt::Dxt3) decodeAlpha3(block, texels);
            if (kind == Dxt::Dxt5) decodeAlpha5(block, texels);
            for (std::size_t y = 0; y < std::min<std::size_t>(4, height - by * 4); ++y) {
                const std::size_t columns = std::min<std::size_t>(4, width - bx * 4);
                std::memcpy(out.data() + 4 * ((by * 4 + y) * width + bx * 4), texels[4 * y].data(), 4 * columns);
            }
        }
    }
    return out;
}

}  // namespace geomconv
