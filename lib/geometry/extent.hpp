#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "lib/geometry/math.hpp"

namespace geomconv {

/// An axis-aligned box.
struct Extent {
    Vec3 minimum{0.0F, 0.0F, 0.0F};
    Vec3 maximum{0.0F, 0.0F, 0.0F};

    bool operator==(const Extent&) const = default;
};

/// The box of the points; nullopt without any. A coordinate that is not a number is passed over.
std::optional<Extent> extentOf(std::span<const Vec3> points);

/// The eight corners: corner n has the maximum on axis a where bit a of n is set, so 0 is the minimum and 7 the
/// maximum.
std::array<Vec3, 8> boxCorners(const Extent& extent);

/// Two triangles for each side of boxCorners, counter-clockwise from outside.
inline constexpr std::array<std::array<std::uint32_t, 3>, 12> kBoxTriangles{{{0, 4, 6},
                                                                             {0, 6, 2},
                                                                             {1, 3, 7},
                                                                             {1, 7, 5},
                                                                             {0, 1, 5},
                                                                             {0, 5, 4},
                                                                             {2, 6, 7},
                                                                             {2, 7, 3},
                                                                             {0, 2, 3},
                                                                             {0, 3, 1},
                                                                             {4, 5, 7},
                                                                             {4, 7, 6}}};

}  // namespace geomconv
