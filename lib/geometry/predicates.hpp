#pragma once

#include "lib/geometry/math.hpp"

namespace geomconv {

/// On which side of the plane through a, b, c the point d lies: 1 in front (the side from which a, b, c run
/// counter-clockwise), -1 behind, 0 on it. Exact for all finite coordinates.
///
/// Steps: 1. (b - a) x (c - a) . (d - a) in double. 2. When it is larger than its own rounding error can be, its sign
/// is the answer. 3. Otherwise the same product is formed without rounding, as sums of doubles that do not overlap.
/// Cost: step 1 is some 20 operations; step 3, only for points within about 1e-15 of the plane, some thousands.
int sideOfPlane(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace geomconv
