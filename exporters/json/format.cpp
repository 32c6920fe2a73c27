#include "exporters/json/format.hpp"

#include <array>

#include "exporters/json/json.hpp"

namespace geomconv::json {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".json"};
}

const Format kFormat{.id = "json",
                     .title = "Scene JSON",
                     .extensions = kExtensions,
                     .role = Role::Interchange,
                     .probe = probe,
                     .readScene = readScene,
                     .writeScene = writeScene};

}  // namespace geomconv::json
