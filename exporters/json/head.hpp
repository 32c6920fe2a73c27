#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lib/bytes/bytes.hpp"

namespace geomconv::json {

/// What the first members of a JSON of ours say.
struct JsonHead {
    std::optional<std::uint64_t> schema;  ///< of {"geomconv": {"schema": ...}}; absent: not one of ours
    std::string sourceFormat;             ///< of {"source": {"format": ...}}: a scene that was read from this format
    std::string document;                 ///< of {"document": ...}: the dump of a native document of this format

    bool isDump() const { return schema.has_value() && !document.empty(); }
};

/// The head of a JSON text, without reading further than needed: our files end the search after a few lines, one whose
/// members another program has put into another order is looked through. Never throws: what is broken ends the search.
JsonHead readHead(Bytes text) noexcept;

}  // namespace geomconv::json
