#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "formats/sur/measure.hpp"
#include "formats/sur/names.hpp"
#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::sur {

namespace {

using Json = nlohmann::ordered_json;

Json threeNumbers(const Vec3& v) {
    return {v.x, v.y, v.z};
}
/// Rounded to the float that a file could hold.
Json threeNumbers(const Vec3d& v) {
    return threeNumbers(Vec3(v));
}

struct Counts {
    std::size_t hulls = 0;
    std::size_t wrapHulls = 0;
    std::size_t faces = 0;
    std::size_t points = 0;
    std::size_t nodes = 0;
};
Counts countsOf(const Part& part) {
    Counts counts;
    if (!part.surface) return counts;
    for (const Hull& hull : part.surface->hulls) {
        (hull.terminal() ? counts.hulls : counts.wrapHulls) += 1;
        if (hull.terminal()) counts.faces += hull.faces.size();
    }
    counts.points = part.surface->points.size();
    counts.nodes = part.surface->nodes.size();
    return counts;
}

void putCounts(Json& row, const Counts& counts) {
    row["hulls"] = counts.hulls;
    row["wrapHulls"] = counts.wrapHulls;
    row["faces"] = counts.faces;
    row["points"] = counts.points;
    row["nodes"] = counts.nodes;
}

/// How many node boxes hold the hulls below them. A box that does not lets shots pass through what sticks out.
Json boxFigures(const Surface& surface, const PartMeasure& m) {
    std::size_t leaves = 0;
    std::size_t goodLeaves = 0;
    std::size_t goodInner = 0;
    double worst = 0.0;
    for (std::size_t n = 0; n < surface.nodes.size(); ++n) {
        const Node& node = surface.nodes[n];
        const double out = boxOf(node).missedBy(m.below[n]);
        const bool good = out <= slackOf(node);
        if (!good) worst = std::max(worst, out);
        if (node.leaf()) ++leaves;
        (node.leaf() ? goodLeaves : goodInner) += good ? 1U : 0U;
    }
    return {{"leaves", leaves},
            {"leavesHoldingTheirHull", goodLeaves},
            {"innerNodes", surface.nodes.size() - leaves},
            {"innerNodesHoldingAllBelow", goodInner},
            {"worstMiss", static_cast<float>(worst)}};
}

Json partRow(const Part& part, const KnownNames& names, Effort& effort) {
    Json row;
    row["name"] = names.nameOf(part.id);
    row["id"] = hexId(part.id);
    row["fixed"] = part.fixed;
    putCounts(row, countsOf(part));
    row["hardpoints"] = Json::array();
    for (const std::uint32_t id : part.hardpoints) row["hardpoints"].push_back(names.nameOf(id));
    if (part.extent) {
        row["extent"] = {{"minimum", threeNumbers(part.extent->minimum)},
                         {"maximum", threeNumbers(part.extent->maximum)}};
    }
    if (!part.surface || part.surface->hulls.empty()) return row;

    const Surface& surface = *part.surface;
    const PartMeasure m = measurePart(part, surface, effort);
    std::size_t convex = 0;
    for (std::size_t h = 0; h < m.hulls.size(); ++h) {
        const HullMeasure& hull = m.hulls[h];
        const bool dented = hull.bulge && !hull.flat && *hull.bulge > 1e-3 * hull.size;
        convex += surface.hulls[h].terminal() && !dented ? 1U : 0U;
    }
    row["volume"] = static_cast<float>(m.mass.volume);
    row["convexHulls"] = convex;
    row["treeDepth"] = m.depth;
    row["damagedTree"] = !surface.block.empty();
    if (surface.block.empty()) row["boxes"] = boxFigures(surface, m);
    row["massCenter"] = {{"stored", threeNumbers(surface.massCenter)}, {"derived", threeNumbers(m.mass.massCenter)}};
    row["radius"] = {{"stored", surface.radius}, {"derived", static_cast<float>(m.mass.radius)}};
    row["surfaceDeviation"] = {{"stored", surface.surfaceDeviation}, {"derived", m.deviation}};
    row["rotationInertia"] = {{"stored", threeNumbers(surface.rotationInertia)},
                              {"derived", threeNumbers(m.mass.rotationInertia)}};
    return row;
}

}  // namespace

nlohmann::ordered_json info(const Library& library, const ReadOptions& options) {
    const KnownNames names(options.model.get(), options.names);
    Json out;
    Counts total;
    std::size_t hardpoints = 0;
    for (const Part& part : library.parts) {
        const Counts counts = countsOf(part);
        total.hulls += counts.hulls;
        total.wrapHulls += counts.wrapHulls;
        total.faces += counts.faces;
        total.points += counts.points;
        total.nodes += counts.nodes;
        hardpoints += part.hardpoints.size();
    }
    out["partCount"] = library.parts.size();
    putCounts(out, total);
    out["hardpoints"] = hardpoints;
    out["parts"] = Json::array();
    Effort effort;
    for (const Part& part : library.parts) out["parts"].push_back(partRow(part, names, effort));
    return out;
}

std::vector<Member> list(const Library& library, const ReadOptions& options) {
    const KnownNames names(options.model.get(), options.names);
    std::vector<Member> out;
    Ordinals partNames;
    std::uint64_t at = 8;
    for (const Part& part : library.parts) {
        const PartPlace place = placeOf(part);
        const Counts counts = countsOf(part);
        const std::string partName = partNames.numbered(names.nameOf(part.id));
        out.push_back({partName, "part", at, place.size,
                       counted(counts.hulls, "hulls") + ", " + counted(counts.faces, "faces") + ", " +
                           counted(counts.points, "points")});
        if (part.surface) {
            const Layout layout = layoutOf(*part.surface);
            Ordinals hullNames;
            for (std::size_t h = 0; h < part.surface->hulls.size(); ++h) {
                const Hull& hull = part.surface->hulls[h];
                const std::string name = hullNames.numbered(hull.terminal() ? names.nameOf(hull.id) : "wrap");
                out.push_back({partName + '/' + name, hull.terminal() ? "hull" : "wrap hull",
                               at + place.surface + layout.hulls[h], kHullBytes + kFaceBytes * hull.faces.size(),
                               counted(hull.faces.size(), "faces")});
            }
        }
        at += place.size;
    }
    return out;
}

}  // namespace geomconv::sur
