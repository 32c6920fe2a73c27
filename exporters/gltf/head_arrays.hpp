#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporters/gltf/document.hpp"

// The arrays of the JSON that grow with the content, read item by item without a DOM. Texts have passed checkHead, so
// that every member has its type and what is required is there; indices and ranges are unchecked here, and numbers that
// are too large for a float are infinite. An empty text is an array without items.

namespace geomconv::gltf {

struct ViewItem {
    std::string name;
    std::uint32_t buffer = 0;
    std::uint64_t byteOffset = 0;
    std::uint64_t byteLength = 0;
    std::uint32_t byteStride = 0;
};
void readViews(std::string_view text, const std::function<void(const ViewItem&)>& take);

struct SparseItem {
    std::uint32_t count = 0;
    std::uint32_t indexView = 0;
    std::uint64_t indexOffset = 0;
    std::uint32_t indexType = 0;
    std::uint32_t valueView = 0;
    std::uint64_t valueOffset = 0;
};
struct AccessorItem {
    std::string name;
    std::optional<std::uint32_t> bufferView;
    std::uint64_t byteOffset = 0;
    std::uint32_t componentType = 0;
    std::string type;
    bool normalized = false;
    std::uint64_t count = 0;
    std::vector<double> min;
    std::vector<double> max;
    std::optional<SparseItem> sparse;
};
void readAccessors(std::string_view text, const std::function<void(AccessorItem&)>& take);

/// Attributes stand in the order of their names; a name that is there twice stays twice.
std::vector<MeshEntry> readMeshes(std::string_view text);

/// Without parents.
std::vector<NodeEntry> readNodes(std::string_view text);

struct AnimationItem {
    struct Channel {
        std::uint32_t sampler = 0;
        std::optional<std::uint32_t> node;
        std::string path;
    };
    struct Sampler {
        std::uint32_t input = 0;
        std::uint32_t output = 0;
        std::string interpolation;
    };
    std::string name;
    std::vector<Channel> channels;
    std::vector<Sampler> samplers;
    std::string extras;
};
void readAnimations(std::string_view text, const std::function<void(AnimationItem&)>& take);

}  // namespace geomconv::gltf
