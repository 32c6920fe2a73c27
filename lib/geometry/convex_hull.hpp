#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "lib/geometry/math.hpp"

namespace geomconv {

enum class HullShape : std::uint8_t {
    Empty,      ///< no points
    NotFinite,  ///< a coordinate is infinite or not a number
    Point,      ///< all points within the tolerance of one spot
    Line,       ///< all within the tolerance of one line
    Flat,       ///< all within the tolerance of one plane
    Solid,
};

struct HullOptions {
    /// Height in the points' unit up to which a point counts as lying in a plane. Absent: one float32 step at the
    /// largest coordinate, 2^(floor(log2(max)) - 23).
    std::optional<double> epsilon = {};
    /// At most this many points on the hull, at least 4.
    std::uint32_t maxPoints = std::numeric_limits<std::uint32_t>::max();
    /// Whether vertices within facets are taken out again (step 6). Not for a volume, which they do not change.
    bool tidy = true;
};

struct ConvexHull {
    HullShape shape = HullShape::Empty;
    /// The points kept, as numbers of the input, in order of first use by the triangles. Flat: the corners of the
    /// polygon around its border. Line: its two ends. Point: one.
    std::vector<std::uint32_t> indices;
    /// Corners as positions in `indices`, counter-clockwise from outside. Empty unless Solid.
    std::vector<std::array<std::uint32_t, 3>> triangles;
    double epsilon = 0.0;     ///< the tolerance that was used
    bool simplified = false;  ///< maxPoints was reached while points were still outside
    double outside = 0.0;     ///< simplified: the greatest height at which a point left out stands over a face
};

/// The convex hull of a cloud of points (quickhull), every vertex one of the points.
///
/// Output: a closed surface of triangles, V = 2 + F / 2, none without area, convex without tolerance: no point of the
/// hull lies in front of the plane of any of its triangles, decided exactly (predicates.hpp). Every input point is
/// behind or at most `epsilon` in front of every triangle. Points in a facet's plane or on its edges are not kept.
/// With `maxPoints` the hull is that of the points chosen: convex, inside the full hull, and what stands out farthest
/// is always taken next; `outside` says how far the rest stands out. Same input, same output.
///
/// Steps:
/// 1. Extremes: for the three axes and the four diagonals of a box the outermost points; of equals on an axis the
///    first in the order of the other two axes, which is a corner.
/// 2. Simplex: of these the two farthest apart, the farthest from their line, the farthest from that plane (looked for
///    among all points where the extremes give none). Too little of one: Point, Line, Flat.
/// 3. The hull of the extremes is grown first. A box and an ellipsoid that lie inside it drop most of the inner points
///    by one comparison each. The rest is put in order along a space-filling curve, so that neighbours lie side by side
///    in memory, and each goes to the list of a face that it is in front of.
/// 4. Take a face with a list and of that list the farthest point, the eye. Where several tie within `epsilon`, as on a
///    box with clutter on its sides, take the one farthest along an edge of the face and then across it: a corner of
///    the cluster and not a point within it.
/// 5. Visible faces: from that face over its neighbours, all that have the eye strictly in front, decided exactly and
///    without tolerance (a tolerance here is what makes dents). Their border, the horizon, is one ring; a cone of new
///    faces from it to the eye replaces them, and their lists are dealt out to the cone. A point that is in
///    front of a cone face by `epsilon` or less stays on its list without being chosen, for on a needle a later face
///    beside it may change that; when no other is left, the faces around such points (up to 256 each) are asked.
/// 6. When no list is left: a vertex on which fewer than three edges bend by more than `epsilon` lies in a facet or on
///    an edge (it was taken before the corners around it). If there are such vertices, the hull is built once more with
///    them last in the queue, so that they enter only if they still stand out. Hulls of more than 20,000 points keep
///    them when they are less than one in a hundred.
///
/// Tolerance: `epsilon` decides what is dropped, never what is visible.
/// Degenerate: fewer than four distinct points and flat clouds are reported by `shape`; duplicates are harmless.
/// Cost: n log n for points in general position; memory 20 bytes per point and 80 per face.
ConvexHull convexHull(std::span<const Vec3> points, const HullOptions& options = {});

}  // namespace geomconv
