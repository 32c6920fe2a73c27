#pragma once

#include "formats/ccsf/ccsf.hpp"

namespace geomconv::ccsf {

/// Header 0x0001, and its chunk. Throws FormatError: `truncated`, `magic`.
void readHeader(ByteReader& in, Document& document, Defects& defects);
/// Index 0x0002, and its chunk; counts are checked against the file before anything is allocated. Throws FormatError:
/// `no-index`, `truncated`.
void readIndex(ByteReader& in, Document& document, Defects& defects);

}  // namespace geomconv::ccsf
