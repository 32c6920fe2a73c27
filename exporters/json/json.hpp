#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/format.hpp"

namespace geomconv::json {

/// Writes the scene as JSON, streamed: head, source, space, nodes, meshes, hulls, materials, images, skins, animations.
/// Arrays of vectors are flat; matrices are 16 numbers by columns; several sets of influences follow one another in
/// `joints` and `weights`; extras are spliced in as they are. Images are base64 of their encoded bytes; pixels become
/// PNG first. Scale and up axis are a root node, added last. Throws SystemError from the sink.
void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects);

}  // namespace geomconv::json
