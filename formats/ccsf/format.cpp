#include "formats/ccsf/format.hpp"

#include <array>

namespace geomconv::ccsf {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".ccs"};
}

const Format kFormat{.id = "ccsf", .title = "CyberConnect2 scene", .extensions = kExtensions, .role = Role::Game};

}  // namespace geomconv::ccsf
