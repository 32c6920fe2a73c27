#pragma once

#include "lib/bytes/bytes.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv {

/// A PNG file from an image's pixels (rgba, or indexed with its palette), or its encoded bytes as they are when they
/// are a PNG already. RGBA with at most 256 colours becomes a palette PNG (the same pixels, a quarter of the bytes);
/// opaque images carry no alpha. Fast compression (zlib level 1). Throws GeometryError when the sizes do not match.
ByteVector encodePng(const Image& image);

/// Width, height and RGBA pixels of a PNG; Image::rgba is filled. Throws FormatError (`png`): broken, or more than
/// maxPixels pixels.
Image decodePng(Bytes file, std::uint64_t maxPixels = std::uint64_t{1} << 26);

}  // namespace geomconv
