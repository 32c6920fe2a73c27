#pragma once

#include "formats/ccsf/ccsf.hpp"

namespace geomconv::ccsf {

/// The setup chunks by object name (by kind where they name none), a name met before with "#2", "#3"; then "frames",
/// the frame section as one.
std::vector<Member> members(const Document& document);
/// A member's bytes, heads included. Throws FormatError (`no-member`).
/// Index in Document::chunks of the chunk that members() calls so. Throws FormatError (`no-member`).
std::size_t chunkNamed(const Document& document, std::string_view name);
ByteVector memberBytes(const Document& document, std::string_view name);

}  // namespace geomconv::ccsf
