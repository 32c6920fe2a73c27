#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "formats/sur/measure.hpp"
#include "formats/sur/names.hpp"
#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::sur {

namespace {

/// Four significant digits.
std::string figure(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4).ptr;
    return {text.data(), end};
}
std::string of(std::size_t some, std::size_t all) {
    return std::to_string(some) + " of " + std::to_string(all);
}

/// The first four and how many more.
std::string idsText(const std::set<std::uint32_t>& ids) {
    std::string out;
    std::size_t count = 0;
    for (const std::uint32_t id : ids) {
        if (++count <= 4) out += (out.empty() ? "" : ", ") + hexId(id);
    }
    return count > 4 ? out + " and " + std::to_string(count - 4) + " more" : out;
}

/// A rule that many records of a part break alike: counted, and the worst one named.
class Worst {
public:
    void add(std::size_t record, double value) {
        if (count_ == 0 || value > value_) {
            record_ = record;
            value_ = value;
        }
        ++count_;
    }
    std::size_t count() const { return count_; }
    std::size_t record() const { return record_; }
    double value() const { return value_; }

private:
    std::size_t count_ = 0;
    std::size_t record_ = 0;
    double value_ = 0.0;
};

/// The rules of one part with a surface that could be read.
class PartChecker {
public:
    PartChecker(const Part& part, Place place, std::uint64_t partAt, Effort& effort, Defects& defects)
        : part_(part),
          place_(std::move(place)),
          surface_(*part.surface),
          at_(partAt + placeOf(part).surface),
          layout_(layoutOf(surface_)),
          carrier_(carriers(surface_.nodes, surface_.hulls.size())),
          measure_(measurePart(part, surface_, effort)),
          effort_(effort),
          defects_(defects) {}

    void run() {
        for (std::size_t h = 0; h < surface_.hulls.size(); ++h) {
            checkFaces(h);
            checkShape(h);
            if (!surface_.hulls[h].terminal()) checkWrap(h);
        }
        checkHullOrder();
        checkPoints();
        if (!surface_.nodes.empty()) checkTree();
        checkHeader();
        checkExtent();
        checkHardpoints();
    }

private:
    std::vector<Place> where() const { return {place_}; }
    void warn(std::string_view kind, std::string detail) { defects_.warn(kind, at_, where(), std::move(detail)); }
    void warnHull(std::string_view kind, std::size_t h, std::string detail) {
        defects_.warn(kind, at_ + layout_.hulls[h], {{"hull", std::to_string(h)}, place_}, std::move(detail));
    }
    void warnNode(std::string_view kind, std::size_t n, std::string detail) {
        defects_.warn(kind, at_ + layout_.nodes + n * kNodeBytes, {{"node", std::to_string(n)}, place_},
                      std::move(detail));
    }
    std::size_t terminals() const {
        return static_cast<std::size_t>(
            std::count_if(surface_.hulls.begin(), surface_.hulls.end(), [](const Hull& h) { return h.terminal(); }));
    }

    // ------------------------------------------------------------------------------------------------- faces and hulls

    void checkFaces(std::size_t h) {
        const Hull& hull = surface_.hulls[h];
        const std::size_t n = hull.faces.size();
        std::vector<bool> seen(kMaxFaces, false);
        std::size_t moved = 0;
        std::size_t twice = 0;
        std::size_t flags = 0;
        std::size_t pierce = 0;
        for (std::size_t f = 0; f < n; ++f) {
            const Face& face = hull.faces[f];
            moved += face.index != f ? 1U : 0U;
            twice += seen[face.index] ? 1U : 0U;
            seen[face.index] = true;
            const bool all = !hull.terminal();
            const bool asUsual = face.isVirtual == all && face.virtualEdges == std::array{all, all, all};
            flags += asUsual ? 0U : 1U;
            pierce += face.pierce >= n ? 1U : 0U;
        }
        if (twice > 0)
            warnHull("face-index", h, of(twice, n) + " faces carry the own index of another face");
        else if (moved > 0)
            warnHull("face-index", h, of(moved, n) + " faces do not lie at their own index");
        if (flags > 0) {
            warnHull("virtual-flags", h,
                     of(flags, n) + (hull.terminal() ? " faces are marked virtual in a hull that collides"
                                                     : " faces are not marked virtual in a wrap hull"));
        }
        if (pierce > 0) warnHull("pierce-range", h, of(pierce, n) + " faces have a pierce index that is no face");
        if (hull.type != kTerminal && hull.type != kWrap) {
            warnHull("hull-type", h, "type " + std::to_string(hull.type) + ", known are 4 and 5");
        }
        if (hull.reserved != 0)
            warnHull("reserved", h, "reserved word " + std::to_string(hull.reserved) + ", zero in sound files");
    }

    void checkShape(std::size_t h) {
        const Hull& hull = surface_.hulls[h];
        const HullMeasure& m = measure_.hulls[h];
        const std::size_t n = hull.faces.size();
        if (hull.size != 1 + n + m.own.size()) {
            warnHull("size-word", h,
                     "stated size " + std::to_string(hull.size) + ", header, faces and points make " +
                         std::to_string(1 + n + m.own.size()));
        }
        if (m.doubleEdges > 0) warnHull("edge-wound-twice", h, of(m.doubleEdges, 3 * n) + " edges are wound twice");
        if (m.openEdges > 0) warnHull("open-edge", h, of(m.openEdges, 3 * n) + " edges have no reverse");
        if (m.doubleEdges == 0 && m.openEdges == 0 && 2 * m.own.size() != 4 + n) {
            warnHull("euler", h,
                     std::to_string(n) + " faces over " + counted(m.own.size(), "points") + ", a closed hull has " +
                         std::to_string(2 + n / 2));
        }
        if (m.wrongOpposites > 0) {
            warnHull("opposite", h,
                     of(m.wrongOpposites, 3 * n) + " edges are linked to an edge that is not their reverse");
        }
        if (m.zeroArea > 0) warnHull("zero-area", h, of(m.zeroArea, n) + " faces have no area");
        if (m.flat) return;
        if (m.volume < 0.0) warnHull("inside-out", h, "volume " + figure(m.volume) + ": the faces look inward");
        if (!m.bulge) {
            warnHull("not-checked", h, "the hull is too large to be tested for convexity");
        } else if (*m.bulge > 1e-3 * m.size) {
            warnHull("not-convex", h,
                     "a point stands " + figure(*m.bulge) + " out over a face, " + figure(100.0 * *m.bulge / m.size) +
                         " % of the hull's size");
        }
    }

    void checkWrap(std::size_t h) {
        const Hull& hull = surface_.hulls[h];
        if (hull.nodeOffset) {
            warnHull("wrap-offset", h,
                     "the offset to its node is " + std::to_string(*hull.nodeOffset) + ", which is another place");
        }
        const std::size_t node = carrier_[h];
        if (surface_.nodes.empty() || surface_.nodes[node].hull != h) return;
        // What the node's subtree holds must be inside; for the root that is everything.
        if (node != 0) warnHull("wrap-below-root", h, "it hangs on node " + std::to_string(node) + ", not on the root");
        const bool gathered =
            effort_.spend(std::uint64_t{10} * (measure_.last[node] - node));  // points are collected anew
        const std::vector<Vec3d> below = gathered ? pointsBelow(node) : std::vector<Vec3d>();
        if (!gathered || !effort_.spend(std::uint64_t{below.size()} * hull.faces.size())) {
            warnHull("not-checked", h, "the hull is too large to be tested against the points it wraps");
            return;
        }
        double out = 0.0;
        for (const Face& face : hull.faces) out = std::max(out, heightOver(hull, face, below));
        if (out > 1e-4 * measure_.hulls[h].size) {
            warnHull("wrap-misses-points", h, "points of the hulls it wraps stand " + figure(out) + " out");
        }
    }

    /// Points of the hulls that collide in the subtree of a node.
    std::vector<Vec3d> pointsBelow(std::size_t node) const {
        std::vector<Vec3d> points;
        for (std::size_t n = node; n <= measure_.last[node]; ++n) {
            const auto hull = surface_.nodes[n].hull;
            if (!hull || !surface_.hulls[*hull].terminal()) continue;
            for (const std::uint32_t p : measure_.hulls[*hull].own) points.emplace_back(surface_.points[p].position);
        }
        return points;
    }

    /// How far the highest of the points stands out over a face; zero when none does.
    double heightOver(const Hull& hull, const Face& face, const std::vector<Vec3d>& points) const {
        const auto at = [&](std::size_t e) {
            return Vec3d(surface_.points[hull.firstPoint + face.points[e]].position);
        };
        const Vec3d a = at(0);
        const Vec3d normal = glm::cross(at(1) - a, at(2) - a);
        const double length = glm::length(normal);
        double highest = 0.0;
        for (const Vec3d& p : points) highest = std::max(highest, glm::dot(normal, p - a));
        return length > 0.0 ? highest / length : 0.0;
    }

    void checkHullOrder() {
        for (std::size_t h = 1; h < surface_.hulls.size(); ++h) {
            if (surface_.hulls[h].terminal() && !surface_.hulls[h - 1].terminal()) {
                warnHull("hull-order", h, "a hull that collides behind a wrap hull");
                return;
            }
        }
    }

    void checkPoints() {
        std::vector<bool> used(surface_.points.size(), false);
        std::vector<bool> owned(surface_.points.size(), false);
        std::vector<bool> labelled(surface_.points.size(), false);
        for (std::size_t h = 0; h < surface_.hulls.size(); ++h) {
            const Hull& hull = surface_.hulls[h];
            for (const std::uint32_t p : measure_.hulls[h].own) {
                used[p] = true;
                if (!hull.terminal()) continue;
                labelled[p] = true;
                if (surface_.points[p].clientData == hull.id) owned[p] = true;
            }
        }
        const auto unused = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
        if (unused > 0) warn("unused-point", of(unused, used.size()) + " points are in no hull");
        std::size_t strangers = 0;
        for (std::size_t p = 0; p < used.size(); ++p) strangers += labelled[p] && !owned[p] ? 1U : 0U;
        if (strangers > 0)
            warn("client-data", of(strangers, used.size()) + " points carry the id of no hull they are in");
    }

    // ------------------------------------------------------------------------------------------------------------ tree

    void checkTree() {
        std::vector<std::size_t> times(surface_.hulls.size(), 0);
        for (std::size_t n = 0; n < surface_.nodes.size(); ++n) {
            const Node& node = surface_.nodes[n];
            if (node.padding != 0)
                warnNode("reserved", n, "spare byte " + std::to_string(node.padding) + ", zero in sound files");
            if (!node.hull) continue;
            ++times[*node.hull];
            const bool terminal = surface_.hulls[*node.hull].terminal();
            if (node.leaf() && !terminal) warnNode("tree", n, "a leaf carries a wrap hull");
            if (!node.leaf() && terminal) {
                warnNode("tree", n,
                         "an inner node carries hull " + std::to_string(*node.hull) + ", where most readers stop");
            }
        }
        for (std::size_t h = 0; h < times.size(); ++h) {
            if (times[h] == 0) warnHull("tree", h, "no node carries it: nothing hits it");
            if (times[h] > 1) warnHull("tree", h, std::to_string(times[h]) + " nodes carry it");
        }
        checkBoxes();
        checkLeafSpheres();
    }

    void checkBoxes() {
        Worst hulls;
        Worst below;
        Worst children;
        std::size_t leaves = 0;
        for (std::size_t n = 0; n < surface_.nodes.size(); ++n) {
            const Node& node = surface_.nodes[n];
            const Span box = boxOf(node);
            if (node.leaf()) {
                ++leaves;
                const double out = box.missedBy(measure_.below[n]);
                if (out > slackOf(node)) hulls.add(n, out);
                continue;
            }
            const double out = box.missedBy(measure_.below[n]);
            if (out > slackOf(node)) below.add(n, out);
            for (const std::size_t c : {n + 1, static_cast<std::size_t>(*node.right)}) {
                const Node& child = surface_.nodes[c];
                // The original builder bounds an inner node by the leaves below, so that the rounding of an inner child
                // may stick out by one step.
                const double step = child.leaf() ? 0.0 : kStep * static_cast<double>(child.radius);
                const double over = box.missedBy(boxOf(child)) - step;
                if (over > slackOf(node) + slackOf(child)) children.add(c, over);
            }
        }
        const std::size_t inner = surface_.nodes.size() - leaves;
        if (hulls.count() > 0) {
            const Node& node = surface_.nodes[hulls.record()];
            warnHull("box-misses-hull", node.hull.value_or(0),
                     "it sticks " + figure(hulls.value()) + " out of the box of node " +
                         std::to_string(hulls.record()) + ", so shots can pass through; " + of(hulls.count(), leaves) +
                         " leaves of the part are so");
        }
        if (below.count() > 0) {
            warnNode("box-misses-hulls-below", below.record(),
                     "hulls below stick " + figure(below.value()) + " out of its box, so shots can pass through; " +
                         of(below.count(), inner) + " inner nodes of the part are so");
        }
        if (children.count() > 0) {
            warnNode("box-misses-child", children.record(),
                     "its box sticks " + figure(children.value()) + " out of its parent's; " +
                         of(children.count(), surface_.nodes.size() - 1) + " nodes of the part are so");
        }
    }

    void checkLeafSpheres() {
        Worst wrong;
        std::size_t leaves = 0;
        for (std::size_t n = 0; n < surface_.nodes.size(); ++n) {
            const Node& node = surface_.nodes[n];
            if (!node.leaf() || !node.hull) continue;
            ++leaves;
            const LeafBounds derived = leafBounds(measure_.hulls[*node.hull].box);
            const double off = std::max(glm::length(derived.center - Vec3d(node.center)),
                                        std::abs(derived.radius - static_cast<double>(node.radius)));
            if (off > 1e-4 * derived.radius + slackOf(node)) wrong.add(n, off);
        }
        if (wrong.count() == 0) return;
        warnNode("leaf-sphere", wrong.record(),
                 "center or radius is " + figure(wrong.value()) + " off the sphere around its hull; " +
                     of(wrong.count(), leaves) + " leaves of the part are so");
    }

    // ---------------------------------------------------------------------------------------------- header and chunks

    void checkHeader() {
        const MassProperties& mass = measure_.mass;
        const double r = mass.radius;
        const auto three = [](const Vec3d& v) { return figure(v.x) + ' ' + figure(v.y) + ' ' + figure(v.z); };
        if (surface_.padding != std::array<std::uint32_t, 3>{}) warn("reserved", "the header's padding is not zero");
        if (!(glm::length(mass.massCenter - Vec3d(surface_.massCenter)) <= 1e-3 * r)) {
            warn("mass-center",
                 "mass center " + three(Vec3d(surface_.massCenter)) + ", the hulls give " + three(mass.massCenter));
        }
        // The sphere stands around the stored centre, wherever that is.
        double farthest = 0.0;
        for (std::size_t h = 0; h < surface_.hulls.size(); ++h) {
            if (!surface_.hulls[h].terminal()) continue;
            for (const std::uint32_t p : measure_.hulls[h].own) {
                farthest =
                    std::max(farthest, glm::length(Vec3d(surface_.points[p].position) - Vec3d(surface_.massCenter)));
            }
        }
        const double radius = static_cast<double>(surface_.radius);
        if (std::abs(farthest - radius) > 1e-3 * farthest) {
            warn("radius", "radius " + figure(radius) + ", the farthest point is " + figure(farthest) +
                               " from the mass center" + (radius < farthest ? ": points stick out" : ""));
        }
        const int off = std::abs(int{surface_.surfaceDeviation} - int{measure_.deviation});
        if (off > (measure_.deviationOnStep ? 1 : 0)) {
            warn("surface-deviation", "surface deviation " + std::to_string(surface_.surfaceDeviation) +
                                          ", the hulls give " + std::to_string(measure_.deviation));
        }
        checkInertia(three);
        if (mass.degenerate && std::abs(mass.volume) > 1e-3 * r * r * r) {
            warn("mass-fallback",
                 "volume " + figure(mass.volume) +
                     " counts as none by the builder's rule: mass center and inertia come from the box");
        }
    }

    /// Original files hold the solver's noise, others a rule of thumb: only what cannot be meant is told.
    template <class Three>
    void checkInertia(const Three& three) {
        const Vec3d stored(surface_.rotationInertia);
        const Vec3d derived = measure_.mass.rotationInertia;
        bool far = false;
        for (int axis = 0; axis < 3; ++axis) {
            far = far || !(stored[axis] > 0.0) || stored[axis] > 10.0 * derived[axis] ||
                  stored[axis] < 0.1 * derived[axis];
        }
        if (far) warn("rotation-inertia", "rotation inertia " + three(stored) + ", the hulls give " + three(derived));
    }

    void checkExtent() {
        if (!part_.extent || measure_.extent.empty()) return;
        const Span stated{Vec3d(part_.extent->minimum), Vec3d(part_.extent->maximum)};
        const double tolerance = 1e-4 * std::max(measure_.mass.radius, 1e-9);
        const double low = stated.missedBy(measure_.extent);
        const double high = measure_.extent.missedBy(stated);
        if (low > tolerance)
            warn("extent", "the box of exts leaves out " + figure(low) + " of the hulls that are no hardpoint's");
        else if (high > tolerance)
            warn("extent", "the box of exts is " + figure(high) + " larger than the hulls that are no hardpoint's");
    }

    void checkHardpoints() {
        std::set<std::uint32_t> ids;
        for (const Hull& hull : surface_.hulls) {
            if (hull.terminal()) ids.insert(hull.id);
        }
        std::set<std::uint32_t> missing;
        for (const std::uint32_t id : part_.hardpoints) {
            if (!ids.contains(id)) missing.insert(id);
        }
        if (!missing.empty()) warn("hardpoint-without-hull", "hpid lists " + idsText(missing) + ", which no hull has");
        if (terminals() == 0) warn("no-hull", "no hull of the part collides");
    }

    const Part& part_;
    Place place_;
    const Surface& surface_;
    std::uint64_t at_;  ///< file offset of the surf block
    Layout layout_;
    std::vector<std::uint32_t> carrier_;  ///< per hull: its node
    PartMeasure measure_;
    Effort& effort_;
    Defects& defects_;
};

void checkChunks(const Part& part, const Place& place, std::uint64_t at, Defects& defects) {
    const std::vector<Place> where{place};
    if (!part.extent) defects.warn("no-extent", at, where, "the part has no exts");
    if (!part.surface) defects.warn("no-surface", at, where, "the part has no surf");
    const auto rank = [](ChunkTag tag) {
        return tag == ChunkTag::Unfixed ? 0 : tag == ChunkTag::Extent ? 1 : tag == ChunkTag::Surface ? 2 : 3;
    };
    const auto later = [&](const Chunk& a, const Chunk& b) { return rank(a.tag) < rank(b.tag); };
    if (!std::is_sorted(part.chunks.begin(), part.chunks.end(), later)) {
        defects.warn("chunk-order", at, where, "the chunks are not in the order !fxd, exts, surf, hpid");
    }
}

/// What the model beside the library says of its parts.
class ModelChecker {
public:
    explicit ModelChecker(const ModelParts& model) : model_(model) {
        for (const ModelPart& part : model.parts) {
            byId_.try_emplace(part.id, &part);
            for (const ModelHardpoint& hardpoint : part.hardpoints) hardpoints_.insert(hardpoint.id);
        }
    }

    void run(const Part& part, const Place& place, std::uint64_t at, Defects& defects) const {
        const bool single = !model_.compound && model_.parts.size() == 1;
        const auto found = byId_.find(part.id);
        if (!single && found == byId_.end()) {
            defects.warn("part-without-model", at, {place}, "the model has no part of this id");
            return;
        }
        checkIds(part, place, at, defects);
        const JointKind joint = single ? JointKind::Root : found->second->joint;
        if (part.fixed == (joint == JointKind::Fixed)) return;
        defects.warn("fixed-flag", at, {place},
                     part.fixed ? "no !fxd, but in the model it is the root or its joint moves"
                                : "!fxd, but in the model its joint is fixed");
    }

private:
    /// Hulls and hpid of a part name parts and hardpoints of the model; others were renamed there, or are gone.
    void checkIds(const Part& part, const Place& place, std::uint64_t at, Defects& defects) const {
        std::set<std::uint32_t> strangers;
        std::size_t hulls = 0;
        std::size_t all = 0;
        static const std::vector<Hull> kNone;
        for (const Hull& hull : part.surface ? part.surface->hulls : kNone) {
            if (!hull.terminal()) continue;
            ++all;
            if (hull.id == 0 || hull.id == part.id || byId_.contains(hull.id) || hardpoints_.contains(hull.id))
                continue;
            ++hulls;
            strangers.insert(hull.id);
        }
        if (hulls > 0) {
            defects.warn(
                "hull-without-model", at, {place},
                of(hulls, all) + " hulls carry the id of no part and no hardpoint of the model: " + idsText(strangers));
        }
        std::set<std::uint32_t> missing;
        for (const std::uint32_t id : part.hardpoints) {
            if (!hardpoints_.contains(id)) missing.insert(id);
        }
        if (!missing.empty()) {
            defects.warn("hardpoint-without-model", at, {place},
                         "hpid lists " + idsText(missing) + ": no hardpoint of the model");
        }
    }

    const ModelParts& model_;
    std::unordered_map<std::uint32_t, const ModelPart*> byId_;
    std::unordered_set<std::uint32_t> hardpoints_;
};

}  // namespace

void check(const Library& library, Defects& defects, const ReadOptions& options) {
    if (library.parts.empty()) defects.warn("no-parts", std::nullopt, {}, "the library has no parts");
    const KnownNames names(options.model.get(), options.names);
    std::optional<ModelChecker> model;
    if (options.model && !options.model->parts.empty()) model.emplace(*options.model);
    std::set<std::uint32_t> ids;
    Effort effort;
    std::uint64_t at = 8;
    for (const Part& part : library.parts) {
        const Place place{"part", hexId(part.id), names.knows(part.id) ? names.nameOf(part.id) : std::string()};
        if (!ids.insert(part.id).second) defects.warn("duplicate-part", at, {place}, "another part has the same id");
        checkChunks(part, place, at, defects);
        if (model) model->run(part, place, at, defects);
        if (part.surface && !part.surface->hulls.empty()) PartChecker(part, place, at, effort, defects).run();
        at += placeOf(part).size;
    }
}

}  // namespace geomconv::sur
