#include "lib/format.hpp"

namespace geomconv {

std::optional<std::string_view> OptionValues::get(std::string_view name) const {
    std::optional<std::string_view> found;
    for (const auto& [key, value] : values_) {
        if (key == name) found = value;
    }
    return found;
}

std::vector<std::string_view> OptionValues::all(std::string_view name) const {
    std::vector<std::string_view> out;
    for (const auto& [key, value] : values_) {
        if (key == name) out.push_back(value);
    }
    return out;
}

}  // namespace geomconv
