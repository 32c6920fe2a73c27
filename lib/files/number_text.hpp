#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "lib/files/sink.hpp"

namespace geomconv {

/// Numbers as text: the shortest form that reads back as the same value, or a fixed number of decimals. No locale.
/// precision: decimals after the point; absent means shortest.
struct NumberFormat {
    std::optional<int> precision;
};

inline constexpr std::size_t kNumberRoom = 64;

/// The text that std::to_chars gives: the shortest that reads back, of these the nearest to the value, fixed or
/// scientific notation by what is shorter. Returns the end; 16 bytes are enough.
char* shortestText(char* to, float value);
/// Decimal digits of a whole number; 20 bytes are enough.
char* uintText(char* to, std::uint64_t value);

/// Text of a float at `to` (kNumberRoom bytes of room, 50 more per 40 decimals are never needed for floats below
/// 1e38 because fixed output is limited to 17 decimals by the command line). Returns the end.
inline char* floatText(char* to, float value, NumberFormat format = {}) {
    if (!format.precision) return shortestText(to, value);
    return std::to_chars(to, to + kNumberRoom, value, std::chars_format::fixed, *format.precision).ptr;
}
inline char* doubleText(char* to, double value) {
    return std::to_chars(to, to + kNumberRoom, value).ptr;
}
inline char* intText(char* to, std::int64_t value) {
    return std::to_chars(to, to + kNumberRoom, value).ptr;
}

/// shortestText that remembers what it met: meshes of games repeat their numbers (grids, axes, colours from bytes).
class NumberTexts {
public:
    char* write(char* to, float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        Entry& entry = entries_[bits * 0x9E3779B1U >> (32 - kBits)];
        if (entry.bits != bits || entry.length == 0) {
            entry.bits = bits;
            entry.length = static_cast<std::uint32_t>(shortestText(entry.text.data(), value) - entry.text.data());
        }
        std::memcpy(to, entry.text.data(), 16);
        return to + entry.length;
    }

private:
    static constexpr unsigned kBits = 9;
    struct Entry {
        std::uint32_t bits = 0;
        std::uint32_t length = 0;
        std::array<char, 24> text{};
    };
    std::array<Entry, 1U << kBits> entries_;
};

inline void writeFloat(Sink& out, float value, NumberFormat format = {}) {
    out.advance(floatText(out.reserve(kNumberRoom), value, format));
}
inline void writeInt(Sink& out, std::int64_t value) {
    out.advance(intText(out.reserve(kNumberRoom), value));
}

}  // namespace geomconv
