#include "exporters/gltf/format.hpp"

#include <array>

#include "exporters/gltf/gltf.hpp"

namespace geomconv::gltf {

namespace {
constexpr std::array<std::string_view, 1> kGlbExtensions{".glb"};
constexpr std::array<std::string_view, 1> kGltfExtensions{".gltf"};
}  // namespace

const Format kGlb{.id = "glb",
                  .title = "glTF 2.0, binary",
                  .extensions = kGlbExtensions,
                  .role = Role::Interchange,
                  .writeScene = writeGlb};
const Format kGltf{.id = "gltf",
                   .title = "glTF 2.0, text",
                   .extensions = kGltfExtensions,
                   .role = Role::Interchange,
                   .writeScene = writeGltf};

}  // namespace geomconv::gltf
