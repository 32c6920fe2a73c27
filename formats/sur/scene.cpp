#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "formats/sur/edit.hpp"
#include "formats/sur/hitbox.hpp"
#include "formats/sur/measure.hpp"
#include "formats/sur/names.hpp"
#include "formats/sur/records.hpp"
#include "lib/bytes/base64.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::sur {

namespace {

using SceneHull = geomconv::Hull;
using SceneNode = geomconv::Node;

// ------------------------------------------------------------------------------------------------ document -> scene

/// Makes the hulls of one part, each with the points it uses, in the order of the part's points.
class HullMaker {
public:
    explicit HullMaker(const Surface& surface) : surface_(surface), local_(surface.points.size(), kUnused) {}

    SceneHull make(const Hull& hull) {
        SceneHull out;
        out.type = hull.terminal() ? HullType::Terminal : HullType::Wrap;
        if (hull.terminal()) out.id = hull.id;
        used_.clear();
        for (const Face& face : hull.faces) {
            for (const std::uint16_t p : face.points) {
                const std::uint32_t index = hull.firstPoint + p;
                if (local_[index] != kUnused) continue;
                local_[index] = 0;
                used_.push_back(index);
            }
        }
        // Most files have them in order of first use already.
        if (!std::is_sorted(used_.begin(), used_.end())) std::sort(used_.begin(), used_.end());
        out.points.reserve(used_.size());
        for (const std::uint32_t index : used_) {
            local_[index] = static_cast<std::uint32_t>(out.points.size());
            out.points.push_back(surface_.points[index].position);
        }
        out.triangles.resize(hull.faces.size());
        for (std::size_t f = 0; f < hull.faces.size(); ++f) {
            for (std::size_t e = 0; e < 3; ++e) {
                out.triangles[f][e] = local_[hull.firstPoint + hull.faces[f].points[e]];
            }
        }
        for (const std::uint32_t index : used_) local_[index] = kUnused;
        return out;
    }

private:
    static constexpr std::uint32_t kUnused = 0xffffffff;
    const Surface& surface_;
    std::vector<std::uint32_t> local_;  ///< point of the part -> point of the hull at hand
    std::vector<std::uint32_t> used_;   ///< points of the hull at hand
};

/// The box of a node as a hull.
SceneHull nodeBox(const Node& node) {
    const Span box = boxOf(node);
    const auto corners = boxCorners({Vec3(box.minimum), Vec3(box.maximum)});
    SceneHull hull;
    hull.type = HullType::Box;
    hull.points.assign(corners.begin(), corners.end());
    hull.triangles.assign(kBoxTriangles.begin(), kBoxTriangles.end());
    return hull;
}

bool rotates(const Mat3d& m) {
    const Mat3d square = glm::transpose(m) * m;
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) {
            if (!(std::abs(square[c][r] - (c == r ? 1.0 : 0.0)) < 1e-5)) return false;
        }
    }
    return glm::determinant(m) > 0.0;
}

/// Sets translation and rotation where they can say the matrix, the matrix itself otherwise.
void place(SceneNode& node, const Mat4& local) {
    const Mat3d linear{Mat3(local)};
    if (!rotates(linear)) {
        node.matrix = local;
        return;
    }
    node.translation = Vec3(local[3]);
    node.rotation = Quat(glm::normalize(glm::quat_cast(linear)));
}

/// What a model says about ids: which of its parts carry an id as their own or as a hardpoint's.
class ModelIndex {
public:
    explicit ModelIndex(const ModelParts& model) : model_(model) {
        for (std::uint32_t m = 0; m < model.parts.size(); ++m) {
            partById_.try_emplace(model.parts[m].id, m);
            carriers_[model.parts[m].id].push_back(m);
            for (const ModelHardpoint& hardpoint : model.parts[m].hardpoints) carriers_[hardpoint.id].push_back(m);
        }
    }

    /// The model's part of a library part; a model of a single part has it under 0 or under the hash of "Root".
    std::optional<std::uint32_t> partOf(std::uint32_t id) const {
        if (!model_.compound && model_.parts.size() == 1 && (id == 0 || id == kRootId)) return 0;
        const auto found = partById_.find(id);
        if (found == partById_.end()) return std::nullopt;
        return found->second;
    }

    /// Parts other than `from` that carry the id and hang on `from` by fixed joints only; none when `from` carries it.
    std::vector<std::uint32_t> fixedDescendantsWith(std::uint32_t id, std::uint32_t from) const {
        std::vector<std::uint32_t> out;
        const auto found = carriers_.find(id);
        if (found == carriers_.end()) return out;
        for (const std::uint32_t m : found->second) {
            if (m == from) return {};
            if (hangsFixedOn(m, from)) out.push_back(m);
        }
        return out;
    }

private:
    static constexpr std::uint32_t kRootId = 0x12688F2D;

    bool hangsFixedOn(std::uint32_t m, std::uint32_t ancestor) const {
        for (std::size_t steps = 0; steps < model_.parts.size(); ++steps) {
            const ModelPart& part = model_.parts[m];
            if (part.joint != JointKind::Fixed || !part.parent) return false;
            m = *part.parent;
            if (m == ancestor) return true;
        }
        return false;
    }

    const ModelParts& model_;
    std::unordered_map<std::uint32_t, std::uint32_t> partById_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> carriers_;
};

/// Library -> Scene, step by step.
class SceneMaker {
public:
    SceneMaker(const Library& library, const ReadOptions& options, Defects& defects)
        : library_(library), options_(options), defects_(defects), names_(options.model.get(), options.names) {
        if (options.model && !options.model->parts.empty()) model_.emplace(*options.model);
        const ContentSet content = options.content.value_or(ContentSet{Content::Collision});
        terminals_ = content.has(Content::Collision);
        bounds_ = content.has(Content::Bounds);
        const std::string_view duplicates = options.format.get("duplicates", options.forMesh ? "drop" : "keep");
        if (model_ && duplicates == "drop") noteHeldIds();
    }

    Scene make() {
        scene_.source.format = "sur";
        for (const Part& part : library_.parts) addPart(part);
        if (model_) addParents();
        return std::move(scene_);
    }

private:
    void noteHeldIds() {
        dropCopies_ = true;
        for (const Part& part : library_.parts) {
            if (!part.surface) continue;
            for (const Hull& hull : part.surface->hulls) {
                if (hull.terminal()) held_.emplace(part.id, hull.id);
            }
        }
    }

    /// Whether a hull is a copy of one that a fixed descendant's own part holds.
    bool isCopy(const Part& part, const Hull& hull, std::optional<std::uint32_t> modelPart) const {
        if (!dropCopies_ || !modelPart || hull.id == part.id || !hull.terminal()) return false;
        for (const std::uint32_t m : model_->fixedDescendantsWith(hull.id, *modelPart)) {
            if (held_.contains({options_.model->parts[m].id, hull.id})) return true;
        }
        return false;
    }

    void addPart(const Part& part) {
        const auto modelPart = model_ ? model_->partOf(part.id) : std::nullopt;
        if (model_ && !modelPart) {
            defects_.warn("part-without-model", std::nullopt, {{"part", hexId(part.id)}},
                          "the model has no part of this id; it is left at the origin");
        }
        SceneNode& node = scene_.nodes.emplace_back();
        modelPartOf_.push_back(modelPart);
        node.name = partNames_.numbered(names_.nameOf(part.id));
        node.content = Content::Collision;
        node.extras = partExtras(part);
        if (modelPart) place(node, options_.model->parts[*modelPart].local);
        if (part.surface) addHulls(part, modelPart, node);
    }

    void addHulls(const Part& part, std::optional<std::uint32_t> modelPart, SceneNode& node) {
        const Surface& surface = *part.surface;
        HullMaker maker(surface);
        Ordinals hullNames;
        const auto add = [&](SceneHull&& hull, std::string name) {
            hull.name = std::move(name);
            node.hulls.push_back(static_cast<std::uint32_t>(scene_.hulls.size()));
            scene_.hulls.push_back(std::move(hull));
        };
        for (const Hull& hull : surface.hulls) {
            if (!hull.terminal()) continue;
            // Numbered before copies are dropped, so that a hull has one address whatever the options.
            std::string name = hullNames.numbered(names_.nameOf(hull.id));
            if (terminals_ && !isCopy(part, hull, modelPart)) add(maker.make(hull), std::move(name));
        }
        if (!bounds_) return;
        for (const Hull& hull : surface.hulls) {
            if (!hull.terminal()) add(maker.make(hull), hullNames.numbered("wrap"));
        }
        for (const Node& treeNode : surface.nodes) add(nodeBox(treeNode), hullNames.numbered("box"));
    }

    Extras partExtras(const Part& part) const {
        nlohmann::ordered_json sur;
        sur["id"] = part.id;
        sur["fixed"] = part.fixed;
        sur["hardpoints"] = part.hardpoints;
        // Bytes of which recovery left something out are no way back: the part is what its hulls make.
        const bool whole = !part.surface || keepsItsBytes(*part.surface);
        if (options_.wayBack && whole) {
            ByteWriter bytes;
            writePart(bytes, part);
            sur["part"] = base64FromBytes(bytes.view());
        }
        return Extras(nlohmann::ordered_json{{"sur", std::move(sur)}});
    }

    /// Hangs each part's node below its parent's; parents without a collision part get an empty node.
    void addParents() {
        std::unordered_map<std::uint32_t, std::uint32_t> nodeOf;
        for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
            if (modelPartOf_[i]) nodeOf.try_emplace(*modelPartOf_[i], i);
        }
        for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
            if (!modelPartOf_[i]) continue;
            const auto parent = options_.model->parts[*modelPartOf_[i]].parent;
            if (!parent) continue;
            const auto [found, isNew] = nodeOf.try_emplace(*parent, static_cast<std::uint32_t>(scene_.nodes.size()));
            if (isNew) {
                const ModelPart& modelPart = options_.model->parts[*parent];
                SceneNode& node = scene_.nodes.emplace_back();
                modelPartOf_.push_back(*parent);
                node.name = partNames_.numbered(names_.nameOf(modelPart.id));
                node.content = Content::Collision;
                place(node, modelPart.local);
            }
            scene_.nodes[i].parent = found->second;
        }
        if (parentsAreSound(scene_)) return;
        for (SceneNode& node : scene_.nodes) node.parent.reset();
        defects_.warn("model-hierarchy", std::nullopt, {},
                      "the model's parts hang on each other in a circle; they are left at the origin");
    }

    const Library& library_;
    const ReadOptions& options_;
    Defects& defects_;
    KnownNames names_;
    std::optional<ModelIndex> model_;
    bool terminals_ = true;
    bool bounds_ = false;
    bool dropCopies_ = false;
    std::set<std::pair<std::uint32_t, std::uint32_t>> held_;  ///< (part, hull id) that the library has
    Scene scene_;
    std::vector<std::optional<std::uint32_t>> modelPartOf_;  ///< per node
    Ordinals partNames_;
};

// ------------------------------------------------------------------------------------------------ scene -> document

/// What toScene wrote into a node's extras.
struct PartNote {
    nlohmann::ordered_json sur;
    Part part;
};

std::optional<PartNote> partNote(const SceneNode& node) {
    const nlohmann::ordered_json extras = node.extras.value();
    if (!extras.is_object() || !extras.contains("sur") || !extras["sur"].is_object()) return std::nullopt;
    PartNote note{extras["sur"], {}};
    const auto text = note.sur.find("part");
    if (text == note.sur.end() || !text->is_string()) return std::nullopt;
    const auto bytes = bytesFromBase64(text->get_ref<const std::string&>());
    if (!bytes) {
        throw FormatError("extras", "extras.sur.part is no base64", {{"node", node.name}});
    }
    ByteReader in(*bytes);
    in.name("extras.sur.part of node", node.name);
    Defects known;  // of the original file, said when it was read
    note.part = readPart(in, known, false);
    in.expectEnd("the part");
    return note;
}

bool sameHull(const SceneHull& a, const SceneHull& b) {
    const auto samePoint = [](const Vec3& p, const Vec3& q) { return std::memcmp(&p, &q, sizeof p) == 0; };
    return a.id == b.id && a.triangles == b.triangles &&
           std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(), samePoint);
}

/// Whether the node still has the terminal hulls of the part, one for one.
bool untouched(const Scene& scene, const SceneNode& node, const Part& part) {
    std::vector<const SceneHull*> given;
    for (const std::uint32_t h : node.hulls) {
        if (scene.hulls[h].type == HullType::Terminal) given.push_back(&scene.hulls[h]);
    }
    std::size_t next = 0;
    if (part.surface) {
        HullMaker maker(*part.surface);
        for (const Hull& hull : part.surface->hulls) {
            if (!hull.terminal()) continue;
            if (next == given.size() || !sameHull(maker.make(hull), *given[next])) return false;
            ++next;
        }
    }
    return next == given.size();
}

/// Fields of the note that can be edited in the JSON.
void applyNote(const nlohmann::ordered_json& sur, Part& part) {
    const bool wasFixed = part.fixed;
    const bool hadHardpoints = !part.hardpoints.empty();
    part.id = sur.value("id", part.id);
    part.fixed = sur.value("fixed", part.fixed);
    part.hardpoints = sur.value("hardpoints", part.hardpoints);
    if (part.fixed == wasFixed && part.hardpoints.empty() != hadHardpoints) return;
    part.chunks.clear();  // the stated order no longer fits
    part.chunkCount.reset();
}

/// The part with the hulls that the node has now.
Part edited(const Scene& scene, const SceneNode& node, const Part& part, Defects& defects) {
    std::vector<std::pair<std::size_t, SceneHull>> before;
    if (part.surface) {
        HullMaker maker(*part.surface);
        for (std::size_t h = 0; h < part.surface->hulls.size(); ++h) {
            if (part.surface->hulls[h].terminal()) before.emplace_back(h, maker.make(part.surface->hulls[h]));
        }
    }
    std::vector<HullSource> sources;
    for (const std::uint32_t h : node.hulls) {
        const SceneHull& hull = scene.hulls[h];
        if (hull.type != HullType::Terminal) continue;
        const auto same =
            std::find_if(before.begin(), before.end(), [&](const auto& b) { return sameHull(b.second, hull); });
        if (same != before.end()) {
            sources.push_back({same->first, {}});
            continue;
        }
        const auto id = hull.id ? hull.id : idFromName(hull.name);
        const std::string name = node.name + '/' + hull.name;
        if (!id) throw GeometryError(name, "name", "the name has characters that the game's text does not know");
        sources.push_back({std::nullopt, {*id, name, hull.points, hull.triangles}});
    }
    return withHulls(part, sources, defects);
}

/// The hulls of parts of a file, scaled. Triangles turn round where the scale mirrors.
Scene scaledHulls(const Scene& scene, const std::vector<bool>& known, double scale) {
    Scene out = scene;
    std::vector<bool> done(out.hulls.size(), false);
    for (std::size_t n = 0; n < out.nodes.size(); ++n) {
        if (!known[n]) continue;
        for (const std::uint32_t h : out.nodes[n].hulls) {
            if (done[h]) continue;
            done[h] = true;
            for (Vec3& p : out.hulls[h].points) p = Vec3(Vec3d(p) * scale);
            if (scale > 0.0) continue;
            for (auto& t : out.hulls[h].triangles) std::swap(t[1], t[2]);
        }
    }
    return out;
}

/// The nodes that no part of a file stands behind, as a scene for the hitbox builder.
Scene strangers(const Scene& scene, const std::vector<bool>& known) {
    Scene rest = scene;
    for (std::size_t n = 0; n < rest.nodes.size(); ++n) {
        if (!known[n]) continue;
        rest.nodes[n].mesh.reset();
        rest.nodes[n].hulls.clear();
    }
    return rest;
}

}  // namespace

Scene toScene(const Library& library, const ReadOptions& options, Defects& defects) {
    return SceneMaker(library, options, defects).make();
}

Library fromScene(const Scene& scene, Defects& defects, double scale) {
    Library library;
    std::vector<bool> known(scene.nodes.size(), false);
    std::vector<std::optional<PartNote>> notes(scene.nodes.size());
    bool foreign = false;
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const SceneNode& node = scene.nodes[n];
        notes[n] = partNote(node);
        known[n] = notes[n].has_value();
        foreign = foreign || (!known[n] && (node.mesh || !node.hulls.empty()));
    }
    Scene scaled;
    if (scale != 1.0) scaled = scaledHulls(scene, known, scale);
    const Scene& given = scale != 1.0 ? scaled : scene;
    for (std::size_t n = 0; n < given.nodes.size(); ++n) {
        if (!known[n]) continue;
        const SceneNode& node = given.nodes[n];
        PartNote& note = *notes[n];
        try {
            applyNote(note.sur, note.part);
        } catch (const nlohmann::json::exception&) {
            throw FormatError("extras", "extras.sur: id is a number, fixed a truth value, hardpoints a list of numbers",
                              {{"node", node.name}});
        }
        const bool same = untouched(given, node, note.part);
        library.parts.push_back(same ? std::move(note.part) : edited(given, node, note.part, defects));
    }
    if (foreign || (library.parts.empty() && scene.source.format != "sur")) {
        HitboxReport report;
        HitboxOptions options;
        options.scale = scale;
        Library built = buildHitbox(library.parts.empty() ? scene : strangers(scene, known), options, report, defects);
        for (Part& part : built.parts) library.parts.push_back(std::move(part));
    }
    return library;
}

}  // namespace geomconv::sur
