#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

#include "formats/cmp/cmp.hpp"
#include "formats/cmp/mesh.hpp"
#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/checksum.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::cmp {

namespace {

using Meshes = std::unordered_map<std::uint32_t, const MeshLibrary*>;

/// The first of an id counts.
Meshes meshesById(const Model& model) {
    Meshes out;
    for (const MeshLibrary& mesh : model.meshes) out.try_emplace(mesh.id, &mesh);
    return out;
}

/// Materials by id in order of first use; the name is known where the model carries its own material library.
class Materials {
public:
    Materials(const Model& model, Scene& scene) : scene_(scene) {
        for (const std::string& name : model.materialNames) names_[freelancerHash(name)] = name;
    }

    std::uint32_t at(std::uint32_t id) {
        const auto [found, isNew] = known_.emplace(id, static_cast<std::uint32_t>(scene_.materials.size()));
        if (isNew) {
            Material material;
            const auto name = names_.find(id);
            material.name = name == names_.end() ? hexId(id) : printable(utf8FromWindows1252(name->second));
            scene_.materials.push_back(std::move(material));
        }
        return found->second;
    }

private:
    std::unordered_map<std::uint32_t, std::string> names_;  ///< the last of an id counts
    Scene& scene_;
    std::map<std::uint32_t, std::uint32_t> known_;
};

/// Many references may show the same large mesh: what a small file can make the reader copy.
class Room {
public:
    explicit Room(std::uint64_t bytes) : left_(100'000 + bytes) {}
    /// Throws FormatError (`mesh-limit`).
    void take(std::uint64_t n) {
        if (n > left_) {
            throw FormatError("mesh-limit", "the references show far more vertices and groups than the file has");
        }
        left_ -= n;
    }

private:
    std::uint64_t left_;
};

/// Copies the vertices [first, first + count) of a library into a primitive.
void copyVertices(const MeshLibrary& mesh, std::uint32_t first, std::uint32_t count, Primitive& out) {
    const VertexLayout layout = vertexLayout(mesh.vertexFormat);
    ByteReader in(mesh.vertices);
    const auto vec3At = [&in](std::uint64_t at) {
        in.at(at, "vertex");
        Vec3 v(0.0F);
        for (int k = 0; k < 3; ++k) v[k] = in.f32("coordinate");
        return v;
    };
    out.positions.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t at = std::uint64_t{first + i} * mesh.stride;
        out.positions.push_back(vec3At(at));
        if (layout.normal) out.normals.push_back(vec3At(at + *layout.normal));
        if (layout.diffuse) {
            in.at(at + *layout.diffuse, "vertex");
            const std::uint32_t argb = in.u32("diffuse");
            const auto channel = [argb](unsigned shift) { return static_cast<float>((argb >> shift) & 255U) / 255.0F; };
            out.colors.push_back(Vec4(channel(16), channel(8), channel(0), channel(24)));
        }
        if (layout.uv) {
            in.at(at + *layout.uv, "vertex");
            const float u = in.f32("u");
            out.uvs.push_back(Vec2(u, in.f32("v")));
        }
    }
}

/// One primitive per group of the reference. Only the vertices that the group uses are copied.
Mesh meshOf(const MeshLibrary& library, const MeshRef& ref, const std::string& name, Materials& materials, Room& room,
            Defects& defects) {
    room.take(library.groups.size());
    Mesh out;
    out.name = name;
    const auto skip = [&](std::size_t group, const std::string& detail, std::string_view kind = "mesh-range") {
        defects.warn(kind, std::nullopt, {{"group", std::to_string(group)}, {"mesh", printable(library.name)}}, detail);
    };
    std::size_t firstIndex = 0;
    for (std::size_t g = 0; g < library.groups.size(); ++g) {
        const MeshGroup& group = library.groups[g];
        const std::size_t start = std::exchange(firstIndex, firstIndex + group.indexCount);
        if (g < ref.groupStart || g >= std::size_t{ref.groupStart} + ref.groupCount) continue;
        const std::uint32_t first = std::uint32_t{ref.vertexStart} + group.firstVertex;
        if (group.lastVertex < group.firstVertex || start + group.indexCount > library.indices.size()) {
            skip(g, "indices or vertices lie outside the mesh, the group is left out");
            continue;
        }
        const std::uint32_t count = std::uint32_t{group.lastVertex} - group.firstVertex + 1;
        if (first + count > library.vertexCount) {
            skip(g, "vertices up to " + std::to_string(first + count) + " of " + std::to_string(library.vertexCount) +
                        ", the group is left out");
            continue;
        }
        room.take(count);
        room.take(group.indexCount);
        Primitive primitive;
        primitive.material = materials.at(group.material);
        primitive.indices.reserve(group.indexCount);
        bool sound = true;
        for (std::size_t k = 0; k < group.indexCount / 3U * 3U; ++k) {
            const std::uint16_t index = library.indices[start + k];
            sound = sound && index < count;
            primitive.indices.push_back(index);
        }
        copyVertices(library, first, count, primitive);
        if (!sound) {
            skip(g, "an index lies outside, the group is left out");
            continue;
        }
        // Readers downstream want finite positions.
        if (!allFinite(primitive.positions)) {
            skip(g, "a position is not finite, the group is left out", "nonfinite");
            continue;
        }
        if (!primitive.indices.empty()) out.primitives.push_back(std::move(primitive));
    }
    return out;
}

/// Adds the meshes of the wanted levels to the part's node (level 0), or to nodes of their own below it.
void addLevels(const Meshes& meshes, const Fragment& fragment, std::uint32_t node, std::optional<unsigned> only,
               Materials& materials, Room& room, Scene& scene, Defects& defects) {
    for (std::size_t level = 0; level < fragment.levels.size(); ++level) {
        const auto& ref = fragment.levels[level];
        if (!ref || (only && level != *only)) continue;
        const auto found = meshes.find(ref->meshId);
        const std::string partName = scene.nodes[node].name;
        if (found == meshes.end()) {
            if (ref->meshId != 0) {
                defects.warn("mesh-missing", std::nullopt, {{"part", partName}},
                             "mesh " + hexId(ref->meshId) + " is not in the file");
            }
            continue;
        }
        const MeshLibrary* library = found->second;
        if (library->primitive != 4 || (library->vertexFormat & 0x002) == 0) {
            defects.warn("mesh-kind", std::nullopt, {{"mesh", printable(library->name)}},
                         "primitive type " + std::to_string(library->primitive) + ", vertex format " +
                             hex(library->vertexFormat) + ": no triangle list, left out");
            continue;
        }
        const std::string name = only || level == 0 ? partName : partName + "_lod" + std::to_string(level);
        Mesh mesh = meshOf(*library, *ref, name, materials, room, defects);
        if (mesh.primitives.empty()) continue;
        const auto index = static_cast<std::uint32_t>(scene.meshes.size());
        scene.meshes.push_back(std::move(mesh));
        if (only || level == 0) {
            scene.nodes[node].mesh = index;
            continue;
        }
        Node below;
        below.name = name;
        below.parent = node;
        below.mesh = index;
        scene.nodes.push_back(std::move(below));
    }
}

void addHardpoints(const ModelPart& part, std::uint32_t node, Scene& scene) {
    for (const ModelHardpoint& h : part.hardpoints) {
        Node out;
        out.name = printable(h.name);
        out.parent = node;
        out.content = Content::Helpers;
        Mat4 m(h.orientation);
        m[3] = Vec4(h.position, 1.0F);
        out.matrix = m;
        scene.nodes.push_back(std::move(out));
    }
}

}  // namespace

Scene toScene(const Input& input, const ReadOptions& options, Defects& defects) {
    const Model model = read(input.bytes, defects);
    const ModelParts parts = partsOf(model, defects);
    const ContentSet content = options.content.value_or(ContentSet{Content::Render});
    std::optional<unsigned> level = 0;
    const std::string_view lod = options.format.get("lod", "0");
    if (lod == "all")
        level.reset();
    else
        std::from_chars(lod.data(), lod.data() + lod.size(), *level);

    Scene scene;
    scene.source.format = "cmp";
    scene.source.file = std::string(input.name);
    Materials materials(model, scene);
    const Meshes meshes = meshesById(model);
    Room room(input.bytes.size());
    const auto fragments = fragmentsByName(model);
    for (const ModelPart& part : parts.parts) {
        Node node;
        node.name = printable(part.name);
        node.parent = part.parent;
        if (part.parent) node.matrix = part.local;
        scene.nodes.push_back(std::move(node));
    }
    for (std::uint32_t i = 0; i < parts.parts.size(); ++i) {
        const ModelPart& part = parts.parts[i];
        const auto fragment = fragments.find(part.fragment);
        if (fragment != fragments.end() && content.has(Content::Render)) {
            addLevels(meshes, *fragment->second, i, level, materials, room, scene, defects);
        }
        if (content.has(Content::Helpers)) addHardpoints(part, i, scene);
    }
    return scene;
}

}  // namespace geomconv::cmp
