#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/scene/scene.hpp"

namespace geomconv {

/// What `info` tells of a scene: counts, the box around it, and a row per mesh and hull (name, vertices, triangles,
/// what its vertices have). topology: also whether each mesh is closed, and its open, crowded and turned edges.
nlohmann::ordered_json sceneSummary(const Scene& scene, bool topology);

}  // namespace geomconv
