#include "lib/scene/transform.hpp"

namespace geomconv {

Mat4d localMatrix(const Node& node) {
    if (node.matrix) return Mat4d(*node.matrix);
    // Normalised in double, so that quarter turns stored as floats come out exact.
    const Mat3d rotation = glm::mat3_cast(glm::normalize(Quatd(node.rotation)));
    Mat4d m(1.0);
    for (int c = 0; c < 3; ++c) m[c] = glm::dvec4(rotation[c] * static_cast<double>(node.scale[c]), 0.0);
    m[3] = glm::dvec4(Vec3d(node.translation), 1.0);
    return m;
}

NodeTree nodeTree(const Scene& scene) {
    NodeTree tree;
    tree.children.resize(scene.nodes.size());
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        const auto& parent = scene.nodes[i].parent;
        if (parent)
            tree.children[*parent].push_back(i);
        else
            tree.roots.push_back(i);
    }
    return tree;
}

std::vector<Mat4d> worldMatrices(const Scene& scene) {
    std::vector<Mat4d> world(scene.nodes.size(), Mat4d(1.0));
    const NodeTree tree = nodeTree(scene);
    std::vector<std::uint32_t> open(tree.roots.rbegin(), tree.roots.rend());
    while (!open.empty()) {
        const std::uint32_t i = open.back();
        open.pop_back();
        const Node& node = scene.nodes[i];
        world[i] = node.parent ? world[*node.parent] * localMatrix(node) : localMatrix(node);
        open.insert(open.end(), tree.children[i].begin(), tree.children[i].end());
    }
    return world;
}

bool parentsAreSound(const Scene& scene) {
    // A node is sound when its parent is; each chain is walked once.
    enum : std::uint8_t { kUnseen, kOpen, kSound };
    std::vector<std::uint8_t> state(scene.nodes.size(), kUnseen);
    for (std::uint32_t start = 0; start < scene.nodes.size(); ++start) {
        std::vector<std::uint32_t> chain;
        std::uint32_t at = start;
        while (state[at] == kUnseen) {
            state[at] = kOpen;
            chain.push_back(at);
            const auto& parent = scene.nodes[at].parent;
            if (!parent) break;
            if (*parent >= scene.nodes.size() || state[*parent] == kOpen) return false;
            at = *parent;
        }
        for (const std::uint32_t i : chain) state[i] = kSound;
    }
    return true;
}

namespace {

/// Columns are the images of x, y, z.
Mat4d fromColumns(Vec3d x, Vec3d y, Vec3d z) {
    return {glm::dvec4(x, 0.0), glm::dvec4(y, 0.0), glm::dvec4(z, 0.0), glm::dvec4(0.0, 0.0, 0.0, 1.0)};
}

}  // namespace

Mat4d toYUp(const Space& space) {
    Mat4d turn(1.0);
    if (space.up == UpAxis::Z) turn = fromColumns({1, 0, 0}, {0, 0, -1}, {0, 1, 0});
    if (space.up == UpAxis::X) turn = fromColumns({0, 1, 0}, {-1, 0, 0}, {0, 0, 1});
    if (space.handedness == Handedness::Left) turn = fromColumns({1, 0, 0}, {0, 1, 0}, {0, 0, -1}) * turn;
    return turn;
}

Mat4d toZUp(const Space& space) {
    Mat4d turn(1.0);
    if (space.up == UpAxis::Y) turn = fromColumns({1, 0, 0}, {0, 0, 1}, {0, -1, 0});
    if (space.up == UpAxis::X) turn = fromColumns({0, 0, 1}, {0, 1, 0}, {-1, 0, 0});
    if (space.handedness == Handedness::Left) turn = fromColumns({1, 0, 0}, {0, -1, 0}, {0, 0, 1}) * turn;
    return turn;
}

}  // namespace geomconv
