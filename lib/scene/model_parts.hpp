#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/geometry/math.hpp"

namespace geomconv {

enum class JointKind { Root, Fixed, Loose, Revolute, Prismatic, Cylindrical, Sphere };

struct ModelHardpoint {
    std::string name;  ///< UTF-8
    std::uint32_t id = 0;
    bool revolute = false;
    Vec3 position{0.0F, 0.0F, 0.0F};  ///< part space
    Mat3 orientation{1.0F};           ///< columns are the images of x, y, z
};

struct ModelPart {
    std::string name;                     ///< the Object name, UTF-8
    std::uint32_t id = 0;                 ///< hash of the Object name; 0 for the only part of a single-part model
    std::string fragment;                 ///< the fragment directory's name
    std::optional<std::uint32_t> parent;  ///< ModelParts::parts
    JointKind joint = JointKind::Root;
    Mat4 local{1.0F};  ///< rest transform against the parent, for column vectors
    std::vector<ModelHardpoint> hardpoints;
};

/// What a model tells a collision library about its parts: names, placements, joints, hardpoints. Model readers fill
/// it, collision readers and builders use it; neither knows the other.
struct ModelParts {
    bool compound = false;
    std::vector<ModelPart> parts;  ///< the root first
};

}  // namespace geomconv
