#include "formats/cmp/format.hpp"

#include <array>

namespace geomconv::cmp {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".cmp"};
}

const Format kFormat{.id = "cmp", .title = "Freelancer model", .extensions = kExtensions, .role = Role::Game};

}  // namespace geomconv::cmp
