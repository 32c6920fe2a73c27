#include "exporters/gltf/accessor_data.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace geomconv::gltf {

namespace {

/// Where elements lie. All of it was checked when the document was read.
struct Source {
    const std::uint8_t* data;  ///< null: zeros
    std::uint64_t stride;
    std::size_t width;
};

Source sourceOf(const Document& document, const Accessor& accessor) {
    const std::size_t width = componentCount(accessor.type);
    if (!accessor.view) return {nullptr, 0, width};
    const BufferView& view = document.views[*accessor.view];
    const std::uint8_t* data = document.buffers[view.buffer].bytes.data() + view.offset + accessor.offset;
    return {data, view.stride > 0 ? view.stride : width * componentSize(accessor.component), width};
}

template <class T>
T load(const std::uint8_t* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

template <class T>
float plain(T value) {
    return static_cast<float>(value);
}

/// Specification 3.11: c / max, for signed types not below -1.
template <class T>
float normalized(T value) {
    const float v = static_cast<float>(value) / static_cast<float>(std::numeric_limits<T>::max());
    return std::max(v, -1.0F);
}

template <class T, class Out, class Convert>
void gather(const Source& source, std::size_t count, std::span<const std::uint32_t> pick, Out* out,
            std::size_t outWidth, Convert convert) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* element = source.data + source.stride * (pick.empty() ? i : pick[i]);
        for (std::size_t c = 0; c < source.width; ++c)
            out[i * outWidth + c] = convert(load<T>(element + c * sizeof(T)));
    }
}

void gatherFloats(const Source& source, const Accessor& accessor, std::size_t count,
                  std::span<const std::uint32_t> pick, float* out, std::size_t outWidth) {
    const auto as = [&]<class T>(T) {
        if (accessor.normalized)
            gather<T>(source, count, pick, out, outWidth, normalized<T>);
        else
            gather<T>(source, count, pick, out, outWidth, plain<T>);
    };
    switch (accessor.component) {
        case ComponentType::Byte:
            return as(std::int8_t{});
        case ComponentType::UnsignedByte:
            return as(std::uint8_t{});
        case ComponentType::Short:
            return as(std::int16_t{});
        case ComponentType::UnsignedShort:
            return as(std::uint16_t{});
        case ComponentType::UnsignedInt:
            return as(std::uint32_t{});
        case ComponentType::Float:
            return gather<float>(source, count, pick, out, outWidth, plain<float>);
    }
}

void gatherWords(const Source& source, ComponentType type, std::size_t count, std::span<const std::uint32_t> pick,
                 std::uint32_t* out) {
    const auto same = [](auto v) { return static_cast<std::uint32_t>(v); };
    if (type == ComponentType::UnsignedByte) gather<std::uint8_t>(source, count, pick, out, source.width, same);
    if (type == ComponentType::UnsignedShort) gather<std::uint16_t>(source, count, pick, out, source.width, same);
    if (type == ComponentType::UnsignedInt) gather<std::uint32_t>(source, count, pick, out, source.width, same);
}

/// The elements that a sparse accessor replaces, rising.
std::vector<std::uint32_t> sparseIndices(const Document& document, std::uint32_t number, const Sparse& sparse) {
    const BufferView& view = document.views[sparse.indexView];
    const std::uint8_t* data = document.buffers[view.buffer].bytes.data() + view.offset + sparse.indexOffset;
    std::vector<std::uint32_t> indices(sparse.count);
    gatherWords({data, componentSize(sparse.indexType), 1}, sparse.indexType, sparse.count, {}, indices.data());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const bool rises = i == 0 || indices[i] > indices[i - 1];
        if (rises && indices[i] < document.accessors[number].count) continue;
        throw FormatError("sparse-index",
                          "sparse index " + std::to_string(i) + " is " + std::to_string(indices[i]) +
                              (rises ? ", the accessor has " + std::to_string(document.accessors[number].count)
                                     : ", not more than the one before"),
                          {{"accessor", std::to_string(number)}});
    }
    return indices;
}

Source sparseValues(const Document& document, const Accessor& accessor) {
    const BufferView& view = document.views[accessor.sparse->valueView];
    const std::size_t width = componentCount(accessor.type);
    return {document.buffers[view.buffer].bytes.data() + view.offset + accessor.sparse->valueOffset,
            width * componentSize(accessor.component), width};
}

/// Calls put(i, j) for element i of the output that sparse value j replaces.
template <class Put>
void replaceSparse(const Document& document, std::uint32_t number, std::span<const std::uint32_t> pick, Put put) {
    const Accessor& accessor = document.accessors[number];
    if (!accessor.sparse) return;
    const std::vector<std::uint32_t> indices = sparseIndices(document, number, *accessor.sparse);
    if (pick.empty()) {
        for (std::uint32_t j = 0; j < indices.size(); ++j) put(indices[j], j);
        return;
    }
    for (std::size_t i = 0; i < pick.size(); ++i) {
        const auto found = std::lower_bound(indices.begin(), indices.end(), pick[i]);
        if (found != indices.end() && *found == pick[i]) put(i, static_cast<std::uint32_t>(found - indices.begin()));
    }
}

}  // namespace

const std::uint8_t* packedFloats(const Document& document, const Accessor& accessor) {
    const Source source = sourceOf(document, accessor);
    const bool packed = accessor.component == ComponentType::Float && source.stride == source.width * sizeof(float);
    return packed && !accessor.sparse ? source.data : nullptr;
}

void readFloats(const Document& document, std::uint32_t number, std::span<const std::uint32_t> pick, float* out,
                std::size_t outWidth) {
    const Accessor& accessor = document.accessors[number];
    const Source source = sourceOf(document, accessor);
    const std::size_t count = pick.empty() ? static_cast<std::size_t>(accessor.count) : pick.size();
    const std::uint8_t* packed = packedFloats(document, accessor);
    if (packed != nullptr && pick.empty() && outWidth == source.width) {
        std::memcpy(out, packed, count * source.width * sizeof(float));
    } else if (source.data != nullptr) {
        gatherFloats(source, accessor, count, pick, out, outWidth);
    } else {
        for (std::size_t i = 0; i < count; ++i) std::fill_n(out + i * outWidth, source.width, 0.0F);
    }
    replaceSparse(document, number, pick, [&](std::size_t i, std::uint32_t j) {
        gatherFloats(sparseValues(document, accessor), accessor, 1, {&j, 1}, out + i * outWidth, outWidth);
    });
}

void readWords(const Document& document, std::uint32_t number, std::span<const std::uint32_t> pick,
               std::uint32_t* out) {
    const Accessor& accessor = document.accessors[number];
    const Source source = sourceOf(document, accessor);
    const std::size_t count = pick.empty() ? static_cast<std::size_t>(accessor.count) : pick.size();
    const bool packed = accessor.component == ComponentType::UnsignedInt && source.stride == source.width * 4;
    if (source.data == nullptr)
        std::fill_n(out, count * source.width, 0U);
    else if (packed && pick.empty())
        std::memcpy(out, source.data, count * source.width * 4);
    else
        gatherWords(source, accessor.component, count, pick, out);
    replaceSparse(document, number, pick, [&](std::size_t i, std::uint32_t j) {
        gatherWords(sparseValues(document, accessor), accessor.component, 1, {&j, 1}, out + i * source.width);
    });
}

void readBlock(const Document& document, const Accessor& accessor, std::uint64_t first, std::size_t n, float* out) {
    Source source = sourceOf(document, accessor);
    if (source.data == nullptr) {
        std::fill_n(out, n * source.width, 0.0F);
        return;
    }
    source.data += first * source.stride;
    if (packedFloats(document, accessor) != nullptr) {
        std::memcpy(out, source.data, n * source.width * sizeof(float));
        return;
    }
    Accessor plainNumbers = accessor;
    plainNumbers.normalized = false;
    gatherFloats(source, plainNumbers, n, {}, out, source.width);
}

void readBlock(const Document& document, const Accessor& accessor, std::uint64_t first, std::size_t n,
               std::uint32_t* out) {
    Source source = sourceOf(document, accessor);
    if (source.data == nullptr) {
        std::fill_n(out, n * source.width, 0U);
        return;
    }
    source.data += first * source.stride;
    if (accessor.component == ComponentType::UnsignedInt && source.stride == source.width * 4) {
        std::memcpy(out, source.data, n * source.width * 4);
    } else {
        gatherWords(source, accessor.component, n, {}, out);
    }
}

}  // namespace geomconv::gltf
