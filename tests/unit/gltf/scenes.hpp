#pragma once

#include <string>
#include <vector>

#include "lib/files/output_set.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv::test {

/// A tetrahedron with normals, UVs and colours.
Primitive tetrahedron();
/// A closed hull of four points.
Hull hull(std::string name, std::optional<std::uint32_t> id, HullType type);
/// One pixel.
Image pixel(std::string name);

/// Parts with hulls below them, in y-up space: what a .sur becomes.
Scene hullScene();
/// Everything a scene can hold: instances, materials of every kind, textures, lines, points, a skin whose mesh stands
/// below a moved node, morph targets, animations of every path, extras.
Scene fullScene();

/// Runs the Khronos validator over the files, which lie under their names in one folder. nullopt: node or the npm
/// package (scripts/gltf-validator) is not there, which the test says. Otherwise one line per file that is not free of
/// errors and warnings.
std::optional<std::vector<std::string>> validatorComplaints(
    const std::vector<std::pair<std::string, ByteVector>>& files);

/// The same run, as the number of errors of each model file in order.
std::optional<std::vector<int>> validatorErrors(const std::vector<std::pair<std::string, ByteVector>>& files);

}  // namespace geomconv::test
