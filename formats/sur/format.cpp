#include "formats/sur/format.hpp"

#include <array>

namespace geomconv::sur {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".sur"};
}

const Format kFormat{
    .id = "sur", .title = "Freelancer collision library", .extensions = kExtensions, .role = Role::Game};

}  // namespace geomconv::sur
