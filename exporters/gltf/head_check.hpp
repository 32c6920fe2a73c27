#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace geomconv::gltf {

/// The JSON of a file, cut so that tinygltf touches no buffer and no image.
struct CheckedHead {
    std::string json;          ///< without the values of buffers, images, cameras and the extensions at the top
    std::string_view buffers;  ///< text of the member, within the input; empty when there is none
    std::string_view images;

    struct Item {
        std::size_t index;
        std::string_view text;
    };
    /// Texts of the extras of nodes, meshes and so on, by the array's name, rising; in `json` they are hidden too.
    std::map<std::string, std::vector<Item>> extras;
};

/// Reads the JSON of a glTF file once and refuses what tinygltf would take without a word: tinygltf casts every integer
/// to 32 bits (view 4294967297 becomes view 1), reads a member of the wrong type as if it were absent (byteOffset "4"
/// becomes 0), and leaves out primitives, channels and joints that it cannot parse. So each member of each object is
/// checked against the types of the specification first: integers in range, arrays of their length, what is required
/// there. Members that no table names are passed over. Nesting is limited by JsonReader.
/// base: offset of the text in the input. Throws FormatError (`json`, `schema`) naming the JSON path.
CheckedHead checkHead(std::string_view text, std::uint64_t base);

}  // namespace geomconv::gltf
