#include "lib/image/png.hpp"

#include <gtest/gtest.h>

#include "lib/defect.hpp"

namespace geomconv {
namespace {

/// width x height pixels of `colours` different colours; alpha per pixel from a function.
template <class Alpha>
Image made(std::uint32_t width, std::uint32_t height, std::uint32_t colours, Alpha alpha) {
    Image image;
    image.name = "made";
    image.width = width;
    image.height = height;
    for (std::uint32_t i = 0; i < width * height; ++i) {
        const std::uint32_t c = i * 7919 % colours;
        image.rgba.insert(image.rgba.end(), {static_cast<std::uint8_t>(c & 0xff), static_cast<std::uint8_t>(c >> 8),
                                             static_cast<std::uint8_t>(c * 31 & 0xff), alpha(c)});
    }
    return image;
}

std::uint8_t colourType(const ByteVector& png) {
    return png.at(25);
}
std::uint8_t bitDepth(const ByteVector& png) {
    return png.at(24);
}

TEST(Png, KeepsEveryPixelAtEveryPaletteDepth) {
    for (const std::uint32_t colours : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 256U, 257U, 5000U}) {
        for (const std::uint32_t width : {1U, 7U, 64U, 131U}) {
            const Image image =
                made(width, 61, colours, [](std::uint32_t c) { return static_cast<std::uint8_t>(c % 3 * 127); });
            EXPECT_EQ(decodePng(encodePng(image)).rgba, image.rgba) << colours << " colours, width " << width;
        }
    }
}

TEST(Png, UsesAPaletteUpTo256Colours) {
    const auto opaque = [](std::uint32_t) { return std::uint8_t{255}; };
    EXPECT_EQ(colourType(encodePng(made(100, 100, 256, opaque))), 3);
    EXPECT_EQ(bitDepth(encodePng(made(100, 100, 16, opaque))), 4);
    EXPECT_EQ(colourType(encodePng(made(100, 100, 257, opaque))), 2);
    EXPECT_EQ(colourType(encodePng(made(100, 100, 257, [](std::uint32_t) { return std::uint8_t{7}; }))), 6);
}

TEST(Png, RefusesWhatDoesNotMatch) {
    Image image = made(4, 4, 4, [](std::uint32_t) { return std::uint8_t{255}; });
    image.width = 5;
    EXPECT_THROW(encodePng(image), GeometryError);
    EXPECT_THROW(encodePng(Image{}), GeometryError);
}

TEST(Png, RefusesBrokenFiles) {
    const ByteVector png = encodePng(made(40, 40, 300, [](std::uint32_t) { return std::uint8_t{255}; }));
    for (std::size_t n = 0; n < png.size() - 12; n += 1 + n / 16) {
        EXPECT_THROW(decodePng(Bytes(png).first(n)), FormatError) << n;
    }
    EXPECT_THROW(decodePng(png, 1000), FormatError);
}

}  // namespace
}  // namespace geomconv
