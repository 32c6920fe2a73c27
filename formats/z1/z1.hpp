#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/defect.hpp"

/// Z1 blocks: one zlib stream behind its unpacked size and checksum. Layout: FORMAT.md.
namespace geomconv::z1 {

/// Where a block lies, for messages: its first byte in the outermost file, and the nesting.
struct Origin {
    std::uint64_t offset = 0;
    std::vector<Place> where = {};
};

/// Whether bytes are to be taken as a block: the tag, at least 16 bytes, and a sound zlib header at 10. Raw data may
/// begin with the same two letters.
bool isBlock(Bytes bytes) noexcept;
/// Whether a file name is that of a pack's data part: it ends .p and two digits.
bool isPartName(std::string_view fileName) noexcept;
/// The unpacked size that a block declares.
std::uint32_t declaredSize(Bytes block);

/// The unpacked bytes. Throws FormatError: z1-size (over maxMemory; nothing has been allocated then), z1-data (a stream
/// that fails, does not end, or is longer than declared). Warns: z1-size-mismatch, z1-adler-mismatch, z1-trailing.
ByteVector unpack(Bytes block, std::uint64_t maxMemory, Defects& defects, const Origin& origin = {});
/// The first n unpacked bytes, or as many as come out of a broken or shorter stream.
ByteVector peek(Bytes block, std::size_t n);
/// A block: level 9, header 78 DA. Throws FormatError (z1-size) for 4 GiB and more.
ByteVector pack(Bytes content);

}  // namespace geomconv::z1
