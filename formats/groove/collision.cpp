#include <algorithm>
#include <cmath>
#include <numbers>

#include "formats/groove/groove.hpp"

namespace geomconv::groove {

namespace {

/// An integer plane: normal and d as stored.
struct IntPlane {
    std::int64_t x, y, z, d;
};

IntPlane wide(const Plane& p) {
    return {p.nx, p.ny, p.nz, p.d};
}

IntPlane cross(const IntPlane& a, const IntPlane& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0};
}

std::int64_t dot(const IntPlane& a, const IntPlane& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

double length(const IntPlane& a) {
    return std::sqrt(static_cast<double>(dot(a, a)));
}

Vec3d normalOf(const Plane& p) {
    return {static_cast<double>(p.nx), static_cast<double>(p.ny), static_cast<double>(p.nz)};
}

/// 32 * n . P - d: how far P is inside, in the engine's units of 1/4064.
double inside(const Plane& plane, const Vec3d& p) {
    return 32.0 * glm::dot(normalOf(plane), p) - plane.d;
}

/// Surface and two neighbouring edges meet in one point (Cramer's rule, the division last); nullopt when they do not.
std::optional<Vec3d> meeting(const IntPlane& s, const IntPlane& a, const IntPlane& b, double& quality) {
    const IntPlane ab = cross(a, b);
    const std::int64_t det = dot(s, ab);
    const double lengths = length(s) * length(a) * length(b);
    quality = std::min(quality, lengths > 0 ? std::abs(static_cast<double>(det)) / lengths : 0.0);
    if (det == 0) return std::nullopt;
    const IntPlane bs = cross(b, s);
    const IntPlane sa = cross(s, a);
    const double scale = 32.0 * static_cast<double>(det);
    return Vec3d(static_cast<double>(s.d * ab.x + a.d * bs.x + b.d * sa.x) / scale,
                 static_cast<double>(s.d * ab.y + a.d * bs.y + b.d * sa.y) / scale,
                 static_cast<double>(s.d * ab.z + a.d * bs.z + b.d * sa.z) / scale);
}

bool acceptable(const CollisionPolygon& polygon, const std::vector<Vec3d>& corners) {
    constexpr double kReach = 16.0;
    constexpr double kSlack = -128.0;
    for (const Vec3d& c : corners) {
        if (std::abs(c.x) > kReach || std::abs(c.y) > kReach || std::abs(c.z) > kReach) return false;
        for (unsigned k = 1; k <= polygon.edgeCount(); ++k) {
            if (inside(polygon.planes[k], c) < kSlack) return false;
        }
    }
    return true;
}

/// The part of a convex polygon where distance(p) >= 0 (Sutherland-Hodgman).
template <class Distance>
std::vector<Vec3d> cut(const std::vector<Vec3d>& polygon, Distance distance) {
    std::vector<Vec3d> out;
    out.reserve(polygon.size() + 1);
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3d& a = polygon[(i + polygon.size() - 1) % polygon.size()];
        const Vec3d& b = polygon[i];
        const double da = distance(a);
        const double db = distance(b);
        if ((da < 0) != (db < 0)) out.push_back(a + (b - a) * (da / (da - db)));
        if (db >= 0) out.push_back(b);
    }
    return out;
}

double area(const std::vector<Vec3d>& polygon) {
    Vec3d sum(0.0);
    for (std::size_t i = 2; i < polygon.size(); ++i) {
        sum += glm::cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]) / 2.0;
    }
    return glm::length(sum);
}

/// A square of half-size 16 in the surface plane around the foot of the origin, cut by every edge.
std::vector<Vec3d> clipped(const CollisionPolygon& polygon) {
    constexpr double kHalf = 16.0;
    const Vec3d n = normalOf(polygon.planes[0]);
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
        if (std::abs(n[i]) < std::abs(n[axis])) axis = i;
    }
    Vec3d a(0.0);
    a[axis] = 1.0;
    const Vec3d u = glm::normalize(glm::cross(a, n));
    const Vec3d v = glm::cross(glm::normalize(n), u);
    const Vec3d foot = n * (polygon.planes[0].d / (32.0 * glm::dot(n, n)));
    std::vector<Vec3d> out{foot + kHalf * (-u - v), foot + kHalf * (u - v), foot + kHalf * (u + v),
                           foot + kHalf * (v - u)};
    for (unsigned k = 1; k <= polygon.edgeCount(); ++k) {
        const Plane& edge = polygon.planes[k];
        out = cut(out, [&edge](const Vec3d& p) { return inside(edge, p); });
    }
    std::vector<Vec3d> apart;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (glm::distance(out[i], out[(i + out.size() - 1) % out.size()]) > 1e-9) apart.push_back(out[i]);
    }
    return apart;
}

}  // namespace

PolygonCorners polygonCorners(const CollisionPolygon& polygon) {
    PolygonCorners out;
    const IntPlane surface = wide(polygon.planes[0]);
    if (dot(surface, surface) == 0) return out;

    const unsigned m = polygon.edgeCount();
    bool meet = true;
    out.quality = 9.0;
    for (unsigned k = 0; k < m; ++k) {
        const auto corner =
            meeting(surface, wide(polygon.planes[1 + k]), wide(polygon.planes[1 + (k + 1) % m]), out.quality);
        meet = meet && corner;
        if (meet) out.corners.push_back(*corner);
    }
    if (meet && acceptable(polygon, out.corners)) {
        out.source = CornerSource::Planes;
        return out;
    }
    out.corners = clipped(polygon);
    if (out.corners.size() < 3 || area(out.corners) < 1e-8)
        out.corners.clear();
    else
        out.source = CornerSource::Clip;
    return out;
}

SinCos tileTurn(const Tile& tile) {
    switch (tile.turn()) {
        case 0:
            return {0.0, 1.0};
        case 1024:
            return {1.0, 0.0};
        case 2048:
            return {0.0, -1.0};
        case 3072:
            return {-1.0, 0.0};
        default:
            break;
    }
    const double angle = 2.0 * std::numbers::pi * tile.turn() / 4096.0;
    return {std::sin(angle), std::cos(angle)};
}

Vec3d placed(const Tile& tile, const SinCos& turn, const Vec3d& g) {
    return {tile.x / 4096.0 + g.x * turn.cos + g.z * turn.sin, tile.y / 4096.0 + g.y,
            tile.z / 4096.0 - g.x * turn.sin + g.z * turn.cos};
}

std::vector<Vec3d> clippedToCell(const std::vector<Vec3d>& polygon, const Cell& cell) {
    const auto x = static_cast<double>(cell.x);
    const auto z = static_cast<double>(cell.z);
    std::vector<Vec3d> out = cut(polygon, [x](const Vec3d& p) { return p.x - x; });
    out = cut(out, [x](const Vec3d& p) { return x + 1.0 - p.x; });
    out = cut(out, [z](const Vec3d& p) { return p.z - z; });
    return cut(out, [z](const Vec3d& p) { return z + 1.0 - p.z; });
}

}  // namespace geomconv::groove
