#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "exporters/gltf/gltf.hpp"
#include "lib/geometry/topology.hpp"

namespace geomconv::gltf {

namespace {

using Json = nlohmann::ordered_json;
using Triangle = std::array<std::uint32_t, 3>;

/// All triangles of a mesh over welded positions: the seams that normals and UVs make are none of its surface.
Json topology(const Mesh& mesh) {
    std::vector<Vec3> points;
    std::vector<Triangle> triangles;
    for (const Primitive& primitive : mesh.primitives) {
        if (primitive.topology != Topology::Triangles) continue;
        const auto base = static_cast<std::uint32_t>(points.size());
        points.insert(points.end(), primitive.positions.begin(), primitive.positions.end());
        for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
            const std::uint32_t* corner = &primitive.indices[i];
            triangles.push_back({base + corner[0], base + corner[1], base + corner[2]});
        }
    }
    const std::vector<std::uint32_t> welded = weldPoints(points);
    for (Triangle& triangle : triangles) {
        for (std::uint32_t& corner : triangle) corner = welded[corner];
    }
    const SurfaceTopology found = topologyOf(points, triangles);
    Json row;
    row["closed"] = found.closed();
    row["manifold"] = found.manifold();
    row["oriented"] = found.oriented();
    row["components"] = found.components;
    row["openEdges"] = found.openEdges;
    row["crowdedEdges"] = found.crowdedEdges;
    row["degenerate"] = found.degenerate;
    if (found.closed() && found.oriented()) row["volume"] = found.signedVolume;
    return row;
}

Json meshRow(const Mesh& mesh, bool withTopology) {
    constexpr float kMax = std::numeric_limits<float>::infinity();
    Vec3 low(kMax);
    Vec3 high(-kMax);
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    for (const Primitive& primitive : mesh.primitives) {
        vertices += primitive.positions.size();
        if (primitive.topology == Topology::Triangles) triangles += primitive.indices.size() / 3;
        for (const Vec3& p : primitive.positions) low = glm::min(low, p), high = glm::max(high, p);
    }
    Json row;
    row["name"] = mesh.name;
    row["primitives"] = mesh.primitives.size();
    row["vertices"] = vertices;
    row["triangles"] = triangles;
    if (vertices > 0) {
        row["min"] = {low.x, low.y, low.z};
        row["max"] = {high.x, high.y, high.z};
    }
    if (withTopology && triangles > 0) row["topology"] = topology(mesh);
    return row;
}

}  // namespace

Json info(const Input& input, const ReadOptions& options, Defects& defects) {
    const Scene scene = readGlb(input, options, defects);
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    Json rows = Json::array();
    for (const Mesh& mesh : scene.meshes) {
        rows.push_back(meshRow(mesh, options.topology));
        vertices += rows.back()["vertices"].get<std::size_t>();
        triangles += rows.back()["triangles"].get<std::size_t>();
    }
    Json out;
    out["nodes"] = scene.nodes.size();
    out["meshes"] = std::move(rows);
    out["vertices"] = vertices;
    out["triangles"] = triangles;
    out["materials"] = scene.materials.size();
    out["images"] = scene.images.size();
    out["skins"] = scene.skins.size();
    out["animations"] = scene.animations.size();
    return out;
}

}  // namespace geomconv::gltf
