#include "lib/bytes/text.hpp"

#include <algorithm>
#include <array>

#include "lib/bytes/cp932_table.hpp"

namespace geomconv {

namespace {

/// Length of the well-formed sequence at `at`, or 0; code: its code point.
std::size_t sequenceAt(std::string_view text, std::size_t at, std::uint32_t& code) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned first = byte(0);
    if (first < 0x80) {
        code = first;
        return 1;
    }
    const std::size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() - at < n) return 0;
    code = first & (0xffU >> (n + 1));
    for (std::size_t i = 1; i < n; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return 0;
        code = (code << 6) | (byte(i) & 0x3fU);
    }
    static constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return 0;
    return n;
}

// Code points of the bytes 0x80..0x9f.
constexpr std::array<std::uint16_t, 32> kWindows1252{0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                                     0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008d, 0x017d, 0x008f,
                                                     0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                                     0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};

}  // namespace

void appendUtf8(std::string& out, std::uint32_t code) {
    const auto put = [&out](std::uint32_t v) { out.push_back(static_cast<char>(v)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | (code >> 6)), put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | (code >> 12)), put(0x80 | ((code >> 6) & 0x3f)), put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | (code >> 18)), put(0x80 | ((code >> 12) & 0x3f)), put(0x80 | ((code >> 6) & 0x3f));
        put(0x80 | (code & 0x3f));
    }
}

std::string asciiLower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = asciiLower(c);
    return out;
}

bool equalWithoutCase(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return asciiLower(x) == asciiLower(y); });
}

std::string_view fileNameOf(std::string_view path) noexcept {
    return path.substr(path.find_last_of("/\\") + 1);
}

bool isUtf8(std::string_view text) noexcept {
    std::uint32_t code = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t n = sequenceAt(text, at, code);
        if (n == 0) return false;
        at += n;
    }
    return true;
}

bool isUtf16(std::string_view text) noexcept {
    return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

std::string repairUtf8(std::string_view text) {
    std::string out;
    std::uint32_t code = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t n = sequenceAt(text, at, code);
        if (n == 0)
            out += "\xef\xbf\xbd";
        else
            out += text.substr(at, n);
        at += n == 0 ? 1 : n;
    }
    return out;
}

std::string utf8FromWindows1252(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        appendUtf8(out, byte >= 0x80 && byte < 0xa0 ? kWindows1252[byte - 0x80U] : byte);
    }
    return out;
}

std::optional<std::string> windows1252FromUtf8(std::string_view text) {
    std::string out;
    std::uint32_t code = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t n = sequenceAt(text, at, code);
        if (n == 0) return std::nullopt;
        at += n;
        bool found = code < 0x80 || (code >= 0xa0 && code < 0x100);
        for (std::uint32_t i = 0; i < kWindows1252.size() && !found; ++i) {
            if (kWindows1252[i] != code) continue;
            code = 0x80 + i;
            found = true;
        }
        if (!found) return std::nullopt;
        out.push_back(static_cast<char>(code));
    }
    return out;
}

namespace {

/// The character of a two-byte code, 0 where there is none.
std::uint32_t cp932Pair(unsigned lead, unsigned trail) noexcept {
    const bool known = (lead >= 0x81 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xfc);
    if (!known || trail < 0x40 || trail == 0x7f || trail > 0xfc) return 0;
    // 188 user-defined characters for each of the lead bytes 0xf0..0xf9.
    if (lead >= 0xf0 && lead <= 0xf9) return 0xe000 + (lead - 0xf0) * 188 + trail - 0x40 - (trail > 0x7f ? 1 : 0);
    const std::u16string_view row = kCp932Rows[lead - (lead < 0xa0 ? 0x81 : 0xe0 - 31)];
    const std::size_t column = trail - 0x40;
    return column < row.size() && row[column] != 0xfffd ? row[column] : 0;
}

}  // namespace

std::string utf8FromCp932(std::string_view bytes) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (byte < 0x80) {
            out.push_back(static_cast<char>(byte));
        } else if (byte >= 0xa1 && byte <= 0xdf) {
            appendUtf8(out, 0xff61U + byte - 0xa1U);
        } else if (const auto code =
                       i + 1 < bytes.size() ? cp932Pair(byte, static_cast<unsigned char>(bytes[i + 1])) : 0;
                   code != 0) {
            appendUtf8(out, code);
            ++i;
        } else {
            out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
        }
    }
    return out;
}

namespace {

/// Whether a terminal or log shows the character where it stands: no control character, nothing that turns the
/// direction of what follows, no line end.
bool isShown(std::uint32_t code) noexcept {
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return false;
    const bool turns = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                       (code >= 0x2066 && code <= 0x2069);
    return !turns && code != 0x2028 && code != 0x2029;
}

}  // namespace

std::string printable(std::string_view bytes) {
    bool clean = true;
    std::uint32_t code = 0;
    for (std::size_t at = 0; at < bytes.size() && clean;) {
        const std::size_t n = sequenceAt(bytes, at, code);
        clean = n > 0 && isShown(code);
        at += n;
    }
    if (clean) return std::string(bytes);
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte <= 0x7e) {
            out.push_back(c);
        } else {
            out += "\\x";
            out.push_back("0123456789ABCDEF"[byte >> 4]);
            out.push_back("0123456789ABCDEF"[byte & 15]);
        }
    }
    return out;
}

std::string_view untilNul(std::string_view field) noexcept {
    return field.substr(0, field.find('\0'));
}

}  // namespace geomconv
