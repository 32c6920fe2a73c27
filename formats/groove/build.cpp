#include "formats/groove/build.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "lib/bytes/counted.hpp"

namespace geomconv::groove {

namespace {

constexpr double kNear = 0.75;  ///< where edges are fitted: a cell and a quarter around its middle
constexpr std::size_t kLongestBatch = 256;
constexpr float kBoxMargin = 1.0F / 128.0F;
/// Collision polygons take part in the box up to here; far corners of large polygons do not.
constexpr double kBoxReach = 1.5;

std::int8_t quantised(double v) {
    return static_cast<std::int8_t>(std::clamp(roundedAway(127.0 * v), -127.0, 127.0));
}

Plane planeWithNormal(const Vec3d& n) {
    Plane p;
    p.nx = quantised(n.x);
    p.ny = quantised(n.y);
    p.nz = quantised(n.z);
    return p;
}

/// 32 times the middle of n . r over the points: the plane that no point is far from.
double fitted(const Plane& plane, std::span<const Vec3d> points) {
    const Vec3d n(static_cast<double>(plane.nx), static_cast<double>(plane.ny), static_cast<double>(plane.nz));
    double low = glm::dot(n, points[0]);
    double high = low;
    for (const Vec3d& p : points) {
        low = std::min(low, glm::dot(n, p));
        high = std::max(high, glm::dot(n, p));
    }
    return roundedAway(16.0 * (low + high));
}

/// Where an edge passes near the tile: the ends of its piece, or its point nearest to the tile's origin.
std::vector<Vec3d> edgeReference(const Vec3d& a, const Vec3d& b) {
    const Vec3d along = b - a;
    double from = 0.0;
    double to = 1.0;
    for (const int axis : {0, 2}) {
        for (const double side : {-1.0, 1.0}) {
            // side * (a + t * along) <= kNear
            const double room = kNear - side * a[axis];
            const double speed = side * along[axis];
            if (speed > 0.0)
                to = std::min(to, room / speed);
            else if (speed < 0.0)
                from = std::max(from, room / speed);
            else if (room < 0.0)
                to = -1.0;
        }
    }
    if (from <= to) return {a + along * from, a + along * to};
    const double t = std::clamp(-glm::dot(a, along) / glm::dot(along, along), 0.0, 1.0);
    return {a + along * t};
}

/// Texture table flags, page and palette, and the face's own modes: a change needs a new batch.
using StateKey = std::tuple<unsigned, int, int, unsigned>;

StateKey stateOf(const Face& face, const std::vector<Texture>& textures) {
    const Texture t = face.texture < textures.size() ? textures[face.texture] : Texture{};
    return {t.flags & 0x7701U, t.page, t.palette, face.flags & 0x4003U};
}

void finishFaces(Model& model, const std::vector<Texture>& textures) {
    std::stable_sort(model.faces.begin(), model.faces.end(),
                     [&textures](const Face& a, const Face& b) { return stateOf(a, textures) < stateOf(b, textures); });
    std::size_t length = 0;
    std::optional<StateKey> last;
    for (Face& f : model.faces) {
        const StateKey key = stateOf(f, textures);
        const bool opens = !last || key != *last || length == kLongestBatch;
        length = opens ? 1 : length + 1;
        last = key;
        f.flags = static_cast<std::uint16_t>(opens ? f.flags | Face::kBatch : f.flags & ~Face::kBatch);
        const Vec3d a(model.vertices[f.vertices[0]].position);
        const Vec3d b(model.vertices[f.vertices[1]].position);
        const Vec3d c(model.vertices[f.vertices[2]].position);
        const Vec3d n = glm::cross(b - a, c - a);
        const double size = glm::length(n);
        const Vec3d unit = size > 0.0 ? n / size : Vec3d(0.0, 1.0, 0.0);
        f.normal = Vec3(unit);
        f.d = static_cast<float>(glm::dot(unit, a));
    }
}

void finishBox(Model& model) {
    Vec3 low(0.0F);
    Vec3 high(0.0F);
    bool any = false;
    const auto take = [&](const Vec3& p) {
        low = any ? glm::min(low, p) : p;
        high = any ? glm::max(high, p) : p;
        any = true;
    };
    for (const Vertex& v : model.vertices) take(v.position);
    for (const CollisionPolygon& p : model.polygons) {
        for (const Vec3d& c : polygonCorners(p).corners) {
            // Collision is in game space, boxes are in export space.
            take(Vec3(Vec3d(std::clamp(c.x, -kBoxReach, kBoxReach), c.y, -std::clamp(c.z, -kBoxReach, kBoxReach))));
        }
    }
    low -= Vec3(kBoxMargin);
    high += Vec3(kBoxMargin);
    model.boxCenter = (low + high) * 0.5F;
    for (std::size_t i = 0; i < 8; ++i) {
        // (--+)(+-+)(-++)(+++)(---)(+--)(-+-)(++-)
        model.boxCorners[i] = {(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y,
                               (i & 4) != 0 ? low.z : high.z};
    }
}

}  // namespace

double roundedAway(double v) {
    return v < 0.0 ? -std::floor(0.5 - v) : std::floor(v + 0.5);
}

Vec3d newellNormal(std::span<const Vec3d> corners) {
    Vec3d n(0.0);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3d& a = corners[i];
        const Vec3d& b = corners[(i + 1) % corners.size()];
        n += Vec3d((a.y - b.y) * (a.z + b.z), (a.z - b.z) * (a.x + b.x), (a.x - b.x) * (a.y + b.y));
    }
    return n;
}

bool isPlanarConvex(std::span<const Vec3d> corners) {
    constexpr double kPlanar = 1.0 / 256.0;
    constexpr double kConvex = 1e-9;
    const Vec3d newell = newellNormal(corners);
    const double length = glm::length(newell);
    if (!(length > 1e-9)) return false;
    const Vec3d n = newell / length;
    double low = glm::dot(n, corners[0]);
    double high = low;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3d& before = corners[(i + corners.size() - 1) % corners.size()];
        const Vec3d& after = corners[(i + 1) % corners.size()];
        if (!(glm::dot(n, glm::cross(corners[i] - before, after - corners[i])) > kConvex)) return false;
        low = std::min(low, glm::dot(n, corners[i]));
        high = std::max(high, glm::dot(n, corners[i]));
    }
    return high - low <= kPlanar;
}

BuiltPolygon buildPolygon(const PolygonSource& source) {
    BuiltPolygon out;
    const Vec3d newell = newellNormal(source.corners);
    if (glm::dot(newell, newell) < 1e-18) {
        out.outcome = BuildOutcome::Degenerate;
        return out;
    }
    const Vec3d normal = glm::normalize(newell);
    CollisionPolygon& p = out.polygon;
    Plane& surface = p.planes[0];
    surface = planeWithNormal(normal);
    const double d = fitted(surface, source.reference);
    if (d < INT16_MIN || d > INT16_MAX) {
        out.outcome = BuildOutcome::TooFar;
        return out;
    }
    surface.d = static_cast<std::int16_t>(d);

    const std::size_t m = source.corners.size();
    for (std::size_t k = 0; k < m; ++k) {
        // Edge k ends in corner k, so that corner k lies on edges k and k + 1.
        const Vec3d& a = source.corners[(k + m - 1) % m];
        const Vec3d& b = source.corners[k];
        Plane& edge = p.planes[k + 1];
        edge = planeWithNormal(glm::normalize(glm::cross(normal, b - a)));
        const double e = fitted(edge, edgeReference(a, b));
        if (e > INT16_MAX) {
            out.outcome = BuildOutcome::Elsewhere;
            return out;
        }
        // So far outside, the lowest d stands for it as well.
        edge.d = static_cast<std::int16_t>(std::max(e, static_cast<double>(INT16_MIN)));
    }
    const unsigned shape = (m == 4 ? CollisionPolygon::kQuad : 0U) | (surface.ny < 0 ? CollisionPolygon::kCeiling : 0U);
    p.type = static_cast<std::uint8_t>(shape | source.typeBits);
    p.material = source.material;
    out.group = source.group.value_or(surface.ny > 0 ? 0 : surface.ny < 0 ? 1 : 2);
    return out;
}

void finishModel(Model& model, std::vector<BuiltPolygon> polygons, const std::vector<Texture>& textures) {
    if (model.vertices.size() > UINT16_MAX || model.faces.size() > UINT16_MAX) {
        throw GeometryError("", "limit",
                            counted(model.vertices.size(), "vertices") + " and " +
                                counted(model.faces.size(), "faces") + ", 65535 of each are possible");
    }
    std::stable_sort(polygons.begin(), polygons.end(),
                     [](const BuiltPolygon& a, const BuiltPolygon& b) { return a.group < b.group; });
    std::array<std::size_t, 3> counts{};
    model.polygons.clear();
    for (const BuiltPolygon& p : polygons) {
        counts[p.group] += 1;
        model.polygons.push_back(p.polygon);
    }
    for (std::size_t g = 0; g < 3; ++g) {
        if (counts[g] > UINT16_MAX) {
            throw GeometryError("", "limit",
                                std::to_string(counts[g]) + " collision polygons of one group, 65535 are possible");
        }
        model.groups[g] = static_cast<std::uint16_t>(counts[g]);
    }
    finishFaces(model, textures);
    finishBox(model);
}

}  // namespace geomconv::groove
