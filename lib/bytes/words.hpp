#pragma once

#include "lib/bytes/bytes.hpp"

namespace geomconv {

/// Copies an array of 32-bit words (u32 or f32) between memory and a file's byte order, at memory speed and in either
/// direction. Floats travel as integers, so NaN payloads survive. `to` has room for bytes.size() bytes, a multiple of
/// 4; neither side needs alignment; the two must not overlap.
void copyWords32(void* to, Bytes from, ByteOrder order) noexcept;

}  // namespace geomconv
