#pragma once

// Meshes to the bytes of a rigid Model (FORMAT.md 13.2).

#include <span>

#include "formats/ccsf/ccsf.hpp"
#include "lib/bytes/bytes.hpp"

namespace geomconv::ccsf {

/// A corner of a triangle as it is stored.
struct Corner {
    std::array<std::int16_t, 3> position{};  ///< times vertexScale / 4096
    std::array<std::int8_t, 3> normal{};     ///< 64 = 1
    std::array<std::uint8_t, 4> colour{};    ///< 0x80 = 1
    std::array<std::int32_t, 2> st{};        ///< 256 = one repeat, from version 0x125 65536
    auto operator<=>(const Corner&) const = default;
};
using CornerTriangle = std::array<Corner, 3>;

/// Triangles with one material, in the space of the model's owner.
struct MmatMesh {
    std::uint32_t material = 0;
    bool topFirst = false;  ///< its texture's rows are stored from the top (DXT)
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<Vec3d> positions;
    std::vector<Vec3d> normals;  ///< unit length; empty: flat ones
    std::vector<Vec2> uvs;       ///< v down from the top; empty: 0
    std::vector<Vec4> colours;   ///< empty: white
};

/// The scale that holds these meshes: `known` where every coordinate lies on its grid or near it and in its range, else
/// the smallest power of two from 64 on. Throws GeometryError (`range`, `non-finite`) above 2^24.
float vertexScaleFor(std::span<const MmatMesh> meshes, float known, std::string_view model);

/// The mesh on the grid. clamped: corners whose texture coordinates do not fit u16 even after whole repeats were taken
/// off.
std::vector<CornerTriangle> quantised(const MmatMesh& mesh, float vertexScale, std::uint16_t version,
                                      std::size_t& clamped);

/// One mmat of triangles on the grid.
struct MmatTriangles {
    std::uint32_t name = 0, material = 0;
    std::vector<CornerTriangle> triangles;
};

/// A whole Model chunk, head included, with the fields of an old one: which arrays there are is as in its mtype, but
/// normals, which hold the strips, always. Triangles become strips in their order.
ByteVector encodeModel(const Document& document, const Model& old, float vertexScale,
                       std::span<const MmatTriangles> mmats);

}  // namespace geomconv::ccsf
