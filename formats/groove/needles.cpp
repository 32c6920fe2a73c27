#include <algorithm>
#include <array>
#include <cmath>

#include "formats/groove/floortest.hpp"

namespace geomconv::groove {

namespace {

constexpr std::array<double, 3> kSamples{0.3, 0.6, 0.9};
constexpr double kLeastReach = 0.08;      ///< units outside of the polygon
constexpr std::int32_t kLeastDrop = 205;  ///< 0.05 units to the floor below
/// Polygons that all probes together may meet: many times what a real level needs, and a bound for made-up ones.
constexpr std::uint64_t kMostWork = 200'000'000;

/// The tip that an edge tolerance makes of a corner: direction outward and reach, in the surface plane.
struct Tip {
    Vec3d direction;
    double reach;
};

std::optional<Tip> tipAt(const std::vector<Vec3d>& corners, std::size_t k, double tolerance) {
    const std::size_t n = corners.size();
    Vec3d u = corners[(k + n - 1) % n] - corners[k];
    Vec3d v = corners[(k + 1) % n] - corners[k];
    const double lu = glm::length(u);
    const double lv = glm::length(v);
    if (lu < 1e-6 || lv < 1e-6) return std::nullopt;
    u /= lu;
    v /= lv;
    const double half = std::sin(std::acos(std::clamp(glm::dot(u, v), -1.0, 1.0)) / 2.0);
    const Vec3d out = -(u + v);
    const double length = glm::length(out);
    if (half < 1e-3 || length < 1e-9) return std::nullopt;
    return Tip{out / length, tolerance / half};
}

/// Height of the next passing floor below the chosen one in the probe's cell.
std::optional<std::int32_t> nextBelow(const FloorTest& test, const FloorProbe& probe, const FloorHit& found) {
    std::optional<std::int32_t> below;
    for (const FloorCandidate& c : test.candidates(probe)) {
        const bool passes = c.verdict == FloorVerdict::Passes;
        if (passes && c.dist > found.dist) below = below ? std::max(*below, c.h) : c.h;
    }
    return below;
}

/// Whether feet at a point would stand on this polygon's spike, with nothing near below.
std::optional<Needle> exposedAt(const FloorTest& test, std::uint32_t tile, std::uint32_t polygon, const Vec3d& at,
                                std::uint64_t& work) {
    const auto x = toFixed(at.x);
    const auto y = toFixed(at.y);
    const auto z = toFixed(at.z);
    if (!x || !y || !z) return std::nullopt;
    const FloorProbe probe{*x, *y, *z};
    work += test.polygonsAt(probe);
    const FloorResult result = test.probe(probe);
    if (!result.found || result.found->tile != tile || result.found->polygon != polygon) return std::nullopt;
    const auto below = nextBelow(test, probe, *result.found);
    Needle needle{tile, polygon, at, std::nullopt};
    if (below) {
        const std::int64_t drop = std::int64_t{result.found->h} - *below;
        if (drop <= kLeastDrop) return std::nullopt;
        needle.gap = static_cast<double>(drop) / 4096.0;
    }
    return needle;
}

std::optional<Needle> needleOf(const FloorTest& test, const Tile& tile, std::uint32_t tileNumber,
                               const CollisionPolygon& polygon, std::uint32_t number, std::uint64_t& work) {
    const PolygonCorners corners = polygonCorners(polygon);
    const double tolerance = (64 + ((4096 - polygon.planes[0].ny * 32) >> 6)) / 4064.0;
    const SinCos turn = tileTurn(tile);
    for (std::size_t k = 0; k < corners.corners.size(); ++k) {
        const auto tip = tipAt(corners.corners, k, tolerance);
        if (!tip) continue;
        for (const double part : kSamples) {
            const double reach = tip->reach * part;
            if (reach < kLeastReach) continue;
            const Vec3d at = placed(tile, turn, corners.corners[k] + tip->direction * reach);
            if (auto needle = exposedAt(test, tileNumber, number, at, work)) return needle;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<Needle> needles(const Level& level, Defects& defects) {
    const Map& map = requireMap(level);
    const std::vector<Model>& models = requireTrak(level).models;
    const FloorTest test(map, models);
    std::vector<Needle> out;
    std::uint64_t work = 0;
    for (std::uint32_t t = 0; t < map.tiles.size(); ++t) {
        const auto& polygons = models[map.tiles[t].model].polygons;
        for (std::uint32_t p = 0; p < polygons.size(); ++p) {
            const CollisionPolygon& polygon = polygons[p];
            // Skipped and no-floor materials hold nobody up.
            if (polygon.planes[0].ny <= 0 || polygon.material == 0x11 || polygon.material == 0x1e) continue;
            if (auto needle = needleOf(test, map.tiles[t], t, polygon, p, work)) out.push_back(*needle);
            if (work <= kMostWork) continue;
            defects.warn("needle-scan", std::nullopt, {{"tile", std::to_string(t)}},
                         "too many polygons in a cell, the scan ends here");
            return out;
        }
    }
    return out;
}

}  // namespace geomconv::groove
