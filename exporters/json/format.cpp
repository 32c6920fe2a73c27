#include "exporters/json/format.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "exporters/json/json.hpp"
#include "lib/scene/check.hpp"
#include "lib/scene/summary.hpp"

namespace geomconv::json {

namespace {
constexpr std::array<std::string_view, 1> kExtensions{".json"};

void check(const Input& input, const ReadOptions& options, Defects& defects) {
    collectDefects(defects, [&] { checkMeaning(readScene(input, options, defects), options.topology, defects); });
}

nlohmann::ordered_json info(const Input& input, const ReadOptions& options, Defects& defects) {
    return sceneSummary(readScene(input, options, defects), options.topology);
}

}  // namespace

const Format kFormat{.id = "json",
                     .title = "Scene JSON",
                     .extensions = kExtensions,
                     .role = Role::Interchange,
                     .probe = probe,
                     .readScene = readScene,
                     .writeScene = writeScene,
                     .check = check,
                     .info = info};

}  // namespace geomconv::json
