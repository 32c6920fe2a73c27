#pragma once

#include <cstdint>
#include <vector>

#include "lib/scene/scene.hpp"

namespace geomconv {

/// The node's own transform as a matrix for column vectors, in double.
Mat4d localMatrix(const Node& node);

/// World matrices of all nodes, parents applied. Nodes may stand in any order; a cycle must not exist (readers refuse
/// it).
std::vector<Mat4d> worldMatrices(const Scene& scene);

/// Children of each node in file order, and the roots.
struct NodeTree {
    std::vector<std::vector<std::uint32_t>> children;
    std::vector<std::uint32_t> roots;
};
NodeTree nodeTree(const Scene& scene);

/// Whether parents are in range and without a cycle; for readers at the door.
bool parentsAreSound(const Scene& scene);

/// Whether the matrix mirrors, so that triangles must be turned when it is baked in.
inline bool mirrors(const Mat4d& m) {
    return glm::determinant(Mat3d(m)) < 0.0;
}

/// The turn that brings a space's up axis to +Y (glTF) by a proper rotation, and mirrors z when it is left-handed.
Mat4d toYUp(const Space& space);
/// The turn that brings a space's up axis to +Z by a proper rotation, and mirrors y when it is left-handed.
Mat4d toZUp(const Space& space);

}  // namespace geomconv
