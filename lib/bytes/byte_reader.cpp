#include "lib/bytes/byte_reader.hpp"

#include <utility>

namespace geomconv {

std::uint64_t ByteReader::u64(std::string_view field) {
    const std::uint8_t* p = take(8, field);
    const std::uint64_t first = assemble32(p);
    const std::uint64_t second = assemble32(p + 4);
    return order_ == ByteOrder::Little ? (second << 32) | first : (first << 32) | second;
}

std::uint32_t ByteReader::count32(std::uint64_t stride, std::string_view field) {
    const std::uint64_t at = offset();
    const std::uint32_t n = u32(field);
    checkCount(n, stride, field, at);
    return n;
}

std::uint16_t ByteReader::count16(std::uint64_t stride, std::string_view field) {
    const std::uint64_t at = offset();
    const std::uint16_t n = u16(field);
    checkCount(n, stride, field, at);
    return n;
}

void ByteReader::checkCount(std::uint64_t n, std::uint64_t stride, std::string_view field, std::uint64_t at) const {
    if (stride == 0 || n <= left() / stride) return;
    std::string detail = std::string(field) + ' ' + std::to_string(n);
    if (n <= UINT64_MAX / stride)
        detail += " needs " + std::to_string(n * stride) + " bytes, ";
    else
        detail += " is absurd, ";
    failAt("truncated", at, detail + std::to_string(left()) + " left");
}

ByteReader ByteReader::within(std::string_view noun, std::string number, std::uint64_t position,
                              std::uint64_t size) const {
    if (position > bytes_.size() || size > bytes_.size() - position) {
        std::string detail(noun);
        if (!number.empty()) detail += ' ' + number;
        failAt("truncated", offsetOf(position),
               detail + " needs " + std::to_string(size) + " bytes, " +
                   std::to_string(position > bytes_.size() ? 0 : bytes_.size() - position) + " left");
    }
    return {bytes_.subspan(static_cast<std::size_t>(position), static_cast<std::size_t>(size)),
            order_,
            base_ + position,
            this,
            noun,
            std::move(number)};
}

ByteReader ByteReader::within(std::string_view noun, std::string number, std::uint64_t size) {
    const std::uint64_t start = position_;
    skip(size, noun);
    return {bytes_.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(size)),
            order_,
            base_ + start,
            this,
            noun,
            std::move(number)};
}

void ByteReader::at(std::uint64_t position, std::string_view field) {
    if (position > bytes_.size()) {
        fail("offset-range", std::string(field) + ' ' + hex(position) + " lies outside, size is " + hex(bytes_.size()));
    }
    position_ = position;
}

std::vector<Place> ByteReader::where() const {
    std::vector<Place> out;
    for (const ByteReader* r = this; r != nullptr; r = r->parent_) {
        if (!r->noun_.empty()) out.push_back({std::string(r->noun_), r->number_});
    }
    return out;
}

Defect ByteReader::defect(Severity severity, std::string_view kind, std::uint64_t at, std::string detail) const {
    return {severity, std::string(kind), at, where(), std::move(detail)};
}

void ByteReader::failAt(std::string_view kind, std::uint64_t at, std::string detail) const {
    throw FormatError(defect(Severity::Error, kind, at, std::move(detail)));
}

void ByteReader::failTruncated(std::uint64_t n, std::string_view field) const {
    fail("truncated",
         std::string(field) + " needs " + std::to_string(n) + " bytes, " + std::to_string(left()) + " left");
}

void ByteReader::expectEnd(std::string_view what) const {
    if (left() == 0) return;
    fail("trailing", std::to_string(left()) + " bytes behind the end of " + std::string(what));
}

}  // namespace geomconv
