#include "formats/sur/edit.hpp"

#include <bit>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::sur {

namespace {

/// The points of the part to be. Those of kept hulls come first, in their old order; a new hull's are the part's where
/// position and id are the same.
class PointList {
public:
    PointList(const std::vector<Point>& before, const std::vector<bool>& used) : place_(before.size(), 0) {
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (!used[i]) continue;
            place_[i] = static_cast<std::uint32_t>(points_.size());
            byKey_.try_emplace(keyOf(before[i]), place_[i]);
            points_.push_back(before[i]);
        }
    }

    std::uint32_t placeOf(std::uint32_t before) const { return place_[before]; }
    std::uint32_t add(const Point& point) {
        const auto [found, isNew] = byKey_.try_emplace(keyOf(point), static_cast<std::uint32_t>(points_.size()));
        if (isNew) points_.push_back(point);
        return found->second;
    }
    std::vector<Point> take() { return std::move(points_); }
    std::size_t size() const { return points_.size(); }

private:
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    static Key keyOf(const Point& p) {
        const auto bits = [](float v) { return std::bit_cast<std::uint32_t>(v); };
        return {bits(p.position.x), bits(p.position.y), bits(p.position.z), p.clientData};
    }

    std::vector<std::uint32_t> place_;
    std::vector<Point> points_;
    std::map<Key, std::uint32_t> byKey_;
};

std::vector<bool> pointsOfKept(const Surface& surface, const std::vector<HullSource>& sources) {
    std::vector<bool> used(surface.points.size(), false);
    for (const HullSource& source : sources) {
        if (!source.kept) continue;
        const Hull& hull = surface.hulls[*source.kept];
        for (const Face& face : hull.faces) {
            for (const std::uint16_t p : face.points) used[hull.firstPoint + p] = true;
        }
    }
    return used;
}

Hull keptHull(const Hull& before, const PointList& points) {
    Hull hull = before;
    hull.firstPoint = 0;
    for (Face& face : hull.faces) {
        for (std::uint16_t& p : face.points) p = static_cast<std::uint16_t>(points.placeOf(before.firstPoint + p));
    }
    return hull;
}

Hull madeHull(const HullGeometry& made, PointList& points) {
    const HullGeometry tidy = tidyHull(made);
    Hull hull;
    hull.id = tidy.id;
    hull.faces = createFaces(tidy);
    hull.size = static_cast<std::uint32_t>(1 + hull.faces.size() + tidy.points.size());
    std::vector<std::uint32_t> place;
    for (const Vec3& p : tidy.points) place.push_back(points.add({p, tidy.id}));
    if (points.size() > kMaxPoints) {
        throw GeometryError(hullLabel(made), "too-many-points",
                            "with it the part has " + counted(points.size(), "points") + ", the limit is " +
                                std::to_string(kMaxPoints));
    }
    for (Face& face : hull.faces) {
        for (std::uint16_t& p : face.points) p = static_cast<std::uint16_t>(place[p]);
    }
    return hull;
}

void requireSize(const Part& part) {
    try {
        layoutOf(*part.surface);
    } catch (const FormatError& error) {
        throw GeometryError("part " + hexId(part.id), "too-large", error.defect().detail);
    }
}

}  // namespace

Part withHulls(const Part& part, const std::vector<HullSource>& sources, Defects& defects) {
    if (sources.empty()) throw GeometryError("part " + hexId(part.id), "no-hull", "the part has no hull left");
    static const Surface kNone;
    const Surface& before = part.surface ? *part.surface : kNone;
    PointList points(before.points, pointsOfKept(before, sources));

    Part out;
    out.id = part.id;
    out.fixed = part.fixed;
    out.hardpoints = part.hardpoints;
    if (part.surface && part.extent) {
        out.chunks = part.chunks;
        out.chunkCount = part.chunkCount;
    }
    Surface& surface = out.surface.emplace();
    surface.padding = before.padding;
    for (const HullSource& source : sources) {
        surface.hulls.push_back(source.kept ? keptHull(before.hulls[*source.kept], points)
                                            : madeHull(source.made, points));
    }
    surface.points = points.take();
    rebuildTree(surface, Bounds::Wrap, Tree::Ivp, defects);
    rebuildMass(surface, {});
    out.extent = extentOf(surface, out.hardpoints);
    requireSize(out);
    return out;
}

bool sameShape(const HullGeometry& a, const HullGeometry& b, double tolerance) {
    if (a.triangles.size() != b.triangles.size()) return false;
    const auto near = [&](std::uint32_t p, std::uint32_t q) {
        const Vec3 d = glm::abs(a.points[p] - b.points[q]);
        return static_cast<double>(std::max({d.x, d.y, d.z})) <= tolerance;
    };
    for (std::size_t t = 0; t < a.triangles.size(); ++t) {
        const Triangle& p = a.triangles[t];
        const Triangle& q = b.triangles[t];
        bool same = false;
        for (std::size_t turn = 0; turn < 3 && !same; ++turn) {
            same = near(p[0], q[turn]) && near(p[1], q[(turn + 1) % 3]) && near(p[2], q[(turn + 2) % 3]);
        }
        if (!same) return false;
    }
    return true;
}

}  // namespace geomconv::sur
