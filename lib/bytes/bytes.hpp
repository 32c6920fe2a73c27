#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace geomconv {

static_assert(std::endian::native == std::endian::little, "hosts are little-endian");

/// Bytes of an input, borrowed.
using Bytes = std::span<const std::uint8_t>;
/// Bytes made by a writer.
using ByteVector = std::vector<std::uint8_t>;

enum class ByteOrder { Little, Big };

inline Bytes asBytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string_view asText(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace geomconv
