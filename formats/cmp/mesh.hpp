#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/cmp/cmp.hpp"

namespace geomconv::cmp {

/// Where the elements of a vertex lie; the position is always first.
struct VertexLayout {
    std::uint32_t stride = 0;
    std::optional<std::uint32_t> normal;
    std::optional<std::uint32_t> diffuse;
    std::optional<std::uint32_t> uv;  ///< the first pair
};

/// From the D3D vertex format bits. Source: FORMAT.md "Mesh".
VertexLayout vertexLayout(std::uint16_t format);

/// VMeshData. base: offset of data[0] in the file. Throws FormatError (`truncated`).
MeshLibrary readMeshLibrary(const std::string& name, Bytes data, std::uint64_t base);
/// VMeshRef, 60 bytes. Throws FormatError (`truncated`).
MeshRef readMeshRef(Bytes data, std::uint64_t base);

}  // namespace geomconv::cmp
