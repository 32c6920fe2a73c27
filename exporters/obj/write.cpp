#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "exporters/obj/materials.hpp"
#include "exporters/obj/model_vertices.hpp"
#include "exporters/obj/obj.hpp"
#include "lib/bytes/number_scan.hpp"
#include "lib/bytes/text.hpp"
#include "lib/defect.hpp"
#include "lib/files/number_text.hpp"
#include "lib/hull_display.hpp"
#include "lib/image/image_files.hpp"
#include "lib/image/png.hpp"
#include "lib/scene/content.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::obj {

namespace {

/// A node's way into the space of the file. Where it changes nothing, numbers keep their bits.
struct Bake {
    explicit Bake(const Mat4d& m)
        : identity(m == Mat4d(1.0)),
          onlyMoves(Mat3d(m) == Mat3d(1.0)),
          mirrored(mirrors(m)),
          matrix(m),
          // The inverse transpose up to its length, which also exists where the matrix flattens.
          normalMatrix(glm::cross(m3(m)[1], m3(m)[2]), glm::cross(m3(m)[2], m3(m)[0]), glm::cross(m3(m)[0], m3(m)[1])) {
        if (mirrored) normalMatrix = -normalMatrix;
    }
    static Mat3d m3(const Mat4d& m) { return Mat3d(m); }

    Vec3 point(Vec3 p) const { return identity ? p : Vec3(Vec3d(matrix * glm::dvec4(Vec3d(p), 1.0))); }
    Vec3 normal(Vec3 n) const {
        if (onlyMoves) return n;
        const Vec3d turned = normalMatrix * Vec3d(n);
        const double length = glm::length(turned);
        return length > 0.0 ? Vec3(turned / length + Vec3d(0.0)) : n;  // + 0: no -0 that was none before
    }

    bool identity;
    bool onlyMoves;
    bool mirrored;
    Mat4d matrix;
    Mat3d normalMatrix;
};

/// The turn and scale that the options ask for, from the scene's space to the file's.
Mat4d spaceMatrix(const Space& space, const WriteOptions& options) {
    Mat4d m(1.0);
    if (options.up == UpChoice::Y) m = toYUp(space);
    if (options.up == UpChoice::Z) m = toZUp(space);
    if (options.scale != 1.0) {
        for (int c = 0; c < 4; ++c) m[c] = glm::dvec4(Vec3d(m[c]) * options.scale, m[c].w);
    }
    return m;
}

/// Room for one line of numbers: up to seven of them.
constexpr std::size_t kLineRoom = 8 * kNumberRoom;

bool sameBits(Vec3 a, Vec3 b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The text of a vertical texture coordinate. The file's runs up where the scene's runs down; what is written is the
/// shortest number t with float(1 - t) == v, so that it reads back bit for bit.
char* verticalText(char* to, float v, NumberFormat format) {
    const double flipped = 1.0 - static_cast<double>(v);
    char* const end = floatText(to, static_cast<float>(flipped), format);
    if (format.precision) return end;
    double readBack = 0.0;
    scanNumber(to, end, readBack);
    if (static_cast<float>(1.0 - readBack) == v) return end;
    return doubleText(to, flipped);
}

/// A whole number, then the same again without converting it twice: most corners have one number for all three.
char* repeated(char* to, const char* first, const char* last) {
    std::array<char, 24> copy{};
    std::memcpy(copy.data(), first, copy.size());
    std::memcpy(to, copy.data(), copy.size());
    return to + (last - first);
}

/// Where the joints of a skin have taken it.
struct Pose {
    std::vector<Mat4d> joints;  ///< from bind pose to the file's space
    bool moves = false;         ///< anywhere else than where the mesh was bound
};

constexpr double kRounding = 1e-5;

/// The primitive with its vertices where their joints take them (linear blend skinning). Vertices without weight stay.
Primitive posed(const Primitive& p, const Pose& pose) {
    Primitive out = p;
    out.influences.clear();
    for (std::size_t i = 0; i < p.positions.size(); ++i) {
        Mat4d blend(0.0);
        double sum = 0.0;
        for (const Influences& set : p.influences) {
            for (int k = 0; k < 4; ++k) {
                const std::size_t joint = set.joints[i][static_cast<std::size_t>(k)];
                const double weight = static_cast<double>(set.weights[i][k]);
                if (weight == 0.0 || joint >= pose.joints.size()) continue;
                blend += pose.joints[joint] * weight;
                sum += weight;
            }
        }
        if (sum == 0.0) continue;
        const Bake bake(blend * (1.0 / sum));
        out.positions[i] = bake.point(p.positions[i]);
        if (!p.normals.empty()) out.normals[i] = bake.normal(p.normals[i]);
    }
    return out;
}

/// Corners of a triangle in the order that keeps its outside outside.
constexpr std::array<std::size_t, 3> turned(bool mirrored) {
    return mirrored ? std::array<std::size_t, 3>{0, 2, 1} : std::array<std::size_t, 3>{0, 1, 2};
}

/// How the vertices of a primitive are spelled in the file. Lists hold an entry per vertex, which is added to the
/// first number; an empty one stands for 0, 1, 2, ...
struct Corners {
    std::uint64_t firstPosition;
    std::uint64_t firstUv;
    std::uint64_t firstNormal;
    std::span<const std::uint64_t> positions;
    std::span<const std::uint64_t> uvs;
    std::span<const std::uint64_t> normals;

    std::uint64_t position(std::uint32_t vertex) const { return numberOf(firstPosition, positions, vertex); }
    std::uint64_t uv(std::uint32_t vertex) const { return numberOf(firstUv, uvs, vertex); }
    std::uint64_t normal(std::uint32_t vertex) const { return numberOf(firstNormal, normals, vertex); }

private:
    static std::uint64_t numberOf(std::uint64_t first, std::span<const std::uint64_t> list, std::uint32_t vertex) {
        return first + (list.empty() ? vertex : list[vertex]);
    }
};

class Writer {
public:
    Writer(const Scene& scene, const WriteOptions& options, Sink& out, MaterialNames names)
        : scene_(scene), options_(options), out_(out), names_(std::move(names)), format_{options.precision} {}

    /// The nodes of which `wanted` says that they belong into this file.
    template <class Wanted>
    void writeNodes(Wanted wanted) {
        const std::vector<Mat4d> world = worldMatrices(scene_);
        const NodeTree tree = nodeTree(scene_);
        const Mat4d space = spaceMatrix(scene_.space, options_);
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            if (!wanted(node)) continue;
            if (node.mesh) {
                const std::optional<Pose> pose = poseOf(node, world, space);
                writeMesh(i, Bake(pose ? space : space * world[i]), pose ? &*pose : nullptr);
            } else if (node.hulls.empty()) {
                writeEmpty(i, tree.children[i]);
            }
            const Bake bake(space * world[i]);
            for (std::size_t h = 0; h < node.hulls.size(); ++h) {
                object(hullOutputName(scene_, i, h, options_.hullNames, true));
                writeHull(node.hulls[h], bake);
            }
        }
    }

private:
    /// A node that shows nothing itself: a line all the same for an object that is nothing but its groups, and for a
    /// collision record without triangles, which is still an object of the game file.
    void writeEmpty(std::size_t node, const std::vector<std::uint32_t>& children) {
        if (!children.empty() && isGroupOf(children.front(), node))
            begin(node, nodeName(scene_, node));
        else if (children.empty() && scene_.nodes[node].content == Content::Collision)
            object(scene_.nodes[node].name);
    }

    /// One object for the node; primitives with names of their own are objects under these.
    void writeMesh(std::size_t node, const Bake& bake, const Pose* pose) {
        const Mesh& mesh = scene_.meshes[*scene_.nodes[node].mesh];
        // A record is found again by its name, even by an empty one.
        const bool record = scene_.nodes[node].content == Content::Collision;
        const std::string name = record ? scene_.nodes[node].name : nodeName(scene_, node);
        if ((pose == nullptr || !pose->moves) && collectVertices(mesh, model_)) {
            begin(node, name);
            return writeModel(mesh, bake);
        }
        bool inNode = false;
        for (const Primitive& p : mesh.primitives) {
            if (!p.name.empty())
                object(ordinalName(p.name));
            else if (!inNode)
                begin(node, name);
            inNode = p.name.empty();
            if (pose != nullptr && pose->moves && !p.influences.empty())
                writePrimitive(posed(p, *pose), Bake(Mat4d(1.0)));
            else
                writePrimitive(p, bake);
        }
        if (mesh.primitives.empty()) begin(node, name);
    }

    /// Whether a node was a group of another in the OBJ that the scene came from.
    bool isGroupOf(std::size_t node, std::size_t parent) const {
        const Node& n = scene_.nodes[node];
        return n.parent && *n.parent == parent && n.extras.text() == kGroupMark;
    }

    /// The o line of a node, or its g line below the object whose group it is.
    void begin(std::size_t node, std::string_view name) {
        if (object_ && isGroupOf(node, *object_)) {
            out_.text("g " + safeName(name) + '\n');
            return;
        }
        object(name);
        object_ = node;
    }

    /// The matrices that bring a skinned mesh from its bind pose to where its joints stand; nullopt without a skin.
    /// They do not move it when the joints stand as they were bound, up to rounding: numbers then keep their bits.
    std::optional<Pose> poseOf(const Node& node, const std::vector<Mat4d>& world, const Mat4d& space) const {
        if (!node.skin) return std::nullopt;
        const Skin& skin = scene_.skins[*node.skin];
        Pose pose;
        for (std::size_t k = 0; k < skin.joints.size(); ++k) {
            const Mat4d bind = skin.inverseBindMatrices.empty() ? Mat4d(1.0) : Mat4d(skin.inverseBindMatrices[k]);
            const Mat4d& joint = world[skin.joints[k]];
            const Mat4d moved = joint * bind;
            const double size = 1.0 + glm::length(Vec3d(joint[3]));
            for (int c = 0; c < 4; ++c) {
                pose.moves = pose.moves || glm::length(moved[c] - Mat4d(1.0)[c]) > kRounding * size;
            }
            pose.joints.push_back(space * moved);
        }
        return pose;
    }

    /// A mesh may hang on several nodes: from the second time on its primitives are NAME#2, NAME#3.
    std::string ordinalName(const std::string& name) {
        const std::size_t met = ++primitiveNames_[name];
        return met == 1 ? name : name + "#" + std::to_string(met);
    }

    void object(std::string_view name) {
        object_.reset();
        out_.text("o ");
        out_.text(safeName(name));
        out_.put('\n');
    }

    void useMaterial(std::string_view name) {
        if (name == current_) return;
        current_ = name;
        out_.text("usemtl ");
        out_.text(name);
        out_.put('\n');
    }

    void useMaterialOf(const Primitive& p) {
        if (p.material)
            useMaterial(names_.materials[*p.material]);
        else if (!current_.empty())
            useMaterial("(null)");  // a known way to say that there is none
    }

    void writePrimitive(const Primitive& p, const Bake& bake) {
        Corners corners{nextPosition_, nextUv_, nextNormal_, {}, {}, {}};
        std::vector<std::uint64_t> places;
        writePositions(p, bake, places);
        corners.positions = places;
        for (const Vec2& uv : p.uvs) writeUv(uv);
        for (const Vec3& n : p.normals) writeVector("vn ", bake.normal(n));
        nextUv_ += p.uvs.size();
        nextNormal_ += p.normals.size();
        writeElements(p, corners, bake.mirrored);
    }

    /// A mesh whose primitives share vertices: a v and a vn line for each of the model's, a vt line for each uv that
    /// the file does not have yet.
    void writeModel(const Mesh& mesh, const Bake& bake) {
        Corners corners{nextPosition_, 0, nextNormal_, {}, {}, {}};
        for (std::size_t i = 0; i < model_.positions.size(); ++i) writePosition(model_, i, bake);
        for (const Vec3& n : model_.normals) writeVector("vn ", bake.normal(n));
        nextNormal_ += model_.normals.size();
        std::size_t vertices = 0;
        for (const Primitive& p : mesh.primitives) vertices += p.positions.size();
        numbers_.resize(2 * vertices);
        std::uint64_t* next = numbers_.data();
        std::vector<Corners> all(mesh.primitives.size(), corners);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Primitive& p = mesh.primitives[i];
            all[i].positions = all[i].normals = {next, p.modelVertices.size()};
            for (const std::uint32_t vertex : p.modelVertices) *next++ = model_.places[vertex];
            all[i].uvs = {next, p.uvs.size()};
            for (const Vec2& uv : p.uvs) *next++ = uvLine(uv);
        }
        if (const std::vector<std::uint32_t> order = primitiveOfFaces(mesh); !order.empty())
            return writeFaces(mesh, all, order, bake.mirrored);
        for (std::size_t i = 0; i < all.size(); ++i) writeElements(mesh.primitives[i], all[i], bake.mirrored);
    }

    /// The number of the vt line of a uv, which is written where the file does not have it.
    std::uint64_t uvLine(Vec2 uv) {
        const std::uint64_t number = uvNumbers_.find(uv, nextUv_);
        if (number == nextUv_) {
            writeUv(uv);
            ++nextUv_;
        }
        return number;
    }

    /// The triangles of all primitives in the order of the model's faces. order: the primitive of each.
    void writeFaces(const Mesh& mesh, const std::vector<Corners>& corners, const std::vector<std::uint32_t>& order,
                    bool mirrored) {
        std::vector<std::size_t> next(mesh.primitives.size(), 0);
        for (std::size_t at = 0; at < order.size();) {
            const std::uint32_t i = order[at];
            std::size_t end = at;
            while (end < order.size() && order[end] == i) ++end;
            useMaterialOf(mesh.primitives[i]);
            writeTriangles(mesh.primitives[i], corners[i], mirrored, next[i], next[i] + (end - at));
            next[i] += end - at;
            at = end;
        }
    }

    /// The faces, lines or points of a primitive whose vertices stand in the file.
    void writeElements(const Primitive& p, const Corners& corners, bool mirrored) {
        useMaterialOf(p);
        if (p.topology == Topology::Triangles && p.faceSizes.empty())
            writeTriangles(p, corners, mirrored, 0, p.indices.size() / 3);
        else if (p.topology == Topology::Triangles)
            writePolygons(p, corners, mirrored);
        else if (p.topology == Topology::Lines)
            writeLines(p, corners);
        else
            writePoints(p, corners);
    }

    /// One v line per vertex. Neighbours at one place that a texture seam or an edge has split share theirs: reading
    /// splits them again by their other numbers, and programs that edit the file see a connected mesh.
    /// places: which line after the first is each vertex's; left empty where that is one per vertex.
    void writePositions(const Primitive& p, const Bake& bake, std::vector<std::uint64_t>& places) {
        const std::uint64_t first = nextPosition_;
        const bool mayShare = !p.uvs.empty() || !p.normals.empty();
        const std::size_t n = p.positions.size();
        for (std::size_t i = 0; i < n; ++i) {
            if (mayShare && i > 0 && samePlace(p, i - 1, i)) {
                if (places.empty()) {
                    places.resize(n);
                    std::iota(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(i), std::uint64_t{0});
                }
                places[i] = nextPosition_ - 1 - first;
                continue;
            }
            if (!places.empty()) places[i] = nextPosition_ - first;
            writePosition(p, i, bake);
        }
    }

    /// The v line of a vertex of a primitive or of a model.
    template <class Vertices>
    void writePosition(const Vertices& p, std::size_t vertex, const Bake& bake) {
        char* to = vectorText(out_.reserve(kLineRoom), "v ", placed(bake, p.positions[vertex]));
        if (!p.colors.empty()) {
            *to++ = ' ';
            to = vectorText(to, "", Vec3(p.colors[vertex]));
        }
        *to++ = '\n';
        out_.advance(to);
        ++nextPosition_;
    }

    /// Throws FormatError (`nonfinite`): transforms and --scale can take a position beyond what a float holds.
    Vec3 placed(const Bake& bake, Vec3 p) const {
        const Vec3 at = bake.point(p);
        if (bake.identity || (std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z))) return at;
        std::vector<Place> where;
        if (object_) where.push_back({"object", "", nodeName(scene_, *object_)});
        throw FormatError({Severity::Error, "nonfinite", std::nullopt, std::move(where),
                           "its node's transform and --scale take a position beyond what a float can hold"});
    }

    static bool samePlace(const Primitive& p, std::size_t a, std::size_t b) {
        if (!sameBits(p.positions[a], p.positions[b])) return false;
        return p.colors.empty() || sameBits(Vec3(p.colors[a]), Vec3(p.colors[b]));
    }

    char* numberText(char* to, float v) { return format_.precision ? floatText(to, v, format_) : texts_.write(to, v); }

    char* vectorText(char* to, std::string_view key, Vec3 v) {
        to = std::copy(key.begin(), key.end(), to);
        to = numberText(to, v.x);
        *to++ = ' ';
        to = numberText(to, v.y);
        *to++ = ' ';
        return numberText(to, v.z);
    }

    void writeVector(std::string_view key, Vec3 v) {
        char* to = vectorText(out_.reserve(kLineRoom), key, v);
        *to++ = '\n';
        out_.advance(to);
    }

    void writeUv(Vec2 uv) {
        char* to = out_.reserve(kLineRoom);
        to = static_cast<char*>(std::memcpy(to, "vt ", 3)) + 3;
        to = floatText(to, uv.x, format_);
        *to++ = ' ';
        to = verticalText(to, uv.y, format_);
        *to++ = '\n';
        out_.advance(to);
    }

    template <bool kUvs, bool kNormals>
    static char* cornerText(char* to, const Corners& corners, std::uint32_t vertex) {
        const std::uint64_t position = corners.position(vertex);
        char* const first = to;
        to = uintText(to, position);
        char* const last = to;
        if constexpr (kUvs || kNormals) *to++ = '/';
        if constexpr (kUvs) {
            const std::uint64_t uv = corners.uv(vertex);
            to = uv == position ? repeated(to, first, last) : uintText(to, uv);
        }
        if constexpr (kNormals) {
            *to++ = '/';
            const std::uint64_t normal = corners.normal(vertex);
            to = normal == position ? repeated(to, first, last) : uintText(to, normal);
        }
        return to;
    }

    /// Faces as they were before they became fans of triangles.
    template <bool kUvs, bool kNormals>
    void writePolygons(const Primitive& p, const Corners& corners, bool mirrored) {
        std::size_t at = 0;
        for (const std::uint32_t size : p.faceSizes) {
            out_.put('f');
            for (std::uint32_t k = 0; k < size; ++k) {
                // Corner k of the fan: the first, then the second of each triangle, then the last one's third.
                const std::uint32_t n = mirrored && k > 0 ? size - k : k;
                const std::size_t slot = n == 0         ? at
                                         : n + 1 < size ? at + 3 * (std::size_t{n} - 1) + 1
                                                        : at + 3 * (std::size_t{size} - 3) + 2;
                char* to = out_.reserve(kLineRoom);
                *to++ = ' ';
                out_.advance(cornerText<kUvs, kNormals>(to, corners, p.indices[slot]));
            }
            out_.put('\n');
            at += 3 * (std::size_t{size} - 2);
        }
    }

    template <bool kUvs, bool kNormals>
    void writeTriangles(const Primitive& p, const Corners& corners, bool mirrored, std::size_t begin, std::size_t end) {
        const std::array<std::size_t, 3> order = turned(mirrored);
        for (std::size_t i = 3 * begin; i < 3 * end; i += 3) {
            char* to = out_.reserve(kLineRoom);
            *to++ = 'f';
            for (const std::size_t k : order) {
                *to++ = ' ';
                to = cornerText<kUvs, kNormals>(to, corners, p.indices[i + k]);
            }
            *to++ = '\n';
            out_.advance(to);
        }
    }

    /// Triangles [begin, end) of a primitive.
    void writeTriangles(const Primitive& p, const Corners& corners, bool mirrored, std::size_t begin, std::size_t end) {
        withAttributes(
            p, [&]<bool kUvs, bool kNormals>() { writeTriangles<kUvs, kNormals>(p, corners, mirrored, begin, end); });
    }

    void writePolygons(const Primitive& p, const Corners& corners, bool mirrored) {
        withAttributes(p, [&]<bool kUvs, bool kNormals>() { writePolygons<kUvs, kNormals>(p, corners, mirrored); });
    }

    /// Calls a function template with whether a primitive has uvs and normals.
    template <class Function>
    static void withAttributes(const Primitive& p, Function function) {
        if (p.normals.empty()) {
            p.uvs.empty() ? function.template operator()<false, false>() : function.template operator()<true, false>();
        } else {
            p.uvs.empty() ? function.template operator()<false, true>() : function.template operator()<true, true>();
        }
    }

    void writeLines(const Primitive& p, const Corners& corners) {
        const bool uvs = !p.uvs.empty();
        for (std::size_t i = 0; i + 1 < p.indices.size(); i += 2) {
            char* to = out_.reserve(kLineRoom);
            *to++ = 'l';
            for (const std::size_t k : {i, i + 1}) {
                *to++ = ' ';
                to = uvs ? cornerText<true, false>(to, corners, p.indices[k])
                         : cornerText<false, false>(to, corners, p.indices[k]);
            }
            *to++ = '\n';
            out_.advance(to);
        }
    }

    void writePoints(const Primitive& p, const Corners& corners) {
        const std::size_t n = p.indices.empty() ? p.positions.size() : p.indices.size();
        for (std::size_t i = 0; i < n; ++i) {
            char* to = out_.reserve(kLineRoom);
            to = static_cast<char*>(std::memcpy(to, "p ", 2)) + 2;
            const std::uint32_t vertex = p.indices.empty() ? static_cast<std::uint32_t>(i) : p.indices[i];
            to = cornerText<false, false>(to, corners, vertex);
            *to++ = '\n';
            out_.advance(to);
        }
    }

    void writeHull(std::uint32_t index, const Bake& bake) {
        const Hull& hull = scene_.hulls[index];
        const std::uint64_t first = nextPosition_;
        for (const Vec3& p : hull.points) writeVector("v ", placed(bake, p));
        nextPosition_ += hull.points.size();
        useMaterial(names_.hulls[index]);
        for (const auto& triangle : hull.triangles) {
            char* to = out_.reserve(kLineRoom);
            *to++ = 'f';
            for (const std::size_t k : turned(bake.mirrored)) {
                *to++ = ' ';
                to = uintText(to, first + triangle[k]);
            }
            *to++ = '\n';
            out_.advance(to);
        }
    }

    const Scene& scene_;
    const WriteOptions& options_;
    Sink& out_;
    MaterialNames names_;
    NumberFormat format_;
    NumberTexts texts_;
    std::string current_;  ///< the material that is in force
    std::unordered_map<std::string, std::size_t> primitiveNames_;
    ModelVertices model_;                 ///< of the mesh that is being written
    std::vector<std::uint64_t> numbers_;  ///< of the lines of a model's vertices: room that is used again
    UvNumbers uvNumbers_;                 ///< of the vt lines that meshes share
    std::uint64_t nextPosition_ = 1;
    std::uint64_t nextUv_ = 1;
    std::uint64_t nextNormal_ = 1;
    std::optional<std::size_t> object_;  ///< the node whose o line is in force
};

// ------------------------------------------------------------------------------------------------ what is lost

void sayLost(Defects& defects, std::string_view kind, std::size_t count, std::string_view what,
             std::string_view first) {
    if (count == 0) return;
    std::string detail = std::string(what) + ": " + std::to_string(count);
    if (!first.empty()) detail += ", the first is " + printable(first);
    defects.warn(kind, std::nullopt, {}, std::move(detail));
}

void sayLosses(const Scene& scene, Defects& defects) {
    const auto firstName = [](const auto& list) {
        return list.empty() ? std::string_view() : std::string_view(list.front().name);
    };
    sayLost(defects, "lost-skins", scene.skins.size(), "skins left out, meshes stand as posed", firstName(scene.skins));
    sayLost(defects, "lost-animations", scene.animations.size(), "animations left out", firstName(scene.animations));
    std::size_t targets = 0;
    std::size_t alphas = 0;
    std::size_t unplaced = 0;
    std::string_view firstTarget;
    std::string_view firstAlpha;
    std::string_view firstUnplaced;
    std::vector<bool> placed(scene.meshes.size());
    for (const Node& node : scene.nodes) {
        if (node.mesh) placed[*node.mesh] = true;
    }
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        const Mesh& mesh = scene.meshes[i];
        if (!placed[i] && unplaced++ == 0) firstUnplaced = mesh.name;
        for (const Primitive& p : mesh.primitives) {
            if (!p.targets.empty() && targets == 0) firstTarget = mesh.name;
            targets += p.targets.size();
            const bool opaque =
                std::all_of(p.colors.begin(), p.colors.end(), [](const Vec4& c) { return c.w == 1.0F; });
            if (!opaque && alphas++ == 0) firstAlpha = mesh.name;
        }
    }
    sayLost(defects, "lost-morph-targets", targets, "morph targets left out", firstTarget);
    sayLost(defects, "lost-alpha", alphas, "meshes whose vertex colours lose their alpha", firstAlpha);
    sayLost(defects, "unplaced", unplaced, "meshes left out that no node shows", firstUnplaced);
}

// ------------------------------------------------------------------------------------------------ siblings

/// What stands in front of the names of the files beside the main one. A level's files go by their bare names beside
/// level.obj (collision.obj, page_00.png), as its editors know them; under any other name they would get in each
/// other's way.
std::string siblingStem(const Scene& scene, const OutputSet& out) {
    return scene.separateContents && out.stem() == "level" ? std::string() : out.stem();
}

/// The images' bytes beside the OBJ; gives their names for the .mtl.
std::vector<std::string> writeImages(const Scene& scene, OutputSet& out) {
    const std::vector<std::string> names = imageFileNames(scene.images, siblingStem(scene, out));
    for (std::size_t i = 0; i < scene.images.size(); ++i) {
        const Image& image = scene.images[i];
        if (!imageHasContent(image)) continue;
        Sink& sink = out.sibling(names[i]);
        if (image.encoded.empty())
            sink.write(encodePng(image));
        else
            sink.write(image.encoded);
        sink.flush();
    }
    return names;
}

/// The contents that there is something to see of; render first, which the main file holds where there is any.
std::vector<Content> shownContents(const Scene& scene) {
    std::vector<Content> out;
    for (const Content content :
         {Content::Render, Content::Collision, Content::Objects, Content::Shadow, Content::Helpers, Content::Bounds}) {
        const auto shows = [content](const Node& node) {
            return node.content == content && (node.mesh || !node.hulls.empty());
        };
        if (std::any_of(scene.nodes.begin(), scene.nodes.end(), shows)) out.push_back(content);
    }
    return out;
}

/// The nodes that `wanted` chooses as one OBJ. library: the .mtl file beside it, or none.
template <class Wanted>
void writeFile(const Scene& scene, const WriteOptions& options, const MaterialNames& names, const std::string& library,
               Sink& sink, Wanted wanted) {
    sink.text("# geomconv\n");
    if (!library.empty()) sink.text("mtllib " + library + '\n');
    Writer(scene, options, sink, names).writeNodes(wanted);
}

}  // namespace

void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects) {
    sayLosses(scene, defects);
    const MaterialNames names = materialNames(scene);
    const bool siblings = out.canHaveSiblings();
    std::string library;
    if (siblings && (!scene.materials.empty() || !scene.hulls.empty())) {
        library = out.stem() + ".mtl";
        const std::vector<std::string> images = options.textures ? writeImages(scene, out) : std::vector<std::string>{};
        writeMaterials(out.sibling(library), scene, names, images);
    }
    if (!siblings && !scene.materials.empty()) {
        sayLost(defects, "lost-materials", scene.materials.size(),
                "materials of which only the name is written into this single file", scene.materials.front().name);
    }
    const std::vector<Content> contents = shownContents(scene);
    const bool apart = scene.separateContents && siblings && contents.size() > 1;
    writeFile(scene, options, names, library, out.main(),
              [&](const Node& node) { return !apart || node.content == contents.front(); });
    if (!apart) return;
    const std::string stem = siblingStem(scene, out);
    for (const Content content : std::span(contents).subspan(1)) {
        Sink& sink = out.sibling((stem.empty() ? "" : stem + '_') + std::string(contentName(content)) + ".obj");
        writeFile(scene, options, names, library, sink,
                  [content](const Node& node) { return node.content == content; });
        sink.flush();
    }
}

}  // namespace geomconv::obj
