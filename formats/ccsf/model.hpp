#pragma once

// Single values of a model's stored arrays. Indices must be below the counts of the mmat.

#include <array>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

using Raw3 = std::array<std::int16_t, 3>;

/// One influence of a vertex.
struct SkinEntry {
    Raw3 position{};           ///< in the space of the slot's node, times Model::unit()
    std::uint32_t weight = 0;  ///< 256 = 1.0
    bool last = false;         ///< closes the vertex
    std::uint32_t slot = 0;    ///< as stored: of the lookup list where there is one
};

inline Raw3 rawPosition(const Mmat& mmat, std::size_t i) noexcept {
    return load<Raw3>(mmat.positions, 6 * i);
}

inline std::array<std::int8_t, 3> rawNormal(const Mmat& mmat, std::size_t i) noexcept {
    return load<std::array<std::int8_t, 3>>(mmat.normals, 4 * i);
}
/// The fourth byte of the normal.
inline std::uint8_t stripFlag(const Mmat& mmat, std::size_t i) noexcept {
    return mmat.normals[4 * i + 3];
}

inline std::array<std::int32_t, 2> rawSt(const Mmat& mmat, std::size_t i) noexcept {
    if (mmat.wideSt) return load<std::array<std::int32_t, 2>>(mmat.st, 8 * i);
    const auto st = load<std::array<std::uint16_t, 2>>(mmat.st, 4 * i);
    return {st[0], st[1]};
}

inline SkinEntry skinEntry(const Model& model, const Mmat& mmat, std::size_t i) noexcept {
    if (model.wideEntries) {
        const auto e = load<std::array<std::int16_t, 6>>(mmat.entries, 12 * i);
        return {{e[0], e[1], e[2]}, static_cast<std::uint16_t>(e[3]), e[4] != 0, static_cast<std::uint16_t>(e[5])};
    }
    const auto p = load<Raw3>(mmat.entries, 8 * i);
    const std::uint32_t w = load<std::uint16_t>(mmat.entries, 8 * i + 6);
    return {p, w & 0x1ff, (w & 0x200) != 0, w >> 10};
}

/// The clump slot behind a slot of the model; nullopt past the lookup list.
inline std::optional<std::uint32_t> clumpSlot(const Model& model, std::uint32_t slot) noexcept {
    if (!model.hasLookup) return slot;
    if (slot >= model.lookup.size()) return std::nullopt;
    return model.lookup[slot];
}

}  // namespace geomconv::ccsf
