#pragma once

// The pose that a deformable model's entries were made in.
//
// glTF wants one position per vertex and a bind matrix per joint; a CCSF vertex has one position per influence, each in
// the space of its node. If the entries were made from a bind pose with node worlds B, then p = B[slot] * p_slot for
// every influence of a vertex, and any such B gives back all entries. Steps:
//
//   1. The worlds of the stored bind (without one, of the pose that the scene stands in) are taken where they bring the
//      influences of every vertex together within kFit position units.
//   2. Otherwise B is recovered. For two slots that share vertices the pairs (p_a, p_b) give p_a = T p_b, T = B[a]^-1
//      B[b]: a least-squares rigid fit (Horn's quaternion) where there are three pairs or more that are not on a line.
//   3. Slots are joined by a maximum spanning forest over the number of pairs; the lowest slot of each tree keeps the
//      world that is known, the others follow by T.
//   4. A tree with a pair that is further apart than kFit falls back to the known worlds.
//   5. A slot in no tree hangs on its parent's B by its local transform: any B is exact for what follows it alone.
//
// Cost: two passes over the entries; kMostPaired influences per vertex and kMostSlots slots are looked at, which bounds
// what a made file may ask for.

#include <optional>
#include <span>
#include <vector>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/pose.hpp"

namespace geomconv::ccsf {

/// The nodes behind a clump's slots, and what is known of where they were.
struct SlotWorlds {
    std::span<const std::uint32_t> objs;     ///< per slot, or kNone
    std::span<const Mat4d> worlds;           ///< per obj: in the stored bind, without one in the pose of the scene
    std::span<const Local> locals;           ///< per obj: the same, relative to the parent
    std::span<const std::uint32_t> parents;  ///< per obj: its parent's obj, or kNone
};

/// Whether a bind matrix can be made of a node's world.
bool isInvertible(const Mat4d& world);

/// B, one world per slot; nullopt where slots.worlds are as good.
std::optional<std::vector<Mat4d>> recoveredBind(const Model& model, const SlotWorlds& slots);

}  // namespace geomconv::ccsf
