#include "formats/ccs_archive/format.hpp"

#include <array>

namespace geomconv::ccs_archive {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".bin"};
}

const Format kFormat{.id = "ccs-archive", .title = "CyberConnect2 archive", .extensions = kExtensions, .role = Role::Container};

}  // namespace geomconv::ccs_archive
