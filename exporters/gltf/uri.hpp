#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lib/bytes/bytes.hpp"

namespace geomconv::gltf {

bool isDataUri(std::string_view uri);
/// The bytes of a data URI of any MIME type, base64 or percent-encoded; nullopt when it is damaged.
std::optional<ByteVector> dataUriBytes(std::string_view uri);
/// "image/png" of "data:image/png;base64,...".
std::string_view dataUriMimeType(std::string_view uri);

/// The text with %XX replaced; nullopt where a % has no two hex digits behind it.
std::optional<std::string> percentDecoded(std::string_view uri);

/// Whether a file name stays within the input's folder: relative, no "..", no scheme, no drive.
bool staysInFolder(std::string_view fileName);

}  // namespace geomconv::gltf
