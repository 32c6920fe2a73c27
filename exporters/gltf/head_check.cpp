#include "exporters/gltf/head_check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "lib/bytes/text.hpp"
#include "lib/defect.hpp"
#include "lib/json_reader.hpp"

namespace geomconv::gltf {

namespace {

/// What a member must hold. Index: an integer of 0..2^31-1 (what tinygltf keeps); Size: of 0..2^53.
enum class Want : std::uint8_t {
    Index,
    Size,
    Number,
    Text,
    Boolean,
    Indices,
    Numbers,
    Texts,
    Object,
    Objects,
    IndexMap,
    IndexMaps
};

struct Shape;

struct Member {
    std::string_view name;
    Want want;
    const Shape* shape = nullptr;  ///< of Object and Objects
    bool required = false;
    std::uint8_t length = 0;  ///< of Numbers; 0: any
};

struct Shape {
    std::span<const Member> members;
};

// The tables of the specification, section 5, for what is read. (In alphabetical order as there, inner objects first.)

constexpr Member kSparseIndices[] = {{"bufferView", Want::Index, nullptr, true},
                                     {"byteOffset", Want::Index},
                                     {"componentType", Want::Index, nullptr, true}};
constexpr Shape kSparseIndicesShape{kSparseIndices};
constexpr Member kSparseValues[] = {{"bufferView", Want::Index, nullptr, true}, {"byteOffset", Want::Index}};
constexpr Shape kSparseValuesShape{kSparseValues};
constexpr Member kSparse[] = {{"count", Want::Index, nullptr, true},
                              {"indices", Want::Object, &kSparseIndicesShape, true},
                              {"values", Want::Object, &kSparseValuesShape, true}};
constexpr Shape kSparseShape{kSparse};
constexpr Member kAccessor[] = {{"bufferView", Want::Index},
                                {"byteOffset", Want::Size},
                                {"componentType", Want::Index, nullptr, true},
                                {"normalized", Want::Boolean},
                                {"count", Want::Size, nullptr, true},
                                {"type", Want::Text, nullptr, true},
                                {"max", Want::Numbers},
                                {"min", Want::Numbers},
                                {"sparse", Want::Object, &kSparseShape},
                                {"name", Want::Text}};
constexpr Shape kAccessorShape{kAccessor};

constexpr Member kTarget[] = {{"node", Want::Index}, {"path", Want::Text, nullptr, true}};
constexpr Shape kTargetShape{kTarget};
constexpr Member kChannel[] = {{"sampler", Want::Index, nullptr, true}, {"target", Want::Object, &kTargetShape, true}};
constexpr Shape kChannelShape{kChannel};
constexpr Member kAnimationSampler[] = {
    {"input", Want::Index, nullptr, true}, {"interpolation", Want::Text}, {"output", Want::Index, nullptr, true}};
constexpr Shape kAnimationSamplerShape{kAnimationSampler};
constexpr Member kAnimation[] = {{"channels", Want::Objects, &kChannelShape, true},
                                 {"samplers", Want::Objects, &kAnimationSamplerShape, true},
                                 {"name", Want::Text}};
constexpr Shape kAnimationShape{kAnimation};

constexpr Member kAsset[] = {{"copyright", Want::Text},
                             {"generator", Want::Text},
                             {"version", Want::Text, nullptr, true},
                             {"minVersion", Want::Text}};
constexpr Shape kAssetShape{kAsset};

constexpr Member kBuffer[] = {{"uri", Want::Text}, {"byteLength", Want::Size, nullptr, true}, {"name", Want::Text}};
constexpr Shape kBufferShape{kBuffer};
constexpr Member kBufferView[] = {{"buffer", Want::Index, nullptr, true},
                                  {"byteOffset", Want::Size},
                                  {"byteLength", Want::Size, nullptr, true},
                                  {"byteStride", Want::Index},
                                  {"target", Want::Index},
                                  {"name", Want::Text}};
constexpr Shape kBufferViewShape{kBufferView};
constexpr Member kImage[] = {
    {"uri", Want::Text}, {"mimeType", Want::Text}, {"bufferView", Want::Index}, {"name", Want::Text}};
constexpr Shape kImageShape{kImage};

constexpr Member kTextureTransform[] = {{"offset", Want::Numbers, nullptr, false, 2},
                                        {"rotation", Want::Number},
                                        {"scale", Want::Numbers, nullptr, false, 2},
                                        {"texCoord", Want::Index}};
constexpr Shape kTextureTransformShape{kTextureTransform};
constexpr Member kTextureExtensions[] = {{"KHR_texture_transform", Want::Object, &kTextureTransformShape}};
constexpr Shape kTextureExtensionsShape{kTextureExtensions};
constexpr Member kTextureInfo[] = {{"index", Want::Index, nullptr, true},
                                   {"texCoord", Want::Index},
                                   {"extensions", Want::Object, &kTextureExtensionsShape}};
constexpr Shape kTextureInfoShape{kTextureInfo};
constexpr Member kNormalTexture[] = {
    {"index", Want::Index, nullptr, true}, {"texCoord", Want::Index}, {"scale", Want::Number}};
constexpr Shape kNormalTextureShape{kNormalTexture};
constexpr Member kOcclusionTexture[] = {
    {"index", Want::Index, nullptr, true}, {"texCoord", Want::Index}, {"strength", Want::Number}};
constexpr Shape kOcclusionTextureShape{kOcclusionTexture};
constexpr Member kPbr[] = {{"baseColorFactor", Want::Numbers, nullptr, false, 4},
                           {"baseColorTexture", Want::Object, &kTextureInfoShape},
                           {"metallicFactor", Want::Number},
                           {"roughnessFactor", Want::Number},
                           {"metallicRoughnessTexture", Want::Object, &kTextureInfoShape}};
constexpr Shape kPbrShape{kPbr};
constexpr Member kSpecularGlossiness[] = {{"diffuseFactor", Want::Numbers, nullptr, false, 4},
                                          {"diffuseTexture", Want::Object, &kTextureInfoShape},
                                          {"glossinessFactor", Want::Number}};
constexpr Shape kSpecularGlossinessShape{kSpecularGlossiness};
constexpr Member kMaterialExtensions[] = {
    {"KHR_materials_pbrSpecularGlossiness", Want::Object, &kSpecularGlossinessShape}};
constexpr Shape kMaterialExtensionsShape{kMaterialExtensions};
constexpr Member kMaterial[] = {{"name", Want::Text},
                                {"pbrMetallicRoughness", Want::Object, &kPbrShape},
                                {"normalTexture", Want::Object, &kNormalTextureShape},
                                {"occlusionTexture", Want::Object, &kOcclusionTextureShape},
                                {"emissiveTexture", Want::Object, &kTextureInfoShape},
                                {"emissiveFactor", Want::Numbers, nullptr, false, 3},
                                {"alphaMode", Want::Text},
                                {"alphaCutoff", Want::Number},
                                {"doubleSided", Want::Boolean},
                                {"extensions", Want::Object, &kMaterialExtensionsShape}};
constexpr Shape kMaterialShape{kMaterial};

constexpr Member kPrimitive[] = {{"attributes", Want::IndexMap, nullptr, true},
                                 {"indices", Want::Index},
                                 {"material", Want::Index},
                                 {"mode", Want::Index},
                                 {"targets", Want::IndexMaps}};
constexpr Shape kPrimitiveShape{kPrimitive};
constexpr Member kMesh[] = {
    {"primitives", Want::Objects, &kPrimitiveShape, true}, {"weights", Want::Numbers}, {"name", Want::Text}};
constexpr Shape kMeshShape{kMesh};
constexpr Member kInstancing[] = {{"attributes", Want::IndexMap, nullptr, true}};
constexpr Shape kInstancingShape{kInstancing};
constexpr Member kNodeExtensions[] = {{"EXT_mesh_gpu_instancing", Want::Object, &kInstancingShape}};
constexpr Shape kNodeExtensionsShape{kNodeExtensions};
constexpr Member kNode[] = {{"camera", Want::Index},
                            {"children", Want::Indices},
                            {"skin", Want::Index},
                            {"matrix", Want::Numbers, nullptr, false, 16},
                            {"mesh", Want::Index},
                            {"rotation", Want::Numbers, nullptr, false, 4},
                            {"scale", Want::Numbers, nullptr, false, 3},
                            {"translation", Want::Numbers, nullptr, false, 3},
                            {"weights", Want::Numbers},
                            {"name", Want::Text},
                            {"extensions", Want::Object, &kNodeExtensionsShape}};
constexpr Shape kNodeShape{kNode};
constexpr Member kSampler[] = {{"magFilter", Want::Index},
                               {"minFilter", Want::Index},
                               {"wrapS", Want::Index},
                               {"wrapT", Want::Index},
                               {"name", Want::Text}};
constexpr Shape kSamplerShape{kSampler};
constexpr Member kScene[] = {{"nodes", Want::Indices}, {"name", Want::Text}};
constexpr Shape kSceneShape{kScene};
constexpr Member kSkin[] = {{"inverseBindMatrices", Want::Index},
                            {"skeleton", Want::Index},
                            {"joints", Want::Indices, nullptr, true},
                            {"name", Want::Text}};
constexpr Shape kSkinShape{kSkin};
constexpr Member kTexture[] = {{"sampler", Want::Index}, {"source", Want::Index}, {"name", Want::Text}};
constexpr Shape kTextureShape{kTexture};

constexpr Member kRoot[] = {{"extensionsUsed", Want::Texts},
                            {"extensionsRequired", Want::Texts},
                            {"accessors", Want::Objects, &kAccessorShape},
                            {"animations", Want::Objects, &kAnimationShape},
                            {"asset", Want::Object, &kAssetShape, true},
                            {"buffers", Want::Objects, &kBufferShape},
                            {"bufferViews", Want::Objects, &kBufferViewShape},
                            {"images", Want::Objects, &kImageShape},
                            {"materials", Want::Objects, &kMaterialShape},
                            {"meshes", Want::Objects, &kMeshShape},
                            {"nodes", Want::Objects, &kNodeShape},
                            {"samplers", Want::Objects, &kSamplerShape},
                            {"scene", Want::Index},
                            {"scenes", Want::Objects, &kSceneShape},
                            {"skins", Want::Objects, &kSkinShape},
                            {"textures", Want::Objects, &kTextureShape}};
constexpr Shape kRootShape{kRoot};

/// Members at the top whose values tinygltf shall not see, and where their texts go. It would load buffers and images;
/// through its DOM the others cost most of a conversion (FORMAT.md, section 2). Cameras and
/// lights are not read.
struct Hidden {
    std::string_view name;
    std::string_view CheckedHead::*text;
};
constexpr std::array<Hidden, 9> kHidden{{{"accessors", &CheckedHead::accessors},
                                         {"animations", &CheckedHead::animations},
                                         {"buffers", &CheckedHead::buffers},
                                         {"bufferViews", &CheckedHead::bufferViews},
                                         {"cameras", nullptr},
                                         {"extensions", nullptr},
                                         {"images", &CheckedHead::images},
                                         {"meshes", &CheckedHead::meshes},
                                         {"nodes", &CheckedHead::nodes}}};

const Hidden* hiddenMember(std::string_view key) {
    const auto* found = std::find_if(kHidden.begin(), kHidden.end(), [&](const Hidden& h) { return h.name == key; });
    return found == kHidden.end() ? nullptr : found;
}

class HeadChecker {
public:
    HeadChecker(std::string_view text, std::uint64_t base) : text_(text), base_(base), in_(text) {}

    CheckedHead check() {
        try {
            root();
        } catch (const FormatError& e) {
            // JsonReader counts from its text and knows no path.
            Defect defect = e.defect();
            defect.offset = defect.offset.value_or(0) + base_;
            if (!path_.empty()) defect.where.push_back({pathText(), ""});
            throw FormatError(std::move(defect));
        }
        head_.json.append(text_.substr(copied_));
        return std::move(head_);
    }

private:
    struct Step {
        std::string_view key;
        std::size_t index = 0;
    };

    std::string pathText() const {
        std::string text;
        for (const Step& step : path_)
            text += '/' + (step.key.empty() ? std::to_string(step.index) : printable(step.key));
        return text;
    }

    [[noreturn]] void fail(std::string detail) {
        throw FormatError({Severity::Error, "schema", in_.offset(), {}, std::move(detail)});
    }

    void root() {
        if (in_.peek() != JsonReader::Kind::Object) fail("a glTF file is a JSON object");
        std::uint32_t seen = 0;
        in_.beginObject();
        for (std::string key; in_.nextKey(key);) {
            const Hidden* hidden = hiddenMember(key);
            const std::uint64_t start = valueStart();
            inHidden_ = hidden != nullptr;
            member(kRootShape, key, seen);
            inHidden_ = false;
            if (hidden == nullptr) continue;
            const std::string_view value = hide(start);
            if (hidden->text != nullptr) head_.*hidden->text = value;
        }
        required(kRootShape, seen);
        in_.expectEnd();
    }

    std::uint64_t valueStart() {
        in_.peek();  // past the blanks before it
        return in_.offset();
    }

    /// Leaves the value that begins at `start` and was just read out of the copy; gives its text.
    std::string_view hide(std::uint64_t start) {
        const std::uint64_t end = in_.offset();
        head_.json.append(text_.substr(copied_, start - copied_));
        head_.json.push_back('0');
        copied_ = end;
        return text_.substr(start, end - start);
    }

    /// The extras of an item of an array at the top, as text; tinygltf would sort their keys.
    void extras() {
        const std::uint64_t start = valueStart();
        in_.skip();
        if (inHidden_ || path_.size() != 2) return;
        const std::string_view value = hide(start);
        if (path_[0].key == "materials") head_.materialExtras.push_back({path_[1].index, value});
    }

    void object(const Shape& shape) {
        if (in_.peek() != JsonReader::Kind::Object) fail("an object is expected");
        std::uint32_t seen = 0;
        in_.beginObject();
        for (std::string key; in_.nextKey(key);) member(shape, key, seen);
        required(shape, seen);
    }

    void required(const Shape& shape, std::uint32_t seen) {
        for (std::size_t i = 0; i < shape.members.size(); ++i) {
            const Member& member = shape.members[i];
            if (member.required && (seen >> i & 1) == 0) fail("\"" + std::string(member.name) + "\" is missing");
        }
    }

    void member(const Shape& shape, std::string_view key, std::uint32_t& seen) {
        for (std::size_t i = 0; i < shape.members.size(); ++i) {
            const Member& member = shape.members[i];
            if (member.name != key) continue;
            path_.push_back({member.name});
            if ((seen >> i & 1) != 0) fail("the member is there twice");
            seen |= std::uint32_t{1} << i;
            value(member);
            path_.pop_back();
            return;
        }
        if (key == "extras")
            extras();
        else
            in_.skip();
    }

    template <class Each>
    void array(Each each) {
        if (in_.peek() != JsonReader::Kind::Array) fail("an array is expected");
        in_.beginArray();
        for (std::size_t i = 0; in_.nextItem(); ++i) {
            path_.push_back({{}, i});
            each();
            path_.pop_back();
        }
    }

    void integer(std::uint64_t limit) {
        if (in_.peek() != JsonReader::Kind::Number) fail("an unsigned integer is expected");
        const std::string_view token = in_.raw();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
        if (error != std::errc{} || end != token.data() + token.size()) {
            fail(printable(token) + ", an unsigned integer is expected");
        }
        if (value > limit) fail(std::to_string(value) + " is out of range, the limit is " + std::to_string(limit));
    }

    void number() {
        if (in_.peek() != JsonReader::Kind::Number) fail("a number is expected");
        in_.number();
    }

    void text() {
        if (in_.peek() != JsonReader::Kind::Text) fail("a string is expected");
        in_.skip();
    }

    void indexMap() {
        if (in_.peek() != JsonReader::Kind::Object) fail("an object is expected");
        in_.beginObject();
        for (std::string key; in_.nextKey(key);) {
            mapKey_ = key;  // the path must outlive this loop when the value is refused
            path_.push_back({mapKey_});
            integer(kIndexLimit);
            path_.pop_back();
        }
    }

    void numbers(std::size_t length) {
        std::size_t count = 0;
        array([&] { number(), ++count; });
        if (length > 0 && count != length) {
            fail(std::to_string(count) + " numbers, " + std::to_string(length) + " are expected");
        }
    }

    void value(const Member& member) {
        switch (member.want) {
            case Want::Index:
                return integer(kIndexLimit);
            case Want::Size:
                return integer(kSizeLimit);
            case Want::Number:
                return number();
            case Want::Text:
                return text();
            case Want::Boolean:
                if (in_.peek() != JsonReader::Kind::Boolean) fail("true or false is expected");
                in_.boolean();
                return;
            case Want::Indices:
                return array([this] { integer(kIndexLimit); });
            case Want::Numbers:
                return numbers(member.length);
            case Want::Texts:
                return array([this] { text(); });
            case Want::Object:
                return object(*member.shape);
            case Want::Objects:
                return array([&] { object(*member.shape); });
            case Want::IndexMap:
                return indexMap();
            case Want::IndexMaps:
                return array([this] { indexMap(); });
        }
    }

    static constexpr std::uint64_t kIndexLimit = 0x7fffffff;
    static constexpr std::uint64_t kSizeLimit = std::uint64_t{1} << 53;

    std::string_view text_;
    std::uint64_t base_;
    JsonReader in_;
    CheckedHead head_;
    bool inHidden_ = false;   ///< in a value that tinygltf does not see
    std::size_t copied_ = 0;  ///< how much of the text is in head_.json or was left out
    std::vector<Step> path_;
    std::string mapKey_;
};

}  // namespace

CheckedHead checkHead(std::string_view text, std::uint64_t base) {
    return HeadChecker(text, base).check();
}

}  // namespace geomconv::gltf
