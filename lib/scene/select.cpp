#include "lib/scene/select.hpp"

#include <algorithm>
#include <utility>

#include "lib/bytes/text.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv {

namespace {

/// Matches one character against the class that starts behind '['. end: set behind ']'. False and end == npos when
/// the class is not closed: then '[' is an ordinary character.
bool classMatches(std::string_view glob, std::size_t start, char c, std::size_t& end) {
    std::size_t p = start;
    const bool negated = p < glob.size() && (glob[p] == '!' || glob[p] == '^');
    if (negated) ++p;
    bool found = false;
    bool first = true;
    while (p < glob.size() && (glob[p] != ']' || first)) {
        first = false;
        const char low = asciiLower(glob[p]);
        if (p + 2 < glob.size() && glob[p + 1] == '-' && glob[p + 2] != ']') {
            if (c >= low && c <= asciiLower(glob[p + 2])) found = true;
            p += 3;
        } else {
            if (c == low) found = true;
            ++p;
        }
    }
    if (p >= glob.size()) {
        end = std::string_view::npos;
        return false;
    }
    end = p + 1;
    return found != negated;
}

/// Whether the glob's element at g takes the character c; next: where the glob goes on.
bool elementMatches(std::string_view glob, std::size_t g, char c, std::size_t& next) {
    next = g + 1;
    if (glob[g] == '?') return true;
    if (glob[g] == '[') {
        std::size_t end = 0;
        const bool hit = classMatches(glob, g + 1, asciiLower(c), end);
        if (end != std::string_view::npos) {
            next = end;
            return hit;
        }
    }
    return asciiLower(glob[g]) == asciiLower(c);
}

}  // namespace

bool globMatches(std::string_view glob, std::string_view name) {
    // Greedy with one point of return: the last star.
    std::size_t g = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t starName = 0;
    while (n < name.size()) {
        std::size_t next = 0;
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            starName = n;
        } else if (g < glob.size() && elementMatches(glob, g, name[n], next)) {
            g = next;
            ++n;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++starName;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*') ++g;
    return g == glob.size();
}

bool Selection::passes(std::string_view name) const {
    const auto matches = [name](const std::string& glob) { return globMatches(glob, name); };
    if (std::any_of(exclude.begin(), exclude.end(), matches)) return false;
    return select.empty() || std::any_of(select.begin(), select.end(), matches);
}

namespace {

/// What a glob says of a thing with several names: excluded by any, selected by any.
struct Verdict {
    bool selected = false;
    bool excluded = false;
};

Verdict judge(const Selection& selection, const std::vector<std::string>& names) {
    Verdict v;
    for (const std::string& name : names) {
        for (const std::string& glob : selection.select) v.selected = v.selected || globMatches(glob, name);
        for (const std::string& glob : selection.exclude) v.excluded = v.excluded || globMatches(glob, name);
    }
    return v;
}

/// Keeps what `keep` marks and tells where each went.
template <class T>
std::vector<std::uint32_t> compact(std::vector<T>& items, const std::vector<bool>& keep) {
    std::vector<std::uint32_t> moved(items.size(), 0);
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        moved[i] = n;
        if (!keep[i]) continue;
        if (n != i) items[n] = std::move(items[i]);
        ++n;
    }
    items.resize(n);
    return moved;
}

std::size_t contentOf(const Scene& scene) {
    std::size_t n = 0;
    for (const Node& node : scene.nodes) n += node.hulls.size() + (node.mesh ? 1 : 0);
    return n;
}

/// All nodes, parents before their children.
std::vector<std::uint32_t> downward(const Scene& scene) {
    const NodeTree tree = nodeTree(scene);
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> open(tree.roots.rbegin(), tree.roots.rend());
    while (!open.empty()) {
        const std::uint32_t i = open.back();
        open.pop_back();
        order.push_back(i);
        open.insert(open.end(), tree.children[i].rbegin(), tree.children[i].rend());
    }
    return order;
}

/// Takes the meshes and hulls that do not pass off their nodes.
void takeOff(Scene& scene, const Selection& selection) {
    std::vector<Verdict> verdict(scene.nodes.size());
    for (const std::uint32_t i : downward(scene)) {
        Node& node = scene.nodes[i];
        std::vector<std::string> names{node.name};
        if (node.parent) names.push_back(scene.nodes[*node.parent].name + '/' + node.name);
        verdict[i] = judge(selection, names);
        if (node.parent) {
            verdict[i].selected = verdict[i].selected || verdict[*node.parent].selected;
            verdict[i].excluded = verdict[i].excluded || verdict[*node.parent].excluded;
        }
        const auto passes = [&](const std::vector<std::string>& more) {
            const Verdict own = judge(selection, more);
            const bool selected = selection.select.empty() || verdict[i].selected || own.selected;
            return selected && !verdict[i].excluded && !own.excluded;
        };
        if (node.mesh && !passes({scene.meshes[*node.mesh].name})) node.mesh.reset();
        std::erase_if(node.hulls, [&](std::uint32_t h) {
            const std::string& name = scene.hulls[h].name;
            return !passes({name, node.name + '/' + name});
        });
    }
}

/// What is still needed of a scene's arrays, by number.
struct Kept {
    std::vector<bool> nodes;
    std::vector<bool> meshes;
    std::vector<bool> hulls;
    std::vector<bool> skins;
};

/// Nodes that show something, joints of skins that are shown, and the parents of both.
Kept stillNeeded(const Scene& scene) {
    Kept kept{std::vector<bool>(scene.nodes.size()), std::vector<bool>(scene.meshes.size()),
              std::vector<bool>(scene.hulls.size()), std::vector<bool>(scene.skins.size())};
    const auto keepUpward = [&](std::uint32_t i) {
        std::optional<std::uint32_t> at = i;
        while (at && !kept.nodes[*at]) {
            kept.nodes[*at] = true;
            at = scene.nodes[*at].parent;
        }
    };
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh) kept.meshes[*node.mesh] = true;
        for (const std::uint32_t h : node.hulls) kept.hulls[h] = true;
        if (node.mesh || !node.hulls.empty()) keepUpward(i);
        if (!node.skin || !node.mesh) continue;
        // A skin whose mesh went away goes too: it would name removed joints.
        kept.skins[*node.skin] = true;
        const Skin& skin = scene.skins[*node.skin];
        for (const std::uint32_t joint : skin.joints) keepUpward(joint);
        if (skin.skeletonRoot) keepUpward(*skin.skeletonRoot);
    }
    return kept;
}

/// Removes everything else, and channels and animations of removed nodes.
void removeRest(Scene& scene, const Kept& kept) {
    const auto skinAt = compact(scene.skins, kept.skins);
    const auto meshAt = compact(scene.meshes, kept.meshes);
    const auto hullAt = compact(scene.hulls, kept.hulls);
    const auto nodeAt = compact(scene.nodes, kept.nodes);
    for (Node& node : scene.nodes) {
        if (node.skin && !node.mesh) node.skin.reset();
        if (node.skin) node.skin = skinAt[*node.skin];
        if (node.parent) node.parent = nodeAt[*node.parent];
        if (node.mesh) node.mesh = meshAt[*node.mesh];
        for (std::uint32_t& h : node.hulls) h = hullAt[h];
    }
    for (Skin& skin : scene.skins) {
        for (std::uint32_t& joint : skin.joints) joint = nodeAt[joint];
        if (skin.skeletonRoot) skin.skeletonRoot = nodeAt[*skin.skeletonRoot];
    }
    for (Animation& animation : scene.animations) {
        std::erase_if(animation.channels, [&](const Channel& c) { return !kept.nodes[c.node]; });
        for (Channel& channel : animation.channels) channel.node = nodeAt[channel.node];
    }
    std::erase_if(scene.animations, [](const Animation& a) { return a.channels.empty(); });
}

}  // namespace

std::size_t applySelection(Scene& scene, const Selection& selection) {
    if (selection.everything()) return contentOf(scene);
    takeOff(scene, selection);
    removeRest(scene, stillNeeded(scene));
    return contentOf(scene);
}

}  // namespace geomconv
