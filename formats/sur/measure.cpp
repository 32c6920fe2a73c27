#include "formats/sur/measure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/sur/build.hpp"

namespace geomconv::sur {

double Span::missedBy(const Span& inner) const {
    double worst = -std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        worst = std::max({worst, minimum[axis] - inner.minimum[axis], inner.maximum[axis] - maximum[axis]});
    }
    return worst;
}

Span boxOf(const Node& node) {
    Span box;
    for (int axis = 0; axis < 3; ++axis) {
        const double half = node.boxSizes[static_cast<std::size_t>(axis)] * (kStep * static_cast<double>(node.radius));
        box.minimum[axis] = static_cast<double>(node.center[axis]) - half;
        box.maximum[axis] = static_cast<double>(node.center[axis]) + half;
    }
    return box;
}

double slackOf(const Node& node) {
    const Vec3d c = glm::abs(Vec3d(node.center));
    return 1e-5 * static_cast<double>(node.radius) + 2.4e-7 * std::max({c.x, c.y, c.z});
}

LeafBounds leafBounds(const Span& box) {
    const Vec3d center = box.maximum + (box.minimum - box.maximum) / 2.0;
    return {center, glm::length(box.maximum - center)};
}

namespace {

Vec3d pointOf(const Surface& surface, std::uint32_t index) {
    return Vec3d(surface.points[index].position);
}

std::vector<std::uint32_t> ownPoints(const Hull& hull) {
    std::vector<std::uint32_t> own;
    own.reserve(3 * hull.faces.size());
    for (const Face& face : hull.faces) {
        for (const std::uint16_t p : face.points) own.push_back(hull.firstPoint + p);
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    return own;
}

/// Counts edges that are open, wound twice, or whose link does not lead to their reverse.
void measureEdges(const Hull& hull, HullMeasure& m) {
    using Edge = std::pair<std::uint16_t, std::uint16_t>;
    std::vector<Edge> edges;
    edges.reserve(3 * hull.faces.size());
    const auto edgeOf = [&](HalfEdge at) {
        const auto& points = hull.faces[at.face].points;
        return Edge{points[at.edge], points[(at.edge + 1) % 3]};
    };
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        for (std::uint32_t e = 0; e < 3; ++e) {
            const Edge edge = edgeOf({f, e});
            edges.push_back(edge);
            const auto opposite = oppositeOf({f, e}, hull.faces[f].opposites[e], hull.faces.size());
            if (!opposite || edgeOf(*opposite) != Edge{edge.second, edge.first} ||
                hull.faces[opposite->face].opposites[opposite->edge] != -hull.faces[f].opposites[e]) {
                ++m.wrongOpposites;
            }
        }
    }
    std::sort(edges.begin(), edges.end());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (i > 0 && edges[i] == edges[i - 1]) ++m.doubleEdges;
        if (!std::binary_search(edges.begin(), edges.end(), Edge{edges[i].second, edges[i].first})) ++m.openEdges;
    }
}

/// Volume, faces without area, and how far points stand out over faces.
void measureShape(const Surface& surface, const Hull& hull, HullMeasure& m, Effort& effort) {
    Vec3d mean(0.0);
    std::vector<Vec3d> points;
    points.reserve(m.own.size());
    for (const std::uint32_t p : m.own) {
        points.push_back(pointOf(surface, p));
        mean += points.back();
        m.box.add(points.back());
    }
    mean /= static_cast<double>(points.size());
    for (const Vec3d& p : points) m.size = std::max(m.size, glm::length(p - mean));
    if (effort.spend(std::uint64_t{hull.faces.size()} * points.size())) m.bulge = 0.0;
    for (const Face& face : hull.faces) {
        const Vec3d a = pointOf(surface, hull.firstPoint + face.points[0]);
        const Vec3d b = pointOf(surface, hull.firstPoint + face.points[1]);
        const Vec3d c = pointOf(surface, hull.firstPoint + face.points[2]);
        m.volume += glm::dot(glm::cross(a - mean, b - mean), c - mean) / 6.0;
        const Vec3d normal = glm::cross(b - a, c - a);
        const double length = glm::length(normal);
        if (!(length > 0.0)) {
            ++m.zeroArea;
            continue;
        }
        if (!m.bulge) continue;
        double highest = 0.0;
        for (const Vec3d& p : points) highest = std::max(highest, glm::dot(normal, p - a));
        m.bulge = std::max(*m.bulge, highest / length);
    }
    m.flat = std::abs(m.volume) < 1e-7 * m.size * m.size * m.size || m.size == 0.0;
}

/// Points below each node and the depth of the tree. In pre-order all nodes below a node come after it, so one walk
/// from the end sees children first.
void measureTree(const Surface& surface, PartMeasure& m) {
    const std::vector<Node>& nodes = surface.nodes;
    m.below.resize(nodes.size());
    m.last.resize(nodes.size());
    std::vector<std::size_t> depth(nodes.size(), 1);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node& node = nodes[i];
        if (node.hull && surface.hulls[*node.hull].terminal()) m.below[i].add(m.hulls[*node.hull].box);
        m.last[i] = node.right ? m.last[*node.right] : static_cast<std::uint32_t>(i);
        if (!node.right) continue;
        m.below[i].add(m.below[i + 1]);
        m.below[i].add(m.below[*node.right]);
        depth[i] = 1 + std::max(depth[i + 1], depth[*node.right]);
    }
    m.depth = depth.empty() ? 0 : depth.front();
}

}  // namespace

HullMeasure measureHull(const Surface& surface, const Hull& hull, Effort& effort) {
    HullMeasure m;
    m.own = ownPoints(hull);
    measureEdges(hull, m);
    measureShape(surface, hull, m, effort);
    return m;
}

PartMeasure measurePart(const Part& part, const Surface& surface, Effort& effort) {
    PartMeasure m;
    m.hulls.reserve(surface.hulls.size());
    std::vector<std::uint32_t> hardpoints = part.hardpoints;
    std::sort(hardpoints.begin(), hardpoints.end());
    Span all;
    for (const Hull& hull : surface.hulls) {
        m.hulls.push_back(measureHull(surface, hull, effort));
        if (!hull.terminal()) continue;
        all.add(m.hulls.back().box);
        if (!std::binary_search(hardpoints.begin(), hardpoints.end(), hull.id)) m.extent.add(m.hulls.back().box);
    }
    if (m.extent.empty()) m.extent = all;
    m.mass = massOf(surface);
    m.deviation = deviationByte(m.mass.deviation, m.mass.radius);
    const double steps = 1.0 + m.mass.deviation / (m.mass.radius * kStep);
    m.deviationOnStep = std::abs(steps - std::round(steps)) < 1e-4;
    measureTree(surface, m);
    return m;
}

}  // namespace geomconv::sur
