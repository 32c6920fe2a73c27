#pragma once

// Animes and the frame section to the scene's animations (FORMAT.md 9.1).

#include <map>
#include <span>
#include <string>
#include <vector>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/pose.hpp"

namespace geomconv::ccsf {

/// A mesh with morph targets: the nodes that show it and its targets.
struct MorphedMesh {
    std::vector<std::uint32_t> nodes;              ///< Scene::nodes
    std::map<std::uint32_t, std::size_t> targets;  ///< target model object -> its place among the mesh's targets
};

/// What channels can move.
struct AnimationTargets {
    const Hierarchy& hierarchy;
    std::span<const std::uint32_t> nodeOfObj;  ///< Scene::nodes, or kNone
    std::span<const Local> shown;              ///< per obj: the transform that its node has in the scene
    std::span<const Local> rest;               ///< per obj: where nothing drives it
    std::map<std::uint32_t, std::vector<std::uint32_t>> displaced;  ///< per clump: objs with a node that is not at rest
    std::map<std::uint32_t, std::uint32_t> baseOf;                  ///< morpher object -> base model object
    std::map<std::uint32_t, MorphedMesh> morphed;                   ///< by base model object
};

/// One animation per Anime that is asked for, and `frames` for a frame section that moves something. Times in seconds,
/// strictly rising; transparency and texture tracks in the extras. Throws FormatError (`animation`) for a name that no
/// Anime has. Warns: `bad-record`, `nonfinite`, `animation-size`.
std::vector<Animation> animationsOf(const Document& document, const AnimationTargets& targets,
                                    const AnimationChoice& choice, Defects& defects);

}  // namespace geomconv::ccsf
