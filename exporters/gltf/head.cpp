#include "exporters/gltf/head.hpp"

#include "lib/bytes/base64.hpp"
#include "lib/version.hpp"

namespace geomconv::gltf {

namespace {

constexpr std::uint64_t aligned(std::uint64_t n) {
    return (n + 3) / 4 * 4;
}

template <class T>
void maybe(JsonWriter& json, std::string_view name, const std::optional<T>& value) {
    if (value) json.field(name, *value);
}

void name(JsonWriter& json, std::string_view text) {
    if (!text.empty()) json.field("name", text);
}

void extras(JsonWriter& json, std::string_view text) {
    if (text.empty()) return;
    json.key("extras");
    json.raw(text);
}

template <class V>
std::span<const float> components(const V& v) {
    return {&v[0], sizeof(V) / sizeof(float)};
}

/// An array of objects under a key; none when there are no items, which glTF forbids.
template <class T, class Write>
void objects(JsonWriter& json, std::string_view key, const std::vector<T>& items, Write write) {
    if (!items.empty()) json.objects(key, items, write);
}

/// The number of each view kind in the file.
std::array<std::uint32_t, kViewKinds> viewNumbers(const Plan& plan) {
    std::array<std::uint32_t, kViewKinds> numbers{};
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < kViewKinds; ++k) {
        numbers[k] = next;
        if (plan.views[k].size > 0) ++next;
    }
    return numbers;
}

/// byteStride of a view of vertex attributes; 0 for others.
std::uint32_t strideOf(ViewKind kind) {
    switch (kind) {
        case ViewKind::Indices:
        case ViewKind::Matrices:
        case ViewKind::Keys:
            return 0;
        case ViewKind::Uvs:
        case ViewKind::Joints:
            return 8;
        case ViewKind::Tangents:
        case ViewKind::Colors:
        case ViewKind::Weights:
            return 16;
        default:
            return 12;
    }
}

void writeAsset(JsonWriter& json, const Plan& plan) {
    json.key("asset");
    json.beginObject();
    json.field("version", "2.0");
    json.field("generator", std::string("geomconv ") + std::string(kVersion));
    json.endObject();
    if (!plan.unlit) return;
    json.key("extensionsUsed");
    json.beginArray();
    json.text("KHR_materials_unlit");
    json.endArray();
}

void writeScenes(JsonWriter& json, const Plan& plan) {
    json.field("scene", std::uint32_t{0});
    json.key("scenes");
    json.beginArray();
    json.beginObject();
    if (!plan.roots.empty()) json.field("nodes", std::span<const std::uint32_t>(plan.roots));
    json.endObject();
    json.endArray();
}

void writePose(JsonWriter& json, const PosePlan& pose) {
    if (pose.matrix) {
        if (*pose.matrix != Mat4(1.0F)) json.field("matrix", std::span<const float>(&(*pose.matrix)[0][0], 16));
        return;
    }
    if (pose.translation != Vec3(0.0F)) json.field("translation", components(pose.translation));
    const std::array<float, 4> turn{pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w};
    if (turn != std::array{0.0F, 0.0F, 0.0F, 1.0F}) json.field("rotation", std::span<const float>(turn));
    if (pose.scale != Vec3(1.0F)) json.field("scale", components(pose.scale));
}

void writeNode(JsonWriter& json, const Plan& plan, const NodePlan& node) {
    name(json, node.name);
    if (!node.children.empty()) json.field("children", std::span<const std::uint32_t>(node.children));
    if (node.pose) writePose(json, plan.poses[*node.pose]);
    maybe(json, "mesh", node.mesh);
    maybe(json, "skin", node.skin);
    extras(json, node.extras);
}

void writeAttributes(JsonWriter& json, const Attributes& attributes) {
    json.beginObject();
    for (const auto& [semantic, accessor] : attributes) json.field(semantic, accessor);
    json.endObject();
}

void writePrimitive(JsonWriter& json, const PrimitivePlan& primitive) {
    json.key("attributes");
    writeAttributes(json, primitive.attributes);
    maybe(json, "indices", primitive.indices);
    maybe(json, "material", primitive.material);
    if (primitive.topology == Topology::Points) json.field("mode", std::uint32_t{0});
    if (primitive.topology == Topology::Lines) json.field("mode", std::uint32_t{1});
    if (primitive.targets.empty()) return;
    json.key("targets");
    json.beginArray();
    for (const Attributes& target : primitive.targets) writeAttributes(json, target);
    json.endArray();
}

void writeMesh(JsonWriter& json, const MeshPlan& mesh) {
    name(json, mesh.name);
    objects(json, "primitives", mesh.primitives, [&](const PrimitivePlan& p) { writePrimitive(json, p); });
    if (!mesh.weights.empty()) json.field("weights", std::span<const float>(mesh.weights));
    extras(json, mesh.extras);
}

void writePbr(JsonWriter& json, const MaterialPlan& material) {
    json.key("pbrMetallicRoughness");
    json.beginObject();
    const Vec4 color = glm::clamp(material.look.baseColor, 0.0F, 1.0F);
    if (color != Vec4(1.0F)) json.field("baseColorFactor", components(color));
    if (material.texture) {
        json.key("baseColorTexture");
        json.beginObject();
        json.field("index", *material.texture);
        json.endObject();
    }
    const float metallic = glm::clamp(material.look.metallic, 0.0F, 1.0F);
    const float roughness = glm::clamp(material.look.roughness, 0.0F, 1.0F);
    if (metallic != 1.0F) json.field("metallicFactor", metallic);
    if (roughness != 1.0F) json.field("roughnessFactor", roughness);
    json.endObject();
}

void writeMaterial(JsonWriter& json, const MaterialPlan& material) {
    const Material& look = material.look;
    name(json, look.name);
    writePbr(json, material);
    const Vec3 emissive = glm::clamp(look.emissive, 0.0F, 1.0F);
    if (emissive != Vec3(0.0F)) json.field("emissiveFactor", components(emissive));
    if (look.alphaMode == AlphaMode::Blend) json.field("alphaMode", "BLEND");
    if (look.alphaMode == AlphaMode::Mask) {
        json.field("alphaMode", "MASK");
        if (look.alphaCutoff != 0.5F) json.field("alphaCutoff", std::max(look.alphaCutoff, 0.0F));
    }
    if (look.doubleSided) json.field("doubleSided", true);
    if (look.unlit) {
        json.key("extensions");
        json.raw(R"({"KHR_materials_unlit":{}})");
    }
    extras(json, look.extras.text());
}

struct SamplerPlan {
    Wrap wrapU;
    Wrap wrapV;
    Filter filter;
    bool operator==(const SamplerPlan&) const = default;
};

void writeSampler(JsonWriter& json, const SamplerPlan& sampler) {
    static constexpr std::uint32_t kWraps[] = {10497, 33071, 33648};  // REPEAT, CLAMP_TO_EDGE, MIRRORED_REPEAT
    if (sampler.filter == Filter::Nearest) {
        json.field("magFilter", std::uint32_t{9728});
        json.field("minFilter", std::uint32_t{9728});
    }
    if (sampler.filter == Filter::Linear) {
        json.field("magFilter", std::uint32_t{9729});
        json.field("minFilter", std::uint32_t{9987});  // LINEAR_MIPMAP_LINEAR
    }
    if (sampler.wrapU != Wrap::Repeat) json.field("wrapS", kWraps[static_cast<std::size_t>(sampler.wrapU)]);
    if (sampler.wrapV != Wrap::Repeat) json.field("wrapT", kWraps[static_cast<std::size_t>(sampler.wrapV)]);
}

/// Textures and the samplers they share.
void writeTextures(JsonWriter& json, const Plan& plan) {
    static constexpr SamplerPlan kDefault{Wrap::Repeat, Wrap::Repeat, Filter::Unspecified};
    std::vector<SamplerPlan> samplers;
    objects(json, "textures", plan.textures, [&](const TexturePlan& texture) {
        const SamplerPlan wanted{texture.wrapU, texture.wrapV, texture.filter};
        if (wanted != kDefault) {
            auto found = std::find(samplers.begin(), samplers.end(), wanted);
            if (found == samplers.end()) found = samplers.insert(found, wanted);
            json.field("sampler", static_cast<std::uint32_t>(found - samplers.begin()));
        }
        json.field("source", texture.image);
    });
    objects(json, "samplers", samplers, [&](const SamplerPlan& sampler) { writeSampler(json, sampler); });
}

void writeImages(JsonWriter& json, const Plan& plan, const Storage& storage, std::uint32_t firstView) {
    std::size_t index = 0;
    std::uint32_t view = firstView;
    objects(json, "images", plan.images, [&](const ImagePlan& image) {
        name(json, image.name);
        const std::string& uri = storage.imageUris[index++];
        if (!uri.empty()) {
            json.field("uri", uri);
            return;
        }
        json.field("mimeType", image.mimeType);
        json.field("bufferView", view++);
    });
}

void writeSkin(JsonWriter& json, const SkinPlan& skin) {
    name(json, skin.name);
    maybe(json, "inverseBindMatrices", skin.inverseBindMatrices);
    maybe(json, "skeleton", skin.skeleton);
    json.field("joints", std::span<const std::uint32_t>(skin.joints));
}

void writeAnimation(JsonWriter& json, const AnimationPlan& animation) {
    static constexpr std::string_view kPaths[] = {"translation", "rotation", "scale", "weights"};
    static constexpr std::string_view kInterpolations[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    name(json, animation.name);
    std::uint32_t sampler = 0;
    objects(json, "channels", animation.channels, [&](const ChannelPlan& channel) {
        json.field("sampler", sampler++);
        json.key("target");
        json.beginObject();
        json.field("node", channel.node);
        json.field("path", kPaths[static_cast<std::size_t>(channel.path)]);
        json.endObject();
    });
    objects(json, "samplers", animation.channels, [&](const ChannelPlan& channel) {
        json.field("input", channel.input);
        if (channel.interpolation != Interpolation::Linear) {
            json.field("interpolation", kInterpolations[static_cast<std::size_t>(channel.interpolation)]);
        }
        json.field("output", channel.output);
    });
    extras(json, animation.extras);
}

void writeAccessors(JsonWriter& json, const Plan& plan, const std::array<std::uint32_t, kViewKinds>& numbers) {
    objects(json, "accessors", plan.accessors, [&](const AccessorPlan& accessor) {
        json.field("bufferView", numbers[static_cast<std::size_t>(accessor.view)]);
        if (accessor.offset > 0) json.field("byteOffset", accessor.offset);
        json.field("componentType", static_cast<std::uint32_t>(accessor.component));
        json.field("count", accessor.count);
        json.field("type", elementTypeName(accessor.type));
        if (!accessor.range) return;
        const Range& range = plan.ranges[*accessor.range];
        json.field("min", std::span<const float>(range.low.data(), componentCount(accessor.type)));
        json.field("max", std::span<const float>(range.high.data(), componentCount(accessor.type)));
    });
}

void writeViews(JsonWriter& json, const Plan& plan, const Storage& storage, const BufferLayout& layout) {
    if (layout.size == 0) return;
    const auto view = [&](std::uint64_t offset, std::uint64_t size) {
        json.field("buffer", std::uint32_t{0});
        if (offset > 0) json.field("byteOffset", offset);
        json.field("byteLength", size);
    };
    json.key("bufferViews");
    json.beginArray();
    for (std::size_t k = 0; k < kViewKinds; ++k) {
        if (plan.views[k].size == 0) continue;
        const auto kind = static_cast<ViewKind>(k);
        json.beginObject();
        view(layout.views[k], plan.views[k].size);
        if (strideOf(kind) > 0) json.field("byteStride", strideOf(kind));
        if (kind == ViewKind::Indices) json.field("target", kElementArrayBuffer);
        if (strideOf(kind) > 0) json.field("target", kArrayBuffer);
        json.endObject();
    }
    for (std::size_t i = 0; i < plan.images.size(); ++i) {
        if (!storage.imageUris[i].empty()) continue;
        json.beginObject();
        view(layout.images[i], plan.images[i].bytes.size());
        json.endObject();
    }
    json.endArray();
}

void writeBase64Buffer(Sink& out, const Plan& plan, const Storage& storage, const BufferLayout& layout);

void writeBufferEntry(JsonWriter& json, Sink& out, const Plan& plan, const Storage& storage,
                      const BufferLayout& layout) {
    if (layout.size == 0) return;
    json.key("buffers");
    json.beginArray();
    json.beginObject();
    json.field("byteLength", layout.size);
    if (storage.dataUri) {
        json.key("uri");
        json.raw("\"data:application/octet-stream;base64,");
        writeBase64Buffer(out, plan, storage, layout);
        out.put('"');
    } else if (!storage.bufferUri.empty()) {
        json.field("uri", storage.bufferUri);
    }
    json.endObject();
    json.endArray();
}

/// Turns bytes into base64 text on their way to another sink, with no more than one buffer of them in memory.
class Base64Sink final : public Sink {
public:
    explicit Base64Sink(Sink& text) : text_(text) {}
    void finish() {
        flush();
        encode({rest_.data(), rest_.size()});
        rest_.clear();
    }

protected:
    void emit(const void* data, std::size_t n) override {
        Bytes bytes(static_cast<const std::uint8_t*>(data), n);
        while (!rest_.empty() && rest_.size() < 3 && !bytes.empty()) {
            rest_.push_back(bytes.front());
            bytes = bytes.subspan(1);
        }
        if (rest_.size() == 3) {
            encode(rest_);
            rest_.clear();
        }
        if (!rest_.empty()) return;
        const std::size_t whole = bytes.size() / 3 * 3;
        encode(bytes.first(whole));
        rest_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end());
    }

private:
    void encode(Bytes bytes) {
        constexpr std::size_t kPiece = 3 * 4096;
        for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
            const Bytes piece = bytes.subspan(at, std::min(kPiece, bytes.size() - at));
            text_.advance(writeBase64(text_.reserve(base64Length(piece.size())), piece));
        }
    }

    Sink& text_;
    ByteVector rest_;  ///< fewer than three bytes
};

void writeBase64Buffer(Sink& out, const Plan& plan, const Storage& storage, const BufferLayout& layout) {
    Base64Sink encoder(out);
    writeBuffer(encoder, plan, storage, layout);
    encoder.finish();
}

}  // namespace

std::string percentEncoded(std::string_view fileName) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string uri;
    for (const char c : fileName) {
        const auto byte = static_cast<unsigned char>(c);
        const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        if (letter || (byte >= '0' && byte <= '9') || std::string_view("-._~/").find(c) != std::string_view::npos) {
            uri += c;
        } else {
            uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
        }
    }
    return uri;
}

BufferLayout layOut(const Plan& plan, const Storage& storage) {
    BufferLayout layout;
    for (std::size_t k = 0; k < kViewKinds; ++k) {
        layout.views[k] = layout.size;
        layout.size += aligned(plan.views[k].size);
    }
    for (std::size_t i = 0; i < plan.images.size(); ++i) {
        layout.images.push_back(layout.size);
        if (storage.imageUris[i].empty()) layout.size += aligned(plan.images[i].bytes.size());
    }
    return layout;
}

void writeBuffer(Sink& out, const Plan& plan, const Storage& storage, const BufferLayout& layout) {
    static constexpr std::uint8_t kZeros[4] = {};
    const std::uint64_t start = out.written();
    for (const ViewPlan& view : plan.views) {
        for (const Piece& piece : view.pieces) out.write(piece.data, static_cast<std::size_t>(piece.size));
        out.write(kZeros, aligned(view.size) - view.size);
    }
    for (std::size_t i = 0; i < plan.images.size(); ++i) {
        if (!storage.imageUris[i].empty()) continue;
        const Bytes bytes = plan.images[i].bytes;
        out.write(bytes);
        out.write(kZeros, aligned(bytes.size()) - bytes.size());
    }
    if (out.written() - start != layout.size) throw std::logic_error("glTF buffer differs from its layout");
}

void writeHead(Sink& out, const Plan& plan, const Storage& storage, const BufferLayout& layout, JsonLayout style) {
    JsonWriter json(out, {}, style);
    const auto numbers = viewNumbers(plan);
    json.beginObject();
    writeAsset(json, plan);
    writeScenes(json, plan);
    objects(json, "nodes", plan.nodes, [&](const NodePlan& node) { writeNode(json, plan, node); });
    objects(json, "meshes", plan.meshes, [&](const MeshPlan& mesh) { writeMesh(json, mesh); });
    objects(json, "materials", plan.materials, [&](const MaterialPlan& material) { writeMaterial(json, material); });
    writeTextures(json, plan);
    writeImages(json, plan, storage, numbers.back() + (plan.views.back().size > 0 ? 1 : 0));
    objects(json, "skins", plan.skins, [&](const SkinPlan& skin) { writeSkin(json, skin); });
    objects(json, "animations", plan.animations,
            [&](const AnimationPlan& animation) { writeAnimation(json, animation); });
    writeAccessors(json, plan, numbers);
    writeViews(json, plan, storage, layout);
    writeBufferEntry(json, out, plan, storage, layout);
    json.endObject();
}

}  // namespace geomconv::gltf
