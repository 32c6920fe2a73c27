#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace geomconv::gltf {

/// The JSON of a file, cut in two: what grows with the content, and the rest.
struct CheckedHead {
    /// What tinygltf reads: the rest, with 0 for the arrays below, cameras, the extensions at the top and all extras of
    /// items.
    std::string json;

    // Texts of the arrays that it does not, within the input; empty when there is none.
    std::string_view accessors;
    std::string_view animations;
    std::string_view buffers;
    std::string_view bufferViews;
    std::string_view images;
    std::string_view meshes;
    std::string_view nodes;

    struct Item {
        std::size_t index;
        std::string_view text;
    };
    std::vector<Item> materialExtras;  ///< rising
};

/// Reads the JSON of a glTF file once and refuses what tinygltf would take without a word: tinygltf casts every integer
/// to 32 bits (view 4294967297 becomes view 1), reads a member of the wrong type as if it were absent (byteOffset "4"
/// becomes 0), and leaves out primitives, channels and joints that it cannot parse. So each member of each object is
/// checked against the types of the specification first: integers in range, arrays of their length, what is required
/// there. Members that no table names are passed over. Nesting is limited by JsonReader.
/// base: offset of the text in the input. Throws FormatError (`json`, `schema`) naming the JSON path.
CheckedHead checkHead(std::string_view text, std::uint64_t base);

}  // namespace geomconv::gltf
