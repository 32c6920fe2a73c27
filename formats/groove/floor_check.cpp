#include <algorithm>
#include <cmath>
#include <random>

#include "formats/groove/build.hpp"
#include "formats/groove/floortest.hpp"
#include "formats/groove/import.hpp"

namespace geomconv::groove {

namespace {

/// The test takes surfaces up to 0x80 above the probe.
constexpr double kProbeAbove = static_cast<double>(kProbeOffset + 0x80) / 4096.0;

struct FloorTriangle {
    std::array<Vec3d, 3> corners;
};

/// Twice the area on the ground plane; positive where a, b, c go round a surface that faces up.
double ground(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

/// Triangles by cell of the grid.
class Surfaces {
public:
    Surfaces(const Map& map, const std::vector<FloorSurface>& surfaces)
        : w_(map.w), h_(map.h), cells_(std::size_t{map.w} * map.h) {
        double sum = 0.0;
        for (const FloorSurface& s : surfaces) {
            for (std::size_t i = 1; i + 1 < s.size(); ++i) {
                const double area = ground(s[0], s[i], s[i + 1]);
                if (!(area > 0.0)) continue;
                sum += area;
                triangles_.push_back({{s[0], s[i], s[i + 1]}});
                sums_.push_back(sum);
                list(static_cast<std::uint32_t>(triangles_.size() - 1));
            }
        }
    }

    bool empty() const { return triangles_.empty(); }

    /// The triangle that a number from 0 to 1 falls on, by area.
    const FloorTriangle& pick(double at) const {
        const auto found = std::upper_bound(sums_.begin(), sums_.end(), at * sums_.back());
        const auto i = std::min(static_cast<std::size_t>(found - sums_.begin()), triangles_.size() - 1);
        return triangles_[i];
    }

    bool inGrid(const Vec3d& p) const { return p.x >= 0.0 && p.z >= 0.0 && p.x < w_ && p.z < h_; }

    /// The highest surface at a place that is not above `limit`.
    std::optional<double> heightBelow(const Vec3d& p, double limit) const {
        std::optional<double> best;
        const auto cell = static_cast<std::size_t>(p.z) * w_ + static_cast<std::size_t>(p.x);
        for (const std::uint32_t i : cells_[cell]) {
            const auto& [a, b, c] = triangles_[i].corners;
            const double ab = ground(a, b, p);
            const double bc = ground(b, c, p);
            const double ca = ground(c, a, p);
            if (ab < 0.0 || bc < 0.0 || ca < 0.0) continue;
            const double y = (a.y * bc + b.y * ca + c.y * ab) / (ab + bc + ca);
            if (y <= limit && (!best || y > *best)) best = y;
        }
        return best;
    }

private:
    void list(std::uint32_t number) {
        const auto& c = triangles_[number].corners;
        const auto [x0, x1] = std::minmax({c[0].x, c[1].x, c[2].x});
        const auto [z0, z1] = std::minmax({c[0].z, c[1].z, c[2].z});
        const auto first = [](double v) { return static_cast<std::int64_t>(std::floor(std::max(v, 0.0))); };
        const auto last = [](double v, std::uint32_t size) {
            return std::min(static_cast<std::int64_t>(std::floor(v)), std::int64_t{size} - 1);
        };
        for (std::int64_t z = first(z0); z <= last(z1, h_); ++z) {
            for (std::int64_t x = first(x0); x <= last(x1, w_); ++x) {
                cells_[static_cast<std::size_t>(z) * w_ + static_cast<std::size_t>(x)].push_back(number);
            }
        }
    }

    std::uint32_t w_;
    std::uint32_t h_;
    std::vector<FloorTriangle> triangles_;
    std::vector<double> sums_;  ///< areas up to and with each triangle
    std::vector<std::vector<std::uint32_t>> cells_;
};

/// 0 <= value < 1, the same on every machine.
double fraction(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

Vec3d pointOn(const FloorTriangle& t, std::mt19937_64& random) {
    double u = fraction(random);
    double v = fraction(random);
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    return t.corners[0] + (t.corners[1] - t.corners[0]) * u + (t.corners[2] - t.corners[0]) * v;
}

}  // namespace

FloorCheck checkFloors(const Level& level, const std::vector<FloorSurface>& polygons, std::size_t points) {
    FloorCheck out;
    const Surfaces surfaces(requireMap(level), polygons);
    if (surfaces.empty()) return out;
    const FloorTest test(level);
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < points; ++i) {
        const FloorTriangle& triangle = surfaces.pick(fraction(random));
        const Vec3d p = pointOn(triangle, random);
        const auto x = toFixed(p.x);
        const auto y = toFixed(p.y);
        const auto z = toFixed(p.z);
        if (!surfaces.inGrid(p) || !x || !y || !z) continue;
        out.points += 1;
        // The surface itself is among those below the probe.
        const double expected = surfaces.heightBelow(p, p.y + kProbeAbove).value_or(p.y);
        const FloorResult result = test.probe({*x, *y, *z});
        if (!result.found) {
            out.missing += 1;
            continue;
        }
        const double deviation = std::abs(result.found->h / 4096.0 - expected);
        const auto step = std::lower_bound(FloorCheck::kSteps.begin(), FloorCheck::kSteps.end(), deviation);
        out.histogram[static_cast<std::size_t>(step - FloorCheck::kSteps.begin())] += 1;
        if (deviation > out.largest) {
            out.largest = deviation;
            out.at = p;
        }
    }
    return out;
}

}  // namespace geomconv::groove
