#include "lib/losses.hpp"

#include <utility>

namespace geomconv {

void Losses::add(std::string_view kind, Place first, std::string sentence) {
    for (Loss& loss : losses_) {
        if (loss.kind != kind) continue;
        ++loss.more;
        return;
    }
    losses_.push_back({std::string(kind), std::move(first), std::move(sentence), 0});
}

void Losses::report(Defects& defects) const {
    for (const Loss& loss : losses_) {
        std::string sentence = loss.sentence;
        if (loss.more > 0) sentence += " (and " + std::to_string(loss.more) + " more)";
        defects.warn(loss.kind, std::nullopt, {loss.first}, std::move(sentence));
    }
}

}  // namespace geomconv
