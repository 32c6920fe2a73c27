#include "lib/image/image_files.hpp"

#include <gtest/gtest.h>

namespace geomconv {
namespace {

Image pixels(std::string name) {
    Image image;
    image.name = std::move(name);
    image.width = image.height = 1;
    image.rgba = {1, 2, 3, 4};
    return image;
}

TEST(ImageFiles, AreNamedAfterTheOutputAndUnique) {
    std::vector<Image> images{pixels("wood"),  pixels("WOOD"), pixels("ship_skin"),
                              pixels("a/b:c"), pixels(""),     pixels("..")};
    Image jpeg;
    jpeg.name = "photo";
    jpeg.mimeType = "image/jpeg";
    jpeg.encoded = {0xff, 0xd8, 0xff};
    images.push_back(jpeg);
    Image elsewhere;
    elsewhere.name = "lost";
    elsewhere.uri = "textures/lost one.tga";
    images.push_back(elsewhere);
    EXPECT_EQ(imageFileNames(images, "ship"),
              (std::vector<std::string>{"ship_wood.png", "ship_WOOD_2.png", "ship_skin.png", "ship_a_b_c.png",
                                        "ship_image_4.png", "ship__.png", "ship_photo.jpg", "textures/lost one.tga"}));
}

TEST(ImageFiles, KnowKindsByTheirFirstBytes) {
    EXPECT_EQ(imageMimeType(asBytes("\x89PNG\r\n\x1a\nrest")), "image/png");
    EXPECT_EQ(imageMimeType(asBytes("\xff\xd8\xff\xe0")), "image/jpeg");
    EXPECT_EQ(imageMimeType(asBytes("\x89PNG")), "");
    EXPECT_EQ(imageMimeType({}), "");
    EXPECT_EQ(imageExtension("image/jpeg"), ".jpg");
    EXPECT_EQ(imageExtension("text/plain"), ".bin");
}

TEST(ImageFiles, SafeNamesKeepWholeCharacters) {
    std::string umlauts;
    for (int i = 0; i < 100; ++i) umlauts += "\xc3\xbc";
    EXPECT_EQ(safeFileName(umlauts).size(), 150U);
    EXPECT_EQ(safeFileName("x" + umlauts).size(), 149U);
    EXPECT_EQ(safeFileName("t\xc3\xbcr.png. "), "t\xc3\xbcr.png");
    EXPECT_EQ(safeFileName("a\nb"), "a_b");
}

}  // namespace
}  // namespace geomconv
