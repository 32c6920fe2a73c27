#pragma once

#include <charconv>
#include <cstdint>
#include <optional>

#include "lib/files/sink.hpp"

namespace geomconv {

/// Numbers as text: the shortest form that reads back as the same value, or a fixed number of decimals. No locale.
/// precision: decimals after the point; absent means shortest.
struct NumberFormat {
    std::optional<int> precision;
};

inline constexpr std::size_t kNumberRoom = 64;

/// Text of a float at `to` (kNumberRoom bytes of room, 50 more per 40 decimals are never needed for floats below
/// 1e38 because fixed output is limited to 17 decimals by the command line). Returns the end.
inline char* floatText(char* to, float value, NumberFormat format = {}) {
    if (!format.precision) return std::to_chars(to, to + kNumberRoom, value).ptr;
    return std::to_chars(to, to + kNumberRoom, value, std::chars_format::fixed, *format.precision).ptr;
}
inline char* doubleText(char* to, double value) {
    return std::to_chars(to, to + kNumberRoom, value).ptr;
}
inline char* intText(char* to, std::int64_t value) {
    return std::to_chars(to, to + kNumberRoom, value).ptr;
}

inline void writeFloat(Sink& out, float value, NumberFormat format = {}) {
    out.advance(floatText(out.reserve(kNumberRoom), value, format));
}
inline void writeInt(Sink& out, std::int64_t value) {
    out.advance(intText(out.reserve(kNumberRoom), value));
}

}  // namespace geomconv
