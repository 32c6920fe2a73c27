#include "formats/z1/z1.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/byte_writer.hpp"
#include "lib/deflate/inflater.hpp"

namespace geomconv::z1 {

namespace {

constexpr std::uint64_t kHeader = 10;    ///< tag, unpacked size, Adler-32
constexpr std::uint64_t kSmallest = 16;  ///< header, zlib header, Adler-32
constexpr std::size_t kFirstPiece = std::size_t{1} << 16;

bool zlibHeader(Bytes bytes) noexcept {
    return bytes.size() >= 12 && (bytes[10] * 256 + bytes[11]) % 31 == 0 && (bytes[10] & 15) == 8;
}

/// The stream behind the header: zlib, or raw deflate where the zlib header is none.
struct Stream {
    std::uint64_t offset = kHeader;
    int windowBits = 15;
};

Stream streamOf(Bytes block) {
    return zlibHeader(block) ? Stream{} : Stream{kHeader + 2, -15};
}

[[noreturn]] void fail(const Origin& origin, std::string_view kind, std::uint64_t at, std::string detail) {
    throw FormatError({Severity::Error, std::string(kind), origin.offset + at, origin.where, std::move(detail)});
}

/// What a stream unpacks to, up to a limit, and where it stands then.
struct Inflated {
    ByteVector bytes;
    Inflater::State state = Inflater::State::More;
};

/// Inflates until the stream ends or `limit` bytes are there. Memory grows with what comes out, not with what is
/// claimed.
Inflated inflateUpTo(Inflater& in, std::uint64_t limit) {
    Inflated out;
    while (out.state == Inflater::State::More && out.bytes.size() < limit) {
        const std::size_t have = out.bytes.size();
        const std::uint64_t wanted = have == 0 ? kFirstPiece : 2 * std::uint64_t{have};
        out.bytes.resize(static_cast<std::size_t>(std::min(wanted, limit)));
        std::size_t wrote = 0;
        out.state = in.fill(std::span(out.bytes).subspan(have), wrote);
        out.bytes.resize(have + wrote);
    }
    return out;
}

std::uint32_t adlerOf(Bytes bytes) {
    return static_cast<std::uint32_t>(adler32_z(adler32_z(0, nullptr, 0), bytes.data(), bytes.size()));
}

}  // namespace

bool isBlock(Bytes bytes) noexcept {
    return bytes.size() >= kSmallest && bytes[0] == 'Z' && bytes[1] == '1' && zlibHeader(bytes);
}

bool isPartName(std::string_view fileName) noexcept {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const std::size_t n = fileName.size();
    return n > 4 && fileName[n - 4] == '.' && (fileName[n - 3] == 'p' || fileName[n - 3] == 'P') &&
           digit(fileName[n - 2]) && digit(fileName[n - 1]);
}

std::uint32_t declaredSize(Bytes block) {
    ByteReader in(block, ByteOrder::Big);
    in.skip(2, "tag");
    return in.u32("unpackedSize");
}

ByteVector unpack(Bytes block, std::uint64_t maxMemory, Defects& defects, const Origin& origin) {
    if (block.size() < kSmallest || block[0] != 'Z' || block[1] != '1') {
        fail(origin, "z1-data", 0, std::to_string(block.size()) + " bytes, no Z1 block");
    }
    ByteReader header(block, ByteOrder::Big, origin.offset);
    header.skip(2, "tag");
    const std::uint64_t declared = header.u32("unpackedSize");
    const std::uint32_t adler = header.u32("adler32");
    if (declared > maxMemory) {
        fail(origin, "z1-size", 2,
             std::to_string(declared) + " bytes unpacked, --max-memory allows " + std::to_string(maxMemory));
    }
    const Stream stream = streamOf(block);
    const Bytes packed = block.subspan(static_cast<std::size_t>(stream.offset));
    // One byte more than declared shows that a stream is too long.
    const std::uint64_t limit = std::min(declared, kDeflateRatio * packed.size()) + 1;
    Inflater in(packed, stream.windowBits);
    auto [out, state] = inflateUpTo(in, limit);
    const std::uint64_t at = block.size() - in.left();
    if (state == Inflater::State::Broken || state == Inflater::State::Truncated) {
        const std::string reason = state == Inflater::State::Broken ? in.message() : "the stream does not end";
        fail(origin, "z1-data", at, reason + ", " + std::to_string(out.size()) + " bytes unpacked so far");
    }
    if (state != Inflater::State::End || out.size() > declared) {
        fail(origin, "z1-data", at, "the stream is longer than the declared " + std::to_string(declared) + " bytes");
    }
    if (out.size() < declared) {
        defects.warn("z1-size-mismatch", origin.offset + 2, origin.where,
                     std::to_string(declared) + " bytes declared, " + std::to_string(out.size()) + " unpacked");
    }
    if (adlerOf(out) != adler) {
        defects.warn("z1-adler-mismatch", origin.offset + 6, origin.where,
                     "Adler-32 is " + hexId(adler) + ", the content has " + hexId(adlerOf(out)));
    }
    if (at < block.size()) {
        defects.warn("z1-trailing", origin.offset + at, origin.where,
                     std::to_string(block.size() - at) + " bytes behind the stream");
    }
    return std::move(out);
}

ByteVector peek(Bytes block, std::size_t n) {
    const Stream stream = streamOf(block);
    if (block.size() < kSmallest) return {};
    Inflater in(block.subspan(static_cast<std::size_t>(stream.offset)), stream.windowBits);
    return inflateUpTo(in, n).bytes;
}

ByteVector pack(Bytes content) {
    if (content.size() > UINT32_MAX) {
        throw FormatError("z1-size", std::to_string(content.size()) + " bytes do not fit a block");
    }
    ByteWriter out(ByteOrder::Big);
    out.text("Z1");
    out.u32(static_cast<std::uint32_t>(content.size()));
    out.u32(adlerOf(content));
    ByteVector block = out.finish();
    uLongf size = compressBound(static_cast<uLong>(content.size()));
    block.resize(static_cast<std::size_t>(kHeader + size));
    if (compress2(block.data() + kHeader, &size, content.data(), static_cast<uLong>(content.size()), 9) != Z_OK) {
        throw std::bad_alloc();
    }
    block.resize(static_cast<std::size_t>(kHeader + size));
    return block;
}

}  // namespace geomconv::z1
