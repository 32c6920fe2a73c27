#include <algorithm>

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

std::optional<std::uint32_t> partNamed(const Model& model, const std::vector<std::uint32_t>& order,
                                       std::string_view name) {
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        if (equalWithoutCase(model.parts[order[i]].objectName, name)) return i;
    }
    return std::nullopt;
}

/// Parents by joints; a joint of parts that are not declared is passed over, as the game does.
void applyJoints(const Model& model, const std::vector<std::uint32_t>& order, ModelParts& out, Defects& defects) {
    for (const Joint& joint : model.joints) {
        const auto parent = partNamed(model, order, joint.parent);
        const auto child = partNamed(model, order, joint.child);
        if (!parent || !child) continue;
        ModelPart& part = out.parts[*child];
        if (part.parent) {
            defects.warn("joint-twice", std::nullopt, {{"part", printable(part.name)}},
                         "a second joint names it; the first stays");
            continue;
        }
        part.parent = parent;
        part.joint = joint.kind;
        part.local = restTransform(joint);
    }
}

/// Cuts parents that never reach a root.
void cutCycles(ModelParts& out, Defects& defects) {
    for (ModelPart& start : out.parts) {
        const ModelPart* at = &start;
        for (std::size_t steps = 0; at->parent; ++steps) {
            if (steps > out.parts.size()) {
                defects.warn("cycle", std::nullopt, {{"part", printable(start.name)}},
                             "joints form a circle; it is cut here");
                start.parent.reset();
                break;
            }
            at = &out.parts[*at->parent];
        }
    }
}

}  // namespace

ModelParts partsOf(const Model& model, Defects& defects) {
    // The root is the part that is nobody's child; where several are, the one whose index is lowest.
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < model.parts.size(); ++i) order.push_back(i);
    const auto isChild = [&](std::uint32_t i) {
        return std::any_of(model.joints.begin(), model.joints.end(), [&](const Joint& joint) {
            return equalWithoutCase(joint.child, model.parts[i].objectName);
        });
    };
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

}  // namespace geomconv::cmp
