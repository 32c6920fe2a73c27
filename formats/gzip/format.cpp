#include "formats/gzip/format.hpp"

#include <array>

namespace geomconv::gzip {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".gz"};
}

const Format kFormat{.id = "gzip", .title = "gzip member", .extensions = kExtensions, .role = Role::Container};

}  // namespace geomconv::gzip
