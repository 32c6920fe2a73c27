#include "lib/bytes/byte_writer.hpp"

#include <cassert>
#include <string>
#include <utility>

#include "lib/defect.hpp"

namespace geomconv {

namespace {

void require(std::uint64_t value, std::uint64_t limit, std::string_view field) {
    if (value <= limit) return;
    throw FormatError("field-range", std::string(field) + ' ' + std::to_string(value) + " does not fit, the limit is " +
                                         std::to_string(limit));
}

}  // namespace

void ByteWriter::u16(std::uint16_t v) {
    const auto low = static_cast<std::uint8_t>(v & 0xff);
    const auto high = static_cast<std::uint8_t>(v >> 8);
    out_.push_back(order_ == ByteOrder::Little ? low : high);
    out_.push_back(order_ == ByteOrder::Little ? high : low);
}

void ByteWriter::u32(std::uint32_t v) {
    out_.resize(out_.size() + 4);
    store32(out_.size() - 4, v);
}

void ByteWriter::u64(std::uint64_t v) {
    const auto low = static_cast<std::uint32_t>(v & 0xffffffff);
    const auto high = static_cast<std::uint32_t>(v >> 32);
    u32(order_ == ByteOrder::Little ? low : high);
    u32(order_ == ByteOrder::Little ? high : low);
}

void ByteWriter::align(std::uint64_t alignment) {
    const std::uint64_t over = out_.size() % alignment;
    if (over != 0) zeros(alignment - over);
}

void ByteWriter::u8(std::uint64_t v, std::string_view field) {
    require(v, 0xff, field);
    u8(static_cast<std::uint8_t>(v));
}

void ByteWriter::u16(std::uint64_t v, std::string_view field) {
    require(v, 0xffff, field);
    u16(static_cast<std::uint16_t>(v));
}

void ByteWriter::u32(std::uint64_t v, std::string_view field) {
    require(v, 0xffffffff, field);
    u32(static_cast<std::uint32_t>(v));
}

ByteWriter::Hole ByteWriter::hole32() {
    const Hole hole{out_.size()};
    zeros(4);
    ++holes_;
    return hole;
}

void ByteWriter::fill(Hole hole, std::uint64_t value, std::string_view field) {
    require(value, 0xffffffff, field);
    assert(holes_ > 0);
    --holes_;
    store32(static_cast<std::size_t>(hole.position), static_cast<std::uint32_t>(value));
}

ByteVector ByteWriter::finish() {
    assert(holes_ == 0);
    return std::exchange(out_, {});
}

void ByteWriter::store32(std::size_t at, std::uint32_t v) noexcept {
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t shift = order_ == ByteOrder::Little ? 8 * i : 8 * (3 - i);
        out_[at + i] = static_cast<std::uint8_t>((v >> shift) & 0xff);
    }
}

}  // namespace geomconv
