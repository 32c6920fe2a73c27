#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/scene/scene.hpp"

namespace geomconv {

/// Shell glob: `*`, `?`, `[a-z]`, `[!a]`; ASCII letters compare without case; linear in practice, no recursion.
bool globMatches(std::string_view glob, std::string_view name);

/// `--select` and `--exclude`: a name passes when some select matches (or there is none) and no exclude does.
struct Selection {
    std::vector<std::string> select;
    std::vector<std::string> exclude;

    bool everything() const { return select.empty() && exclude.empty(); }
    bool passes(std::string_view name) const;
};

/// Takes the meshes and hulls off nodes whose name does not pass (a node is judged by its own name, by its mesh's and
/// by "PARENT/NAME"; a hull by its own name and by "NODE/NAME"; whoever stands below a node that is selected by name
/// passes with it), then removes nodes that hold nothing any more. Nodes that a skin or an animation needs stay.
/// Returns how many meshes and hulls are left.
std::size_t applySelection(Scene& scene, const Selection& selection);

}  // namespace geomconv
