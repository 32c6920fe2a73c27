#include "lib/scene/summary.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/geometry/topology.hpp"
#include "lib/scene/surface.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv {

namespace {

using Json = nlohmann::ordered_json;

struct Counts {
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    std::size_t lines = 0;
    std::size_t points = 0;

    void add(const Primitive& p) {
        vertices += p.positions.size();
        if (p.topology == Topology::Triangles)
            triangles += p.indices.size() / 3;
        else if (p.topology == Topology::Lines)
            lines += p.indices.size() / 2;
        else
            points += p.indices.empty() ? p.positions.size() : p.indices.size();
    }
    void write(Json& row) const {
        row["vertices"] = vertices;
        row["triangles"] = triangles;
        if (lines > 0) row["lines"] = lines;
        if (points > 0) row["points"] = points;
    }
};

void writeTopology(Json& row, const SurfaceTopology& t) {
    row["closed"] = t.closed();
    row["components"] = t.components;
    row["openEdges"] = t.openEdges;
    row["crowdedEdges"] = t.crowdedEdges;
    row["turnedEdges"] = t.turnedEdges;
    row["pinchedVertices"] = t.pinchedVertices;
    row["degenerateTriangles"] = t.degenerate;
    if (t.closed() && t.oriented()) row["volume"] = t.signedVolume;
}

Json meshRow(const Mesh& mesh, bool topology) {
    Json row;
    row["name"] = mesh.name;
    Counts counts;
    std::string has;
    const auto note = [&has](bool any, const char* what) {
        if (any && has.find(what) == std::string::npos) has += (has.empty() ? "" : " ") + std::string(what);
    };
    for (const Primitive& p : mesh.primitives) {
        counts.add(p);
        note(!p.normals.empty(), "normals");
        note(!p.uvs.empty(), "uvs");
        note(!p.colors.empty(), "colors");
        note(!p.tangents.empty(), "tangents");
        note(!p.influences.empty(), "joints");
        note(!p.targets.empty(), "targets");
    }
    row["primitives"] = mesh.primitives.size();
    counts.write(row);
    if (!has.empty()) row["has"] = has;
    if (topology && counts.triangles > 0) {
        const Surface surface = weldedSurface(mesh);
        writeTopology(row, topologyOf(surface.points, surface.triangles));
    }
    return row;
}

/// The box around everything that nodes show, in the scene's space.
void writeBox(Json& out, const Scene& scene) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Vec3d low(kFar);
    Vec3d high(-kFar);
    const std::vector<Mat4d> world = worldMatrices(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const auto add = [&](const std::vector<Vec3>& points) {
            for (const Vec3& p : points) {
                const Vec3d placed(world[i] * glm::dvec4(Vec3d(p), 1.0));
                low = glm::min(low, placed);
                high = glm::max(high, placed);
            }
        };
        const Node& node = scene.nodes[i];
        if (node.mesh) {
            for (const Primitive& p : scene.meshes[*node.mesh].primitives) add(p.positions);
        }
        for (const std::uint32_t h : node.hulls) add(scene.hulls[h].points);
    }
    if (!(low.x <= high.x)) return;
    const auto rounded = [](double v) { return static_cast<float>(v); };
    out["minimum"] = {rounded(low.x), rounded(low.y), rounded(low.z)};
    out["maximum"] = {rounded(high.x), rounded(high.y), rounded(high.z)};
}

}  // namespace

Json sceneSummary(const Scene& scene, bool topology) {
    Json out;
    Counts total;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) total.add(p);
    }
    for (const Hull& hull : scene.hulls) {
        total.vertices += hull.points.size();
        total.triangles += hull.triangles.size();
    }
    out["nodes"] = scene.nodes.size();
    total.write(out);
    out["materials"] = scene.materials.size();
    out["images"] = scene.images.size();
    if (!scene.skins.empty()) out["skins"] = scene.skins.size();
    if (!scene.animations.empty()) out["animations"] = scene.animations.size();
    writeBox(out, scene);
    out["meshes"] = Json::array();
    for (const Mesh& mesh : scene.meshes) out["meshes"].push_back(meshRow(mesh, topology));
    out["hulls"] = Json::array();
    for (const Hull& hull : scene.hulls) {
        Json row;
        row["name"] = hull.name;
        row["points"] = hull.points.size();
        row["triangles"] = hull.triangles.size();
        if (topology) writeTopology(row, topologyOf(hull.points, hull.triangles));
        out["hulls"].push_back(std::move(row));
    }
    return out;
}

}  // namespace geomconv
