#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lib/scene/scene.hpp"

namespace geomconv {

/// Triangles over points.
struct Surface {
    std::vector<Vec3> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// All triangles of a mesh as one surface in node space, points at one position joined: seams of texture, shading and
/// material are no edges of it. Unused points stay.
Surface weldedSurface(const Mesh& mesh);

}  // namespace geomconv
