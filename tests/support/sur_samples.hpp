#pragma once

#include "lib/bytes/byte_writer.hpp"

namespace geomconv::test {

/// A whole .sur written out word by word: one part of id 0x12688F2D ("Root") with !fxd, exts, surf and hpid; two flat
/// hulls (ids 0x12688F2D and 0xF00FB9DE), a wrap hull over the first on the root, three points each.
///
/// Places in the file: part 8, chunk count 12, surf size 52, surf block 56; in the block: hulls at 48, 96 and 144,
/// points at 192, nodes at 288, end at 372; count of hpid at 432.
ByteVector smallSur();

inline constexpr std::size_t kSmallSurBlock = 56;

}  // namespace geomconv::test
