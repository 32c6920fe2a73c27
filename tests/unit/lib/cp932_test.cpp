#include <gtest/gtest.h>

#include "lib/bytes/text.hpp"

namespace geomconv {
namespace {

TEST(Cp932, DecodesKanjiKanaAndAscii) {
    EXPECT_EQ(utf8FromCp932("MAT_\x83\x7d\x83\x65\x83\x8a\x83\x41\x83\x8b #2"), "MAT_マテリアル #2");
    EXPECT_EQ(utf8FromCp932("\x92\x6e\x96\xca"), "地面");
    EXPECT_EQ(utf8FromCp932("\xb1\xdf"), "ｱﾟ");
    EXPECT_EQ(utf8FromCp932("\x87\x40\xfa\x40\xfc\x4b"), "①ⅰ黑");
    EXPECT_EQ(utf8FromCp932("\xf0\x40\xf9\xfc"), "\ue000\ue757");
}

TEST(Cp932, EscapesWhatHasNoCharacter) {
    EXPECT_EQ(utf8FromCp932("a\x80"), "a\\x80");
    EXPECT_EQ(utf8FromCp932("\x81"), "\\x81");
    EXPECT_EQ(utf8FromCp932("\x81 "), "\\x81 ");
    EXPECT_EQ(utf8FromCp932("\x81\xad"), "\\x81ｭ");
}

}  // namespace
}  // namespace geomconv
