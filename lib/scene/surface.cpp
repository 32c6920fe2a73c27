#include "lib/scene/surface.hpp"

#include "lib/geometry/topology.hpp"

namespace geomconv {

Surface weldedSurface(const Mesh& mesh) {
    Surface out;
    for (const Primitive& p : mesh.primitives) {
        if (p.topology != Topology::Triangles) continue;
        const auto base = static_cast<std::uint32_t>(out.points.size());
        out.points.insert(out.points.end(), p.positions.begin(), p.positions.end());
        for (std::size_t i = 0; i + 2 < p.indices.size(); i += 3) {
            out.triangles.push_back({base + p.indices[i], base + p.indices[i + 1], base + p.indices[i + 2]});
        }
    }
    const std::vector<std::uint32_t> welded = weldPoints(out.points);
    for (auto& t : out.triangles) {
        for (std::uint32_t& corner : t) corner = welded[corner];
    }
    return out;
}

}  // namespace geomconv
