#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "lib/format.hpp"

// glTF 2.0 (Khronos, ISO/IEC 12113) as text (.gltf) and binary (.glb). What is taken, kept, refused and lost stands in
// FORMAT.md beside this file.

namespace geomconv::gltf {

/// Accessor component types, by their numbers in the file.
enum class ComponentType : std::uint16_t {
    Byte = 5120,
    UnsignedByte = 5121,
    Short = 5122,
    UnsignedShort = 5123,
    UnsignedInt = 5125,
    Float = 5126
};

enum class ElementType : std::uint8_t { Scalar, Vec2, Vec3, Vec4, Mat2, Mat3, Mat4 };

constexpr std::uint32_t componentSize(ComponentType type) {
    switch (type) {
        case ComponentType::Byte:
        case ComponentType::UnsignedByte:
            return 1;
        case ComponentType::Short:
        case ComponentType::UnsignedShort:
            return 2;
        default:
            return 4;
    }
}

constexpr std::uint32_t componentCount(ElementType type) {
    constexpr std::uint32_t kCounts[] = {1, 2, 3, 4, 4, 9, 16};
    return kCounts[static_cast<std::size_t>(type)];
}

constexpr std::string_view elementTypeName(ElementType type) {
    constexpr std::string_view kNames[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
    return kNames[static_cast<std::size_t>(type)];
}

// Container of .glb: a header of 12 bytes, then chunks of length, type, bytes.
inline constexpr std::uint32_t kGlbMagic = 0x46546C67;  ///< "glTF"
inline constexpr std::uint32_t kGlbVersion = 2;
inline constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  ///< "JSON"
inline constexpr std::uint32_t kBinChunk = 0x004E4942;   ///< "BIN\0"
inline constexpr std::uint32_t kGlbHeader = 12;
inline constexpr std::uint32_t kChunkHeader = 8;

// bufferView.target.
inline constexpr std::uint32_t kArrayBuffer = 34962;
inline constexpr std::uint32_t kElementArrayBuffer = 34963;

/// How sure the first bytes make us: "glTF" is Certain for .glb; a JSON object that speaks of "asset" early, for .gltf.
Confidence probeGlb(Bytes bytes, std::string_view name) noexcept;
Confidence probeGltf(Bytes bytes, std::string_view name) noexcept;

/// The default scene (else the first, else all nodes) in glTF's own space: y up, right-handed, winding as stored. Nodes
/// and meshes keep their order. Throws FormatError by the kinds of FORMAT.md; losses are warnings, once per kind.
Scene readGlb(const Input& input, const ReadOptions& options, Defects& defects);
Scene readGltf(const Input& input, const ReadOptions& options, Defects& defects);

/// Everything that FORMAT.md "Checks" lists, over the bytes as they lie in the input: no scene is built. A file that
/// cannot be read gives its one error.
void check(const Input& input, const ReadOptions& options, Defects& defects);
/// Counts, extents, and how the triangles of each mesh hang together (ReadOptions::topology).
nlohmann::ordered_json info(const Input& input, const ReadOptions& options, Defects& defects);

/// The scene as one .glb. Buffers go from the scene's vectors to the sink, in the order of FORMAT.md "Written files".
/// Throws GeometryError: `nonfinite` position, `glb-size` over 4 GiB; SystemError from the sink.
void writeGlb(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects);
/// The scene as .gltf with NAME.bin and images beside it; one file with data URIs where nothing can lie beside it.
void writeGltf(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects);

}  // namespace geomconv::gltf
