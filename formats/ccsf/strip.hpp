#pragma once

// Strips to triangles.
//
// A vertex with flag 0 closes a triangle with the two before it; a nonzero flag closes none and starts a strip. Which
// way round the triangle is depends on the generation (FORMAT.md "Strips"). Winding is unreliable in the games' own
// files, so the rule "auto" then turns each strip whose triangles, on the whole, face away from the stored normals.

#include <cstdint>
#include <span>
#include <vector>

#include "lib/geometry/math.hpp"

namespace geomconv::ccsf {

struct Strips {
    std::vector<std::uint32_t> indices;  ///< triples
    std::vector<std::uint32_t> starts;   ///< per strip the number of its first triangle
    bool oddOpening = false;             ///< a 0 at index 0 or 1 closes no triangle
    bool oddFlag = false;                ///< a flag above 2, taken as 1
};

/// Triangles by the rule "strip".
Strips trianglesOf(std::span<const std::uint8_t> flags, std::uint16_t version);

/// The rule "auto". position, normal: functions from a vertex to a Vec3d in one space.
template <class Position, class Normal>
void turnByNormals(Strips& strips, Position position, Normal normal) {
    for (std::size_t s = 0; s < strips.starts.size(); ++s) {
        const std::size_t first = 3 * std::size_t{strips.starts[s]};
        const std::size_t last =
            s + 1 < strips.starts.size() ? 3 * std::size_t{strips.starts[s + 1]} : strips.indices.size();
        double facing = 0.0;
        for (std::size_t i = first; i < last; i += 3) {
            const std::uint32_t* t = &strips.indices[i];
            const Vec3d a = position(t[0]);
            const Vec3d across = glm::cross(position(t[1]) - a, position(t[2]) - a);
            facing += glm::dot(across, normal(t[0]) + normal(t[1]) + normal(t[2]));
        }
        if (!(facing < 0.0)) continue;
        for (std::size_t i = first; i < last; i += 3) std::swap(strips.indices[i + 1], strips.indices[i + 2]);
    }
}

}  // namespace geomconv::ccsf
