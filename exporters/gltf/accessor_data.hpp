#pragma once

#include <span>

#include "exporters/gltf/document.hpp"

namespace geomconv::gltf {

/// Values of an accessor as floats, normalised integers divided out, sparse values in place. An element has as many
/// floats as the accessor has components; they lie `outWidth` floats apart in `out`. pick: the elements wanted, in this
/// order; empty: all. Throws FormatError (`sparse-index`).
void readFloats(const Document& document, std::uint32_t accessor, std::span<const std::uint32_t> pick, float* out,
                std::size_t outWidth);

/// Values of an accessor of unsigned integers.
void readWords(const Document& document, std::uint32_t accessor, std::span<const std::uint32_t> pick,
               std::uint32_t* out);

/// All elements of a float accessor, or those of `pick`, as vectors.
template <class V>
std::vector<V> readVectors(const Document& document, std::uint32_t accessor, std::span<const std::uint32_t> pick) {
    std::vector<V> out(pick.empty() ? static_cast<std::size_t>(document.accessors[accessor].count) : pick.size());
    if (!out.empty()) readFloats(document, accessor, pick, &out.front()[0], sizeof(V) / sizeof(float));
    return out;
}

/// Elements first..first+n of an accessor, which must not be sparse, as numbers of the file: normalised integers are
/// not divided out. Tightly packed in `out`.
void readBlock(const Document& document, const Accessor& accessor, std::uint64_t first, std::size_t n, float* out);
void readBlock(const Document& document, const Accessor& accessor, std::uint64_t first, std::size_t n,
               std::uint32_t* out);

/// The floats of an accessor where they lie tightly packed and need no conversion; null otherwise. Not aligned.
const std::uint8_t* packedFloats(const Document& document, const Accessor& accessor);

}  // namespace geomconv::gltf
