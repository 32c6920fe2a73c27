#include "exporters/obj/format.hpp"

#include <array>

#include "exporters/obj/obj.hpp"

namespace geomconv::obj {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".obj"};
}

const Format kFormat{.id = "obj",
                     .title = "Wavefront OBJ",
                     .extensions = kExtensions,
                     .role = Role::Interchange,
                     .probe = probe,
                     .readScene = readScene,
                     .writeScene = writeScene};

}  // namespace geomconv::obj
