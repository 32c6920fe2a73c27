#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/format.hpp"

namespace geomconv::obj {

/// Writes the scene as OBJ: an object per node with a mesh, one more per hull ("PART/HULL"), node transforms, scale and
/// up axis baked in; materials in STEM.mtl and images beside it where the output can have siblings. Triangles keep the
/// scene's order, numbers that no transform touches their bits.
/// Defects: what OBJ cannot hold, once per kind (`lost-skins`, `lost-animations`, `lost-morph-targets`, `lost-alpha`,
/// `lost-materials`, `unplaced`). Throws SystemError from the sinks, GeometryError for an image that cannot be coded.
void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects);

}  // namespace geomconv::obj
