#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace geomconv {

/// Whether the bytes are well-formed UTF-8 (no overlong forms, no surrogates).
bool isUtf8(std::string_view text) noexcept;
/// Whether a text begins with the byte order mark of UTF-16, whichever way round.
bool isUtf16(std::string_view text) noexcept;
/// The text with each byte that is not part of well-formed UTF-8 replaced by U+FFFD.
std::string repairUtf8(std::string_view text);

/// Appends a code point.
void appendUtf8(std::string& out, std::uint32_t code);

/// A-Z as a-z, everything else as it is: names of the games and extensions compare so, whatever the locale.
constexpr char asciiLower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
std::string asciiLower(std::string_view text);
/// Whether the texts are the same but for the case of A-Z.
bool equalWithoutCase(std::string_view a, std::string_view b) noexcept;

/// windows-1252 and UTF-8. The five bytes that windows-1252 leaves undefined map to the C1 controls of the same number,
/// so that every byte string survives the trip.
std::string utf8FromWindows1252(std::string_view bytes);
/// nullopt when a character has no place in windows-1252.
std::optional<std::string> windows1252FromUtf8(std::string_view text);

/// Microsoft's code page 932 (Shift-JIS). Bytes that it does not define, and lead bytes without their trail byte,
/// become the four characters \xHH.
std::string utf8FromCp932(std::string_view bytes);

/// What may be shown on a terminal or written into an OBJ: well-formed UTF-8 without control characters (U+0000..1F,
/// U+007F..9F) as it is, otherwise each byte outside 0x20..0x7E as \xHH.
std::string printable(std::string_view bytes);

/// What stands behind the last / or \, or all.
std::string_view fileNameOf(std::string_view path) noexcept;

/// The bytes before the first NUL, or all.
std::string_view untilNul(std::string_view field) noexcept;

}  // namespace geomconv
