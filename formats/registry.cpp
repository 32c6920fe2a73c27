#include "formats/registry.hpp"

#include <array>

#include "formats/ccs_archive/format.hpp"
#include "formats/ccsf/format.hpp"
#include "formats/cmp/format.hpp"
#include "formats/collisionset/format.hpp"
#include "formats/groove/format.hpp"
#include "formats/gzip/format.hpp"
#include "formats/ipfb/format.hpp"
#include "formats/sur/format.hpp"
#include "formats/utf/format.hpp"
#include "formats/z1/format.hpp"

namespace geomconv {

std::span<const Format* const> gameFormats() {
    static constexpr std::array<const Format*, 10> kFormats{
        &ccs_archive::kFormat, &gzip::kFormat, &z1::kFormat,   &ipfb::kFormat,   &sur::kFormat,
        &cmp::kFormat,         &utf::kFormat,  &ccsf::kFormat, &groove::kFormat, &collisionset::kFormat,
    };
    return kFormats;
}

}  // namespace geomconv
