#pragma once

#include <span>

#include "formats/groove/groove.hpp"

/// What a level records that follows from geometry: planes, boxes, batches (FORMAT.md "Building").
namespace geomconv::groove {

/// Half away from zero, as all quantising here.
double roundedAway(double v);

/// Corners of a triangle or planar convex quad, game space relative to the tile's origin, units, counter-clockwise
/// about the outward normal; reference points: the part that matters for the tile, at which the surface is fitted.
struct PolygonSource {
    std::span<const Vec3d> corners;
    std::span<const Vec3d> reference;
    std::uint8_t material = 0;
    std::uint8_t typeBits = 0;          ///< beyond quad and ceiling
    std::optional<std::uint8_t> group;  ///< absent: by the normal
};
enum class BuildOutcome : std::uint8_t {
    Built,
    Degenerate,  ///< no area
    Elsewhere,   ///< an edge keeps it from reaching the tile
    TooFar,      ///< the plane passes the tile at more than 8.06 units
};
struct BuiltPolygon {
    BuildOutcome outcome = BuildOutcome::Built;
    CollisionPolygon polygon;
    std::uint8_t group = 0;
};
BuiltPolygon buildPolygon(const PolygonSource& source);

/// A corner order that is planar to 1/256 and strictly convex: may be stored as one record.
bool isPlanarConvex(std::span<const Vec3d> corners);
/// Sum over the fan of cross products; its length is twice the area.
Vec3d newellNormal(std::span<const Vec3d> corners);

/// Sorts faces by render state, sets the batch bits, computes face planes and the box. polygons: with their group each;
/// stored floors first, then ceilings and walls.
/// Throws GeometryError (`limit`) for counts that no field holds.
void finishModel(Model& model, std::vector<BuiltPolygon> polygons, const std::vector<Texture>& textures);

}  // namespace geomconv::groove
