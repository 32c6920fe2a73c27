#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/geometry/math.hpp"

namespace geomconv {

/// Edge k of triangle t runs from corner k to the next; its half-edge number is 3 t + k.
inline constexpr std::uint32_t kNoEdge = 0xffffffff;

/// For each half-edge the one that runs the other way, or kNoEdge where there is none or not exactly one: 3 x
/// triangles. Cost: a sort of the edges.
std::vector<std::uint32_t> oppositeEdges(std::span<const std::array<std::uint32_t, 3>> triangles);

/// For each point the first one at the same position (the two zeros are one position, a number that is none is no
/// position and equals nothing). Meshes repeat a position at every seam; ask for their topology with welded triangles.
std::vector<std::uint32_t> weldPoints(std::span<const Vec3> points);

/// How the triangles of a mesh hang together.
struct SurfaceTopology {
    std::size_t vertices = 0;                     ///< points that a triangle uses
    std::size_t edges = 0;                        ///< undirected
    std::size_t triangles = 0;                    ///< without the degenerate ones
    std::size_t degenerate = 0;                   ///< triangles that name a corner twice
    std::size_t components = 0;                   ///< connected over corners
    std::size_t openEdges = 0;                    ///< with a triangle on one side only
    std::size_t crowdedEdges = 0;                 ///< with three triangles or more
    std::size_t turnedEdges = 0;                  ///< whose two triangles run along them the same way
    std::size_t pinchedVertices = 0;              ///< whose triangles form more than one fan
    std::array<std::uint32_t, 2> firstOpen{};     ///< an open edge, when there is one
    std::array<std::uint32_t, 2> firstCrowded{};  ///< likewise
    std::array<std::uint32_t, 2> firstTurned{};
    double signedVolume = 0.0;  ///< meaningful when closed and oriented

    std::ptrdiff_t euler() const {
        return static_cast<std::ptrdiff_t>(vertices) - static_cast<std::ptrdiff_t>(edges) +
               static_cast<std::ptrdiff_t>(triangles);
    }
    bool closed() const { return triangles > 0 && openEdges == 0 && crowdedEdges == 0; }
    bool manifold() const { return crowdedEdges == 0 && pinchedVertices == 0; }
    bool oriented() const { return turnedEdges == 0; }
};

/// Counts vertices, edges, components and what is open, crowded, turned or pinched.
///
/// Input: points and triangles that index them. Steps: 1. all edges with the lower corner first, sorted, so that those
/// of one place lie together. 2. Per place: one is open, three are crowded, two in the same direction are turned.
/// 3. Components by joining corners. 4. Fans: the triangles of a corner joined over their common edges.
/// Tolerance: none, indices decide. Degenerate: triangles that name a corner twice are counted and left out.
/// Cost: a sort of 3 edges per triangle, 16 bytes each.
SurfaceTopology topologyOf(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles);

/// Triangles of each connected component, in the order of their first triangles.
std::vector<std::vector<std::uint32_t>> connectedPieces(std::size_t points,
                                                        std::span<const std::array<std::uint32_t, 3>> triangles);

}  // namespace geomconv
