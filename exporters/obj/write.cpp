#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "exporters/obj/materials.hpp"
#include "exporters/obj/obj.hpp"
#include "lib/bytes/number_scan.hpp"
#include "lib/files/number_text.hpp"
#include "lib/hull_display.hpp"
#include "lib/image/image_files.hpp"
#include "lib/image/png.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::obj {

namespace {

/// A node's way into the space of the file. Where it changes nothing, numbers keep their bits.
struct Bake {
    explicit Bake(const Mat4d& m)
        : identity(m == Mat4d(1.0)),
          mirrored(mirrors(m)),
          matrix(m),
          // The inverse transpose up to its length, which also exists where the matrix flattens.
          normalMatrix(glm::cross(m3(m)[1], m3(m)[2]), glm::cross(m3(m)[2], m3(m)[0]), glm::cross(m3(m)[0], m3(m)[1])) {
        if (mirrored) normalMatrix = -normalMatrix;
    }
    static Mat3d m3(const Mat4d& m) { return Mat3d(m); }

    Vec3 point(Vec3 p) const { return identity ? p : Vec3(Vec3d(matrix * glm::dvec4(Vec3d(p), 1.0))); }
    Vec3 normal(Vec3 n) const {
        if (identity) return n;
        const Vec3d turned = normalMatrix * Vec3d(n);
        const double length = glm::length(turned);
        return length > 0.0 ? Vec3(turned / length + Vec3d(0.0)) : n;  // + 0: no -0 that was none before
    }

    bool identity;
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

/// Corners of a triangle in the order that keeps its outside outside.
constexpr std::array<std::size_t, 3> turned(bool mirrored) {
    return mirrored ? std::array<std::size_t, 3>{0, 2, 1} : std::array<std::size_t, 3>{0, 1, 2};
}

class Writer {
public:
    Writer(const Scene& scene, const WriteOptions& options, Sink& out, MaterialNames names)
        : scene_(scene), options_(options), out_(out), names_(std::move(names)), format_{options.precision} {}

    void writeNodes() {
        const std::vector<Mat4d> world = worldMatrices(scene_);
        const NodeTree tree = nodeTree(scene_);
        const Mat4d space = spaceMatrix(scene_.space, options_);
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            if (!node.mesh && node.hulls.empty()) {
                // A collision record without triangles is still an object of the game file.
                if (node.content == Content::Collision && tree.children[i].empty()) object(node.name);
                continue;
            }
            const Bake bake(space * world[i]);
            if (node.mesh) {
                // A record is found again by its name, even by an empty one.
                const bool record = node.content == Content::Collision;
                writeMesh(scene_.meshes[*node.mesh], record ? node.name : nodeName(scene_, i), bake);
            }
            for (std::size_t h = 0; h < node.hulls.size(); ++h) {
                object(hullOutputName(scene_, i, h, options_.hullNames, true));
                writeHull(node.hulls[h], bake);
            }
        }
    }

private:
    /// One object for the node; primitives with names of their own are objects under these.
    void writeMesh(const Mesh& mesh, std::string_view name, const Bake& bake) {
        bool inNode = false;
        for (const Primitive& p : mesh.primitives) {
            if (!p.name.empty())
                object(ordinalName(p.name));
            else if (!inNode)
                object(name);
            inNode = p.name.empty();
            writePrimitive(p, bake);
        }
        if (mesh.primitives.empty()) object(name);
    }

    /// A mesh may hang on several nodes: from the second time on its primitives are NAME#2, NAME#3.
    std::string ordinalName(const std::string& name) {
        const std::size_t met = ++primitiveNames_[name];
        return met == 1 ? name : name + "#" + std::to_string(met);
    }

    void object(std::string_view name) {
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

    void writePrimitive(const Primitive& p, const Bake& bake) {
        const bool uvs = !p.uvs.empty();
        const bool normals = !p.normals.empty();
        std::vector<std::uint64_t> shared;  // number of each vertex's v line, where that is not one per vertex
        const std::uint64_t firstPosition = nextPosition_;
        writePositions(p, bake, shared);
        for (const Vec2& uv : p.uvs) writeUv(uv);
        for (const Vec3& n : p.normals) writeVector("vn ", bake.normal(n));
        if (p.material)
            useMaterial(names_.materials[*p.material]);
        else if (!current_.empty())
            useMaterial("(null)");  // a known way to say that there is none

        const Corners corners{firstPosition, nextUv_, nextNormal_, shared.empty() ? nullptr : shared.data()};
        if (p.topology == Topology::Triangles)
            writeTriangles(p, corners, bake.mirrored);
        else if (p.topology == Topology::Lines)
            writeLines(p, corners);
        else
            writePoints(p, corners);
        nextUv_ += uvs ? p.uvs.size() : 0;
        nextNormal_ += normals ? p.normals.size() : 0;
    }

    /// One v line per vertex. Neighbours at one place that a texture seam or an edge has split share theirs: reading
    /// splits them again by their other numbers, and programs that edit the file see a connected mesh.
    void writePositions(const Primitive& p, const Bake& bake, std::vector<std::uint64_t>& shared) {
        const bool mayShare = !p.uvs.empty() || !p.normals.empty();
        const std::size_t n = p.positions.size();
        for (std::size_t i = 0; i < n; ++i) {
            if (mayShare && i > 0 && samePlace(p, i - 1, i)) {
                if (shared.empty()) {
                    shared.resize(n);
                    for (std::size_t k = 0; k < i; ++k) shared[k] = nextPosition_ - i + k;
                }
                shared[i] = nextPosition_ - 1;
                continue;
            }
            if (!shared.empty()) shared[i] = nextPosition_;
            ++nextPosition_;
            if (p.colors.empty()) {
                writeVector("v ", bake.point(p.positions[i]));
            } else {
                char* to = vectorText(out_.reserve(kLineRoom), "v ", bake.point(p.positions[i]));
                const Vec4& c = p.colors[i];
                for (const float v : {c.x, c.y, c.z}) {
                    *to++ = ' ';
                    to = floatText(to, v, format_);
                }
                *to++ = '\n';
                out_.advance(to);
            }
        }
    }

    static bool samePlace(const Primitive& p, std::size_t a, std::size_t b) {
        if (!sameBits(p.positions[a], p.positions[b])) return false;
        return p.colors.empty() || sameBits(Vec3(p.colors[a]), Vec3(p.colors[b]));
    }

    char* vectorText(char* to, std::string_view key, Vec3 v) const {
        to = static_cast<char*>(std::memcpy(to, key.data(), key.size())) + key.size();
        to = floatText(to, v.x, format_);
        *to++ = ' ';
        to = floatText(to, v.y, format_);
        *to++ = ' ';
        return floatText(to, v.z, format_);
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

    /// How a vertex of a primitive is spelled in the file.
    struct Corners {
        std::uint64_t firstPosition;
        std::uint64_t firstUv;
        std::uint64_t firstNormal;
        const std::uint64_t* shared;  ///< number of the v line per vertex, or null

        std::uint64_t position(std::uint32_t vertex) const { return shared ? shared[vertex] : firstPosition + vertex; }
    };

    template <bool kUvs, bool kNormals>
    static char* cornerText(char* to, const Corners& corners, std::uint32_t vertex) {
        const std::uint64_t position = corners.position(vertex);
        char* const first = to;
        to = std::to_chars(to, to + 20, position).ptr;
        char* const last = to;
        if constexpr (kUvs || kNormals) *to++ = '/';
        if constexpr (kUvs) {
            const std::uint64_t uv = corners.firstUv + vertex;
            to = uv == position ? repeated(to, first, last) : std::to_chars(to, to + 20, uv).ptr;
        }
        if constexpr (kNormals) {
            *to++ = '/';
            const std::uint64_t normal = corners.firstNormal + vertex;
            to = normal == position ? repeated(to, first, last) : std::to_chars(to, to + 20, normal).ptr;
        }
        return to;
    }

    template <bool kUvs, bool kNormals>
    void writeTriangles(const Primitive& p, const Corners& corners, bool mirrored) {
        const std::array<std::size_t, 3> order = turned(mirrored);
        for (std::size_t i = 0; i + 2 < p.indices.size(); i += 3) {
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

    void writeTriangles(const Primitive& p, const Corners& corners, bool mirrored) {
        const bool uvs = !p.uvs.empty();
        if (p.normals.empty()) {
            uvs ? writeTriangles<true, false>(p, corners, mirrored)
                : writeTriangles<false, false>(p, corners, mirrored);
        } else {
            uvs ? writeTriangles<true, true>(p, corners, mirrored) : writeTriangles<false, true>(p, corners, mirrored);
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
        for (const Vec3& p : hull.points) writeVector("v ", bake.point(p));
        nextPosition_ += hull.points.size();
        useMaterial(names_.hulls[index]);
        for (const auto& triangle : hull.triangles) {
            char* to = out_.reserve(kLineRoom);
            *to++ = 'f';
            for (const std::size_t k : turned(bake.mirrored)) {
                *to++ = ' ';
                to = std::to_chars(to, to + 20, first + triangle[k]).ptr;
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
    std::string current_;  ///< the material that is in force
    std::unordered_map<std::string, std::size_t> primitiveNames_;
    std::uint64_t nextPosition_ = 1;
    std::uint64_t nextUv_ = 1;
    std::uint64_t nextNormal_ = 1;
};

// ------------------------------------------------------------------------------------------------ what is lost

/// Counts what an OBJ has no place for, and says each kind once.
class Losses {
public:
    explicit Losses(Defects& defects) : defects_(defects) {}

    void say(std::string_view kind, std::size_t count, std::string_view what, std::string_view first) {
        if (count == 0) return;
        std::string detail = std::to_string(count) + ' ' + std::string(what);
        if (!first.empty()) detail += ", first of " + std::string(first);
        defects_.warn(kind, std::nullopt, {}, detail);
    }

private:
    Defects& defects_;
};

void sayLosses(const Scene& scene, Defects& defects) {
    Losses losses(defects);
    if (!scene.skins.empty()) {
        losses.say("lost-skins", scene.skins.size(), "skins left out: OBJ has none", scene.skins.front().name);
    }
    if (!scene.animations.empty()) {
        losses.say("lost-animations", scene.animations.size(), "animations left out: OBJ has none",
                   scene.animations.front().name);
    }
    std::size_t targets = 0;
    std::size_t alphas = 0;
    std::string_view firstTarget;
    std::string_view firstAlpha;
    std::vector<bool> placed(scene.meshes.size());
    for (const Node& node : scene.nodes) {
        if (node.mesh) placed[*node.mesh] = true;
    }
    std::size_t unplaced = 0;
    std::string_view firstUnplaced;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        const Mesh& mesh = scene.meshes[i];
        if (!placed[i] && unplaced++ == 0) firstUnplaced = mesh.name;
        for (const Primitive& p : mesh.primitives) {
            if (!p.targets.empty() && targets == 0) firstTarget = mesh.name;
            targets += p.targets.size();
            bool alpha = false;
            for (const Vec4& c : p.colors) alpha = alpha || c.w != 1.0F;
            if (alpha && alphas++ == 0) firstAlpha = mesh.name;
        }
    }
    losses.say("lost-morph-targets", targets, "morph targets left out: OBJ has none", firstTarget);
    losses.say("lost-alpha", alphas, "meshes with alpha in their vertex colours: OBJ has red, green and blue",
               firstAlpha);
    losses.say("unplaced", unplaced, "meshes left out: no node shows them", firstUnplaced);
}

// ------------------------------------------------------------------------------------------------ siblings

/// The images' bytes beside the OBJ; gives their names for the .mtl.
std::vector<std::string> writeImages(const Scene& scene, OutputSet& out) {
    const std::vector<std::string> names = imageFileNames(scene.images, out.stem());
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

}  // namespace

void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects) {
    sayLosses(scene, defects);
    const MaterialNames names = materialNames(scene);
    Sink& sink = out.main();
    sink.text("# geomconv\n");
    const bool anyMaterial = !scene.materials.empty() || !scene.hulls.empty();
    if (anyMaterial && out.canHaveSiblings()) {
        const std::string file = out.stem() + ".mtl";
        const std::vector<std::string> images = options.textures ? writeImages(scene, out) : std::vector<std::string>{};
        writeMaterials(out.sibling(file), scene, names, images);
        sink.text("mtllib " + file + '\n');
    } else if (!scene.materials.empty()) {
        Losses(defects).say("lost-materials", scene.materials.size(),
                            "materials left out, only their names are written: this output is a single file",
                            scene.materials.front().name);
    }
    Writer(scene, options, sink, names).writeNodes();
}

}  // namespace geomconv::obj
