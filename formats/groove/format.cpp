#include "formats/groove/format.hpp"

#include <array>

namespace geomconv::groove {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".wad"};
}

const Format kFormat{
    .id = "groove", .title = "The Emperor's New Groove level", .extensions = kExtensions, .role = Role::Game};

}  // namespace geomconv::groove
