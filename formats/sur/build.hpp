#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/sur/sur.hpp"
#include "lib/geometry/mass_properties.hpp"

// What a .sur records but does not let a writer omit can be derived from the triangles: adjacency, pierce, shared
// points, bounds, the tree, the wrap hull, mass properties. `createPart` derives all of it as the game's own exporter
// did; its steps can be called one by one. Source of every rule: FORMAT.md, "Building".

namespace geomconv::sur {

using Triangle = std::array<std::uint32_t, 3>;

/// One convex hull as a caller has it.
struct HullGeometry {
    std::uint32_t id = 0;             ///< hash of the part's or hardpoint's name
    std::string name;                 ///< for messages; empty: "hull" and the id
    std::vector<Vec3> points;         ///< part space, game units
    std::vector<Triangle> triangles;  ///< counter-clockwise from outside
};

/// What inner nodes carry. Wrap: the root the convex hull of all points, as every original file; Box: each the box of
/// its children's boxes; None: nothing.
enum class Bounds : std::uint8_t { Wrap, Box, None };
/// Ivp: top-down median cut, as the original builder. Pairs: again and again the two nodes with the smallest common
/// sphere.
enum class Tree : std::uint8_t { Ivp, Pairs };
/// When two points of hulls are one: at one position for hulls of one id, or at one position whatever the id.
enum class PointKey : std::uint8_t { PositionAndId, Position };

/// What is not to be derived.
struct MassOverrides {
    std::optional<Vec3> massCenter = {};
    std::optional<Vec3> rotationInertia = {};
    std::optional<float> radius = {};
    std::optional<std::uint8_t> surfaceDeviation = {};
};

struct BuildOptions {
    bool fixed = false;  ///< no "!fxd" chunk
    std::vector<std::uint32_t> hardpoints = {};
    Bounds bounds = Bounds::Wrap;
    Tree tree = Tree::Ivp;
    PointKey key = PointKey::PositionAndId;
    MassOverrides mass = {};
};

inline constexpr float kMostCoordinate = 1e6F;        ///< the tree's builder starts its boxes there
inline constexpr std::size_t kMostHullPoints = 2050;  ///< V = 2 + F / 2 with kMaxFaces faces

/// The whole part. defects: a wrap hull that could not be built is a warning there.
/// Throws GeometryError: no hulls; what `tidyHull` and `createFaces` refuse; more than 65,536 points or 16 MiB.
Part createPart(std::uint32_t id, std::span<const HullGeometry> hulls, const BuildOptions& options, Defects& defects);

// ---------------------------------------------------------------------------------------------------------- its steps

/// The name for messages.
std::string hullLabel(const HullGeometry& hull);

/// The hull with -0 made +0, equal positions joined and unused points dropped; order kept.
/// Throws GeometryError: `nonfinite`, `coordinate-range`, `index-range`, `degenerate-triangle`, `too-many-points`,
/// `too-many-faces`.
HullGeometry tidyHull(const HullGeometry& hull);

/// The faces of one hull: points are those of the hull, opposites and pierce are derived.
/// Throws GeometryError: `open-edge`, `edge-used-twice`, `turned-edge`, `zero-area`, `euler` (V is not 2 + F / 2:
/// several pieces or a hole), `no-pierce` (a face that faces away from nothing, on sharp needles).
std::vector<Face> createFaces(const HullGeometry& hull);

/// For each face the one whose normal points most nearly the other way, in the order and with the ties of the original
/// builder; nullopt for a face without such a one. Not an involution.
std::vector<std::optional<std::uint16_t>> pierceFaces(std::span<const Vec3> points,
                                                      std::span<const Triangle> triangles);

/// A sphere and in it a box, in steps of radius / 250, as a node holds them; centre and radius before rounding to
/// float.
struct NodeBounds {
    Vec3d center{0.0};
    double radius = 0.0;
    std::array<std::uint8_t, 3> boxSizes{};
};
/// The bounds of a box. The quantised box contains it.
NodeBounds boundsOf(const Vec3d& minimum, const Vec3d& maximum, double step = kStep);

/// A tree over leaves: nodes in pre-order, leaves carrying their number in `hull`. boxes: of each inner node the box
/// that its bounds were made of.
struct BuiltTree {
    std::vector<Node> nodes;
    std::vector<Extent> boxes;
};
BuiltTree createTree(std::span<const NodeBounds> leaves, Tree tree);

/// The wrap hull of the terminal hulls; nullopt when they lie in a plane or the hull would break a limit.
std::optional<Hull> createWrap(const Surface& surface);

/// Bounds, tree and what inner nodes carry, from the terminal hulls and points of the surface; wrap hulls are replaced.
void rebuildTree(Surface& surface, Bounds bounds, Tree tree, Defects& defects);

/// Mass properties of the terminal hulls.
MassProperties massOf(const Surface& surface);
/// Header values from the terminal hulls, but for what is overridden.
void rebuildMass(Surface& surface, const MassOverrides& overrides);
/// The deviation byte: 0 when radius is 0.
std::uint8_t deviationByte(double deviation, double radius);

/// Box of the terminal hulls whose id is not among the hardpoints; of all where nothing is left.
Extent extentOf(const Surface& surface, std::span<const std::uint32_t> hardpoints);

/// The terminal hulls as geometry, each with its own points in the order of the part's.
std::vector<HullGeometry> terminalHulls(const Part& part);

}  // namespace geomconv::sur
