#include "formats/collisionset/format.hpp"

#include <array>

namespace geomconv::collisionset {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".bin"};
}

const Format kFormat{.id = "collisionset", .title = "Project Sylpheed collision library", .extensions = kExtensions, .role = Role::Game};

}  // namespace geomconv::collisionset
