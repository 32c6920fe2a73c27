#include "formats/gzip/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/byte_writer.hpp"
#include "lib/bytes/text.hpp"
#include "lib/deflate/inflater.hpp"

namespace geomconv::gzip {

namespace {

constexpr std::uint8_t kHeaderCrc = 2;
constexpr std::uint8_t kExtra = 4;
constexpr std::uint8_t kName = 8;
constexpr std::uint8_t kComment = 16;
constexpr std::uint8_t kReserved = 0xe0;
constexpr std::uint64_t kFixedHeader = 10;
constexpr std::uint64_t kTrailer = 8;
/// Of a name or comment: an archive may show a start at every boundary, and each looks for an end.
constexpr std::size_t kTextLimit = 4096;
constexpr std::size_t kWindow = std::size_t{64} * 1024;

Bytes untilNul(ByteReader& in, std::string_view field) {
    const Bytes rest = in.rest().first(std::min(in.rest().size(), kTextLimit + 1));
    const auto end = std::find(rest.begin(), rest.end(), std::uint8_t{0});
    if (end == rest.end()) {
        if (rest.size() <= kTextLimit) in.fail("truncated", std::string(field) + " has no end");
        in.fail("header-text", std::string(field) + " is longer than " + std::to_string(kTextLimit) + " bytes");
    }
    const Bytes text = in.bytes(static_cast<std::uint64_t>(end - rest.begin()), field);
    in.skip(1, field);
    return text;
}

std::uint32_t crcOf(std::uint32_t crc, Bytes bytes) {
    return static_cast<std::uint32_t>(crc32_z(crc, bytes.data(), bytes.size()));
}

/// What a walk through a member needs to know about its output.
struct Walk {
    std::uint64_t inflated = 0;
    std::uint32_t crc = 0;
};

/// Reports how the stream ended, and compares the trailer. Gives the offset behind the member.
std::uint64_t finish(ByteReader& in, Inflater::State state, const Inflater& inflater, const Walk& walk, bool recover,
                     Defects& defects) {
    const auto bad = [&](std::string_view kind, std::string detail) {
        const std::uint64_t at = in.offsetOf(in.size() - inflater.left());
        defects.refuse(in.defect(Severity::Error, kind, at, std::move(detail)), recover);
        return in.offsetOf(in.size());
    };
    const std::string so = ", " + std::to_string(walk.inflated) + " bytes unpacked so far";
    if (state == Inflater::State::Truncated) return bad("truncated", "the deflate stream ends early" + so);
    if (state == Inflater::State::Broken) return bad("deflate", inflater.message() + so);
    in.skip(in.left() - inflater.left(), "deflate stream");
    if (in.left() < kTrailer) return bad("truncated", "the trailer of 8 bytes ends early" + so);
    const std::uint64_t at = in.offset();
    const std::uint32_t crc = in.u32("CRC32");
    const std::uint32_t size = in.u32("ISIZE");
    if (crc != walk.crc) {
        defects.add(in.defect(Severity::Warning, "gzip-crc", at,
                              "CRC32 is " + hexId(crc) + ", the content has " + hexId(walk.crc)));
    }
    if (size != static_cast<std::uint32_t>(walk.inflated)) {
        defects.add(in.defect(
            Severity::Warning, "gzip-size", at + 4,
            "ISIZE is " + std::to_string(size) + ", the content has " + std::to_string(walk.inflated) + " bytes"));
    }
    return in.offset();
}

/// A member's deflate stream, its header behind it.
struct Stream {
    Stream(Bytes file, std::uint64_t offset, Defects& defects)
        : header(readHeader(file, offset, defects)),
          name(nameOf(header)),
          rest(file.subspan(static_cast<std::size_t>(offset + header.size))),
          in(rest, ByteOrder::Little, offset + header.size),
          inflater(rest, -MAX_WBITS) {
        in.name("member", name);
    }

    Header header;
    std::string name;
    Bytes rest;
    ByteReader in;  ///< of `rest`, for what is said of it
    Inflater inflater;
};

/// A first guess at what a member unpacks to: ISIZE of a file that is one member, where it can be true.
/// stored: bytes that the member has at most.
std::uint64_t guessedSize(Bytes file, std::uint64_t offset, std::uint64_t stored, std::uint64_t limit) {
    if (stored < kFixedHeader + kTrailer) return 1;
    const std::uint64_t highest = std::min(limit, stored * kDeflateRatio) + 1;
    if (offset + stored < file.size()) return std::min(stored * 3, highest);
    ByteReader in(file);
    in.at(file.size() - 4, "ISIZE");
    const std::uint64_t size = in.u32("ISIZE");
    // A size below the stored one is no ISIZE of this member (or the content did not shrink): start small.
    return std::min(size >= stored / 2 ? size + 1 : stored * 3, highest);
}

/// What members unpack into, one behind the other: the buffer's end is room that is filled already, so that many small
/// members do not fill it again and again.
struct Unpacking {
    ByteVector bytes;
    std::size_t used = 0;
};

/// Unpacks one member behind what is there already.
MemberInfo unpackInto(Bytes file, std::uint64_t offset, const ReadOptions& options, Unpacking& out, Defects& defects) {
    Stream stream(file, offset, defects);
    const std::size_t start = out.used;
    const std::uint64_t limit = options.maxMemory;
    Inflater::State state = Inflater::State::More;
    while (state == Inflater::State::More) {
        if (out.used == out.bytes.size()) {
            out.bytes.resize(
                static_cast<std::size_t>(std::min<std::uint64_t>(out.used + out.used / 2 + 4096, limit + 1)));
        }
        std::size_t wrote = 0;
        state = stream.inflater.fill(std::span(out.bytes).subspan(out.used), wrote);
        out.used += wrote;
        if (out.used > limit)
            stream.in.fail("memory-limit",
                           "unpacks to more than " + std::to_string(limit) + " bytes, the limit of --max-memory");
    }
    const Walk walk{out.used - start, crcOf(0, Bytes(out.bytes).subspan(start, out.used - start))};
    const std::uint64_t end = finish(stream.in, state, stream.inflater, walk, options.recover, defects);
    return {std::move(stream.name), offset, end - offset, walk.inflated};
}

}  // namespace

bool startsMember(Bytes bytes) noexcept {
    return bytes.size() >= kFixedHeader && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8 &&
           (bytes[3] & kReserved) == 0;
}

Header readHeader(Bytes file, std::uint64_t offset, Defects& defects) {
    ByteReader in(file.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(offset, file.size()))),
                  ByteOrder::Little, offset);
    in.name("gzip header", "");
    if (in.u8("magic") != 0x1f || in.u8("magic") != 0x8b) in.failAt("magic", offset, "no gzip member here");
    if (in.u8("method") != 8) in.failAt("magic", offset + 2, "the compression method is not deflate");
    Header header;
    header.flags = in.u8("flags");
    header.time = in.u32("time");
    header.extraFlags = in.u8("extra flags");
    header.system = in.u8("system");
    if ((header.flags & kExtra) != 0) header.extra = in.bytes(in.u16("length of the extra field"), "extra field");
    if (header.hasName()) header.rawName = untilNul(in, "name");
    if ((header.flags & kComment) != 0) header.comment = untilNul(in, "comment");
    if ((header.flags & kHeaderCrc) != 0) {
        const Bytes covered = in.all().first(static_cast<std::size_t>(in.position()));
        const std::uint64_t at = in.offset();
        if (in.u16("header CRC") != (crcOf(0, covered) & 0xffff)) {
            defects.add(in.defect(Severity::Warning, "gzip-header-crc", at, "the CRC of the header does not fit"));
        }
    }
    header.size = in.position();
    return header;
}

std::string nameOf(const Header& header) {
    const std::string_view raw = asText(header.rawName);
    return isUtf8(raw) ? std::string(raw) : utf8FromCp932(raw);
}

Unpacked unpack(Bytes file, std::uint64_t offset, const ReadOptions& options, Defects& defects, std::uint64_t stored) {
    Unpacking out;
    stored = std::min(stored, file.size() - std::min<std::uint64_t>(offset, file.size()));
    out.bytes.resize(static_cast<std::size_t>(guessedSize(file, offset, stored, options.maxMemory)));
    const MemberInfo info = unpackInto(file, offset, options, out, defects);
    out.bytes.resize(out.used);
    return {info, std::move(out.bytes)};
}

MemberInfo measure(Bytes file, std::uint64_t offset, Defects& defects) {
    Stream stream(file, offset, defects);
    ByteVector window(kWindow);
    Walk walk;
    Inflater::State state = Inflater::State::More;
    while (state == Inflater::State::More) {
        std::size_t wrote = 0;
        state = stream.inflater.fill(window, wrote);
        walk.inflated += wrote;
        walk.crc = crcOf(walk.crc, Bytes(window).first(wrote));
    }
    const std::uint64_t end = finish(stream.in, state, stream.inflater, walk, false, defects);
    return {std::move(stream.name), offset, end - offset, walk.inflated};
}

Unpacked unpackAll(Bytes file, const ReadOptions& options, Defects& defects) {
    Unpacking all;
    all.bytes.resize(static_cast<std::size_t>(guessedSize(file, 0, file.size(), options.maxMemory)));
    Unpacked out;
    out.info = unpackInto(file, 0, options, all, defects);
    while (startsMember(file.subspan(static_cast<std::size_t>(out.info.stored)))) {
        out.info.stored += unpackInto(file, out.info.stored, options, all, defects).stored;
    }
    all.bytes.resize(all.used);
    out.bytes = std::move(all.bytes);
    out.info.inflated = out.bytes.size();
    const Bytes rest = file.subspan(static_cast<std::size_t>(out.info.stored));
    const auto odd = std::find_if(rest.begin(), rest.end(), [](std::uint8_t b) { return b != 0; });
    if (odd != rest.end()) {
        defects.warn("trailing", out.info.stored + static_cast<std::uint64_t>(odd - rest.begin()), {},
                     std::to_string(rest.size()) + " bytes behind the gzip member are not part of it");
    }
    return out;
}

ByteVector pack(Bytes content, std::string_view name) {
    ByteWriter head;
    head.bytes(std::array<std::uint8_t, 4>{0x1f, 0x8b, 8, name.empty() ? std::uint8_t{0} : kName});
    head.u32(0);  // no time: the same content gives the same bytes
    head.u8(0);
    head.u8(3);
    if (!name.empty()) {
        head.text(name.substr(0, name.find('\0')));
        head.u8(0);
    }
    ByteVector out = head.finish();
    z_stream stream{};
    if (deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    ByteVector window(kWindow);
    Bytes rest = content;
    int result = Z_OK;
    while (result != Z_STREAM_END) {
        if (stream.avail_in == 0 && !rest.empty()) feedDeflate(stream, rest);
        stream.next_out = window.data();
        stream.avail_out = static_cast<uInt>(window.size());
        result = deflate(&stream, rest.empty() ? Z_FINISH : Z_NO_FLUSH);
        out.insert(out.end(), window.begin(), window.end() - stream.avail_out);
    }
    deflateEnd(&stream);
    ByteWriter tail;
    tail.u32(crcOf(0, content));
    tail.u32(static_cast<std::uint32_t>(content.size() & std::numeric_limits<std::uint32_t>::max()));
    const ByteVector trailer = tail.finish();
    out.insert(out.end(), trailer.begin(), trailer.end());
    return out;
}

}  // namespace geomconv::gzip
