#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "formats/collisionset/collisionset.hpp"
#include "formats/collisionset/triangles.hpp"
#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::collisionset {

namespace {

ByteOrder otherThan(ByteOrder order) {
    return order == ByteOrder::Big ? ByteOrder::Little : ByteOrder::Big;
}

std::string_view orderName(ByteOrder order) {
    return order == ByteOrder::Big ? "big-endian" : "little-endian";
}

/// The offset from which on a file holds only zero bytes.
std::uint64_t zeroTail(Bytes file) {
    std::size_t n = file.size();
    while (n > 0 && file[n - 1] == 0) --n;
    return n;
}

/// Whether the records lead to the end of the file, or to zeros.
bool walksToTheEnd(Bytes file, ByteOrder order, std::uint64_t tail) {
    std::uint64_t at = 0;
    while (at < file.size()) {
        if (at > 0 && at >= tail) return true;
        const auto header = headerAt(file, at, order);
        if (!header) return false;
        at += 8 + std::uint64_t{header->size};
    }
    return at > 0;
}

bool plausibleNameLen(Bytes file, ByteOrder order) {
    if (file.size() < 8) return false;
    ByteReader in(file, order);
    in.skip(4, "size");
    const std::uint32_t nameLen = in.u32("nameLen");
    return nameLen >= 1 && nameLen <= kNameFieldLimit;
}

}  // namespace

std::optional<ByteOrder> detectByteOrder(Bytes file, ByteOrderChoice choice) {
    if (choice == ByteOrderChoice::Big) return ByteOrder::Big;
    if (choice == ByteOrderChoice::Little) return ByteOrder::Little;
    const bool big = headerAt(file, 0, ByteOrder::Big).has_value();
    const bool little = headerAt(file, 0, ByteOrder::Little).has_value();
    if (big != little) return big ? ByteOrder::Big : ByteOrder::Little;
    if (big) {
        // A nameless first record whose counts read the same both ways: the whole file decides, then big-endian.
        const std::uint64_t tail = zeroTail(file);
        const bool onlyLittle =
            walksToTheEnd(file, ByteOrder::Little, tail) && !walksToTheEnd(file, ByteOrder::Big, tail);
        return onlyLittle ? ByteOrder::Little : ByteOrder::Big;
    }
    if (plausibleNameLen(file, ByteOrder::Big)) return ByteOrder::Big;
    if (plausibleNameLen(file, ByteOrder::Little)) return ByteOrder::Little;
    return std::nullopt;
}

// ---------------------------------------------------------------------------------------------------- framing

struct Walker::Fault {
    std::string_view kind;
    std::uint64_t offset = 0;
    std::string detail;
    std::string name;
    std::optional<std::uint64_t> byCounts;  ///< where the record ends by its counts
    std::optional<std::uint64_t> bySize;    ///< where it ends by its size word
};

Walker::Walker(Bytes file, ByteOrder order, bool recover, Defects& defects)
    : file_(file), order_(order), recover_(recover), defects_(defects), tail_(zeroTail(file)) {}

std::optional<Walker::Fault> Walker::faultAt(std::uint64_t at, Header& header) const {
    const std::uint64_t left = file_.size() - at;
    Fault fault;
    if (left < 16) {
        fault.kind = "trailing";
        fault.offset = at;
        fault.detail = std::to_string(left) + " bytes behind the last record";
        return fault;
    }
    ByteReader in(file_.subspan(static_cast<std::size_t>(at)), order_, at);
    header.size = in.u32("size");
    header.nameLen = in.u32("nameLen");
    fault.bySize = at + 8 + header.size;
    if (header.nameLen > kNameFieldLimit || header.nameLen > left - 16) {
        fault.kind = "name-length";
        fault.offset = at + 4;
        fault.detail = "name length " + std::to_string(header.nameLen) +
                       (header.nameLen > kNameFieldLimit ? ", the limit is " + std::to_string(kNameFieldLimit)
                                                         : ", " + std::to_string(left - 16) + " bytes left");
    } else {
        fault.name = untilNul(asText(in.bytes(header.nameLen, "name")));
        fault.offset = in.offset();
        header.nv = in.u32("nv");
        header.nt = in.u32("nt");
        fault.byCounts = at + 8 + header.need();
        if (header.need() > left - 8) {
            fault.kind = header.size == header.need() ? "truncated" : "counts";
            fault.detail = "vertex count " + std::to_string(header.nv) + " and triangle count " +
                           std::to_string(header.nt) + " need " +
                           std::to_string(12 * (std::uint64_t{header.nv} + header.nt)) + " bytes, " +
                           std::to_string(in.left()) + " left";
        } else if (header.size != header.need()) {
            fault.kind = "size-word";
            fault.offset = at;
            fault.detail = "size " + std::to_string(header.size) + ", the counts give " + std::to_string(header.need());
        } else {
            return std::nullopt;
        }
    }
    if (at > 0 && headerAt(file_, at, otherThan(order_))) {
        fault = {"byte-order-mixed", at, {}, {}, {}, {}};
        fault.detail =
            "looks " + std::string(orderName(otherThan(order_))) + " in a " + std::string(orderName(order_)) + " file";
    }
    return fault;
}

bool Walker::lands(std::uint64_t at) const {
    if (at >= file_.size()) return at == file_.size();
    return at >= tail_ || headerAt(file_, at, order_).has_value();
}

void Walker::report(const Fault& fault, bool isError) {
    Defect defect{isError ? Severity::Error : Severity::Warning,
                  std::string(fault.kind),
                  fault.offset,
                  {place(number_, fault.name)},
                  fault.detail};
    if (isError) error_ = defect;
    defects_.add(std::move(defect));
}

void Walker::stop(const Fault& fault) {
    ended_ = true;
    unread_ = file_.size() - at_;
    Fault said = fault;
    if (recover_) said.detail += "; " + std::to_string(unread_) + " bytes not read";
    report(said, !recover_ || kept_ == 0);
}

std::optional<Frame> Walker::next() {
    while (!ended_ && at_ < file_.size()) {
        if (at_ >= tail_) {
            ended_ = true;
            zeros_ = file_.size() - at_;
            defects_.warn("trailing-zeros", at_, {}, std::to_string(zeros_) + " zero bytes behind the last record");
            break;
        }
        Frame frame{at_, number_, {}};
        auto fault = faultAt(at_, frame.header);
        if (fault) {
            const bool countsLand = fault->kind == "size-word" && lands(*fault->byCounts);
            const bool canDrop = fault->kind == "size-word" || fault->kind == "name-length" || fault->kind == "counts";
            if (recover_ && countsLand) {
                fault->detail += "; the counts are used";
                report(*fault, false);
                frame.header.size = static_cast<std::uint32_t>(frame.header.need());
            } else if (recover_ && canDrop && *fault->bySize <= file_.size() && lands(*fault->bySize)) {
                const bool nothingFollows = *fault->bySize >= tail_;
                fault->detail += "; the record is dropped";
                report(*fault, kept_ == 0 && nothingFollows);
                at_ = *fault->bySize;
                ++dropped_;
                ++number_;
                continue;
            } else {
                stop(*fault);
                break;
            }
        }
        at_ = frame.end();
        ++kept_;
        ++number_;
        return frame;
    }
    return std::nullopt;
}

// ---------------------------------------------------------------------------------------------------- contents

namespace {

void noteNonfinite(const Record& record, const Frame& frame, Defects& defects) {
    std::size_t first = record.vertex.size();
    std::size_t count = 0;
    for (std::size_t i = 0; i < record.vertex.size(); ++i) {
        if (isFinite(record.vertex[i])) continue;
        if (count++ == 0) first = i;
    }
    if (count == 0) return;
    const Vec3& v = record.vertex[first];
    const std::size_t axis = !isFinite(v.x) ? 0 : !isFinite(v.y) ? 1 : 2;
    defects.warn("nonfinite", frame.arrays() + 12 * first + 4 * axis, {place(record.number, record.name())},
                 counted(count, "vertices") + " with NaN or infinity, the first is " + std::to_string(first));
}

/// Takes out triangles with an index out of range and gives their number.
std::uint64_t dropBadTriangles(Record& record) {
    const std::uint64_t nv = record.nv();
    return filterTriangles(record.index, [nv](const auto& t) { return std::max({t[0], t[1], t[2]}) < nv; });
}

void noteIndexRange(Record& record, const Frame& frame, bool recover, Reading& out, Defects& defects) {
    const auto nv = static_cast<std::uint32_t>(record.nv());
    const auto first =
        std::find_if(record.index.begin(), record.index.end(), [nv](std::uint32_t i) { return i >= nv; });
    if (first == record.index.end()) return;
    const std::uint64_t at =
        frame.arrays() + 12 * std::uint64_t{nv} + 4 * static_cast<std::uint64_t>(first - record.index.begin());
    std::string detail = "index " + std::to_string(*first) + " of " + counted(nv, "vertices");
    if (recover) {
        const std::uint64_t dropped = dropBadTriangles(record);
        out.droppedTriangles += dropped;
        detail += "; " + std::to_string(dropped) + " triangles dropped";
    }
    Defect defect{recover ? Severity::Warning : Severity::Error,
                  "index-range",
                  at,
                  {place(record.number, record.name())},
                  std::move(detail)};
    if (!recover && !out.error) out.error = defect;
    defects.add(std::move(defect));
}

Defect libraryError(std::string_view kind, std::string detail) {
    return {Severity::Error, std::string(kind), 0, {{"record", "0"}}, std::move(detail)};
}

}  // namespace

Reading survey(Bytes file, const ReadOptions& options, Defects& defects) {
    Reading out;
    out.bytes = file.size();
    const auto refuse = [&](std::string_view kind, std::string detail) {
        out.error = libraryError(kind, std::move(detail));
        defects.add(*out.error);
        return std::move(out);
    };
    if (file.size() > UINT32_MAX)
        return refuse("too-large", std::to_string(file.size()) + " bytes, the limit is 4 GiB");
    if (zeroTail(file) == 0) return refuse("empty-file", std::to_string(file.size()) + " bytes, no record");
    out.byteOrder = detectByteOrder(file, options.byteOrder);
    if (!out.byteOrder) return refuse("not-recognised", "no byte order fits record 0");
    out.library.byteOrder = *out.byteOrder;

    std::unordered_map<std::string_view, std::uint32_t> names;
    Walker walker(file, *out.byteOrder, options.recover, defects);
    while (const auto frame = walker.next()) {
        Record record = readRecord(file, frame->offset, frame->header, *out.byteOrder);
        record.number = frame->number;
        const Bytes field = file.subspan(static_cast<std::size_t>(frame->offset) + 8, frame->header.nameLen);
        const Place where = place(frame->number, record.name());
        if (std::string why = oddities(record.nameField); !why.empty()) {
            defects.warn("name-field", frame->offset + 8, {where}, std::move(why));
        }
        const auto [earlier, isNew] = names.emplace(untilNul(asText(field)), frame->number);
        if (!isNew) {
            defects.warn("duplicate-name", frame->offset + 8, {where},
                         "same as record " + std::to_string(earlier->second));
        }
        if (record.index.empty()) {
            defects.warn("empty-mesh", frame->arrays() - 4, {where},
                         counted(record.nv(), "vertices") + ", no triangle");
        }
        noteNonfinite(record, *frame, defects);
        noteIndexRange(record, *frame, options.recover, out, defects);
        out.library.records.push_back(std::move(record));
    }
    out.library.trailingZeros = walker.trailingZeros();
    out.unreadBytes = walker.unreadBytes();
    out.droppedRecords = walker.droppedRecords();
    if (!out.error) out.error = walker.error();
    return out;
}

Library read(Bytes file, const ReadOptions& options, Defects& defects) {
    Reading reading = survey(file, options, defects);
    if (reading.error) throw FormatError(*reading.error);
    return std::move(reading.library);
}

void write(const Library& library, Sink& out) {
    for (const Record& record : library.records) writeRecord(record, library.byteOrder, out);
    for (std::uint64_t i = 0; i < library.trailingZeros; ++i) out.put('\0');
}

ByteVector write(const Library& library) {
    MemorySink out;
    write(library, out);
    return out.take();
}

Confidence probe(Bytes file, std::string_view name) noexcept {
    const auto order = detectByteOrder(file, ByteOrderChoice::Auto);
    if (!order) return Confidence::No;
    const auto first = headerAt(file, 0, *order);
    if (first) {
        const std::uint64_t next = 8 + std::uint64_t{first->size};
        if (next == file.size() || headerAt(file, next, *order)) return Confidence::Certain;
        return Confidence::Likely;
    }
    // A damaged first record: only a plausible name, and the file's own name, speak for it.
    ByteReader in(file, *order);
    if (file.size() < 16) return Confidence::No;
    in.skip(4, "size");
    const std::uint32_t nameLen = in.u32("nameLen");
    if (nameLen > in.left() || nameLen < 8) return Confidence::No;
    const std::string_view field = asText(in.bytes(nameLen, "name"));
    if (!oddities(field).empty()) return Confidence::No;
    return name.find("CollisionSet") != std::string_view::npos ? Confidence::Likely : Confidence::Maybe;
}

}  // namespace geomconv::collisionset
