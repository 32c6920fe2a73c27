#pragma once

// Who hangs on whom, and where nodes are in a pose.

#include "formats/ccsf/anime.hpp"
#include "formats/ccsf/ccsf.hpp"

namespace geomconv::ccsf {

constexpr std::uint32_t kNone = 0xffffffff;

/// References resolved once. "obj" numbers are indices of Document::objs; only the first Obj of an object counts as its
/// node.
struct Hierarchy {
    std::vector<std::uint32_t> resolved;  ///< per object: what stands behind ExtObjs
    std::vector<std::uint32_t> objOf;     ///< per object: its obj, or kNone
    std::vector<std::uint32_t> parentOf;  ///< per obj: its parent's obj, or kNone; without cycles
    std::vector<std::uint32_t> clumpOf;   ///< per obj: the first clump that lists it, or kNone
    std::vector<std::uint32_t> ownerOf;   ///< per object: the first obj that names it as model or shadowModel, or kNone

    /// The obj behind an object index, or kNone.
    std::uint32_t nodeOf(std::uint32_t object) const {
        return object < resolved.size() ? objOf[resolved[object]] : kNone;
    }
};

/// Warns of cycles (`cycle`) and of objects with several Obj chunks (`duplicate`), and breaks or leaves them out.
Hierarchy hierarchyOf(const Document& document, Defects& defects);

/// A local transform ready for use: T * R * S.
struct Local {
    Vec3d translation{0.0, 0.0, 0.0};
    Quatd rotation{1.0, 0.0, 0.0, 0.0};
    Vec3d scale{1.0, 1.0, 1.0};
};
/// qx * qy * qz of degrees.
Quatd quaternionOf(const Vec3d& degrees);
Local localOf(const Transform& transform);
/// A key of a rotation track.
Quatd quaternionAt(const Track& track, std::size_t key);
Mat4d matrixOf(const Local& local);

/// The local transform of each obj. Throws FormatError (`pose`) for an animation that is not there. What is no finite
/// number becomes 0 (1 in a scale), with a warning (`nonfinite`).
std::vector<Local> poseOf(const Document& document, const Hierarchy& hierarchy, const PoseChoice& choice,
                          Defects& defects);
/// World matrices of the objs, parents applied.
std::vector<Mat4d> worldsOf(const Hierarchy& hierarchy, const std::vector<Local>& locals);

}  // namespace geomconv::ccsf
