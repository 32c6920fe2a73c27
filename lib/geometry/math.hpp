#pragma once

// The project's vector types. glm is configured here and nowhere else. Quaternions are stored x y z w in files and
// JSON; glm's constructor takes w first, so quaternions are made by `quat(x, y, z, w)`.

#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

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

/// Whether no component is NaN or infinite.
inline bool isFinite(float v) {
    return std::isfinite(v);
}
inline bool isFinite(const Vec2& v) {
    return std::isfinite(v.x) && std::isfinite(v.y);
}
inline bool isFinite(const Vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
inline bool isFinite(const Vec4& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && std::isfinite(v.w);
}
inline bool isFinite(const Quat& q) {
    return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}
inline bool isFinite(const Mat4& m) {
    return isFinite(m[0]) && isFinite(m[1]) && isFinite(m[2]) && isFinite(m[3]);
}

/// The same of a whole array. A sum of differences is 0 exactly when all are finite: one pass without a branch.
inline bool allFinite(std::span<const float> values) {
    float sum = 0.0F;
    for (const float v : values) sum += v - v;
    return sum == 0.0F;
}
template <class V>
bool allFinite(const std::vector<V>& vectors) {
    return vectors.empty() || allFinite(std::span(&vectors.front()[0], vectors.size() * (sizeof(V) / sizeof(float))));
}

}  // namespace geomconv
