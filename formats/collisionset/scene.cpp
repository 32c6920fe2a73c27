#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "formats/collisionset/collisionset.hpp"
#include "formats/collisionset/triangles.hpp"
#include "lib/bytes/base64.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::collisionset {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::string base64Of(const std::vector<T>& values) {
    return base64FromBytes({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)});
}

/// Sets bad vertices to 0 and gives (vertex number, x, y, z as words) of each.
std::vector<std::uint32_t> takeNonfinite(std::vector<Vec3>& vertex) {
    std::vector<std::uint32_t> taken;
    for (std::size_t i = 0; i < vertex.size(); ++i) {
        if (isFinite(vertex[i])) continue;
        taken.push_back(static_cast<std::uint32_t>(i));
        for (int axis = 0; axis < 3; ++axis) {
            float& value = vertex[i][axis];
            taken.push_back(std::bit_cast<std::uint32_t>(value));
            if (!isFinite(value)) value = 0.0F;
        }
    }
    return taken;
}

std::uint64_t dropTrianglesOf(const std::vector<std::uint32_t>& taken, std::size_t vertices,
                              std::vector<std::uint32_t>& index) {
    std::vector<bool> bad(vertices);
    for (std::size_t i = 0; i < taken.size(); i += 4) bad[taken[i]] = true;
    return filterTriangles(index, [&bad](const auto& t) { return !bad[t[0]] && !bad[t[1]] && !bad[t[2]]; });
}

/// What of a record has no place in the scene.
Extras extrasOf(const Record& record, const std::string& shown, const std::vector<std::uint32_t>& taken) {
    Json own = Json::object();
    const bool writable = !shown.empty() && shown.size() <= kNameLimit && record.nameField == makeNameField(shown);
    if (!writable) own["nameField"] = base64FromBytes(asBytes(record.nameField));
    if (record.index.empty() && !record.vertex.empty()) own["vertex"] = base64Of(record.vertex);
    if (!taken.empty()) own["nonfinite"] = base64Of(taken);
    if (own.empty() && !record.index.empty()) return {};
    return Extras(Json{{"collisionset", own}});
}

/// Either refuses vertices that no mesh format and no JSON can hold, or, recovering, drops what uses them.
void settleNonfinite(Record& record, const std::vector<std::uint32_t>& taken, bool recover, Defects& defects) {
    const std::uint64_t at = record.offset + 16 + record.nameField.size() + 12 * std::uint64_t{taken[0]};
    std::uint64_t axis = 0;
    while (axis < 2 && isFinite(std::bit_cast<float>(taken[1 + axis]))) ++axis;
    const std::string count = counted(taken.size() / 4, "vertices") + " with NaN or infinity";
    const std::vector<Place> where{place(record.number, record.name())};
    if (!recover)
        throw FormatError(
            {Severity::Error, "nonfinite", at + 4 * axis, where, count + ", the output cannot hold them"});
    const std::uint64_t dropped = dropTrianglesOf(taken, record.vertex.size(), record.index);
    defects.warn("nonfinite", at + 4 * axis, where,
                 count + " written as 0; " + std::to_string(dropped) + " triangles dropped");
}

}  // namespace

Scene toScene(Library library, std::string_view fileName, const ReadOptions& options, Defects& defects) {
    Scene scene;
    scene.source.format = "collisionset";
    scene.source.file = fileName;
    if (!options.forMesh) {
        Json own{{"byteOrder", library.byteOrder == ByteOrder::Big ? "be" : "le"}};
        if (library.trailingZeros > 0) own["trailingZeros"] = library.trailingZeros;
        scene.source.extras = Extras(Json{{"collisionset", own}});
    }
    if (options.content && !options.content->has(Content::Collision)) return scene;
    for (Record& record : library.records) {
        Node node;
        node.name = printable(record.name());
        node.content = Content::Collision;
        std::vector<std::uint32_t> taken = takeNonfinite(record.vertex);
        if (!taken.empty() && options.finite) {
            settleNonfinite(record, taken, options.recover, defects);
            taken.clear();
        }
        if (!options.forMesh) node.extras = extrasOf(record, node.name, taken);
        if (!record.index.empty()) {
            node.mesh = static_cast<std::uint32_t>(scene.meshes.size());
            Mesh& mesh = scene.meshes.emplace_back();
            mesh.name = node.name;
            Primitive& primitive = mesh.primitives.emplace_back();
            primitive.positions = std::move(record.vertex);
            primitive.indices = std::move(record.index);
        }
        scene.nodes.push_back(std::move(node));
    }
    return scene;
}

}  // namespace geomconv::collisionset
