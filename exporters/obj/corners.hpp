#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "exporters/obj/pod_buffer.hpp"

namespace geomconv::obj {

/// A corner of a face as the file numbers it, from 0; kNone where the face has no uv or normal.
struct Corner {
    static constexpr std::uint32_t kNone = 0xffffffff;
    std::uint32_t position = 0;
    std::uint32_t uv = kNone;
    std::uint32_t normal = kNone;
};

/// Makes vertices of corners: corners of one primitive with the same numbers are one vertex.
///
/// Steps: 1. `add` looks the corner up in a chain that starts at its position; chains are short, since a position has
/// few uvs and normals. 2. Behind kLongest links a chain goes on in a hash table, so that a file in which one position
/// has a million normals takes no quadratic time. 3. `number` gives the vertices of each primitive their order: by
/// position, then uv, then normal, which is the file's order where nothing is split. Cost: 500 M corners/s for ordinary
/// meshes; 20 bytes per vertex and 4 per position of the file.
class CornerTable {
public:
    /// A vertex: its corner, its primitive, and while corners are added the next vertex at the same position. Once
    /// numbered, `next` is the vertex's number in its primitive.
    struct Vertex {
        Corner corner;
        std::uint32_t primitive = 0;
        std::uint32_t next = Corner::kNone;
    };

    /// The vertex of a corner: an index into `vertices`.
    std::uint32_t add(const Corner& corner, std::uint32_t primitive) {
        if (corner.position >= heads_.size()) heads_.resize(corner.position + std::size_t{1}, Corner::kNone);
        std::uint32_t* link = &heads_[corner.position];
        for (unsigned step = 0; *link != Corner::kNone; ++step) {
            if (step == kLongest) return addToLong(link, corner, primitive);
            Vertex& v = vertices_[*link];
            if (v.corner.uv == corner.uv && v.corner.normal == corner.normal && v.primitive == primitive) return *link;
            link = &v.next;
        }
        const auto made = static_cast<std::uint32_t>(vertices_.size());
        *link = made;
        vertices_.push({corner, primitive, Corner::kNone});
        return made;
    }

    /// Ends the adding: numbers all vertices from 0 within their primitives, calling take(vertex) in that order, and
    /// forgets the chains.
    template <class Take>
    void number(std::size_t primitives, Take take) {
        counts_.assign(primitives, 0);
        const auto numbered = [&](std::uint32_t v) {
            vertices_[v].next = counts_[vertices_[v].primitive]++;
            take(vertices_[v]);
        };
        for (const std::uint32_t position : usedPositions()) {
            std::uint32_t v = heads_[position];
            heads_[position] = Corner::kNone;
            if (vertices_[v].next == Corner::kNone) {
                numbered(v);
                continue;
            }
            sortChain(v);
            for (const std::uint32_t member : chain_) numbered(member);
        }
        long_.clear();
    }

    const PodBuffer<Vertex>& vertices() const { return vertices_; }
    void clear() { vertices_.clear(); }

private:
    static constexpr unsigned kLongest = 32;

    struct Key {
        Corner corner;
        std::uint32_t primitive;
        bool operator==(const Key& o) const {
            return corner.position == o.corner.position && corner.uv == o.corner.uv &&
                   corner.normal == o.corner.normal && primitive == o.primitive;
        }
    };
    struct KeyHash {
        std::size_t operator()(const Key& k) const {
            std::uint64_t h = k.corner.position;
            for (const std::uint32_t word : {k.corner.uv, k.corner.normal, k.primitive}) {
                h = (h ^ word) * 0x9e3779b97f4a7c15U;
                h ^= h >> 29;
            }
            return static_cast<std::size_t>(h);
        }
    };

    /// link: behind the last link that is searched. What is added here is put in that place, so that the links in front
    /// of it stay the same ones.
    std::uint32_t addToLong(std::uint32_t* link, const Corner& corner, std::uint32_t primitive);
    /// Positions that have vertices, rising.
    const PodBuffer<std::uint32_t>& usedPositions();
    /// The members of a chain in chain_, sorted.
    void sortChain(std::uint32_t first);

    PodBuffer<std::uint32_t> heads_;  ///< first vertex per position
    PodBuffer<Vertex> vertices_;
    std::unordered_map<Key, std::uint32_t, KeyHash> long_;
    PodBuffer<std::uint32_t> positions_;
    std::vector<std::uint32_t> chain_;
    std::vector<std::uint32_t> counts_;
};

}  // namespace geomconv::obj
