#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "exporters/json/json.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/same_scene.hpp"

namespace geomconv::json {
namespace {

ByteVector write(const Scene& scene) {
    MemoryOutput out;
    Defects defects;
    writeScene(scene, {}, out, defects);
    return out.takeMain();
}

Scene read(Bytes text, Defects& defects) {
    return readScene({"scene.json", text, {}, nullptr}, {}, defects);
}
Scene read(std::string_view text) {
    Defects defects;
    Scene scene = read(asBytes(text), defects);
    EXPECT_TRUE(defects.empty());
    return scene;
}

/// Scenes with something in every field, from a seed.
class Maker {
public:
    explicit Maker(unsigned seed) : random_(seed) {}

    Scene scene() {
        Scene s;
        s.source = {pick<std::string>({"sur", "glb", "obj"}), name(), extras()};
        s.space = {pick({UpAxis::X, UpAxis::Y, UpAxis::Z}), pick({Handedness::Right, Handedness::Left})};
        s.separateContents = often();
        fill(s.images, [&] { return image(); });
        fill(s.materials, [&] { return material(s); });
        fill(s.meshes, [&] { return mesh(s); });
        fill(s.hulls, [&] { return hull(); });
        const std::size_t nodes = 1 + below(5);
        for (std::size_t i = 0; i < nodes; ++i) s.nodes.push_back(node(s, i));
        fill(s.skins, [&] { return skin(s); });
        fill(s.animations, [&] { return animation(s); });
        return s;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    bool often() { return below(3) != 0; }
    template <class T>
    T pick(std::initializer_list<T> list) {
        return list.begin()[below(list.size())];
    }
    template <class T, class Make>
    void fill(std::vector<T>& list, Make make) {
        for (std::size_t n = below(4); n > 0; --n) list.push_back(make());
    }
    std::optional<std::uint32_t> index(std::size_t count) {
        if (count == 0 || below(3) == 0) return std::nullopt;
        return static_cast<std::uint32_t>(below(count));
    }

    /// Any finite float, half of them short decimals.
    float number() {
        if (below(2) == 0) return static_cast<float>(static_cast<int>(below(2001)) - 1000) / 64.0F;
        const float v = std::bit_cast<float>(static_cast<std::uint32_t>(random_()));
        return std::isfinite(v) ? v : -0.0F;
    }
    Vec2 vec2() { return {number(), number()}; }
    Vec3 vec3() { return {number(), number(), number()}; }
    Vec4 vec4() { return {number(), number(), number(), number()}; }
    Mat4 mat4() { return {vec4(), vec4(), vec4(), vec4()}; }
    template <class Make>
    auto some(std::size_t n, Make make) {
        std::vector<decltype(make())> list;
        for (std::size_t i = 0; i < n; ++i) list.push_back(make());
        return list;
    }
    std::string name() {
        return pick<std::string>({"", "plain", "Fl\xc3\xbcgel \"1\"", "tab\tline\nend", "back\\slash", "\x01\x7f",
                                  "\xf0\x9f\x9a\x80", "a/b.001#2"});
    }
    Extras extras() {
        return Extras::fromText(pick<std::string>(
            {"", "{}", "[1,2.50,1e3]", R"({"b":1,"a":{"text":"}\"]"}})", "\"text\"", "-0.0", "true"}));
    }

    Image image() {
        Image i;
        i.name = name();
        if (below(2) == 0) {
            i.uri = "away/" + name();
            return i;
        }
        i.mimeType = "image/jpeg";
        i.encoded = some(1 + below(50), [&] { return static_cast<std::uint8_t>(random_()); });
        i.width = static_cast<std::uint32_t>(below(100));
        return i;
    }
    Material material(const Scene& s) {
        Material m;
        m.name = name();
        m.baseColor = vec4();
        m.image = index(s.images.size());
        m.wrapU = pick({Wrap::Repeat, Wrap::Clamp, Wrap::Mirror});
        m.wrapV = pick({Wrap::Repeat, Wrap::Clamp, Wrap::Mirror});
        m.filter = pick({Filter::Unspecified, Filter::Nearest, Filter::Linear});
        m.alphaMode = pick({AlphaMode::Opaque, AlphaMode::Mask, AlphaMode::Blend});
        m.alphaCutoff = number();
        m.metallic = number();
        m.roughness = number();
        m.emissive = vec3();
        m.doubleSided = often();
        m.unlit = often();
        m.extras = extras();
        return m;
    }
    Primitive primitive(const Scene& s) {
        Primitive p;
        if (often()) p.name = name();
        p.topology = pick({Topology::Triangles, Topology::Lines, Topology::Points});
        p.material = index(s.materials.size());
        const std::size_t n = 1 + below(400);
        p.positions = some(n, [&] { return vec3(); });
        if (often()) p.normals = some(n, [&] { return vec3(); });
        if (often()) p.uvs = some(n, [&] { return vec2(); });
        if (often()) p.colors = some(n, [&] { return vec4(); });
        if (often()) p.tangents = some(n, [&] { return vec4(); });
        for (std::size_t sets = below(3); sets > 0; --sets) {
            const auto joint = [&] { return static_cast<std::uint16_t>(random_()); };
            p.influences.push_back({some(n,
                                         [&] {
                                             return std::array{joint(), joint(), joint(), joint()};
                                         }),
                                    some(n, [&] { return vec4(); })});
        }
        for (std::size_t targets = below(3); targets > 0; --targets) {
            p.targets.push_back({name(), some(n, [&] { return vec3(); }), {}});
            if (often()) p.targets.back().normals = some(n, [&] { return vec3(); });
        }
        p.indices = some(6 * below(100), [&] { return static_cast<std::uint32_t>(below(n)); });
        if (p.topology == Topology::Triangles && often()) p.faceSizes.assign(p.indices.size() / 6, 4);
        return p;
    }
    Mesh mesh(const Scene& s) {
        Mesh m;
        m.name = name();
        fill(m.primitives, [&] { return primitive(s); });
        std::uint32_t vertex = 0;
        std::uint32_t face = 0;
        for (Primitive& p : m.primitives) {
            p.modelVertices = some(p.positions.size(), [&] { return vertex++; });
            if (p.topology == Topology::Triangles) p.modelFaces = some(p.indices.size() / 3, [&] { return face++; });
        }
        m.weights = some(below(3), [&] { return number(); });
        m.extras = extras();
        return m;
    }
    Hull hull() {
        Hull h;
        h.name = name();
        if (often()) h.id = static_cast<std::uint32_t>(random_());
        h.type = pick({HullType::Terminal, HullType::Wrap, HullType::Box});
        const std::size_t n = 4 + below(20);
        h.points = some(n, [&] { return vec3(); });
        const auto corner = [&] { return static_cast<std::uint32_t>(below(n)); };
        h.triangles = some(below(20), [&] { return std::array{corner(), corner(), corner()}; });
        h.extras = extras();
        return h;
    }
    Node node(const Scene& s, std::size_t before) {
        Node n;
        n.name = name();
        n.parent = index(before);
        if (often()) {
            n.translation = vec3();
            n.rotation = glm::normalize(quat(0.1F, 0.2F, 0.3F, static_cast<float>(1 + below(10))));
            n.scale = vec3();
        } else {
            n.matrix = mat4();
        }
        n.mesh = index(s.meshes.size());
        if (!s.hulls.empty())
            n.hulls = some(below(3), [&] { return static_cast<std::uint32_t>(below(s.hulls.size())); });
        n.content = pick({Content::Render, Content::Collision, Content::Objects, Content::Shadow, Content::Helpers,
                          Content::Bounds});
        n.extras = extras();
        return n;
    }
    Skin skin(const Scene& s) {
        Skin k;
        k.name = name();
        k.joints = some(1 + below(4), [&] { return static_cast<std::uint32_t>(below(s.nodes.size())); });
        if (often()) k.inverseBindMatrices = some(k.joints.size(), [&] { return mat4(); });
        k.skeletonRoot = index(s.nodes.size());
        return k;
    }
    Animation animation(const Scene& s) {
        Animation a;
        a.name = name();
        fill(a.channels, [&] {
            Channel c;
            c.node = static_cast<std::uint32_t>(below(s.nodes.size()));
            c.path = pick({ChannelPath::Translation, ChannelPath::Rotation, ChannelPath::Scale, ChannelPath::Weights});
            c.interpolation = pick({Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline});
            const std::size_t keys = below(5);
            for (std::size_t k = 0; k < keys; ++k) c.times.push_back(0.1F * static_cast<float>(k));
            const std::size_t width = c.path == ChannelPath::Rotation ? 4 : c.path == ChannelPath::Weights ? 2 : 3;
            c.values =
                some(keys * width * (c.interpolation == Interpolation::CubicSpline ? 3 : 1), [&] { return number(); });
            return c;
        });
        a.extras = extras();
        return a;
    }

    std::mt19937 random_;
};

TEST(JsonRead, GivesBackEveryFieldOfEveryScene) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const Scene scene = Maker(seed).scene();
        ASSERT_EQ(test::sceneFaults(scene), std::vector<std::string>()) << seed;
        const ByteVector text = write(scene);
        Defects defects;
        const Scene back = read(text, defects);
        EXPECT_TRUE(defects.empty());
        ASSERT_EQ(test::sceneDifferences(scene, back), std::vector<std::string>()) << seed;
        ASSERT_EQ(write(back), text) << seed;
    }
}

TEST(JsonRead, PixelsComeBackAsThePngThatTheyWere) {
    Scene scene;
    scene.images.resize(1);
    scene.images[0].width = scene.images[0].height = 2;
    scene.source.format = "ccsf";
    scene.images[0].indexed = {0, 1, 1, 0};
    scene.images[0].palette = {{255, 0, 0, 255}, {0, 0, 255, 128}};
    const ByteVector text = write(scene);
    Defects defects;
    const Scene back = read(text, defects);
    EXPECT_EQ(back.images[0].mimeType, "image/png");
    EXPECT_TRUE(asText(back.images[0].encoded).starts_with("\x89PNG"));
    EXPECT_EQ(write(back), text);
}

constexpr std::string_view kHead = R"("geomconv": {"version": "9.9", "schema": 1})";

std::string with(std::string_view members) {
    return "{" + std::string(kHead) + ", " + std::string(members) + "}";
}

TEST(JsonRead, MembersMayMissAndStandInAnyOrder) {
    const Scene scene = read(
        "\xef\xbb\xbf {\"nodes\": [{\"mesh\": 0}], \"unknown\": [{\"a\": [1]}], \"meshes\": [{\"primitives\": "
        "[{\"indices\": [0, 1 ,2], \"positions\": [0,0,0,\n 1,0,0, 0,1,0]}]}], " +
        std::string(kHead) + "}");
    EXPECT_EQ(scene.source.format, "json");
    EXPECT_EQ(scene.nodes[0].scale, Vec3(1.0F));
    EXPECT_EQ(scene.meshes[0].primitives[0].positions[1], Vec3(1, 0, 0));
    EXPECT_EQ(read(with(R"("nodes": [{"parent": null, "mesh": null}])")).nodes[0].parent, std::nullopt);
}

TEST(JsonRead, ExtrasKeepTheirText) {
    const Scene scene = read(with(R"("nodes": [{"extras":  { "b" : 1.500, "a":[ ] } }])"));
    EXPECT_EQ(scene.nodes[0].extras.text(), R"({ "b" : 1.500, "a":[ ] })");
}

TEST(JsonRead, DropsNormalsAndUvsThatAreNotFinite) {
    Defects defects;
    const std::string text = with(
        R"("meshes": [{"name": "m", "primitives": [{"positions": [1,2,3], "normals": [null,0,1], "uvs": [0,0]}]}])");
    const Scene scene = read(asBytes(text), defects);
    EXPECT_TRUE(scene.meshes[0].primitives[0].normals.empty());
    EXPECT_EQ(scene.meshes[0].primitives[0].uvs.size(), 1U);
    EXPECT_EQ(defects.count("bad-normals"), 1U);
}

struct Bad {
    std::string_view shows;
    std::string text;
    std::string_view kind;
    std::string_view message;  ///< what the text of the error holds
};

TEST(JsonRead, RefusesWhatIsBrokenAndSaysWhere) {
    const std::string deep = std::string(100000, '[');
    const std::vector<Bad> cases{
        {"nothing", "", "json", "offset 0x0: an object expected"},
        {"an array", "[]", "json", "an object expected"},
        {"no head", "{\"nodes\": []}", "json", "no scene JSON"},
        {"a glTF", R"({"asset": {"version": "2.0"}})", "json", "no scene JSON"},
        {"cut", "{" + std::string(kHead) + ", \"nodes\": [{\"name\": \"a", "json",
         "name of node 0: the text ends inside a string"},
        {"a newer schema", R"({"geomconv": {"schema": 2}})", "schema", "schema 2, this version reads up to 1"},
        {"a dump", R"({"geomconv": {"schema": 1}, "document": "sur"})", "json", "a dump of a sur file is no scene"},
        {"trailing text", with("\"nodes\": []") + "x", "json", "value begins here"},
        {"wrong type", with(R"("nodes": [{}, {"name": 7}])"), "json", "name of node 1: a string expected"},
        {"a text among numbers", with(R"("meshes": [{"name": "wing", "primitives": [{"positions": [1,2,"3"]}]}])"),
         "json", "positions of primitive 0 of mesh 0 'wing': a number expected"},
        {"half a vector", with(R"("hulls": [{"points": [1,2,3,4]}])"), "json",
         "points of hull 0: the number of values is no multiple of 3"},
        {"a short translation", with(R"("nodes": [{"translation": [1,2]}])"), "json",
         "translation of node 0: 3 numbers expected"},
        {"a long matrix", with(R"("nodes": [{"matrix": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}])"), "json",
         "16 numbers expected"},
        {"a negative index", with(R"("nodes": [{"mesh": -1}])"), "json",
         "mesh of node 0: a whole number in range expected"},
        {"an index of 2^32", with(R"("nodes": [{"mesh": 4294967296}])"), "json", "a whole number in range expected"},
        {"a broken index", with(R"("meshes": [{"primitives": [{"indices": [0,1.5,2]}]}])"), "json",
         "indices of primitive 0"},
        {"1e400", with(R"("hulls": [{"points": [1e400,0,0]}])"), "json", "too large"},
        {"beyond float", with(R"("hulls": [{"points": [4e38,0,0]}])"), "json", "too large"},
        {"NaN", with(R"("hulls": [{"points": [NaN,0,0]}])"), "json", "a number expected"},
        {"a leading zero", with(R"("hulls": [{"points": [01,0,0]}])"), "json", "comma expected"},
        {"a bare point", with(R"("hulls": [{"points": [.5,0,0]}])"), "json", "a number expected"},
        {"a point without decimals", with(R"("hulls": [{"points": [5.,0,0]}])"), "json", "a number expected"},
        {"an unknown word", with(R"("space": {"up": "w"})"), "json", "up of space: 'w' is no word that is known here"},
        {"deep nesting", with("\"x\": " + deep), "json", "nested deeper than"},
        {"deep extras", with("\"nodes\": [{\"extras\": " + deep + "}]"), "json",
         "extras of node 0: nested deeper than"},
        {"base64 junk", with(R"("images": [{"data": "a?"}])"), "base64", "data of image 0: this is no base64"},
        {"null in a position", with(R"("meshes": [{"primitives": [{"positions": [null,0,0]}]}])"), "nonfinite",
         "primitive 0 of mesh 0: position 0 is not finite"},
        {"a vertex out of range", with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "indices": [0,0,1]}]}])"),
         "index-range", "primitive 0 of mesh 0: vertex 1 of 1"},
        {"two indices of a triangle", with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "indices": [0,0]}]}])"),
         "array-length", "2 indices are no whole number of elements"},
        {"faces of other triangles",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "indices": [0,0,0], "faceSizes": [4]}]}])"),
         "array-length", "faces of 6 indices, there are 3"},
        {"a face of two corners",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "indices": [], "faceSizes": [2]}]}])"),
         "array-length", "a face of 2 corners"},
        {"too few model vertices",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0,1,1,1], "modelVertices": [0]}]}])"), "array-length",
         "1 model vertices for 2 vertices"},
        {"a model vertex out of range",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "modelVertices": [1]}]}])"), "index-range",
         "mesh 0: model vertex 1 of 1"},
        {"a model vertex at two places",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0,1,1,1], "modelVertices": [1,1]}]}])"), "model-vertex",
         "mesh 0: model vertex 1 has two positions"},
        {"too few model faces",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "indices": [0,0,0,0,0,0], "modelFaces": [0]}]}])"),
         "array-length", "1 model faces for 6 indices"},
        {"model faces of lines",
         with(
             R"("meshes": [{"primitives": [{"topology": "lines", "positions": [0,0,0], "indices": [0,0,0,0,0,0], "modelFaces": [0,1]}]}])"),
         "model-face", "model faces of what is no triangles"},
        {"a model face out of range",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "indices": [0,0,0], "modelFaces": [1]}]}])"),
         "index-range", "mesh 0: model face 1 of 1"},
        {"a model face twice",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "indices": [0,0,0,0,0,0], "modelFaces": [1,1]}]}])"),
         "model-face", "mesh 0: model face 1 stands twice"},
        {"model faces that fall",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "indices": [0,0,0,0,0,0], "modelFaces": [1,0]}]}])"),
         "model-face", "mesh 0: model face 0 stands behind a later one"},
        {"too few normals", with(R"("meshes": [{"primitives": [{"positions": [0,0,0,1,1,1], "normals": [0,0,1]}]}])"),
         "array-length", "1 normals for 2 vertices"},
        {"weights without joints",
         with(R"("meshes": [{"primitives": [{"positions": [0,0,0], "weights": [1,0,0,0]}]}])"), "json",
         "0 joints and 1 weights for 1 vertex"},
        {"a mesh out of range", with(R"("nodes": [{"name": "n", "mesh": 0}])"), "index-range",
         "node 0 'n': mesh 0 of 0"},
        {"its own parent", with(R"("nodes": [{"parent": 0}])"), "node-cycle", "its own ancestor"},
        {"a cycle", with(R"("nodes": [{"parent": 1}, {"parent": 2}, {"parent": 0}])"), "node-cycle",
         "its own ancestor"},
        {"a material out of range", with(R"("meshes": [{"primitives": [{"material": 3}]}])"), "index-range",
         "material 3 of 0"},
        {"an image out of range", with(R"("materials": [{"image": 0}])"), "index-range", "material 0: image 0 of 0"},
        {"a joint out of range", with(R"("skins": [{"joints": [5]}])"), "index-range", "skin 0: joint 5 of 0"},
        {"a channel without node", with(R"("animations": [{"channels": [{"node": 0}]}])"), "index-range",
         "channel 0 of animation 0: node 0 of 0"},
        {"keys that do not match",
         with(R"("nodes": [{}], "animations": [{"channels": [{"times": [0], "values": [1,2]}]}])"), "key-count",
         "2 values for 1 times"},
        {"times that fall",
         with(R"("nodes": [{}], "animations": [{"channels": [{"times": [1,0], "values": [1,2,3,4,5,6]}]}])"),
         "key-order", "time 1"},
    };
    for (const Bad& bad : cases) {
        try {
            Defects defects;
            read(asBytes(bad.text), defects);
            ADD_FAILURE() << bad.shows << " was read";
        } catch (const FormatError& e) {
            EXPECT_EQ(e.defect().kind, bad.kind) << bad.shows << ": " << e.what();
            EXPECT_NE(std::string(e.what()).find(bad.message), std::string::npos) << bad.shows << ": " << e.what();
        }
    }
}

TEST(JsonRead, ATextCutAnywhereIsRefused) {
    const ByteVector text = write(Maker(3).scene());
    ASSERT_LT(text.size(), 400000U);
    const std::size_t end = text.size() - 2;  // the last brace and its line end
    for (std::size_t n = 0; n < end; n += 1 + n / 50) {
        Defects defects;
        EXPECT_THROW(read(ByteVector(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(n)), defects),
                     FormatError)
            << n;
    }
}

TEST(JsonProbe, KnowsItsHead) {
    EXPECT_EQ(probe(write(Scene{}), "-"), Confidence::Certain);
    EXPECT_EQ(probe(asBytes(R"({"geomconv": {"schema": 1}, "document": "sur", "par)"), "-"), Confidence::Certain);
    EXPECT_EQ(probe(asBytes("{}"), "x.json"), Confidence::Maybe);
    EXPECT_EQ(probe(asBytes("{}"), "x.gltf"), Confidence::No);
    EXPECT_EQ(probe(asBytes("v 1 2 3"), "x.json"), Confidence::No);
    EXPECT_EQ(probe({}, "x.json"), Confidence::No);
}

}  // namespace
}  // namespace geomconv::json
