#include <algorithm>
#include <cmath>
#include <string>

#include "formats/sur/records.hpp"

namespace geomconv::sur {

namespace {

std::string numbered(std::string_view noun, std::size_t i) {
    return std::string(noun) + ' ' + std::to_string(i);
}

/// Index of the hull at a block offset.
std::optional<std::uint32_t> hullIndex(const std::vector<std::uint32_t>& hullAt, std::int64_t at) {
    const auto found = std::lower_bound(hullAt.begin(), hullAt.end(), at,
                                        [](std::uint32_t a, std::int64_t b) { return std::int64_t{a} < b; });
    if (found == hullAt.end() || *found != at) return std::nullopt;
    return static_cast<std::uint32_t>(found - hullAt.begin());
}

bool finite(const Node& node) {
    return std::isfinite(node.center.x) && std::isfinite(node.center.y) && std::isfinite(node.center.z) &&
           std::isfinite(node.radius);
}

}  // namespace

// The tree is read as the list it should be: in pre-order the node behind an inner node is its left child, and the node
// behind a leaf is the right child of the innermost inner node that still waits for one. A right offset that says
// otherwise is a fault, so no node is ever met twice and no cycle followed.

std::optional<TreeFault> readNodes(const ByteReader& block, std::uint32_t nodesAt,
                                   const std::vector<std::uint32_t>& hullAt, std::vector<Node>& nodes) {
    std::vector<std::uint32_t> waiting;  // right children still to come, innermost last
    do {
        const auto i = static_cast<std::uint32_t>(nodes.size());
        const std::uint64_t at = nodesAt + std::uint64_t{i} * kNodeBytes;
        const auto fault = [&](const std::string& what) { return TreeFault{at, numbered("node", i) + ' ' + what}; };
        if (at + kNodeBytes > block.size()) return fault("lies behind the end of the block");
        ByteReader in = block.within("node", {}, at, kNodeBytes);
        Node& node = nodes.emplace_back();
        const std::int32_t right = in.s32("right offset");
        const std::int32_t hull = in.s32("hull offset");
        for (int axis = 0; axis < 3; ++axis) node.center[axis] = in.f32("center");
        node.radius = in.f32("radius");
        for (std::uint8_t& size : node.boxSizes) size = in.u8("box sizes");
        node.padding = in.u8("padding");

        if (!finite(node)) return fault("has a center or radius that is no number");
        if (hull != 0) {
            node.hull = hullIndex(hullAt, static_cast<std::int64_t>(at) + hull);
            if (!node.hull) return fault("has hull offset " + std::to_string(hull) + ", where no hull begins");
        } else if (right == 0) {
            return fault("is a leaf without a hull");
        }
        if (right != 0) {
            if (right < 2 * static_cast<std::int32_t>(kNodeBytes) ||
                right % static_cast<std::int32_t>(kNodeBytes) != 0) {
                return fault("has right offset " + std::to_string(right) + ", where no right child can be");
            }
            node.right = i + static_cast<std::uint32_t>(right) / kNodeBytes;
            waiting.push_back(*node.right);
        } else if (!waiting.empty()) {
            if (waiting.back() != i + 1) {
                return fault("is followed by a right child that should be " + numbered("node", waiting.back()));
            }
            waiting.pop_back();
        } else {
            break;
        }
    } while (true);
    return std::nullopt;
}

void writeNodes(ByteWriter& out, const std::vector<Node>& nodes, const Layout& layout) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        const std::int64_t at = layout.nodes + static_cast<std::int64_t>(i) * kNodeBytes;
        const std::int64_t right = node.right ? (*node.right - static_cast<std::int64_t>(i)) * kNodeBytes : 0;
        if (node.hull && *node.hull >= layout.hulls.size()) {
            throw FormatError("field-range", numbered("node", i) + " names " + numbered("hull", *node.hull));
        }
        const std::int64_t hull = node.hull ? layout.hulls[*node.hull] - at : 0;
        out.s32(static_cast<std::int32_t>(right));
        out.s32(static_cast<std::int32_t>(hull));
        writeVec3(out, node.center);
        out.f32(node.radius);
        for (const std::uint8_t size : node.boxSizes) out.u8(size);
        out.u8(node.padding);
    }
}

std::vector<std::uint32_t> carriers(const std::vector<Node>& nodes, std::size_t hulls) {
    std::vector<std::uint32_t> carrier(hulls, 0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (nodes[i].hull && *nodes[i].hull < hulls) carrier[*nodes[i].hull] = static_cast<std::uint32_t>(i);
    }
    return carrier;
}

}  // namespace geomconv::sur
