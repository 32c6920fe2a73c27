#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lib/bytes/bytes.hpp"

namespace geomconv {

/// Base64 of RFC 4648 section 4: the alphabet with + and /, padded.
std::string base64FromBytes(Bytes bytes);
/// Appends the characters of the bytes at `to`, which must have room for base64Length(n); returns the end. Pieces whose
/// length is a multiple of three may be written one after the other.
char* writeBase64(char* to, Bytes bytes) noexcept;
constexpr std::uint64_t base64Length(std::uint64_t n) {
    return (n + 2) / 3 * 4;
}

/// The bytes of padded or unpadded base64; line breaks, blanks and tabs are passed over, as RFC 2045 wants. nullopt for
/// any other character, padding in the middle, or a length that cannot be.
std::optional<ByteVector> bytesFromBase64(std::string_view text);

}  // namespace geomconv
