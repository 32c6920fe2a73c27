#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "lib/bytes/bytes.hpp"

namespace geomconv {

/// The little-endian fields of one record, in their order. For records that a file holds by the hundred thousand:
/// `ByteReader::bytes` has made sure that the whole record is there, and no field is checked again.
class Fields {
public:
    explicit Fields(Bytes record) : at_(record.data()), left_(record.size()) {}

    std::uint8_t u8() { return *take(1); }
    std::uint16_t u16() {
        const std::uint8_t* p = take(2);
        return static_cast<std::uint16_t>(p[0] | p[1] << 8);
    }
    std::uint32_t u32() {
        const std::uint8_t* p = take(4);
        return p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
    }
    float f32() { return std::bit_cast<float>(u32()); }

private:
    const std::uint8_t* take([[maybe_unused]] std::size_t n) {
        assert(n <= left_);
        left_ -= n;
        const std::uint8_t* p = at_;
        at_ += n;
        return p;
    }

    const std::uint8_t* at_;
    std::size_t left_;
};

}  // namespace geomconv
