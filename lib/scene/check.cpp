#include "lib/scene/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "lib/bytes/counted.hpp"
#include "lib/bytes/text.hpp"
#include "lib/geometry/topology.hpp"
#include "lib/scene/surface.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv {

namespace {

/// The first that is not finite.
template <class T>
std::optional<std::size_t> firstNonFinite(const std::vector<T>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!isFinite(values[i])) return i;
    }
    return std::nullopt;
}

std::size_t cornersOf(Topology topology) {
    return topology == Topology::Triangles ? 3 : topology == Topology::Lines ? 2 : 1;
}

Place placeOf(std::string noun, std::size_t number, const std::string& name = {}) {
    return {std::move(noun), std::to_string(number), printable(name)};
}

template <class T>
bool sameEntry(const std::vector<T>& a, std::size_t i, const std::vector<T>& b, std::size_t k) {
    if (a.empty() || b.empty()) return a.empty() == b.empty();
    return std::memcmp(&a[i], &b[k], sizeof(T)) == 0;
}

bool sameVertex(const Primitive& a, std::size_t i, const Primitive& b, std::size_t k) {
    return sameEntry(a.positions, i, b.positions, k) && sameEntry(a.normals, i, b.normals, k) &&
           sameEntry(a.colors, i, b.colors, k);
}

// ------------------------------------------------------------------------------------------------ structure

/// Where a fault is, and where it goes.
class Structure {
public:
    Structure(const Scene& scene, Defects& defects) : scene_(scene), defects_(defects) {}

    void checkAll() {
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) node(scene_.nodes[i], i);
        if (defects_.count(Severity::Error) == 0 && !parentsAreSound(scene_)) {
            where_.clear();
            fault("node-cycle", "a node is its own ancestor");
        }
        for (std::size_t i = 0; i < scene_.meshes.size(); ++i) mesh(scene_.meshes[i], i);
        for (std::size_t i = 0; i < scene_.hulls.size(); ++i) hull(scene_.hulls[i], i);
        for (std::size_t i = 0; i < scene_.materials.size(); ++i) material(scene_.materials[i], i);
        for (std::size_t i = 0; i < scene_.images.size(); ++i) image(scene_.images[i], i);
        for (std::size_t i = 0; i < scene_.skins.size(); ++i) skin(scene_.skins[i], i);
        for (std::size_t i = 0; i < scene_.animations.size(); ++i) animation(scene_.animations[i], i);
    }

private:
    void fault(std::string_view kind, std::string detail) {
        defects_.error(kind, std::nullopt, where_, std::move(detail));
    }

    void inRange(std::string_view what, std::uint64_t index, std::size_t count) {
        if (index < count) return;
        fault("index-range", std::string(what) + ' ' + std::to_string(index) + " of " + std::to_string(count));
    }
    void inRange(std::string_view what, const std::optional<std::uint32_t>& index, std::size_t count) {
        if (index) inRange(what, *index, count);
    }
    void allInRange(std::string_view what, const std::vector<std::uint32_t>& indices, std::size_t count) {
        const auto highest = std::max_element(indices.begin(), indices.end());
        if (highest != indices.end()) inRange(what, *highest, count);
    }
    /// An array that has one entry per vertex, or none where that is allowed.
    void perVertex(std::string_view what, std::size_t count, std::size_t vertices, bool mayMiss = true) {
        if (count == vertices || (mayMiss && count == 0)) return;
        fault("array-length",
              std::to_string(count) + ' ' + std::string(what) + " for " + counted(vertices, "vertices"));
    }
    template <class T>
    void allFinite(std::string_view what, const std::vector<T>& values) {
        if (const auto i = firstNonFinite(values)) {
            fault("nonfinite", std::string(what) + ' ' + std::to_string(*i) + " is not finite");
        }
    }

    void node(const Node& node, std::size_t number) {
        where_ = {placeOf("node", number, node.name)};
        inRange("parent", node.parent, scene_.nodes.size());
        inRange("mesh", node.mesh, scene_.meshes.size());
        inRange("skin", node.skin, scene_.skins.size());
        allInRange("hull", node.hulls, scene_.hulls.size());
        const bool sound = node.matrix ? isFinite(*node.matrix)
                                       : isFinite(node.translation) && isFinite(node.rotation) && isFinite(node.scale);
        if (!sound) fault("nonfinite", "its transform is not finite");
    }

    void mesh(const Mesh& mesh, std::size_t number) {
        where_ = {placeOf("mesh", number, mesh.name)};
        allFinite("weight", mesh.weights);
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
            where_ = {placeOf("primitive", i), placeOf("mesh", number, mesh.name)};
            primitive(mesh.primitives[i]);
        }
        where_ = {placeOf("mesh", number, mesh.name)};
        modelVertices(mesh);
        modelFaces(mesh);
    }

    void modelFaces(const Mesh& mesh) {
        std::size_t count = 0;
        for (const Primitive& p : mesh.primitives) count += p.modelFaces.size();
        std::vector<bool> met(count, false);
        for (const Primitive& p : mesh.primitives) {
            for (std::size_t i = 0; i < p.modelFaces.size(); ++i) {
                const std::uint32_t face = p.modelFaces[i];
                if (face >= count) return inRange("model face", face, count);
                if (met[face] || (i > 0 && face < p.modelFaces[i - 1])) {
                    return fault("model-face", "model face " + std::to_string(face) +
                                                   (met[face] ? " stands twice" : " stands behind a later one"));
                }
                met[face] = true;
            }
        }
    }

    /// Copies of one vertex of a model agree in all but their uvs.
    void modelVertices(const Mesh& mesh) {
        if (defects_.count(Severity::Error) > 0) return;
        std::size_t count = 0;
        for (const Primitive& p : mesh.primitives) count += p.positions.size();
        std::vector<std::pair<const Primitive*, std::size_t>> first(count, {nullptr, 0});
        for (const Primitive& p : mesh.primitives) {
            allInRange("model vertex", p.modelVertices, count);
            if (defects_.count(Severity::Error) > 0) return;
            for (std::size_t i = 0; i < p.modelVertices.size(); ++i) {
                auto& [known, vertex] = first[p.modelVertices[i]];
                if (known == nullptr) {
                    known = &p, vertex = i;
                } else if (!sameVertex(*known, vertex, p, i)) {
                    return fault("model-vertex", "model vertex " + std::to_string(p.modelVertices[i]) +
                                                     " has two positions, normals or colors");
                }
            }
        }
    }

    void primitive(const Primitive& p) {
        const std::size_t n = p.positions.size();
        inRange("material", p.material, scene_.materials.size());
        perVertex("normals", p.normals.size(), n);
        perVertex("uvs", p.uvs.size(), n);
        perVertex("colors", p.colors.size(), n);
        perVertex("tangents", p.tangents.size(), n);
        perVertex("model vertices", p.modelVertices.size(), n);
        for (const Influences& set : p.influences) {
            perVertex("joints", set.joints.size(), n, false);
            perVertex("weights", set.weights.size(), n, false);
            allFinite("weight", set.weights);
        }
        for (const MorphTarget& target : p.targets) {
            perVertex("morph positions", target.positions.size(), n, false);
            perVertex("morph normals", target.normals.size(), n);
            allFinite("morph position", target.positions);
            allFinite("morph normal", target.normals);
        }
        if (!p.modelFaces.empty() && p.topology != Topology::Triangles) {
            fault("model-face", "model faces of what is no triangles");
        } else if (!p.modelFaces.empty() && 3 * p.modelFaces.size() != p.indices.size()) {
            fault("array-length", std::to_string(p.modelFaces.size()) + " model faces for " +
                                      std::to_string(p.indices.size()) + " indices");
        }
        if (p.indices.size() % cornersOf(p.topology) != 0) {
            fault("array-length", std::to_string(p.indices.size()) + " indices are no whole number of elements");
        }
        faces(p);
        allInRange("vertex", p.indices, n);
        allFinite("position", p.positions);
        allFinite("color", p.colors);
    }

    void faces(const Primitive& p) {
        if (p.faceSizes.empty()) return;
        std::uint64_t corners = 0;
        for (const std::uint32_t size : p.faceSizes) {
            if (size < 3) return fault("array-length", "a face of " + std::to_string(size) + " corners");
            corners += 3 * (std::uint64_t{size} - 2);
        }
        if (corners == p.indices.size() && p.topology == Topology::Triangles) return;
        fault("array-length",
              "faces of " + std::to_string(corners) + " indices, there are " + std::to_string(p.indices.size()));
    }

    void hull(const Hull& hull, std::size_t number) {
        where_ = {placeOf("hull", number, hull.name)};
        allFinite("point", hull.points);
        std::uint32_t highest = 0;
        for (const auto& t : hull.triangles) highest = std::max({highest, t[0], t[1], t[2]});
        if (!hull.triangles.empty()) inRange("point", highest, hull.points.size());
    }

    void material(const Material& material, std::size_t number) {
        where_ = {placeOf("material", number, material.name)};
        inRange("image", material.image, scene_.images.size());
        const bool sound = isFinite(material.baseColor) && isFinite(material.emissive) &&
                           isFinite(material.alphaCutoff) && isFinite(material.metallic) &&
                           isFinite(material.roughness);
        if (!sound) fault("nonfinite", "a factor is not finite");
    }

    void image(const Image& image, std::size_t number) {
        where_ = {placeOf("image", number, image.name)};
        const std::uint64_t pixels = std::uint64_t{image.width} * image.height;
        const bool fits = (image.rgba.empty() || image.rgba.size() == 4 * pixels) &&
                          (image.indexed.empty() || image.indexed.size() == pixels);
        if (!fits) {
            fault("image-size",
                  "the pixels are not those of " + std::to_string(image.width) + " x " + std::to_string(image.height));
        }
        if (image.indexed.empty()) return;
        inRange("palette entry", *std::max_element(image.indexed.begin(), image.indexed.end()), image.palette.size());
    }

    void skin(const Skin& skin, std::size_t number) {
        where_ = {placeOf("skin", number, skin.name)};
        allInRange("joint", skin.joints, scene_.nodes.size());
        inRange("root", skin.skeletonRoot, scene_.nodes.size());
        if (!skin.inverseBindMatrices.empty() && skin.inverseBindMatrices.size() != skin.joints.size()) {
            fault("array-length", std::to_string(skin.inverseBindMatrices.size()) + " inverse bind matrices for " +
                                      std::to_string(skin.joints.size()) + " joints");
        }
        allFinite("inverse bind matrix", skin.inverseBindMatrices);
    }

    void animation(const Animation& animation, std::size_t number) {
        for (std::size_t i = 0; i < animation.channels.size(); ++i) {
            where_ = {placeOf("channel", i), placeOf("animation", number, animation.name)};
            channel(animation.channels[i]);
        }
    }

    void channel(const Channel& c) {
        inRange("node", c.node, scene_.nodes.size());
        allFinite("time", c.times);
        allFinite("value", c.values);
        for (std::size_t k = 1; k < c.times.size(); ++k) {
            if (c.times[k] > c.times[k - 1]) continue;
            fault("key-order", "time " + std::to_string(k) + " is not behind the one before it");
            break;
        }
        const std::size_t keys = c.times.size() * (c.interpolation == Interpolation::CubicSpline ? 3 : 1);
        const bool fits = c.path == ChannelPath::Weights
                              ? (keys == 0 ? c.values.empty() : c.values.size() % keys == 0)
                              : c.values.size() == keys * (c.path == ChannelPath::Rotation ? 4 : 3);
        if (!fits) {
            fault("key-count",
                  std::to_string(c.values.size()) + " values for " + std::to_string(c.times.size()) + " times");
        }
    }

    const Scene& scene_;
    Defects& defects_;
    std::vector<Place> where_;
};

// ------------------------------------------------------------------------------------------------ meaning

/// One warning per kind and mesh or list, with the number of cases and the first.
class Meaning {
public:
    Meaning(const Scene& scene, Defects& defects) : scene_(scene), defects_(defects) {}

    void checkAll(bool topology) {
        names("nodes", scene_.nodes);
        names("materials", scene_.materials);
        unused();
        for (std::size_t i = 0; i < scene_.meshes.size(); ++i) {
            const Mesh& mesh = scene_.meshes[i];
            for (std::size_t k = 0; k < mesh.primitives.size(); ++k) {
                where_ = {placeOf("primitive", k), placeOf("mesh", i, mesh.name)};
                primitive(mesh.primitives[k]);
            }
            where_ = {placeOf("mesh", i, mesh.name)};
            if (topology) meshTopology(mesh);
        }
        for (std::size_t i = 0; i < scene_.hulls.size(); ++i) {
            where_ = {placeOf("hull", i, scene_.hulls[i].name)};
            hullTopology(scene_.hulls[i]);
        }
    }

private:
    void say(std::string_view kind, std::string detail) {
        defects_.warn(kind, std::nullopt, where_, std::move(detail));
    }
    void say(std::string_view kind, std::size_t count, std::string_view what, std::string_view first) {
        if (count > 0)
            say(kind, std::string(what) + ": " + std::to_string(count) + ", the first is " + std::string(first));
    }

    template <class T>
    void names(std::string_view what, const std::vector<T>& items) {
        std::map<std::string_view, std::size_t> seen;
        std::size_t repeated = 0;
        std::string first;
        for (const T& item : items) {
            if (!item.name.empty() && ++seen[item.name] == 2 && repeated++ == 0) first = printable(item.name);
        }
        where_.clear();
        say("duplicate-name", repeated, "names that several " + std::string(what) + " have", first);
    }

    void unused() {
        std::vector<bool> meshes(scene_.meshes.size());
        std::vector<bool> hulls(scene_.hulls.size());
        std::vector<bool> materials(scene_.materials.size());
        for (const Node& node : scene_.nodes) {
            if (node.mesh) meshes[*node.mesh] = true;
            for (const std::uint32_t h : node.hulls) hulls[h] = true;
        }
        for (const Mesh& mesh : scene_.meshes) {
            for (const Primitive& p : mesh.primitives) {
                if (p.material) materials[*p.material] = true;
            }
        }
        where_.clear();
        unusedOf("meshes that no node shows", meshes, scene_.meshes);
        unusedOf("hulls that no node shows", hulls, scene_.hulls);
        unusedOf("materials that no mesh uses", materials, scene_.materials);
    }

    template <class T>
    void unusedOf(std::string_view what, const std::vector<bool>& used, const std::vector<T>& items) {
        const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
        if (count == 0) return;
        const auto first = static_cast<std::size_t>(std::find(used.begin(), used.end(), false) - used.begin());
        say("unused", count, what, std::to_string(first) + " '" + printable(items[first].name) + '\'');
    }

    void primitive(const Primitive& p) {
        std::vector<bool> used(p.positions.size(), p.indices.empty() && p.topology == Topology::Points);
        for (const std::uint32_t i : p.indices) used[i] = true;
        const auto idle = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
        const auto first = std::find(used.begin(), used.end(), false) - used.begin();
        say("unused-vertices", idle, "vertices that nothing uses", std::to_string(first));

        std::size_t odd = 0;
        std::size_t firstOdd = 0;
        for (std::size_t i = 0; i < p.normals.size(); ++i) {
            const Vec3& n = p.normals[i];
            if (std::abs(n.x * n.x + n.y * n.y + n.z * n.z - 1.0F) < 2e-3F) continue;
            if (odd++ == 0) firstOdd = i;
        }
        say("normal-length", odd, "normals that are not one long", std::to_string(firstOdd));
        if (p.topology != Topology::Triangles) return;
        std::size_t flat = 0;
        std::size_t firstFlat = 0;
        for (std::size_t i = 0; i + 2 < p.indices.size(); i += 3) {
            if (!isFlat(p.positions[p.indices[i]], p.positions[p.indices[i + 1]], p.positions[p.indices[i + 2]]))
                continue;
            if (flat++ == 0) firstFlat = i / 3;
        }
        say("degenerate-triangle", flat, "triangles without area", std::to_string(firstFlat));
    }

    static bool isFlat(const Vec3& a, const Vec3& b, const Vec3& c) {
        const Vec3d normal = glm::cross(Vec3d(b) - Vec3d(a), Vec3d(c) - Vec3d(a));
        return normal == Vec3d(0.0);
    }

    /// What a mesh of any kind should not have; open edges are ordinary.
    void meshTopology(const Mesh& mesh) {
        const Surface welded = weldedSurface(mesh);
        const SurfaceTopology t = topologyOf(welded.points, welded.triangles);
        say("crowded-edges", t.crowdedEdges, "edges with more than two triangles", edge(t.firstCrowded));
        say("turned-edges", t.turnedEdges, "edges whose triangles are wound against each other", edge(t.firstTurned));
    }

    static std::string edge(const std::array<std::uint32_t, 2>& e) {
        return std::to_string(e[0]) + '-' + std::to_string(e[1]);
    }

    /// A hull promises to be closed, and to face outward.
    void hullTopology(const Hull& hull) {
        const SurfaceTopology t = topologyOf(hull.points, hull.triangles);
        say("open-edges", t.openEdges, "edges with a triangle on one side only", edge(t.firstOpen));
        say("crowded-edges", t.crowdedEdges, "edges with more than two triangles", edge(t.firstCrowded));
        say("turned-edges", t.turnedEdges, "edges whose triangles are wound against each other", edge(t.firstTurned));
        if (t.closed() && t.oriented() && t.signedVolume < 0.0) say("inside-out", "its triangles face inward");
    }

    const Scene& scene_;
    Defects& defects_;
    std::vector<Place> where_;
};

/// Meshes that have a value that is not finite in one of the primitive's arrays lose that array.
template <class T>
void dropFrom(Scene& scene, std::vector<T> Primitive::*array, std::string_view kind, std::string_view what,
              Defects& defects) {
    std::size_t count = 0;
    Place first;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        Mesh& mesh = scene.meshes[i];
        bool bad = false;
        for (const Primitive& p : mesh.primitives) bad = bad || firstNonFinite(p.*array).has_value();
        if (!bad) continue;
        for (Primitive& p : mesh.primitives) (p.*array).clear();
        if (count++ == 0) first = placeOf("mesh", i, mesh.name);
    }
    if (count == 0) return;
    std::string detail = std::string(what) + " that are not finite are left out";
    if (count > 1) detail += ", in " + std::to_string(count - 1) + " more meshes too";
    defects.warn(kind, std::nullopt, {first}, std::move(detail));
}

}  // namespace

void checkStructure(const Scene& scene, Defects& defects) {
    Structure(scene, defects).checkAll();
}

void requireStructure(const Scene& scene) {
    Defects found;
    checkStructure(scene, found);
    if (!found.empty()) throw FormatError(found.list().front());
}

void dropNonFinite(Scene& scene, Defects& defects) {
    dropFrom(scene, &Primitive::normals, "bad-normals", "normals", defects);
    dropFrom(scene, &Primitive::tangents, "bad-tangents", "tangents", defects);
    dropFrom(scene, &Primitive::uvs, "bad-uvs", "texture coordinates", defects);
}

void checkMeaning(const Scene& scene, bool topology, Defects& defects) {
    Meaning(scene, defects).checkAll(topology);
}

}  // namespace geomconv
