#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace geomconv::collisionset {

/// Takes the triangles of an index array for which keep({a, b, c}) is false out of it, the order of the others kept.
/// Gives how many went; indices behind the last whole triangle go with them.
template <class Keep>
std::uint64_t filterTriangles(std::vector<std::uint32_t>& index, Keep keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 2 < index.size(); i += 3) {
        const std::array<std::uint32_t, 3> t{index[i], index[i + 1], index[i + 2]};
        if (!keep(t)) continue;
        for (const std::uint32_t corner : t) index[kept++] = corner;
    }
    const std::uint64_t dropped = (index.size() - kept) / 3;
    index.resize(kept);
    return dropped;
}

}  // namespace geomconv::collisionset
