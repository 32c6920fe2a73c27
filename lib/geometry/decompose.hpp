#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/geometry/math.hpp"

namespace geomconv {

struct DecomposeOptions {
    std::uint32_t maxHulls = 32;
    /// Cutting ends when all hulls together hold at most this part more than the solid.
    double tolerance = 1e-5;
    std::optional<double> epsilon = {};  ///< of the hulls, as HullOptions::epsilon
};

struct ConvexPiece {
    std::vector<Vec3> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
    double volume = 0.0;
};

struct Decomposition {
    bool solid = false;       ///< the mesh is closed, oriented outward and has a volume; otherwise there are no hulls
    double volume = 0.0;      ///< of the mesh
    double hullVolume = 0.0;  ///< of all hulls together; overlaps count twice
    std::vector<ConvexPiece> hulls;
};

/// Splits a solid into convex hulls that together hold all of it.
///
/// Input: a closed mesh, triangles counter-clockwise from outside; pieces may be several and may touch. Output: at most
/// `maxHulls` hulls. A union of axis-parallel boxes comes out exactly where its boxes fit the number, and pieces that
/// hang together nowhere and are convex already come out as they are.
/// Steps:
/// 0. Pieces that are convex are hulls, while they leave half of the hulls to the others; the rest is one solid.
/// 1. The bounding box is the first cell. Its hull is that of the surface within it and of those of its corners that
/// lie
///    in the solid; what the hull holds beyond the solid is the cell's excess.
/// 2. The cell with the greatest excess is cut by the plane, among those of its own axis-parallel faces and some
/// between
///    (seven per axis), that leaves the two smallest hulls. Surface in the plane goes to the side where its solid is.
/// 3. Cutting ends when no excess is left or at twice the number of hulls allowed.
/// 4. Neighbouring hulls whose common hull adds least are joined: all that add nothing, then down to the number
/// allowed. The volume of the solid in a cell is a sum over the triangles' shadows on the floor, clamped to the cell's
/// height: no caps are needed. Tolerance: cut planes are float32 values; a cell's corner counts as inside when a point
/// a ten thousandth of the cell from it does. Degenerate: an open or turned mesh is reported. Same input, same output.
/// Cost: per cut, some thirty hulls of the cell's surface points; seconds for 100,000 triangles.
Decomposition decompose(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles,
                        const DecomposeOptions& options = {});

}  // namespace geomconv
