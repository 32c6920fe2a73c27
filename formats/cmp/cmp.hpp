#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/defect.hpp"
#include "lib/format.hpp"
#include "lib/geometry/math.hpp"
#include "lib/scene/model_parts.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv::cmp {

// The native document. Names are windows-1252 bytes as in the file; arrays of vertices are borrowed from the input.

/// A run of triangles of one material.
struct MeshGroup {
    std::uint32_t material = 0;  ///< hash of the material's name
    std::uint16_t firstVertex = 0;
    std::uint16_t lastVertex = 0;  ///< inclusive
    std::uint16_t indexCount = 0;
    std::uint16_t padding = 0;
};

/// A mesh of the VMeshLibrary.
struct MeshLibrary {
    std::string name;
    std::uint32_t id = 0;            ///< hash of the name
    std::uint32_t primitive = 0;     ///< D3D primitive type: 4 is a triangle list
    std::uint16_t vertexFormat = 0;  ///< D3D FVF bits
    std::vector<MeshGroup> groups;
    std::vector<std::uint16_t> indices;
    std::uint32_t vertexCount = 0;
    std::uint32_t stride = 0;
    Bytes vertices;  ///< vertexCount * stride
};

/// Which groups of which mesh a level of a fragment shows, and the box and sphere around them (fragment space).
struct MeshRef {
    std::uint32_t meshId = 0;
    std::uint16_t vertexStart = 0;
    std::uint16_t vertexCount = 0;
    std::uint16_t indexStart = 0;
    std::uint16_t indexCount = 0;
    std::uint16_t groupStart = 0;
    std::uint16_t groupCount = 0;
    Vec3 minimum{0.0F};
    Vec3 maximum{0.0F};
    Vec3 center{0.0F};
    float radius = 0.0F;
};

/// A mounting point of a fragment, in its space.
struct Hardpoint {
    std::string name;
    bool revolute = false;
    Vec3 position{0.0F};
    std::array<float, 9> orientation{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< rows, for column vectors
    Vec3 axis{0.0F};
    float minimum = 0.0F;  ///< radians
    float maximum = 0.0F;
};

/// The meshes and hardpoints of one part, a directory of its own at the top of the tree.
struct Fragment {
    std::string name;
    std::vector<std::optional<MeshRef>> levels;  ///< by level of detail; absent where the level has no mesh
    std::vector<Hardpoint> hardpoints;
};

/// A part of a compound: an object and the fragment that shows it.
struct Part {
    std::string objectName;
    std::string fileName;
    std::int32_t index = 0;
    std::optional<std::uint32_t> fragment;  ///< Model::fragments; absent where the file has none of that name
};

/// How a child part hangs on its parent; `partsOf` makes the rest transform of it.
struct Joint {
    JointKind kind = JointKind::Fixed;
    std::string parent;  ///< object names
    std::string child;
    Vec3 position{0.0F};
    Vec3 offset{0.0F};
    std::array<float, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< rows, for column vectors
    Vec3 axis{0.0F};
    std::array<float, 6> limits{};  ///< minimum, maximum pairs; as many as the kind has
};

struct Model {
    bool compound = false;
    std::vector<Part> parts;
    std::vector<Joint> joints;
    std::vector<Fragment> fragments;
    std::vector<MeshLibrary> meshes;
    std::vector<std::string> materialNames;  ///< of the material library inside the file
    std::string exporterVersion;             ///< the stamp, or empty
};

/// As sure as utf::probe where a word that only models have or the file name says so; Maybe for other UTF trees.
Confidence probe(Bytes bytes, std::string_view name) noexcept;
/// Throws FormatError of the UTF tree; all else that is missing or odd is left out with a warning.
Model read(Bytes bytes, Defects& defects);
/// Names, placements, joints and hardpoints for a collision library beside the model. Parts in the file's order but for
/// the root, which comes first. Parents that form a cycle are cut with a warning.
ModelParts partsOf(const Model& model, Defects& defects);
/// Fragments by their name as ModelPart::fragment gives it. The first of a name counts.
std::unordered_map<std::string, const Fragment*> fragmentsByName(const Model& model);
/// A node per part, placed by its joint, with the mesh of the level that `--lod` names (all: further levels as nodes
/// below); hardpoints as nodes with content Helpers. Right-handed, y up, game units. What cannot be shown is left out
/// with a warning (`mesh-range`, `nonfinite`, `mesh-missing`, `mesh-kind`). Throws as `read`, and `mesh-limit`.
Scene toScene(const Input& input, const ReadOptions& options, Defects& defects);
/// All that `read`, `partsOf` and `toScene` warn of, over every level and content.
void check(const Input& input, const ReadOptions& options, Defects& defects);

}  // namespace geomconv::cmp
