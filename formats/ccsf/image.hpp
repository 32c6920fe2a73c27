#pragma once

#include <optional>

#include "formats/ccsf/ccsf.hpp"

namespace geomconv::ccsf {

/// How the alpha of a texture looks, 0x80 (255 in DXT) being opaque.
enum class AlphaUse : std::uint8_t {
    Opaque,  ///< nothing below
    Cutout,  ///< 0 and opaque alone
    Partial  ///< something between
};

/// Pixels of a level, rows from the top, with the texture's CLUT applied (clut null: grey indices). Palettes become
/// Image::palette where 256 colours do. Missing pixels are transparent black. Warns: `texture-short`, `clut-range`,
/// `no-clut`; nullopt when there is nothing to show: size or psm not known (warnings `texture-size`, `texture-psm`), or
/// more pixels are missing than `missing` still allows, which is then counted down (an error `texture`).
std::optional<Image> imageOf(const Document& document, const Texture& texture, const Clut* clut, std::size_t level,
                             std::uint64_t& missing, Defects& defects);
/// What the textures of a file may miss in all: few bytes must not ask for many pixels.
constexpr std::uint64_t kMostMissing = std::uint64_t{1} << 22;

AlphaUse alphaUse(const Image& image, const Texture& texture, const Clut* clut);

}  // namespace geomconv::ccsf
