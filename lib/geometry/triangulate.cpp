#include "lib/geometry/triangulate.hpp"

#include <cmath>
#include <cstddef>

namespace geomconv {

namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

constexpr std::uint64_t kMaxEarTests = 50'000'000;

/// Twice the area vector (Newell): relative to the first corner, so that distance from the origin costs nothing.
Vec3d newellNormal(std::span<const Vec3> polygon) {
    const Vec3d origin(polygon[0]);
    Vec3d sum(0.0);
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
        sum += glm::cross(Vec3d(polygon[i]) - origin, Vec3d(polygon[i + 1]) - origin);
    }
    return sum;
}

bool fanIsSound(std::span<const Vec3> polygon, const Vec3d& normal) {
    const Vec3d origin(polygon[0]);
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
        const Vec3d area = glm::cross(Vec3d(polygon[i]) - origin, Vec3d(polygon[i + 1]) - origin);
        if (!(glm::dot(area, normal) > 0.0)) return false;
    }
    return true;
}

void fan(std::uint32_t corners, Triangles& out) {
    for (std::uint32_t i = 1; i + 1 < corners; ++i) out.push_back({0, i, i + 1});
}

double area2(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The polygon in two axes, counter-clockwise for a normal that points at the viewer.
std::vector<Vec2d> flatten(std::span<const Vec3> polygon, const Vec3d& normal) {
    int drop = 0;
    for (int k = 1; k < 3; ++k) {
        if (std::fabs(normal[k]) > std::fabs(normal[drop])) drop = k;
    }
    int x = (drop + 1) % 3;
    int y = (drop + 2) % 3;
    if (normal[drop] < 0.0) std::swap(x, y);
    std::vector<Vec2d> flat;
    flat.reserve(polygon.size());
    for (const Vec3& p : polygon) flat.emplace_back(static_cast<double>(p[x]), static_cast<double>(p[y]));
    return flat;
}

/// Cuts ears off a ring of corners.
class EarClipper {
public:
    EarClipper(std::vector<Vec2d> flat, Triangles& out) : flat_(std::move(flat)), out_(out) {
        const auto n = static_cast<std::uint32_t>(flat_.size());
        next_.resize(n);
        previous_.resize(n);
        turn_.resize(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            next_[i] = (i + 1) % n;
            previous_[i] = (i + n - 1) % n;
        }
        for (std::uint32_t i = 0; i < n; ++i) updateTurn(i);
        for (std::uint32_t i = 0; i < n; ++i) {
            if (turn_[i] <= 0) notLeft_.push_back(i);
        }
        left_ = n;
    }

    void run() {
        std::uint32_t corner = 0;
        std::uint32_t misses = 0;
        while (left_ > 3) {
            if (tests_ > kMaxEarTests) return fanRest(corner);
            if (isEar(corner)) {
                corner = next_[cut(corner)];
                misses = 0;
            } else if (++misses >= left_) {
                corner = next_[cut(leastHarm(corner))];
                misses = 0;
            } else {
                corner = next_[corner];
            }
        }
        out_.push_back({previous_[corner], corner, next_[corner]});
    }

private:
    void updateTurn(std::uint32_t i) {
        const double area = area2(flat_[previous_[i]], flat_[i], flat_[next_[i]]);
        turn_[i] = static_cast<signed char>(area > 0.0 ? 1 : area < 0.0 ? -1 : 0);
    }

    bool isEar(std::uint32_t i) {
        ++tests_;
        if (turn_[i] <= 0) return false;
        const Vec2d& a = flat_[previous_[i]];
        const Vec2d& b = flat_[i];
        const Vec2d& c = flat_[next_[i]];
        for (std::size_t k = 0; k < notLeft_.size();) {
            const std::uint32_t other = notLeft_[k];
            if (turn_[other] > 0) {  // cut off, or turned left by a cut beside it
                notLeft_[k] = notLeft_.back();
                notLeft_.pop_back();
                continue;
            }
            ++k;
            ++tests_;
            const Vec2d& p = flat_[other];
            if (p == a || p == b || p == c) continue;
            if (area2(a, b, p) >= 0.0 && area2(b, c, p) >= 0.0 && area2(c, a, p) >= 0.0) return false;
        }
        return true;
    }

    /// Cuts corner i off; gives the corner before it.
    std::uint32_t cut(std::uint32_t i) {
        const std::uint32_t before = previous_[i];
        const std::uint32_t after = next_[i];
        out_.push_back({before, i, after});
        next_[before] = after;
        previous_[after] = before;
        turn_[i] = kGone;
        --left_;
        for (const std::uint32_t corner : {before, after}) {
            const signed char was = turn_[corner];
            updateTurn(corner);
            if (was > 0 && turn_[corner] <= 0) notLeft_.push_back(corner);
        }
        return before;
    }

    /// The corner to cut where there is no ear: one in line, else one that turns left, else the given one.
    std::uint32_t leastHarm(std::uint32_t from) {
        tests_ += left_;
        std::uint32_t leftTurn = from;
        bool found = false;
        std::uint32_t i = from;
        for (std::uint32_t step = 0; step < left_; ++step, i = next_[i]) {
            if (turn_[i] == 0) return i;
            if (turn_[i] > 0 && !found) {
                leftTurn = i;
                found = true;
            }
        }
        return leftTurn;
    }

    void fanRest(std::uint32_t from) {
        std::uint32_t i = next_[from];
        for (; left_ > 2; --left_, i = next_[i]) out_.push_back({from, i, next_[i]});
    }

    static constexpr signed char kGone = 2;

    std::vector<Vec2d> flat_;
    Triangles& out_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> previous_;
    std::vector<signed char> turn_;       ///< 1 left (convex), 0 in line, -1 right, kGone
    std::vector<std::uint32_t> notLeft_;  ///< corners that may lie in an ear, and some that no longer can
    std::uint32_t left_ = 0;
    std::uint64_t tests_ = 0;
};

}  // namespace

void triangulate(std::span<const Vec3> polygon, Triangles& out) {
    const auto corners = static_cast<std::uint32_t>(polygon.size());
    if (corners < 3) return;
    if (corners == 3) return fan(corners, out);
    const Vec3d normal = newellNormal(polygon);
    if (fanIsSound(polygon, normal)) return fan(corners, out);
    EarClipper(flatten(polygon, normal), out).run();
}

}  // namespace geomconv
