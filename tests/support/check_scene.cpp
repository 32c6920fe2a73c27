#include "tests/support/check_scene.hpp"

#include <cmath>
#include <map>
#include <set>

#include "lib/scene/transform.hpp"

namespace geomconv::test {

namespace {

/// Collects sentences, each with the place it is about.
struct Faults {
    std::vector<std::string> list;
    void require(bool holds, const std::string& where, const std::string& what) {
        if (!holds && list.size() < 50) list.push_back(where + ": " + what);
    }
};

bool finite(const Vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void checkPrimitive(const Scene& scene, const Primitive& p, const std::string& where, Faults& faults) {
    const std::size_t n = p.positions.size();
    const auto matches = [n](std::size_t count) { return count == 0 || count == n; };
    faults.require(!p.material || *p.material < scene.materials.size(), where, "material out of range");
    faults.require(matches(p.normals.size()), where, "normals do not match positions");
    faults.require(matches(p.uvs.size()), where, "uvs do not match positions");
    faults.require(matches(p.colors.size()), where, "colors do not match positions");
    faults.require(matches(p.tangents.size()), where, "tangents do not match positions");
    faults.require(matches(p.modelVertices.size()), where, "model vertices do not match positions");
    for (const Influences& set : p.influences) {
        faults.require(set.joints.size() == n && set.weights.size() == n, where, "influences do not match positions");
    }
    for (const MorphTarget& target : p.targets) {
        faults.require(target.positions.size() == n && matches(target.normals.size()), where,
                       "morph target does not match positions");
    }
    const std::size_t corners = p.topology == Topology::Triangles ? 3 : p.topology == Topology::Lines ? 2 : 1;
    faults.require(p.indices.size() % corners == 0, where, "indices are no whole number of elements");
    for (const std::uint32_t i : p.indices) {
        if (i >= n) {
            faults.require(false, where, "index " + std::to_string(i) + " of " + std::to_string(n));
            break;
        }
    }
    for (const Vec3& v : p.positions) {
        if (!finite(v)) {
            faults.require(false, where, "position is not finite");
            break;
        }
    }
}

void checkNode(const Scene& scene, std::size_t index, Faults& faults) {
    const Node& node = scene.nodes[index];
    const std::string where = "node " + std::to_string(index) + " " + node.name;
    faults.require(!node.parent || *node.parent < scene.nodes.size(), where, "parent out of range");
    faults.require(!node.mesh || *node.mesh < scene.meshes.size(), where, "mesh out of range");
    faults.require(!node.skin || *node.skin < scene.skins.size(), where, "skin out of range");
    for (const std::uint32_t h : node.hulls) faults.require(h < scene.hulls.size(), where, "hull out of range");
    faults.require(finite(node.translation) && finite(node.scale), where, "transform is not finite");
    const Quat& q = node.rotation;
    const float length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    faults.require(std::abs(length - 1.0F) < 1e-3F, where, "rotation is not of unit length");
}

void checkAnimation(const Scene& scene, const Animation& animation, Faults& faults) {
    const std::string where = "animation " + animation.name;
    for (const Channel& c : animation.channels) {
        faults.require(c.node < scene.nodes.size(), where, "node out of range");
        for (std::size_t k = 1; k < c.times.size(); ++k) {
            faults.require(c.times[k] > c.times[k - 1], where, "times do not rise");
        }
        const std::size_t keys = c.times.size() * (c.interpolation == Interpolation::CubicSpline ? 3 : 1);
        const std::size_t width = c.path == ChannelPath::Rotation ? 4 : 3;
        if (c.path == ChannelPath::Weights) {
            faults.require(keys == 0 ? c.values.empty() : c.values.size() % keys == 0, where,
                           "values do not match times");
        } else {
            faults.require(c.values.size() == keys * width, where, "values do not match times");
        }
    }
}

void checkImage(const Image& image, Faults& faults) {
    const std::string where = "image " + image.name;
    const std::uint64_t pixels = std::uint64_t{image.width} * image.height;
    faults.require(image.rgba.empty() || image.rgba.size() == 4 * pixels, where, "pixels do not match the size");
    faults.require(image.indexed.empty() || image.indexed.size() == pixels, where, "indices do not match the size");
    for (const std::uint8_t i : image.indexed) {
        if (i >= image.palette.size()) {
            faults.require(false, where, "palette index out of range");
            break;
        }
    }
}

}  // namespace

std::vector<std::string> sceneFaults(const Scene& scene) {
    Faults faults;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) checkNode(scene, i, faults);
    if (faults.list.empty()) faults.require(parentsAreSound(scene), "scene", "parents form a cycle");
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        const Mesh& mesh = scene.meshes[i];
        for (std::size_t k = 0; k < mesh.primitives.size(); ++k) {
            const std::string where = "mesh " + std::to_string(i) + " " + mesh.name + " primitive " + std::to_string(k);
            checkPrimitive(scene, mesh.primitives[k], where, faults);
        }
    }
    for (std::size_t i = 0; i < scene.hulls.size(); ++i) {
        const Hull& hull = scene.hulls[i];
        const std::string where = "hull " + std::to_string(i) + " " + hull.name;
        for (const Vec3& v : hull.points) faults.require(finite(v), where, "point is not finite");
        for (const auto& t : hull.triangles) {
            for (const std::uint32_t p : t) faults.require(p < hull.points.size(), where, "point index out of range");
        }
    }
    for (const Material& m : scene.materials) {
        faults.require(!m.image || *m.image < scene.images.size(), "material " + m.name, "image out of range");
    }
    for (const Image& image : scene.images) checkImage(image, faults);
    for (const Skin& skin : scene.skins) {
        const std::string where = "skin " + skin.name;
        for (const std::uint32_t j : skin.joints) faults.require(j < scene.nodes.size(), where, "joint out of range");
        faults.require(skin.inverseBindMatrices.empty() || skin.inverseBindMatrices.size() == skin.joints.size(), where,
                       "matrices do not match joints");
        faults.require(!skin.skeletonRoot || *skin.skeletonRoot < scene.nodes.size(), where, "root out of range");
    }
    for (const Animation& animation : scene.animations) checkAnimation(scene, animation, faults);
    return faults.list;
}

std::vector<std::string> hullFaults(const Hull& hull) {
    Faults faults;
    const std::string where = "hull " + hull.name;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    std::set<std::uint32_t> used;
    double volume = 0.0;
    for (const auto& t : hull.triangles) {
        const auto at = [&](std::size_t k) { return Vec3d(hull.points[t[k]]) - Vec3d(hull.points[0]); };
        volume += glm::dot(at(0), glm::cross(at(1), at(2))) / 6.0;
        for (std::size_t k = 0; k < 3; ++k) {
            used.insert(t[k]);
            edges[{t[k], t[(k + 1) % 3]}] += 1;
        }
    }
    for (const auto& [edge, times] : edges) {
        faults.require(times == 1, where, "an edge is wound twice");
        faults.require(edges.contains({edge.second, edge.first}), where, "an edge is open");
    }
    faults.require(2 * used.size() == 4 + hull.triangles.size(), where, "V - E + F is not 2");
    faults.require(hull.triangles.size() == 2 || volume > 0.0, where, "volume is not positive");
    return faults.list;
}

}  // namespace geomconv::test
