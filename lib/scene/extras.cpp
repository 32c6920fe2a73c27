#include "lib/scene/extras.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace geomconv {

Extras::Extras(const nlohmann::ordered_json& value) {
    if (!value.is_null()) text_ = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Extras Extras::fromText(std::string text) {
    Extras out;
    out.text_ = std::move(text);
    return out;
}

nlohmann::ordered_json Extras::value() const {
    if (text_.empty()) return nullptr;
    auto value = nlohmann::ordered_json::parse(text_, nullptr, false);
    if (value.is_discarded()) return nullptr;
    return value;
}

}  // namespace geomconv
