#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv {

/// What kind of image the bytes are, by their first ones: "image/png", "image/jpeg", "image/bmp", "image/gif",
/// "image/webp", "image/vnd-ms.dds", "image/ktx2"; empty when not known.
std::string_view imageMimeType(Bytes file);
/// The same by a file name's extension; "application/octet-stream" when not known.
std::string_view imageMimeTypeOfName(std::string_view fileName);
/// The extension for a MIME type, with dot: ".png"; ".bin" for unknown ones.
std::string_view imageExtension(std::string_view mimeType);

/// Whether there are bytes or pixels to write, rather than only the place of a file that was not read.
bool imageHasContent(const Image& image);

/// A file name for each image that lies beside an output: STEM_NAME.ext (just NAME.ext where the name begins with the
/// stem already), safe on every system and unique even where case does not count. An image that was named but not read
/// keeps its place.
std::vector<std::string> imageFileNames(const std::vector<Image>& images, std::string_view stem);

/// A file name from any text: characters that some system forbids become _.
std::string safeFileName(std::string_view text);

}  // namespace geomconv
