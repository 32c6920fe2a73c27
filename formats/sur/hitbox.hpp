#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/sur/build.hpp"
#include "lib/format.hpp"
#include "lib/geometry/extent.hpp"
#include "lib/scene/scene.hpp"

// Hitboxes from meshes: which object of a scene is which hull of which part, how its hull is made, and the library or
// the scene that comes of it. Nothing here knows the command line.

namespace geomconv::sur {

/// Hull: the convex hull of each object's points. Exact: its triangles as they are, refused unless closed and convex.
/// Box: its bounding box. Decompose: several convex hulls.
enum class HitboxMode : std::uint8_t { Hull, Exact, Box, Decompose };

/// A box given as numbers instead of an object.
struct GivenBox {
    std::string name;  ///< address as of an object; empty: the part's own hull
    Extent extent;
};

struct HitboxOptions {
    HitboxMode mode = HitboxMode::Hull;
    /// Limits of the format hold and fixed children are folded; off for hulls that go into another format.
    bool forLibrary = true;
    std::optional<std::string> part = {};  ///< NAME, 0 or 0xID: everything becomes this part
    bool compound = false;                 ///< each top-level object is a part
    std::shared_ptr<const ModelParts> model = {};
    bool fold = true;  ///< with a model: hulls of fixed children are copied into their fixed ancestors
    bool fixed = false;
    std::vector<std::string> hardpoints = {};     ///< names of hulls that are hardpoint hulls
    std::optional<std::uint32_t> maxPoints = {};  ///< per hull; absent: 2050 for a library, otherwise no limit
    std::uint32_t maxHulls = 32;                  ///< decompose: per object
    std::optional<double> epsilon = {};  ///< tolerance of the hulls; absent: one float32 step at their coordinates
    Bounds bounds = Bounds::Wrap;
    Tree tree = Tree::Ivp;
    bool keepMass = false;  ///< rebuilding: header values stay
    MassOverrides mass = {};
    double scale = 1.0;  ///< of everything that is read, for a library; given boxes are as they are
    std::vector<GivenBox> boxes = {};
    /// Objects that are taken as they are, unchecked and without warnings; absent: none. For edits of a library, where
    /// objects that were not edited may break the rules for new ones.
    std::function<bool(const HullGeometry&)> keepAsIs = {};
};

/// A part before its bounds are derived.
struct HitboxPart {
    std::uint32_t id = 0;
    std::string name;  ///< as `idFromName` reads it back
    bool fixed = false;
    std::vector<std::uint32_t> hardpoints;
    std::vector<HullGeometry> hulls;  ///< part space
    Mat4d placement{1.0};             ///< part space to the scene's
};

/// What was built, for a person and for a script.
struct HitboxReport {
    struct Part {
        std::uint32_t id = 0;
        std::string name;
        bool fixed = false;
        std::size_t hulls = 0;  ///< terminal
        std::size_t points = 0;
        std::size_t faces = 0;
        double volume = 0.0;
        std::size_t hardpoints = 0;
    };
    std::vector<Part> parts;
    std::vector<Change> changes;  ///< rebuilding: a line per part, and per hull that was not sound
};

/// The parts and hulls that the objects of a scene stand for.
///
/// An object is a node's mesh (all its triangles and points; of a mesh without triangles the points), or a hull of a
/// node. It is addressed PART/HULL: by a slash in its name, or by the node above it. A trailing #N or .001 and Godot's
/// -convcolonly are not part of a name; 0x1234ABCD is an id itself. In order:
/// - `part`: everything is in that part; a slash, a hardpoint's name or 0x gives a hull an id of its own.
/// - `model`: the nearest node upwards, the object itself included, that is called like a part of the model (of a model
///   of a single part: that part). The hull's id is that of a hardpoint or part of the model called like the object,
///   otherwise the part's. Parts keep the model's order; joints decide `fixed`; hardpoints with a hull are listed.
/// - `compound`: the topmost node; below it objects are hulls by their own name.
/// - neither: the node above, or the object itself when objects hang below it; objects that stand alone make the
///   part of id 0.
///
/// Points go to the frame of the node that the part was found by; of an OBJ with a model, whose coordinates are the
/// whole model's, to the frame of the model's part; otherwise they stay in the scene's frame, turned to y up. What the
/// extras of a .sur say of a part's `fixed` and hardpoints is kept where the options say nothing.
///
/// defects get warnings, each once per kind with the first object's name: `simplified`, `many-points` (over 40),
/// `many-faces` (over 300), `tiny-hull` (within a centimetre), `inside-out` (exact: turned), `empty-object`,
/// `no-hardpoint-hull`.
/// Throws GeometryError with object, rule, value and limit: `no-objects`, `name`, `unknown-part`, `nonfinite`,
/// `too-few-points`, `coplanar`, `coordinate-range`, `not-convex`, and what createFaces refuses.
std::vector<HitboxPart> planHitbox(const Scene& scene, const HitboxOptions& options, Defects& defects);

/// The library of planned parts. Throws what createPart throws.
Library hitboxLibrary(const std::vector<HitboxPart>& parts, const HitboxOptions& options, HitboxReport& report,
                      Defects& defects);

/// The planned parts as a scene: a node per part at its placement, hulls on it.
Scene hitboxScene(const std::vector<HitboxPart>& parts, const HitboxOptions& options, HitboxReport& report);

/// planHitbox and hitboxLibrary.
Library buildHitbox(const Scene& scene, const HitboxOptions& options, HitboxReport& report, Defects& defects);

/// A library built anew from its own hulls: bounds, tree, wrap hull, box bytes, mass properties (unless `keepMass`) and
/// extents; ids, order of hulls, hardpoints and !fxd stay. Hulls that are open or not convex are replaced by the convex
/// hull of their points; hulls without area go. A part of which no hull is left, or that has no surface, stays as it
/// is, with a warning (`not-rebuilt`). Flat hulls that are closed stay as they are. With `scale` the points and the
/// header values that `keepMass` keeps are scaled. report.changes says what changed.
Library rebuildLibrary(const Library& library, const HitboxOptions& options, HitboxReport& report, Defects& defects);

/// Mass centre and inertia of all meshes and hulls of a scene, as overrides (`--mass-from`): for a part whose hulls
/// were simplified or overlap. Throws GeometryError (`open-edge`, `no-volume`) when they enclose nothing.
MassOverrides massFromScene(const Scene& scene, double scale = 1.0);

}  // namespace geomconv::sur
