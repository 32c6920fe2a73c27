#include "exporters/obj/corners.hpp"

#include <algorithm>
#include <tuple>

namespace geomconv::obj {

std::uint32_t CornerTable::addToLong(std::uint32_t* link, const Corner& corner, std::uint32_t primitive) {
    const auto made = static_cast<std::uint32_t>(vertices_.size());
    const auto [entry, isNew] = long_.try_emplace({corner, primitive}, made);
    if (isNew) {
        const std::uint32_t behind = *link;
        *link = made;  // before the push, which may move what link points into
        vertices_.push({corner, primitive, behind});
    }
    return entry->second;
}

const PodBuffer<std::uint32_t>& CornerTable::usedPositions() {
    positions_.clear();
    if (vertices_.empty()) return positions_;
    std::uint32_t lowest = vertices_[0].corner.position;
    std::uint32_t highest = lowest;
    bool rising = true;
    std::uint32_t last = 0;
    for (const Vertex& v : vertices_) {
        lowest = std::min(lowest, v.corner.position);
        highest = std::max(highest, v.corner.position);
        rising = rising && v.corner.position >= last;
        last = v.corner.position;
    }
    // An object mostly uses the positions of a range of the file; one that uses a few far apart must not pay for what
    // lies between.
    const std::size_t range = std::size_t{highest} - lowest + 1;
    if (range / 4 <= vertices_.size()) {
        for (std::size_t p = lowest; p <= highest; ++p) {
            if (heads_[p] != Corner::kNone) positions_.push(static_cast<std::uint32_t>(p));
        }
        return positions_;
    }
    for (const Vertex& v : vertices_) positions_.push(v.corner.position);
    if (!rising) std::sort(positions_.begin(), positions_.end());
    const auto used = std::unique(positions_.begin(), positions_.end()) - positions_.begin();
    positions_.resize(static_cast<std::size_t>(used), 0);
    return positions_;
}

void CornerTable::sortChain(std::uint32_t first) {
    chain_.clear();
    for (std::uint32_t v = first; v != Corner::kNone; v = vertices_[v].next) chain_.push_back(v);
    const auto rank = [this](std::uint32_t v) {
        const Vertex& vertex = vertices_[v];
        return std::tuple(vertex.primitive, vertex.corner.uv, vertex.corner.normal);
    };
    std::sort(chain_.begin(), chain_.end(), [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
}

}  // namespace geomconv::obj
