#pragma once

#include "exporters/gltf/plan.hpp"
#include "lib/json.hpp"

namespace geomconv::gltf {

/// Where the bytes of a plan end up.
struct Storage {
    std::string bufferUri;               ///< of the one buffer; empty: the BIN chunk of a GLB
    bool dataUri = false;                ///< the buffer is written into the text, base64, instead of bufferUri
    std::vector<std::string> imageUris;  ///< one per image; empty: the image is a buffer view
};

/// Order of all buffer views in the buffer: kinds, then images. Offsets are multiples of four.
struct BufferLayout {
    std::array<std::uint64_t, kViewKinds> views{};  ///< offsets; only views with a size are in the file
    std::vector<std::uint64_t> images;              ///< offsets; those with a URI of their own have none
    std::uint64_t size = 0;
};
BufferLayout layOut(const Plan& plan, const Storage& storage);

/// Writes all bytes of the buffer in the order of the layout.
void writeBuffer(Sink& out, const Plan& plan, const Storage& storage, const BufferLayout& layout);

/// The JSON of the file, streamed: nlohmann's DOM, which tinygltf writes through, needs 0.33 s and 240 MB for the 15 MB
/// head of a library of 30,000 hulls (measured), where the whole conversion may take 0.25 s; and it writes each
/// float as a double. So tinygltf serves the reader only.
void writeHead(Sink& out, const Plan& plan, const Storage& storage, const BufferLayout& layout, JsonLayout style);

/// A file name as a URI: every byte that is no letter, digit or one of -._~/ becomes %XX.
std::string percentEncoded(std::string_view fileName);

}  // namespace geomconv::gltf
