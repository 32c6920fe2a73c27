#include "exporters/gltf/document.hpp"

#include <fstream>  // tiny_gltf.h wants it even without file functions

// The one place that knows tinygltf. It parses the part of the JSON that checkHead leaves it and nothing else: no image
// library, no file is opened.
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define TINYGLTF_NO_FS
#include <tiny_gltf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "exporters/gltf/head_arrays.hpp"
#include "exporters/gltf/head_check.hpp"
#include "exporters/gltf/uri.hpp"
#include "lib/bytes/text.hpp"
#include "lib/image/image_files.hpp"
#include "lib/json_reader.hpp"

namespace geomconv::gltf {

namespace {

/// Where a check stands. It is made for every item and becomes a Place only when one fails.
struct Where {
    std::string_view noun;
    std::size_t number = 0;
    std::string_view name{};
    const Where* in = nullptr;

    std::vector<Place> places() const {
        std::vector<Place> out{{std::string(noun), std::to_string(number), printable(name)}};
        if (in != nullptr) {
            const std::vector<Place> outer = in->places();
            out.insert(out.end(), outer.begin(), outer.end());
        }
        return out;
    }
};

[[noreturn]] void fail(std::string_view kind, std::vector<Place> where, std::string detail) {
    throw FormatError(kind, std::move(detail), std::move(where));
}
[[noreturn]] void fail(std::string_view kind, const Where& where, std::string detail) {
    fail(kind, where.places(), std::move(detail));
}

/// An index into an array of `count`, or none.
void checkIndex(const std::optional<std::uint32_t>& value, std::size_t count, std::string_view what,
                const Where& where) {
    if (!value || *value < count) return;
    fail("index-range", where,
         std::string(what) + " " + std::to_string(*value) + ", there are " + std::to_string(count));
}

/// Numbers of the file that a float can hold; the reader makes infinity of others.
void checkFinite(std::span<const float> values, std::string_view what, const Where& where) {
    if (std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) return;
    fail("nonfinite", where, std::string(what) + " is beyond what a float can hold");
}

// What tinygltf gives. It writes -1 for what is absent; negative numbers of the file did not pass checkHead.

std::optional<std::uint32_t> index(int value, std::size_t count, std::string_view what, const Where& where) {
    if (value < 0) return std::nullopt;
    checkIndex(static_cast<std::uint32_t>(value), count, what, where);
    return static_cast<std::uint32_t>(value);
}

std::vector<std::uint32_t> indices(const std::vector<int>& values, std::size_t count, std::string_view what,
                                   const Where& where) {
    std::vector<std::uint32_t> out;
    out.reserve(values.size());
    for (const int value : values) out.push_back(index(value, count, what, where).value());
    return out;
}

float finite(double value, std::string_view what, const Where& where) {
    const auto out = static_cast<float>(value);
    checkFinite({&out, 1}, what, where);
    return out;
}

template <class V>
V vector(const std::vector<double>& values, V otherwise, std::string_view what, const Where& where) {
    if (values.size() != static_cast<std::size_t>(V::length())) return otherwise;
    V out;
    for (glm::length_t i = 0; i < V::length(); ++i) out[i] = finite(values[static_cast<std::size_t>(i)], what, where);
    return out;
}

// ---------------------------------------------------------------------------------------------------- tinygltf

tinygltf::Model parse(const std::string& json, std::uint64_t offset) {
    if (json.size() > 0xFFFFFFFF) fail("json", std::vector<Place>(), "more than 4 GiB of JSON");
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
        if (isUtf16(asText(container_.json))) {
            fail("json", std::vector<Place>(), "the text is UTF-16, glTF is UTF-8: save it as that");
        }
        const CheckedHead head = checkHead(asText(container_.json), container_.jsonOffset);
        const tinygltf::Model model = parse(head.json, container_.jsonOffset);
        asset(model);
        extensions(model);
        buffers(head.buffers);
        readViews(head.bufferViews, [this](const ViewItem& view) { bufferView(view); });
        readAccessors(head.accessors, [this](AccessorItem& accessor) { this->accessor(accessor); });
        images(head.images);
        for (const tinygltf::Texture& texture : model.textures) this->texture(model, texture);
        for (const tinygltf::Material& material : model.materials) this->material(material);
        for (const CheckedHead::Item& item : head.materialExtras) {
            out_.materials[item.index].look.extras = Extras::fromText(compactJson(item.text));
        }
        meshes(head.meshes);
        nodes(head.nodes, model.skins.size());
        for (const tinygltf::Skin& skin : model.skins) this->skin(skin);
        readAnimations(head.animations, [this](AnimationItem& animation) { this->animation(animation); });
        scenes(model);
        return std::move(out_);
    }

private:
    void asset(const tinygltf::Model& model) {
        const std::string& version = model.asset.version;
        if (!version.starts_with("2."))
            fail("version", std::vector<Place>{{"/asset/version", ""}},
                 "glTF " + printable(version) + ", only 2 can be read");
        const std::string& least = model.asset.minVersion;
        if (!least.empty() && least != "2.0") {
            fail("version", std::vector<Place>{{"/asset/minVersion", ""}},
                 "needs a reader of glTF " + printable(least));
        }
        out_.generator = model.asset.generator;
    }

    void extensions(const tinygltf::Model& model) {
        for (const std::string& name : model.extensionsRequired) {
            if (isSupportedExtension(name)) continue;
            if (!isLooksOnly(name)) {
                fail("extension", std::vector<Place>{{"/extensionsRequired", ""}},
                     "the file needs " + printable(name) + ", which cannot be read" + wayOut(name));
            }
            defects_.warn("look-extension", std::nullopt, {{"/extensionsRequired", ""}},
                          "the file needs " + printable(name) + " for its looks, which is not read");
        }
        out_.extensionsUsed = model.extensionsUsed;
        for (const std::string& name : model.extensionsUsed) out_.quantized |= name == "KHR_mesh_quantization";
    }

    /// Extensions that add to how things look, not to their shape: without them everything is there.
    static bool isLooksOnly(std::string_view name) {
        static constexpr std::array<std::string_view, 2> kOthers{"KHR_lights_punctual", "KHR_xmp_json_ld"};
        return name.starts_with("KHR_materials_") || std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end() ||
               std::find(kImageKinds.begin(), kImageKinds.end(), name) != kImageKinds.end();
    }

    static std::string wayOut(std::string_view name) {
        const bool packed = name.find("compression") != std::string_view::npos;
        return packed ? ": write the file without mesh compression" : "";
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
        bool packed = false;  ///< a buffer that only EXT_meshopt_compression could fill
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
                else if (key == "extensions")
                    entry.packed = in.raw().find("\"EXT_meshopt_compression\"") != std::string_view::npos;
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
        const Where where{"buffer", number, entry.name};
        Buffer made;
        made.name = entry.name;
        if (!entry.uri && number == 0 && container_.bin) {
            made.bytes = *container_.bin;
            made.offset = container_.binOffset;
        } else if (!entry.uri && entry.packed) {
            fail("extension", where,
                 "its bytes are packed by EXT_meshopt_compression, which cannot be read" +
                     wayOut("EXT_meshopt_compression"));
        } else if (!entry.uri) {
            if (entry.byteLength > 0) fail("missing-file", where, "there is neither a URI nor a BIN chunk for it");
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
        bufferBytes_ += made.bytes.size();
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
        if (auto file = input_.companions(uri)) return file;
        std::string slashes = decoded.value_or(std::string(uri));
        if (slashes.find('\\') == std::string::npos) return nullptr;
        std::replace(slashes.begin(), slashes.end(), '\\', '/');
        return input_.companions(slashes);
    }

    void images(std::string_view text) {
        entries(text, [this](std::size_t number, const Entry& entry) { image(number, entry); });
    }

    void image(std::size_t number, const Entry& entry) {
        const Where where{"image", number, entry.name};
        ImageEntry made;
        made.name = entry.name;
        made.mimeType = entry.mimeType;
        if (entry.view) {
            checkIndex(entry.view, out_.views.size(), "bufferView", where);
            const BufferView& view = out_.views[*entry.view];
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
            defects_.warn(e.defect().kind, std::nullopt, where.places(), e.defect().detail + ", the image is left out");
            return;
        }
        if (isDataUri(uri)) {
            if (made.mimeType.empty()) made.mimeType = dataUriMimeType(uri);
        } else {
            made.uri = percentDecoded(uri).value_or(std::string(uri));
            if (made.name.empty()) made.name = stemOf(made.uri);
            if (!made.file) defects_.warn("missing-file", std::nullopt, where.places(), shown(uri) + " is not there");
        }
        if (made.file) made.bytes = made.file->bytes();
    }

    static std::string stemOf(const std::string& fileName) {
        const std::string name(fileNameOf(fileName));
        const std::size_t dot = name.find_last_of('.');
        return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
    }

    // ------------------------------------------------------------------------------------------ views and accessors

    void bufferView(const ViewItem& source) {
        const Where where{"bufferView", out_.views.size(), source.name};
        BufferView made;
        checkIndex(source.buffer, out_.buffers.size(), "buffer", where);
        made.buffer = source.buffer;
        made.offset = source.byteOffset;
        made.length = source.byteLength;
        made.stride = source.byteStride;
        if (made.stride > kLargestStride || made.stride % 4 != 0) {
            fail("schema", where,
                 "byteStride " + std::to_string(made.stride) + " is no multiple of 4 up to " +
                     std::to_string(kLargestStride));
        }
        const std::uint64_t size = out_.buffers[made.buffer].bytes.size();
        if (made.offset > size || made.length > size - made.offset) {
            fail("view-range", where,
                 "bytes " + std::to_string(made.offset) + " + " + std::to_string(made.length) + ", buffer " +
                     std::to_string(made.buffer) + " has " + std::to_string(size));
        }
        out_.views.push_back(made);
    }

    static ComponentType componentType(std::uint32_t code, const Where& where) {
        const bool known = code >= 5120 && code <= 5126 && code != 5124;
        if (!known) fail("component-type", where, "componentType " + std::to_string(code) + " is not known");
        return static_cast<ComponentType>(code);
    }

    static ElementType elementType(std::string_view name, const Where& where) {
        for (const ElementType type : {ElementType::Scalar, ElementType::Vec2, ElementType::Vec3, ElementType::Vec4,
                                       ElementType::Mat2, ElementType::Mat3, ElementType::Mat4}) {
            if (elementTypeName(type) == name) return type;
        }
        fail("schema", where, "type " + printable(name) + " is not known");
    }

    void accessor(AccessorItem& source) {
        const Where where{"accessor", out_.accessors.size(), source.name};
        Accessor made;
        checkIndex(source.bufferView, out_.views.size(), "bufferView", where);
        made.view = source.bufferView;
        made.offset = source.byteOffset;
        made.component = componentType(source.componentType, where);
        made.type = elementType(source.type, where);
        made.normalized = source.normalized;
        made.count = source.count;
        made.low = std::move(source.min);
        made.high = std::move(source.max);
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
        if (source.sparse) sparse(made, *source.sparse, where);
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
        const std::uint64_t bytes = container_.json.size() + bufferBytes_;
        if (accessor.count <= bytes) return;
        fail("count", where,
             "count " + std::to_string(accessor.count) + " without a bufferView, in a file of " +
                 std::to_string(bytes) + " bytes");
    }

    void sparse(Accessor& made, const SparseItem& source, const Where& where) const {
        Sparse sparse;
        for (const std::uint32_t view : {source.indexView, source.valueView}) {
            checkIndex(view, out_.views.size(), "sparse bufferView", where);
        }
        sparse.count = source.count;
        sparse.indexView = source.indexView;
        sparse.indexOffset = source.indexOffset;
        sparse.indexType = componentType(source.indexType, where);
        sparse.valueView = source.valueView;
        sparse.valueOffset = source.valueOffset;
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
        const Where where{"texture", out_.textures.size(), source.name};
        TextureEntry made;
        made.image = index(imageOf(source), out_.images.size(), "source", where);
        if (const auto sampler = index(source.sampler, model.samplers.size(), "sampler", where)) {
            const tinygltf::Sampler& from = model.samplers[*sampler];
            made.wrapU = wrap(from.wrapS);
            made.wrapV = wrap(from.wrapT);
            if (from.magFilter == TINYGLTF_TEXTURE_FILTER_NEAREST) made.filter = Filter::Nearest;
            if (from.magFilter == TINYGLTF_TEXTURE_FILTER_LINEAR) made.filter = Filter::Linear;
        }
        out_.textures.push_back(made);
    }

    /// The image of a texture; where it has none that every reader knows, the one of an extension.
    static int imageOf(const tinygltf::Texture& texture) {
        if (texture.source >= 0) return texture.source;
        for (const std::string_view kind : kImageKinds) {
            const auto found = texture.extensions.find(std::string(kind));
            if (found == texture.extensions.end() || !found->second.Has("source")) continue;
            const tinygltf::Value& source = found->second.Get("source");
            if (source.IsInt()) return source.GetNumberAsInt();
        }
        return -1;
    }

    static Wrap wrap(int code) {
        if (code == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE) return Wrap::Clamp;
        return code == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT ? Wrap::Mirror : Wrap::Repeat;
    }

    void material(const tinygltf::Material& source) {
        const Where where{"material", out_.materials.size(), source.name};
        const auto texture = [&](int number) { return index(number, out_.textures.size(), "texture", where); };
        const auto& pbr = source.pbrMetallicRoughness;
        MaterialEntry made;
        made.texture = texture(pbr.baseColorTexture.index);
        made.texCoord = static_cast<std::uint32_t>(std::max(pbr.baseColorTexture.texCoord, 0));
        uvTransform(made, pbr.baseColorTexture.extensions);
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
        if (!made.texture) specularGlossiness(made, source, where);
        out_.materials.push_back(std::move(made));
    }

    /// The diffuse colour and texture of KHR_materials_pbrSpecularGlossiness, where the material has no texture for
    /// readers that do not know it. checkHead has seen the types.
    void specularGlossiness(MaterialEntry& made, const tinygltf::Material& source, const Where& where) const {
        const auto found = source.extensions.find("KHR_materials_pbrSpecularGlossiness");
        if (found == source.extensions.end()) return;
        const tinygltf::Value& value = found->second;
        Material& look = made.look;
        look.baseColor = Vec4(1.0F);
        look.metallic = 0.0F;
        look.roughness = 0.0F;
        if (value.Has("glossinessFactor")) {
            look.roughness = finite(1.0 - value.Get("glossinessFactor").GetNumberAsDouble(), "glossinessFactor", where);
        }
        if (value.Has("diffuseFactor")) {
            for (int c = 0; c < 4; ++c) {
                const double number = value.Get("diffuseFactor").Get(c).GetNumberAsDouble();
                look.baseColor[c] = finite(number, "diffuseFactor", where);
            }
        }
        if (!value.Has("diffuseTexture")) return;
        const tinygltf::Value& texture = value.Get("diffuseTexture");
        made.texture = index(texture.Get("index").GetNumberAsInt(), out_.textures.size(), "texture", where);
        if (texture.Has("texCoord"))
            made.texCoord = static_cast<std::uint32_t>(texture.Get("texCoord").GetNumberAsInt());
        if (texture.Has("extensions")) uvTransform(made, texture.Get("extensions").Get<tinygltf::Value::Object>());
    }

    /// What checkHead has seen to be of the right types.
    static void uvTransform(MaterialEntry& made, const tinygltf::ExtensionMap& extensions) {
        const auto found = extensions.find("KHR_texture_transform");
        if (found == extensions.end()) return;
        const tinygltf::Value& value = found->second;
        const auto pair = [&value](const char* name, Vec2d otherwise) {
            if (!value.Has(name)) return otherwise;
            const tinygltf::Value& numbers = value.Get(name);
            return Vec2d(numbers.Get(0).GetNumberAsDouble(), numbers.Get(1).GetNumberAsDouble());
        };
        UvTransform& transform = made.uvTransform.emplace();
        transform.offset = pair("offset", transform.offset);
        transform.scale = pair("scale", transform.scale);
        if (value.Has("rotation")) transform.rotation = value.Get("rotation").GetNumberAsDouble();
        if (value.Has("texCoord")) made.texCoord = static_cast<std::uint32_t>(value.Get("texCoord").GetNumberAsInt());
    }

    // ------------------------------------------------------------------------------------------ meshes

    void meshes(std::string_view text) {
        out_.meshes = readMeshes(text);
        for (std::size_t m = 0; m < out_.meshes.size(); ++m) {
            const MeshEntry& mesh = out_.meshes[m];
            const Where self{"mesh", m, mesh.name};
            for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
                checkPrimitive(mesh.primitives[i], {"primitive", i, {}, &self});
            }
            checkFinite(mesh.weights, "a weight", self);
        }
    }

    void checkPrimitive(const PrimitiveEntry& primitive, const Where& where) const {
        if (primitive.mode > 6) fail("mode", where, "mode " + std::to_string(primitive.mode) + " is not known");
        checkAttributes(primitive.attributes, where);
        checkIndex(primitive.indices, out_.accessors.size(), "indices: accessor", where);
        checkIndex(primitive.material, out_.materials.size(), "material", where);
        for (const AttributeList& target : primitive.targets) checkAttributes(target, where);
        for (const auto& [name, accessor] : primitive.attributes) {
            const Accessor& array = out_.accessors[accessor];
            if (!primitive.draco || array.view || array.sparse) continue;
            fail("extension", where,
                 printable(name) + " is packed by KHR_draco_mesh_compression, which cannot be read" +
                     wayOut("KHR_draco_mesh_compression"));
        }
    }

    void checkAttributes(const AttributeList& attributes, const Where& where) const {
        const std::string* last = nullptr;
        for (const auto& [name, accessor] : attributes) {
            if (accessor >= out_.accessors.size()) {
                checkIndex(accessor, out_.accessors.size(), printable(name) + ": accessor", where);
            }
            if (last != nullptr && *last == name) fail("schema", where, printable(name) + " is there twice");
            last = &name;
        }
    }

    // ------------------------------------------------------------------------------------------ nodes

    void nodes(std::string_view text, std::size_t skins) {
        out_.nodes = readNodes(text);
        for (std::size_t i = 0; i < out_.nodes.size(); ++i) checkNode(out_.nodes[i], skins, i);
        for (std::uint32_t i = 0; i < out_.nodes.size(); ++i) {
            for (const std::uint32_t child : out_.nodes[i].children) adopt(i, child);
        }
        refuseCycles();
    }

    void checkNode(const NodeEntry& node, std::size_t skins, std::size_t number) const {
        const Where where{"node", number, node.name};
        for (const std::uint32_t child : node.children) checkIndex(child, out_.nodes.size(), "child", where);
        checkIndex(node.mesh, out_.meshes.size(), "mesh", where);
        checkIndex(node.skin, skins, "skin", where);
        checkFinite({&node.translation[0], 3}, "translation", where);
        checkFinite({&node.scale[0], 3}, "scale", where);
        const std::array rotation{node.rotation.x, node.rotation.y, node.rotation.z, node.rotation.w};
        checkFinite(rotation, "rotation", where);
        if (node.matrix) checkFinite({&(*node.matrix)[0][0], 16}, "matrix", where);
        checkFinite(node.weights, "a weight", where);
        checkAttributes(node.instances, where);
    }

    void adopt(std::uint32_t parent, std::uint32_t child) {
        NodeEntry& node = out_.nodes[child];
        if (node.parent) {
            fail("node-parents", Where{"node", child, node.name},
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
                fail("node-cycle", Where{"node", *at, out_.nodes[*at].name}, "is its own ancestor");
            }
            for (const std::uint32_t i : chain) state[i] = kDone;
        }
    }

    void scenes(const tinygltf::Model& model) {
        for (const tinygltf::Scene& scene : model.scenes) {
            const Where where{"scene", out_.scenes.size(), scene.name};
            out_.scenes.push_back(indices(scene.nodes, out_.nodes.size(), "node", where));
            for (const std::uint32_t root : out_.scenes.back()) {
                if (out_.nodes[root].parent) {
                    fail("scene-root", where, "node " + std::to_string(root) + " is no root, it has a parent");
                }
            }
        }
        if (model.defaultScene < 0) return;
        out_.scene = static_cast<std::uint32_t>(model.defaultScene);
        if (*out_.scene >= out_.scenes.size()) {
            fail("index-range", std::vector<Place>{{"/scene", ""}},
                 "scene " + std::to_string(*out_.scene) + ", there are " + std::to_string(out_.scenes.size()));
        }
    }

    // ------------------------------------------------------------------------------------------ skins, animations

    void skin(const tinygltf::Skin& source) {
        const Where where{"skin", out_.skins.size(), source.name};
        SkinEntry made;
        made.name = source.name;
        made.joints = indices(source.joints, out_.nodes.size(), "joint", where);
        made.inverseBindMatrices =
            index(source.inverseBindMatrices, out_.accessors.size(), "inverseBindMatrices: accessor", where);
        made.skeleton = index(source.skeleton, out_.nodes.size(), "skeleton", where);
        if (made.joints.empty()) fail("schema", where, "has no joints");
        out_.skins.push_back(std::move(made));
    }

    void animation(AnimationItem& source) {
        const Where self{"animation", out_.animations.size(), source.name};
        AnimationEntry made;
        for (std::size_t i = 0; i < source.channels.size(); ++i) {
            const AnimationItem::Channel& from = source.channels[i];
            const Where where{"channel", i, {}, &self};
            checkIndex(from.sampler, source.samplers.size(), "sampler", where);
            checkIndex(from.node, out_.nodes.size(), "node", where);
            const auto path = channelPath(from.path);
            if (!path || !from.node) continue;  // what an extension moves
            const AnimationItem::Sampler& sampler = source.samplers[from.sampler];
            checkIndex(sampler.input, out_.accessors.size(), "input: accessor", where);
            checkIndex(sampler.output, out_.accessors.size(), "output: accessor", where);
            ChannelEntry channel;
            channel.node = *from.node;
            channel.path = *path;
            channel.interpolation = interpolation(sampler.interpolation, where);
            channel.input = sampler.input;
            channel.output = sampler.output;
            made.channels.push_back(channel);
        }
        made.name = std::move(source.name);
        made.extras = std::move(source.extras);
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

    /// Textures with images that not every reader knows. Their bytes are kept as all images' are.
    static constexpr std::array<std::string_view, 4> kImageKinds{"EXT_texture_webp", "KHR_texture_basisu",
                                                                 "EXT_texture_avif", "MSFT_texture_dds"};
    static constexpr std::uint32_t kLargestStride = 252;  ///< specification, 3.6.2.4

    const Input& input_;
    Defects& defects_;
    Container container_;
    Document out_;
    std::uint64_t bufferBytes_ = 0;  ///< of all buffers
};

}  // namespace

bool isSupportedExtension(std::string_view name) {
    static constexpr std::array<std::string_view, 5> kSupported{"KHR_mesh_quantization", "KHR_materials_unlit",
                                                                "KHR_materials_pbrSpecularGlossiness",
                                                                "KHR_texture_transform", "EXT_mesh_gpu_instancing"};
    return std::find(kSupported.begin(), kSupported.end(), name) != kSupported.end();
}

Document readDocument(const Input& input, Defects& defects) {
    return DocumentReader(input, defects).read();
}

}  // namespace geomconv::gltf
