#pragma once

// Stored mmats to the scene's arrays.

#include <functional>
#include <optional>
#include <span>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/strip.hpp"

namespace geomconv::ccsf {

/// Integer bounds over all stored positions of a model (skin: of every entry), in units of Model::unit().
struct StoredBox {
    std::array<std::int16_t, 3> min{}, max{};
};
std::optional<StoredBox> storedBox(const Model& model);

/// Strip flags of a mmat, one per vertex: the normal's fourth byte, a skin vertex's from its last entry. Empty without
/// normals.
std::vector<std::uint8_t> stripFlags(const Model& model, const Mmat& mmat);

/// Triangles of a rigid or bone mmat, by the rule asked for, in stored space.
Strips storedTriangles(const Mmat& mmat, std::span<const std::uint8_t> flags, std::uint16_t version, Winding winding);

/// Positions and unit normals of a mmat. In node space for rigid and shadow mmats, transformed for bone and skin.
struct Points {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;    ///< empty when none are stored
    std::size_t zeroNormals = 0;  ///< normals of length 0, replaced by (0, 0, 1)
};
Points storedPoints(const Model& model, const Mmat& mmat);
/// The matrix of a clump slot; null where the clump has none.
using NodeAt = std::function<const Mat4d*(std::uint32_t slot)>;
/// A slot that the clump or the lookup list does not have is the identity and counted in missing.
Points posedPoints(const Model& model, const Mmat& mmat, const NodeAt& nodeAt, std::size_t& missing);

/// Texture coordinates as glTF has them: v down from the top of the image, which is stored bottom row first (topFirst:
/// DXT).
std::vector<Vec2> textureCoordinates(const Mmat& mmat, bool topFirst);
/// RGBA, 0x80 = 1.0, cut at 1.
std::vector<Vec4> vertexColours(const Mmat& mmat);

/// The joint that a slot of the model, as stored, stands for.
using JointOf = std::function<std::uint16_t(std::uint32_t slot)>;
/// Influences of each vertex of a bone or skin mmat: joints, each once, and weights that sum to 1, the largest four in
/// the first set, four more in a second where one is needed. All sets have the vertices' length. dropped: vertices with
/// more than eight, which keep the largest.
std::vector<Influences> influencesOf(const Model& model, const Mmat& mmat, const JointOf& jointOf,
                                     std::size_t& dropped);

/// Displacements of a morph target: target minus base, in units of length. Both have the same vertex count.
std::vector<Vec3> displacements(const Model& base, const Mmat& baseMmat, const Model& target, const Mmat& targetMmat);

}  // namespace geomconv::ccsf
