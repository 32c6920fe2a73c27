#include "lib/geometry/extent.hpp"

namespace geomconv {

std::optional<Extent> extentOf(std::span<const Vec3> points) {
    if (points.empty()) return std::nullopt;
    Extent out{points[0], points[0]};
    for (const Vec3& p : points) {
        for (int k = 0; k < 3; ++k) {
            // Written so that a first corner that is not a number is replaced.
            if (!(out.minimum[k] <= p[k])) out.minimum[k] = p[k];
            if (!(out.maximum[k] >= p[k])) out.maximum[k] = p[k];
        }
    }
    return out;
}

std::array<Vec3, 8> boxCorners(const Extent& extent) {
    std::array<Vec3, 8> out;
    for (unsigned n = 0; n < 8; ++n) {
        for (int k = 0; k < 3; ++k) out[n][k] = (n >> k) & 1U ? extent.maximum[k] : extent.minimum[k];
    }
    return out;
}

}  // namespace geomconv
