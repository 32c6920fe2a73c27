#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "exporters/gltf/accessor_data.hpp"
#include "exporters/gltf/document.hpp"
#include "exporters/gltf/usage.hpp"
#include "lib/bytes/text.hpp"
#include "lib/image/image_files.hpp"
#include "lib/losses.hpp"

namespace geomconv::gltf {

namespace {

using Where = std::vector<Place>;

[[noreturn]] void fail(std::string_view kind, Where where, std::string detail) {
    throw FormatError(kind, std::move(detail), std::move(where));
}

// Triangle and line lists from the other modes; the specification's section 3.7.2.1 gives order and winding.

constexpr std::uint32_t kPoints = 0;
constexpr std::uint32_t kLines = 1;
constexpr std::uint32_t kLineLoop = 2;
constexpr std::uint32_t kLineStrip = 3;
constexpr std::uint32_t kTriangleStrip = 5;
constexpr std::uint32_t kTriangleFan = 6;

/// Lines: n - 1 of a strip, n of a loop.
std::vector<std::uint32_t> linesOf(const std::vector<std::uint32_t>& run, bool loop) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i + 1 < run.size(); ++i) out.insert(out.end(), {run[i], run[i + 1]});
    if (loop && run.size() > 2) out.insert(out.end(), {run.back(), run.front()});
    return out;
}

/// Triangles of a strip or fan. Those without an area by their indices only join the runs of a strip.
std::vector<std::uint32_t> trianglesOf(const std::vector<std::uint32_t>& run, bool fan) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i + 2 < run.size(); ++i) {
        const std::uint32_t a = fan ? run[i + 1] : run[i];
        const std::uint32_t b = fan ? run[i + 2] : run[i + 1 + i % 2];
        const std::uint32_t c = fan ? run[0] : run[i + 2 - i % 2];
        if (a != b && b != c && c != a) out.insert(out.end(), {a, b, c});
    }
    return out;
}

/// UVs at which the texture is read. The rotation is the one that viewers agree on, counter-clockwise to who looks at
/// the image, whose v runs down; the listing of the extension turns the other way.
void transformUvs(std::vector<Vec2>& uvs, const UvTransform& by) {
    const double c = std::cos(by.rotation);
    const double s = std::sin(by.rotation);
    for (Vec2& uv : uvs) {
        const Vec2d scaled = Vec2d(uv) * by.scale;
        uv = Vec2(Vec2d(c * scaled.x + s * scaled.y, c * scaled.y - s * scaled.x) + by.offset);
    }
}

class SceneReader {
public:
    SceneReader(const Input& input, bool recover, Defects& defects)
        : document_(readDocument(input, defects)), recover_(recover), defects_(defects) {
        budget_ = kBudgetBase + kBudgetFactor * input.bytes.size();
        for (const Buffer& buffer : document_.buffers) budget_ += kBudgetFactor * buffer.bytes.size();
    }

    Scene read(std::string_view format, std::string_view fileName) {
        scene_.source = {std::string(format), std::string(fileName), {}};
        images();
        materials();
        countUses();
        for (std::size_t i = 0; i < document_.meshes.size(); ++i) mesh(i);
        nodes();
        for (std::size_t i = 0; i < document_.skins.size(); ++i) {
            if (!attempt([&] { skin(i); })) dropSkin(i);
        }
        checkJoints();
        for (std::size_t i = 0; i < document_.animations.size(); ++i) animation(i);
        losses_.report(defects_);
        return std::move(scene_);
    }

private:
    /// Does a step. With recover, what it cannot read is left out with a warning. Returns whether it was read.
    template <class Step>
    bool attempt(Step step) {
        if (!recover_) return step(), true;
        try {
            step();
            return true;
        } catch (const FormatError& e) {
            Defect defect = asWarning(e.defect());
            if (defect.kind == "memory") throw;
            defect.detail += ", left out";
            defects_.add(std::move(defect));
            return false;
        }
    }

    // ------------------------------------------------------------------------------------------ materials

    void images() {
        for (const ImageEntry& entry : document_.images) {
            Image& image = scene_.images.emplace_back();
            image.name = entry.name;
            image.mimeType = entry.mimeType;
            image.encoded.assign(entry.bytes.begin(), entry.bytes.end());
            if (entry.bytes.empty()) image.uri = entry.uri;
        }
    }

    void materials() {
        for (const MaterialEntry& entry : document_.materials) {
            Material& material = scene_.materials.emplace_back(entry.look);
            const std::string& name = entry.look.name;
            if (entry.otherMaps) {
                losses_.add("material-maps", {"material", {}, name},
                            "normal, roughness, occlusion and emissive textures are not read, only the base colour's");
            }
            if (!entry.texture) continue;
            const TextureEntry& texture = document_.textures[*entry.texture];
            material.image = texture.image;
            material.wrapU = texture.wrapU;
            material.wrapV = texture.wrapV;
            material.filter = texture.filter;
        }
    }

    // ------------------------------------------------------------------------------------------ meshes

    /// How many primitives draw from the same positions: each then takes only the vertices that it draws.
    void countUses() {
        uses_.resize(document_.accessors.size());
        for (const MeshEntry& mesh : document_.meshes) {
            for (const PrimitiveEntry& primitive : mesh.primitives) {
                if (const auto position = attribute(primitive.attributes, "POSITION")) ++uses_[*position];
            }
        }
    }

    /// Arrays that are used many times would make a scene of any size from a small file.
    void spend(std::uint64_t bytes, const Where& where) {
        if (bytes > budget_) {
            fail("memory", where,
                 "arrays are used so often that the scene would need more than " + std::to_string(kBudgetFactor) +
                     " times the size of the file");
        }
        budget_ -= bytes;
    }

    void mesh(std::size_t number) {
        const MeshEntry& entry = document_.meshes[number];
        Mesh mesh;
        mesh.name = entry.name;
        mesh.weights = entry.weights;
        const std::vector<std::string> targetNames = takeTargetNames(entry, mesh);
        const Place self{"mesh", std::to_string(number), printable(entry.name)};
        for (std::size_t i = 0; i < entry.primitives.size(); ++i) {
            const Where where{{"primitive", std::to_string(i)}, self};
            if (!attribute(entry.primitives[i].attributes, "POSITION")) {
                losses_.add("no-positions", {"mesh", {}, entry.name}, "a primitive without POSITION is left out");
                continue;
            }
            attempt([&] { mesh.primitives.push_back(primitive(entry, entry.primitives[i], targetNames, where)); });
        }
        scene_.meshes.push_back(std::move(mesh));
    }

    /// The names of morph targets stand in the mesh's extras by convention; they leave them for the targets.
    static std::vector<std::string> takeTargetNames(const MeshEntry& entry, Mesh& mesh) {
        mesh.extras = Extras::fromText(entry.extras);
        if (entry.extras.find("\"targetNames\"") == std::string::npos) return {};
        nlohmann::ordered_json value = mesh.extras.value();
        if (!value.is_object() || !value.contains("targetNames") || !value["targetNames"].is_array()) return {};
        std::vector<std::string> names;
        for (const auto& name : value["targetNames"]) names.push_back(name.is_string() ? name.get<std::string>() : "");
        value.erase("targetNames");
        mesh.extras = value.empty() ? Extras() : Extras(value);
        return names;
    }

    Primitive primitive(const MeshEntry& mesh, const PrimitiveEntry& entry, const std::vector<std::string>& targetNames,
                        const Where& where) {
        Primitive made;
        made.material = entry.material;
        const std::uint32_t position = *attribute(entry.attributes, "POSITION");
        const std::uint64_t count = document_.accessors[position].count;
        made.topology = entry.mode == kPoints      ? Topology::Points
                        : entry.mode <= kLineStrip ? Topology::Lines
                                                   : Topology::Triangles;
        made.indices = indices(entry, count, where);
        const std::vector<std::uint32_t> pick = pickVertices(made.indices, position, count);
        pick_ = pick;
        vertices_ = pick.empty() ? count : pick.size();
        made.positions = array<Vec3>(position, count, kPosition, where);
        refuseNonFinite(made.positions, position, where);
        attributes(mesh, entry, count, made, where);
        const bool targets = attempt([&] {
            for (std::size_t i = 0; i < entry.targets.size(); ++i) {
                made.targets.push_back(
                    target(entry.targets[i], count, i < targetNames.size() ? targetNames[i] : "", where));
            }
        });
        if (!targets) made.targets.clear();
        return made;
    }

    std::vector<std::uint32_t> indices(const PrimitiveEntry& entry, std::uint64_t vertices, const Where& where) {
        std::vector<std::uint32_t> run;
        if (entry.indices) {
            const Accessor& accessor = document_.accessors[*entry.indices];
            expectUsage(document_, *entry.indices, kIndices, where);
            spend(accessor.count * 4, where);
            run.resize(static_cast<std::size_t>(accessor.count));
            readWords(document_, *entry.indices, {}, run.data());
            const auto worst = std::max_element(run.begin(), run.end());
            if (*worst >= vertices) {
                Where at{{"accessor", std::to_string(*entry.indices)}};
                at.insert(at.end(), where.begin(), where.end());
                fail("index-range", std::move(at),
                     "element " + std::to_string(worst - run.begin()) + " is vertex " + std::to_string(*worst) +
                         ", there are " + std::to_string(vertices));
            }
        } else if (entry.mode != kPoints) {
            spend(vertices * 4, where);
            run.resize(static_cast<std::size_t>(vertices));
            for (std::uint32_t i = 0; i < run.size(); ++i) run[i] = i;
        }
        return asList(entry.mode, std::move(run), where);
    }

    std::vector<std::uint32_t> asList(std::uint32_t mode, std::vector<std::uint32_t> run, const Where& where) {
        switch (mode) {
            case kPoints:
                return run;
            case kLineLoop:
                return linesOf(run, true);
            case kLineStrip:
                return linesOf(run, false);
            case kTriangleStrip:
                return trianglesOf(run, false);
            case kTriangleFan:
                return trianglesOf(run, true);
            default:
                break;
        }
        const std::size_t corners = mode == kLines ? 2 : 3;
        if (run.size() % corners != 0) {
            defects_.warn("count", std::nullopt, where,
                          std::to_string(run.size()) + " indices are no multiple of " + std::to_string(corners) +
                              ", the last are left out");
            run.resize(run.size() / corners * corners);
        }
        return run;
    }

    /// The vertices that the indices name, rising, and the indices renumbered, where others draw from the same array
    /// and some would lie idle; empty for all.
    std::vector<std::uint32_t> pickVertices(std::vector<std::uint32_t>& indices, std::uint32_t position,
                                            std::uint64_t count) const {
        if (uses_[position] < 2 || indices.empty()) return {};
        std::vector<std::uint32_t> pick(indices);
        std::sort(pick.begin(), pick.end());
        pick.erase(std::unique(pick.begin(), pick.end()), pick.end());
        if (pick.size() == count) return {};
        for (std::uint32_t& i : indices) {
            i = static_cast<std::uint32_t>(std::lower_bound(pick.begin(), pick.end(), i) - pick.begin());
        }
        return pick;
    }

    /// An attribute of the primitive at hand: type and length checked, its picked vertices read.
    template <class V>
    std::vector<V> array(std::uint32_t accessor, std::uint64_t count, const Usage& usage, const Where& where) {
        expectUsage(document_, accessor, usage, where);
        if (document_.accessors[accessor].count != count) {
            fail("count", where,
                 std::string(usage.name) + " has " + std::to_string(document_.accessors[accessor].count) +
                     " elements, POSITION " + std::to_string(count));
        }
        spend(vertices_ * sizeof(V), where);
        return readVectors<V>(document_, accessor, pick_);
    }

    void refuseNonFinite(const std::vector<Vec3>& positions, std::uint32_t accessor, const Where& where) const {
        if (allFinite(positions)) return;
        const auto bad = std::find_if(positions.begin(), positions.end(), [](const Vec3& p) {
            return !std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z);
        });
        const auto number = static_cast<std::size_t>(bad - positions.begin());
        Where at{{"accessor", std::to_string(accessor)}};
        at.insert(at.end(), where.begin(), where.end());
        fail("nonfinite", std::move(at),
             "position " + std::to_string(pick_.empty() ? number : pick_[number]) + " is NaN or infinite");
    }

    void attributes(const MeshEntry& mesh, const PrimitiveEntry& entry, std::uint64_t count, Primitive& made,
                    const Where& where) {
        const auto find = [&](std::string_view name) { return attribute(entry.attributes, name); };
        const auto take = [&](std::string_view name, auto read) {
            if (const auto accessor = find(name)) attempt([&] { read(*accessor); });
        };
        take("NORMAL", [&](std::uint32_t a) { made.normals = array<Vec3>(a, count, kNormal, where); });
        take("TANGENT", [&](std::uint32_t a) { made.tangents = array<Vec4>(a, count, kTangent, where); });
        take(uvName(entry), [&](std::uint32_t a) { made.uvs = array<Vec2>(a, count, kTexCoord, where); });
        if (const MaterialEntry* look = textured(entry); look && look->uvTransform) {
            transformUvs(made.uvs, *look->uvTransform);
        }
        take("COLOR_0", [&](std::uint32_t a) { made.colors = colors(a, count, where); });
        const bool skinned = attempt([&] {
            for (std::size_t set = 0;; ++set) {
                const auto joints = find("JOINTS_" + std::to_string(set));
                const auto weights = find("WEIGHTS_" + std::to_string(set));
                if (!joints || !weights) break;
                made.influences.push_back(influences(*joints, *weights, count, where));
            }
        });
        if (!skinned) made.influences.clear();
        dropNonFinite(mesh, made);
        mentionOthers(mesh, entry);
    }

    /// The set that the material's texture is mapped by, otherwise the first.
    std::string uvName(const PrimitiveEntry& entry) const {
        const MaterialEntry* look = textured(entry);
        return "TEXCOORD_" + std::to_string(look ? look->texCoord : 0);
    }

    /// The primitive's material, where it has a texture.
    const MaterialEntry* textured(const PrimitiveEntry& entry) const {
        if (!entry.material || !document_.materials[*entry.material].texture) return nullptr;
        return &document_.materials[*entry.material];
    }

    std::vector<Vec4> colors(std::uint32_t accessor, std::uint64_t count, const Where& where) {
        std::vector<Vec4> colors = array<Vec4>(accessor, count, kColor, where);
        if (document_.accessors[accessor].type == ElementType::Vec3) {
            for (Vec4& color : colors) color.w = 1.0F;
        }
        return colors;
    }

    Influences influences(std::uint32_t joints, std::uint32_t weights, std::uint64_t count, const Where& where) {
        Influences made;
        made.weights = array<Vec4>(weights, count, kWeights, where);
        expectUsage(document_, joints, kJoints, where);
        if (document_.accessors[joints].count != count) fail("count", where, "JOINTS and POSITION differ in length");
        spend(vertices_ * 24, where);
        std::vector<std::uint32_t> words(static_cast<std::size_t>(vertices_) * 4);
        readWords(document_, joints, pick_, words.data());
        made.joints.resize(static_cast<std::size_t>(vertices_));
        for (std::size_t i = 0; i < words.size(); ++i) made.joints[i / 4][i % 4] = static_cast<std::uint16_t>(words[i]);
        return made;
    }

    void dropNonFinite(const MeshEntry& mesh, Primitive& made) {
        const auto drop = [&](auto& vectors, std::string_view kind, std::string_view sentence) {
            if (allFinite(vectors)) return;
            vectors.clear();
            losses_.add(kind, {"mesh", {}, mesh.name}, std::string(sentence));
        };
        drop(made.normals, "normal-nonfinite", "normals that are NaN or infinite: left out");
        drop(made.uvs, "uv-nonfinite", "UVs that are NaN or infinite: left out");
        drop(made.tangents, "tangent-nonfinite", "tangents that are NaN or infinite: left out");
        drop(made.colors, "color-nonfinite", "colours that are NaN or infinite: left out");
        for (Influences& set : made.influences) {
            if (allFinite(set.weights)) continue;
            made.influences.clear();
            losses_.add("weight-nonfinite", {"mesh", {}, mesh.name}, "weights that are NaN or infinite: left out");
            break;
        }
    }

    void mentionOthers(const MeshEntry& mesh, const PrimitiveEntry& entry) {
        const std::string uv = uvName(entry);
        for (const auto& [name, accessor] : entry.attributes) {
            if (name.starts_with("TEXCOORD_") && name != uv) {
                losses_.add("uv-sets", {"mesh", {}, mesh.name}, "has several sets of UVs, one is read");
            } else if (name.starts_with("COLOR_") && name != "COLOR_0") {
                losses_.add("color-sets", {"mesh", {}, mesh.name}, "has several sets of colours, the first is read");
            } else if (name.starts_with('_')) {
                losses_.add("custom-attribute", {"mesh", {}, mesh.name},
                            "has attributes of an application's own, which are not read");
            }
        }
    }

    MorphTarget target(const AttributeList& attributes, std::uint64_t count, std::string name, const Where& where) {
        MorphTarget made;
        made.name = std::move(name);
        if (const auto position = attribute(attributes, "POSITION")) {
            made.positions = array<Vec3>(*position, count, kTargetPosition, where);
            refuseNonFinite(made.positions, *position, where);
        } else {
            spend(vertices_ * sizeof(Vec3), where);
            made.positions.assign(static_cast<std::size_t>(vertices_), Vec3(0.0F));
        }
        if (const auto normal = attribute(attributes, "NORMAL")) {
            made.normals = array<Vec3>(*normal, count, kTargetNormal, where);
            if (!allFinite(made.normals)) made.normals.clear();
        }
        return made;
    }

    // ------------------------------------------------------------------------------------------ nodes

    /// Nodes of the scene to be shown, and joints with what stands above them. The default scene, else the first; a
    /// file without scenes gives all its nodes.
    std::vector<bool> keptNodes() {
        std::vector<bool> kept(document_.nodes.size(), document_.scenes.empty());
        inScene_ = kept;
        if (document_.scenes.empty()) return kept;
        std::vector<std::uint32_t> open = document_.scenes[document_.scene.value_or(0)];
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (kept[node]) continue;
            kept[node] = true;
            open.insert(open.end(), document_.nodes[node].children.begin(), document_.nodes[node].children.end());
        }
        inScene_ = kept;
        for (const SkinEntry& skin : document_.skins) {
            for (const std::uint32_t joint : skin.joints) keepAbove(joint, kept);
            if (skin.skeleton) keepAbove(*skin.skeleton, kept);
        }
        const auto left = static_cast<std::size_t>(std::count(inScene_.begin(), inScene_.end(), false));
        if (left > 0) {
            defects_.warn("other-scenes", std::nullopt, {},
                          std::to_string(left) + " of " + std::to_string(kept.size()) +
                              " nodes are not in the scene that is shown: left out");
        }
        return kept;
    }

    void keepAbove(std::uint32_t node, std::vector<bool>& kept) const {
        for (std::optional<std::uint32_t> at = node; at && !kept[*at]; at = document_.nodes[*at].parent)
            kept[*at] = true;
    }

    void nodes() {
        const std::vector<bool> kept = keptNodes();
        nodeOf_.resize(kept.size());
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            if (kept[i]) nodeOf_[i] = next++;
        }
        for (std::size_t i = 0; i < kept.size(); ++i) {
            if (kept[i]) node(i);
        }
        for (std::size_t i = 0; i < kept.size(); ++i) {
            if (!inScene_[i] || !document_.nodes[i].mesh || document_.nodes[i].instances.empty()) continue;
            attempt([&] { instances(i); });
        }
    }

    /// EXT_mesh_gpu_instancing: the node's mesh goes to children of it, behind all other nodes, one for each instance.
    void instances(std::size_t number) {
        const NodeEntry& entry = document_.nodes[number];
        const Where where{{"node", std::to_string(number), printable(entry.name)}};
        const auto read = [&](std::string_view name, const Usage& usage) {
            const auto accessor = attribute(entry.instances, name);
            return accessor ? keys(*accessor, usage, where) : std::vector<float>();
        };
        const std::vector<float> translations = read("TRANSLATION", kTranslations);
        const std::vector<float> rotations = read("ROTATION", kRotations);
        const std::vector<float> scales = read("SCALE", kTranslations);
        const std::size_t count = std::max({translations.size() / 3, rotations.size() / 4, scales.size() / 3});
        const auto unequal = [count](std::size_t n) { return n != 0 && n != count; };
        if (unequal(translations.size() / 3) || unequal(rotations.size() / 4) || unequal(scales.size() / 3)) {
            fail("count", where, "translations, rotations and scales of its instances differ in number");
        }
        if (count == 0) return;
        spend(count * sizeof(Node), where);
        Node shown;
        Node& above = scene_.nodes[*nodeOf_[number]];
        shown.name = above.name;
        shown.content = above.content;
        shown.parent = nodeOf_[number];
        shown.mesh = std::exchange(above.mesh, std::nullopt);
        above.skin.reset();
        for (std::size_t i = 0; i < count; ++i) {
            Node& made = scene_.nodes.emplace_back(shown);
            made.name += '#' + std::to_string(i);
            if (!translations.empty()) std::memcpy(&made.translation[0], &translations[i * 3], sizeof(Vec3));
            if (!scales.empty()) std::memcpy(&made.scale[0], &scales[i * 3], sizeof(Vec3));
            const float* q = rotations.empty() ? nullptr : &rotations[i * 4];
            if (q != nullptr) made.rotation = unitRotation(quat(q[0], q[1], q[2], q[3]), entry.name);
        }
    }

    /// A rotation of length 1, as the scene wants it.
    Quat unitRotation(const Quat& rotation, const std::string& node) {
        const Quatd q(rotation);
        const double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (std::fabs(square - 1.0) < 1e-3) return rotation;
        if (square > 0.0 && std::isfinite(square)) {
            losses_.add("rotation-length", {"node", {}, node}, "a rotation that is not of length 1 is brought there");
            return Quat(q * (1.0 / std::sqrt(square)));
        }
        losses_.add("rotation-zero", {"node", {}, node}, "a rotation without a direction: left out");
        return quat(0.0F, 0.0F, 0.0F, 1.0F);
    }

    void node(std::size_t number) {
        const NodeEntry& entry = document_.nodes[number];
        Node& made = scene_.nodes.emplace_back();
        made.name = entry.name;
        made.extras = Extras::fromText(entry.extras);
        made.content = contentOf(made.extras);
        if (entry.parent) made.parent = nodeOf_[*entry.parent];
        made.translation = entry.translation;
        made.rotation = unitRotation(entry.rotation, entry.name);
        made.scale = entry.scale;
        made.matrix = entry.matrix;
        if (!inScene_[number]) return;
        made.mesh = entry.mesh;
        if (made.mesh) made.skin = entry.skin;
        if (entry.camera) losses_.add("camera", {"node", {}, entry.name}, "cameras are not read");
        if (entry.mesh && !entry.weights.empty() && entry.weights != document_.meshes[*entry.mesh].weights) {
            losses_.add("node-weights", {"node", {}, entry.name},
                        "has weights of its own for its mesh's morph targets, which are not read");
        }
    }

    /// Hulls that our writer made say so; everything else is there to be seen.
    static Content contentOf(const Extras& extras) {
        if (extras.text().find("\"geomconv\"") == std::string::npos) return Content::Render;
        const nlohmann::ordered_json value = extras.value();
        if (!value.is_object() || !value.contains("geomconv")) return Content::Render;
        const auto& own = value["geomconv"];
        if (!own.is_object() || !own.contains("hull") || !own["hull"].is_object()) return Content::Render;
        const auto type = own["hull"].find("type");
        const bool bounds = type != own["hull"].end() && type->is_string() && *type != "terminal";
        return bounds ? Content::Bounds : Content::Collision;
    }

    // ------------------------------------------------------------------------------------------ skins, animations

    void skin(std::size_t number) {
        const SkinEntry& entry = document_.skins[number];
        const Where where{{"skin", std::to_string(number), printable(entry.name)}};
        Skin& made = scene_.skins.emplace_back();
        made.name = entry.name;
        for (const std::uint32_t joint : entry.joints) made.joints.push_back(*nodeOf_[joint]);
        if (entry.skeleton) made.skeletonRoot = nodeOf_[*entry.skeleton];
        if (!entry.inverseBindMatrices) return;
        expectUsage(document_, *entry.inverseBindMatrices, kMatrices, where);
        const std::uint64_t count = document_.accessors[*entry.inverseBindMatrices].count;
        if (count < entry.joints.size()) {
            fail("count", where,
                 std::to_string(count) + " inverse bind matrices for " + std::to_string(entry.joints.size()) +
                     " joints");
        }
        spend(count * sizeof(Mat4), where);
        std::vector<float> values(static_cast<std::size_t>(count) * 16);
        readFloats(document_, *entry.inverseBindMatrices, {}, values.data(), 16);
        if (!allFinite(std::span<const float>(values)))
            fail("nonfinite", where, "an inverse bind matrix holds NaN or infinity");
        made.inverseBindMatrices.resize(entry.joints.size());
        std::memcpy(&made.inverseBindMatrices.front()[0][0], values.data(), entry.joints.size() * sizeof(Mat4));
    }

    /// Meshes then stand where their nodes do.
    void dropSkin(std::size_t skin) {
        for (Node& node : scene_.nodes) {
            if (node.skin == skin) node.skin.reset();
        }
    }

    /// A vertex names its joints by their place in the skin of the node that shows it.
    void checkJoints() {
        std::vector<std::optional<std::uint32_t>> largest(scene_.meshes.size());
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            Node& node = scene_.nodes[i];
            if (!node.skin) continue;
            auto& joint = largest[*node.mesh];
            if (!joint) joint = largestJoint(scene_.meshes[*node.mesh]);
            const std::size_t joints = scene_.skins[*node.skin].joints.size();
            if (*joint < joints) continue;
            attempt([&] {
                fail("index-range", {{"node", std::to_string(i), printable(node.name)}},
                     "a vertex of its mesh has joint " + std::to_string(*joint) + ", the skin has " +
                         std::to_string(joints));
            });
            node.skin.reset();
        }
    }

    static std::uint32_t largestJoint(const Mesh& mesh) {
        std::uint32_t largest = 0;
        for (const Primitive& primitive : mesh.primitives) {
            for (const Influences& set : primitive.influences) {
                for (const auto& joints : set.joints) {
                    largest = std::max<std::uint32_t>(largest, *std::max_element(joints.begin(), joints.end()));
                }
            }
        }
        return largest;
    }

    void animation(std::size_t number) {
        const AnimationEntry& entry = document_.animations[number];
        Animation made;
        made.name = entry.name;
        made.extras = Extras::fromText(entry.extras);
        const Place self{"animation", std::to_string(number), printable(entry.name)};
        for (std::size_t i = 0; i < entry.channels.size(); ++i) {
            if (!nodeOf_[entry.channels[i].node]) continue;  // not in the scene that is shown
            attempt([&] {
                made.channels.push_back(channel(entry.channels[i], {{"channel", std::to_string(i)}, self}));
            });
        }
        scene_.animations.push_back(std::move(made));
    }

    Channel channel(const ChannelEntry& entry, const Where& where) {
        Channel made;
        made.node = *nodeOf_[entry.node];
        made.path = entry.path;
        made.interpolation = entry.interpolation;
        made.times = keys(entry.input, kTimes, where);
        const bool increases =
            std::adjacent_find(made.times.begin(), made.times.end(), std::greater_equal<float>()) == made.times.end();
        if (!increases) fail("times", where, "the times do not rise");
        const Usage& usage = entry.path == ChannelPath::Rotation  ? kRotations
                             : entry.path == ChannelPath::Weights ? kTargetWeights
                                                                  : kTranslations;
        made.values = keys(entry.output, usage, where);
        const std::size_t perTime = entry.interpolation == Interpolation::CubicSpline ? 3 : 1;
        const std::size_t values = made.times.size() * perTime * widthOf(entry);
        if (made.values.size() != values) {
            fail("count", where,
                 std::to_string(made.values.size()) + " numbers, " + std::to_string(values) + " are expected");
        }
        return made;
    }

    std::size_t widthOf(const ChannelEntry& entry) const {
        if (entry.path == ChannelPath::Rotation) return 4;
        if (entry.path != ChannelPath::Weights) return 3;
        const auto mesh = document_.nodes[entry.node].mesh;
        if (!mesh || document_.meshes[*mesh].primitives.empty()) return 0;
        return document_.meshes[*mesh].primitives.front().targets.size();
    }

    std::vector<float> keys(std::uint32_t number, const Usage& usage, const Where& where) {
        expectUsage(document_, number, usage, where);
        const Accessor& accessor = document_.accessors[number];
        const std::size_t width = componentCount(accessor.type);
        spend(accessor.count * width * 4, where);
        std::vector<float> values(static_cast<std::size_t>(accessor.count) * width);
        readFloats(document_, number, {}, values.data(), width);
        if (!allFinite(std::span<const float>(values))) {
            fail("nonfinite", where, std::string(usage.name) + " hold NaN or infinity");
        }
        return values;
    }

    static constexpr std::uint64_t kBudgetFactor = 64;
    static constexpr std::uint64_t kBudgetBase = std::uint64_t{16} << 20;

    Document document_;
    bool recover_;
    Defects& defects_;
    Scene scene_;
    Losses losses_;
    std::uint64_t budget_ = 0;
    std::vector<std::uint32_t> uses_;                   ///< per accessor: primitives with it as POSITION
    std::vector<std::optional<std::uint32_t>> nodeOf_;  ///< document node -> scene node
    std::vector<bool> inScene_;
    std::span<const std::uint32_t> pick_;  ///< vertices of the primitive at hand; empty: all
    std::uint64_t vertices_ = 0;           ///< how many it has
};

Scene read(const Input& input, const ReadOptions& options, std::string_view format, Defects& defects) {
    return SceneReader(input, options.recover, defects).read(format, fileNameOf(input.name));
}

}  // namespace

Scene readGlb(const Input& input, const ReadOptions& options, Defects& defects) {
    return read(input, options, "glb", defects);
}
Scene readGltf(const Input& input, const ReadOptions& options, Defects& defects) {
    return read(input, options, "gltf", defects);
}

}  // namespace geomconv::gltf
