#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "exporters/json/head.hpp"
#include "exporters/json/json.hpp"
#include "exporters/json/words.hpp"
#include "lib/bytes/base64.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/bytes/text.hpp"
#include "lib/json_reader.hpp"
#include "lib/scene/check.hpp"
#include "lib/version.hpp"

namespace geomconv::json {

namespace {

class SceneReader {
public:
    explicit SceneReader(std::string_view text) : in_(text) {}

    Scene read() {
        try {
            object([this](const std::string& key) { return topMember(key); });
            in_.expectEnd();
            if (!hasHead_) in_.fail("no \"geomconv\" member: this is no scene JSON");
        } catch (const FormatError& e) {
            Defect defect = e.defect();
            if (defect.where.empty()) defect.where.assign(path_.rbegin(), path_.rend());
            throw FormatError(std::move(defect));
        }
        return std::move(scene_);
    }

private:
    // Each member function reads the value of one key and says whether it knew it. path_ holds where the reader is; it
    // stays as it was when something throws, for the message.

    template <class Member>
    void object(Member member) {
        in_.beginObject();
        for (std::string key; in_.nextKey(key);) {
            path_.push_back({key, {}, {}});
            if (!member(key)) in_.skip();
            path_.pop_back();
        }
    }

    /// An array of objects, each appended to `items` and filled by member(item, key). noun: one of them.
    template <class T, class Member>
    bool list(std::vector<T>& items, std::string_view noun, Member member) {
        in_.beginArray();
        while (in_.nextItem()) {
            Place& place = path_.back();
            const Place outer = std::exchange(place, {std::string(noun), std::to_string(items.size()), {}});
            T& item = items.emplace_back();
            object([&](const std::string& key) {
                const bool known = member(item, key);
                if constexpr (requires { item.name; }) {
                    if (key == "name") path_[path_.size() - 2].name = printable(item.name);
                }
                return known;
            });
            path_.back() = outer;
        }
        return true;
    }

    // Values. All give true, so that a member can be read in one expression.

    bool text(std::string& out) {
        out = in_.text();
        return true;
    }
    bool index(std::optional<std::uint32_t>& out) {
        if (in_.peek() == JsonReader::Kind::Null)
            in_.null();
        else
            out = in_.unsigned32();
        return true;
    }
    bool index(std::uint32_t& out) {
        out = in_.unsigned32();
        return true;
    }
    bool number(float& out) {
        out = in_.float32();
        return true;
    }
    bool boolean(bool& out) {
        out = in_.boolean();
        return true;
    }
    template <class T>
    bool numbers(std::vector<T>& out) {
        out.clear();
        in_.numbers(out);
        return true;
    }
    bool vector(Vec3& out) {
        in_.numbers(std::span<float>(&out.x, 3));
        return true;
    }
    bool vector(Vec4& out) {
        in_.numbers(std::span<float>(&out.x, 4));
        return true;
    }
    template <class T, std::size_t N>
    bool word(T& out, const Words<T, N>& words) {
        const std::string text = in_.text();
        const std::optional<T> value = words.parse(text);
        if (!value) in_.fail('\'' + printable(text) + "' is no word that is known here");
        out = *value;
        return true;
    }
    bool extras(Extras& out) {
        out = Extras::fromText(std::string(in_.raw()));
        return true;
    }

    // Records, in the order of words in CLI.md.

    bool topMember(const std::string& key) {
        if (key == "geomconv") return head();
        if (key == "document") in_.fail("a dump of a " + printable(in_.text()) + " file is no scene");
        if (key == "source") return object([this](const std::string& k) { return sourceMember(k); }), true;
        if (key == "space") return object([this](const std::string& k) { return spaceMember(k); }), true;
        if (key == "separateContents") return boolean(scene_.separateContents);
        if (key == "nodes")
            return list(scene_.nodes, "node", [this](Node& n, const std::string& k) { return nodeMember(n, k); });
        if (key == "meshes")
            return list(scene_.meshes, "mesh", [this](Mesh& m, const std::string& k) { return meshMember(m, k); });
        if (key == "hulls")
            return list(scene_.hulls, "hull", [this](Hull& h, const std::string& k) { return hullMember(h, k); });
        if (key == "materials") {
            return list(scene_.materials, "material",
                        [this](Material& m, const std::string& k) { return materialMember(m, k); });
        }
        if (key == "images")
            return list(scene_.images, "image", [this](Image& i, const std::string& k) { return imageMember(i, k); });
        if (key == "skins")
            return list(scene_.skins, "skin", [this](Skin& s, const std::string& k) { return skinMember(s, k); });
        if (key == "animations") {
            return list(scene_.animations, "animation",
                        [this](Animation& a, const std::string& k) { return animationMember(a, k); });
        }
        return false;
    }

    bool head() {
        hasHead_ = true;
        object([this](const std::string& key) {
            if (key != "schema") return false;
            const std::uint64_t schema = in_.unsignedInteger();
            if (schema > kSchema) {
                throw FormatError(
                    {Severity::Error,
                     "schema",
                     in_.offset(),
                     {},
                     "schema " + std::to_string(schema) + ", this version reads up to " + std::to_string(kSchema)});
            }
            return true;
        });
        return true;
    }

    bool sourceMember(const std::string& key) {
        if (key == "format") return text(scene_.source.format);
        if (key == "file") return text(scene_.source.file);
        if (key == "extras") return extras(scene_.source.extras);
        return false;
    }

    bool spaceMember(const std::string& key) {
        if (key == "up") return word(scene_.space.up, kUpAxes);
        if (key == "handedness") return word(scene_.space.handedness, kHands);
        return false;
    }

    bool nodeMember(Node& node, const std::string& key) {
        if (key == "name") return text(node.name);
        if (key == "parent") return index(node.parent);
        if (key == "translation") return vector(node.translation);
        if (key == "rotation") {
            Vec4 q(0.0F);
            vector(q);
            node.rotation = quat(q.x, q.y, q.z, q.w);
            return true;
        }
        if (key == "scale") return vector(node.scale);
        if (key == "matrix") {
            node.matrix = Mat4(1.0F);
            in_.numbers(std::span<float>(&(*node.matrix)[0].x, 16));
            return true;
        }
        if (key == "mesh") return index(node.mesh);
        if (key == "hulls") return numbers(node.hulls);
        if (key == "skin") return index(node.skin);
        if (key == "content") return word(node.content, kContents);
        if (key == "extras") return extras(node.extras);
        return false;
    }

    bool meshMember(Mesh& mesh, const std::string& key) {
        if (key == "name") return text(mesh.name);
        if (key == "primitives") return primitives(mesh);
        if (key == "weights") return numbers(mesh.weights);
        if (key == "extras") return extras(mesh.extras);
        return false;
    }

    bool primitives(Mesh& mesh) {
        in_.beginArray();
        while (in_.nextItem()) {
            const Place outer = std::exchange(path_.back(), {"primitive", std::to_string(mesh.primitives.size()), {}});
            primitive(mesh.primitives.emplace_back());
            path_.back() = outer;
        }
        return true;
    }

    void primitive(Primitive& p) {
        std::vector<std::array<std::uint16_t, 4>> joints;
        std::vector<Vec4> weights;
        object([&](const std::string& key) {
            if (key == "name") return text(p.name);
            if (key == "topology") return word(p.topology, kTopologies);
            if (key == "material") return index(p.material);
            if (key == "positions") return numbers(p.positions);
            if (key == "normals") return numbers(p.normals);
            if (key == "uvs") return numbers(p.uvs);
            if (key == "colors") return numbers(p.colors);
            if (key == "tangents") return numbers(p.tangents);
            if (key == "joints") return numbers(joints);
            if (key == "weights") return numbers(weights);
            if (key == "targets") {
                return list(p.targets, "target", [this](MorphTarget& t, const std::string& k) {
                    if (k == "name") return text(t.name);
                    if (k == "positions") return numbers(t.positions);
                    if (k == "normals") return numbers(t.normals);
                    return false;
                });
            }
            if (key == "indices") return numbers(p.indices);
            if (key == "faceSizes") return numbers(p.faceSizes);
            if (key == "modelVertices") return numbers(p.modelVertices);
            if (key == "modelFaces") return numbers(p.modelFaces);
            return false;
        });
        splitInfluences(p, joints, weights);
    }

    /// Sets follow one another; each has an entry per vertex.
    void splitInfluences(Primitive& p, const std::vector<std::array<std::uint16_t, 4>>& joints,
                         const std::vector<Vec4>& weights) {
        const std::size_t n = p.positions.size();
        if (joints.empty() && weights.empty()) return;
        if (n == 0 || joints.size() != weights.size() || joints.size() % n != 0) {
            in_.fail(std::to_string(joints.size()) + " joints and " + std::to_string(weights.size()) + " weights for " +
                     counted(n, "vertices"));
        }
        for (std::size_t at = 0; at < joints.size(); at += n) {
            const auto from = static_cast<std::ptrdiff_t>(at);
            const auto to = static_cast<std::ptrdiff_t>(at + n);
            Influences& set = p.influences.emplace_back();
            set.joints.assign(joints.begin() + from, joints.begin() + to);
            set.weights.assign(weights.begin() + from, weights.begin() + to);
        }
    }

    bool hullMember(Hull& hull, const std::string& key) {
        if (key == "name") return text(hull.name);
        if (key == "id") return index(hull.id);
        if (key == "type") return word(hull.type, kHullTypes);
        if (key == "points") return numbers(hull.points);
        if (key == "triangles") return numbers(hull.triangles);
        if (key == "extras") return extras(hull.extras);
        return false;
    }

    bool materialMember(Material& m, const std::string& key) {
        if (key == "name") return text(m.name);
        if (key == "baseColor") return vector(m.baseColor);
        if (key == "image") return index(m.image);
        if (key == "wrapU") return word(m.wrapU, kWraps);
        if (key == "wrapV") return word(m.wrapV, kWraps);
        if (key == "filter") return word(m.filter, kFilters);
        if (key == "alphaMode") return word(m.alphaMode, kAlphaModes);
        if (key == "alphaCutoff") return number(m.alphaCutoff);
        if (key == "metallic") return number(m.metallic);
        if (key == "roughness") return number(m.roughness);
        if (key == "emissive") return vector(m.emissive);
        if (key == "doubleSided") return boolean(m.doubleSided);
        if (key == "unlit") return boolean(m.unlit);
        if (key == "extras") return extras(m.extras);
        return false;
    }

    bool imageMember(Image& image, const std::string& key) {
        if (key == "name") return text(image.name);
        if (key == "mimeType") return text(image.mimeType);
        if (key == "uri") return text(image.uri);
        if (key == "width") return index(image.width);
        if (key == "height") return index(image.height);
        if (key != "data") return false;
        const std::uint64_t at = in_.offset();
        std::optional<ByteVector> bytes = bytesFromBase64(in_.text());
        if (!bytes) throw FormatError({Severity::Error, "base64", at, {}, "this is no base64"});
        image.encoded = std::move(*bytes);
        return true;
    }

    bool skinMember(Skin& skin, const std::string& key) {
        if (key == "name") return text(skin.name);
        if (key == "joints") return numbers(skin.joints);
        if (key == "inverseBindMatrices") return numbers(skin.inverseBindMatrices);
        if (key == "skeletonRoot") return index(skin.skeletonRoot);
        return false;
    }

    bool animationMember(Animation& animation, const std::string& key) {
        if (key == "name") return text(animation.name);
        if (key == "channels") {
            return list(animation.channels, "channel", [this](Channel& c, const std::string& k) {
                if (k == "node") return index(c.node);
                if (k == "path") return word(c.path, kPaths);
                if (k == "interpolation") return word(c.interpolation, kInterpolations);
                if (k == "times") return numbers(c.times);
                if (k == "values") return numbers(c.values);
                return false;
            });
        }
        if (key == "extras") return extras(animation.extras);
        return false;
    }

    JsonReader in_;
    Scene scene_;
    std::vector<Place> path_;
    bool hasHead_ = false;
};

}  // namespace

Scene readScene(const Input& input, const ReadOptions&, Defects& defects) {
    Scene scene = SceneReader(asText(input.bytes)).read();
    requireStructure(scene);
    dropNonFinite(scene, defects);
    if (scene.source.format.empty()) scene.source.format = "json";
    return scene;
}

Confidence probe(Bytes bytes, std::string_view name) noexcept {
    constexpr std::size_t kLooked = 64 * 1024;
    const Bytes start = bytes.first(std::min(bytes.size(), kLooked));
    if (readHead(start).schema) return Confidence::Certain;
    std::string_view text = asText(start);
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '{') return Confidence::No;
    return name.ends_with(".json") ? Confidence::Maybe : Confidence::No;
}

}  // namespace geomconv::json
