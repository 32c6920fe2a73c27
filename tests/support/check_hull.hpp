#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lib/geometry/math.hpp"

namespace geomconv::test {

/// What is wrong with a surface that should be the convex hull of `cloud`: not closed, not V = 2 + F / 2, a triangle
/// without area, a dent (an edge over which the neighbour's corner lies in front, decided exactly), a point of the
/// cloud more than `tolerance` in front of a triangle. Empty when sound. Containment is asked of every point and
/// triangle up to some ten million pairs, then of a stride of the points.
std::vector<std::string> hullFaults(std::span<const Vec3> points,
                                    std::span<const std::array<std::uint32_t, 3>> triangles,
                                    std::span<const Vec3> cloud, double tolerance);

}  // namespace geomconv::test
