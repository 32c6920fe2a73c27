#pragma once

#include <cstdint>

#include "lib/bytes/bytes.hpp"

namespace geomconv {

enum class Dxt : std::uint8_t { Dxt1, Dxt3, Dxt5 };

/// RGBA8 pixels of a DXT image, first stored row first. blocks: 4 x 4 texels each, row by row, whole ones at the right
/// and lower edge too; missing blocks are transparent black. 5- and 6-bit colours are widened first, then mixed and cut
/// off.
ByteVector decodeDxt(Bytes blocks, std::uint32_t width, std::uint32_t height, Dxt kind);

/// Bytes that an image of that size takes.
std::uint64_t dxtSize(std::uint32_t width, std::uint32_t height, Dxt kind);

}  // namespace geomconv
