#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/geometry/math.hpp"

namespace geomconv {

/// Cuts a polygon in space into triangles of its own corners.
///
/// Input: the corners in order around the border; they may be concave, a little out of plane, touch themselves (a hole
/// joined to the border by a double edge) or be degenerate.
/// Output: n - 2 triangles of corner numbers, appended to `out`, wound as the polygon; none for fewer than 3 corners.
/// Steps: 1. a triangle is itself. 2. The plane's normal is Newell's sum. 3. When every triangle of the fan from corner
/// 0 has area on the normal's side (every convex polygon without corners in line), the fan is taken. 4. Otherwise ears
/// are cut off in the plane's two main axes: a corner is an ear when it turns left and its triangle holds no other
/// corner that does not; the search goes on behind the last ear, so that fans around one corner are avoided.
/// Tolerance: none; signs are those of double arithmetic on the float coordinates.
/// Degenerate: where no ear is left (border crosses itself, no area at all), first a corner in line goes, then one that
/// turns left, then any: the count stays n - 2 whatever the polygon.
/// Cost: n for the fan; n times the corners that turn right for ears, up to a budget of tests (kMaxEarTests), behind
/// which the rest is fanned: no polygon takes more than some tenths of a second.
void triangulate(std::span<const Vec3> polygon, std::vector<std::array<std::uint32_t, 3>>& out);

}  // namespace geomconv
