// Document to Scene: clumps and objs become nodes in the chosen pose, rigid models meshes on them. Bone and skin models
// are placed by the pose into the space of the file and hang on their clump; shadow volumes, hit meshes, dummies, boxes
// come when asked.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "formats/ccsf/animation.hpp"
#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/geometry.hpp"
#include "formats/ccsf/image.hpp"
#include "formats/ccsf/model.hpp"
#include "formats/ccsf/morph.hpp"
#include "formats/ccsf/pose.hpp"
#include "formats/ccsf/skin.hpp"
#include "formats/ccsf/stage.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::ccsf {

namespace {

/// Joints of skins that models do not share: few bytes must not ask for many.
constexpr std::uint64_t kFreeJoints = 4096;

/// The first record of each object.
template <class Record>
std::vector<std::uint32_t> firstOf(const Document& document, const std::vector<Record>& records) {
    std::vector<std::uint32_t> out(document.objects.size(), kNone);
    for (std::uint32_t i = 0; i < records.size(); ++i) {
        const std::uint32_t object = records[i].object;
        if (object < out.size() && out[object] == kNone) out[object] = i;
    }
    return out;
}

std::uint32_t at(const std::vector<std::uint32_t>& map, std::uint32_t object) {
    return object != 0 && object < map.size() ? map[object] : kNone;
}

class Builder {
public:
    Builder(const Document& document, const SceneOptions& options, Defects& defects)
        : document_(document),
          options_(options),
          defects_(defects),
          hierarchy_(hierarchyOf(document, defects)),
          materialOf_(firstOf(document, document.materials)),
          textureOf_(firstOf(document, document.textures)),
          clutOf_(firstOf(document, document.cluts)),
          modelOf_(firstOf(document, document.models)),
          morphs_(morphsOf(document)) {}

    Scene build() {
        scene_.space = Space{UpAxis::Z, Handedness::Right};
        addImages();
        addMaterials();
        locals_ = poseOf(document_, hierarchy_, options_.pose, defects_);
        Defects known;  // said of the pose already, where they show
        restLocals_ = poseOf(document_, hierarchy_, parsePose("bind"), known);
        worlds_ = worldsOf(hierarchy_, locals_);
        addClumps();
        addObjs();
        addModels();
        addAnimations();
        addHits();
        addHelpers();
        addBoxes();
        return std::move(scene_);
    }

private:
    // ---- names and places

    std::string name(std::uint32_t object) const { return std::string(document_.nameOf(object)); }
    void warn(std::string_view kind, std::uint32_t chunk, std::string_view noun, std::uint32_t object,
              std::string detail) const {
        defects_.warn(kind, document_.chunks[chunk].offset, {Place{std::string(noun), name(object)}},
                      std::move(detail));
    }
    void warnMmat(std::string_view kind, const Model& model, std::size_t k, std::string detail) const {
        defects_.warn(kind, document_.chunks[model.chunk].offset,
                      {Place{"mmat", std::to_string(k)}, Place{"Model", name(model.object)}}, std::move(detail));
    }
    bool wants(Content content) const { return options_.content.has(content); }

    // ---- images and materials

    void addImages() {
        imageOfTexture_.assign(document_.textures.size(), kNone);
        alpha_.assign(document_.textures.size(), AlphaUse::Opaque);
        if (!wants(Content::Render)) return;
        std::uint64_t missing = kMostMissing;
        for (std::uint32_t i = 0; i < document_.textures.size(); ++i) {
            const Texture& texture = document_.textures[i];
            if (at(textureOf_, texture.object) != i) continue;
            const std::uint32_t clutIndex = at(clutOf_, texture.clut);
            const Clut* clut = clutIndex != kNone ? &document_.cluts[clutIndex] : nullptr;
            std::optional<Image> image = imageOf(document_, texture, clut, 0, missing, defects_);
            if (!image) continue;
            alpha_[i] = alphaUse(*image, texture, clut);
            imageOfTexture_[i] = static_cast<std::uint32_t>(scene_.images.size());
            scene_.images.push_back(*std::move(image));
        }
    }

    /// A material looks different on lit and unlit models and under each blend type.
    struct Look {
        std::uint32_t object = 0;
        bool unlit = false;
        std::uint8_t blend = 0;
        auto operator<=>(const Look&) const = default;
    };

    void addMaterials() {
        if (!wants(Content::Render)) return;
        std::set<Look> used;
        for (const Model& model : document_.models) {
            if (model.shadow()) continue;
            for (const Mmat& mmat : model.mmats) used.insert({mmat.material, !model.lit(), model.blend()});
        }
        for (const Material& material : document_.materials) {
            if (at(materialOf_, material.object) == kNone || added_.contains(material.object)) continue;
            added_.insert(material.object);
            auto look = used.lower_bound({material.object, false, 0});
            if (look == used.end() || look->object != material.object)
                addMaterial({material.object, false, 0}, &material, material.texture);
            for (; look != used.end() && look->object == material.object; ++look)
                addMaterial(*look, &material, material.texture);
        }
        // A few files name a texture where a material belongs.
        for (const Look& look : used) {
            if (at(materialOf_, look.object) == kNone && at(textureOf_, look.object) != kNone)
                addMaterial(look, nullptr, look.object);
        }
    }

    void addMaterial(const Look& look, const Material* material, std::uint32_t textureObject) {
        geomconv::Material out;
        out.name = uniqueName(name(look.object));
        out.unlit = look.unlit;
        out.doubleSided = true;  // the hardware culls nothing
        const float transparency = material != nullptr ? material->transparency : 1.0F;
        out.baseColor.a = std::isfinite(transparency) ? std::clamp(transparency, 0.0F, 1.0F) : 1.0F;
        bool blended = look.blend != 0 || out.baseColor.a < 1.0F;
        const std::uint32_t t = at(textureOf_, textureObject);
        if (t != kNone && imageOfTexture_[t] != kNone) {
            const Texture& texture = document_.textures[t];
            out.image = imageOfTexture_[t];
            out.wrapU = out.wrapV = texture.clamps() ? Wrap::Clamp : Wrap::Repeat;
            blended = blended || texture.translucent() || alpha_[t] == AlphaUse::Partial;
            if (alpha_[t] == AlphaUse::Cutout) {
                out.alphaMode = AlphaMode::Mask;
                out.alphaCutoff = static_cast<float>(texture.aref) / 128.0F;
            }
        }
        if (blended) {
            out.alphaMode = AlphaMode::Blend;
            out.alphaCutoff = 0.5F;
        }
        out.extras = materialExtras(look, material);
        materialIndex_.emplace(look, static_cast<std::uint32_t>(scene_.materials.size()));
        scene_.materials.push_back(std::move(out));
    }

    /// What the scene has no field for: the blend type, and the reference point of texture animation.
    static Extras materialExtras(const Look& look, const Material* material) {
        static constexpr std::array<const char*, 4> kBlends{"normal", "add", "subtract", "other"};
        nlohmann::ordered_json extras;
        if (look.blend != 0) extras["blend"] = kBlends[look.blend];
        if (material != nullptr && (material->offsetU != 0 || material->offsetV != 0)) {
            extras["crop"] = {material->offsetU, material->offsetV};
        }
        if (material != nullptr && (material->scaleU != 0 || material->scaleV != 0)) {
            extras["uvScale"] = {material->scaleU, material->scaleV};
        }
        return extras.empty() ? Extras() : Extras(extras);
    }

    /// Material names are unique: writers refer to them by name.
    std::string uniqueName(std::string wanted) {
        std::size_t& met = materialNames_[wanted];
        std::string out = wanted;
        while (++met > 1) {
            out = wanted + "." + std::to_string(met);
            if (materialNames_.emplace(out, 1).second) break;
        }
        return out;
    }

    std::optional<std::uint32_t> materialFor(const Model& model, const Mmat& mmat) const {
        const auto found = materialIndex_.find({mmat.material, !model.lit(), model.blend()});
        return found != materialIndex_.end() ? std::optional(found->second) : std::nullopt;
    }
    bool topFirst(const Mmat& mmat) const {
        const std::uint32_t m = at(materialOf_, mmat.material);
        const std::uint32_t t = at(textureOf_, m != kNone ? document_.materials[m].texture : mmat.material);
        return t != kNone && document_.textures[t].topFirst();
    }

    // ---- nodes

    std::uint32_t addNode(std::string nodeName, std::optional<std::uint32_t> parent, Content content) {
        Node node;
        node.name = std::move(nodeName);
        node.parent = parent;
        node.content = content;
        scene_.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(scene_.nodes.size() - 1);
    }
    static void place(Node& node, const Local& local) {
        node.translation = Vec3(local.translation);
        node.rotation = glm::normalize(Quat(local.rotation));
        node.scale = Vec3(local.scale);
    }

    void addClumps() {
        for (const Clump& clump : document_.clumps)
            nodeOfClump_.push_back(addNode(name(clump.object), std::nullopt, Content::Render));
    }

    void addObjs() {
        const auto first = static_cast<std::uint32_t>(scene_.nodes.size());
        std::vector<std::uint32_t> nodes(document_.objs.size(), kNone);
        std::uint32_t next = first;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (isNode(i)) nodes[i] = next++;
        }
        const std::vector<std::uint32_t> obj2Of = firstOf(document_, document_.obj2s);
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i] == kNone) continue;
            const Obj& obj = document_.objs[i];
            std::optional<std::uint32_t> parent;
            if (hierarchy_.parentOf[i] != kNone)
                parent = nodes[hierarchy_.parentOf[i]];
            else if (hierarchy_.clumpOf[i] != kNone)
                parent = nodeOfClump_[hierarchy_.clumpOf[i]];
            Node& node = scene_.nodes[addNode(name(obj.object), parent, Content::Render)];
            place(node, locals_[i]);
            const std::uint32_t obj2 = at(obj2Of, obj.object);
            if (obj2 != kNone) node.extras = Extras(nlohmann::ordered_json{{"obj2Flags", document_.obj2s[obj2].flags}});
        }
        nodeOfObj_ = std::move(nodes);
    }
    /// Only the first Obj of an object is a node.
    bool isNode(std::uint32_t obj) const {
        const std::uint32_t object = document_.objs[obj].object;
        return object < hierarchy_.objOf.size() && hierarchy_.objOf[object] == obj;
    }

    // ---- models

    void addModels() {
        meshOfModel_.assign(document_.models.size(), std::nullopt);
        for (std::uint32_t m = 0; m < document_.models.size(); ++m) {
            const Model& model = document_.models[m];
            if (at(modelOf_, model.object) != m || morphs_.isTarget(model.object)) continue;
            if (!wants(model.shadow() ? Content::Shadow : Content::Render)) continue;
            if (model.deformable())
                addPosed(model);
            else
                meshOfModel_[m] = addMesh(model);
        }
        const std::size_t objs = document_.objs.size();
        for (std::uint32_t i = 0; i < objs; ++i) {
            if (nodeOfObj_[i] == kNone) continue;
            attach(i, document_.objs[i].model, "");
            attach(i, document_.objs[i].shadowModel, "_shadow");
        }
        for (std::uint32_t m = 0; m < document_.models.size(); ++m) {
            const Model& model = document_.models[m];
            if (!meshOfModel_[m] || at(hierarchy_.ownerOf, model.object) != kNone) continue;
            const std::uint32_t node =
                addNode(name(model.object), std::nullopt, model.shadow() ? Content::Shadow : Content::Render);
            scene_.nodes[node].mesh = meshOfModel_[m];
        }
    }

    /// Puts a rigid or shadow model on an obj. Shadow volumes get a node of their own below it.
    void attach(std::uint32_t obj, std::uint32_t modelObject, std::string_view suffix) {
        const std::uint32_t m = at(modelOf_, modelObject);
        if (m == kNone || !meshOfModel_[m]) return;
        const bool shadow = document_.models[m].shadow();
        std::uint32_t node = nodeOfObj_[obj];
        if (shadow || !suffix.empty()) {
            const std::string nodeName = name(document_.objs[obj].object) + "_shadow";
            node = addNode(nodeName, node, shadow ? Content::Shadow : Content::Render);
        }
        scene_.nodes[node].mesh = meshOfModel_[m];
    }

    std::optional<std::uint32_t> addMesh(const Model& model) {
        Mesh mesh;
        mesh.name = name(model.object);
        for (std::size_t k = 0; k < model.mmats.size(); ++k) {
            const Mmat& mmat = model.mmats[k];
            Primitive primitive;
            if (mmat.kind == MmatKind::Shadow) {
                primitive.indices = shadowTriangles(model, k);
                primitive.positions = storedPoints(model, mmat).positions;
            } else {
                const std::vector<std::uint8_t> flags = stripFlags(model, mmat);
                Strips strips = storedTriangles(mmat, flags, document_.version(), options_.winding);
                fill(primitive, model, k, storedPoints(model, mmat), std::move(strips));
            }
            push(mesh, std::move(primitive), model, k);
        }
        addMorphTargets(model, mesh);
        return keep(std::move(mesh));
    }

    /// A bone or skin model, placed by the pose, in the space of the file.
    void addPosed(const Model& model) {
        if (options_.pose.source == PoseChoice::Source::None) {
            warn("not-posed", model.chunk, "Model", model.object, "bone and skin models need a pose; left out");
            return;
        }
        const std::uint32_t owner = at(hierarchy_.ownerOf, model.object);
        const std::uint32_t clump = owner != kNone ? hierarchy_.clumpOf[owner] : kNone;
        const std::span<const std::uint32_t> slots = slotsOf(clump);
        const NodeAt nodeAt = [&](std::uint32_t slot) -> const Mat4d* {
            static const Mat4d kIdentity(1.0);
            if (slot >= slots.size()) return nullptr;
            return slots[slot] != kNone ? &worlds_[slots[slot]] : &kIdentity;
        };
        const std::shared_ptr<const Binding> shared = bindingOf(model, clump);
        const Binding& binding = *shared;
        Mesh mesh;
        mesh.name = name(model.object);
        for (std::size_t k = 0; k < model.mmats.size(); ++k) {
            std::size_t missing = 0;
            Points points = posedPoints(model, model.mmats[k], nodeAt, missing);
            if (missing > 0) {
                warnMmat("slot-range", model, k,
                         "follows slots that its clump of " + std::to_string(slots.size()) +
                             " nodes does not have; they do not move");
            }
            Primitive primitive;
            Strips strips = posedTriangles(model, k, points, nodeAt);
            if (binding.skin) bindVertices(primitive, model, k, points, binding);
            fill(primitive, model, k, std::move(points), std::move(strips));
            push(mesh, std::move(primitive), model, k);
        }
        const auto kept = keep(std::move(mesh));
        if (!kept) return;
        std::optional<std::uint32_t> parent;
        if (clump != kNone) parent = nodeOfClump_[clump];
        Node& node = scene_.nodes[addNode(name(model.object), parent, Content::Render)];
        node.mesh = kept;
        node.skin = binding.skin;
    }

    // ---- skins

    /// The objs behind a clump's slots, or kNone each.
    std::span<const std::uint32_t> slotsOf(std::uint32_t clump) {
        if (clump == kNone) return {};
        auto [slots, isNew] = slots_.try_emplace(clump);
        for (const std::uint32_t node : document_.clumps[clump].nodes) {
            if (isNew) slots->second.push_back(hierarchy_.nodeOf(node));
        }
        return slots->second;
    }

    /// What the vertices of a model follow.
    struct Binding {
        std::optional<std::uint32_t> skin;   ///< Scene::skins
        std::vector<std::uint16_t> jointOf;  ///< per clump slot
        std::uint16_t still = 0;             ///< the joint of slots without a node
        std::vector<Mat4d> bind;             ///< per clump slot: the world that entries were made in
        std::vector<Mat4d> moves;            ///< per joint: from there to the pose of the scene
    };

    /// Models whose bind is the known one share their clump's.
    std::shared_ptr<const Binding> bindingOf(const Model& model, std::uint32_t clump) {
        const std::span<const std::uint32_t> slots = slotsOf(clump);
        if (slots.empty()) return std::make_shared<Binding>();
        const auto& worlds = bindWorlds();
        const auto& locals = document_.version() > kLastGeneration1 ? restLocals_ : locals_;
        if (ownJoints_ + slots.size() <= kFreeJoints + document_.file.size() / 4) {
            auto recovered = recoveredBind(model, {slots, worlds, locals, hierarchy_.parentOf});
            if (recovered) {
                ownJoints_ += slots.size();
                return bindingTo(clump, *std::move(recovered));
            }
        }
        auto& shared = bindingOfClump_[clump];
        if (shared) return shared;
        std::vector<Mat4d> known(slots.size(), Mat4d(1.0));
        for (std::size_t slot = 0; slot < slots.size(); ++slot) {
            if (slots[slot] != kNone) known[slot] = worlds[slots[slot]];
        }
        return shared = bindingTo(clump, std::move(known));
    }

    /// A skin for this bind. Joints are the clump's nodes in slot order, each once, then the clump itself, which stands
    /// still.
    std::shared_ptr<const Binding> bindingTo(std::uint32_t clump, std::vector<Mat4d> bind) {
        const std::span<const std::uint32_t> slots = slotsOf(clump);
        auto binding = std::make_shared<Binding>();
        Skin skin;
        skin.name = name(document_.clumps[clump].object);
        skin.skeletonRoot = nodeOfClump_[clump];
        std::map<std::uint32_t, std::uint16_t> jointOf;
        std::vector<std::size_t> withoutNode;
        for (std::size_t slot = 0; slot < slots.size(); ++slot) {
            // A node that a pose makes flat has no inverse: its entries are taken as they are.
            if (!isInvertible(bind[slot])) bind[slot] = Mat4d(1.0);
            const std::uint32_t obj = slots[slot];
            binding->jointOf.push_back(0);
            if (obj == kNone || nodeOfObj_[obj] == kNone) {
                withoutNode.push_back(slot);
                continue;
            }
            const auto [joint, isNew] = jointOf.emplace(obj, static_cast<std::uint16_t>(skin.joints.size()));
            binding->jointOf.back() = joint->second;
            if (!isNew) continue;
            const Mat4d inverse = glm::inverse(bind[slot]);
            skin.joints.push_back(nodeOfObj_[obj]);
            skin.inverseBindMatrices.push_back(Mat4(inverse));
            binding->moves.push_back(worlds_[obj] * inverse);
        }
        binding->bind = std::move(bind);
        if (skin.joints.empty() || skin.joints.size() >= 0xffff) return binding;
        binding->still = static_cast<std::uint16_t>(skin.joints.size());
        for (const std::size_t slot : withoutNode) binding->jointOf[slot] = binding->still;
        skin.joints.push_back(nodeOfClump_[clump]);
        skin.inverseBindMatrices.push_back(Mat4(1.0F));
        binding->moves.push_back(Mat4d(1.0));
        binding->skin = static_cast<std::uint32_t>(scene_.skins.size());
        scene_.skins.push_back(std::move(skin));
        return binding;
    }

    /// Gives the primitive its influences, and takes points from the pose that the scene stands in to the bind, so that
    /// the joints of the scene bring them back exactly.
    void bindVertices(Primitive& primitive, const Model& model, std::size_t k, Points& points,
                      const Binding& binding) const {
        const Mmat& mmat = model.mmats[k];
        const std::span<const std::uint32_t> slots =
            slots_.at(hierarchy_.clumpOf[at(hierarchy_.ownerOf, model.object)]);
        const auto slotOf = [&](std::uint32_t stored) -> std::optional<std::uint32_t> {
            const auto slot = clumpSlot(model, stored);
            return slot && *slot < slots.size() ? slot : std::nullopt;
        };
        std::size_t dropped = 0;
        primitive.influences = influencesOf(
            model, mmat,
            [&](std::uint32_t stored) { return slotOf(stored) ? binding.jointOf[*slotOf(stored)] : binding.still; },
            dropped);
        if (dropped > 0) {
            warnMmat("skin-influences", model, k,
                     counted(dropped, "vertices") + " with more than eight influences keep the largest");
        }
        std::size_t missing = 0;
        const Points bound = posedPoints(
            model, mmat, [&](std::uint32_t slot) { return slot < binding.bind.size() ? &binding.bind[slot] : nullptr; },
            missing);
        for (std::size_t i = 0; i < points.positions.size(); ++i) {
            Mat4d move(0.0);
            for (const Influences& set : primitive.influences) {
                for (int c = 0; c < 4; ++c) {
                    const double weight = static_cast<double>(set.weights[i][c]);
                    if (weight > 0.0) move += binding.moves[set.joints[i][static_cast<std::size_t>(c)]] * weight;
                }
            }
            if (!isWellTurned(move)) {
                points.positions[i] = bound.positions[i];
                if (!points.normals.empty()) points.normals[i] = bound.normals[i];
                continue;
            }
            const Vec3 back(glm::inverse(move) * glm::dvec4(Vec3d(points.positions[i]), 1.0));
            points.positions[i] = isFinite(back) ? back : bound.positions[i];
            if (points.normals.empty()) continue;
            const Vec3d normal = glm::transpose(Mat3d(move)) * Vec3d(points.normals[i]);
            if (glm::length(normal) > 0.0) points.normals[i] = Vec3(glm::normalize(normal));
        }
    }
    /// Joints that turn against each other can blend to next to nothing, which has no way back.
    static bool isWellTurned(const Mat4d& m) {
        const double det = std::abs(glm::determinant(Mat3d(m)));
        const double size = glm::length(m[0]) * glm::length(m[1]) * glm::length(m[2]);
        return std::isfinite(det) && det > 1e-2 * size && size > 1e-9;
    }

    /// Node worlds of the stored bind; up to version 0x110, which has none, of the pose of the scene.
    const std::vector<Mat4d>& bindWorlds() {
        if (document_.version() <= kLastGeneration1) return worlds_;
        if (bindWorlds_.empty()) bindWorlds_ = worldsOf(hierarchy_, restLocals_);
        return bindWorlds_;
    }

    // ---- animations

    void addAnimations() {
        if (!wants(Content::Render)) return;
        AnimationTargets targets{hierarchy_, nodeOfObj_, locals_, restLocals_, {}, {}, {}};
        for (std::uint32_t i = 0; i < document_.objs.size(); ++i) {
            const Local& a = locals_[i];
            const Local& b = restLocals_[i];
            const bool same = a.translation == b.translation && a.rotation == b.rotation && a.scale == b.scale;
            if (!same && hierarchy_.clumpOf[i] != kNone && nodeOfObj_[i] != kNone)
                targets.displaced[hierarchy_.clumpOf[i]].push_back(i);
        }
        for (const Morpher& morpher : document_.morphers) targets.baseOf.emplace(morpher.object, morpher.baseModel);
        for (auto& [base, morphed] : morphed_) {
            const std::uint32_t m = at(modelOf_, base);
            if (m == kNone || !meshOfModel_[m]) continue;
            for (std::uint32_t n = 0; n < scene_.nodes.size(); ++n) {
                if (scene_.nodes[n].mesh == meshOfModel_[m]) morphed.nodes.push_back(n);
            }
            targets.morphed.emplace(base, morphed);
        }
        scene_.animations = animationsOf(document_, targets, options_.animations, defects_);
    }

    Strips posedTriangles(const Model& model, std::size_t k, const Points& points, const NodeAt& nodeAt) const {
        const Mmat& mmat = model.mmats[k];
        const std::vector<std::uint8_t> flags = stripFlags(model, mmat);
        if (mmat.kind == MmatKind::Bone) {
            Strips strips = storedTriangles(mmat, flags, document_.version(), options_.winding);
            const auto slot = clumpSlot(model, mmat.node);
            const Mat4d* node = slot ? nodeAt(*slot) : nullptr;
            if (node != nullptr && glm::determinant(Mat3d(*node)) < 0.0) {
                for (std::size_t i = 0; i < strips.indices.size(); i += 3)
                    std::swap(strips.indices[i + 1], strips.indices[i + 2]);
            }
            return strips;
        }
        Strips strips = trianglesOf(flags, document_.version());
        if (options_.winding == Winding::Auto) {
            // Entries lie in several spaces: only the pose has them in one.
            turnByNormals(
                strips, [&](std::uint32_t i) { return Vec3d(points.positions[i]); },
                [&](std::uint32_t i) { return Vec3d(points.normals[i]); });
        }
        return strips;
    }

    /// Everything of a primitive but its material.
    void fill(Primitive& primitive, const Model& model, std::size_t k, Points points, Strips strips) {
        const Mmat& mmat = model.mmats[k];
        if (mmat.kind == MmatKind::Sections) {
            warnMmat("sections", model, k,
                     "mtype " + hex(model.mtype) + ": sections are kept, but not decoded; left out");
        }
        if (mmat.normals.empty() && mmat.vertexCount > 0) {
            warnMmat("no-triangles", model, k,
                     "mtype " + hex(model.mtype) + " stores no strip flags, so there are no triangles");
        }
        if (strips.oddOpening) warnMmat("strip-flags", model, k, "a strip does not open with two flagged vertices");
        if (strips.oddFlag) warnMmat("strip-flags", model, k, "strip flags above 2, taken as 1");
        if (points.zeroNormals > 0) {
            warnMmat("zero-normal", model, k,
                     std::to_string(points.zeroNormals) + " normals have no length; replaced by (0, 0, 1)");
        }
        primitive.positions = std::move(points.positions);
        primitive.normals = std::move(points.normals);
        primitive.indices = std::move(strips.indices);
        primitive.uvs = textureCoordinates(mmat, topFirst(mmat));
        if (!model.lit()) primitive.colors = vertexColours(mmat);
        primitive.material = materialFor(model, mmat);
    }

    void push(Mesh& mesh, Primitive primitive, const Model& model, std::size_t k) const {
        if (primitive.indices.empty()) return;
        primitive.name = mesh.name + "." + std::to_string(k) + "." + std::string(mmatKindName(model.mmats[k].kind));
        mesh.primitives.push_back(std::move(primitive));
    }
    std::optional<std::uint32_t> keep(Mesh mesh) {
        if (mesh.primitives.empty()) return std::nullopt;
        scene_.meshes.push_back(std::move(mesh));
        return static_cast<std::uint32_t>(scene_.meshes.size() - 1);
    }

    std::vector<std::uint32_t> shadowTriangles(const Model& model, std::size_t k) const {
        const Mmat& mmat = model.mmats[k];
        std::vector<std::uint32_t> out;
        out.reserve(mmat.triangles.size() / 4);
        std::size_t dropped = 0;
        for (std::size_t i = 0; i + 12 <= mmat.triangles.size(); i += 12) {
            const auto t = load<std::array<std::uint32_t, 3>>(mmat.triangles, i);
            if (std::all_of(t.begin(), t.end(), [&](std::uint32_t v) { return v < mmat.vertexCount; })) {
                out.insert(out.end(), t.begin(), t.end());
            } else {
                ++dropped;
            }
        }
        if (dropped > 0)
            warnMmat("index-range", model, k,
                     std::to_string(dropped) + " triangles name vertices that are not there; dropped");
        return out;
    }

    void addMorphTargets(const Model& base, Mesh& mesh) {
        for (const std::uint32_t targetObject : morphs_.targetsOf(base.object)) {
            const std::uint32_t t = at(modelOf_, targetObject);
            if (t == kNone) continue;  // in another file
            const Model& target = document_.models[t];
            if (!sameShape(base, target)) {
                warn("morph-shape", target.chunk, "Model", target.object,
                     "it has not the mmats and vertices of its base " + mesh.name + "; left out");
                continue;
            }
            if (!morphBudget(base)) {
                warn("morph-size", target.chunk, "Model", target.object,
                     "more morph targets than the file can hold; left out");
                continue;
            }
            std::size_t p = 0;
            for (std::size_t k = 0; k < base.mmats.size(); ++k) {
                const std::string wanted = mesh.name + "." + std::to_string(k) + ".";
                if (p >= mesh.primitives.size() || !mesh.primitives[p].name.starts_with(wanted)) continue;
                mesh.primitives[p++].targets.push_back(
                    {name(targetObject), displacements(base, base.mmats[k], target, target.mmats[k]), {}});
            }
            mesh.weights.push_back(0.0F);
            auto& places = morphed_[base.object].targets;
            places.emplace(targetObject, places.size());
        }
    }
    static bool sameShape(const Model& a, const Model& b) {
        const auto same = [](const Mmat& x, const Mmat& y) {
            return x.kind == MmatKind::Rigid && y.kind == MmatKind::Rigid && x.vertexCount == y.vertexCount;
        };
        return std::equal(a.mmats.begin(), a.mmats.end(), b.mmats.begin(), b.mmats.end(), same);
    }
    /// Each target is in the file once, but morphers may share targets: what comes out stays a small multiple of what
    /// went in.
    bool morphBudget(const Model& base) {
        std::uint64_t vertices = 0;
        for (const Mmat& mmat : base.mmats) vertices += mmat.vertexCount;
        morphBytes_ += vertices * sizeof(Vec3);
        return morphBytes_ <= 32 * std::uint64_t{document_.file.size()};
    }

    // ---- the rest

    void addHits() {
        if (!wants(Content::Collision)) return;
        for (const Hit& hit : document_.hits) {
            Mesh mesh;
            mesh.name = name(hit.object);
            std::vector<std::uint32_t> attributes;
            for (std::size_t g = 0; g < hit.groups.size(); ++g) {
                const HitGroup& group = hit.groups[g];
                const std::uint32_t whole = group.count / 3 * 3;
                if (whole != group.count) {
                    warn("hit-count", hit.chunk, "Hit", hit.object,
                         "group " + std::to_string(g) + " has " + counted(group.count, "vertices") +
                             ", no multiple of 3");
                }
                if (whole == 0) continue;
                Primitive primitive;
                primitive.name = mesh.name + "." + std::to_string(g);
                std::size_t odd = 0;
                for (std::uint32_t i = 0; i < whole; ++i) {
                    primitive.positions.push_back(finiteOr(
                        load<std::array<float, 3>>(group.positions, 12 * std::size_t{i}), {0.0F, 0.0F, 0.0F}, odd));
                    primitive.normals.push_back(unitOr(load<std::array<float, 3>>(group.normals, 12 * std::size_t{i})));
                    primitive.indices.push_back(i);
                }
                if (odd > 0)
                    warn("nonfinite", hit.chunk, "Hit", hit.object,
                         std::to_string(odd) + " vertices are no finite numbers; replaced by 0");
                attributes.push_back(group.attribute);
                mesh.primitives.push_back(std::move(primitive));
            }
            mesh.extras = Extras(nlohmann::ordered_json{{"attributes", attributes}});
            const std::string nodeName = mesh.name;
            const auto kept = keep(std::move(mesh));
            if (kept) scene_.nodes[addNode(nodeName, std::nullopt, Content::Collision)].mesh = kept;
        }
    }
    static Vec3 finiteOr(const std::array<float, 3>& v, const Vec3& otherwise, std::size_t& odd) {
        if (std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2])) return {v[0], v[1], v[2]};
        ++odd;
        return otherwise;
    }
    static Vec3 unitOr(const std::array<float, 3>& v) {
        const Vec3d n(v[0], v[1], v[2]);
        const double length = glm::length(n);
        return length > 0.0 && std::isfinite(length) ? Vec3(n / length) : Vec3(0.0F, 0.0F, 1.0F);
    }

    void addHelpers() {
        if (!wants(Content::Helpers)) return;
        for (const Dummy& dummy : document_.dummies) {
            Transform transform;
            transform.position = dummy.position;
            transform.rotation = dummy.rotation.value_or(Vec3(0.0F, 0.0F, 0.0F));
            Local local = localOf(transform);
            if (!std::isfinite(glm::length(local.translation)) || !std::isfinite(glm::length(local.rotation))) {
                warn("nonfinite", dummy.chunk, "DummyPos", dummy.object,
                     "its place is no finite number; replaced by 0");
                local = Local{};
            }
            place(scene_.nodes[addNode(name(dummy.object), std::nullopt, Content::Helpers)], local);
        }
        const std::map<std::uint32_t, StageValues> values = stageValues(document_);
        const auto valuesOf = [&](std::uint32_t object) {
            const auto found = values.find(object);
            return found != values.end() ? found->second : StageValues{};
        };
        for (const Light& light : document_.lights) addLight(light, valuesOf(light.object));
        for (const Camera& camera : document_.cameras) addCamera(camera, valuesOf(camera.object));
    }

    /// A node at the place of a light or camera, both of which look along their local -Z.
    Node& addStage(std::uint32_t object, const StageValues& values) {
        const auto sound = [](const std::optional<Vec3>& v) { return v && isFinite(*v) ? *v : Vec3(0.0F, 0.0F, 0.0F); };
        Transform transform;
        transform.position = sound(values.position);
        transform.rotation = sound(values.rotation);
        Node& node = scene_.nodes[addNode(name(object), std::nullopt, Content::Helpers)];
        place(node, localOf(transform));
        return node;
    }

    /// The words of KHR_lights_punctual.
    void addLight(const Light& light, const StageValues& values) {
        static constexpr std::array<const char*, 5> kTypes{"", "directional", "directional", "spot", "point"};
        const Vec3 colour = values.colour.value_or(Vec3(1.0F, 1.0F, 1.0F));
        nlohmann::ordered_json row;
        const bool known = light.type >= 1 && light.type < static_cast<std::int16_t>(kTypes.size());
        if (known) row["type"] = kTypes[static_cast<std::size_t>(light.type)];
        row["color"] = {colour.x, colour.y, colour.z};
        row["intensity"] = values.intensity.value_or(1.0F);
        if (values.start) row["start"] = *values.start;
        if (values.end) row["range"] = *values.end;
        addStage(light.object, values).extras = Extras(nlohmann::ordered_json{{"light", std::move(row)}});
    }

    /// The file's angle is the horizontal one of a view of 4:3.
    void addCamera(const Camera& camera, const StageValues& values) {
        nlohmann::ordered_json row{{"aspectRatio", 4.0 / 3.0}};
        if (values.fov && *values.fov > 0.0F && *values.fov < 180.0F) {
            const double half = static_cast<double>(*values.fov) * std::numbers::pi / 360.0;
            row["yfov"] = 2.0 * std::atan(std::tan(half) * 0.75);
        }
        addStage(camera.object, values).extras = Extras(nlohmann::ordered_json{{"camera", std::move(row)}});
    }

    /// The artists' boxes, in the space of what they are for.
    void addBoxes() {
        if (!wants(Content::Bounds)) return;
        for (const Bbox& box : document_.boxes) {
            bool sound = true;
            for (int i = 0; i < 3; ++i)
                sound = sound && std::isfinite(box.min[i]) && std::isfinite(box.max[i]) && box.min[i] < box.max[i];
            if (!sound) {
                warn("box", box.chunk, "Bbox", box.object, "min is not below max; left out");
                continue;
            }
            Hull hull;
            hull.name = name(box.object);
            hull.type = HullType::Box;
            for (unsigned i = 0; i < 8; ++i) {
                hull.points.push_back({(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                                       (i & 4) != 0 ? box.max.z : box.min.z});
            }
            hull.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
            const std::uint32_t node = addNode(name(box.object), boxParent(box.target), Content::Bounds);
            scene_.nodes[node].hulls.push_back(static_cast<std::uint32_t>(scene_.hulls.size()));
            scene_.hulls.push_back(std::move(hull));
        }
    }
    std::optional<std::uint32_t> boxParent(std::uint32_t target) const {
        for (std::uint32_t c = 0; c < document_.clumps.size(); ++c) {
            if (target != 0 && document_.clumps[c].object == target) return nodeOfClump_[c];
        }
        const std::uint32_t owner = at(hierarchy_.ownerOf, target);
        const std::uint32_t obj = owner != kNone ? owner : at(hierarchy_.objOf, target);
        if (obj == kNone || nodeOfObj_[obj] == kNone) return std::nullopt;
        return nodeOfObj_[obj];
    }

    const Document& document_;
    const SceneOptions& options_;
    Defects& defects_;
    Hierarchy hierarchy_;
    std::vector<std::uint32_t> materialOf_, textureOf_, clutOf_, modelOf_;  // per object
    Morphs morphs_;
    std::vector<Local> locals_, restLocals_;
    std::vector<Mat4d> worlds_, bindWorlds_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> slots_;  // per clump
    std::map<std::uint32_t, std::shared_ptr<const Binding>> bindingOfClump_;
    std::uint64_t ownJoints_ = 0;                   // of skins that models do not share
    std::map<std::uint32_t, MorphedMesh> morphed_;  // per base model object
    std::vector<std::uint32_t> imageOfTexture_;     // per texture
    std::vector<AlphaUse> alpha_;
    std::set<std::uint32_t> added_;
    std::map<std::string, std::size_t> materialNames_;
    std::map<Look, std::uint32_t> materialIndex_;
    std::vector<std::uint32_t> nodeOfClump_, nodeOfObj_;
    std::vector<std::optional<std::uint32_t>> meshOfModel_;
    std::uint64_t morphBytes_ = 0;
    Scene scene_;
};

}  // namespace

Scene toScene(const Document& document, const SceneOptions& options, Defects& defects) {
    Scene scene = Builder(document, options, defects).build();
    scene.source.format = "ccsf";
    scene.source.extras =
        Extras(nlohmann::ordered_json{{"scene", document.header.name}, {"version", document.version()}});
    return scene;
}

}  // namespace geomconv::ccsf
