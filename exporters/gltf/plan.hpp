#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "exporters/gltf/gltf.hpp"

namespace geomconv::gltf {

/// What a buffer view holds. All arrays of a kind share one view, whatever mesh they belong to: a library of thirty
/// thousand hulls then has two views, not sixty thousand.
enum class ViewKind : std::uint8_t {
    Positions,
    Normals,
    Tangents,
    Uvs,
    Colors,
    Joints,
    Weights,
    Targets,
    Indices,
    Matrices,
    Keys
};
inline constexpr std::size_t kViewKinds = 11;

/// Bytes that are written as they lie.
struct Piece {
    const void* data;
    std::uint64_t size;
};

struct ViewPlan {
    std::vector<Piece> pieces;
    std::uint64_t size = 0;
};

struct AccessorPlan {
    ViewKind view;
    ComponentType component;
    ElementType type;
    std::uint32_t count;
    std::uint64_t offset;                ///< in its view
    std::optional<std::uint32_t> range;  ///< Plan::ranges
};

/// Smallest and largest value per component; as many components as the accessor has.
struct Range {
    std::array<float, 3> low;
    std::array<float, 3> high;
};

/// Names are literals or stand in Plan::texts.
using Attributes = std::vector<std::pair<std::string_view, std::uint32_t>>;

struct PrimitivePlan {
    Topology topology = Topology::Triangles;
    Attributes attributes;  ///< name and accessor
    std::optional<std::uint32_t> indices;
    std::optional<std::uint32_t> material;
    std::vector<Attributes> targets;
};

// Names and extras are the scene's, or stand in Plan::texts: there can be hundreds of thousands of meshes and nodes.

struct MeshPlan {
    std::string_view name;
    std::vector<PrimitivePlan> primitives;
    std::vector<float> weights;
    std::string_view extras;
};

/// Where a node stands: a matrix, or else the other three.
struct PosePlan {
    Vec3 translation{0.0F, 0.0F, 0.0F};
    Quat rotation = quat(0.0F, 0.0F, 0.0F, 1.0F);
    Vec3 scale{1.0F, 1.0F, 1.0F};
    std::optional<Mat4> matrix;
};

struct NodePlan {
    std::string_view name;
    std::vector<std::uint32_t> children;
    std::optional<std::uint32_t> mesh;
    std::optional<std::uint32_t> skin;
    std::optional<std::uint32_t> pose;  ///< Plan::poses; none: where its parent stands
    std::string_view extras;
};

struct MaterialPlan {
    Material look;  ///< image is Plan::images of the texture, which is `texture`
    std::optional<std::uint32_t> texture;
};

struct TexturePlan {
    std::uint32_t image;
    Wrap wrapU;
    Wrap wrapV;
    Filter filter;
    bool operator==(const TexturePlan&) const = default;
};

/// An image of the output: bytes, or only the place of a file that was not read.
struct ImagePlan {
    std::string name;
    std::string mimeType;
    Bytes bytes;
};

struct SkinPlan {
    std::string name;
    std::vector<std::uint32_t> joints;
    std::optional<std::uint32_t> inverseBindMatrices;
    std::optional<std::uint32_t> skeleton;
};

struct ChannelPlan {
    std::uint32_t node;
    ChannelPath path;
    Interpolation interpolation;
    std::uint32_t input;
    std::uint32_t output;
};

struct AnimationPlan {
    std::string name;
    std::vector<ChannelPlan> channels;
    std::string extras;
};

/// Everything a glTF file says, with lengths and offsets known, and pointers into the scene for what is long.
struct Plan {
    std::array<ViewPlan, kViewKinds> views;
    std::vector<AccessorPlan> accessors;
    std::vector<Range> ranges;
    std::vector<MeshPlan> meshes;
    std::vector<NodePlan> nodes;
    std::vector<PosePlan> poses;
    std::vector<std::uint32_t> roots;
    std::vector<MaterialPlan> materials;
    std::vector<TexturePlan> textures;
    std::vector<ImagePlan> images;
    std::vector<SkinPlan> skins;
    std::vector<AnimationPlan> animations;
    bool unlit = false;  ///< some material needs KHR_materials_unlit

    std::deque<std::string> texts;          ///< names and extras that the scene does not have
    std::deque<std::vector<float>> floats;  ///< arrays that could not be written as they were
    std::deque<std::vector<std::uint16_t>> words;
    std::deque<ByteVector> files;  ///< images encoded here
};

/// Lays out the scene. Node i of the scene is node i of the plan; hull nodes follow, then the root that turns the
/// space, where one is needed. Throws GeometryError (`nonfinite`). Losses go to `defects`, once per kind.
Plan makePlan(const Scene& scene, const WriteOptions& options, Defects& defects);

}  // namespace geomconv::gltf
