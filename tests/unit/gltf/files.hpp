#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "exporters/gltf/gltf.hpp"

namespace geomconv::test {

using nlohmann::json;

/// A .glb of a document and a BIN chunk; without bytes there is no BIN chunk.
ByteVector glbOf(const std::string& head, const ByteVector& bin);
ByteVector glbOf(const json& head, const ByteVector& bin);

template <class T>
void append(ByteVector& bytes, std::initializer_list<T> values) {
    for (const T value : values) {
        const auto* p = reinterpret_cast<const std::uint8_t*>(&value);
        bytes.insert(bytes.end(), p, p + sizeof value);
    }
}

/// One triangle, (0 0 0) (1 0 0) (0 1 0), with indices of 16 bits: bytes 0..35 are positions, 36..41 indices.
struct Triangle {
    json head;
    ByteVector bin;

    Triangle();
    /// A further accessor over bytes that are appended to the buffer; its number.
    std::size_t add(const ByteVector& bytes, int componentType, std::size_t count, const std::string& type,
                    bool normalized = false);
    json& primitive() { return head["meshes"][0]["primitives"][0]; }
    ByteVector glb() const;
};

/// What came of reading.
struct Outcome {
    Scene scene;
    Defects defects;
    std::optional<Defect> error;

    std::string errorText() const { return error ? toText(*error) : ""; }
};

/// Reads bytes as .glb or .gltf; files are what lies beside the input.
Outcome readBytes(const ByteVector& bytes, const std::map<std::string, ByteVector>& files = {});
Outcome readText(const std::string& text, const std::map<std::string, ByteVector>& files = {});

}  // namespace geomconv::test
