#include "lib/scene/content.hpp"

#include <array>

namespace geomconv {

namespace {
constexpr std::array<std::string_view, 6> kNames{"render", "collision", "objects", "shadow", "helpers", "bounds"};
}

std::string_view contentName(Content content) {
    return kNames[static_cast<std::size_t>(content)];
}

std::optional<ContentSet> parseContent(std::string_view list) {
    ContentSet set;
    while (true) {
        const std::size_t comma = list.find(',');
        const std::string_view word = list.substr(0, comma);
        bool known = word == "all";
        if (known) set = ContentSet::all();
        for (std::size_t i = 0; i < kNames.size() && !known; ++i) {
            if (word != kNames[i]) continue;
            set.add(static_cast<Content>(i));
            known = true;
        }
        if (!known) return std::nullopt;
        if (comma == std::string_view::npos) return set;
        list.remove_prefix(comma + 1);
    }
}

}  // namespace geomconv
