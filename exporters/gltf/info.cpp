#include <limits>
#include <nlohmann/json.hpp>

#include "exporters/gltf/gltf.hpp"
#include "lib/geometry/topology.hpp"
#include "lib/scene/surface.hpp"

namespace geomconv::gltf {

namespace {

using Json = nlohmann::ordered_json;

Json topology(const Mesh& mesh) {
    const Surface surface = weldedSurface(mesh);
    const SurfaceTopology found = topologyOf(surface.points, surface.triangles);
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
