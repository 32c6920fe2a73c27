#include "exporters/gltf/format.hpp"

#include <algorithm>
#include <array>

#include "exporters/gltf/gltf.hpp"

namespace geomconv::gltf {

namespace {
constexpr std::array<std::string_view, 1> kGlbExtensions{".glb"};
constexpr std::array<std::string_view, 1> kGltfExtensions{".gltf"};
}  // namespace

Confidence probeGlb(Bytes bytes, std::string_view) noexcept {
    return asText(bytes).starts_with("glTF") ? Confidence::Certain : Confidence::No;
}

Confidence probeGltf(Bytes bytes, std::string_view name) noexcept {
    constexpr std::size_t kLook = 4096;
    std::string_view text = asText(bytes.first(std::min(bytes.size(), kLook)));
    const std::size_t start = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
    if (start == std::string_view::npos || text[start] != '{') return Confidence::No;
    // Scene JSON and dumps of ours begin with "geomconv"; a glTF with our extras has it further in.
    const std::size_t own = text.find("\"geomconv\"");
    const std::size_t asset = text.find("\"asset\"");
    if (asset != std::string_view::npos && asset < own) return Confidence::Likely;
    if (own != std::string_view::npos) return Confidence::No;
    const bool named = name.ends_with(".gltf") || name.ends_with(".GLTF");
    const bool members = text.find("\"bufferViews\"") != std::string_view::npos ||
                         text.find("\"accessors\"") != std::string_view::npos ||
                         text.find("\"buffers\"") != std::string_view::npos;
    return named || members ? Confidence::Maybe : Confidence::No;
}

const Format kGlb{.id = "glb",
                  .title = "glTF 2.0, binary",
                  .extensions = kGlbExtensions,
                  .role = Role::Interchange,
                  .probe = probeGlb,
                  .readScene = readGlb,
                  .writeScene = writeGlb,
                  .check = check,
                  .info = info};
const Format kGltf{.id = "gltf",
                   .title = "glTF 2.0, text",
                   .extensions = kGltfExtensions,
                   .role = Role::Interchange,
                   .probe = probeGltf,
                   .readScene = readGltf,
                   .writeScene = writeGltf,
                   .check = check,
                   .info = info};

}  // namespace geomconv::gltf
