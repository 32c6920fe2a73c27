#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exporters/gltf/gltf.hpp"

namespace geomconv::gltf {

/// Bytes of one `buffers` entry: of the BIN chunk, a file beside the input, or a data URI.
struct Buffer {
    std::string name;
    Bytes bytes;                            ///< exactly byteLength
    std::shared_ptr<const InputFile> file;  ///< what holds them, where it is not the input itself
    std::optional<std::uint64_t> offset;    ///< of bytes[0] in the input, where it lies there as it is
};

struct BufferView {
    std::uint32_t buffer = 0;
    std::uint64_t offset = 0;  ///< within the buffer, with length in range
    std::uint64_t length = 0;
    std::uint32_t stride = 0;  ///< 0: tightly packed
};

struct Sparse {
    std::uint32_t count = 0;
    std::uint32_t indexView = 0;
    std::uint64_t indexOffset = 0;
    ComponentType indexType = ComponentType::UnsignedShort;
    std::uint32_t valueView = 0;
    std::uint64_t valueOffset = 0;
};

/// An array in a view; in range, aligned, of a known type.
struct Accessor {
    std::optional<std::uint32_t> view;  ///< absent: zeros
    std::uint64_t offset = 0;           ///< within the view
    ComponentType component = ComponentType::Float;
    ElementType type = ElementType::Scalar;
    bool normalized = false;
    std::uint64_t count = 0;
    std::optional<Sparse> sparse;
    std::vector<double> low;  ///< `min`; empty or one per component
    std::vector<double> high;
};

using AttributeList = std::vector<std::pair<std::string, std::uint32_t>>;

struct PrimitiveEntry {
    std::uint32_t mode = 4;
    AttributeList attributes;
    std::optional<std::uint32_t> indices;
    std::optional<std::uint32_t> material;
    std::vector<AttributeList> targets;
    bool draco = false;  ///< KHR_draco_mesh_compression: the accessors may have no bytes
};

struct MeshEntry {
    std::string name;
    std::vector<PrimitiveEntry> primitives;
    std::vector<float> weights;
    std::string extras;
};

struct NodeEntry {
    std::string name;
    std::vector<std::uint32_t> children;
    std::optional<std::uint32_t> parent;
    std::optional<std::uint32_t> mesh;
    std::optional<std::uint32_t> skin;
    bool camera = false;
    Vec3 translation{0.0F, 0.0F, 0.0F};
    Quat rotation = quat(0.0F, 0.0F, 0.0F, 1.0F);
    Vec3 scale{1.0F, 1.0F, 1.0F};
    std::optional<Mat4> matrix;
    std::vector<float> weights;
    AttributeList instances;  ///< EXT_mesh_gpu_instancing: the mesh is drawn once for each element of these
    std::string extras;
};

/// KHR_texture_transform: UVs are scaled, then turned, then moved.
struct UvTransform {
    Vec2d offset{0.0, 0.0};
    double rotation = 0.0;  ///< radians, counter-clockwise to who looks at the image
    Vec2d scale{1.0, 1.0};
};

struct MaterialEntry {
    Material look;                         ///< without the image
    std::optional<std::uint32_t> texture;  ///< of the base colour
    std::uint32_t texCoord = 0;            ///< by which set of UVs
    std::optional<UvTransform> uvTransform;
    bool otherMaps = false;  ///< normal, roughness, occlusion, emissive textures
};

struct TextureEntry {
    std::optional<std::uint32_t> image;
    Wrap wrapU = Wrap::Repeat;
    Wrap wrapV = Wrap::Repeat;
    Filter filter = Filter::Unspecified;
};

/// `images`: bytes as they are in the file, never decoded.
struct ImageEntry {
    std::string name;
    std::string mimeType;
    std::string uri;  ///< file name, decoded; empty for embedded ones
    Bytes bytes;      ///< empty: the file is not there
    std::shared_ptr<const InputFile> file;
};

struct SkinEntry {
    std::string name;
    std::vector<std::uint32_t> joints;
    std::optional<std::uint32_t> inverseBindMatrices;
    std::optional<std::uint32_t> skeleton;
};

struct ChannelEntry {
    std::uint32_t node = 0;
    ChannelPath path = ChannelPath::Translation;
    Interpolation interpolation = Interpolation::Linear;
    std::uint32_t input = 0;
    std::uint32_t output = 0;
};

struct AnimationEntry {
    std::string name;
    std::vector<ChannelEntry> channels;
    std::string extras;
};

/// A glTF file as plain structs: every index is in range, every array lies in its buffer, parents form a forest. Types
/// of tinygltf never leave document.cpp.
struct Document {
    std::string generator;
    bool quantized = false;  ///< KHR_mesh_quantization is used
    std::vector<Buffer> buffers;
    std::vector<BufferView> views;
    std::vector<Accessor> accessors;
    std::vector<MeshEntry> meshes;
    std::vector<NodeEntry> nodes;
    std::vector<MaterialEntry> materials;
    std::vector<TextureEntry> textures;
    std::vector<ImageEntry> images;
    std::vector<SkinEntry> skins;
    std::vector<AnimationEntry> animations;
    std::vector<std::vector<std::uint32_t>> scenes;  ///< root nodes of each
    std::optional<std::uint32_t> scene;
    std::vector<std::string> extensionsUsed;
};

/// The two parts of an input: JSON, and the BIN chunk where there is one.
struct Container {
    Bytes json;
    std::uint64_t jsonOffset = 0;
    std::optional<Bytes> bin;
    std::uint64_t binOffset = 0;
};

/// Takes a .glb apart; a text input is all JSON. Chunks of unknown type are passed over.
/// Throws FormatError: `glb-version`, `truncated`, `glb-chunk`.
Container openContainer(Bytes bytes, Defects& defects);

/// Reads and checks the whole structure; see FORMAT.md for the kinds of FormatError. Files beside the input are asked
/// for through input.companions only. Files that are not there: a buffer is refused (`missing-file`), an image warned
/// of.
Document readDocument(const Input& input, Defects& defects);

/// What is known to be read right. Others in extensionsRequired are refused.
bool isSupportedExtension(std::string_view name);

}  // namespace geomconv::gltf
