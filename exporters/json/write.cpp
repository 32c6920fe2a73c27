#include <span>

#include "exporters/json/json.hpp"
#include "exporters/json/words.hpp"
#include "lib/image/image_files.hpp"
#include "lib/image/png.hpp"
#include "lib/json.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::json {

namespace {

/// A vector of vectors as the flat array of numbers that it is in memory.
template <class Number, class T>
std::span<const Number> flat(const std::vector<T>& values) {
    static_assert(sizeof(T) % sizeof(Number) == 0);
    return {reinterpret_cast<const Number*>(values.data()), values.size() * (sizeof(T) / sizeof(Number))};
}

template <class Number, class T>
std::span<const Number> flatOne(const T& value) {
    return {reinterpret_cast<const Number*>(&value), sizeof(T) / sizeof(Number)};
}

template <class Number, class T>
void arrayField(JsonWriter& json, std::string_view name, const std::vector<T>& values) {
    if (!values.empty()) json.field(name, flat<Number>(values));
}

void extrasField(JsonWriter& json, const Extras& extras) {
    if (extras.empty()) return;
    json.key("extras");
    json.raw(extras.text());
}

template <class T>
void optionalField(JsonWriter& json, std::string_view name, const std::optional<T>& value) {
    if (value) json.field(name, *value);
}

void writeNode(JsonWriter& json, const Node& node) {
    json.field("name", node.name);
    optionalField(json, "parent", node.parent);
    if (node.matrix) {
        json.field("matrix", flatOne<float>(*node.matrix));
    } else {
        json.field("translation", flatOne<float>(node.translation));
        const Vec4 rotation(node.rotation.x, node.rotation.y, node.rotation.z, node.rotation.w);
        json.field("rotation", flatOne<float>(rotation));
        json.field("scale", flatOne<float>(node.scale));
    }
    optionalField(json, "mesh", node.mesh);
    arrayField<std::uint32_t>(json, "hulls", node.hulls);
    optionalField(json, "skin", node.skin);
    if (node.content != Content::Render) json.field("content", kContents.of(node.content));
    extrasField(json, node.extras);
}

void writeTarget(JsonWriter& json, const MorphTarget& target) {
    json.field("name", target.name);
    arrayField<float>(json, "positions", target.positions);
    arrayField<float>(json, "normals", target.normals);
}

/// Sets of influences one after the other: their number follows from the number of vertices.
void writeInfluences(JsonWriter& json, const std::vector<Influences>& sets) {
    if (sets.empty()) return;
    if (sets.size() == 1) {
        json.field("joints", flat<std::uint16_t>(sets[0].joints));
        json.field("weights", flat<float>(sets[0].weights));
        return;
    }
    std::vector<std::array<std::uint16_t, 4>> joints;
    std::vector<Vec4> weights;
    for (const Influences& set : sets) {
        joints.insert(joints.end(), set.joints.begin(), set.joints.end());
        weights.insert(weights.end(), set.weights.begin(), set.weights.end());
    }
    json.field("joints", flat<std::uint16_t>(joints));
    json.field("weights", flat<float>(weights));
}

void writePrimitive(JsonWriter& json, const Primitive& p) {
    if (!p.name.empty()) json.field("name", p.name);
    if (p.topology != Topology::Triangles) json.field("topology", kTopologies.of(p.topology));
    optionalField(json, "material", p.material);
    json.field("positions", flat<float>(p.positions));
    arrayField<float>(json, "normals", p.normals);
    arrayField<float>(json, "uvs", p.uvs);
    arrayField<float>(json, "colors", p.colors);
    arrayField<float>(json, "tangents", p.tangents);
    writeInfluences(json, p.influences);
    if (!p.targets.empty()) {
        json.objects("targets", p.targets, [&json](const MorphTarget& t) { writeTarget(json, t); });
    }
    json.field("indices", flat<std::uint32_t>(p.indices));
    arrayField<std::uint32_t>(json, "faceSizes", p.faceSizes);
    arrayField<std::uint32_t>(json, "modelVertices", p.modelVertices);
    arrayField<std::uint32_t>(json, "modelFaces", p.modelFaces);
}

void writeMesh(JsonWriter& json, const Mesh& mesh) {
    json.field("name", mesh.name);
    json.objects("primitives", mesh.primitives, [&json](const Primitive& p) { writePrimitive(json, p); });
    arrayField<float>(json, "weights", mesh.weights);
    extrasField(json, mesh.extras);
}

void writeHull(JsonWriter& json, const Hull& hull) {
    json.field("name", hull.name);
    optionalField(json, "id", hull.id);
    json.field("type", kHullTypes.of(hull.type));
    json.field("points", flat<float>(hull.points));
    json.field("triangles", flat<std::uint32_t>(hull.triangles));
    extrasField(json, hull.extras);
}

void writeMaterial(JsonWriter& json, const Material& material) {
    json.field("name", material.name);
    json.field("baseColor", flatOne<float>(material.baseColor));
    optionalField(json, "image", material.image);
    json.field("wrapU", kWraps.of(material.wrapU));
    json.field("wrapV", kWraps.of(material.wrapV));
    if (material.filter != Filter::Unspecified) json.field("filter", kFilters.of(material.filter));
    json.field("alphaMode", kAlphaModes.of(material.alphaMode));
    json.field("alphaCutoff", material.alphaCutoff);
    json.field("metallic", material.metallic);
    json.field("roughness", material.roughness);
    json.field("emissive", flatOne<float>(material.emissive));
    json.field("doubleSided", material.doubleSided);
    json.field("unlit", material.unlit);
    extrasField(json, material.extras);
}

void writeImage(JsonWriter& json, const Image& image, bool content) {
    json.field("name", image.name);
    if (!image.uri.empty()) json.field("uri", image.uri);
    if (image.width != 0) json.field("width", image.width);
    if (image.height != 0) json.field("height", image.height);
    if (!image.encoded.empty()) {
        json.field("mimeType", image.mimeType);
        if (content) json.base64("data", image.encoded);
    } else if (imageHasContent(image)) {
        json.field("mimeType", "image/png");
        if (content) json.base64("data", encodePng(image));
    } else if (!image.mimeType.empty()) {
        json.field("mimeType", image.mimeType);
    }
}

void writeSkin(JsonWriter& json, const Skin& skin) {
    json.field("name", skin.name);
    json.field("joints", flat<std::uint32_t>(skin.joints));
    arrayField<float>(json, "inverseBindMatrices", skin.inverseBindMatrices);
    optionalField(json, "skeletonRoot", skin.skeletonRoot);
}

void writeChannel(JsonWriter& json, const Channel& channel) {
    json.field("node", channel.node);
    json.field("path", kPaths.of(channel.path));
    json.field("interpolation", kInterpolations.of(channel.interpolation));
    json.field("times", flat<float>(channel.times));
    json.field("values", flat<float>(channel.values));
}

void writeAnimation(JsonWriter& json, const Animation& animation) {
    json.field("name", animation.name);
    json.objects("channels", animation.channels, [&json](const Channel& c) { writeChannel(json, c); });
    extrasField(json, animation.extras);
}

/// The space that the file is in, and the node that brings the scene there when the options ask for it.
struct Root {
    Space space;
    std::optional<Mat4> matrix;
};

Root rootFor(const Space& space, const WriteOptions& options) {
    Root root{space, std::nullopt};
    Mat4d m(1.0);
    if (options.up == UpChoice::Y) m = toYUp(space), root.space = {UpAxis::Y, Handedness::Right};
    if (options.up == UpChoice::Z) m = toZUp(space), root.space = {UpAxis::Z, Handedness::Right};
    for (int c = 0; c < 3; ++c) m[c] *= options.scale;
    if (m != Mat4d(1.0)) root.matrix = Mat4(m);
    return root;
}

void writeNodes(JsonWriter& json, const Scene& scene, const Root& root) {
    json.key("nodes");
    json.beginArray();
    for (const Node& node : scene.nodes) {
        json.beginObject();
        if (root.matrix && !node.parent) {
            Node child = node;
            child.parent = static_cast<std::uint32_t>(scene.nodes.size());
            writeNode(json, child);
        } else {
            writeNode(json, node);
        }
        json.endObject();
    }
    if (root.matrix) {
        Node node;
        node.name = "root";
        node.matrix = root.matrix;
        json.beginObject();
        writeNode(json, node);
        json.endObject();
    }
    json.endArray();
}

}  // namespace

void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects&) {
    JsonWriter json(out.main(), {options.precision});
    const Root root = rootFor(scene.space, options);
    json.beginObject();
    json.head();
    json.key("source");
    json.beginObject();
    json.field("format", scene.source.format);
    json.field("file", scene.source.file);
    extrasField(json, scene.source.extras);
    json.endObject();
    json.key("space");
    json.beginObject();
    json.field("up", kUpAxes.of(root.space.up));
    json.field("handedness", kHands.of(root.space.handedness));
    json.endObject();
    if (scene.separateContents) json.field("separateContents", true);
    writeNodes(json, scene, root);
    json.objects("meshes", scene.meshes, [&json](const Mesh& m) { writeMesh(json, m); });
    json.objects("hulls", scene.hulls, [&json](const Hull& h) { writeHull(json, h); });
    json.objects("materials", scene.materials, [&json](const Material& m) { writeMaterial(json, m); });
    json.objects("images", scene.images, [&](const Image& i) { writeImage(json, i, options.textures); });
    json.objects("skins", scene.skins, [&json](const Skin& s) { writeSkin(json, s); });
    json.objects("animations", scene.animations, [&json](const Animation& a) { writeAnimation(json, a); });
    json.endObject();
}

}  // namespace geomconv::json
