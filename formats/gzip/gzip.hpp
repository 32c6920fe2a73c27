#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/bytes/bytes.hpp"
#include "lib/defect.hpp"
#include "lib/format.hpp"

/// gzip members (RFC 1952) as the games of CyberConnect2 use them. Layout: FORMAT.md.
namespace geomconv::gzip {

/// What stands before a member's deflate stream.
struct Header {
    std::uint8_t flags = 0;
    std::uint32_t time = 0;  ///< MTIME, seconds since 1970, 0 unknown
    std::uint8_t extraFlags = 0;
    std::uint8_t system = 0;
    Bytes extra;             ///< FEXTRA
    Bytes rawName;           ///< FNAME without its NUL
    Bytes comment;           ///< FCOMMENT without its NUL
    std::uint64_t size = 0;  ///< bytes up to the deflate stream

    bool hasName() const noexcept { return (flags & 8) != 0; }
};

/// A member that was walked through.
struct MemberInfo {
    std::string name;            ///< FNAME as UTF-8; empty without one
    std::uint64_t offset = 0;    ///< of its first byte in the file
    std::uint64_t stored = 0;    ///< bytes from there, trailer included
    std::uint64_t inflated = 0;  ///< bytes it unpacks to
};

struct Unpacked {
    MemberInfo info;
    ByteVector bytes;
};

/// Whether bytes begin as a deflate-compressed gzip member: magic, method, no reserved flag.
bool startsMember(Bytes bytes) noexcept;

/// The header of the member at an offset of the file. Throws FormatError: `truncated`, `magic`, `header-text`; warns
/// `gzip-header-crc`.
Header readHeader(Bytes file, std::uint64_t offset, Defects& defects);
/// FNAME as UTF-8: as it is when it is UTF-8, else from code page 932.
std::string nameOf(const Header& header);

/// Unpacks the member at an offset. Throws FormatError: `truncated`, `deflate`, `memory-limit` as soon as more than
/// options.maxMemory bytes come out; with options.recover the first two are warnings and what came out is kept. A
/// CRC32 or ISIZE that does not fit is a warning (`gzip-crc`, `gzip-size`). stored: how many bytes it is thought to
/// have with its padding, for the first allocation.
Unpacked unpack(Bytes file, std::uint64_t offset, const ReadOptions& options, Defects& defects,
                std::uint64_t stored = UINT64_MAX);
/// Walks through the member without keeping what it unpacks to; the same errors, without the limit.
MemberInfo measure(Bytes file, std::uint64_t offset, Defects& defects);

/// All members that follow each other directly, one after the other in one piece, as RFC 1952 has it. Zeros behind the
/// last member are padding; anything else there is a warning (`trailing`).
Unpacked unpackAll(Bytes file, const ReadOptions& options, Defects& defects);

/// A member with FNAME (none when empty), no time stamp.
ByteVector pack(Bytes content, std::string_view name);

}  // namespace geomconv::gzip
