#include "exporters/gltf/document.hpp"

#include <fstream>  // tiny_gltf.h wants it even without file functions

// The one place that knows tinygltf. It parses JSON and nothing else here: no image library, no file is opened.
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define TINYGLTF_NO_FS
#include <tiny_gltf.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "exporters/gltf/head_check.hpp"
#include "exporters/gltf/uri.hpp"
#include "lib/bytes/text.hpp"
#include "lib/image/image_files.hpp"
#include "lib/json_reader.hpp"

namespace geomconv::gltf {

namespace {

using Where = std::vector<Place>;

[[noreturn]] void fail(std::string_view kind, Where where, std::string detail) {
    throw FormatError(kind, std::move(detail), std::move(where));
}

Place place(std::string_view noun, std::size_t number, const std::string& name = {}) {
    return {std::string(noun), std::to_string(number), printable(name)};
}

/// tinygltf writes -1 for what is absent; negative numbers of the file did not pass checkHead.
std::optional<std::uint32_t> index(int value, std::size_t count, std::string_view what, const Where& where) {
    if (value < 0) return std::nullopt;
    if (static_cast<std::size_t>(value) < count) return static_cast<std::uint32_t>(value);
    fail("index-range", where,
         std::string(what) + " " + std::to_string(value) + ", there are " + std::to_string(count));
}

std::uint32_t needed(int value, std::size_t count, std::string_view what, const Where& where) {
    const auto found = index(value, count, what, where);
    if (!found) fail("schema", where, std::string(what) + " is missing");
    return *found;
}

std::vector<std::uint32_t> indices(const std::vector<int>& values, std::size_t count, std::string_view what,
                                   const Where& where) {
    std::vector<std::uint32_t> out;
    out.reserve(values.size());
    for (const int value : values) out.push_back(needed(value, count, what, where));
    return out;
}

float finite(double value, std::string_view what, const Where& where) {
    const auto out = static_cast<float>(value);
    if (!std::isfinite(out)) fail("nonfinite", where, std::string(what) + " is beyond what a float can hold");
    return out;
}

template <class V>
V vector(const std::vector<double>& values, V otherwise, std::string_view what, const Where& where) {
    if (values.size() != static_cast<std::size_t>(V::length())) return otherwise;
    V out;
    for (glm::length_t i = 0; i < V::length(); ++i) out[i] = finite(values[static_cast<std::size_t>(i)], what, where);
    return out;
}

std::vector<float> floats(const std::vector<double>& values, std::string_view what, const Where& where) {
    std::vector<float> out;
    out.reserve(values.size());
    for (const double value : values) out.push_back(finite(value, what, where));
    return out;
}

// ---------------------------------------------------------------------------------------------------- tinygltf

tinygltf::Model parse(const std::string& json, std::uint64_t offset) {
    if (json.size() > 0xFFFFFFFF) fail("json", {}, "more than 4 GiB of JSON");
    tinygltf::TinyGLTF parser;
    tinygltf::FsCallbacks nothing;
    nothing.FileExists = [](const std::string&, void*) { return false; };
    nothing.ExpandFilePath = [](const std::string& path, void*) { return path; };
    nothing.ReadWholeFile = [](std::vector<unsigned char>*, std::string*, const std::string&, void*) { return false; };
    nothing.WriteWholeFile = [](std::string*, const std::string&, const std::vector<unsigned char>&, void*) {
        return false;
    };
    nothing.user_data = nullptr;
    parser.SetFsCallbacks(nothing);
    parser.SetImageLoader([](tinygltf::Image*, const int, std::string*, std::string*, int, int, const unsigned char*,
                             int, void*) { return true; },
                          nullptr);
    tinygltf::Model model;
    std::string error;
    std::string warning;
    const bool ok = parser.LoadASCIIFromString(&model, &error, &warning, json.data(),
                                               static_cast<unsigned int>(json.size()), "", tinygltf::NO_REQUIRE);
    if (ok) return model;
    while (!error.empty() && error.back() == '\n') error.pop_back();
    throw FormatError({Severity::Error, "schema", offset, {}, "tinygltf: " + printable(error)});
}

// ---------------------------------------------------------------------------------------------------- the document

class DocumentReader {
public:
    DocumentReader(const Input& input, Defects& defects) : input_(input), defects_(defects) {}

    Document read() {
        container_ = openContainer(input_.bytes, defects_);
        const CheckedHead head = checkHead(asText(container_.json), container_.jsonOffset);
        const tinygltf::Model model = parse(head.json, container_.jsonOffset);
        asset(model);
        extensions(model);
        buffers(head.buffers);
        for (const tinygltf::BufferView& view : model.bufferViews) bufferView(view);
        for (const tinygltf::Accessor& accessor : model.accessors) this->accessor(accessor);
        images(head.images);
        for (const tinygltf::Texture& texture : model.textures) this->texture(model, texture);
        for (const tinygltf::Material& material : model.materials) this->material(material);
        for (const tinygltf::Mesh& mesh : model.meshes) this->mesh(mesh);
        nodes(model);
        for (const tinygltf::Skin& skin : model.skins) this->skin(skin);
        for (const tinygltf::Animation& animation : model.animations) this->animation(animation);
        scenes(model);
        extras(head);
        return std::move(out_);
    }

private:
    void extras(const CheckedHead& head) {
        const auto give = [&head](const char* array, auto take) {
            const auto found = head.extras.find(array);
            if (found == head.extras.end()) return;
            for (const CheckedHead::Item& item : found->second) take(item.index, compactJson(item.text));
        };
        give("nodes", [this](std::size_t i, std::string text) { out_.nodes[i].extras = std::move(text); });
        give("meshes", [this](std::size_t i, std::string text) { out_.meshes[i].extras = std::move(text); });
        give("animations", [this](std::size_t i, std::string text) { out_.animations[i].extras = std::move(text); });
        give("materials", [this](std::size_t i, std::string text) {
            out_.materials[i].look.extras = Extras::fromText(std::move(text));
        });
    }

    void asset(const tinygltf::Model& model) {
        const std::string& version = model.asset.version;
        if (!version.starts_with("2."))
            fail("version", {{"/asset/version", ""}}, "glTF " + printable(version) + ", only 2 can be read");
        const std::string& least = model.asset.minVersion;
        if (!least.empty() && least != "2.0") {
            fail("version", {{"/asset/minVersion", ""}}, "needs a reader of glTF " + printable(least));
        }
        out_.generator = model.asset.generator;
    }

    void extensions(const tinygltf::Model& model) {
        for (const std::string& name : model.extensionsRequired) {
            if (!isSupportedExtension(name)) {
                fail("extension", {{"/extensionsRequired", ""}},
                     "the file needs " + printable(name) + ", which cannot be read");
            }
        }
        out_.extensionsUsed = model.extensionsUsed;
        for (const std::string& name : model.extensionsUsed) out_.quantized |= name == "KHR_mesh_quantization";
    }

    // ------------------------------------------------------------------------------------------ buffers and images

    /// Strings of any length without a copy: the text between the quotes, or in `decoded` when it has escapes.
    static std::string_view textOf(JsonReader& in, std::string& decoded) {
        const std::string_view raw = in.raw();
        const std::string_view inner = raw.substr(1, raw.size() - 2);
        if (inner.find('\\') == std::string_view::npos) return inner;
        decoded = JsonReader(raw).text();
        return decoded;
    }

    struct Entry {
        std::string name;
        std::string mimeType;
        std::optional<std::string_view> uri;
        std::string decodedUri;
        std::uint64_t byteLength = 0;
        std::optional<std::uint32_t> view;
    };

    template <class Each>
    void entries(std::string_view text, Each each) {
        if (text.empty()) return;
        JsonReader in(text);
        in.beginArray();
        for (std::size_t number = 0; in.nextItem(); ++number) {
            Entry entry;
            in.beginObject();
            for (std::string key; in.nextKey(key);) {
                if (key == "name")
                    entry.name = in.text();
                else if (key == "mimeType")
                    entry.mimeType = in.text();
                else if (key == "uri")
                    entry.uri = textOf(in, entry.decodedUri);
                else if (key == "byteLength")
                    entry.byteLength = in.unsignedInteger();
                else if (key == "bufferView")
                    entry.view = in.unsigned32();
                else
                    in.skip();
            }
            each(number, entry);
        }
    }

    void buffers(std::string_view text) {
        entries(text, [this](std::size_t number, const Entry& entry) { buffer(number, entry); });
    }

    void buffer(std::size_t number, const Entry& entry) {
        const Where where{place("buffer", number, entry.name)};
        Buffer made;
        made.name = entry.name;
        if (!entry.uri) {
            if (number != 0 || !container_.bin)
                fail("missing-file", where, "there is neither a URI nor a BIN chunk for it");
            made.bytes = *container_.bin;
            made.offset = container_.binOffset;
        } else {
            made.file = fileOf(*entry.uri, where);
            if (!made.file) fail("missing-file", where, shown(*entry.uri) + " is not there");
            made.bytes = made.file->bytes();
        }
        if (entry.byteLength > made.bytes.size()) {
            fail("truncated", where,
                 "byteLength " + std::to_string(entry.byteLength) + ", " + std::to_string(made.bytes.size()) +
                     " bytes are there");
        }
        made.bytes = made.bytes.first(static_cast<std::size_t>(entry.byteLength));
        out_.buffers.push_back(std::move(made));
    }

    static std::string shown(std::string_view uri) { return printable(uri.substr(0, 100)); }

    /// A file beside the input, or the content of a data URI. Null when there is none.
    std::shared_ptr<const InputFile> fileOf(std::string_view uri, const Where& where) {
        if (isDataUri(uri)) {
            auto bytes = dataUriBytes(uri);
            if (!bytes) fail("data-uri", where, "the data URI is damaged");
            return InputFile::fromBytes("data URI", std::move(*bytes));
        }
        // Exporters write names percent-encoded, as the specification wants, or as they are.
        const auto decoded = percentDecoded(uri);
        if (!staysInFolder(uri) || (decoded && !staysInFolder(*decoded))) {
            fail("uri", where, shown(uri) + " is no file beside the input");
        }
        if (!input_.companions) return nullptr;
        if (decoded) {
            if (auto file = input_.companions(*decoded)) return file;
        }
        return input_.companions(uri);
    }

    void images(std::string_view text) {
        entries(text, [this](std::size_t number, const Entry& entry) { image(number, entry); });
    }

    void image(std::size_t number, const Entry& entry) {
        const Where where{place("image", number, entry.name)};
        ImageEntry made;
        made.name = entry.name;
        made.mimeType = entry.mimeType;
        if (entry.view) {
            const BufferView& view =
                out_.views[needed(static_cast<int>(*entry.view), out_.views.size(), "bufferView", where)];
            made.bytes = out_.buffers[view.buffer].bytes.subspan(view.offset, view.length);
        } else if (entry.uri) {
            externalImage(made, *entry.uri, where);
        }
        if (const std::string_view type = imageMimeType(made.bytes); !type.empty()) made.mimeType = type;
        out_.images.push_back(std::move(made));
    }

    /// What an image cannot give is no reason to refuse the meshes.
    void externalImage(ImageEntry& made, std::string_view uri, const Where& where) {
        try {
            made.file = fileOf(uri, where);
        } catch (const FormatError& e) {
            defects_.warn(e.defect().kind, std::nullopt, where, e.defect().detail + ", the image is left out");
            return;
        }
        if (isDataUri(uri)) {
            if (made.mimeType.empty()) made.mimeType = dataUriMimeType(uri);
        } else {
            made.uri = percentDecoded(uri).value_or(std::string(uri));
            if (made.name.empty()) made.name = stemOf(made.uri);
            if (!made.file) defects_.warn("missing-file", std::nullopt, where, shown(uri) + " is not there");
        }
        if (made.file) made.bytes = made.file->bytes();
    }

    static std::string stemOf(const std::string& fileName) {
        const std::string name(fileNameOf(fileName));
        const std::size_t dot = name.find_last_of('.');
        return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
    }

    // ------------------------------------------------------------------------------------------ views and accessors

    void bufferView(const tinygltf::BufferView& source) {
        const Where where{place("bufferView", out_.views.size(), source.name)};
        BufferView made;
        made.buffer = needed(source.buffer, out_.buffers.size(), "buffer", where);
        made.offset = source.byteOffset;
        made.length = source.byteLength;
        made.stride = static_cast<std::uint32_t>(source.byteStride);
        const std::uint64_t size = out_.buffers[made.buffer].bytes.size();
        if (made.offset > size || made.length > size - made.offset) {
            fail("view-range", where,
                 "bytes " + std::to_string(made.offset) + " + " + std::to_string(made.length) + ", buffer " +
                     std::to_string(made.buffer) + " has " + std::to_string(size));
        }
        out_.views.push_back(made);
    }

    static ComponentType componentType(int code, const Where& where) {
        const bool known = code >= 5120 && code <= 5126 && code != 5124;
        if (!known) fail("component-type", where, "componentType " + std::to_string(code) + " is not known");
        return static_cast<ComponentType>(code);
    }

    static ElementType elementType(int type) {
        switch (type) {
            case TINYGLTF_TYPE_VEC2:
                return ElementType::Vec2;
            case TINYGLTF_TYPE_VEC3:
                return ElementType::Vec3;
            case TINYGLTF_TYPE_VEC4:
                return ElementType::Vec4;
            case TINYGLTF_TYPE_MAT2:
                return ElementType::Mat2;
            case TINYGLTF_TYPE_MAT3:
                return ElementType::Mat3;
            case TINYGLTF_TYPE_MAT4:
                return ElementType::Mat4;
            default:
                return ElementType::Scalar;
        }
    }

    void accessor(const tinygltf::Accessor& source) {
        const Where where{place("accessor", out_.accessors.size(), source.name)};
        Accessor made;
        made.view = index(source.bufferView, out_.views.size(), "bufferView", where);
        made.offset = source.byteOffset;
        made.component = componentType(source.componentType, where);
        made.type = elementType(source.type);
        made.normalized = source.normalized;
        made.count = source.count;
        made.low = source.minValues;
        made.high = source.maxValues;
        if (made.count == 0) fail("count", where, "count is 0, the least is 1");
        const std::size_t width = componentCount(made.type);
        for (const auto* limits : {&made.low, &made.high}) {
            if (!limits->empty() && limits->size() != width) {
                fail("schema", where,
                     "min or max of " + std::to_string(limits->size()) + " numbers for " +
                         std::string(elementTypeName(made.type)));
            }
        }
        if (made.view)
            checkArray(made, where);
        else
            checkZeros(made, where);
        if (source.sparse.isSparse) sparse(made, source, where);
        out_.accessors.push_back(std::move(made));
    }

    /// count elements of a stride from offset must lie in the view, aligned to their components.
    void checkArray(const Accessor& accessor, const Where& where) const {
        const BufferView& view = out_.views[*accessor.view];
        const std::uint64_t size = elementSize(accessor);
        const std::uint64_t stride = view.stride > 0 ? view.stride : size;
        if (stride < size) {
            fail("stride", where,
                 "byteStride " + std::to_string(stride) + " is less than an element of " + std::to_string(size));
        }
        checkAlignment(view.offset, accessor.offset, accessor.component, where);
        if (stride % componentSize(accessor.component) != 0) {
            fail("alignment", where,
                 "byteStride " + std::to_string(stride) + " is no multiple of the component's size");
        }
        const bool fits = accessor.offset <= view.length && size <= view.length - accessor.offset &&
                          (accessor.count - 1) <= (view.length - accessor.offset - size) / stride;
        if (!fits) outOfView(accessor.offset, accessor.count, stride, *accessor.view, where);
    }

    [[noreturn]] void outOfView(std::uint64_t offset, std::uint64_t count, std::uint64_t stride, std::uint32_t view,
                                const Where& where) const {
        fail("accessor-range", where,
             "count " + std::to_string(count) + " of stride " + std::to_string(stride) + " from byte " +
                 std::to_string(offset) + " does not fit into bufferView " + std::to_string(view) + " of " +
                 std::to_string(out_.views[view].length) + " bytes");
    }

    static void checkAlignment(std::uint64_t view, std::uint64_t offset, ComponentType type, const Where& where) {
        const std::uint64_t size = componentSize(type);
        if (offset % size == 0 && (view + offset) % size == 0) return;
        fail("alignment", where,
             "byte " + std::to_string(view + offset) + " of the buffer is no multiple of " + std::to_string(size));
    }

    /// Matrices of small components have padded columns (specification, 3.6.2.4).
    static std::uint64_t elementSize(const Accessor& accessor) {
        const std::uint64_t component = componentSize(accessor.component);
        const auto padded = [component](std::uint64_t rows) { return rows * ((rows * component + 3) / 4 * 4); };
        if (accessor.type == ElementType::Mat2) return padded(2);
        if (accessor.type == ElementType::Mat3) return padded(3);
        return component * componentCount(accessor.type);
    }

    /// Zeros cost no bytes of the file, so nothing but this bounds their number.
    void checkZeros(const Accessor& accessor, const Where& where) const {
        std::uint64_t bytes = container_.json.size();
        for (const Buffer& buffer : out_.buffers) bytes += buffer.bytes.size();
        if (accessor.count <= bytes) return;
        fail("count", where,
             "count " + std::to_string(accessor.count) + " without a bufferView, in a file of " +
                 std::to_string(bytes) + " bytes");
    }

    void sparse(Accessor& made, const tinygltf::Accessor& source, const Where& where) const {
        Sparse sparse;
        sparse.count = static_cast<std::uint32_t>(source.sparse.count);
        sparse.indexView = needed(source.sparse.indices.bufferView, out_.views.size(), "sparse bufferView", where);
        sparse.indexOffset = static_cast<std::uint64_t>(source.sparse.indices.byteOffset);
        sparse.indexType = componentType(source.sparse.indices.componentType, where);
        sparse.valueView = needed(source.sparse.values.bufferView, out_.views.size(), "sparse bufferView", where);
        sparse.valueOffset = static_cast<std::uint64_t>(source.sparse.values.byteOffset);
        const bool isIndex = sparse.indexType == ComponentType::UnsignedByte ||
                             sparse.indexType == ComponentType::UnsignedShort ||
                             sparse.indexType == ComponentType::UnsignedInt;
        if (!isIndex) fail("component-type", where, "sparse indices are not unsigned");
        if (sparse.count == 0 || sparse.count > made.count) {
            fail("count", where,
                 "sparse count " + std::to_string(sparse.count) + ", the accessor has " + std::to_string(made.count));
        }
        checkPacked(sparse.indexView, sparse.indexOffset, sparse.count, componentSize(sparse.indexType), where);
        checkPacked(sparse.valueView, sparse.valueOffset, sparse.count, elementSize(made), where);
        checkAlignment(out_.views[sparse.indexView].offset, sparse.indexOffset, sparse.indexType, where);
        checkAlignment(out_.views[sparse.valueView].offset, sparse.valueOffset, made.component, where);
        made.sparse = sparse;
    }

    void checkPacked(std::uint32_t view, std::uint64_t offset, std::uint64_t count, std::uint64_t size,
                     const Where& where) const {
        const std::uint64_t length = out_.views[view].length;
        if (offset <= length && count <= (length - offset) / size) return;
        outOfView(offset, count, size, view, where);
    }

    // ------------------------------------------------------------------------------------------ looks

    void texture(const tinygltf::Model& model, const tinygltf::Texture& source) {
        const Where where{place("texture", out_.textures.size(), source.name)};
        TextureEntry made;
        made.image = index(source.source, out_.images.size(), "source", where);
        if (const auto sampler = index(source.sampler, model.samplers.size(), "sampler", where)) {
            const tinygltf::Sampler& from = model.samplers[*sampler];
            made.wrapU = wrap(from.wrapS);
            made.wrapV = wrap(from.wrapT);
            if (from.magFilter == TINYGLTF_TEXTURE_FILTER_NEAREST) made.filter = Filter::Nearest;
            if (from.magFilter == TINYGLTF_TEXTURE_FILTER_LINEAR) made.filter = Filter::Linear;
        }
        out_.textures.push_back(made);
    }

    static Wrap wrap(int code) {
        if (code == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE) return Wrap::Clamp;
        return code == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT ? Wrap::Mirror : Wrap::Repeat;
    }

    void material(const tinygltf::Material& source) {
        const Where where{place("material", out_.materials.size(), source.name)};
        const auto texture = [&](int number) { return index(number, out_.textures.size(), "texture", where); };
        const auto& pbr = source.pbrMetallicRoughness;
        MaterialEntry made;
        made.texture = texture(pbr.baseColorTexture.index);
        made.texCoord = static_cast<std::uint32_t>(std::max(pbr.baseColorTexture.texCoord, 0));
        made.textureTransform = made.texture && pbr.baseColorTexture.extensions.contains("KHR_texture_transform");
        const std::array others{texture(pbr.metallicRoughnessTexture.index), texture(source.normalTexture.index),
                                texture(source.occlusionTexture.index), texture(source.emissiveTexture.index)};
        made.otherMaps = std::any_of(others.begin(), others.end(), [](auto& t) { return t.has_value(); });
        Material& look = made.look;
        look.name = source.name;
        look.baseColor = vector(pbr.baseColorFactor, look.baseColor, "baseColorFactor", where);
        look.metallic = finite(pbr.metallicFactor, "metallicFactor", where);
        look.roughness = finite(pbr.roughnessFactor, "roughnessFactor", where);
        look.emissive = vector(source.emissiveFactor, look.emissive, "emissiveFactor", where);
        if (source.alphaMode == "MASK") look.alphaMode = AlphaMode::Mask;
        if (source.alphaMode == "BLEND") look.alphaMode = AlphaMode::Blend;
        look.alphaCutoff = finite(source.alphaCutoff, "alphaCutoff", where);
        look.doubleSided = source.doubleSided;
        look.unlit = source.extensions.contains("KHR_materials_unlit");
        out_.materials.push_back(std::move(made));
    }

    // ------------------------------------------------------------------------------------------ meshes

    AttributeList attributes(const std::map<std::string, int>& source, const Where& where) const {
        AttributeList made;
        for (const auto& [name, accessor] : source) {
            made.emplace_back(name, needed(accessor, out_.accessors.size(), printable(name) + ": accessor", where));
        }
        return made;
    }

    void mesh(const tinygltf::Mesh& source) {
        MeshEntry made;
        made.name = source.name;
        const Place self = place("mesh", out_.meshes.size(), source.name);
        for (const tinygltf::Primitive& primitive : source.primitives) {
            const Where where{place("primitive", made.primitives.size()), self};
            PrimitiveEntry entry;
            if (primitive.mode < 0 || primitive.mode > 6) {
                fail("mode", where, "mode " + std::to_string(primitive.mode) + " is not known");
            }
            entry.mode = static_cast<std::uint32_t>(primitive.mode);
            entry.attributes = attributes(primitive.attributes, where);
            entry.indices = index(primitive.indices, out_.accessors.size(), "indices: accessor", where);
            entry.material = index(primitive.material, out_.materials.size(), "material", where);
            for (const auto& target : primitive.targets) entry.targets.push_back(attributes(target, where));
            made.primitives.push_back(std::move(entry));
        }
        made.weights = floats(source.weights, "a weight", {self});
        out_.meshes.push_back(std::move(made));
    }

    // ------------------------------------------------------------------------------------------ nodes

    void nodes(const tinygltf::Model& model) {
        out_.nodes.resize(model.nodes.size());
        for (std::uint32_t i = 0; i < model.nodes.size(); ++i) node(model, i);
        for (std::uint32_t i = 0; i < out_.nodes.size(); ++i) {
            for (const std::uint32_t child : out_.nodes[i].children) adopt(i, child);
        }
        refuseCycles();
    }

    void node(const tinygltf::Model& model, std::uint32_t number) {
        const tinygltf::Node& source = model.nodes[number];
        const Where where{place("node", number, source.name)};
        NodeEntry& made = out_.nodes[number];
        made.name = source.name;
        made.children = indices(source.children, model.nodes.size(), "child", where);
        made.mesh = index(source.mesh, model.meshes.size(), "mesh", where);
        made.skin = index(source.skin, model.skins.size(), "skin", where);
        made.camera = source.camera >= 0;
        made.translation = vector(source.translation, made.translation, "translation", where);
        made.scale = vector(source.scale, made.scale, "scale", where);
        if (source.rotation.size() == 4) {
            const std::vector<float> q = floats(source.rotation, "rotation", where);
            made.rotation = quat(q[0], q[1], q[2], q[3]);
        }
        if (source.matrix.size() == 16) {
            const std::vector<float> m = floats(source.matrix, "matrix", where);
            Mat4 matrix;
            for (std::size_t i = 0; i < 16; ++i) matrix[static_cast<int>(i / 4)][static_cast<int>(i % 4)] = m[i];
            made.matrix = matrix;
        }
        made.weights = floats(source.weights, "a weight", where);
    }

    void adopt(std::uint32_t parent, std::uint32_t child) {
        NodeEntry& node = out_.nodes[child];
        if (node.parent) {
            fail("node-parents", {place("node", child, node.name)},
                 "is a child of node " + std::to_string(*node.parent) + " and of node " + std::to_string(parent));
        }
        node.parent = parent;
    }

    /// With one parent each, a chain of parents either ends or is a cycle. Each node is walked once.
    void refuseCycles() const {
        enum : std::uint8_t { kNew, kOpen, kDone };
        std::vector<std::uint8_t> state(out_.nodes.size(), kNew);
        std::vector<std::uint32_t> chain;
        for (std::uint32_t start = 0; start < out_.nodes.size(); ++start) {
            chain.clear();
            std::optional<std::uint32_t> at = start;
            while (at && state[*at] == kNew) {
                state[*at] = kOpen;
                chain.push_back(*at);
                at = out_.nodes[*at].parent;
            }
            if (at && state[*at] == kOpen) {
                fail("node-cycle", {place("node", *at, out_.nodes[*at].name)}, "is its own ancestor");
            }
            for (const std::uint32_t i : chain) state[i] = kDone;
        }
    }

    void scenes(const tinygltf::Model& model) {
        for (const tinygltf::Scene& scene : model.scenes) {
            const Where where{place("scene", out_.scenes.size(), scene.name)};
            out_.scenes.push_back(indices(scene.nodes, out_.nodes.size(), "node", where));
            for (const std::uint32_t root : out_.scenes.back()) {
                if (out_.nodes[root].parent) {
                    fail("scene-root", where, "node " + std::to_string(root) + " is no root, it has a parent");
                }
            }
        }
        out_.scene = index(model.defaultScene, model.scenes.size(), "scene", {{"/scene", ""}});
    }

    // ------------------------------------------------------------------------------------------ skins, animations

    void skin(const tinygltf::Skin& source) {
        const Where where{place("skin", out_.skins.size(), source.name)};
        SkinEntry made;
        made.name = source.name;
        made.joints = indices(source.joints, out_.nodes.size(), "joint", where);
        made.inverseBindMatrices =
            index(source.inverseBindMatrices, out_.accessors.size(), "inverseBindMatrices: accessor", where);
        made.skeleton = index(source.skeleton, out_.nodes.size(), "skeleton", where);
        if (made.joints.empty()) fail("schema", where, "has no joints");
        out_.skins.push_back(std::move(made));
    }

    void animation(const tinygltf::Animation& source) {
        const Place self = place("animation", out_.animations.size(), source.name);
        AnimationEntry made;
        made.name = source.name;
        for (std::size_t i = 0; i < source.channels.size(); ++i) {
            const tinygltf::AnimationChannel& from = source.channels[i];
            const Where where{place("channel", i), self};
            const auto sampler = needed(from.sampler, source.samplers.size(), "sampler", where);
            const auto path = channelPath(from.target_path);
            if (!path) continue;  // what an extension moves
            ChannelEntry channel;
            channel.node = needed(from.target_node, out_.nodes.size(), "node", where);
            channel.path = *path;
            channel.interpolation = interpolation(source.samplers[sampler].interpolation, where);
            channel.input = needed(source.samplers[sampler].input, out_.accessors.size(), "input: accessor", where);
            channel.output = needed(source.samplers[sampler].output, out_.accessors.size(), "output: accessor", where);
            made.channels.push_back(channel);
        }
        out_.animations.push_back(std::move(made));
    }

    static std::optional<ChannelPath> channelPath(const std::string& name) {
        if (name == "translation") return ChannelPath::Translation;
        if (name == "rotation") return ChannelPath::Rotation;
        if (name == "scale") return ChannelPath::Scale;
        if (name == "weights") return ChannelPath::Weights;
        return std::nullopt;
    }

    static Interpolation interpolation(const std::string& name, const Where& where) {
        if (name.empty() || name == "LINEAR") return Interpolation::Linear;
        if (name == "STEP") return Interpolation::Step;
        if (name == "CUBICSPLINE") return Interpolation::CubicSpline;
        fail("interpolation", where, "interpolation " + printable(name) + " is not known");
    }

    const Input& input_;
    Defects& defects_;
    Container container_;
    Document out_;
};

}  // namespace

bool isSupportedExtension(std::string_view name) {
    return name == "KHR_mesh_quantization" || name == "KHR_materials_unlit";
}

Document readDocument(const Input& input, Defects& defects) {
    return DocumentReader(input, defects).read();
}

}  // namespace geomconv::gltf
