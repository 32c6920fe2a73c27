#include "lib/bytes/base64.hpp"

#include <array>
#include <cstdint>

namespace geomconv {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t kBlank = 64;
constexpr std::uint8_t kPadding = 65;
constexpr std::uint8_t kJunk = 66;

constexpr std::array<std::uint8_t, 256> kValues = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(kJunk);
    for (std::size_t i = 0; i < 64; ++i)
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
    for (const char c : {' ', '\t', '\r', '\n'}) values[static_cast<unsigned char>(c)] = kBlank;
    values['='] = kPadding;
    return values;
}();

char digit(std::uint32_t word, unsigned shift) {
    return kAlphabet[(word >> shift) & 63];
}

}  // namespace

char* writeBase64(char* to, Bytes bytes) noexcept {
    std::size_t i = 0;
    for (; i + 3 <= bytes.size(); i += 3, to += 4) {
        const std::uint32_t word = (std::uint32_t{bytes[i]} << 16) | (std::uint32_t{bytes[i + 1]} << 8) | bytes[i + 2];
        to[0] = digit(word, 18);
        to[1] = digit(word, 12);
        to[2] = digit(word, 6);
        to[3] = digit(word, 0);
    }
    const std::size_t left = bytes.size() - i;
    if (left == 0) return to;
    std::uint32_t word = std::uint32_t{bytes[i]} << 16;
    if (left == 2) word |= std::uint32_t{bytes[i + 1]} << 8;
    to[0] = digit(word, 18);
    to[1] = digit(word, 12);
    to[2] = left == 2 ? digit(word, 6) : '=';
    to[3] = '=';
    return to + 4;
}

std::string base64FromBytes(Bytes bytes) {
    std::string text(static_cast<std::size_t>(base64Length(bytes.size())), '\0');
    writeBase64(text.data(), bytes);
    return text;
}

std::optional<ByteVector> bytesFromBase64(std::string_view text) {
    ByteVector out;
    out.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t word = 0;
    unsigned digits = 0;   // of the group of four that is open
    unsigned padding = 0;  // met so far
    for (const char c : text) {
        const std::uint8_t value = kValues[static_cast<unsigned char>(c)];
        if (value == kBlank) continue;
        if (value == kPadding) {
            if (++padding > 2 || digits < 2) return std::nullopt;
            continue;
        }
        if (value == kJunk || padding > 0) return std::nullopt;
        word = (word << 6) | value;
        if (++digits < 4) continue;
        for (const unsigned shift : {16U, 8U, 0U}) out.push_back(static_cast<std::uint8_t>(word >> shift));
        word = 0;
        digits = 0;
    }
    if (digits == 1 || (padding > 0 && digits + padding != 4)) return std::nullopt;
    if (digits >= 2) out.push_back(static_cast<std::uint8_t>(word >> (digits == 2 ? 4 : 10)));
    if (digits == 3) out.push_back(static_cast<std::uint8_t>(word >> 2));
    return out;
}

}  // namespace geomconv
