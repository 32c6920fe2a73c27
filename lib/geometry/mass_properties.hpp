#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/geometry/math.hpp"

namespace geomconv {

/// What a rigid body of uniform density with this surface is like. Lengths in the points' unit, frame of the points.
struct MassProperties {
    double volume = 0.0;      ///< signed: negative for a surface that is inside out
    bool degenerate = false;  ///< too little volume for its area: the fallbacks below were taken
    Vec3d massCenter{0.0};    ///< centroid of the volume; degenerate: middle of the bounding box
    Vec3d secondMoment{0.0};  ///< averages A, B, C of x^2, y^2, z^2 over the volume about massCenter; degenerate: zero
    Vec3d rotationInertia{0.0};  ///< sqrt(B^2 + C^2) and so on (the middleware IVP's, without mass); degenerate: half
                                 ///< the squared half diagonal of the bounding box on all three axes
    double radius = 0.0;         ///< of the sphere around massCenter that holds all corners
    double deviation = 0.0;  ///< farthest that a corner lies from the foot of massCenter's perpendicular on its face
};

/// Mass properties of closed surfaces, taken as one body (overlapping hulls count twice).
///
/// Input: points and triangles that index them, counter-clockwise from outside; points that no triangle uses do not
/// count. pieceEnds: where each closed piece ends in `triangles`, rising; what lies behind the last is one more.
/// Steps: 1. Per piece the middle of its box becomes the origin, so that a body ten kilometres out loses nothing and a
/// flat piece far from the others adds nothing. 2. Per triangle a, b, c with n = (b - a) x (c - a): D = sum n . a,
/// Q = sum n . n, S = sum (n . a)(a + b + c) / 4, and the second moments of the tetrahedron to the origin; the pieces'
/// sums are moved to a common one. 3. massCenter = S / D, volume = D / 6, unless not D > sqrt(Q)^3 * 1e-9. The two
/// sides of that test grow as the third and the sixth power of the size, so a cube of side 525 counts as degenerate and
/// one of 524 does not; kept as the original builder has it. 4. Second moments about massCenter. Tolerance: that of
/// step 3 alone. Degenerate: no triangles give zeros. Not finite in, not finite out. Cost: four passes over the
/// triangles. Source: IVP insert_radius_in_compact_surface, its solver in exact arithmetic.
MassProperties massProperties(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles,
                              std::span<const std::size_t> pieceEnds = {});

/// How far a surface reaches from a given centre: MassProperties::radius and ::deviation for another massCenter.
struct Reach {
    double radius = 0.0;
    double deviation = 0.0;
};
Reach reachFrom(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles,
                const Vec3d& center);

}  // namespace geomconv
