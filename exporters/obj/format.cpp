#include "exporters/obj/format.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "exporters/obj/obj.hpp"
#include "lib/scene/check.hpp"
#include "lib/scene/summary.hpp"

namespace geomconv::obj {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".obj"};

void check(const Input& input, const ReadOptions& options, Defects& defects) {
    collectDefects(defects, [&] { checkMeaning(readScene(input, options, defects), options.topology, defects); });
}

nlohmann::ordered_json info(const Input& input, const ReadOptions& options, Defects& defects) {
    return sceneSummary(readScene(input, options, defects), options.topology);
}

}  // namespace

const Format kFormat{.id = "obj",
                     .title = "Wavefront OBJ",
                     .extensions = kExtensions,
                     .role = Role::Interchange,
                     .probe = probe,
                     .readScene = readScene,
                     .writeScene = writeScene,
                     .check = check,
                     .info = info};

}  // namespace geomconv::obj
