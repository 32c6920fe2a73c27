#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "formats/collisionset/collisionset.hpp"
#include "formats/collisionset/triangles.hpp"
#include "lib/bytes/base64.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/bytes/words.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::collisionset {

namespace {

using Json = nlohmann::ordered_json;

/// The bytes of a base64 text among a record's extras; nothing when it is not there or no such text.
ByteVector bytesAmong(const Json& extras, const char* key) {
    if (!extras.is_object()) return {};
    const auto found = extras.find(key);
    if (found == extras.end() || !found->is_string()) return {};
    return bytesFromBase64(found->get_ref<const std::string&>()).value_or(ByteVector{});
}

Json ownExtras(const Extras& extras) {
    const Json all = extras.value();
    if (!all.is_object()) return nullptr;
    const auto own = all.find("collisionset");
    return own == all.end() || !own->is_object() ? Json(nullptr) : *own;
}

void append(Record& record, const std::vector<Vec3>& points, const std::uint32_t* indices, std::size_t count,
            std::string_view object) {
    const std::size_t base = record.vertex.size();
    if (base + points.size() > UINT32_MAX) throw GeometryError(std::string(object), "size", "too many vertices");
    record.vertex.insert(record.vertex.end(), points.begin(), points.end());
    record.index.reserve(record.index.size() + count);
    for (std::size_t i = 0; i < count; ++i) {
        if (indices[i] >= points.size()) {
            throw GeometryError(std::string(object), "index-range",
                                "index " + std::to_string(indices[i]) + " of " + counted(points.size(), "vertices"));
        }
        record.index.push_back(static_cast<std::uint32_t>(base + indices[i]));
    }
}

void transform(Record& record, const Mat4d& matrix) {
    if (matrix == Mat4d(1.0)) return;
    for (Vec3& v : record.vertex) v = Vec3(Vec3d(matrix * glm::dvec4(Vec3d(v), 1.0)));
    if (!mirrors(matrix)) return;
    for (std::size_t i = 0; i + 2 < record.index.size(); i += 3) std::swap(record.index[i + 1], record.index[i + 2]);
}

/// The field that a record came with, while its name has not been edited; else a new one.
std::string nameFieldFor(const std::string& name, const Json& extras) {
    const ByteVector field = bytesAmong(extras, "nameField");
    const std::string_view stored = asText(field);
    const bool given = extras.is_object() && extras.contains("nameField") && field.size() <= kNameFieldLimit;
    if (given && printable(untilNul(stored)) == name) return std::string(stored);
    if (name.find('\0') != std::string::npos) throw GeometryError(printable(name), "name", "a NUL in the name");
    return makeNameField(name);
}

/// The vertices of a record without triangles, which the scene does not show.
void takeVertices(Record& record, const ByteVector& bytes) {
    record.vertex.resize(bytes.size() / sizeof(Vec3));
    copyWords32(record.vertex.data(), Bytes(bytes).first(record.vertex.size() * sizeof(Vec3)), ByteOrder::Little);
}

/// taken: (vertex number, x, y, z) in words.
void restoreNonfinite(Record& record, const ByteVector& taken) {
    for (std::size_t at = 0; at + 16 <= taken.size(); at += 16) {
        std::uint32_t vertex = 0;
        copyWords32(&vertex, Bytes(taken).subspan(at, 4), ByteOrder::Little);
        if (vertex < record.vertex.size()) {
            copyWords32(&record.vertex[vertex], Bytes(taken).subspan(at + 4, sizeof(Vec3)), ByteOrder::Little);
        }
    }
}

void requireFinite(const Record& record, std::string_view object) {
    for (std::size_t i = 0; i < record.vertex.size(); ++i) {
        const Vec3& v = record.vertex[i];
        if (isFinite(v)) continue;
        throw GeometryError(std::string(object), "nonfinite", "vertex " + std::to_string(i) + " is not finite");
    }
}

/// Open addressing over positions: finds the first vertex with the same three words, -0 taken as +0.
class PositionTable {
public:
    explicit PositionTable(std::size_t n) : slots_(std::bit_ceil(2 * n + 2), kEmpty) {}

    /// The number under which the position is kept: `next` when it is new.
    std::uint32_t find(const std::vector<Vec3>& kept, const Vec3& v, std::uint32_t next) {
        const Key key = keyOf(v);
        std::size_t at = hash(key) & (slots_.size() - 1);
        while (slots_[at] != kEmpty) {
            if (keyOf(kept[slots_[at]]) == key) return slots_[at];
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = next;
        return next;
    }

private:
    using Key = std::array<std::uint32_t, 3>;
    static constexpr std::uint32_t kEmpty = UINT32_MAX;

    static Key keyOf(const Vec3& v) {
        return {std::bit_cast<std::uint32_t>(v.x + 0.0F), std::bit_cast<std::uint32_t>(v.y + 0.0F),
                std::bit_cast<std::uint32_t>(v.z + 0.0F)};
    }
    static std::size_t hash(const Key& key) {
        std::uint64_t h = 0;
        for (const std::uint32_t word : key) h = (h ^ word) * 0x9e3779b97f4a7c15U, h ^= h >> 29;
        return static_cast<std::size_t>(h);
    }

    std::vector<std::uint32_t> slots_;
};

/// Merges vertices with equal positions; the first keeps its place, the order stays.
void weld(Record& record) {
    PositionTable table(record.vertex.size());
    std::vector<Vec3> kept;
    std::vector<std::uint32_t> to(record.vertex.size());
    for (std::size_t i = 0; i < record.vertex.size(); ++i) {
        const auto next = static_cast<std::uint32_t>(kept.size());
        to[i] = table.find(kept, record.vertex[i], next);
        if (to[i] == next) kept.push_back(record.vertex[i]);
    }
    for (std::uint32_t& i : record.index) i = to[i];
    record.vertex = std::move(kept);
}

std::uint64_t dropDegenerate(Record& record) {
    return filterTriangles(record.index, [](const auto& t) { return t[0] != t[1] && t[1] != t[2] && t[0] != t[2]; });
}

bool hasAttributes(const Primitive& p) {
    return p.material || !p.normals.empty() || !p.uvs.empty() || !p.colors.empty() || !p.influences.empty() ||
           !p.targets.empty();
}

Mat4d rootOf(const Scene& scene, const WriteOptions& options) {
    Mat4d turn(1.0);
    if (options.up == UpChoice::Y) turn = toYUp(scene.space);
    if (options.up == UpChoice::Z) turn = toZUp(scene.space);
    return options.scale == 1.0 ? turn : glm::dmat4(glm::dmat3(options.scale)) * turn;
}

}  // namespace

void Losses::Tally::add(std::uint64_t n, std::string_view object) {
    if (n > 0 && count == 0) first = object;
    count += n;
}

bool weldWanted(const Scene& scene, const OptionValues& options) {
    if (options.has("no-weld")) return false;
    if (options.has("weld")) return true;
    const std::string& from = scene.source.format;
    return from != "obj" && from != "json" && from != "collisionset" && !from.empty();
}

Builder::Builder(const Scene& scene, BuildOptions options)
    : scene_(scene), options_(std::move(options)), world_(worldMatrices(scene)) {
    for (Mat4d& matrix : world_) matrix = options_.root * matrix;
}

/// Everything that a node shows, in node space.
Record Builder::gather(const Node& node) {
    Record record;
    if (node.mesh) {
        const Mesh& mesh = scene_.meshes[*node.mesh];
        for (const Primitive& p : mesh.primitives) {
            if (p.topology == Topology::Triangles) {
                append(record, p.positions, p.indices.data(), p.indices.size() / 3 * 3, node.name);
            } else {
                losses_.topology.add(1, node.name);
            }
        }
        losses_.attributes.add(std::any_of(mesh.primitives.begin(), mesh.primitives.end(), hasAttributes), node.name);
    }
    for (const std::uint32_t h : node.hulls) {
        const Hull& hull = scene_.hulls[h];
        if (hull.triangles.empty()) continue;
        append(record, hull.points, hull.triangles.front().data(), 3 * hull.triangles.size(), hull.name);
    }
    return record;
}

std::optional<Record> Builder::build(std::size_t number) {
    const Node& node = scene_.nodes[number];
    const Json extras = ownExtras(node.extras);
    Record record = gather(node);
    if (record.index.empty() && !extras.is_object()) return std::nullopt;
    if (record.vertex.empty()) takeVertices(record, bytesAmong(extras, "vertex"));
    transform(record, world_[number]);
    requireFinite(record, node.name);
    restoreNonfinite(record, bytesAmong(extras, "nonfinite"));
    const bool ofMesh = node.name.empty() && node.mesh;
    record.nameField = nameFieldFor(ofMesh ? scene_.meshes[*node.mesh].name : node.name, extras);
    if (record.size() > UINT32_MAX) throw GeometryError(node.name, "size", std::to_string(record.size()) + " bytes");
    return record;
}

void Builder::merge(Record& record) {
    if (!options_.weld) return;
    const std::string name = printable(record.name());
    requireFinite(record, name);
    weld(record);
    losses_.degenerate.add(dropDegenerate(record), name);
}

void Builder::requireName(const Record& record) {
    const std::string_view name = record.name();
    const std::size_t limit = options_.forceNames ? kNameFieldLimit - 1 : kNameLimit;
    if (name.empty() && !options_.forceNames) throw GeometryError("", "name", "a mesh without a name");
    if (name.size() > limit) {
        throw GeometryError(printable(name), "name",
                            std::to_string(name.size()) + " bytes, the limit is " + std::to_string(limit));
    }
    if (record.nameField.size() > kUsualNameField) losses_.longNames.add(1, name);
}

void Builder::reportLosses(Defects& defects) const {
    const auto say = [&defects](std::string_view kind, const Losses::Tally& tally, std::string_view what) {
        if (tally.count == 0) return;
        defects.warn(kind, std::nullopt, {{"object", "", printable(tally.first)}},
                     std::to_string(tally.count) + std::string(what));
    };
    say("dropped-attributes", losses_.attributes, " meshes lose all but their positions");
    say("dropped-topology", losses_.topology, " primitives of lines or points are left out");
    say("dropped-triangles", losses_.degenerate, " triangles without area by their merged vertices are dropped");
    say("unusual-name-length", losses_.longNames, " name fields over 32 bytes");
}

void fromScene(const Scene& scene, const WriteOptions& options, Sink& out, Defects& defects) {
    // A library is written again with the names that it has.
    const bool own = scene.source.format == "collisionset";
    const bool force = own || options.format.has("force-names");
    Builder builder(scene, {weldWanted(scene, options.format), force, rootOf(scene, options)});
    Library library;
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        auto record = builder.build(i);
        if (!record) continue;
        builder.merge(*record);
        builder.requireName(*record);
        if (!names.insert(std::string(record->name())).second) {
            const std::string name = printable(record->name());
            if (!force) throw GeometryError(name, "duplicate-name", "two records of this name");
            defects.warn("duplicate-name", std::nullopt, {{"object", "", name}}, "two records of this name");
        }
        library.records.push_back(std::move(*record));
    }
    if (library.records.empty()) throw GeometryError("", "no-records", "no mesh to write");
    if (own) {
        const Json extras = ownExtras(scene.source.extras);
        if (extras.is_object()) {
            if (extras.value("byteOrder", Json("be")) == "le") library.byteOrder = ByteOrder::Little;
            const auto zeros = extras.find("trailingZeros");
            if (zeros != extras.end() && zeros->is_number_unsigned()) {
                library.trailingZeros = std::min(zeros->get<std::uint64_t>(), kPaddingLimit);
            }
        }
    }
    if (options.byteOrder != ByteOrderOut::Keep) {
        library.byteOrder = options.byteOrder == ByteOrderOut::Big ? ByteOrder::Big : ByteOrder::Little;
    }
    builder.reportLosses(defects);
    write(library, out);
}

}  // namespace geomconv::collisionset
