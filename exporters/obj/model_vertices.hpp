#pragma once

#include <cstdint>
#include <vector>

#include "lib/scene/scene.hpp"

namespace geomconv::obj {

/// The vertices that the primitives of a mesh were made of, each once and in the model's order.
struct ModelVertices {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;          ///< one per position, or empty
    std::vector<Vec4> colors;           ///< one per position, or empty
    std::vector<std::uint32_t> places;  ///< place in these lists by what Primitive::modelVertices holds
};

/// Collects the vertices into `out`, whose memory is used again. False when a primitive does not say what its vertices
/// were made of or has a name of its own, or when only some have normals or colours.
bool collectVertices(const Mesh& mesh, ModelVertices& out);

/// The primitive of each face of the model, in its order; empty when a primitive does not say what its faces were.
std::vector<std::uint32_t> primitiveOfFaces(const Mesh& mesh);

/// Numbers of the vt lines of a file by their two numbers, bit for bit. One that would have to be looked for long is
/// given a line again: uvs made to crowd the table cost no time.
class UvNumbers {
public:
    /// The number of the vt line with these numbers; `next` becomes it where there is none yet.
    std::uint64_t find(Vec2 uv, std::uint64_t next);

private:
    struct Slot {
        std::uint64_t bits = 0;
        std::uint64_t number = 0;  ///< lines count from 1: 0 is an empty slot
    };
    static constexpr std::size_t kMostProbes = 64;

    void grow();
    /// The slot of a uv, or an empty one for it; null when all that it may have are taken.
    Slot* slotOf(std::uint64_t bits);

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

}  // namespace geomconv::obj
