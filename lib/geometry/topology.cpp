#include "lib/geometry/topology.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace geomconv {

namespace {

using Triangle = std::array<std::uint32_t, 3>;

struct PlacedEdge {
    std::uint64_t key;  ///< lower corner, higher corner
    std::uint32_t halfEdge;
    bool upward;  ///< runs from the lower corner to the higher

    std::uint32_t low() const { return static_cast<std::uint32_t>(key >> 32); }
    std::uint32_t high() const { return static_cast<std::uint32_t>(key); }
};

bool namesTwice(const Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

std::vector<PlacedEdge> sortedEdges(std::span<const Triangle> triangles) {
    std::vector<PlacedEdge> out;
    out.reserve(triangles.size() * 3);
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        if (namesTwice(triangles[t])) continue;
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t a = triangles[t][k];
            const std::uint32_t b = triangles[t][(k + 1) % 3];
            out.push_back({std::uint64_t{std::min(a, b)} << 32 | std::max(a, b), 3 * t + k, a < b});
        }
    }
    std::sort(out.begin(), out.end(), [](const PlacedEdge& x, const PlacedEdge& y) {
        return x.key != y.key ? x.key < y.key : x.halfEdge < y.halfEdge;
    });
    return out;
}

/// Calls with each run of edges at one place.
template <typename Visit>
void forEachPlace(std::span<const PlacedEdge> edges, Visit visit) {
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i + 1;
        while (end < edges.size() && edges[end].key == edges[i].key) ++end;
        visit(edges.subspan(i, end - i));
        i = end;
    }
}

class Joined {
public:
    explicit Joined(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
    std::uint32_t root(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        if (a != b) parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> parent_;
};

/// Corners whose triangles form more than one fan: triangle corners are joined where two triangles share an edge there.
std::size_t countPinched(std::size_t points, std::span<const Triangle> triangles, std::span<const PlacedEdge> edges) {
    Joined corners(triangles.size() * 3);
    const auto cornerAt = [&](std::uint32_t halfEdge, std::uint32_t point) {
        const std::uint32_t t = halfEdge / 3;
        for (std::uint32_t k = 0; k < 2; ++k) {
            if (triangles[t][k] == point) return 3 * t + k;
        }
        return 3 * t + 2;
    };
    forEachPlace(edges, [&](std::span<const PlacedEdge> place) {
        for (std::size_t i = 1; i < place.size(); ++i) {
            for (const std::uint32_t point : {place[0].low(), place[0].high()}) {
                corners.join(cornerAt(place[0].halfEdge, point), cornerAt(place[i].halfEdge, point));
            }
        }
    });
    std::vector<std::uint8_t> fans(points, 0);
    std::size_t pinched = 0;
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        if (namesTwice(triangles[t])) continue;
        for (std::uint32_t k = 0; k < 3; ++k) {
            if (corners.root(3 * t + k) != 3 * t + k) continue;
            std::uint8_t& count = fans[triangles[t][k]];
            if (count < 2 && ++count == 2) ++pinched;
        }
    }
    return pinched;
}

double volumeOf(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    if (triangles.empty()) return 0.0;
    const Vec3d origin(points[triangles[0][0]]);
    double sum = 0.0;
    for (const Triangle& t : triangles) {
        const Vec3d a = Vec3d(points[t[0]]) - origin;
        sum += glm::dot(a, glm::cross(Vec3d(points[t[1]]) - origin, Vec3d(points[t[2]]) - origin));
    }
    return sum / 6.0;
}

std::uint64_t hashOf(const std::array<std::uint32_t, 3>& bits) {
    std::uint64_t h = bits[0] * 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 32) ^ bits[1]) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 29) ^ bits[2]) * 0x94d049bb133111ebULL;
    return h ^ (h >> 32);
}

}  // namespace

std::vector<std::uint32_t> oppositeEdges(std::span<const Triangle> triangles) {
    std::vector<std::uint32_t> out(triangles.size() * 3, kNoEdge);
    forEachPlace(sortedEdges(triangles), [&](std::span<const PlacedEdge> place) {
        if (place.size() != 2 || place[0].upward == place[1].upward) return;
        out[place[0].halfEdge] = place[1].halfEdge;
        out[place[1].halfEdge] = place[0].halfEdge;
    });
    return out;
}

std::vector<std::uint32_t> weldPoints(std::span<const Vec3> points) {
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(16, points.size() * 2));
    std::vector<std::uint32_t> table(slots, kNoEdge);
    std::vector<std::uint32_t> out(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const Vec3 p = points[i] + Vec3(0.0F);  // -0 becomes +0
        const std::array<std::uint32_t, 3> bits{std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y),
                                                std::bit_cast<std::uint32_t>(p.z)};
        out[i] = i;
        if (std::isnan(p.x) || std::isnan(p.y) || std::isnan(p.z)) continue;
        for (std::uint64_t at = hashOf(bits) & (slots - 1);; at = (at + 1) & (slots - 1)) {
            if (table[at] == kNoEdge) {
                table[at] = i;
                break;
            }
            if (points[table[at]] == p) {
                out[i] = table[at];
                break;
            }
        }
    }
    return out;
}

SurfaceTopology topologyOf(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    SurfaceTopology out;
    const std::vector<PlacedEdge> edges = sortedEdges(triangles);
    out.triangles = edges.size() / 3;
    out.degenerate = triangles.size() - out.triangles;
    const auto note = [](std::size_t& count, std::array<std::uint32_t, 2>& first, const PlacedEdge& edge) {
        if (count++ == 0) first = {edge.low(), edge.high()};
    };
    forEachPlace(edges, [&](std::span<const PlacedEdge> place) {
        ++out.edges;
        if (place.size() == 1) note(out.openEdges, out.firstOpen, place[0]);
        if (place.size() > 2) note(out.crowdedEdges, out.firstCrowded, place[0]);
        if (place.size() == 2 && place[0].upward == place[1].upward) note(out.turnedEdges, out.firstTurned, place[0]);
    });
    Joined corners(points.size());
    std::vector<char> used(points.size(), 0);
    for (const Triangle& t : triangles) {
        if (namesTwice(t)) continue;
        for (const std::uint32_t corner : t) used[corner] = 1;
        corners.join(t[0], t[1]);
        corners.join(t[1], t[2]);
    }
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (!used[i]) continue;
        ++out.vertices;
        if (corners.root(i) == i) ++out.components;
    }
    out.pinchedVertices = countPinched(points.size(), triangles, edges);
    out.signedVolume = volumeOf(points, triangles);
    return out;
}

std::vector<std::vector<std::uint32_t>> connectedPieces(std::size_t points, std::span<const Triangle> triangles) {
    Joined corners(points);
    for (const Triangle& t : triangles) {
        corners.join(t[0], t[1]);
        corners.join(t[1], t[2]);
    }
    std::vector<std::vector<std::uint32_t>> out;
    std::vector<std::uint32_t> place(points, kNoEdge);
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        std::uint32_t& piece = place[corners.root(triangles[t][0])];
        if (piece == kNoEdge) {
            piece = static_cast<std::uint32_t>(out.size());
            out.emplace_back();
        }
        out[piece].push_back(t);
    }
    return out;
}

}  // namespace geomconv
