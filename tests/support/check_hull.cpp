#include "tests/support/check_hull.hpp"

#include <algorithm>

#include "lib/geometry/predicates.hpp"
#include "lib/geometry/topology.hpp"

namespace geomconv::test {

namespace {

struct Plane {
    Vec3d corner;
    Vec3d normal;  ///< unit
};

void addDents(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles,
              std::vector<std::string>& out) {
    const std::vector<std::uint32_t> opposite = oppositeEdges(triangles);
    for (std::uint32_t edge = 0; edge < opposite.size(); ++edge) {
        if (opposite[edge] == kNoEdge) continue;
        const auto& t = triangles[edge / 3];
        const std::uint32_t other = opposite[edge];
        const std::uint32_t apex = triangles[other / 3][(other % 3 + 2) % 3];
        if (sideOfPlane(points[t[0]], points[t[1]], points[t[2]], points[apex]) > 0) {
            out.push_back("dent at edge " + std::to_string(edge));
        }
    }
}

void addOutside(const std::vector<Plane>& planes, std::span<const Vec3> cloud, double tolerance,
                std::vector<std::string>& out) {
    const std::size_t stride = 1 + planes.size() * cloud.size() / 20'000'000;
    for (std::size_t i = 0; i < cloud.size(); i += stride) {
        for (const Plane& plane : planes) {
            const double height = glm::dot(plane.normal, Vec3d(cloud[i]) - plane.corner);
            if (height <= tolerance) continue;
            out.push_back("point " + std::to_string(i) + " stands out by " + std::to_string(height / tolerance) +
                          " tolerances");
            break;
        }
    }
}

}  // namespace

std::vector<std::string> hullFaults(std::span<const Vec3> points,
                                    std::span<const std::array<std::uint32_t, 3>> triangles,
                                    std::span<const Vec3> cloud, double tolerance) {
    std::vector<std::string> out;
    const SurfaceTopology topology = topologyOf(points, triangles);
    if (!topology.closed() || !topology.oriented() || !topology.manifold())
        out.emplace_back("not a closed oriented surface");
    if (topology.components != 1) out.push_back(std::to_string(topology.components) + " components");
    if (topology.vertices != points.size()) out.emplace_back("points that no triangle uses");
    if (2 * topology.vertices != 4 + triangles.size()) out.emplace_back("V is not 2 + F / 2");
    if (!(topology.signedVolume > 0.0)) out.emplace_back("no volume");
    std::vector<Plane> planes;
    for (const auto& t : triangles) {
        const Vec3d a(points[t[0]]);
        const Vec3d normal = glm::cross(Vec3d(points[t[1]]) - a, Vec3d(points[t[2]]) - a);
        if (!(glm::dot(normal, normal) > 0.0)) {
            out.emplace_back("a triangle without area");
        } else {
            planes.push_back({a, glm::normalize(normal)});
        }
    }
    addDents(points, triangles, out);
    addOutside(planes, cloud, tolerance, out);
    return out;
}

}  // namespace geomconv::test
