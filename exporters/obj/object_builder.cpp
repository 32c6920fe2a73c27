#include "exporters/obj/object_builder.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "exporters/obj/obj.hpp"
#include "lib/geometry/triangulate.hpp"
#include "lib/scene/faithful.hpp"

namespace geomconv::obj {

ObjectBuilder::ObjectBuilder(const VertexLines& lines, Scene& scene, std::string defaultName, bool faithful)
    : lines_(lines), scene_(scene), faithful_(faithful), name_(std::move(defaultName)) {}

/// Gives the names in force a number, once each.
void ObjectBuilder::keepTrail() {
    if (!faithful_) return;
    const auto [entry, isNew] = trails_.try_emplace(trail_, static_cast<std::uint32_t>(trailList_.size()));
    if (isNew) trailList_.push_back(&entry->first);
    trailNumber_ = entry->second;
}

void ObjectBuilder::object(std::string name, std::size_t seen) {
    endObject(seen);
    trail_ = {name};
    keepTrail();
    name_ = std::move(name);
    isObject_ = true;
}

/// No name, "default", "off" and the object's own name mean the object itself.
void ObjectBuilder::group(std::string name) {
    current_ = nullptr;
    group_ = 0;
    trail_ = {name};
    keepTrail();
    if (name.empty() || name == "default" || name == "off" || (isObject_ && name == name_)) return;
    const auto [entry, isNew] = groupByName_.try_emplace(name, static_cast<std::uint32_t>(groups_.size()));
    if (isNew) groups_.push_back(std::move(name));
    group_ = entry->second;
}

void ObjectBuilder::material(std::optional<std::uint32_t> material, std::string_view name) {
    current_ = nullptr;
    material_ = material.value_or(kNoMaterial);
    if (!faithful_) return;
    // A name that comes again counts from its last place; a bound, because each primitive holds its own.
    trail_.erase(std::remove(trail_.begin() + 1, trail_.end(), name), trail_.end());
    if (trail_.size() > kLongestTrail) trail_.erase(trail_.begin() + 1);
    trail_.emplace_back(name);
    keepTrail();
}

ObjectBuilder::Open& ObjectBuilder::openFor(Topology topology, const Corner& corner) {
    ++elements_;
    const bool uvs = corner.uv != Corner::kNone;
    const bool normals = corner.normal != Corner::kNone;
    if (current_ != nullptr && current_->key.topology == topology && current_->key.uvs == uvs &&
        current_->key.normals == normals) {
        return *current_;
    }
    const Key key{group_, material_, trailNumber_, topology, uvs, normals};
    const auto [entry, isNew] = openByKey_.try_emplace(key, static_cast<std::uint32_t>(open_.size()));
    if (isNew) {
        open_.push_back(std::make_unique<Open>());
        open_.back()->key = key;
        open_.back()->number = entry->second;
    }
    current_ = open_[entry->second].get();
    return *current_;
}

void ObjectBuilder::face(const PodBuffer<Corner>& corners) {
    Open& to = openFor(Topology::Triangles, corners[0]);
    if (corners.size() == 3) {
        for (const Corner& corner : corners) to.corners.push(table_.add(corner, to.number));
        if (!to.faceSizes.empty()) to.faceSizes.push(3);
        return;
    }
    polygon_.clear();
    triangles_.clear();
    ring_.clear();
    for (const Corner& corner : corners) {
        polygon_.push_back(lines_.positions[corner.position]);
        ring_.push_back(table_.add(corner, to.number));
    }
    cutPolygon();
    addFaceSizes(to);
    for (const auto& triangle : triangles_) {
        for (const std::uint32_t k : triangle) to.corners.push(ring_[k]);
    }
}

void ObjectBuilder::cutPolygon() {
    if (faithful_ && polygon_.size() == 4)
        triangles_ = {{0, 1, 2}, {0, 2, 3}};
    else
        triangulate(polygon_, triangles_);
}

/// A polygon that was cut as a fan stays one face, as Primitive::faceSizes has them; one that was cut otherwise is
/// triangles.
void ObjectBuilder::addFaceSizes(Open& to) {
    bool fan = true;
    for (std::uint32_t k = 0; k < triangles_.size(); ++k) {
        fan = fan && triangles_[k] == std::array<std::uint32_t, 3>{0, k + 1, k + 2};
    }
    if (to.faceSizes.empty()) {
        if (!fan) return;
        to.faceSizes.resize(to.corners.size() / 3, 3);
    }
    if (fan)
        to.faceSizes.push(static_cast<std::uint32_t>(ring_.size()));
    else
        to.faceSizes.resize(to.faceSizes.size() + triangles_.size(), 3);
}

void ObjectBuilder::polyline(const PodBuffer<Corner>& corners) {
    Open& to = openFor(Topology::Lines, corners[0]);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const std::uint32_t v = table_.add(corners[i], to.number);
        to.corners.push(v);
        if (i > 0 && i + 1 < corners.size()) to.corners.push(v);
    }
}

void ObjectBuilder::points(const PodBuffer<Corner>& corners) {
    Open& to = openFor(Topology::Points, corners[0]);
    for (const Corner& corner : corners) to.corners.push(table_.add(corner, to.number));
}

// ------------------------------------------------------------------------------------------------ objects end

void ObjectBuilder::endObject(std::size_t seen) {
    if (!open_.empty()) {
        addNodes(closePrimitives());
    } else if (seen > firstPosition_) {
        bare_.push_back({addNode(name_, std::nullopt), firstPosition_, seen});
    }
    firstPosition_ = seen;
    groups_.resize(1);
    groupByName_.clear();
    open_.clear();
    openByKey_.clear();
    group_ = 0;
    current_ = nullptr;
}

namespace {

/// All points in their order need no indices.
void settlePoints(Primitive& p) {
    if (p.indices.size() != p.positions.size()) return;
    for (std::size_t i = 0; i < p.indices.size(); ++i) {
        if (p.indices[i] != i) return;
    }
    p.indices = {};
}

/// Vertices without a colour are white when others have one.
void settleColors(Primitive& p) {
    bool any = false;
    for (const Vec4& c : p.colors) any = any || c != VertexLines::kNoColor;
    if (!any) p.colors = {};
    for (Vec4& c : p.colors) {
        if (c == VertexLines::kNoColor) c = Vec4(1.0F);
    }
}

}  // namespace

/// The primitives of the object with their vertices in order and exactly as much memory as they need.
std::vector<Primitive> ObjectBuilder::closePrimitives() {
    std::vector<Primitive> out(open_.size());
    std::vector<std::size_t> counts(open_.size());
    for (const CornerTable::Vertex& v : table_.vertices()) ++counts[v.primitive];
    const bool colors = !lines_.colors.empty();
    for (std::size_t i = 0; i < open_.size(); ++i) {
        const Key& key = open_[i]->key;
        out[i].topology = key.topology;
        if (key.material != kNoMaterial) out[i].material = key.material;
        out[i].positions.reserve(counts[i]);
        if (key.uvs) out[i].uvs.reserve(counts[i]);
        if (key.normals) out[i].normals.reserve(counts[i]);
        if (colors) out[i].colors.reserve(counts[i]);
    }
    if (used_.size() < lines_.positions.size()) used_.resize(lines_.positions.size());
    table_.number(open_.size(), [&](const CornerTable::Vertex& v) {
        Primitive& p = out[v.primitive];
        const std::uint32_t line = v.corner.position;
        used_[line] = true;
        p.positions.push_back(lines_.positions[line]);
        if (v.corner.uv != Corner::kNone) p.uvs.push_back(lines_.uvs[v.corner.uv]);
        if (v.corner.normal != Corner::kNone) p.normals.push_back(lines_.normals[v.corner.normal]);
        if (colors) p.colors.push_back(line < lines_.colors.size() ? lines_.colors[line] : VertexLines::kNoColor);
    });
    for (std::size_t i = 0; i < open_.size(); ++i) {
        out[i].indices.reserve(open_[i]->corners.size());
        for (const std::uint32_t v : open_[i]->corners) out[i].indices.push_back(table_.vertices()[v].next);
        out[i].faceSizes.assign(open_[i]->faceSizes.begin(), open_[i]->faceSizes.end());
        if (out[i].topology == Topology::Points) settlePoints(out[i]);
        settleColors(out[i]);
    }
    table_.clear();
    return out;
}

void ObjectBuilder::addNodes(std::vector<Primitive> primitives) {
    std::vector<std::vector<Primitive>> byGroup(groups_.size());
    std::vector<std::vector<std::uint32_t>> trails(groups_.size());
    for (std::size_t i = 0; i < open_.size(); ++i) {
        byGroup[open_[i]->key.group].push_back(std::move(primitives[i]));
        trails[open_[i]->key.group].push_back(open_[i]->key.trail);
    }
    std::optional<std::uint32_t> parent;
    if (isObject_ || !byGroup[0].empty()) {
        const std::uint32_t node = addNode(name_, std::nullopt);
        if (!byGroup[0].empty()) addMesh(node, std::move(byGroup[0]), trails[0]);
        if (isObject_) parent = node;
    }
    for (std::size_t g = 1; g < groups_.size(); ++g) {
        if (byGroup[g].empty()) continue;
        const std::uint32_t node = addNode(groups_[g], parent);
        if (parent) scene_.nodes[node].extras = Extras::fromText(std::string(kGroupMark));
        addMesh(node, std::move(byGroup[g]), trails[g]);
    }
}

std::uint32_t ObjectBuilder::addNode(std::string name, std::optional<std::uint32_t> parent) {
    Node& node = scene_.nodes.emplace_back();
    node.name = std::move(name);
    node.parent = parent;
    return static_cast<std::uint32_t>(scene_.nodes.size() - 1);
}

void ObjectBuilder::addMesh(std::uint32_t node, std::vector<Primitive> primitives,
                            const std::vector<std::uint32_t>& trails) {
    scene_.nodes[node].mesh = static_cast<std::uint32_t>(scene_.meshes.size());
    Mesh& mesh = scene_.meshes.emplace_back();
    mesh.name = scene_.nodes[node].name;
    mesh.primitives = std::move(primitives);
    dropBadAttributes(mesh);
    if (!faithful_ || trails.empty()) return;
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const std::uint32_t t : trails) names.push_back(*trailList_[t]);
    mesh.extras = Extras(nlohmann::ordered_json{{kNameTrails, std::move(names)}});
}

/// A mesh keeps its normals and uvs only when all of them are sound.
void ObjectBuilder::dropBadAttributes(Mesh& mesh) {
    bool badNormal = false;
    bool badUv = false;
    for (const Primitive& p : mesh.primitives) {
        for (const Vec3& n : p.normals) badNormal = badNormal || std::isnan(n.x);
        for (const Vec2& uv : p.uvs) badUv = badUv || !std::isfinite(uv.x) || !std::isfinite(uv.y);
    }
    if (badNormal) badNormals_.add(nullptr, mesh.name);
    if (badUv) badUvs_.add(nullptr, mesh.name);
    for (Primitive& p : mesh.primitives) {
        if (badNormal) p.normals = {};
        if (badUv) p.uvs = {};
    }
}

void ObjectBuilder::finish(std::size_t seen) {
    endObject(seen);
    used_.resize(lines_.positions.size());
    makeClouds();
    unusedVertices_ = static_cast<std::size_t>(std::count(used_.begin(), used_.end(), false));
}

namespace {

/// Vertices of lines that could not be read are NaN and no part of a cloud.
void dropUnread(Primitive& cloud) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
        if (std::isnan(cloud.positions[i].x)) continue;
        cloud.positions[kept] = cloud.positions[i];
        if (!cloud.colors.empty()) cloud.colors[kept] = cloud.colors[i];
        ++kept;
    }
    cloud.positions.resize(kept);
    if (!cloud.colors.empty()) cloud.colors.resize(kept);
}

}  // namespace

/// Objects of bare vertices are clouds unless an element of another object uses their vertices, as in files that give
/// all vertices first.
void ObjectBuilder::makeClouds() {
    std::vector<bool> empty(scene_.nodes.size());
    for (const Bare& bare : bare_) {
        const auto first = used_.begin() + static_cast<std::ptrdiff_t>(bare.first);
        const auto last = used_.begin() + static_cast<std::ptrdiff_t>(bare.last);
        if (std::find(first, last, true) != last) {
            empty[bare.node] = true;
            continue;
        }
        std::fill(first, last, true);
        Primitive cloud;
        cloud.topology = Topology::Points;
        cloud.positions.assign(lines_.positions.begin() + bare.first, lines_.positions.begin() + bare.last);
        if (!lines_.colors.empty()) {
            cloud.colors.assign(lines_.colors.begin() + bare.first,
                                lines_.colors.begin() + std::min(bare.last, lines_.colors.size()));
            cloud.colors.resize(cloud.positions.size(), VertexLines::kNoColor);
        }
        dropUnread(cloud);
        settleColors(cloud);
        std::vector<Primitive> primitives;
        primitives.push_back(std::move(cloud));
        addMesh(bare.node, std::move(primitives));
    }
    // Without such objects nothing is to be dropped, and meshes stand in the order of their nodes.
    if (!bare_.empty()) dropNodes(empty);
}

/// Removes nodes that nothing stands below, and brings meshes into the order of their nodes.
void ObjectBuilder::dropNodes(const std::vector<bool>& dropped) {
    std::vector<std::uint32_t> moved(scene_.nodes.size());
    std::vector<Mesh> meshes;
    meshes.reserve(scene_.meshes.size());
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
        moved[i] = kept;
        if (dropped[i]) continue;
        if (kept != i) scene_.nodes[kept] = std::move(scene_.nodes[i]);
        Node& node = scene_.nodes[kept++];
        if (node.parent) node.parent = moved[*node.parent];
        if (!node.mesh) continue;
        meshes.push_back(std::move(scene_.meshes[*node.mesh]));
        node.mesh = static_cast<std::uint32_t>(meshes.size() - 1);
    }
    scene_.nodes.resize(kept);
    scene_.meshes = std::move(meshes);
}

}  // namespace geomconv::obj
