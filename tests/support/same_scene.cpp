#include "tests/support/same_scene.hpp"

#include <cstring>

namespace geomconv::test {

namespace {

/// Compares fields one by one and remembers which differ.
class Comparison {
public:
    std::vector<std::string> found;
    std::string where;

    void note(bool same, const char* field) {
        if (!same && found.size() < 20) found.push_back(where + ' ' + field);
    }
    template <class T>
    void equal(const T& a, const T& b, const char* field) {
        note(a == b, field);
    }
    template <class T>
    void bits(const T& a, const T& b, const char* field) {
        note(std::memcmp(&a, &b, sizeof a) == 0, field);
    }
    template <class T>
    void bits(const std::vector<T>& a, const std::vector<T>& b, const char* field) {
        note(a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0), field);
    }
    /// Two lists item by item.
    template <class T, class Each>
    void lists(const std::vector<T>& a, const std::vector<T>& b, const std::string& noun, Each each) {
        note(a.size() == b.size(), (noun + " count").c_str());
        const std::string outer = where;
        for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
            where = outer + ' ' + noun + ' ' + std::to_string(i);
            each(a[i], b[i]);
        }
        where = outer;
    }
};

void compareNodes(Comparison& c, const Node& a, const Node& b) {
    c.equal(a.name, b.name, "name");
    c.equal(a.parent, b.parent, "parent");
    c.bits(a.translation, b.translation, "translation");
    c.bits(a.rotation, b.rotation, "rotation");
    c.bits(a.scale, b.scale, "scale");
    c.equal(a.matrix.has_value(), b.matrix.has_value(), "has matrix");
    if (a.matrix && b.matrix) c.bits(*a.matrix, *b.matrix, "matrix");
    c.equal(a.mesh, b.mesh, "mesh");
    c.equal(a.hulls, b.hulls, "hulls");
    c.equal(a.skin, b.skin, "skin");
    c.equal(a.content, b.content, "content");
    c.equal(a.extras, b.extras, "extras");
}

void comparePrimitives(Comparison& c, const Primitive& a, const Primitive& b) {
    c.equal(a.name, b.name, "name");
    c.equal(a.faceSizes, b.faceSizes, "faceSizes");
    c.equal(a.topology, b.topology, "topology");
    c.equal(a.material, b.material, "material");
    c.bits(a.positions, b.positions, "positions");
    c.bits(a.normals, b.normals, "normals");
    c.bits(a.uvs, b.uvs, "uvs");
    c.bits(a.colors, b.colors, "colors");
    c.bits(a.tangents, b.tangents, "tangents");
    c.lists(a.influences, b.influences, "influences", [&c](const Influences& x, const Influences& y) {
        c.equal(x.joints, y.joints, "joints");
        c.bits(x.weights, y.weights, "weights");
    });
    c.lists(a.targets, b.targets, "target", [&c](const MorphTarget& x, const MorphTarget& y) {
        c.equal(x.name, y.name, "name");
        c.bits(x.positions, y.positions, "positions");
        c.bits(x.normals, y.normals, "normals");
    });
    c.equal(a.indices, b.indices, "indices");
    c.equal(a.modelVertices, b.modelVertices, "modelVertices");
    c.equal(a.modelFaces, b.modelFaces, "modelFaces");
}

void compareMaterials(Comparison& c, const Material& a, const Material& b) {
    c.equal(a.name, b.name, "name");
    c.bits(a.baseColor, b.baseColor, "baseColor");
    c.equal(a.image, b.image, "image");
    c.equal(a.wrapU, b.wrapU, "wrapU");
    c.equal(a.wrapV, b.wrapV, "wrapV");
    c.equal(a.filter, b.filter, "filter");
    c.equal(a.alphaMode, b.alphaMode, "alphaMode");
    c.bits(a.alphaCutoff, b.alphaCutoff, "alphaCutoff");
    c.bits(a.metallic, b.metallic, "metallic");
    c.bits(a.roughness, b.roughness, "roughness");
    c.bits(a.emissive, b.emissive, "emissive");
    c.equal(a.doubleSided, b.doubleSided, "doubleSided");
    c.equal(a.unlit, b.unlit, "unlit");
    c.equal(a.extras, b.extras, "extras");
}

void compareImages(Comparison& c, const Image& a, const Image& b) {
    c.equal(a.name, b.name, "name");
    c.equal(a.mimeType, b.mimeType, "mimeType");
    c.equal(a.encoded, b.encoded, "encoded");
    c.equal(a.uri, b.uri, "uri");
    c.equal(a.width, b.width, "width");
    c.equal(a.height, b.height, "height");
    c.equal(a.rgba, b.rgba, "rgba");
    c.equal(a.indexed, b.indexed, "indexed");
    c.equal(a.palette, b.palette, "palette");
}

void compareChannels(Comparison& c, const Channel& a, const Channel& b) {
    c.equal(a.node, b.node, "node");
    c.equal(a.path, b.path, "path");
    c.equal(a.interpolation, b.interpolation, "interpolation");
    c.bits(a.times, b.times, "times");
    c.bits(a.values, b.values, "values");
}

}  // namespace

std::vector<std::string> sceneDifferences(const Scene& a, const Scene& b) {
    Comparison c;
    c.equal(a.source.format, b.source.format, "source format");
    c.equal(a.source.file, b.source.file, "source file");
    c.equal(a.source.extras, b.source.extras, "source extras");
    c.equal(a.space, b.space, "space");
    c.equal(a.separateContents, b.separateContents, "separateContents");
    c.lists(a.nodes, b.nodes, "node", [&c](const Node& x, const Node& y) { compareNodes(c, x, y); });
    c.lists(a.meshes, b.meshes, "mesh", [&c](const Mesh& x, const Mesh& y) {
        c.equal(x.name, y.name, "name");
        c.bits(x.weights, y.weights, "weights");
        c.equal(x.extras, y.extras, "extras");
        c.lists(x.primitives, y.primitives, "primitive",
                [&c](const Primitive& p, const Primitive& q) { comparePrimitives(c, p, q); });
    });
    c.lists(a.hulls, b.hulls, "hull", [&c](const Hull& x, const Hull& y) {
        c.equal(x.name, y.name, "name");
        c.equal(x.id, y.id, "id");
        c.equal(x.type, y.type, "type");
        c.bits(x.points, y.points, "points");
        c.equal(x.triangles, y.triangles, "triangles");
        c.equal(x.extras, y.extras, "extras");
    });
    c.lists(a.materials, b.materials, "material",
            [&c](const Material& x, const Material& y) { compareMaterials(c, x, y); });
    c.lists(a.images, b.images, "image", [&c](const Image& x, const Image& y) { compareImages(c, x, y); });
    c.lists(a.skins, b.skins, "skin", [&c](const Skin& x, const Skin& y) {
        c.equal(x.name, y.name, "name");
        c.equal(x.joints, y.joints, "joints");
        c.bits(x.inverseBindMatrices, y.inverseBindMatrices, "inverseBindMatrices");
        c.equal(x.skeletonRoot, y.skeletonRoot, "skeletonRoot");
    });
    c.lists(a.animations, b.animations, "animation", [&c](const Animation& x, const Animation& y) {
        c.equal(x.name, y.name, "name");
        c.equal(x.extras, y.extras, "extras");
        c.lists(x.channels, y.channels, "channel",
                [&c](const Channel& p, const Channel& q) { compareChannels(c, p, q); });
    });
    return c.found;
}

}  // namespace geomconv::test
