#pragma once

#include <benchmark/benchmark.h>

#include <charconv>
#include <cstdint>

#include "lib/scene/scene.hpp"

namespace geomconv {

/// The text of every number of a primitive (positions, normals, uvs, and its indices counted from firstIndex) and
/// nothing else: what no text writer can be faster than.
inline void numbersAsTextAlone(const Primitive& primitive, std::uint32_t firstIndex) {
    char to[64];
    const auto all = [&to](const auto& list) {
        const auto* values = reinterpret_cast<const float*>(list.data());
        for (std::size_t i = 0; i < list.size() * sizeof(list[0]) / sizeof(float); ++i) {
            benchmark::DoNotOptimize(std::to_chars(to, to + 64, values[i]).ptr);
        }
    };
    all(primitive.positions), all(primitive.normals), all(primitive.uvs);
    for (const std::uint32_t i : primitive.indices) {
        benchmark::DoNotOptimize(std::to_chars(to, to + 64, i + firstIndex).ptr);
    }
}

}  // namespace geomconv
