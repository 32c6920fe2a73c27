#include "lib/geometry/mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geomconv {

namespace {

using Triangles = std::span<const std::array<std::uint32_t, 3>>;

struct Corners {
    Vec3d a;
    Vec3d b;
    Vec3d c;
};

struct Frame {
    std::span<const Vec3> points;
    Vec3d origin;

    Corners operator()(const std::array<std::uint32_t, 3>& t) const {
        return {Vec3d(points[t[0]]) - origin, Vec3d(points[t[1]]) - origin, Vec3d(points[t[2]]) - origin};
    }
};

/// Half the diagonal of the used points' box, and its middle.
void boundUsed(std::span<const Vec3> points, Triangles triangles, Vec3d& middle, Vec3d& half) {
    Vec3d low(std::numeric_limits<double>::infinity());
    Vec3d high(-std::numeric_limits<double>::infinity());
    for (const auto& t : triangles) {
        for (const std::uint32_t corner : t) {
            low = glm::min(low, Vec3d(points[corner]));
            high = glm::max(high, Vec3d(points[corner]));
        }
    }
    middle = (low + high) / 2.0;
    half = (high - low) / 2.0;
}

void fallBack(MassProperties& out, const Vec3d& middle, const Vec3d& half) {
    out.degenerate = true;
    out.massCenter = middle;
    out.rotationInertia = Vec3d(glm::dot(half, half) / 2.0);
}

void centroid(MassProperties& out, Triangles triangles, const Frame& frame, const Vec3d& half) {
    double d = 0.0;
    double q = 0.0;
    Vec3d s(0.0);
    for (const auto& t : triangles) {
        const auto [a, b, c] = frame(t);
        const Vec3d n = glm::cross(b - a, c - a);
        const double volume = glm::dot(n, a);
        d += volume;
        q += glm::dot(n, n);
        s += volume * (a + b + c) / 4.0;
    }
    out.volume = d / 6.0;
    const double area = std::sqrt(q);
    if (!(d > area * area * area * 1e-9)) return fallBack(out, frame.origin, half);
    out.massCenter = frame.origin + s / d;
}

void inertia(MassProperties& out, Triangles triangles, const Frame& frame) {
    double volume = 0.0;
    Vec3d sum(0.0);
    for (const auto& t : triangles) {
        const auto [a, b, c] = frame(t);
        const double v = glm::dot(a, glm::cross(b, c)) / 6.0;
        volume += v;
        sum += v * (a * a + b * b + c * c + a * b + a * c + b * c) / 10.0;
    }
    const Vec3d m = sum / volume;
    out.secondMoment = m;
    out.rotationInertia =
        Vec3d(std::sqrt(m.y * m.y + m.z * m.z), std::sqrt(m.x * m.x + m.z * m.z), std::sqrt(m.x * m.x + m.y * m.y));
}

}  // namespace

Reach reachFrom(std::span<const Vec3> points, Triangles triangles, const Vec3d& center) {
    const Frame about{points, center};
    Reach out;
    for (const auto& t : triangles) {
        const auto [a, b, c] = about(t);
        const Vec3d n = glm::cross(b - a, c - a);
        const double length = glm::length(n);
        for (const Vec3d& p : {a, b, c}) {
            out.radius = std::max(out.radius, glm::length(p));
            if (length > 0.0) out.deviation = std::max(out.deviation, glm::length(glm::cross(p, n)) / length);
        }
    }
    return out;
}

MassProperties massProperties(std::span<const Vec3> points, Triangles triangles) {
    MassProperties out;
    if (triangles.empty()) return out;
    Vec3d middle;
    Vec3d half;
    boundUsed(points, triangles, middle, half);
    centroid(out, triangles, {points, middle}, half);
    if (!out.degenerate) inertia(out, triangles, {points, out.massCenter});
    const Reach reach = reachFrom(points, triangles, out.massCenter);
    out.radius = reach.radius;
    out.deviation = reach.deviation;
    return out;
}

}  // namespace geomconv
