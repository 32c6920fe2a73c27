#include "lib/geometry/mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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
struct Bounds {
    Vec3d middle{0.0};
    Vec3d half{0.0};
};
Bounds boundsOf(std::span<const Vec3> points, Triangles triangles) {
    Vec3d low(std::numeric_limits<double>::infinity());
    Vec3d high(-std::numeric_limits<double>::infinity());
    for (const auto& t : triangles) {
        for (const std::uint32_t corner : t) {
            low = glm::min(low, Vec3d(points[corner]));
            high = glm::max(high, Vec3d(points[corner]));
        }
    }
    return {(low + high) / 2.0, (high - low) / 2.0};
}

void fallBack(MassProperties& out, const Bounds& bounds) {
    out.degenerate = true;
    out.massCenter = bounds.middle;
    out.rotationInertia = Vec3d(glm::dot(bounds.half, bounds.half) / 2.0);
}

/// The sums over one piece, about its own middle.
struct Sums {
    Vec3d origin{0.0};
    double d = 0.0;  ///< six volumes
    double q = 0.0;  ///< squares of the normals
    Vec3d s{0.0};    ///< six first moments
    Vec3d m{0.0};    ///< six second moments
};
Sums sumsOf(std::span<const Vec3> points, Triangles triangles) {
    Sums out;
    out.origin = boundsOf(points, triangles).middle;
    const Frame frame{points, out.origin};
    for (const auto& t : triangles) {
        const auto [a, b, c] = frame(t);
        const Vec3d n = glm::cross(b - a, c - a);
        const double d = glm::dot(n, a);
        out.d += d;
        out.q += glm::dot(n, n);
        out.s += d * (a + b + c) / 4.0;
        out.m += d * (a * a + b * b + c * c + a * b + a * c + b * c) / 10.0;
    }
    return out;
}

void combine(MassProperties& out, const std::vector<Sums>& pieces, const Bounds& bounds) {
    double d = 0.0;
    double q = 0.0;
    Vec3d s(0.0);
    for (const Sums& piece : pieces) {
        d += piece.d;
        q += piece.q;
        s += piece.s + piece.d * (piece.origin - bounds.middle);
    }
    out.volume = d / 6.0;
    const double area = std::sqrt(q);
    if (!(d > area * area * area * 1e-9)) return fallBack(out, bounds);
    out.massCenter = bounds.middle + s / d;
    Vec3d m(0.0);
    for (const Sums& piece : pieces) {
        const Vec3d away = piece.origin - out.massCenter;
        m += piece.m + 2.0 * away * piece.s + piece.d * away * away;
    }
    m /= d;
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

MassProperties massProperties(std::span<const Vec3> points, Triangles triangles,
                              std::span<const std::size_t> pieceEnds) {
    MassProperties out;
    if (triangles.empty()) return out;
    std::vector<Sums> pieces;
    std::size_t begin = 0;
    for (const std::size_t end : pieceEnds) {
        if (end > begin) pieces.push_back(sumsOf(points, triangles.subspan(begin, end - begin)));
        begin = end;
    }
    if (begin < triangles.size()) pieces.push_back(sumsOf(points, triangles.subspan(begin)));
    combine(out, pieces, boundsOf(points, triangles));
    const Reach reach = reachFrom(points, triangles, out.massCenter);
    out.radius = reach.radius;
    out.deviation = reach.deviation;
    return out;
}

}  // namespace geomconv
