#include "tests/unit/gltf/files.hpp"

#include <gtest/gtest.h>

#include "lib/bytes/byte_writer.hpp"
#include "tests/support/check_scene.hpp"

namespace geomconv::test {

ByteVector glbOf(const std::string& head, const ByteVector& bin) {
    std::string text = head;
    text.resize((text.size() + 3) / 4 * 4, ' ');
    ByteWriter out;
    const std::uint64_t chunk = bin.empty() ? 0 : 8 + (bin.size() + 3) / 4 * 4;
    out.u32(gltf::kGlbMagic);
    out.u32(2);
    out.u32(20 + text.size() + chunk, "length");
    out.u32(text.size(), "chunk length");
    out.u32(gltf::kJsonChunk);
    out.text(text);
    if (!bin.empty()) {
        out.u32(chunk - 8, "chunk length");
        out.u32(gltf::kBinChunk);
        out.bytes(bin);
        out.align(4);
    }
    return out.finish();
}

ByteVector glbOf(const json& head, const ByteVector& bin) {
    return glbOf(head.dump(), bin);
}

Triangle::Triangle() {
    append<float>(bin, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    append<std::uint16_t>(bin, {0, 1, 2, 0});
    head = json::parse(R"({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "wing", "mesh": 0}],
        "meshes": [{"name": "wing mesh", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36, "target": 34962},
            {"buffer": 0, "byteOffset": 36, "byteLength": 6, "target": 34963}],
        "buffers": [{"byteLength": 44}]
    })");
}

std::size_t Triangle::add(const ByteVector& bytes, int componentType, std::size_t count, const std::string& type,
                          bool normalized) {
    head["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", bytes.size()}});
    json accessor{{"bufferView", head["bufferViews"].size() - 1},
                  {"componentType", componentType},
                  {"count", count},
                  {"type", type}};
    if (normalized) accessor["normalized"] = true;
    head["accessors"].push_back(accessor);
    bin.insert(bin.end(), bytes.begin(), bytes.end());
    while (bin.size() % 4 != 0) bin.push_back(0);
    head["buffers"][0]["byteLength"] = bin.size();
    return head["accessors"].size() - 1;
}

ByteVector Triangle::glb() const {
    return glbOf(head, bin);
}

Outcome readBytes(const ByteVector& bytes, const std::map<std::string, ByteVector>& files) {
    Outcome out;
    Input input;
    input.name = "folder/ship.glb";
    input.bytes = bytes;
    input.companions = [&files](std::string_view name) -> std::shared_ptr<const InputFile> {
        const auto found = files.find(std::string(name));
        return found == files.end() ? nullptr : InputFile::fromBytes(found->first, found->second);
    };
    try {
        out.scene = gltf::readGlb(input, {}, out.defects);
    } catch (const FormatError& e) {
        out.error = e.defect();
        return out;
    }
    for (const std::string& fault : sceneFaults(out.scene)) ADD_FAILURE() << "the scene is not sound: " << fault;
    return out;
}

Outcome readText(const std::string& text, const std::map<std::string, ByteVector>& files) {
    const Bytes bytes = asBytes(text);
    return readBytes(ByteVector(bytes.begin(), bytes.end()), files);
}

}  // namespace geomconv::test
