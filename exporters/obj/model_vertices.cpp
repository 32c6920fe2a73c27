#include "exporters/obj/model_vertices.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace geomconv::obj {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

}  // namespace

bool collectVertices(const Mesh& mesh, ModelVertices& out) {
    std::size_t count = 0;
    for (const Primitive& p : mesh.primitives) {
        if (!p.name.empty() || p.modelVertices.empty()) return false;
        if (p.normals.empty() != mesh.primitives.front().normals.empty()) return false;
        if (p.colors.empty() != mesh.primitives.front().colors.empty()) return false;
        count += p.positions.size();
    }
    if (count == 0) return false;
    out.places.assign(count, kNone);
    for (const Primitive& p : mesh.primitives) {
        for (const std::uint32_t vertex : p.modelVertices) out.places[vertex] = 0;
    }
    std::uint32_t used = 0;
    for (std::uint32_t& place : out.places) {
        if (place != kNone) place = used++;
    }
    out.positions.resize(used);
    out.normals.resize(mesh.primitives.front().normals.empty() ? 0 : used);
    out.colors.resize(mesh.primitives.front().colors.empty() ? 0 : used);
    // The primitives are read in their order, which is how they lie in memory. Copies of a vertex are alike.
    for (const Primitive& p : mesh.primitives) {
        for (std::size_t i = 0; i < p.modelVertices.size(); ++i) {
            const std::uint32_t place = out.places[p.modelVertices[i]];
            out.positions[place] = p.positions[i];
            if (!p.normals.empty()) out.normals[place] = p.normals[i];
            if (!p.colors.empty()) out.colors[place] = p.colors[i];
        }
    }
    return true;
}

std::vector<std::uint32_t> primitiveOfFaces(const Mesh& mesh) {
    std::size_t count = 0;
    for (const Primitive& p : mesh.primitives) {
        if (p.topology != Topology::Triangles || p.modelFaces.empty() || !p.faceSizes.empty()) return {};
        count += p.modelFaces.size();
    }
    std::vector<std::uint32_t> out(count);
    for (std::uint32_t i = 0; i < mesh.primitives.size(); ++i) {
        for (const std::uint32_t face : mesh.primitives[i].modelFaces) out[face] = i;
    }
    return out;
}

namespace {

/// Every bit of the two numbers in the low bits: fractions of 256 differ in their highest bits alone.
std::size_t mixed(std::uint64_t bits) {
    bits ^= bits >> 32;
    bits *= 0x9E3779B97F4A7C15U;
    bits ^= bits >> 29;
    bits *= 0xBF58476D1CE4E5B9U;
    return static_cast<std::size_t>(bits ^ bits >> 32);
}

}  // namespace

UvNumbers::Slot* UvNumbers::slotOf(std::uint64_t bits) {
    const std::size_t mask = slots_.size() - 1;
    const std::size_t first = mixed(bits);
    for (std::size_t i = 0; i < kMostProbes; ++i) {
        Slot& slot = slots_[(first + i) & mask];
        if (slot.number == 0 || slot.bits == bits) return &slot;
    }
    return nullptr;
}

void UvNumbers::grow() {
    const std::vector<Slot> old =
        std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(64, 2 * slots_.size())));
    for (const Slot& slot : old) {
        if (slot.number == 0) continue;
        if (Slot* place = slotOf(slot.bits)) *place = slot;
    }
}

std::uint64_t UvNumbers::find(Vec2 uv, std::uint64_t next) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    std::uint64_t bits = 0;
    static_assert(sizeof uv == sizeof bits);
    std::memcpy(&bits, &uv, sizeof bits);
    Slot* slot = slotOf(bits);
    if (slot == nullptr) return next;
    if (slot->number == 0) {
        *slot = {bits, next};
        used_ += 1;
    }
    return slot->number;
}

}  // namespace geomconv::obj
