#include "formats/ccsf/animation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>

#include "lib/scene/transform.hpp"
#include "tests/support/ccsf_builder.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/unit/ccsf/vectors.hpp"

namespace geomconv::ccsf {
namespace {

using nlohmann::json;
using test::CcsfBuilder;
using test::ccsfVectors;

/// The value of a channel at a time in seconds, as a viewer of glTF computes it. The vectors' times are exact frames:
/// of two keys at a jump the earlier shows at the frame itself, of records that hold the later. Channels have times in
/// floats, which lie a bit beside; so a little before or behind is looked at.
std::vector<double> valueAt(const Channel& channel, double time) {
    time += channel.interpolation == Interpolation::Step ? 3e-6 : -3e-6;
    const std::size_t width = channel.values.size() / channel.times.size();
    std::size_t next = 0;
    while (next < channel.times.size() && channel.times[next] <= time) ++next;
    const auto key = [&](std::size_t i) {
        const auto first = channel.values.begin() + static_cast<std::ptrdiff_t>(i * width);
        return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(width));
    };
    if (next == 0) return key(0);
    if (next == channel.times.size() || channel.interpolation == Interpolation::Step) return key(next - 1);
    const double from = channel.times[next - 1];
    const double part = (time - from) / (channel.times[next] - from);
    const std::vector<double> a = key(next - 1);
    const std::vector<double> b = key(next);
    std::vector<double> out(width);
    if (channel.path == ChannelPath::Rotation) {
        const Quatd q = glm::slerp(Quatd(a[3], a[0], a[1], a[2]), Quatd(b[3], b[0], b[1], b[2]), part);
        return {q.x, q.y, q.z, q.w};
    }
    for (std::size_t i = 0; i < width; ++i) out[i] = a[i] + (b[i] - a[i]) * part;
    return out;
}

/// The scene's nodes as an animation has them at a time in frames.
Scene played(const Scene& scene, const Animation& animation, double frame, double fps = 30.0) {
    Scene out = scene;
    for (const Channel& channel : animation.channels) {
        Node& node = out.nodes.at(channel.node);
        const std::vector<double> v = valueAt(channel, frame / fps);
        const auto f = [&](std::size_t i) { return static_cast<float>(v[i]); };
        if (channel.path == ChannelPath::Translation) node.translation = {f(0), f(1), f(2)};
        if (channel.path == ChannelPath::Rotation) node.rotation = quat(f(0), f(1), f(2), f(3));
        if (channel.path == ChannelPath::Scale) node.scale = {f(0), f(1), f(2)};
    }
    return out;
}

const Animation* animationNamed(const Scene& scene, std::string_view name) {
    const auto is = [&](const Animation& a) { return a.name == name; };
    const auto found = std::find_if(scene.animations.begin(), scene.animations.end(), is);
    return found != scene.animations.end() ? &*found : nullptr;
}
const Node* nodeNamed(const Scene& scene, std::string_view name) {
    const auto is = [&](const Node& n) { return n.name == name; };
    const auto found = std::find_if(scene.nodes.begin(), scene.nodes.end(), is);
    return found != scene.nodes.end() ? &*found : nullptr;
}

void expectNear(double got, double wanted, double tolerance, const std::string& what) {
    EXPECT_LE(std::abs(got - wanted), tolerance * std::max(1.0, std::abs(wanted)))
        << what << ": " << got << " for " << wanted;
}

Scene sceneOf(const ByteVector& bytes, Defects& defects, const SceneOptions& options = {}) {
    return toScene(read(bytes, false, defects), options, defects);
}

TEST(CcsfAnimations, MoveNodesAsTheSidecarsSay) {
    std::size_t samples = 0;
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Scene scene = sceneOf(v.bytes, defects);
        EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>());
        for (const json& e : v.sidecar.value("animations", json::array())) {
            const std::string name = e["name"];
            SCOPED_TRACE(name);
            const Animation* animation = animationNamed(scene, name);
            if (animation == nullptr) {
                EXPECT_TRUE(e["tracks"].empty());
                continue;
            }
            const auto extras = animation->extras.value();
            EXPECT_EQ(extras["loop"], e["loop"]);
            EXPECT_EQ(extras["frames"], e["frames"]);
            for (const json& track : e["tracks"]) {
                const std::string target = track["target"];
                if (nodeNamed(scene, target) == nullptr) continue;
                for (const json& sample : track["samples"]) {
                    ++samples;
                    const Scene at = played(scene, *animation, sample["time"]);
                    const Node& node = *nodeNamed(at, target);
                    const std::string what = target + " at " + sample["time"].dump();
                    double dot = 0.0;
                    for (int k = 0; k < 4; ++k) {
                        const auto i = static_cast<std::size_t>(k);
                        dot += static_cast<double>(node.rotation[k]) * sample["rotation"][i].get<double>();
                        if (k == 3) break;
                        expectNear(static_cast<double>(node.translation[k]), sample["translation"][i], 2e-3, what);
                        expectNear(static_cast<double>(node.scale[k]), sample["scale"][i], 1e-4, what);
                    }
                    EXPECT_GT(std::abs(dot), 1.0 - 1e-6) << what;
                }
            }
        }
    }
    EXPECT_GT(samples, 0U);
    std::cout << "[          ] " << samples << " samples\n";
}

TEST(CcsfAnimations, MoveEveryVertexOfSkinsAndNodes) {
    std::size_t vertices = 0;
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Document document = read(v.bytes, false, defects);
        const Scene scene = toScene(document, {}, defects);
        for (const json& pose : v.sidecar.value("poses", json::array())) {
            const Animation* animation = animationNamed(scene, pose["source"].get<std::string>());
            if (animation == nullptr) continue;
            SCOPED_TRACE(pose["source"].get<std::string>() + " at " + pose["time"].dump());
            const Scene at = played(scene, *animation, pose["time"]);
            const auto worlds = worldMatrices(at);
            for (std::size_t n = 0; n < at.nodes.size(); ++n) {
                if (!pose["world"].contains(at.nodes[n].name)) continue;
                const json& wanted = pose["world"][at.nodes[n].name];
                for (int cell = 0; cell < 16; ++cell)
                    expectNear(worlds[n][cell % 4][cell / 4], wanted[static_cast<std::size_t>(cell)], 2e-3,
                               at.nodes[n].name);
            }
            for (std::size_t n = 0; n < at.nodes.size(); ++n) {
                // Without enough pairs the pose that entries were made in cannot be known (FORMAT.md 7.1).
                if (!at.nodes[n].mesh || !at.nodes[n].skin || !v.sidecar.contains("bind_world")) continue;
                const Skin& skin = at.skins[*at.nodes[n].skin];
                const auto is = [&](const Model& m) { return document.nameOf(m.object) == at.nodes[n].name; };
                const auto model = std::find_if(document.models.begin(), document.models.end(), is);
                ASSERT_NE(model, document.models.end());
                for (const Primitive& p : at.meshes[*at.nodes[n].mesh].primitives) {
                    const json* wanted = nullptr;
                    for (const json& e : pose["posed"]) {
                        const std::string start = e["model"].get<std::string>() + "." + e["mmat"].dump() + ".";
                        if (p.name.starts_with(start)) wanted = &e["positions"];
                    }
                    ASSERT_NE(wanted, nullptr) << p.name;
                    ASSERT_EQ(wanted->size(), p.positions.size());
                    for (std::size_t i = 0; i < p.positions.size(); ++i, ++vertices) {
                        Mat4d m(0.0);
                        for (const Influences& set : p.influences) {
                            for (int k = 0; k < 4; ++k) {
                                const std::size_t j = set.joints[i][static_cast<std::size_t>(k)];
                                m += worlds[skin.joints[j]] * Mat4d(skin.inverseBindMatrices[j]) *
                                     static_cast<double>(set.weights[i][k]);
                            }
                        }
                        const Vec3d got(m * glm::dvec4(Vec3d(p.positions[i]), 1.0));
                        const Vec3d want((*wanted)[i][0], (*wanted)[i][1], (*wanted)[i][2]);
                        // Entries are rounded to units; what they were made from is known to two or three of them.
                        EXPECT_LE(glm::length(got - want), 3.0 * model->unit() + 2e-3 * (1.0 + glm::length(want)))
                            << p.name << " vertex " << i;
                    }
                }
            }
        }
    }
    EXPECT_GT(vertices, 0U);
    std::cout << "[          ] " << vertices << " skinned vertices\n";
}

TEST(CcsfAnimations, SetMorphWeightsAsTheSidecarsSay) {
    std::size_t records = 0;
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Scene scene = sceneOf(v.bytes, defects);
        for (const json& e : v.sidecar.value("animations", json::array())) {
            for (const json& weights : e["weights"]) {
                const Animation* animation = animationNamed(scene, e["name"].get<std::string>());
                ASSERT_NE(animation, nullptr);
                const auto is = [](const Channel& c) { return c.path == ChannelPath::Weights; };
                const auto channel = std::find_if(animation->channels.begin(), animation->channels.end(), is);
                ASSERT_NE(channel, animation->channels.end());
                EXPECT_EQ(channel->interpolation, Interpolation::Step);
                EXPECT_EQ(valueAt(*channel, 0.0), (std::vector<double>{0.0, 0.0}));
                for (const json& record : weights["records"]) {
                    ++records;
                    for (const double later : {0.0, 0.9}) {
                        const auto got = valueAt(*channel, (record["frame"].get<double>() + later) / 30.0);
                        ASSERT_EQ(got.size(), record["weights"].size());
                        for (std::size_t i = 0; i < got.size(); ++i)
                            EXPECT_FLOAT_EQ(static_cast<float>(got[i]), record["weights"][i].get<float>());
                    }
                }
            }
        }
    }
    EXPECT_GT(records, 0U);
}

TEST(CcsfAnimations, AFrameSectionIsOneToo) {
    const auto& v = test::ccsfVector("frames_v100.ccs");
    Defects defects;
    const Scene scene = sceneOf(v.bytes, defects);
    const Animation* frames = animationNamed(scene, "frames");
    ASSERT_NE(frames, nullptr);
    std::size_t matrices = 0;
    for (const json& pose : v.sidecar["poses"]) {
        if (pose["source"] != "frames") continue;
        const Scene at = played(scene, *frames, pose["time"]);
        const auto worlds = worldMatrices(at);
        for (std::size_t n = 0; n < at.nodes.size(); ++n) {
            if (!pose["world"].contains(at.nodes[n].name)) continue;
            ++matrices;
            for (int cell = 0; cell < 16; ++cell) {
                expectNear(worlds[n][cell % 4][cell / 4],
                           pose["world"][at.nodes[n].name][static_cast<std::size_t>(cell)], 2e-3, at.nodes[n].name);
            }
        }
    }
    EXPECT_GT(matrices, 0U);
}

/// An Anime of object records: object, flags and the words of their controllers.
void anime(CcsfBuilder& b, std::uint32_t object, std::uint32_t frames,
           const std::vector<std::vector<std::uint32_t>>& records, std::int32_t end = -1) {
    ByteWriter p;
    const auto record = [&p](std::uint16_t kind, const std::vector<std::uint32_t>& words) {
        p.u16(kind);
        p.u16(0xcccc);
        p.u32(static_cast<std::uint32_t>(words.size()));
        for (const std::uint32_t word : words) p.u32(word);
    };
    std::uint32_t words = 6;
    for (const auto& r : records) words += 2 + static_cast<std::uint32_t>(r.size());
    p.u32(object);
    p.u32(frames);
    p.u32(words);
    record(0xff01, {0});
    for (const auto& r : records) record(0x0102, r);
    record(0xff01, {static_cast<std::uint32_t>(end)});
    b.chunk(0x0700, p);
}
std::uint32_t bits(float v) {
    std::uint32_t out = 0;
    std::memcpy(&out, &v, 4);
    return out;
}

TEST(CcsfAnimations, JumpsBackwardKeysAndWhatIsNoNumber) {
    CcsfBuilder b(0x100);
    const auto obj = b.object("OBJ_a");
    const auto elsewhere = b.object("OBJ_gone");
    const auto name = b.object("ANM_a");
    b.obj(obj, 0, 0);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<std::uint32_t> keys{obj, 2, 6};
    for (const auto& [frame, x] : {std::pair(2U, 1.0F), std::pair(4U, 3.0F), std::pair(4U, 5.0F), std::pair(4U, 7.0F),
                                   std::pair(6U, nan), std::pair(5U, 9.0F)})
        keys.insert(keys.end(), {frame, bits(x), 0, 0});
    anime(b, name, 11, {{elsewhere, 1, 0, 0, 0}, keys, {obj, 1, bits(8.0F), 0, 0}}, -2);
    Defects defects;
    const Scene scene = sceneOf(b.file(), defects);
    ASSERT_EQ(scene.animations.size(), 1U);
    const Channel& moves = scene.animations[0].channels.at(0);
    ASSERT_EQ(moves.path, ChannelPath::Translation);
    const auto x = [&](double frame) { return valueAt(moves, frame / 30.0)[0]; };
    EXPECT_NEAR(x(0), 1.0, 1e-4);
    EXPECT_NEAR(x(3), 2.0, 1e-4);
    EXPECT_NEAR(x(4), 3.0, 1e-3);
    EXPECT_NEAR(x(4.01), 7.0, 0.1);
    EXPECT_NEAR(x(6), 0.0, 1e-3);   // what is no number
    EXPECT_NEAR(x(10), 0.0, 1e-3);  // the key behind it goes back in time
    EXPECT_EQ(defects.count("nonfinite"), 1U);
    float last = 0.0F;
    for (const Channel& channel : scene.animations[0].channels) {
        EXPECT_EQ(channel.node, 0U);
        last = std::max(last, channel.times.back());
    }
    EXPECT_FLOAT_EQ(last, 10.0F / 30.0F);  // eleven frames, though the last key is on the seventh
    EXPECT_EQ(scene.animations[0].extras.value()["loop"], true);
}

TEST(CcsfAnimations, ComeAsAskedFor) {
    CcsfBuilder b(0x100);
    const auto obj = b.object("OBJ_a");
    const auto one = b.object("ANM_one");
    const auto two = b.object("ANM_two");
    b.obj(obj, 0, 0);
    for (const auto name : {one, two}) anime(b, name, 2, {{obj, 2, 2, 0, 0, 0, 0, 1, bits(1.0F), 0, 0}});
    const ByteVector file = b.file();
    Defects defects;
    const auto names = [&](std::string_view asked) {
        SceneOptions options;
        options.animations = parseAnimations(asked);
        std::string out;
        for (const Animation& a : sceneOf(file, defects, options).animations) out += a.name + " ";
        return out;
    };
    EXPECT_EQ(names("all"), "ANM_one ANM_two ");
    EXPECT_EQ(names("none"), "");
    EXPECT_EQ(names("ANM_two"), "ANM_two ");
    EXPECT_EQ(names("ANM_two,ANM_one"), "ANM_one ANM_two ");
    EXPECT_THROW(names("ANM_three"), FormatError);
    SceneOptions slow;
    slow.animations.fps = 10.0;
    EXPECT_FLOAT_EQ(sceneOf(file, defects, slow).animations[0].channels[0].times[1], 0.1F);
}

TEST(CcsfAnimations, NodesOfAClumpThatIsDrivenInPartRest) {
    CcsfBuilder b(0x100);
    const auto clump = b.object("CMP_a");
    const auto first = b.object("OBJ_first");
    const auto second = b.object("OBJ_second");
    const auto other = b.object("OBJ_other");
    const auto all = b.object("ANM_all_nut");
    const auto part = b.object("ANM_part");
    for (const auto obj : {first, second, other}) b.obj(obj, 0, 0);
    ByteWriter p;
    for (const std::uint32_t word : {clump, 2U, first, second}) p.u32(word);
    b.chunk(0x0900, p);
    const auto at = [](std::uint32_t obj, float x) { return std::vector<std::uint32_t>{obj, 1, bits(x), 0, 0}; };
    anime(b, all, 2, {at(first, 1.0F), at(second, 2.0F), at(other, 3.0F)});
    anime(b, part, 2, {at(first, 4.0F)});
    Defects defects;
    const Scene scene = sceneOf(b.file(), defects);
    EXPECT_EQ(nodeNamed(scene, "OBJ_second")->translation.x, 2.0F);
    const Scene at0 = played(scene, *animationNamed(scene, "ANM_part"), 0.0);
    EXPECT_EQ(nodeNamed(at0, "OBJ_first")->translation.x, 4.0F);
    EXPECT_EQ(nodeNamed(at0, "OBJ_second")->translation.x, 0.0F);
    EXPECT_EQ(nodeNamed(at0, "OBJ_other")->translation.x, 3.0F);
}

TEST(CcsfAnimations, FewBytesDoNotAskForManyChannels) {
    // Each of many animations drives one node of a clump of many, so that all others would rest in each.
    CcsfBuilder b(0x100);
    std::vector<std::uint32_t> nodes;
    for (int i = 0; i < 3000; ++i) nodes.push_back(b.object("OBJ"));
    const auto clump = b.object("CMP");
    const auto name = b.object("ANM");
    for (const auto node : nodes) b.obj(node, 0, 0);
    ByteWriter p;
    p.u32(clump);
    p.u32(static_cast<std::uint32_t>(nodes.size()));
    for (const auto node : nodes) p.u32(node);
    b.chunk(0x0900, p);
    std::vector<std::vector<std::uint32_t>> everything;
    for (const auto node : nodes) everything.push_back({node, 1, bits(1.0F), 0, 0});
    anime(b, name, 1, everything);
    for (int i = 0; i < 3000; ++i) anime(b, name, 1, {{nodes[0], 1, bits(2.0F), 0, 0}});
    const ByteVector file = b.file();
    Defects defects;
    const Scene scene = sceneOf(file, defects);
    EXPECT_GT(defects.count("animation-size"), 0U);
    std::size_t channels = 0;
    for (const Animation& a : scene.animations) channels += a.channels.size();
    EXPECT_LT(channels, file.size());
}

}  // namespace
}  // namespace geomconv::ccsf
