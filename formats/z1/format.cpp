#include "formats/z1/format.hpp"

#include <array>

namespace geomconv::z1 {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".z1"};
}

const Format kFormat{.id = "z1", .title = "Project Sylpheed compressed block", .extensions = kExtensions, .role = Role::Container};

}  // namespace geomconv::z1
