#pragma once

// The project's vector types. glm is configured here and nowhere else. Quaternions are stored x y z w in files and
// JSON; glm's constructor takes w first, so quaternions are made by `quat(x, y, z, w)`.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace geomconv {

using Vec2 = glm::vec2;
using Vec3 = glm::vec3;
using Vec4 = glm::vec4;
using Quat = glm::quat;
using Mat3 = glm::mat3;
using Mat4 = glm::mat4;
using Vec2d = glm::dvec2;
using Vec3d = glm::dvec3;
using Quatd = glm::dquat;
using Mat3d = glm::dmat3;
using Mat4d = glm::dmat4;

static_assert(sizeof(Vec2) == 8 && sizeof(Vec3) == 12 && sizeof(Vec4) == 16, "vectors are written as they lie");

/// A quaternion from the order in which files hold it.
inline Quat quat(float x, float y, float z, float w) {
    return Quat(w, x, y, z);
}

}  // namespace geomconv
