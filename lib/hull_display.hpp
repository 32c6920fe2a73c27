#pragma once

#include <cstddef>
#include <string>

#include "lib/format.hpp"
#include "lib/geometry/math.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv {

/// What a node is called where a name is needed: its own name, its mesh's, or "node_N".
std::string nodeName(const Scene& scene, std::size_t node);
/// What a hull is called where a name is needed: its name, its id in hex, or "hull_N" by its place on the node.
std::string hullName(const Hull& hull, std::size_t numberOnNode);

/// A hull in an output, by `--hull-names`: NAME · NAME-convcolonly (Godot makes a collision shape of it) ·
/// UCX_PART_NN (Unreal takes it for the mesh PART; NN counts the node's hulls from 00).
/// separated: hulls are no nodes below their part, as in OBJ, so NAME is "PART/HULL".
std::string hullOutputName(const Scene& scene, std::size_t node, std::size_t numberOnNode, HullNames style,
                           bool separated);

/// A colour per hull, linear RGB, neighbours well apart (hues a golden angle from each other).
Vec3 hullColor(std::size_t number);
/// How opaque hulls of a type are shown: wrap hulls and boxes let the others be seen.
float hullOpacity(HullType type);

}  // namespace geomconv
