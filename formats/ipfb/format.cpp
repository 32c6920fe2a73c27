#include "formats/ipfb/format.hpp"

#include <array>

namespace geomconv::ipfb {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".pak"};
}

const Format kFormat{.id = "ipfb", .title = "Project Sylpheed pack", .extensions = kExtensions, .role = Role::Container};

}  // namespace geomconv::ipfb
