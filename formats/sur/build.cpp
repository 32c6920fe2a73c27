#include "formats/sur/build.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/geometry/convex_hull.hpp"
#include "lib/geometry/extent.hpp"
#include "lib/geometry/topology.hpp"

namespace geomconv::sur {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

[[noreturn]] void refuse(const HullGeometry& hull, std::string rule, std::string detail) {
    throw GeometryError(hullLabel(hull), std::move(rule), std::move(detail));
}

std::string pointText(const Vec3& p) {
    const auto text = [](float x) {
        std::string out = std::to_string(x);
        while (out.back() == '0') out.pop_back();
        if (out.back() == '.') out.pop_back();
        return out;
    };
    return "(" + text(p.x) + ", " + text(p.y) + ", " + text(p.z) + ")";
}

std::vector<Triangle> terminalTriangles(const Surface& surface) {
    std::vector<Triangle> out;
    for (const Hull& hull : surface.hulls) {
        if (!hull.terminal()) continue;
        for (const Face& face : hull.faces) {
            out.push_back(
                {hull.firstPoint + face.points[0], hull.firstPoint + face.points[1], hull.firstPoint + face.points[2]});
        }
    }
    return out;
}

/// Where the triangles of each terminal hull end in terminalTriangles.
std::vector<std::size_t> terminalEnds(const Surface& surface) {
    std::vector<std::size_t> out;
    std::size_t end = 0;
    for (const Hull& hull : surface.hulls) {
        if (hull.terminal()) out.push_back(end += hull.faces.size());
    }
    return out;
}

std::vector<Vec3> positionsOf(const Surface& surface) {
    std::vector<Vec3> out;
    out.reserve(surface.points.size());
    for (const Point& point : surface.points) out.push_back(point.position);
    return out;
}

}  // namespace

std::string hullLabel(const HullGeometry& hull) {
    return hull.name.empty() ? "hull " + hexId(hull.id) : hull.name;
}

// ------------------------------------------------------------------------------------------------------------- a hull

HullGeometry tidyHull(const HullGeometry& hull) {
    if (hull.triangles.size() > kMaxFaces) {
        refuse(hull, "too-many-faces",
               counted(hull.triangles.size(), "faces") + ", the limit is " + std::to_string(kMaxFaces));
    }
    HullGeometry out{hull.id, hull.name, {}, hull.triangles};
    std::vector<char> used(hull.points.size(), 0);
    for (const Triangle& t : hull.triangles) {
        for (const std::uint32_t corner : t) {
            if (corner >= hull.points.size()) {
                refuse(
                    hull, "index-range",
                    "a triangle names point " + std::to_string(corner) + " of " + std::to_string(hull.points.size()));
            }
            used[corner] = 1;
        }
    }
    const std::vector<std::uint32_t> first = weldPoints(hull.points);
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i]) used[first[i]] = 1;
    }
    std::vector<std::uint32_t> place(hull.points.size(), kNone);
    for (std::size_t i = 0; i < hull.points.size(); ++i) {
        if (!used[i] || first[i] != i) continue;
        const Vec3 p = hull.points[i] + Vec3(0.0F);  // -0 becomes +0
        for (int k = 0; k < 3; ++k) {
            if (!std::isfinite(p[k]))
                refuse(hull, "nonfinite", "point " + std::to_string(i) + " is no finite position");
            if (std::fabs(p[k]) > kMostCoordinate) {
                refuse(hull, "coordinate-range",
                       "point " + std::to_string(i) + " lies at " + pointText(p) + ", the limit is 1000000");
            }
        }
        place[i] = static_cast<std::uint32_t>(out.points.size());
        out.points.push_back(p);
    }
    for (std::size_t f = 0; f < out.triangles.size(); ++f) {
        Triangle& t = out.triangles[f];
        for (std::uint32_t& corner : t) corner = place[first[corner]];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
            refuse(hull, "degenerate-triangle",
                   "triangle " + std::to_string(f) + " has two corners at " +
                       pointText(out.points[t[0] == t[1] ? t[0] : t[2]]));
        }
    }
    return out;
}

std::vector<std::optional<std::uint16_t>> pierceFaces(std::span<const Vec3> points,
                                                      std::span<const Triangle> triangles) {
    struct Normal {
        double x, y, z;
    };
    std::vector<Normal> normals;
    normals.reserve(triangles.size());
    for (const Triangle& t : triangles) {
        const Vec3d a(points[t[0]]);
        const Vec3d u = Vec3d(points[t[1]]) - a;
        const Vec3d v = Vec3d(points[t[2]]) - a;
        // Times the inverse root, not divided by the length: the last bit picks among equals.
        const Normal n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
        const double inverse = 1.0 / std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
        normals.push_back({n.x * inverse, n.y * inverse, n.z * inverse});
    }
    std::vector<std::optional<std::uint16_t>> pierce(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (pierce[i]) continue;
        double best = static_cast<double>(-1e-6F);
        std::optional<std::size_t> found;
        for (std::size_t j = 0; j < triangles.size(); ++j) {
            const double d = normals[i].x * normals[j].x + normals[i].y * normals[j].y + normals[i].z * normals[j].z;
            if (d < best) {
                best = d;
                found = j;
            }
        }
        if (!found) continue;
        pierce[i] = static_cast<std::uint16_t>(*found);
        pierce[*found] = static_cast<std::uint16_t>(i);
    }
    return pierce;
}

namespace {

/// Closed, each edge once each way, one piece without holes.
void requireSoundSurface(const HullGeometry& hull) {
    const SurfaceTopology topology = topologyOf(hull.points, hull.triangles);
    const auto edge = [&](const std::array<std::uint32_t, 2>& e) {
        return pointText(hull.points[e[0]]) + " - " + pointText(hull.points[e[1]]);
    };
    if (topology.openEdges > 0) {
        refuse(hull, "open-edge",
               std::to_string(topology.openEdges) + " edges have a triangle on one side only, the first is " +
                   edge(topology.firstOpen) + "; the surface must be closed");
    }
    if (topology.crowdedEdges > 0) {
        refuse(hull, "edge-used-twice",
               std::to_string(topology.crowdedEdges) + " edges belong to more than two triangles, the first is " +
                   edge(topology.firstCrowded));
    }
    if (topology.turnedEdges > 0) {
        refuse(hull, "turned-edge",
               std::to_string(topology.turnedEdges) + " edges have two triangles of opposite winding, the first is " +
                   edge(topology.firstTurned));
    }
    if (2 * topology.vertices != 4 + topology.triangles || topology.components != 1) {
        refuse(hull, "euler",
               counted(topology.vertices, "points") + ", " + counted(topology.triangles, "faces") + " and " +
                   std::to_string(topology.components) + " pieces; one convex hull has V = 2 + F / 2");
    }
}

}  // namespace

std::vector<Face> createFaces(const HullGeometry& hull) {
    requireSoundSurface(hull);
    for (std::size_t f = 0; f < hull.triangles.size(); ++f) {
        const Triangle& t = hull.triangles[f];
        const Vec3d a(hull.points[t[0]]);
        const Vec3d n = glm::cross(Vec3d(hull.points[t[1]]) - a, Vec3d(hull.points[t[2]]) - a);
        if (!(glm::dot(n, n) > 0.0)) refuse(hull, "zero-area", "triangle " + std::to_string(f) + " has no area");
    }
    const std::vector<std::uint32_t> opposite = oppositeEdges(hull.triangles);
    const auto pierce = pierceFaces(hull.points, hull.triangles);
    std::vector<Face> faces(hull.triangles.size());
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
        Face& face = faces[f];
        if (!pierce[f]) {
            refuse(hull, "no-pierce",
                   "face " + std::to_string(f) + " faces away from nothing; the hull is too sharp a needle");
        }
        face.index = static_cast<std::uint16_t>(f);
        face.pierce = *pierce[f];
        for (std::uint32_t e = 0; e < 3; ++e) {
            const std::uint32_t other = opposite[3 * f + e];
            face.points[e] = static_cast<std::uint16_t>(hull.triangles[f][e]);
            face.opposites[e] = static_cast<std::int16_t>(slotDelta({f, e}, {other / 3, other % 3}));
        }
    }
    return faces;
}

// ------------------------------------------------------------------------------------------------------------- points

namespace {

struct PointHash {
    std::size_t operator()(const std::array<std::uint32_t, 4>& key) const {
        std::uint64_t h = 0x9e3779b97f4a7c15ULL;
        for (const std::uint32_t word : key) h = (h ^ (h >> 29) ^ word) * 0xbf58476d1ce4e5b9ULL;
        return static_cast<std::size_t>(h ^ (h >> 32));
    }
};

/// The part's point list. Points come in by first use; those of an only hull in the order that it has them.
class SharedPoints {
public:
    SharedPoints(std::vector<Point>& points, PointKey key) : points_(points), key_(key) {
        for (std::uint32_t i = 0; i < points.size(); ++i)
            places_.try_emplace(keyOf(points[i].position, points[i].clientData), i);
    }

    std::uint32_t add(const Vec3& p, std::uint32_t id) {
        const auto [found, isNew] = places_.try_emplace(keyOf(p, id), static_cast<std::uint32_t>(points_.size()));
        if (isNew) points_.push_back({p, id});
        return found->second;
    }

private:
    using Key = std::array<std::uint32_t, 4>;

    Key keyOf(const Vec3& p, std::uint32_t id) const {
        return {std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y), std::bit_cast<std::uint32_t>(p.z),
                key_ == PointKey::Position ? 0 : id};
    }

    std::vector<Point>& points_;
    PointKey key_;
    std::unordered_map<Key, std::uint32_t, PointHash> places_;
};

void addHulls(Surface& surface, std::span<const HullGeometry> hulls, PointKey key) {
    SharedPoints shared(surface.points, key);
    if (hulls.size() == 1) {
        for (const Vec3& p : hulls[0].points) shared.add(p, hulls[0].id);
    }
    for (const HullGeometry& geometry : hulls) {
        Hull& hull = surface.hulls.emplace_back();
        hull.id = geometry.id;
        hull.faces = createFaces(geometry);
        hull.size = static_cast<std::uint32_t>(1 + geometry.triangles.size() + geometry.points.size());
        for (Face& face : hull.faces) {
            for (std::uint16_t& corner : face.points) {
                const std::uint32_t place = shared.add(geometry.points[corner], geometry.id);
                if (place >= kMaxPoints) {
                    refuse(geometry, "too-many-points",
                           "the part has more than " + counted(kMaxPoints, "points") + " with this hull");
                }
                corner = static_cast<std::uint16_t>(place);
            }
        }
    }
}

}  // namespace

// ------------------------------------------------------------------------------------------------------------- bounds

NodeBounds boundsOf(const Vec3d& minimum, const Vec3d& maximum, double step) {
    NodeBounds out;
    for (int k = 0; k < 3; ++k) out.center[k] = maximum[k] + (minimum[k] - maximum[k]) / 2;
    const Vec3d half = maximum - out.center;
    out.radius = std::sqrt(half.x * half.x + half.y * half.y + half.z * half.z);
    for (int k = 0; k < 3; ++k) {
        out.boxSizes[static_cast<std::size_t>(k)] =
            out.radius > 0.0 ? static_cast<std::uint8_t>(static_cast<int>(half[k] / (out.radius * step)) + 1)
                             : std::uint8_t{1};
    }
    return out;
}

namespace {

NodeBounds leafBounds(const Surface& surface, const Hull& hull) {
    Vec3d low(std::numeric_limits<double>::infinity());
    Vec3d high(-std::numeric_limits<double>::infinity());
    for (const Face& face : hull.faces) {
        for (const std::uint16_t corner : face.points) {
            const Vec3d p(surface.points[hull.firstPoint + corner].position);
            low = glm::min(low, p);
            high = glm::max(high, p);
        }
    }
    return boundsOf(low, high);
}

Node nodeWith(const NodeBounds& bounds) {
    Node node;
    node.center = Vec3(bounds.center);
    node.radius = static_cast<float>(bounds.radius);
    node.boxSizes = bounds.boxSizes;
    return node;
}

// ------------------------------------------------------------------------------------------- the tree: median cut

/// The box around quantised leaf boxes, each better value rounded to float as it is stored. Starts a million away.
struct FloatBox {
    Vec3 low{kMostCoordinate};
    Vec3 high{-kMostCoordinate};

    void add(const NodeBounds& leaf) {
        const double step = leaf.radius * kStep;
        for (int k = 0; k < 3; ++k) {
            const double half = leaf.boxSizes[static_cast<std::size_t>(k)] * step;
            const double lower = leaf.center[k] - half;
            const double higher = leaf.center[k] + half;
            if (lower < static_cast<double>(low[k])) low[k] = static_cast<float>(lower);
            if (higher > static_cast<double>(high[k])) high[k] = static_cast<float>(higher);
        }
    }
    float volume() const {
        const Vec3 size = high - low;
        return size.x * size.y * size.z;
    }
};

/// Cuts a list of leaves in two, again and again.
class MedianCut {
public:
    explicit MedianCut(std::span<const NodeBounds> leaves)
        : leaves_(leaves), order_(leaves.size()), scratch_(leaves.size()) {
        for (auto& side : sides_) side.resize(leaves.size());
        for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    }

    BuiltTree run() {
        BuiltTree out;
        struct Task {
            std::size_t begin;
            std::size_t end;
            std::uint32_t parent;  ///< whose right child this is
        };
        std::vector<Task> tasks{{0, order_.size(), kNone}};
        while (!tasks.empty()) {
            const Task task = tasks.back();
            tasks.pop_back();
            const auto self = static_cast<std::uint32_t>(out.nodes.size());
            if (task.parent != kNone) out.nodes[task.parent].right = self;
            const std::span<std::uint32_t> list(order_.data() + task.begin, task.end - task.begin);
            if (list.size() == 1) {
                out.nodes.push_back(nodeWith(leaves_[list[0]]));
                out.nodes.back().hull = list[0];
                out.boxes.emplace_back();
                continue;
            }
            const FloatBox box = boxOf(list);
            out.nodes.push_back(nodeWith(boundsOf(Vec3d(box.low), Vec3d(box.high))));
            out.boxes.push_back({box.low, box.high});
            const std::size_t middle = task.begin + divide(list);
            tasks.push_back({middle, task.end, self});
            tasks.push_back({task.begin, middle, kNone});
        }
        return out;
    }

private:
    FloatBox boxOf(std::span<const std::uint32_t> list) const {
        FloatBox box;
        for (const std::uint32_t leaf : list) box.add(leaves_[leaf]);
        return box;
    }

    /// Puts the left side first, both in the order of the list; gives its length.
    std::size_t divide(std::span<std::uint32_t> list) {
        if (list.size() == 2) return 1;
        double best = 1e101;
        std::size_t axis = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t lefts = 0;
            const double cost = static_cast<double>(cut(list, k, lefts));
            if (!(cost < best)) continue;
            if (lefts > 0 && lefts < list.size()) axis = k;
            best = cost;
        }
        const std::vector<char>& isLeft = sides_[axis];
        std::size_t left = 0;
        std::size_t right = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (isLeft[i]) {
                list[left++] = list[i];
            } else {
                scratch_[right++] = list[i];
            }
        }
        std::copy_n(scratch_.begin(), right, list.begin() + static_cast<std::ptrdiff_t>(left));
        if (left == 0 || right == 0) return list.size() / 2;  // only with centres that are not finite
        return left;
    }

    /// Fills sides_[axis]; gives the cost of the cut.
    float cut(std::span<const std::uint32_t> list, std::size_t axis, std::size_t& lefts) {
        constexpr double kTolerance = static_cast<double>(1e-6F);
        const auto at = [&](std::size_t i) { return leaves_[list[i]].center[static_cast<int>(axis)]; };
        double sum = 0.0;
        for (std::size_t i = 0; i < list.size(); ++i) sum += at(i);
        const double mean = sum / static_cast<double>(list.size());
        const double low = mean - kTolerance;
        const double high = mean + kTolerance;
        std::vector<char>& isLeft = sides_[axis];
        FloatBox left;
        FloatBox right;
        std::size_t rights = 0;
        bool toggle = true;  // the next leaf of a row on the mean goes left
        for (std::size_t i = 0; i < list.size(); ++i) {
            const double c = at(i);
            bool goesLeft = c < low;
            if (c >= low && c <= high) {
                const double neighbour = at(i + 1 < list.size() ? i + 1 : i - 1);
                if (neighbour < low) {
                    goesLeft = false;
                } else if (neighbour > high) {
                    goesLeft = true;
                } else if (lefts == 0 || rights == 0) {
                    goesLeft = lefts == 0;
                } else {
                    goesLeft = toggle;
                    toggle = !toggle;
                }
            }
            isLeft[i] = goesLeft ? 1 : 0;
            ++(goesLeft ? lefts : rights);
            (goesLeft ? left : right).add(leaves_[list[i]]);
        }
        return left.volume() + right.volume();
    }

    std::span<const NodeBounds> leaves_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> scratch_;
    std::array<std::vector<char>, 3> sides_;
};

// ------------------------------------------------------------------------------------------- the tree: tightest pair

/// Joins the two entries with the smallest common sphere until one is left. The first pair of equals in list order is
/// taken; the joined node takes the place of its first child. Each entry remembers its best partner behind it, so that
/// a round costs one comparison per entry and a search only for those that lost their partner. Which pair is joined is
/// decided with the step 1/250, as the reference does; the bounds stored are made with the format's step.
class TightestPairs {
public:
    explicit TightestPairs(std::span<const NodeBounds> leaves) {
        for (std::uint32_t i = 0; i < leaves.size(); ++i) {
            entries_.push_back(
                {boxOf(leaves[i], kReferenceStep), static_cast<std::uint32_t>(joined_.size()), kNone, 0.0});
            joined_.push_back({leaves[i], {}, kNone, kNone, i});
        }
        for (std::uint32_t i = 0; i < entries_.size(); ++i) findPartner(i);
    }

    BuiltTree run() {
        for (std::size_t left = entries_.size(); left > 1; --left) joinBest();
        BuiltTree out;
        struct Task {
            std::uint32_t joined;
            std::uint32_t parent;
        };
        std::vector<Task> tasks{{entries_.empty() ? kNone : entries_[0].joined, kNone}};
        while (!tasks.empty()) {
            const Task task = tasks.back();
            tasks.pop_back();
            const auto self = static_cast<std::uint32_t>(out.nodes.size());
            if (task.parent != kNone) out.nodes[task.parent].right = self;
            const Joined& joined = joined_[task.joined];
            out.nodes.push_back(nodeWith(joined.bounds));
            out.boxes.push_back({Vec3(joined.box.low), Vec3(joined.box.high)});
            if (joined.left == kNone) {
                out.nodes.back().hull = joined.leaf;
                continue;
            }
            tasks.push_back({joined.right, self});
            tasks.push_back({joined.left, kNone});
        }
        return out;
    }

private:
    struct Box {
        Vec3d low;
        Vec3d high;
    };
    struct Joined {
        NodeBounds bounds;
        Box box;
        std::uint32_t left;
        std::uint32_t right;
        std::uint32_t leaf;
    };
    struct Entry {
        Box box;  ///< quantised
        std::uint32_t joined;
        std::uint32_t partner;
        double radius;  ///< of the common sphere with the partner
        bool gone = false;
    };

    static constexpr double kReferenceStep = 1.0 / 250.0;

    static Box boxOf(const NodeBounds& bounds, double step) {
        const Vec3d half = Vec3d(bounds.boxSizes[0], bounds.boxSizes[1], bounds.boxSizes[2]) * step * bounds.radius;
        return {bounds.center - half, bounds.center + half};
    }
    static Box around(const Box& a, const Box& b) { return {glm::min(a.low, b.low), glm::max(a.high, b.high)}; }
    double commonRadius(const Entry& a, const Entry& b) const {
        const Box box = around(a.box, b.box);
        return glm::length(box.high - box.low) / 2.0;
    }

    void findPartner(std::uint32_t i) {
        Entry& entry = entries_[i];
        entry.partner = kNone;
        for (std::uint32_t k = i + 1; k < entries_.size(); ++k) {
            if (entries_[k].gone) continue;
            const double radius = commonRadius(entry, entries_[k]);
            if (entry.partner == kNone || radius < entry.radius) {
                entry.radius = radius;
                entry.partner = k;
            }
        }
    }

    void joinBest() {
        std::uint32_t best = kNone;
        for (std::uint32_t i = 0; i < entries_.size(); ++i) {
            const Entry& entry = entries_[i];
            if (entry.gone || entry.partner == kNone) continue;
            if (best == kNone || entry.radius < entries_[best].radius) best = i;
        }
        const std::uint32_t other = entries_[best].partner;
        const Box box = around(entries_[best].box, entries_[other].box);
        const Joined& left = joined_[entries_[best].joined];
        const Joined& right = joined_[entries_[other].joined];
        const Box stored = around(boxOf(left.bounds, kStep), boxOf(right.bounds, kStep));
        joined_.push_back(
            {boundsOf(stored.low, stored.high), stored, entries_[best].joined, entries_[other].joined, kNone});
        entries_[best].box = boxOf(boundsOf(box.low, box.high, kReferenceStep), kReferenceStep);
        entries_[best].joined = static_cast<std::uint32_t>(joined_.size() - 1);
        entries_[other].gone = true;
        for (std::uint32_t i = 0; i < entries_.size(); ++i) {
            Entry& entry = entries_[i];
            if (entry.gone) continue;
            if (i == best || entry.partner == best || entry.partner == other) {
                findPartner(i);
            } else if (i < best) {
                const double radius = commonRadius(entry, entries_[best]);
                if (entry.partner == kNone || radius < entry.radius ||
                    (radius == entry.radius && best < entry.partner)) {
                    entry.radius = radius;
                    entry.partner = best;
                }
            }
        }
    }

    std::vector<Entry> entries_;
    std::vector<Joined> joined_;
};

}  // namespace

BuiltTree createTree(std::span<const NodeBounds> leaves, Tree tree) {
    if (leaves.empty()) return {};
    return tree == Tree::Ivp ? MedianCut(leaves).run() : TightestPairs(leaves).run();
}

// ------------------------------------------------------------------------------------------- hulls on inner nodes

namespace {

void makeVirtual(Hull& hull) {
    hull.type = kWrap;
    for (Face& face : hull.faces) {
        face.isVirtual = true;
        face.virtualEdges = {true, true, true};
    }
}

/// A wrap hull over points of the part. places: for each point of the geometry its number in the part.
Hull wrapHull(const HullGeometry& geometry, std::span<const std::uint32_t> places) {
    Hull hull;
    hull.faces = createFaces(geometry);
    hull.size = static_cast<std::uint32_t>(1 + geometry.triangles.size() + geometry.points.size());
    for (Face& face : hull.faces) {
        for (std::uint16_t& corner : face.points) corner = static_cast<std::uint16_t>(places[corner]);
    }
    makeVirtual(hull);
    return hull;
}

void addBoxes(Surface& surface, const BuiltTree& tree) {
    SharedPoints shared(surface.points, PointKey::PositionAndId);
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        if (tree.nodes[n].leaf()) continue;
        const auto corners = boxCorners({tree.boxes[n].minimum, tree.boxes[n].maximum});
        HullGeometry box{0,
                         "box of node " + std::to_string(n),
                         {corners.begin(), corners.end()},
                         {kBoxTriangles.begin(), kBoxTriangles.end()}};
        std::array<std::uint32_t, 8> places;
        for (std::size_t c = 0; c < 8; ++c) {
            places[c] = shared.add(corners[c], 0);
            if (places[c] >= kMaxPoints) {
                throw GeometryError(
                    box.name, "too-many-points",
                    "the part has more than " + counted(kMaxPoints, "points") + " with the boxes of its nodes");
            }
        }
        surface.nodes[n].hull = static_cast<std::uint32_t>(surface.hulls.size());
        surface.hulls.push_back(wrapHull(box, places));
    }
}

/// Points that no terminal hull uses belonged to hulls on inner nodes.
void dropBounds(Surface& surface) {
    std::erase_if(surface.hulls, [](const Hull& hull) { return !hull.terminal(); });
    std::vector<std::uint32_t> place(surface.points.size(), kNone);
    for (const Triangle& t : terminalTriangles(surface)) {
        for (const std::uint32_t corner : t) place[corner] = 0;
    }
    std::vector<Point> kept;
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] == kNone) continue;
        place[i] = static_cast<std::uint32_t>(kept.size());
        kept.push_back(surface.points[i]);
    }
    for (Hull& hull : surface.hulls) {
        for (Face& face : hull.faces) {
            for (std::uint16_t& corner : face.points)
                corner = static_cast<std::uint16_t>(place[hull.firstPoint + corner]);
        }
        hull.firstPoint = 0;
    }
    surface.points = std::move(kept);
}

}  // namespace

std::optional<Hull> createWrap(const Surface& surface) {
    const std::vector<Vec3> positions = positionsOf(surface);
    const ConvexHull hull = convexHull(positions);
    if (hull.shape != HullShape::Solid || hull.triangles.size() > kMaxFaces) return std::nullopt;
    const std::vector<std::uint32_t> first = weldPoints(positions);
    HullGeometry geometry{0, "wrap hull", {}, hull.triangles};
    std::vector<std::uint32_t> places;
    for (const std::uint32_t i : hull.indices) {
        geometry.points.push_back(positions[i]);
        places.push_back(first[i]);
    }
    try {
        return wrapHull(geometry, places);
    } catch (const GeometryError&) {  // a needle without pierce faces
        return std::nullopt;
    }
}

void rebuildTree(Surface& surface, Bounds bounds, Tree tree, Defects& defects) {
    dropBounds(surface);
    std::vector<NodeBounds> leaves;
    for (const Hull& hull : surface.hulls) leaves.push_back(leafBounds(surface, hull));
    const BuiltTree built = createTree(leaves, tree);
    surface.nodes = built.nodes;
    surface.block.clear();
    surface.byteSize.reset();
    if (leaves.size() < 2 || bounds == Bounds::None) return;
    if (bounds == Bounds::Box) {
        addBoxes(surface, built);
        return;
    }
    auto wrap = createWrap(surface);
    if (!wrap) {
        defects.warn(
            "no-wrap-hull", std::nullopt, {},
            "the points of all hulls lie in one plane, or their hull has more than 4,096 faces; the root carries none");
        return;
    }
    surface.nodes[0].hull = static_cast<std::uint32_t>(surface.hulls.size());
    surface.hulls.push_back(std::move(*wrap));
}

// ------------------------------------------------------------------------------------------------- mass and extent

MassProperties massOf(const Surface& surface) {
    return massProperties(positionsOf(surface), terminalTriangles(surface), terminalEnds(surface));
}

std::uint8_t deviationByte(double deviation, double radius) {
    if (!(radius > 0.0)) return 0;
    return static_cast<std::uint8_t>(std::min(255.0, std::trunc(1.0 + deviation / (radius * kStep))));
}

void rebuildMass(Surface& surface, const MassOverrides& overrides) {
    const std::vector<Vec3> points = positionsOf(surface);
    const std::vector<Triangle> triangles = terminalTriangles(surface);
    const MassProperties mass = massProperties(points, triangles, terminalEnds(surface));
    Reach reach{mass.radius, mass.deviation};
    if (overrides.massCenter) reach = reachFrom(points, triangles, Vec3d(*overrides.massCenter));
    surface.massCenter = overrides.massCenter.value_or(Vec3(mass.massCenter));
    surface.rotationInertia = overrides.rotationInertia.value_or(Vec3(mass.rotationInertia));
    surface.radius = overrides.radius.value_or(static_cast<float>(reach.radius));
    const double radius = overrides.radius ? static_cast<double>(*overrides.radius) : reach.radius;
    surface.surfaceDeviation = overrides.surfaceDeviation.value_or(deviationByte(reach.deviation, radius));
}

Extent extentOf(const Surface& surface, std::span<const std::uint32_t> hardpoints) {
    const auto over = [&](auto counts) {
        std::vector<Vec3> points;
        for (const Hull& hull : surface.hulls) {
            if (!hull.terminal() || !counts(hull.id)) continue;
            for (const Face& face : hull.faces) {
                for (const std::uint16_t corner : face.points)
                    points.push_back(surface.points[hull.firstPoint + corner].position);
            }
        }
        return geomconv::extentOf(points);
    };
    const auto isHardpoint = [&](std::uint32_t id) {
        return std::find(hardpoints.begin(), hardpoints.end(), id) != hardpoints.end();
    };
    auto extent = over([&](std::uint32_t id) { return !isHardpoint(id); });
    if (!extent) extent = over([](std::uint32_t) { return true; });
    if (!extent) return {};
    return {extent->minimum, extent->maximum};
}

// -------------------------------------------------------------------------------------------------------- the part

Part createPart(std::uint32_t id, std::span<const HullGeometry> hulls, const BuildOptions& options, Defects& defects) {
    if (hulls.empty()) throw GeometryError("part " + hexId(id), "no-hulls", "a part needs at least one hull");
    std::vector<HullGeometry> tidy;
    tidy.reserve(hulls.size());
    for (const HullGeometry& hull : hulls) tidy.push_back(tidyHull(hull));
    Part part;
    part.id = id;
    part.fixed = options.fixed;
    part.hardpoints = options.hardpoints;
    Surface& surface = part.surface.emplace();
    addHulls(surface, tidy, options.key);
    rebuildTree(surface, options.bounds, options.tree, defects);
    rebuildMass(surface, options.mass);
    part.extent = extentOf(surface, options.hardpoints);
    std::uint64_t bytes = kHeaderBytes + surface.points.size() * kPointBytes + surface.nodes.size() * kNodeBytes;
    for (const Hull& hull : surface.hulls) bytes += kHullBytes + hull.faces.size() * kFaceBytes;
    if (bytes > kMaxBlock) {
        throw GeometryError(
            "part " + hexId(id), "too-large",
            "its surf block takes " + std::to_string(bytes) + " bytes, the limit is " + std::to_string(kMaxBlock));
    }
    return part;
}

std::vector<HullGeometry> terminalHulls(const Part& part) {
    std::vector<HullGeometry> out;
    if (!part.surface) return out;
    const Surface& surface = *part.surface;
    std::vector<std::uint32_t> local(surface.points.size(), kNone);
    for (const Hull& hull : surface.hulls) {
        if (!hull.terminal()) continue;
        HullGeometry geometry{hull.id, {}, {}, {}};
        std::vector<std::uint32_t> used;
        for (const Face& face : hull.faces) {
            for (const std::uint16_t corner : face.points) used.push_back(hull.firstPoint + corner);
        }
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        for (const std::uint32_t i : used) {
            local[i] = static_cast<std::uint32_t>(geometry.points.size());
            geometry.points.push_back(surface.points[i].position);
        }
        for (const Face& face : hull.faces) {
            Triangle t;
            for (std::size_t e = 0; e < 3; ++e) t[e] = local[hull.firstPoint + face.points[e]];
            geometry.triangles.push_back(t);
        }
        out.push_back(std::move(geometry));
    }
    return out;
}

}  // namespace geomconv::sur
