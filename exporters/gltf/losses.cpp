#include "exporters/gltf/losses.hpp"

namespace geomconv::gltf {

void Losses::add(std::string_view kind, std::string_view noun, std::string_view name, std::string_view sentence) {
    for (Loss& loss : losses_) {
        if (loss.kind != kind) continue;
        ++loss.more;
        return;
    }
    losses_.push_back({std::string(kind), {std::string(noun), "", std::string(name)}, std::string(sentence), 0});
}

void Losses::report(Defects& defects) const {
    for (const Loss& loss : losses_) {
        std::string sentence = loss.sentence;
        if (loss.more > 0) sentence += " (and " + std::to_string(loss.more) + " more)";
        defects.warn(loss.kind, std::nullopt, {loss.first}, std::move(sentence));
    }
}

}  // namespace geomconv::gltf
