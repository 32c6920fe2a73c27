#include "lib/geometry/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "lib/geometry/predicates.hpp"

namespace geomconv {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;
constexpr std::size_t kExtremes = 14;
constexpr std::size_t kMostReserved = std::size_t{1} << 24;  ///< faces; pages that are not touched cost nothing
constexpr std::size_t kFloodLimit = 256;
constexpr std::size_t kSortFrom = 4096;  ///< fewer points lie in the cache in any order
constexpr std::size_t kAlwaysTidyUpTo =
    20'000;  ///< vertices; larger hulls are built again only for one flat vertex in a hundred

double stepAt(double magnitude) {
    if (magnitude == 0.0) return 1e-5;
    return std::ldexp(1.0, std::ilogb(magnitude) - 23);
}

/// The value along extreme direction k: three axes, then the four diagonals of a box.
double along(const Vec3d& p, std::size_t k) {
    switch (k) {
        case 0:
            return p.x;
        case 1:
            return p.y;
        case 2:
            return p.z;
        case 3:
            return p.x + p.y + p.z;
        case 4:
            return p.x + p.y - p.z;
        case 5:
            return p.x - p.y + p.z;
        default:
            return -p.x + p.y + p.z;
    }
}

bool before(const Vec3& a, const Vec3& b, int axis) {
    const int y = (axis + 1) % 3;
    const int z = (axis + 2) % 3;
    return a[y] != b[y] ? a[y] < b[y] : a[z] < b[z];
}

/// The lowest and highest point of each direction: low at 2k, high at 2k + 1.
struct Extremes {
    std::array<std::uint32_t, kExtremes> index{};
    double largest = 0.0;  ///< coordinate by amount
    bool finite = true;
    bool any = false;
};

/// take(i): whether point i is to be looked at.
template <typename Take>
Extremes findExtremes(std::span<const Vec3> points, Take take) {
    Extremes out;
    std::array<double, 7> low;
    std::array<double, 7> high;
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    double sum = 0.0;  // not finite as soon as one coordinate is not
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (!take(i)) continue;
        out.any = true;
        const Vec3& point = points[i];
        const Vec3d p(point);
        sum += std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z);
        for (std::size_t k = 0; k < 7; ++k) {
            const double value = along(p, k);
            const int axis = static_cast<int>(k);
            std::uint32_t& lowest = out.index[2 * k];
            std::uint32_t& highest = out.index[2 * k + 1];
            if (value < low[k] || (value == low[k] && k < 3 && before(point, points[lowest], axis))) {
                low[k] = value;
                lowest = i;
            }
            if (value > high[k] || (value == high[k] && k < 3 && before(point, points[highest], axis))) {
                high[k] = value;
                highest = i;
            }
        }
    }
    out.finite = std::isfinite(sum);
    for (std::size_t k = 0; k < 3; ++k) out.largest = std::max({out.largest, std::fabs(low[k]), std::fabs(high[k])});
    return out;
}

struct Face {
    std::array<std::uint32_t, 3> v;    ///< corners
    std::array<std::uint32_t, 3> adj;  ///< face over the edge from corner k to the next
    Vec3d n;                           ///< unit normal
    double d;                          ///< n . p on the plane
    std::uint32_t list = kNone;        ///< first point of its list
    std::uint32_t far = kNone;         ///< farthest of the list
    float farHeight = 0.0F;
    float error = 0.0F;      ///< bound on the rounding error of a height
    std::uint32_t mark = 0;  ///< round in which it was seen from the eye
    bool dead = false;
    bool tied = false;  ///< another point of the list may be as far
};

struct Simplex {
    HullShape shape = HullShape::Solid;
    std::array<std::uint32_t, 4> corners{};
};

struct HorizonEdge {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t face;  ///< the face beyond, which stays
    std::uint32_t edge;  ///< its edge
};

class Builder {
public:
    Builder(std::span<const Vec3> points, const HullOptions& options) : input_(points), options_(options) {}

    ConvexHull run();

private:
    Simplex findSimplex(const Extremes& extremes) const;
    void grow(const Extremes& extremes, const Simplex& simplex);
    void clear(const Simplex& simplex);
    void loadPoints(const Extremes& extremes);
    void dealFrom(std::uint32_t first);
    void work();
    void workToBudget();
    void addPoint(std::uint32_t start);
    void findVisible(std::uint32_t start, std::uint32_t eye);
    std::uint32_t chooseEye(Face& face);
    void enlist(std::uint32_t point, std::uint32_t home, double above);
    std::uint32_t standsOutNear(std::uint32_t start, const Vec3d& p);
    bool moveLeftPoints();
    void deal(std::uint32_t point, std::span<const std::uint32_t> faces);
    void pend(std::uint32_t face);
    void releaseLate();
    std::uint32_t addFace(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    void link(std::uint32_t a, std::uint32_t edgeA, std::uint32_t b, std::uint32_t edgeB) {
        faces_[a].adj[edgeA] = b;
        faces_[b].adj[edgeB] = a;
    }
    std::uint32_t edgeTowards(std::uint32_t face, std::uint32_t from, std::uint32_t fromEdge) const;
    double height(const Face& face, const Vec3d& p) const {
        return face.n.x * p.x + face.n.y * p.y + face.n.z * p.z - face.d;
    }
    bool seesFace(const Face& face, std::uint32_t eye, const Vec3d& p) const {
        const double h = height(face, p);
        if (h > static_cast<double>(face.error)) return true;
        if (h < -static_cast<double>(face.error)) return false;
        return sideOfPlane(points_[face.v[0]], points_[face.v[1]], points_[face.v[2]], points_[eye]) > 0;
    }
    bool late(std::uint32_t point) const { return !late_.empty() && late_[point] != 0; }

    std::vector<std::uint32_t> flatVertices();
    ConvexHull result() const;
    ConvexHull lowerDimension(const Simplex& simplex) const;

    std::span<const Vec3> input_;
    HullOptions options_;
    double epsilon_ = 0.0;
    double largest_ = 0.0;
    std::vector<char> lateInput_;  ///< second build: input points that wait
    bool waiting_ = false;         ///< late points are not chosen yet

    std::vector<Vec3> points_;             ///< those that matter, in the order of the curve
    std::vector<std::uint32_t> original_;  ///< their numbers in the input
    std::vector<char> late_;
    std::vector<std::uint32_t> next_;  ///< next of the same list
    std::vector<Face> faces_;
    std::vector<std::uint32_t> freed_;
    std::vector<std::uint32_t> pending_;  ///< faces with a farthest point, as a stack
    std::uint32_t live_ = 0;
    std::uint32_t round_ = 0;
    bool budget_ = false;
    bool simplified_ = false;
    double outside_ = 0.0;

    std::vector<std::uint32_t> visible_;
    std::vector<HorizonEdge> horizon_;
    std::vector<std::uint32_t> cone_;
    std::vector<std::uint32_t> cluster_;
    std::vector<std::uint32_t> flood_;
    struct Step {
        std::uint32_t face;
        std::uint32_t edge;
        std::uint32_t left;
    };
    std::vector<Step> walk_;
};

// ------------------------------------------------------------------------------------------------------ the simplex

double squaredFromLine(const Vec3d& p, const Vec3d& a, const Vec3d& unit) {
    const Vec3d c = glm::cross(p - a, unit);
    return glm::dot(c, c);
}

Simplex Builder::findSimplex(const Extremes& extremes) const {
    Simplex out;
    const auto at = [&](std::uint32_t i) { return Vec3d(input_[i]); };
    const auto waits = [&](std::uint32_t i) { return !lateInput_.empty() && lateInput_[i] != 0; };
    double best = -1.0;
    for (const std::uint32_t i : extremes.index) {
        for (const std::uint32_t k : extremes.index) {
            const Vec3d edge = at(k) - at(i);
            if (glm::dot(edge, edge) > best) {
                best = glm::dot(edge, edge);
                out.corners[0] = i;
                out.corners[1] = k;
            }
        }
    }
    if (!(std::sqrt(best) > epsilon_)) {
        out.shape = HullShape::Point;
        return out;
    }
    // The farthest of the extremes serves when it is far enough to give a sound plane; otherwise all points are asked.
    const double enough = std::max(epsilon_, 1e-3 * std::sqrt(best));
    const auto farthest = [&](auto value) {
        std::uint32_t found = extremes.index[0];
        double most = -1.0;
        for (const std::uint32_t i : extremes.index) {
            if (value(at(i)) > most) {
                most = value(at(i));
                found = i;
            }
        }
        if (most > enough) return std::pair{found, most};
        for (std::uint32_t i = 0; i < input_.size(); ++i) {
            if (!waits(i) && value(at(i)) > most) {
                most = value(at(i));
                found = i;
            }
        }
        return std::pair{found, most};
    };
    const Vec3d a = at(out.corners[0]);
    const Vec3d unit = glm::normalize(at(out.corners[1]) - a);
    const auto [third, fromLine] = farthest([&](const Vec3d& p) { return std::sqrt(squaredFromLine(p, a, unit)); });
    out.corners[2] = third;
    if (!(fromLine > epsilon_)) {
        out.shape = HullShape::Line;
        return out;
    }
    const Vec3d normal = glm::normalize(glm::cross(at(out.corners[1]) - a, at(third) - a));
    const auto [fourth, fromPlane] = farthest([&](const Vec3d& p) { return std::fabs(glm::dot(p - a, normal)); });
    out.corners[3] = fourth;
    if (!(fromPlane > epsilon_)) out.shape = HullShape::Flat;
    return out;
}

/// The polygon around a flat cloud (monotone chain), the ends of a line, or one point.
ConvexHull Builder::lowerDimension(const Simplex& simplex) const {
    ConvexHull out;
    out.shape = simplex.shape;
    out.epsilon = epsilon_;
    if (simplex.shape == HullShape::Point) out.indices = {simplex.corners[0]};
    if (simplex.shape == HullShape::Line) out.indices = {simplex.corners[0], simplex.corners[1]};
    if (simplex.shape != HullShape::Flat) return out;
    const Vec3d a(input_[simplex.corners[0]]);
    const Vec3d u = glm::normalize(Vec3d(input_[simplex.corners[1]]) - a);
    const Vec3d n = glm::normalize(glm::cross(u, Vec3d(input_[simplex.corners[2]]) - a));
    const Vec3d v = glm::cross(n, u);
    std::vector<std::pair<Vec2d, std::uint32_t>> flat;
    flat.reserve(input_.size());
    for (std::uint32_t i = 0; i < input_.size(); ++i) {
        const Vec3d p = Vec3d(input_[i]) - a;
        flat.emplace_back(Vec2d(glm::dot(p, u), glm::dot(p, v)), i);
    }
    std::sort(flat.begin(), flat.end(), [](const auto& p, const auto& q) {
        if (p.first.x != q.first.x) return p.first.x < q.first.x;
        if (p.first.y != q.first.y) return p.first.y < q.first.y;
        return p.second < q.second;
    });
    // The middle one of three stays when it stands out from the line of its neighbours by more than the tolerance.
    const auto bends = [&](const Vec2d& p, const Vec2d& q, const Vec2d& r) {
        const Vec2d edge = r - p;
        return edge.x * (q.y - p.y) - edge.y * (q.x - p.x) < -epsilon_ * glm::length(edge);
    };
    std::vector<std::pair<Vec2d, std::uint32_t>> chain;
    const auto sweep = [&](auto begin, auto end) {
        const std::size_t floor = chain.size();
        for (auto it = begin; it != end; ++it) {
            while (chain.size() >= floor + 2 && !bends(chain[chain.size() - 2].first, chain.back().first, it->first))
                chain.pop_back();
            chain.push_back(*it);
        }
        chain.pop_back();
    };
    sweep(flat.begin(), flat.end());
    sweep(flat.rbegin(), flat.rend());
    for (const auto& corner : chain) out.indices.push_back(corner.second);
    return out;
}

// ------------------------------------------------------------------------------------------------------ the points

/// Most inner points fail one of two cheap tests: a box and an ellipsoid about the middle of the bounding box that lie
/// inside the hull of the extremes (grown by a part of the tolerance).
struct InnerShapes {
    Vec3d center;
    Vec3d scale;             ///< one over the half sizes of the bounding box
    double box = 0.0;        ///< in half sizes; 0: none
    double ellipsoid = 0.0;  ///< squared, in half sizes

    bool holds(const Vec3& point) const {
        const Vec3d p = (Vec3d(point) - center) * scale;
        const double x = std::fabs(p.x);
        const double y = std::fabs(p.y);
        const double z = std::fabs(p.z);
        return (x < box && y < box && z < box) || x * x + y * y + z * z < ellipsoid;
    }
};

InnerShapes innerShapes(std::span<const Face> faces, const Vec3d& low, const Vec3d& high, double slack) {
    const Vec3d half = (high - low) / 2.0;
    InnerShapes out{(low + high) / 2.0, 1.0 / half};
    double box = std::numeric_limits<double>::infinity();
    double ellipsoid = box;
    for (const Face& face : faces) {
        if (face.dead) continue;
        const double room = face.d + slack - glm::dot(face.n, out.center);
        const Vec3d n = face.n * half;
        box = std::min(box, room / (std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z)));
        ellipsoid = std::min(ellipsoid, room / glm::length(n));
    }
    if (box > 0.0) {
        out.box = box;
        out.ellipsoid = ellipsoid * ellipsoid;
    }
    return out;
}

std::uint32_t spread(std::uint32_t v) {  // ten bits, two places apart
    v = (v | (v << 16)) & 0x030000ff;
    v = (v | (v << 8)) & 0x0300f00f;
    v = (v | (v << 4)) & 0x030c30c3;
    v = (v | (v << 2)) & 0x09249249;
    return v;
}

/// Orders the numbers along a Morton curve over 1024 cells per axis; equal cells keep their order.
void sortAlongCurve(std::vector<std::uint32_t>& order, std::span<const Vec3> points, const Vec3d& low,
                    const Vec3d& high) {
    struct Keyed {
        std::uint32_t key;
        std::uint32_t index;
    };
    std::vector<Keyed> a(order.size());
    std::vector<Keyed> b(order.size());
    Vec3d scale = 1023.0 / (high - low);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Vec3d cell = (Vec3d(points[order[i]]) - low) * scale;
        a[i] = {spread(static_cast<std::uint32_t>(cell.x)) | spread(static_cast<std::uint32_t>(cell.y)) << 1 |
                    spread(static_cast<std::uint32_t>(cell.z)) << 2,
                order[i]};
    }
    for (unsigned shift = 0; shift < 30; shift += 10) {
        std::array<std::uint32_t, 1025> start{};
        for (const Keyed& k : a) ++start[((k.key >> shift) & 1023) + 1];
        for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
        for (const Keyed& k : a) b[start[(k.key >> shift) & 1023]++] = k;
        a.swap(b);
    }
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = a[i].index;
}

/// Takes in the points that the hull of the extremes does not hold; that hull's own points stand at the front.
void Builder::loadPoints(const Extremes& extremes) {
    const auto corner = [&](std::size_t end) {
        return Vec3d(input_[extremes.index[end]].x, input_[extremes.index[end + 2]].y,
                     input_[extremes.index[end + 4]].z);
    };
    const Vec3d low = corner(0);
    const Vec3d high = corner(1);
    const InnerShapes inner = innerShapes(faces_, low, high, epsilon_ * 0.5);
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < input_.size(); ++i) {
        if (!inner.holds(input_[i])) order.push_back(i);
    }
    if (order.size() >= kSortFrom) sortAlongCurve(order, input_, low, high);
    const std::size_t front = points_.size();
    points_.reserve(front + order.size());
    original_.reserve(front + order.size());
    for (const std::uint32_t i : order) {
        points_.push_back(input_[i]);
        original_.push_back(i);
    }
    next_.resize(points_.size(), kNone);
    if (!lateInput_.empty()) {
        late_.resize(points_.size());
        for (std::size_t i = 0; i < points_.size(); ++i) late_[i] = lateInput_[original_[i]];
    }
    faces_.reserve(std::min(2 * points_.size() + 64, kMostReserved));
}

// ------------------------------------------------------------------------------------------------------- the growth

std::uint32_t Builder::addFace(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Face face;
    face.v = {a, b, c};
    face.adj = {kNone, kNone, kNone};
    const Vec3d p(points_[a]);
    const Vec3d u = Vec3d(points_[b]) - p;
    const Vec3d v = Vec3d(points_[c]) - p;
    const Vec3d n = glm::cross(u, v);
    const double length = std::sqrt(glm::dot(n, n));
    face.n = length > 0.0 ? n / length : n;
    face.d = glm::dot(face.n, p);
    // Rounding of the two products, and of the normal where the corner is sharp (2^-53 times |u||v| / |u x v|).
    const double sharpness = length > 0.0 ? (glm::dot(u, u) + glm::dot(v, v)) / length : 1e30;
    face.error = static_cast<float>(largest_ * 1.2e-16 * (40.0 + 10.0 * sharpness));
    ++live_;
    if (!freed_.empty()) {
        const std::uint32_t id = freed_.back();
        freed_.pop_back();
        faces_[id] = face;
        return id;
    }
    faces_.push_back(face);
    return static_cast<std::uint32_t>(faces_.size() - 1);
}

std::uint32_t Builder::edgeTowards(std::uint32_t face, std::uint32_t from, std::uint32_t fromEdge) const {
    const std::uint32_t start = faces_[from].v[(fromEdge + 1) % 3];
    for (std::uint32_t k = 0; k < 2; ++k) {
        if (faces_[face].v[k] == start && faces_[face].adj[k] == from) return k;
    }
    return 2;
}

void Builder::clear(const Simplex& simplex) {
    points_.clear();
    original_.clear();
    late_.clear();
    next_.clear();
    faces_.clear();
    freed_.clear();
    pending_.clear();
    live_ = round_ = 0;
    simplified_ = false;
    outside_ = 0.0;
    std::array<std::uint32_t, 4> corner = simplex.corners;
    const auto p = [&](std::size_t k) -> const Vec3& { return input_[corner[k]]; };
    if (sideOfPlane(p(0), p(1), p(2), p(3)) > 0) std::swap(corner[1], corner[2]);
    for (const std::uint32_t i : corner) {
        points_.push_back(input_[i]);
        original_.push_back(i);
    }
    const std::array<std::uint32_t, 4> f{addFace(0, 1, 2), addFace(0, 3, 1), addFace(1, 3, 2), addFace(2, 3, 0)};
    link(f[0], 0, f[1], 2);
    link(f[0], 1, f[2], 2);
    link(f[0], 2, f[3], 2);
    link(f[1], 1, f[2], 0);
    link(f[2], 1, f[3], 0);
    link(f[3], 1, f[1], 0);
}

void Builder::pend(std::uint32_t face) {
    if (faces_[face].far != kNone) pending_.push_back(face);
}

/// Puts a point on the list of the face that it is farthest in front of (of the first that it stands out from), or
/// drops it. One that is in front by the tolerance or less stays on the list without being chosen: a later face may
/// change that.
void Builder::deal(std::uint32_t point, std::span<const std::uint32_t> faces) {
    const Vec3d p(points_[point]);
    double best = -std::numeric_limits<double>::infinity();
    std::uint32_t home = kNone;
    for (const std::uint32_t id : faces) {
        const double h = height(faces_[id], p);
        if (h <= best) continue;
        best = h;
        home = id;
        if (h > epsilon_) break;
    }
    if (home != kNone && best > static_cast<double>(faces_[home].error)) enlist(point, home, best);
}

void Builder::enlist(std::uint32_t point, std::uint32_t home, double above) {
    Face& face = faces_[home];
    next_[point] = face.list;
    face.list = point;
    if (!(above > epsilon_) || (waiting_ && late(point))) return;
    const auto far = static_cast<double>(face.farHeight);
    if (face.far != kNone && std::fabs(above - far) <= 2.0 * epsilon_) {
        face.tied = true;
    } else if (above > far) {
        face.tied = false;
    }
    if (above > far) {
        face.farHeight = static_cast<float>(above);
        if (face.far == kNone || budget_) pending_.push_back(home);
        face.far = point;
    }
}

/// From a face that the point is in front of, over all such faces, to one that it stands out from; kNone where there is
/// none among the nearest.
std::uint32_t Builder::standsOutNear(std::uint32_t start, const Vec3d& p) {
    ++round_;
    flood_.assign(1, start);
    faces_[start].mark = round_;
    for (std::size_t i = 0; i < flood_.size() && flood_.size() < kFloodLimit; ++i) {
        for (const std::uint32_t id : faces_[flood_[i]].adj) {
            Face& face = faces_[id];
            if (face.mark == round_) continue;
            face.mark = round_;
            const double h = height(face, p);
            if (h > epsilon_) return id;
            if (h > 0.0) flood_.push_back(id);
        }
    }
    return kNone;
}

/// Moves the points left on lists to a face that they stand out from, if there is one near; gives whether any was
/// moved.
bool Builder::moveLeftPoints() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;
    for (std::uint32_t id = 0; id < faces_.size(); ++id) {
        Face& face = faces_[id];
        if (face.dead) continue;
        std::uint32_t kept = kNone;
        for (std::uint32_t i = face.list; i != kNone;) {
            const std::uint32_t following = next_[i];
            const std::uint32_t home = waiting_ && late(i) ? kNone : standsOutNear(id, Vec3d(points_[i]));
            if (home != kNone) {
                moves.emplace_back(i, home);
            } else {
                next_[i] = std::exchange(kept, i);
            }
            i = following;
        }
        face.list = kept;
    }
    for (const auto& [point, home] : moves) enlist(point, home, height(faces_[home], Vec3d(points_[point])));
    return !moves.empty();
}

std::uint32_t Builder::chooseEye(Face& face) {
    if (!face.tied) return face.far;
    double most = 0.0;
    for (std::uint32_t i = face.list; i != kNone; i = next_[i]) {
        if (!(waiting_ && late(i))) most = std::max(most, height(face, Vec3d(points_[i])));
    }
    const Vec3d u = glm::normalize(Vec3d(points_[face.v[1]]) - Vec3d(points_[face.v[0]]));
    const Vec3d v = glm::cross(face.n, u);
    cluster_.clear();
    double farthest = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = face.list; i != kNone; i = next_[i]) {
        const Vec3d p(points_[i]);
        if ((waiting_ && late(i)) || height(face, p) < most - epsilon_) continue;
        cluster_.push_back(i);
        farthest = std::max(farthest, glm::dot(p, u));
    }
    std::uint32_t eye = kNone;
    double across = 0.0;
    for (const std::uint32_t i : cluster_) {
        const Vec3d p(points_[i]);
        if (glm::dot(p, u) < farthest - epsilon_) continue;
        const double value = glm::dot(p, v);
        if (eye == kNone || value > across || (value == across && original_[i] < original_[eye])) {
            across = value;
            eye = i;
        }
    }
    return eye;
}

/// Fills visible_ and horizon_: a walk in depth that meets the horizon's edges in the order of its ring.
void Builder::findVisible(std::uint32_t start, std::uint32_t eye) {
    const Vec3d p(points_[eye]);
    ++round_;
    visible_.assign(1, start);
    horizon_.clear();
    walk_.assign(1, {start, 0, 3});
    faces_[start].mark = round_;
    while (!walk_.empty()) {
        Step& step = walk_.back();
        if (step.left == 0) {
            walk_.pop_back();
            continue;
        }
        const std::uint32_t here = step.face;
        const std::uint32_t edge = step.edge;
        step.edge = (edge + 1) % 3;
        --step.left;
        const std::uint32_t there = faces_[here].adj[edge];
        if (faces_[there].mark == round_) continue;
        const std::uint32_t back = edgeTowards(there, here, edge);
        if (seesFace(faces_[there], eye, p)) {
            faces_[there].mark = round_;
            visible_.push_back(there);
            walk_.push_back({there, (back + 1) % 3, 2});
        } else {
            horizon_.push_back({faces_[here].v[edge], faces_[here].v[(edge + 1) % 3], there, back});
        }
    }
}

void Builder::addPoint(std::uint32_t start) {
    const std::uint32_t eye = chooseEye(faces_[start]);
    findVisible(start, eye);
    cone_.clear();
    for (const HorizonEdge& edge : horizon_) {
        const std::uint32_t face = addFace(edge.from, edge.to, eye);
        link(face, 0, edge.face, edge.edge);
        cone_.push_back(face);
    }
    for (std::size_t k = 0; k < cone_.size(); ++k) link(cone_[k], 1, cone_[(k + 1) % cone_.size()], 2);
    live_ -= static_cast<std::uint32_t>(visible_.size());
    for (const std::uint32_t id : visible_) {
        std::uint32_t i = std::exchange(faces_[id].list, kNone);
        faces_[id].far = kNone;
        faces_[id].dead = true;
        while (i != kNone) {
            const std::uint32_t following = next_[i];
            if (i != eye) deal(i, cone_);
            i = following;
        }
    }
    freed_.insert(freed_.end(), visible_.begin(), visible_.end());
}

void Builder::work() {
    if (budget_) return workToBudget();
    do {
        while (!pending_.empty()) {
            const std::uint32_t face = pending_.back();
            pending_.pop_back();
            if (!faces_[face].dead && faces_[face].far != kNone) addPoint(face);
        }
    } while (moveLeftPoints());
}

/// The same with the farthest point of all faces first, until the hull has the number of points allowed.
void Builder::workToBudget() {
    struct Entry {
        float height;
        std::uint32_t point;
        std::uint32_t face;
        bool operator<(const Entry& other) const {
            return height != other.height ? height < other.height : face > other.face;
        }
    };
    std::priority_queue<Entry> queue;
    for (;;) {
        for (const std::uint32_t id : pending_) queue.push({faces_[id].farHeight, faces_[id].far, id});
        pending_.clear();
        if (queue.empty()) {
            if (!moveLeftPoints()) return;
            continue;
        }
        const Entry top = queue.top();
        queue.pop();
        const Face& face = faces_[top.face];
        if (face.dead || face.far != top.point) continue;  // replaced since, or given a farther point
        if (2 + live_ / 2 >= options_.maxPoints) {
            simplified_ = true;
            outside_ = static_cast<double>(top.height);
            return;
        }
        addPoint(top.face);
    }
}

/// Deals the points from number `first` on to the faces that stand. A point may be dealt only once: lists are linked
/// through the points.
void Builder::dealFrom(std::uint32_t first) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < faces_.size(); ++i) {
        if (!faces_[i].dead) all.push_back(i);
    }
    std::vector<char> used(points_.size(), 0);
    for (const std::uint32_t id : all) {
        for (const std::uint32_t corner : faces_[id].v) used[corner] = 1;
    }
    for (std::uint32_t i = first; i < points_.size(); ++i) {
        if (!used[i]) deal(i, all);
    }
}

/// Lets the late points take part: those still in a list stand out from the hull of the others.
void Builder::releaseLate() {
    waiting_ = false;
    for (std::uint32_t id = 0; id < faces_.size(); ++id) {
        Face& face = faces_[id];
        if (face.dead || face.list == kNone) continue;
        for (std::uint32_t i = face.list; i != kNone; i = next_[i]) {
            const double h = height(face, Vec3d(points_[i]));
            if (!(h > epsilon_) || (face.far != kNone && h <= static_cast<double>(face.farHeight))) continue;
            face.far = i;
            face.farHeight = static_cast<float>(h);
        }
        face.tied = true;
        pend(id);
    }
}

void Builder::grow(const Extremes& extremes, const Simplex& simplex) {
    waiting_ = !lateInput_.empty();
    clear(simplex);
    // First the hull of the extremes, which keeps few points and most of the room.
    for (const std::uint32_t i : extremes.index) {
        if (std::find(original_.begin(), original_.end(), i) != original_.end()) continue;
        points_.push_back(input_[i]);
        original_.push_back(i);
    }
    budget_ = options_.maxPoints < input_.size();
    if (budget_) {
        points_.resize(4);
        original_.resize(4);
    }
    next_.assign(points_.size(), kNone);
    dealFrom(0);
    work();
    const auto dealt = static_cast<std::uint32_t>(points_.size());
    loadPoints(extremes);
    dealFrom(dealt);
    work();
    if (!waiting_) return;
    releaseLate();
    work();
}

// ------------------------------------------------------------------------------------------------------- the result

/// Vertices on which fewer than three edges bend by more than the tolerance.
std::vector<std::uint32_t> Builder::flatVertices() {
    std::vector<std::uint8_t> bends(points_.size(), 0);
    std::vector<char> used(points_.size(), 0);
    const auto raise = [&](std::uint32_t corner) {
        bends[corner] = static_cast<std::uint8_t>(std::min(3, bends[corner] + 1));
    };
    for (std::uint32_t id = 0; id < faces_.size(); ++id) {
        const Face& face = faces_[id];
        if (face.dead) continue;
        for (std::uint32_t k = 0; k < 3; ++k) {
            used[face.v[k]] = 1;
            const std::uint32_t other = face.adj[k];
            if (other < id) continue;
            const Face& beyond = faces_[other];
            const std::uint32_t back = edgeTowards(other, id, k);
            const Vec3d theirs(points_[beyond.v[(back + 2) % 3]]);
            const Vec3d ours(points_[face.v[(k + 2) % 3]]);
            if (height(face, theirs) < -epsilon_ || height(beyond, ours) < -epsilon_) {
                raise(face.v[k]);
                raise(face.v[(k + 1) % 3]);
            }
        }
    }
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
        if (used[i] && bends[i] < 3) out.push_back(i);
    }
    return out;
}

ConvexHull Builder::result() const {
    ConvexHull out;
    out.shape = HullShape::Solid;
    out.epsilon = epsilon_;
    out.simplified = simplified_;
    out.outside = outside_;
    std::vector<std::uint32_t> place(points_.size(), kNone);
    out.triangles.reserve(live_);
    out.indices.reserve(2 + live_ / 2);
    for (const Face& face : faces_) {
        if (face.dead) continue;
        std::array<std::uint32_t, 3> triangle;
        for (std::size_t k = 0; k < 3; ++k) {
            std::uint32_t& at = place[face.v[k]];
            if (at == kNone) {
                at = static_cast<std::uint32_t>(out.indices.size());
                out.indices.push_back(original_[face.v[k]]);
            }
            triangle[k] = at;
        }
        out.triangles.push_back(triangle);
    }
    return out;
}

ConvexHull Builder::run() {
    Extremes extremes = findExtremes(input_, [](std::uint32_t) { return true; });
    ConvexHull out;
    if (!extremes.any) return out;
    if (!extremes.finite) {
        out.shape = HullShape::NotFinite;
        return out;
    }
    largest_ = extremes.largest;
    epsilon_ = std::max(options_.epsilon.value_or(stepAt(largest_)), largest_ * 0x1p-46);
    options_.maxPoints = std::max(options_.maxPoints, 4U);
    Simplex simplex = findSimplex(extremes);
    if (simplex.shape != HullShape::Solid) return lowerDimension(simplex);
    grow(extremes, simplex);
    out = result();
    if (simplified_ || !options_.tidy) return out;
    const std::vector<std::uint32_t> flat = flatVertices();
    if (flat.empty() || (out.indices.size() > kAlwaysTidyUpTo && flat.size() < out.indices.size() / 100)) return out;
    // Once more, with these and all inner points waiting.
    lateInput_.assign(input_.size(), 1);
    for (const std::uint32_t i : out.indices) lateInput_[i] = 0;
    for (const std::uint32_t i : flat) lateInput_[original_[i]] = 1;
    extremes = findExtremes(input_, [&](std::uint32_t i) { return lateInput_[i] == 0; });
    if (!extremes.any) return out;
    simplex = findSimplex(extremes);
    if (simplex.shape != HullShape::Solid) return out;
    grow(extremes, simplex);
    ConvexHull tidy = result();
    return !simplified_ && tidy.indices.size() < out.indices.size() ? tidy : out;
}

}  // namespace

ConvexHull convexHull(std::span<const Vec3> points, const HullOptions& options) {
    return Builder(points, options).run();
}

}  // namespace geomconv
