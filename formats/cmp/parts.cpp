#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/cmp/cmp.hpp"
#include "formats/cmp/joint.hpp"
#include "formats/utf/utf.hpp"
#include "lib/bytes/checksum.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::cmp {

namespace {

ModelHardpoint toHardpoint(const Hardpoint& in) {
    ModelHardpoint out;
    out.name = utf8FromWindows1252(in.name);
    out.id = freelancerHash(in.name);
    out.revolute = in.revolute;
    out.position = in.position;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            out.orientation[column][row] =
                in.orientation[3 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)];
        }
    }
    return out;
}

/// Places in the order by object name, in lower case. The first of a name counts.
std::unordered_map<std::string, std::uint32_t> placesByName(const Model& model,
                                                            const std::vector<std::uint32_t>& order) {
    std::unordered_map<std::string, std::uint32_t> out;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        out.try_emplace(asciiLower(model.parts[order[i]].objectName), i);
    }
    return out;
}

/// Parents by joints; a joint of parts that are not declared is passed over, as the game does.
void applyJoints(const Model& model, const std::vector<std::uint32_t>& order, ModelParts& out, Defects& defects) {
    const auto places = placesByName(model, order);
    for (const Joint& joint : model.joints) {
        const auto parent = places.find(asciiLower(joint.parent));
        const auto child = places.find(asciiLower(joint.child));
        if (parent == places.end() || child == places.end()) continue;
        ModelPart& part = out.parts[child->second];
        if (part.parent) {
            defects.warn("joint-twice", std::nullopt, {{"part", printable(part.name)}},
                         "a second joint names it; the first stays");
            continue;
        }
        part.parent = parent->second;
        part.joint = joint.kind;
        part.local = restTransform(joint);
    }
}

/// Cuts circles of parents, each at the part that is met first.
void cutCycles(ModelParts& out, Defects& defects) {
    std::vector<std::size_t> walk(out.parts.size(), SIZE_MAX);  ///< the number of the walk that met it first
    for (std::size_t start = 0; start < out.parts.size(); ++start) {
        std::size_t at = start;
        while (walk[at] == SIZE_MAX && out.parts[at].parent) {
            walk[at] = start;
            at = *out.parts[at].parent;
        }
        if (walk[at] != start || !out.parts[at].parent) continue;
        ModelPart& part = out.parts[at];
        defects.warn("cycle", std::nullopt, {{"part", printable(part.name)}}, "joints form a circle; it is cut here");
        part.parent.reset();
    }
}

}  // namespace

ModelParts partsOf(const Model& model, Defects& defects) {
    // The root is the part that is nobody's child; where several are, the one whose index is lowest.
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < model.parts.size(); ++i) order.push_back(i);
    std::unordered_set<std::string> children;
    for (const Joint& joint : model.joints) children.insert(asciiLower(joint.child));
    const auto isChild = [&](std::uint32_t i) { return children.contains(asciiLower(model.parts[i].objectName)); };
    std::optional<std::uint32_t> root;
    for (const std::uint32_t i : order) {
        if (isChild(i)) continue;
        if (!root || model.parts[i].index < model.parts[*root].index) root = i;
    }
    if (root) std::rotate(order.begin(), order.begin() + *root, order.begin() + *root + 1);

    ModelParts out;
    out.compound = model.compound;
    for (const std::uint32_t i : order) {
        const Part& part = model.parts[i];
        ModelPart to;
        // A single-part model has no object name; its surface part has the id 0.
        to.name = model.compound ? utf8FromWindows1252(part.objectName) : "Root";
        to.id = model.compound ? freelancerHash(part.objectName) : 0;
        if (part.fragment) {
            const Fragment& fragment = model.fragments[*part.fragment];
            to.fragment = utf8FromWindows1252(fragment.name);
            for (const Hardpoint& h : fragment.hardpoints) to.hardpoints.push_back(toHardpoint(h));
        }
        out.parts.push_back(std::move(to));
    }
    applyJoints(model, order, out, defects);
    cutCycles(out, defects);
    return out;
}

std::unordered_map<std::string, const Fragment*> fragmentsByName(const Model& model) {
    std::unordered_map<std::string, const Fragment*> out;
    for (const Fragment& fragment : model.fragments) out.try_emplace(utf8FromWindows1252(fragment.name), &fragment);
    return out;
}

}  // namespace geomconv::cmp
