#pragma once

#include "formats/groove/groove.hpp"

namespace geomconv::groove {

/// Example geometry in a level's own textures, to start from: near the middle of the grid a ramp of three units that
/// rises by one, a block of 1 x 1 x 1 at its upper end and one of 2 x 1 x 0.5 beside it, on the highest floor that the
/// level has there; every square shows the whole rectangle of one texture. plaza: everything stands on a plate at y = 0
/// that covers the grid. File space; names of materials as the export has them, so that an import takes it as it is.
/// Throws GeometryError: `grid` (fewer than 4 x 3 cells), `index` (no textures); FormatError (`missing-chunk`).
Scene demoScene(const Level& level, bool plaza, Defects& defects);

}  // namespace geomconv::groove
