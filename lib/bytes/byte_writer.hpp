#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "lib/bytes/bytes.hpp"

namespace geomconv {

/// Appends values in a byte order. A length or offset that is not known yet is a hole that must be filled before
/// `finish`. Numbers that do not fit their field are refused (`FormatError`, kind `field-range`) with the field's name.
class ByteWriter {
public:
    explicit ByteWriter(ByteOrder order = ByteOrder::Little) : order_(order) {}

    /// A 32-bit word to be filled later. Not copied: each hole is filled once.
    struct Hole {
        std::uint64_t position;
    };

    void u8(std::uint8_t v) { out_.push_back(v); }
    void u16(std::uint16_t v);
    void s16(std::int16_t v) { u16(static_cast<std::uint16_t>(v)); }
    void u32(std::uint32_t v);
    void s32(std::int32_t v) { u32(static_cast<std::uint32_t>(v)); }
    void u64(std::uint64_t v);
    void f32(float v) { u32(std::bit_cast<std::uint32_t>(v)); }
    void bytes(Bytes b) { out_.insert(out_.end(), b.begin(), b.end()); }
    void text(std::string_view t) { bytes(asBytes(t)); }
    void zeros(std::uint64_t n) { out_.resize(out_.size() + static_cast<std::size_t>(n)); }
    /// Zeros up to the next multiple of `alignment`, counted from the start of the output.
    void align(std::uint64_t alignment);

    /// Checked narrowing: throws FormatError (`field-range`) naming the field.
    void u8(std::uint64_t v, std::string_view field);
    void u16(std::uint64_t v, std::string_view field);
    void u32(std::uint64_t v, std::string_view field);

    [[nodiscard]] Hole hole32();
    void fill(Hole hole, std::uint64_t value, std::string_view field);

    void reserve(std::uint64_t n) { out_.reserve(static_cast<std::size_t>(n)); }
    std::uint64_t size() const noexcept { return out_.size(); }
    const ByteVector& view() const noexcept { return out_; }
    /// The bytes; every hole must have been filled.
    ByteVector finish();

private:
    void store32(std::size_t at, std::uint32_t v) noexcept;

    ByteVector out_;
    ByteOrder order_;
    std::size_t holes_ = 0;
};

}  // namespace geomconv
