#include "exporters/gltf/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/hull_display.hpp"
#include "lib/image/image_files.hpp"
#include "lib/image/png.hpp"
#include "lib/losses.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::gltf {

namespace {

/// How far the squared length of a unit vector may be off: float rounding passes, a scaled vector does not.
constexpr float kUnitTolerance = 1e-3F;
/// Hull colours before they repeat; each is a material of the file.
constexpr std::size_t kHullMaterials = 64;

bool isUnit(float squaredLength) {
    return std::fabs(squaredLength - 1.0F) <= kUnitTolerance;
}

template <class V>
std::span<const float> floatsOf(const std::vector<V>& vectors) {
    if (vectors.empty()) return {};
    return {&vectors.front()[0], vectors.size() * (sizeof(V) / sizeof(float))};
}

Range rangeOf(const std::vector<Vec3>& points) {
    constexpr float kMax = std::numeric_limits<float>::infinity();
    Range range{{kMax, kMax, kMax}, {-kMax, -kMax, -kMax}};
    for (const Vec3& p : points) {
        for (std::size_t c = 0; c < 3; ++c) {
            const float v = p[static_cast<glm::length_t>(c)];
            range.low[c] = std::min(range.low[c], v);
            range.high[c] = std::max(range.high[c], v);
        }
    }
    return range;
}

std::string_view hullTypeName(HullType type) {
    switch (type) {
        case HullType::Wrap:
            return "wrap";
        case HullType::Box:
            return "box";
        default:
            return "terminal";
    }
}

/// `extras` with "geomconv": {"hull": ...} in it. Extras that know nothing of geomconv are spliced as text.
std::string hullExtras(const Hull& hull) {
    std::string own = "{\"hull\":{";
    if (hull.id) own += "\"id\":" + std::to_string(*hull.id) + ",";
    own += "\"type\":\"" + std::string(hullTypeName(hull.type)) + "\"}}";
    const std::string& text = hull.extras.text();
    if (text.empty() || text == "{}") return "{\"geomconv\":" + own + "}";
    if (text.front() == '{' && text.find("\"geomconv\"") == std::string::npos) {
        return "{\"geomconv\":" + own + "," + text.substr(1);
    }
    nlohmann::ordered_json value = hull.extras.value();
    if (!value.is_object()) value = {{"value", std::move(value)}};
    value["geomconv"].update(nlohmann::ordered_json::parse(own), true);
    return value.dump();
}

bool hasTargetNames(const Mesh& mesh) {
    if (mesh.primitives.empty()) return false;
    const auto& targets = mesh.primitives.front().targets;
    return std::any_of(targets.begin(), targets.end(), [](const MorphTarget& t) { return !t.name.empty(); });
}

/// `extras` with "targetNames" in it.
std::string extrasWithTargetNames(const Mesh& mesh) {
    nlohmann::ordered_json value = mesh.extras.value();
    if (value.is_null()) value = nlohmann::ordered_json::object();
    if (!value.is_object()) value = {{"value", std::move(value)}};
    auto& names = value["targetNames"] = nlohmann::ordered_json::array();
    for (const MorphTarget& target : mesh.primitives.front().targets) names.push_back(target.name);
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

class Planner {
public:
    Planner(const Scene& scene, const WriteOptions& options) : scene_(scene), options_(options) {}

    Plan make(Defects& defects) {
        markSkinnedMeshes();
        images();
        materials();
        meshes();
        nodes();
        hulls();
        skins();
        animations();
        placeSkinnedNodes();
        root();
        losses_.report(defects);
        return std::move(plan_);
    }

private:
    /// A text that the scene does not have.
    std::string_view own(std::string text) { return plan_.texts.emplace_back(std::move(text)); }

    // ------------------------------------------------------------------------------------------ arrays

    std::uint32_t accessor(ViewKind kind, const void* data, std::uint64_t count, ComponentType component,
                           ElementType type) {
        ViewPlan& view = plan_.views[static_cast<std::size_t>(kind)];
        const std::uint64_t size = count * componentCount(type) * componentSize(component);
        plan_.accessors.push_back({kind, component, type, static_cast<std::uint32_t>(count), view.size, std::nullopt});
        view.pieces.push_back({data, size});
        view.size += size;
        return static_cast<std::uint32_t>(plan_.accessors.size() - 1);
    }

    template <class V>
    std::uint32_t vectors(ViewKind kind, const std::vector<V>& values) {
        constexpr ElementType kTypes[] = {ElementType::Scalar, ElementType::Vec2, ElementType::Vec3, ElementType::Vec4};
        return accessor(kind, values.data(), values.size(), ComponentType::Float, kTypes[sizeof(V) / 4 - 1]);
    }

    /// With min and max; throws GeometryError for a number that is none.
    std::uint32_t points(ViewKind kind, const std::vector<Vec3>& values, std::string_view noun, std::string_view name) {
        if (!allFinite(floatsOf(values))) {
            throw GeometryError(std::string(noun) + ' ' + std::string(name), "nonfinite",
                                "a position is NaN or infinite");
        }
        const std::uint32_t made = vectors(kind, values);
        setRange(made, rangeOf(values));
        return made;
    }

    void setRange(std::uint32_t accessor, const Range& range) {
        plan_.accessors[accessor].range = static_cast<std::uint32_t>(plan_.ranges.size());
        plan_.ranges.push_back(range);
    }

    std::uint32_t indices(const void* data, std::uint64_t count) {
        return accessor(ViewKind::Indices, data, count, ComponentType::UnsignedInt, ElementType::Scalar);
    }

    // ------------------------------------------------------------------------------------------ materials

    void images() {
        if (!options_.textures) return;
        imageOf_.resize(scene_.images.size());
        for (std::size_t i = 0; i < scene_.images.size(); ++i) image(i);
    }

    void image(std::size_t index) {
        const Image& image = scene_.images[index];
        ImagePlan made{image.name, "image/png", {}};
        if (!image.encoded.empty()) {
            // glTF knows two kinds of image; other ones are not decoded and encoded again behind the user's back.
            made.mimeType = imageMimeType(image.encoded);
            made.bytes = image.encoded;
            if (made.mimeType != "image/png" && made.mimeType != "image/jpeg") {
                losses_.add("image-type", {"image", {}, image.name},
                            "neither PNG nor JPEG, which is all glTF can hold: left out");
                return;
            }
        } else if (imageHasContent(image)) {
            made.bytes = plan_.files.emplace_back(encodePng(image));
        } else if (!image.uri.empty()) {
            // A viewer refuses a whole file for one image that is not where it says.
            losses_.add("image-missing", {"image", {}, image.name}, "its file was not there: left out");
            return;
        } else {
            losses_.add("image-empty", {"image", {}, image.name}, "has neither pixels nor a file: left out");
            return;
        }
        imageOf_[index] = static_cast<std::uint32_t>(plan_.images.size());
        plan_.images.push_back(std::move(made));
    }

    std::optional<std::uint32_t> texture(const Material& material) {
        if (!material.image || !options_.textures || !imageOf_[*material.image]) return std::nullopt;
        const TexturePlan wanted{*imageOf_[*material.image], material.wrapU, material.wrapV, material.filter};
        const auto found = std::find(plan_.textures.begin(), plan_.textures.end(), wanted);
        if (found != plan_.textures.end()) return static_cast<std::uint32_t>(found - plan_.textures.begin());
        plan_.textures.push_back(wanted);
        return static_cast<std::uint32_t>(plan_.textures.size() - 1);
    }

    void materials() {
        for (const Material& material : scene_.materials) {
            plan_.materials.push_back({material, texture(material)});
            plan_.unlit = plan_.unlit || material.unlit;
        }
    }

    /// A texture on a primitive without UVs is an error in glTF: such a primitive gets the material without it.
    std::optional<std::uint32_t> materialFor(const Primitive& primitive, bool hasUvs) {
        if (!primitive.material || hasUvs || !plan_.materials[*primitive.material].texture) return primitive.material;
        auto [entry, isNew] = untextured_.try_emplace(*primitive.material, 0);
        if (isNew) {
            entry->second = static_cast<std::uint32_t>(plan_.materials.size());
            plan_.materials.push_back({scene_.materials[*primitive.material], std::nullopt});
        }
        return entry->second;
    }

    std::uint32_t hullMaterial(std::size_t hull, HullType type) {
        const std::size_t number = hull % kHullMaterials;
        const bool bounds = type != HullType::Terminal;
        auto [entry, isNew] = hullMaterials_.try_emplace({number, bounds}, 0);
        if (isNew) {
            Material look;
            look.name = (bounds ? "bounds " : "hull ") + std::to_string(number);
            look.baseColor = Vec4(hullColor(number), hullOpacity(type));
            look.alphaMode = bounds ? AlphaMode::Blend : AlphaMode::Opaque;
            entry->second = static_cast<std::uint32_t>(plan_.materials.size());
            plan_.materials.push_back({std::move(look), std::nullopt});
        }
        return entry->second;
    }

    // ------------------------------------------------------------------------------------------ meshes

    void markSkinnedMeshes() {
        skinned_.resize(scene_.meshes.size());
        for (const Node& node : scene_.nodes) {
            if (node.skin && node.mesh) skinned_[*node.mesh] = true;
        }
    }

    void meshes() {
        meshOf_.resize(scene_.meshes.size());
        plan_.meshes.reserve(scene_.meshes.size());
        for (std::size_t i = 0; i < scene_.meshes.size(); ++i) {
            const Mesh& mesh = scene_.meshes[i];
            MeshPlan made{mesh.name, {}, {}, mesh.extras.text()};
            if (hasTargetNames(mesh)) made.extras = own(extrasWithTargetNames(mesh));
            withTargets_ = targetsAreEqual(mesh);
            for (const Primitive& primitive : mesh.primitives) {
                if (isEmpty(primitive)) continue;
                made.primitives.push_back(this->primitive(mesh, primitive, skinned_[i]));
            }
            if (made.primitives.empty()) {
                losses_.add("mesh-empty", {"mesh", {}, mesh.name},
                            "has no triangles, which glTF cannot hold: its nodes have no mesh");
                continue;
            }
            if (withTargets_ && mesh.weights.size() == made.primitives.front().targets.size())
                made.weights = mesh.weights;
            meshOf_[i] = static_cast<std::uint32_t>(plan_.meshes.size());
            plan_.meshes.push_back(std::move(made));
        }
    }

    static bool isEmpty(const Primitive& primitive) {
        return primitive.positions.empty() || (primitive.indices.empty() && primitive.topology != Topology::Points);
    }

    bool targetsAreEqual(const Mesh& mesh) {
        for (const Primitive& primitive : mesh.primitives) {
            if (primitive.targets.size() == mesh.primitives.front().targets.size()) continue;
            losses_.add("targets-unequal", {"mesh", {}, mesh.name},
                        "primitives differ in their number of morph targets: left out");
            return false;
        }
        return true;
    }

    PrimitivePlan primitive(const Mesh& mesh, const Primitive& source, bool skinned) {
        PrimitivePlan made;
        made.topology = source.topology;
        const auto add = [&made](std::string_view name, std::uint32_t accessor) {
            made.attributes.emplace_back(name, accessor);
        };
        const std::size_t n = source.positions.size();
        add("POSITION", points(ViewKind::Positions, source.positions, "mesh", mesh.name));
        const auto normals = source.normals.size() == n ? normalsOf(mesh, source) : std::nullopt;
        if (normals) add("NORMAL", *normals);
        if (normals && source.tangents.size() == n) {
            if (tangentsAreSound(source))
                add("TANGENT", vectors(ViewKind::Tangents, source.tangents));
            else
                losses_.add("tangents", {"mesh", {}, mesh.name}, "tangents that are not of unit length: left out");
        }
        const bool uvs = source.uvs.size() == n && allFinite(floatsOf(source.uvs));
        if (uvs)
            add("TEXCOORD_0", vectors(ViewKind::Uvs, source.uvs));
        else if (source.uvs.size() == n)
            losses_.add("uvs", {"mesh", {}, mesh.name}, "UVs that are NaN or infinite: left out");
        if (source.colors.size() == n && allFinite(floatsOf(source.colors))) add("COLOR_0", colorsOf(mesh, source));
        if (skinned) influences(source, made.attributes);
        if (withTargets_) {
            for (const MorphTarget& target : source.targets)
                made.targets.push_back(morph(mesh, target, normals.has_value()));
        }
        if (!source.indices.empty()) made.indices = indices(source.indices.data(), source.indices.size());
        made.material = materialFor(source, uvs);
        return made;
    }

    Attributes morph(const Mesh& mesh, const MorphTarget& target, bool withNormals) {
        Attributes made;
        made.emplace_back("POSITION", points(ViewKind::Targets, target.positions, "mesh", mesh.name));
        if (withNormals && target.normals.size() == target.positions.size()) {
            made.emplace_back("NORMAL", vectors(ViewKind::Targets, target.normals));
        }
        return made;
    }

    std::vector<float>& ownFloats(std::span<const float> values) {
        return plan_.floats.emplace_back(values.begin(), values.end());
    }

    /// glTF wants unit normals: other ones are brought to length 1, and left out where one has no direction.
    std::optional<std::uint32_t> normalsOf(const Mesh& mesh, const Primitive& source) {
        const auto bad = [](const Vec3& v) { return !isUnit(v.x * v.x + v.y * v.y + v.z * v.z); };
        const auto first = std::find_if(source.normals.begin(), source.normals.end(), bad);
        if (first == source.normals.end()) return vectors(ViewKind::Normals, source.normals);
        std::vector<float>& copy = ownFloats(floatsOf(source.normals));
        for (std::size_t i = 0; i < copy.size(); i += 3) {
            const double x = copy[i], y = copy[i + 1], z = copy[i + 2];
            const double length = std::sqrt(x * x + y * y + z * z);
            if (!(length > 0.0) || !std::isfinite(length)) {
                losses_.add("normals-zero", {"mesh", {}, mesh.name}, "normals without a direction: left out");
                return std::nullopt;
            }
            copy[i] = static_cast<float>(x / length);
            copy[i + 1] = static_cast<float>(y / length);
            copy[i + 2] = static_cast<float>(z / length);
        }
        losses_.add("normals-length", {"mesh", {}, mesh.name}, "normals brought to length 1");
        return accessor(ViewKind::Normals, copy.data(), source.normals.size(), ComponentType::Float, ElementType::Vec3);
    }

    static bool tangentsAreSound(const Primitive& source) {
        return std::all_of(source.tangents.begin(), source.tangents.end(), [](const Vec4& t) {
            return isUnit(t.x * t.x + t.y * t.y + t.z * t.z) && std::fabs(t.w) == 1.0F;
        });
    }

    std::uint32_t colorsOf(const Mesh& mesh, const Primitive& source) {
        const auto within = [](float v) { return v >= 0.0F && v <= 1.0F; };
        const auto all = floatsOf(source.colors);
        if (std::all_of(all.begin(), all.end(), within)) return vectors(ViewKind::Colors, source.colors);
        std::vector<float>& copy = ownFloats(all);
        for (float& v : copy) v = std::clamp(v, 0.0F, 1.0F);
        losses_.add("colors-range", {"mesh", {}, mesh.name}, "vertex colours outside 0..1 brought into range");
        return accessor(ViewKind::Colors, copy.data(), source.colors.size(), ComponentType::Float, ElementType::Vec4);
    }

    // ------------------------------------------------------------------------------------------ influences

    /// JOINTS_n and WEIGHTS_n. glTF wants sums of 1, no joint twice, and joint 0 where the weight is 0.
    void influences(const Primitive& source, Attributes& attributes) {
        const bool sound = influencesAreSound(source);
        std::vector<std::uint16_t*> joints;
        std::vector<float*> weights;
        for (std::size_t set = 0; set < source.influences.size(); ++set) {
            const Influences& from = source.influences[set];
            const void* jointData = from.joints.data();
            const void* weightData = from.weights.data();
            if (!sound) {
                auto& ownJoints = plan_.words.emplace_back(from.joints.size() * 4);
                for (std::size_t i = 0; i < ownJoints.size(); ++i) ownJoints[i] = from.joints[i / 4][i % 4];
                auto& ownWeights = ownFloats(floatsOf(from.weights));
                joints.push_back(ownJoints.data());
                weights.push_back(ownWeights.data());
                jointData = ownJoints.data();
                weightData = ownWeights.data();
            }
            const std::string number = std::to_string(set);
            attributes.emplace_back(own("JOINTS_" + number), accessor(ViewKind::Joints, jointData, from.joints.size(),
                                                                      ComponentType::UnsignedShort, ElementType::Vec4));
            attributes.emplace_back(
                own("WEIGHTS_" + number),
                accessor(ViewKind::Weights, weightData, from.weights.size(), ComponentType::Float, ElementType::Vec4));
        }
        if (!sound) repairInfluences(source.positions.size(), joints, weights);
    }

    static bool influencesAreSound(const Primitive& source) {
        for (std::size_t v = 0; v < source.positions.size(); ++v) {
            double sum = 0.0;
            std::size_t used = 0;
            std::array<std::uint16_t, 32> seen{};
            for (const Influences& set : source.influences) {
                for (std::size_t k = 0; k < 4; ++k) {
                    const float weight = set.weights[v][static_cast<glm::length_t>(k)];
                    const std::uint16_t joint = set.joints[v][k];
                    if (weight == 0.0F) {
                        if (joint != 0) return false;
                        continue;
                    }
                    if (!(weight > 0.0F) || used == seen.size()) return false;
                    const auto end = seen.begin() + static_cast<std::ptrdiff_t>(used);
                    if (std::find(seen.begin(), end, joint) != end) return false;
                    seen[used++] = joint;
                    sum += static_cast<double>(weight);
                }
            }
            // Half of what the Khronos validator allows per influence.
            if (!(std::fabs(sum - 1.0) <= 1e-7 * static_cast<double>(used))) return false;
        }
        return true;
    }

    static void repairInfluences(std::size_t vertices, const std::vector<std::uint16_t*>& joints,
                                 const std::vector<float*>& weights) {
        std::vector<std::pair<std::uint16_t, double>> merged;
        for (std::size_t v = 0; v < vertices; ++v) {
            merged.clear();
            double sum = 0.0;
            for (std::size_t i = 0; i < joints.size() * 4; ++i) {
                const float weight = weights[i / 4][v * 4 + i % 4];
                const std::uint16_t joint = joints[i / 4][v * 4 + i % 4];
                if (!(weight > 0.0F) || !std::isfinite(weight)) continue;
                sum += static_cast<double>(weight);
                const auto same = std::find_if(merged.begin(), merged.end(), [&](auto& m) { return m.first == joint; });
                if (same == merged.end())
                    merged.emplace_back(joint, static_cast<double>(weight));
                else
                    same->second += static_cast<double>(weight);
            }
            if (merged.empty()) merged.emplace_back(std::uint16_t{0}, sum = 1.0);
            storeInfluences(v, merged, sum, joints, weights);
        }
    }

    static void storeInfluences(std::size_t vertex, const std::vector<std::pair<std::uint16_t, double>>& merged,
                                double sum, const std::vector<std::uint16_t*>& joints,
                                const std::vector<float*>& weights) {
        double left = 1.0;
        for (std::size_t i = joints.size() * 4; i-- > 0;) {
            const bool used = i < merged.size();
            // The first takes what rounding left over.
            const auto weight = used ? static_cast<float>(i == 0 ? left : merged[i].second / sum) : 0.0F;
            left -= static_cast<double>(weight);
            joints[i / 4][vertex * 4 + i % 4] = used ? merged[i].first : std::uint16_t{0};
            weights[i / 4][vertex * 4 + i % 4] = weight;
        }
    }

    // ------------------------------------------------------------------------------------------ nodes

    void nodes() {
        plan_.nodes.resize(scene_.nodes.size());
        for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            NodePlan& made = plan_.nodes[i];
            made.name = node.name;
            made.extras = node.extras.text();
            pose(made, {node.translation, unitRotation(node), node.scale, node.matrix});
            checkFinite(node);
            if (node.mesh) made.mesh = meshOf_[*node.mesh];
            if (made.mesh && node.skin && hasInfluences(*made.mesh)) made.skin = node.skin;
            if (node.parent)
                plan_.nodes[*node.parent].children.push_back(i);
            else
                plan_.roots.push_back(i);
        }
    }

    void pose(NodePlan& node, const PosePlan& pose) {
        node.pose.reset();
        if (isStill(pose)) return;
        node.pose = static_cast<std::uint32_t>(plan_.poses.size());
        plan_.poses.push_back(pose);
    }

    bool hasInfluences(std::uint32_t mesh) const {
        const auto& attributes = plan_.meshes[mesh].primitives.front().attributes;
        return std::any_of(attributes.begin(), attributes.end(), [](auto& a) { return a.first == "JOINTS_0"; });
    }

    Quat unitRotation(const Node& node) {
        const Quatd q(node.rotation);
        const double squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (std::fabs(squared - 1.0) < 1e-6) return node.rotation;
        if (squared > 0.0 && std::isfinite(squared)) return Quat(q * (1.0 / std::sqrt(squared)));
        losses_.add("rotation-zero", {"node", {}, node.name}, "a rotation without a direction: left out");
        return quat(0.0F, 0.0F, 0.0F, 1.0F);
    }

    static void checkFinite(const Node& node) {
        const Mat4d m = localMatrix(node);
        double sum = 0.0;
        for (int c = 0; c < 4; ++c) {
            for (int r = 0; r < 4; ++r) sum += m[c][r] - m[c][r];
        }
        if (sum != 0.0) throw GeometryError("node " + node.name, "nonfinite", "its transform holds NaN or infinity");
    }

    void hulls() {
        hullMesh_.resize(scene_.hulls.size());
        for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
            const Node& part = scene_.nodes[i];
            for (std::size_t k = 0; k < part.hulls.size(); ++k) {
                const Hull& hull = scene_.hulls[part.hulls[k]];
                NodePlan made;
                made.name = own(hullOutputName(scene_, i, k, options_.hullNames, false));
                made.mesh = hullMesh(part.hulls[k], made.name);
                made.extras = own(hullExtras(hull));
                plan_.nodes[i].children.push_back(static_cast<std::uint32_t>(plan_.nodes.size()));
                plan_.nodes.push_back(std::move(made));
            }
        }
    }

    std::optional<std::uint32_t> hullMesh(std::uint32_t index, std::string_view name) {
        if (hullMesh_[index]) return hullMesh_[index];
        const Hull& hull = scene_.hulls[index];
        if (hull.points.empty() || hull.triangles.empty()) {
            losses_.add("mesh-empty", {"hull", {}, std::string(name)},
                        "has no triangles, which glTF cannot hold: its node has no mesh");
            return std::nullopt;
        }
        PrimitivePlan made;
        made.attributes.emplace_back("POSITION", points(ViewKind::Positions, hull.points, "hull", name));
        made.indices = indices(hull.triangles.data(), hull.triangles.size() * 3);
        made.material = hullMaterial(index, hull.type);
        MeshPlan mesh{name, {}, {}, {}};
        mesh.primitives.push_back(std::move(made));
        hullMesh_[index] = static_cast<std::uint32_t>(plan_.meshes.size());
        plan_.meshes.push_back(std::move(mesh));
        return hullMesh_[index];
    }

    // ------------------------------------------------------------------------------------------ skins, animations

    std::uint32_t topOf(std::uint32_t node) const {
        while (scene_.nodes[node].parent) node = *scene_.nodes[node].parent;
        return node;
    }

    bool isAbove(std::uint32_t above, std::uint32_t node) const {
        while (node != above && scene_.nodes[node].parent) node = *scene_.nodes[node].parent;
        return node == above;
    }

    void skins() {
        isJoint_.resize(scene_.nodes.size());
        for (const Skin& skin : scene_.skins) {
            SkinPlan made{skin.name, skin.joints, std::nullopt, std::nullopt};
            if (!skin.inverseBindMatrices.empty()) {
                made.inverseBindMatrices =
                    accessor(ViewKind::Matrices, skin.inverseBindMatrices.data(), skin.inverseBindMatrices.size(),
                             ComponentType::Float, ElementType::Mat4);
            }
            for (const std::uint32_t joint : skin.joints) {
                isJoint_[joint] = true;
                needsRoot_ = needsRoot_ || topOf(joint) != topOf(skin.joints.front());
            }
            const auto below = [&](std::uint32_t joint) { return isAbove(*skin.skeletonRoot, joint); };
            if (skin.skeletonRoot && std::all_of(skin.joints.begin(), skin.joints.end(), below)) {
                made.skeleton = skin.skeletonRoot;
            }
            plan_.skins.push_back(std::move(made));
        }
    }

    void animations() {
        isMoved_.resize(scene_.nodes.size());
        for (const Animation& animation : scene_.animations) {
            AnimationPlan made{animation.name, {}, animation.extras.text()};
            std::set<std::pair<std::uint32_t, ChannelPath>> targets;
            const Channel* before = nullptr;
            for (const Channel& channel : animation.channels) {
                if (!channelIsSound(channel) || !targets.emplace(channel.node, channel.path).second) {
                    losses_.add(
                        "channel", {"animation", {}, animation.name},
                        "a channel that glTF cannot hold (times that do not rise, a target met twice): left out");
                    continue;
                }
                made.channels.push_back(this->channel(channel, before, made));
                before = &channel;
            }
            if (made.channels.empty())
                losses_.add("animation-empty", {"animation", {}, animation.name}, "has no channels: left out");
            else
                plan_.animations.push_back(std::move(made));
        }
    }

    bool channelIsSound(const Channel& channel) const {
        if (channel.times.empty() || !allFinite(std::span<const float>(channel.times)) ||
            !allFinite(std::span<const float>(channel.values))) {
            return false;
        }
        const auto stops = std::adjacent_find(channel.times.begin(), channel.times.end(), std::greater_equal<float>());
        if (channel.times.front() < 0.0F || stops != channel.times.end()) return false;
        const std::size_t perTime = channel.interpolation == Interpolation::CubicSpline ? 3 : 1;
        std::size_t width = channel.path == ChannelPath::Rotation ? 4 : 3;
        if (channel.path == ChannelPath::Weights) {
            const auto mesh = plan_.nodes[channel.node].mesh;
            width = mesh ? plan_.meshes[*mesh].primitives.front().targets.size() : 0;
        }
        return width > 0 && channel.values.size() == channel.times.size() * perTime * width;
    }

    ChannelPlan channel(const Channel& source, const Channel* before, const AnimationPlan& animation) {
        ChannelPlan made{source.node, source.path, source.interpolation, 0, 0};
        if (before != nullptr && before->times == source.times) {
            made.input = animation.channels.back().input;
        } else {
            made.input = vectors(ViewKind::Keys, source.times);
            setRange(made.input, {{source.times.front(), 0, 0}, {source.times.back(), 0, 0}});
        }
        const std::vector<float>& values = source.path == ChannelPath::Rotation ? unitRotations(source) : source.values;
        ElementType type = source.path == ChannelPath::Rotation ? ElementType::Vec4 : ElementType::Vec3;
        if (source.path == ChannelPath::Weights) type = ElementType::Scalar;
        made.output =
            accessor(ViewKind::Keys, values.data(), values.size() / componentCount(type), ComponentType::Float, type);
        if (source.path != ChannelPath::Weights) {
            isMoved_[source.node] = true;
            splitMatrix(plan_.nodes[source.node]);
        }
        return made;
    }

    const std::vector<float>& unitRotations(const Channel& source) {
        if (source.interpolation == Interpolation::CubicSpline) return source.values;
        const auto square = [](const float* q) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]; };
        bool sound = true;
        for (std::size_t i = 0; i < source.values.size(); i += 4) sound = sound && isUnit(square(&source.values[i]));
        if (sound) return source.values;
        std::vector<float>& copy = ownFloats(source.values);
        for (std::size_t i = 0; i < copy.size(); i += 4) {
            const float length = std::sqrt(square(&copy[i]));
            for (std::size_t c = 0; c < 4; ++c)
                copy[i + c] = length > 0.0F ? copy[i + c] / length : (c == 3 ? 1.0F : 0.0F);
        }
        return copy;
    }

    /// A node that moves may not have a matrix in glTF.
    void splitMatrix(const NodePlan& node) {
        if (!node.pose || !plan_.poses[*node.pose].matrix) return;
        PosePlan& pose = plan_.poses[*node.pose];
        const Mat4d m(*pose.matrix);
        Mat3d turn(m);
        Vec3d scale(glm::length(turn[0]), glm::length(turn[1]), glm::length(turn[2]));
        if (glm::determinant(turn) < 0.0) scale.x = -scale.x;
        for (int c = 0; c < 3; ++c) turn[c] /= scale[c] == 0.0 ? 1.0 : scale[c];
        pose.translation = Vec3(m[3]);
        pose.scale = Vec3(scale);
        pose.rotation = Quat(glm::normalize(glm::quat_cast(turn)));
        pose.matrix.reset();
    }

    // ------------------------------------------------------------------------------------------ roots

    static bool isStill(const PosePlan& pose) {
        return !pose.matrix && pose.translation == Vec3(0.0F) && pose.scale == Vec3(1.0F) &&
               pose.rotation == quat(0.0F, 0.0F, 0.0F, 1.0F);
    }

    /// A skinned mesh does not follow its node's transform or parents; the validator warns of any. So it stands at the
    /// top without a transform: the node itself where nothing else needs it in its place, otherwise a second node of
    /// its name.
    void placeSkinnedNodes() {
        const std::size_t count = scene_.nodes.size();
        for (std::uint32_t i = 0; i < count; ++i) {
            NodePlan& node = plan_.nodes[i];
            if (!node.skin) continue;
            const auto parent = scene_.nodes[i].parent;
            auto& siblings = parent ? plan_.nodes[*parent].children : plan_.roots;
            if (node.children.empty() && !isJoint_[i] && !isMoved_[i]) {
                std::erase(siblings, i);
                node.pose.reset();
                skinnedRoots_.push_back(i);
            } else {
                NodePlan shown;
                shown.name = node.name;
                shown.mesh = std::exchange(node.mesh, std::nullopt);
                shown.skin = std::exchange(node.skin, std::nullopt);
                const auto made = static_cast<std::uint32_t>(plan_.nodes.size());
                skinnedRoots_.push_back(made);
                retargetWeights(i, made);
                plan_.nodes.push_back(std::move(shown));
            }
        }
    }

    void retargetWeights(std::uint32_t from, std::uint32_t to) {
        for (AnimationPlan& animation : plan_.animations) {
            for (ChannelPlan& channel : animation.channels) {
                if (channel.node == from && channel.path == ChannelPath::Weights) channel.node = to;
            }
        }
    }

    Mat4d rootTransform() const {
        Mat4d turn(1.0);
        if (options_.up == UpChoice::Default || options_.up == UpChoice::Y) turn = toYUp(scene_.space);
        if (options_.up == UpChoice::Z) turn = toZUp(scene_.space);
        for (int c = 0; c < 3; ++c) turn[c] *= options_.scale;
        return turn;
    }

    void root() {
        const Mat4d transform = rootTransform();
        const bool turned = transform != Mat4d(1.0);
        if ((turned || needsRoot_) && !plan_.roots.empty()) {
            NodePlan made;
            made.name = "root";
            made.children = std::move(plan_.roots);
            if (turned) pose(made, {Vec3(0.0F), quat(0.0F, 0.0F, 0.0F, 1.0F), Vec3(1.0F), Mat4(transform)});
            plan_.roots = {static_cast<std::uint32_t>(plan_.nodes.size())};
            plan_.nodes.push_back(std::move(made));
        }
        plan_.roots.insert(plan_.roots.end(), skinnedRoots_.begin(), skinnedRoots_.end());
    }

    const Scene& scene_;
    const WriteOptions& options_;
    Plan plan_;
    Losses losses_;
    std::vector<std::optional<std::uint32_t>> imageOf_;   ///< scene image -> plan image
    std::vector<std::optional<std::uint32_t>> meshOf_;    ///< scene mesh -> plan mesh
    std::vector<std::optional<std::uint32_t>> hullMesh_;  ///< scene hull -> plan mesh
    std::map<std::uint32_t, std::uint32_t> untextured_;
    std::map<std::pair<std::size_t, bool>, std::uint32_t> hullMaterials_;
    std::vector<bool> skinned_;
    std::vector<bool> isJoint_;
    std::vector<bool> isMoved_;
    std::vector<std::uint32_t> skinnedRoots_;
    bool withTargets_ = true;
    bool needsRoot_ = false;
};

}  // namespace

Plan makePlan(const Scene& scene, const WriteOptions& options, Defects& defects) {
    return Planner(scene, options).make(defects);
}

}  // namespace geomconv::gltf
