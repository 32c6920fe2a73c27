#include "lib/geometry/decompose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lib/geometry/convex_hull.hpp"
#include "lib/geometry/topology.hpp"

namespace geomconv {

namespace {

using Triangle = std::array<std::uint32_t, 3>;
constexpr std::size_t kPlanesBetween = 7;
constexpr double kLittleGain = 0.995;
constexpr std::size_t kFacePlanes = 24;  ///< per axis and cell, those with the largest faces

struct Box {
    Vec3d low;
    Vec3d high;
};

/// A convex piece of a triangle, clipped to a cell. Up to nine corners: three and one per side of the cell.
struct Polygon {
    std::array<Vec3d, 9> corner;
    std::uint8_t size = 0;
    std::array<std::int8_t, 3> faces{};  ///< per axis: 1 or -1 when it looks exactly along it

    void push(const Vec3d& p) {
        if (size < corner.size()) corner[size++] = p;
    }
};

/// Where an edge that runs from one side of a plane to the other meets it.
Vec3d crossing(const Vec3d& p, const Vec3d& q, int axis, double c) {
    const double hp = p[axis] - c;
    const double hq = q[axis] - c;
    Vec3d cut = p + (q - p) * (hp / (hp - hq));
    cut[axis] = c;
    return cut;
}

/// The part of a polygon on one side of a plane: sign 1 keeps values up to c, -1 from c on.
Polygon clipped(const Polygon& polygon, int axis, double c, double sign) {
    Polygon out;
    out.faces = polygon.faces;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        const Vec3d& p = polygon.corner[i];
        const Vec3d& q = polygon.corner[(i + 1) % polygon.size];
        const double hp = sign * (p[axis] - c);
        const double hq = sign * (q[axis] - c);
        if (hp <= 0.0) out.push(p);
        if ((hp < 0.0 && hq > 0.0) || (hp > 0.0 && hq < 0.0)) out.push(crossing(p, q, axis, c));
    }
    return out;
}

/// Which side of a plane a polygon lies on: below, above, or across; one in the plane is where its solid is.
struct Side {
    bool below = false;
    bool above = false;
};
Side sideOf(const Polygon& polygon, int axis, double c) {
    Side out;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        out.below = out.below || polygon.corner[i][axis] < c;
        out.above = out.above || polygon.corner[i][axis] > c;
    }
    if (!out.below && !out.above) {
        out.below = polygon.faces[static_cast<std::size_t>(axis)] > 0;
        out.above = !out.below;
    }
    return out;
}

/// A solid that can be asked for its volume in a box and whether a point is in it.
class Solid {
public:
    Solid(std::span<const Vec3> points, std::span<const Triangle> triangles) {
        for (const Triangle& t : triangles) {
            Polygon polygon;
            for (const std::uint32_t corner : t) polygon.push(Vec3d(points[corner]));
            const Vec3d n = glm::cross(polygon.corner[1] - polygon.corner[0], polygon.corner[2] - polygon.corner[0]);
            for (int k = 0; k < 3; ++k) {
                const bool level =
                    polygon.corner[0][k] == polygon.corner[1][k] && polygon.corner[1][k] == polygon.corner[2][k];
                if (level) polygon.faces[static_cast<std::size_t>(k)] = n[k] > 0.0 ? std::int8_t{1} : std::int8_t{-1};
            }
            triangles_.push_back(polygon);
        }
        fillColumns();
    }
    const std::vector<Polygon>& surface() const { return triangles_; }

    double volumeIn(const Box& box) const {
        double sum = 0.0;
        for (const Polygon& triangle : triangles_) {
            Polygon p = triangle;
            for (int k = 0; k < 2 && p.size > 2; ++k) p = clipped(clipped(p, k, box.high[k], 1.0), k, box.low[k], -1.0);
            if (p.size < 3) continue;
            const Polygon over = clipped(p, 2, box.high.z, -1.0);
            sum += shadow(over) * (box.high.z - box.low.z);
            bool reachesIn = false;
            for (std::size_t i = 0; i < p.size; ++i) reachesIn = reachesIn || p.corner[i].z < box.high.z;
            if (!reachesIn) continue;  // one in the ceiling counts once
            const Polygon within = clipped(clipped(p, 2, box.high.z, 1.0), 2, box.low.z, -1.0);
            sum += column(within, box.low.z);
        }
        return sum;
    }

    bool holds(const Vec3d& p) const {
        int crossings = 0;
        for (const std::uint32_t i : columns_[columnOf(p.x, 0) * kColumns + columnOf(p.y, 1)]) {
            const Polygon& t = triangles_[i];
            const double a = turn(t.corner[0], t.corner[1], p);
            const double b = turn(t.corner[1], t.corner[2], p);
            const double c = turn(t.corner[2], t.corner[0], p);
            const bool up = a > 0.0 && b > 0.0 && c > 0.0;
            if (!up && !(a < 0.0 && b < 0.0 && c < 0.0)) continue;
            const double z = (b * t.corner[0].z + c * t.corner[1].z + a * t.corner[2].z) / (a + b + c);
            if (z > p.z) crossings += up ? 1 : -1;
        }
        return crossings > 0;
    }

private:
    static double turn(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
        return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    }
    /// Signed area of the shadow on the floor.
    static double shadow(const Polygon& p) {
        double sum = 0.0;
        for (std::size_t i = 1; i + 1 < p.size; ++i) sum += turn(p.corner[0], p.corner[i], p.corner[i + 1]);
        return sum / 2.0;
    }
    /// Volume between the polygon and the floor at z.
    static double column(const Polygon& p, double z) {
        double sum = 0.0;
        for (std::size_t i = 1; i + 1 < p.size; ++i) {
            const double height = (p.corner[0].z + p.corner[i].z + p.corner[i + 1].z) / 3.0 - z;
            sum += turn(p.corner[0], p.corner[i], p.corner[i + 1]) / 2.0 * height;
        }
        return sum;
    }

    /// A grid over the floor: in each square the triangles whose shadow may reach it.
    static constexpr std::size_t kColumns = 32;
    void fillColumns() {
        low_ = Vec3d(std::numeric_limits<double>::infinity());
        Vec3d high = -low_;
        for (const Polygon& t : triangles_) {
            for (std::size_t i = 0; i < t.size; ++i) {
                low_ = glm::min(low_, t.corner[i]);
                high = glm::max(high, t.corner[i]);
            }
        }
        for (int k = 0; k < 2; ++k)
            perUnit_[static_cast<std::size_t>(k)] = high[k] > low_[k] ? kColumns / (high[k] - low_[k]) : 0.0;
        columns_.resize(kColumns * kColumns);
        for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
            const auto& c = triangles_[i].corner;
            const auto [left, right] = std::minmax({c[0].x, c[1].x, c[2].x});
            const auto [front, back] = std::minmax({c[0].y, c[1].y, c[2].y});
            for (std::size_t x = columnOf(left, 0); x <= columnOf(right, 0); ++x) {
                for (std::size_t y = columnOf(front, 1); y <= columnOf(back, 1); ++y)
                    columns_[x * kColumns + y].push_back(i);
            }
        }
    }
    /// Rises with the value, so that a point's square is among those of every triangle around it.
    std::size_t columnOf(double value, int axis) const {
        const double place = (value - low_[axis]) * perUnit_[static_cast<std::size_t>(axis)];
        return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(kColumns - 1)));
    }

    std::vector<Polygon> triangles_;
    Vec3d low_{0.0};
    std::array<double, 2> perUnit_{};
    std::vector<std::vector<std::uint32_t>> columns_;
};

double volumeOf(const std::vector<Vec3>& points, const ConvexHull& hull) {
    const Vec3d origin(points[hull.indices[0]]);
    double sum = 0.0;
    for (const Triangle& t : hull.triangles) {
        const Vec3d a = Vec3d(points[hull.indices[t[0]]]) - origin;
        const Vec3d b = Vec3d(points[hull.indices[t[1]]]) - origin;
        const Vec3d c = Vec3d(points[hull.indices[t[2]]]) - origin;
        sum += glm::dot(a, glm::cross(b, c));
    }
    return sum / 6.0;
}

/// The hull of the points; empty when they are flat.
ConvexPiece hullOf(const std::vector<Vec3>& points, const std::optional<double>& epsilon) {
    ConvexPiece out;
    const ConvexHull hull = convexHull(points, {.epsilon = epsilon});
    if (hull.shape != HullShape::Solid) return out;
    for (const std::uint32_t i : hull.indices) out.points.push_back(points[i]);
    out.triangles = hull.triangles;
    out.volume = volumeOf(points, hull);
    return out;
}

struct Cell {
    Box box;
    std::vector<Polygon> surface;
    double volume = 0.0;
    ConvexPiece hull;
    bool final = false;  ///< no plane is left to cut it by

    double excess() const { return hull.volume - volume; }
};

struct Plane {
    double at = 0.0;
    double area = 0.0;  ///< of the faces in it
};

struct Cut {
    int axis = 0;
    double at = 0.0;
    double cost = std::numeric_limits<double>::infinity();
};

class Decomposer {
public:
    Decomposer(const Solid& solid, const DecomposeOptions& options) : solid_(solid), options_(options) {}

    std::vector<ConvexPiece> run(double volume) {
        allowed_ = options_.tolerance * volume;
        std::vector<Cell> cells(1);
        cells[0].surface = solid_.surface();
        cells[0].box = boxOf(cells[0].surface);
        cells[0].volume = volume;
        cells[0].hull = hullOf(pointsIn(cells[0].surface, cells[0].box), options_.epsilon);
        const std::size_t most = std::size_t{2} * std::max(1U, options_.maxHulls);
        while (cells.size() < most) {
            std::size_t worst = 0;
            double total = 0.0;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                total += std::max(0.0, cells[i].excess());
                const double mine = cells[i].final ? -1.0 : cells[i].excess();
                const double best = cells[worst].final ? -1.0 : cells[worst].excess();
                if (mine > best) worst = i;
            }
            if (cells[worst].final || total <= allowed_ ||
                cells[worst].excess() <= allowed_ / static_cast<double>(most))
                break;
            split(cells, worst);
        }
        std::vector<ConvexPiece> hulls;
        for (Cell& cell : cells) {
            if (!cell.hull.points.empty()) hulls.push_back(std::move(cell.hull));
        }
        join(hulls);
        return hulls;
    }

private:
    static Box boxOf(const std::vector<Polygon>& surface) {
        Box out{Vec3d(std::numeric_limits<double>::infinity()), Vec3d(-std::numeric_limits<double>::infinity())};
        for (const Polygon& p : surface) {
            for (std::size_t i = 0; i < p.size; ++i) {
                out.low = glm::min(out.low, p.corner[i]);
                out.high = glm::max(out.high, p.corner[i]);
            }
        }
        return out;
    }

    /// Of the hull of the points; nothing when they are flat.
    double hullVolume(const std::vector<Vec3>& points) const {
        const ConvexHull hull = convexHull(points, {.epsilon = options_.epsilon, .tidy = false});
        return hull.shape == HullShape::Solid ? volumeOf(points, hull) : 0.0;
    }

    /// Corners of the surface, and the corners of the cell that lie in the solid.
    std::vector<Vec3> pointsIn(const std::vector<Polygon>& surface, const Box& box) const {
        std::vector<Vec3> out;
        for (const Polygon& p : surface) {
            for (std::size_t i = 0; i < p.size; ++i) out.emplace_back(p.corner[i]);
        }
        addCorners(box, out);
        return out;
    }

    void addCorners(const Box& box, std::vector<Vec3>& out) const {
        // Off the corner by parts that meet no edge of a mesh that is parallel to the axes.
        const Vec3d inward = (box.high - box.low) * Vec3d(1.37e-4, 1.61e-4, 1.13e-4);
        for (unsigned n = 0; n < 8; ++n) {
            Vec3d corner;
            Vec3d inside;
            for (int k = 0; k < 3; ++k) {
                const bool high = ((n >> k) & 1U) != 0;
                corner[k] = high ? box.high[k] : box.low[k];
                inside[k] = high ? corner[k] - inward[k] : corner[k] + inward[k];
            }
            if (cornerHeld(corner, inside)) out.emplace_back(corner);
        }
    }

    /// Corners are shared by many cells that are tried.
    bool cornerHeld(const Vec3d& corner, const Vec3d& inside) const {
        const std::array<double, 6> key{corner.x,
                                        corner.y,
                                        corner.z,
                                        inside.x > corner.x ? 1.0 : 0.0,
                                        inside.y > corner.y ? 1.0 : 0.0,
                                        inside.z > corner.z ? 1.0 : 0.0};
        const auto known = held_.find(key);
        if (known != held_.end()) return known->second;
        const bool held = solid_.holds(inside);
        held_.emplace(key, held);
        return held;
    }

    /// Planes worth trying on an axis: those of the largest faces across it, and some at equal distances.
    std::vector<Plane> planes(const Cell& cell, int axis) const {
        std::map<double, double> areas;
        for (const Polygon& p : cell.surface) {
            if (p.faces[static_cast<std::size_t>(axis)] == 0) continue;
            Vec3d area(0.0);
            for (std::size_t i = 1; i + 1 < p.size; ++i)
                area += glm::cross(p.corner[i] - p.corner[0], p.corner[i + 1] - p.corner[0]);
            areas[p.corner[0][axis]] += glm::length(area);
        }
        std::vector<std::pair<double, double>> byArea;
        for (const auto& [at, area] : areas) byArea.emplace_back(-area, at);
        std::sort(byArea.begin(), byArea.end());
        if (byArea.size() > kFacePlanes) byArea.resize(kFacePlanes);
        std::vector<Plane> out;
        const double low = cell.box.low[axis];
        const double high = cell.box.high[axis];
        for (const auto& [area, at] : byArea) out.push_back({at, -area});
        for (std::size_t i = 1; i <= kPlanesBetween; ++i) {
            const double part = static_cast<double>(i) / static_cast<double>(kPlanesBetween + 1);
            out.push_back({static_cast<double>(static_cast<float>(low + (high - low) * part)), 0.0});
        }
        std::erase_if(out, [&](const Plane& plane) { return !(plane.at > low && plane.at < high); });
        return out;
    }

    /// For each corner of a cell's surface, polygon by polygon, the first one at its place.
    static std::vector<std::uint32_t> placesOf(const Cell& cell) {
        std::vector<Vec3> corners;
        for (const Polygon& p : cell.surface) {
            for (std::size_t i = 0; i < p.size; ++i) corners.emplace_back(p.corner[i]);
        }
        return weldPoints(corners);
    }

    /// The points of both sides of a cut, each place once: hulls of hundreds of points are made of thousands of
    /// corners.
    double costOf(const Cell& cell, const std::vector<std::uint32_t>& places, int axis, double at) {
        constexpr std::uint8_t kBelow = 1;
        constexpr std::uint8_t kAbove = 2;
        below_.clear();
        above_.clear();
        taken_.assign(places.size(), 0);
        std::size_t first = 0;
        for (const Polygon& p : cell.surface) {
            const Side side = sideOf(p, axis, at);
            const bool across = side.below && side.above;
            for (std::size_t i = 0; i < p.size; ++i) {
                const Vec3d& corner = p.corner[i];
                std::uint8_t& taken = taken_[places[first + i]];
                if (across ? corner[axis] <= at : side.below) {
                    if ((taken & kBelow) == 0) below_.emplace_back(corner);
                    taken |= kBelow;
                }
                if (across ? corner[axis] >= at : !side.below) {
                    if ((taken & kAbove) == 0) above_.emplace_back(corner);
                    taken |= kAbove;
                }
                if (!across) continue;
                const Vec3d& next = p.corner[(i + 1) % p.size];
                if ((corner[axis] < at) == (next[axis] < at) || corner[axis] == at || next[axis] == at) continue;
                const Vec3 cut(crossing(corner, next, axis, at));
                below_.push_back(cut);
                above_.push_back(cut);
            }
            first += p.size;
        }
        Box low = cell.box;
        Box high = cell.box;
        low.high[axis] = high.low[axis] = at;
        addCorners(low, below_);
        addCorners(high, above_);
        return hullVolume(below_) + hullVolume(above_);
    }

    void split(std::vector<Cell>& cells, std::size_t index) {
        Cut best;
        Cut widest;
        double area = 0.0;
        const std::vector<std::uint32_t> places = placesOf(cells[index]);
        for (int axis = 0; axis < 3; ++axis) {
            for (const Plane& plane : planes(cells[index], axis)) {
                const double cost = costOf(cells[index], places, axis, plane.at);
                if (cost < best.cost) best = {axis, plane.at, cost};
                if (plane.area > area * (1.0 + 1e-9)) {
                    area = plane.area;
                    widest = {axis, plane.at, cost};
                }
            }
        }
        // Where no cut gains much, one along the widest face is made: a house of boxes needs several before its hulls
        // get smaller, and slices off its ends would gain nothing for ever.
        if (best.cost > cells[index].hull.volume * kLittleGain && area > 0.0) best = widest;
        const Cell cell = std::move(cells[index]);
        if (!(best.cost < std::numeric_limits<double>::infinity())) {
            cells[index] = cell;
            cells[index].final = true;
            return;
        }
        Cell below;
        Cell above;
        below.box = above.box = cell.box;
        below.box.high[best.axis] = above.box.low[best.axis] = best.at;
        for (const Polygon& p : cell.surface) {
            const Side side = sideOf(p, best.axis, best.at);
            if (side.below && side.above) {
                below.surface.push_back(clipped(p, best.axis, best.at, 1.0));
                above.surface.push_back(clipped(p, best.axis, best.at, -1.0));
            } else {
                (side.below ? below : above).surface.push_back(p);
            }
        }
        below.volume = solid_.volumeIn(below.box);
        above.volume = cell.volume - below.volume;
        for (Cell* half : {&below, &above}) half->hull = hullOf(pointsIn(half->surface, half->box), options_.epsilon);
        cells[index] = std::move(below);
        cells.push_back(std::move(above));
    }

    // ----------------------------------------------------------------------------------------------------- joining

    struct Pair {
        std::size_t a = 0;
        std::size_t b = 0;
        double added = std::numeric_limits<double>::infinity();
    };

    static std::vector<Vec3> pointsOf(const ConvexPiece& a, const ConvexPiece& b) {
        std::vector<Vec3> points = a.points;
        points.insert(points.end(), b.points.begin(), b.points.end());
        return points;
    }

    void join(std::vector<ConvexPiece>& hulls) const {
        std::vector<Pair> pairs;
        const auto consider = [&](std::size_t a, std::size_t b) {
            const double volume = hullVolume(pointsOf(hulls[a], hulls[b]));
            pairs.push_back({a, b, volume - hulls[a].volume - hulls[b].volume});
        };
        for (std::size_t a = 0; a < hulls.size(); ++a) {
            for (std::size_t b = a + 1; b < hulls.size(); ++b) consider(a, b);
        }
        std::size_t left = hulls.size();
        std::vector<char> gone(hulls.size(), 0);
        while (left > 1) {
            std::erase_if(pairs, [&](const Pair& p) { return gone[p.a] || gone[p.b]; });
            Pair best;
            for (const Pair& pair : pairs) {
                if (pair.added < best.added) best = pair;
            }
            if (left <= options_.maxHulls && !(best.added <= allowed_ * 1e-2)) break;
            if (!(best.added < std::numeric_limits<double>::infinity())) break;
            hulls.push_back(hullOf(pointsOf(hulls[best.a], hulls[best.b]), options_.epsilon));
            gone[best.a] = gone[best.b] = 1;
            gone.push_back(0);
            --left;
            for (std::size_t i = 0; i + 1 < hulls.size(); ++i) {
                if (!gone[i]) consider(i, hulls.size() - 1);
            }
        }
        std::vector<ConvexPiece> kept;
        for (std::size_t i = 0; i < hulls.size(); ++i) {
            if (!gone[i]) kept.push_back(std::move(hulls[i]));
        }
        hulls = std::move(kept);
    }

    const Solid& solid_;
    DecomposeOptions options_;
    double allowed_ = 0.0;
    mutable std::map<std::array<double, 6>, bool> held_;
    std::vector<Vec3> below_;  ///< points of the cut that is tried; kept for their memory
    std::vector<Vec3> above_;
    std::vector<std::uint8_t> taken_;
};

/// Moves the pieces that are convex already to `hulls` and gives the triangles of the others; all of them where pieces
/// lie within each other or would leave less than half of the hulls to the others.
std::vector<Triangle> takeConvexPieces(std::span<const Vec3> points, const std::vector<Triangle>& triangles,
                                       const DecomposeOptions& options, std::vector<ConvexPiece>& hulls) {
    const auto pieces = connectedPieces(points.size(), triangles);
    if (pieces.size() < 2 || pieces.size() > options.maxHulls) return triangles;
    std::vector<Triangle> rest;
    std::vector<ConvexPiece> convex;
    for (const std::vector<std::uint32_t>& piece : pieces) {
        std::vector<Triangle> own;
        std::vector<Vec3> corners;
        for (const std::uint32_t t : piece) {
            own.push_back(triangles[t]);
            for (const std::uint32_t corner : triangles[t]) corners.push_back(points[corner]);
        }
        const double volume = topologyOf(points, own).signedVolume;
        if (!(volume > 0.0)) return triangles;  // a hollow in another one
        ConvexPiece hull = hullOf(corners, options.epsilon);
        if (!hull.points.empty() && hull.volume - volume <= options.tolerance * volume) {
            convex.push_back(std::move(hull));
        } else {
            rest.insert(rest.end(), own.begin(), own.end());
        }
    }
    if (!rest.empty() && 2 * convex.size() > options.maxHulls) return triangles;
    hulls = std::move(convex);
    return rest;
}

}  // namespace

Decomposition decompose(std::span<const Vec3> points, std::span<const Triangle> triangles,
                        const DecomposeOptions& options) {
    Decomposition out;
    const std::vector<std::uint32_t> first = weldPoints(points);
    std::vector<Triangle> welded;
    for (const Triangle& t : triangles) {
        const Triangle w{first[t[0]], first[t[1]], first[t[2]]};
        if (w[0] != w[1] && w[1] != w[2] && w[2] != w[0]) welded.push_back(w);
    }
    const SurfaceTopology topology = topologyOf(points, welded);
    out.volume = topology.signedVolume;
    if (topology.triangles == 0 || topology.openEdges > 0 || topology.turnedEdges > 0 || !(out.volume > 0.0))
        return out;
    out.solid = true;
    const std::vector<Triangle> rest = takeConvexPieces(points, welded, options, out.hulls);
    if (!rest.empty()) {
        DecomposeOptions others = options;
        others.maxHulls -= static_cast<std::uint32_t>(out.hulls.size());
        const Solid solid(points, rest);
        for (ConvexPiece& hull : Decomposer(solid, others).run(topologyOf(points, rest).signedVolume))
            out.hulls.push_back(std::move(hull));
    }
    for (const ConvexPiece& hull : out.hulls) out.hullVolume += hull.volume;
    return out;
}

}  // namespace geomconv
