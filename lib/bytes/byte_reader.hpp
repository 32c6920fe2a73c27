#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/bytes/bytes.hpp"
#include "lib/defect.hpp"

namespace geomconv {

/// A span, a position, a byte order, and the name of what is being read. Every bounds check of every reader is
/// `need`. Readers are passed down by reference; `within` makes a child that ends where a record ends and that
/// knows its parent, so that a failure spells its nesting without any cost on the good path.
///
/// `field` arguments name the field for the message, in the words of FORMAT.md. All reads throw FormatError
/// (`truncated`) when the bytes are not there.
class ByteReader {
public:
    /// base: offset of bytes[0] in the outermost input, for messages.
    explicit ByteReader(Bytes bytes, ByteOrder order = ByteOrder::Little, std::uint64_t base = 0)
        : bytes_(bytes), base_(base), order_(order) {}
    ByteReader(const ByteReader&) = delete;
    ByteReader& operator=(const ByteReader&) = delete;

    std::uint8_t u8(std::string_view field) { return *take(1, field); }
    std::int8_t s8(std::string_view field) { return static_cast<std::int8_t>(u8(field)); }
    std::uint16_t u16(std::string_view field) { return assemble16(take(2, field)); }
    std::int16_t s16(std::string_view field) { return static_cast<std::int16_t>(u16(field)); }
    std::uint32_t u32(std::string_view field) { return assemble32(take(4, field)); }
    std::int32_t s32(std::string_view field) { return static_cast<std::int32_t>(u32(field)); }
    std::uint64_t u64(std::string_view field);
    float f32(std::string_view field) { return std::bit_cast<float>(u32(field)); }
    double f64(std::string_view field) { return std::bit_cast<double>(u64(field)); }

    /// The next n bytes, borrowed.
    Bytes bytes(std::uint64_t n, std::string_view field) { return {take(n, field), static_cast<std::size_t>(n)}; }
    /// The next n bytes as text, NULs included.
    std::string string(std::uint64_t n, std::string_view field) { return std::string(asText(bytes(n, field))); }
    /// Four bytes as text, for chunk tags.
    std::string fourcc(std::string_view field) { return string(4, field); }
    void skip(std::uint64_t n, std::string_view field) { take(n, field); }

    /// Reads a u32 count and checks that count * stride bytes are left: the only way from a number in a file to an
    /// allocation. Throws FormatError (`truncated`) otherwise.
    std::uint32_t count32(std::uint64_t stride, std::string_view field);
    std::uint16_t count16(std::uint64_t stride, std::string_view field);
    /// The same check for a count that was read elsewhere. at: offset() of that number, for the message.
    void checkCount(std::uint64_t n, std::uint64_t stride, std::string_view field, std::uint64_t at) const;

    /// A child over `size` bytes from `position` of this reader's span; throws (`truncated`) when they are not there.
    /// It keeps a pointer to this reader and to `noun`: both must outlive it.
    ByteReader within(std::string_view noun, std::string number, std::uint64_t position, std::uint64_t size) const;
    /// The same over the next `size` bytes, which this reader then has passed.
    ByteReader within(std::string_view noun, std::string number, std::uint64_t size);
    /// Names what this reader reads, for messages; for readers over a whole record.
    void name(std::string_view noun, std::string number) {
        noun_ = noun;
        number_ = std::move(number);
    }

    /// Moves to a position of this span. Throws (`offset-range`) past the end.
    void at(std::uint64_t position, std::string_view field);
    std::uint64_t position() const noexcept { return position_; }
    std::uint64_t size() const noexcept { return bytes_.size(); }
    std::uint64_t left() const noexcept { return bytes_.size() - position_; }
    /// Position counted from the start of the outermost input.
    std::uint64_t offset() const noexcept { return base_ + position_; }
    std::uint64_t offsetOf(std::uint64_t position) const noexcept { return base_ + position; }
    ByteOrder order() const noexcept { return order_; }
    void setOrder(ByteOrder order) noexcept { order_ = order; }
    Bytes all() const noexcept { return bytes_; }
    Bytes rest() const noexcept { return bytes_.subspan(static_cast<std::size_t>(position_)); }

    /// Nesting from here outward, for defects that do not throw.
    std::vector<Place> where() const;
    /// A defect at this reader's nesting.
    Defect defect(Severity severity, std::string_view kind, std::uint64_t at, std::string detail) const;
    [[noreturn]] void fail(std::string_view kind, std::string detail) const {
        failAt(kind, offset(), std::move(detail));
    }
    [[noreturn]] void failAt(std::string_view kind, std::uint64_t at, std::string detail) const;
    /// Refuses leftovers where the format has none (`trailing`).
    void expectEnd(std::string_view what) const;

private:
    ByteReader(Bytes bytes, ByteOrder order, std::uint64_t base, const ByteReader* parent, std::string_view noun,
               std::string number)
        : bytes_(bytes), base_(base), order_(order), parent_(parent), noun_(noun), number_(std::move(number)) {}

    const std::uint8_t* take(std::uint64_t n, std::string_view field) {
        if (n > bytes_.size() - position_) failTruncated(n, field);
        const std::uint8_t* p = bytes_.data() + position_;
        position_ += n;
        return p;
    }
    [[noreturn]] void failTruncated(std::uint64_t n, std::string_view field) const;

    std::uint16_t assemble16(const std::uint8_t* p) const noexcept {
        const auto little = static_cast<std::uint16_t>(p[0] | (p[1] << 8));
        return order_ == ByteOrder::Little ? little : static_cast<std::uint16_t>((little << 8) | (little >> 8));
    }
    std::uint32_t assemble32(const std::uint8_t* p) const noexcept {
        const std::uint32_t little =
            p[0] | (std::uint32_t{p[1]} << 8) | (std::uint32_t{p[2]} << 16) | (std::uint32_t{p[3]} << 24);
        return order_ == ByteOrder::Little ? little : swapped(little);
    }
    static constexpr std::uint32_t swapped(std::uint32_t v) noexcept {
        return (v >> 24) | ((v >> 8) & 0xff00) | ((v << 8) & 0xff0000) | (v << 24);
    }

    Bytes bytes_;
    std::uint64_t position_ = 0;
    std::uint64_t base_ = 0;
    ByteOrder order_;
    const ByteReader* parent_ = nullptr;
    std::string_view noun_;
    std::string number_;
};

}  // namespace geomconv
