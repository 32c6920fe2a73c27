#include "exporters/registry.hpp"

#include <array>

#include "exporters/gltf/format.hpp"
#include "exporters/json/format.hpp"
#include "exporters/obj/format.hpp"

namespace geomconv {

std::span<const Format* const> interchangeFormats() {
    static constexpr std::array<const Format*, 4> kFormats{&obj::kFormat, &gltf::kGlb, &gltf::kGltf, &json::kFormat};
    return kFormats;
}

}  // namespace geomconv
