#pragma once

#include <optional>
#include <vector>

#include "formats/sur/build.hpp"

// Parts whose hulls were edited: what was not edited keeps its faces and points as they are in the file, everything
// that follows from the hulls together is derived anew.
namespace geomconv::sur {

/// A terminal hull of the part to be: one that the part has, or a new one.
struct HullSource {
    std::optional<std::size_t> kept;  ///< Surface::hulls of the part
    HullGeometry made;                ///< when nothing is kept
};

/// The part with these terminal hulls in this order: bounds, tree, wrap hull, header values and extent are derived; id,
/// `fixed`, hardpoints and the order of chunks stay; bytes behind the nodes, which nobody can bring up to date, go.
/// Throws GeometryError: what createFaces refuses, `no-hull`, `too-many-points`, `too-large`.
Part withHulls(const Part& part, const std::vector<HullSource>& sources, Defects& defects);

/// Whether two hulls have the same triangles, corner by corner within the tolerance, in the same order; a triangle may
/// begin with another corner.
bool sameShape(const HullGeometry& a, const HullGeometry& b, double tolerance);

}  // namespace geomconv::sur
