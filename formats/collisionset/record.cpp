#include <cstring>

#include "formats/collisionset/collisionset.hpp"
#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/words.hpp"

namespace geomconv::collisionset {

namespace {

/// Arrays are written through the sink's own buffer, swapped on the way.
void writeWords(const void* data, std::size_t n, ByteOrder order, Sink& out) {
    if (order == ByteOrder::Little) {
        if (n > 0) out.write(data, n);
        return;
    }
    const auto* from = static_cast<const std::uint8_t*>(data);
    while (n > 0) {
        const std::size_t step = n < Sink::kBuffer ? n : Sink::kBuffer;
        char* to = out.reserve(step);
        copyWords32(to, {from, step}, order);
        out.advance(to + step);
        from += step;
        n -= step;
    }
}

void writeWord(std::uint32_t word, ByteOrder order, Sink& out) {
    writeWords(&word, sizeof word, order, out);
}

/// The header of a record, when its size word is what its counts say.
std::optional<Header> identicalHeader(Bytes bytes, ByteOrder order) {
    if (bytes.size() < 16) return std::nullopt;
    ByteReader in(bytes, order);
    Header header;
    header.size = in.u32("size");
    header.nameLen = in.u32("nameLen");
    if (header.nameLen > kNameFieldLimit || header.nameLen > in.size() - 16) return std::nullopt;
    in.skip(header.nameLen, "name");
    header.nv = in.u32("nv");
    header.nt = in.u32("nt");
    if (header.size != header.need()) return std::nullopt;
    return header;
}

}  // namespace

bool sameRecord(const Record& a, const Record& b) noexcept {
    return a.nameField == b.nameField && a.index == b.index && a.vertex.size() == b.vertex.size() &&
           (a.vertex.empty() || std::memcmp(a.vertex.data(), b.vertex.data(), a.vertex.size() * sizeof(Vec3)) == 0);
}

std::optional<Header> headerAt(Bytes file, std::uint64_t offset, ByteOrder order) {
    if (offset > file.size()) return std::nullopt;
    const Bytes rest = file.subspan(static_cast<std::size_t>(offset));
    const auto header = identicalHeader(rest, order);
    return header && header->need() <= rest.size() - 8 ? header : std::nullopt;
}

bool sizeIdentityHolds(Bytes head, ByteOrder order) {
    return identicalHeader(head, order).has_value();
}

Record readRecord(Bytes file, std::uint64_t offset, const Header& header, ByteOrder order) {
    ByteReader in(file.subspan(static_cast<std::size_t>(offset)), order, offset);
    Record record;
    record.offset = offset;
    in.skip(8, "size and nameLen");
    record.nameField = in.string(header.nameLen, "name");
    in.skip(8, "nv and nt");
    const Bytes vertex = in.bytes(std::uint64_t{12} * header.nv, "vertex");
    const Bytes index = in.bytes(std::uint64_t{12} * header.nt, "index");
    record.vertex.resize(header.nv);
    record.index.resize(std::size_t{3} * header.nt);
    copyWords32(record.vertex.data(), vertex, order);
    copyWords32(record.index.data(), index, order);
    return record;
}

void writeRecord(const Record& record, ByteOrder order, Sink& out) {
    if (record.size() > UINT32_MAX) {
        throw GeometryError(printable(record.name()), "size",
                            std::to_string(record.size()) + " bytes, a record holds 4294967295");
    }
    writeWord(static_cast<std::uint32_t>(record.size()), order, out);
    writeWord(static_cast<std::uint32_t>(record.nameField.size()), order, out);
    out.text(record.nameField);
    writeWord(static_cast<std::uint32_t>(record.nv()), order, out);
    writeWord(static_cast<std::uint32_t>(record.nt()), order, out);
    writeWords(record.vertex.data(), record.vertex.size() * sizeof(Vec3), order, out);
    writeWords(record.index.data(), record.index.size() * sizeof(std::uint32_t), order, out);
}

}  // namespace geomconv::collisionset
