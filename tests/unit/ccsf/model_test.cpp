#include "formats/ccsf/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "formats/ccsf/geometry.hpp"
#include "formats/ccsf/image.hpp"
#include "formats/ccsf/morph.hpp"
#include "formats/ccsf/pose.hpp"
#include "lib/scene/transform.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/sha256.hpp"
#include "tests/unit/ccsf/vectors.hpp"

namespace geomconv::ccsf {
namespace {

using nlohmann::json;
using test::ccsfVectors;

json nameOrNull(const Document& d, std::uint32_t object) {
    const std::string_view name = d.nameOf(object);
    return name.empty() ? json(nullptr) : json(name);
}

json rawPositions(const Mmat& m) {
    json out = json::array();
    for (std::size_t i = 0; i < m.vertexCount; ++i) out.push_back(rawPosition(m, i));
    return out;
}
json rawNormals(const Mmat& m) {
    if (m.normals.empty() && m.vertexCount > 0) return nullptr;
    json out = json::array();
    for (std::size_t i = 0; i < m.vertexCount; ++i) out.push_back(rawNormal(m, i));
    return out;
}
json rawSts(const Mmat& m) {
    if (m.st.empty() && m.vertexCount > 0) return nullptr;
    json out = json::array();
    for (std::size_t i = 0; i < m.vertexCount; ++i) out.push_back(rawSt(m, i));
    return out;
}
json triples(const std::vector<std::uint32_t>& indices) {
    json out = json::array();
    for (std::size_t i = 0; i < indices.size(); i += 3) out.push_back({indices[i], indices[i + 1], indices[i + 2]});
    return out;
}
json weights(const Model& model, const Mmat& m) {
    json vertices = json::array();
    json open = json::array();
    for (std::uint32_t i = 0; i < m.offsetNum; ++i) {
        const SkinEntry e = skinEntry(model, m, i);
        open.push_back({clumpSlot(model, e.slot).value_or(e.slot), e.weight, e.position, rawNormal(m, i)});
        if (!e.last) continue;
        vertices.push_back(open);
        open = json::array();
    }
    return vertices;
}

void expectNear(double got, double wanted, double tolerance, const std::string& what) {
    EXPECT_LE(std::abs(got - wanted), tolerance * std::max(1.0, std::abs(wanted)))
        << what << ": " << got << " for " << wanted;
}
void expectNear(const Vec3& got, const json& wanted, double tolerance, const std::string& what) {
    for (int i = 0; i < 3; ++i) expectNear(got[i], wanted[static_cast<std::size_t>(i)], tolerance, what);
}

bool topFirstFor(const Document& d, const Mmat& mmat) {
    for (const Material& m : d.materials) {
        if (m.object != mmat.material) continue;
        for (const Texture& t : d.textures) {
            if (t.object == m.texture) return t.topFirst();
        }
    }
    return false;
}

void expectMmat(const Document& d, const Model& model, std::size_t k, const json& e) {
    const Mmat& m = model.mmats[k];
    SCOPED_TRACE("mmat " + std::to_string(k));
    EXPECT_EQ(mmatKindName(m.kind), e["kind"]);
    EXPECT_EQ(m.vertexCount, e["vertex_count"]);
    if (e.contains("name")) {
        EXPECT_EQ(nameOrNull(d, m.name), e["name"]);
    }
    if (e.contains("material")) {
        EXPECT_EQ(nameOrNull(d, m.material), e["material"]);
    }
    if (e.contains("slot")) {
        EXPECT_EQ(clumpSlot(model, m.node), e["slot"].get<std::uint32_t>());
    }
    if (e.contains("positions_raw")) {
        EXPECT_EQ(rawPositions(m), e["positions_raw"]);
    }
    if (e.contains("normals_raw")) {
        EXPECT_EQ(rawNormals(m), e["normals_raw"]);
    }
    if (e.contains("st_raw")) {
        EXPECT_EQ(rawSts(m), e["st_raw"]);
    }
    if (e.contains("weights")) {
        EXPECT_EQ(weights(model, m), e["weights"]);
    }
    if (e.contains("colours_raw")) {
        json colours = nullptr;
        if (!m.colours.empty() && !model.lit()) {
            colours = json::array();
            for (std::size_t i = 0; i < m.vertexCount; ++i)
                colours.push_back(load<std::array<std::uint8_t, 4>>(m.colours, 4 * i));
        }
        EXPECT_EQ(colours, e["colours_raw"]);
    }
    if (m.kind == MmatKind::Shadow) {
        json stored = json::array();
        for (std::size_t i = 0; i < m.triangles.size(); i += 12)
            stored.push_back(load<std::array<std::int32_t, 3>>(m.triangles, i));
        EXPECT_EQ(stored, e["triangles"]);
        return;
    }
    const std::vector<std::uint8_t> flags = stripFlags(model, m);
    if (e.contains("flags")) {
        EXPECT_EQ(m.normals.empty() && m.vertexCount > 0 ? json(nullptr) : json(flags), e["flags"]);
    }
    EXPECT_EQ(triples(trianglesOf(flags, d.version()).indices), e["triangles"]);
    if (e.contains("triangles_auto")) {
        EXPECT_EQ(triples(storedTriangles(m, flags, d.version(), Winding::Auto).indices), e["triangles_auto"]);
    }
    if (e.contains("texcoord_gltf")) {
        const auto uvs = textureCoordinates(m, topFirstFor(d, m));
        ASSERT_EQ(uvs.size(), e["texcoord_gltf"].size());
        for (std::size_t i = 0; i < uvs.size(); ++i) {
            expectNear(uvs[i].x, e["texcoord_gltf"][i][0], 1e-6, "u");
            expectNear(uvs[i].y, e["texcoord_gltf"][i][1], 1e-6, "v");
        }
    }
}

TEST(CcsfModels, AreWhatTheirSidecarsSay) {
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Document d = read(v.bytes, false, defects);
        ASSERT_EQ(d.models.size(), v.sidecar["models"].size());
        for (std::size_t i = 0; i < d.models.size(); ++i) {
            const Model& model = d.models[i];
            const json& e = v.sidecar["models"][i];
            SCOPED_TRACE(e["name"].get<std::string>());
            EXPECT_EQ(nameOrNull(d, model.object), e["name"]);
            EXPECT_EQ(model.object, e["object"]);
            EXPECT_EQ(model.vertexScale, e["vertex_scale"].get<float>());
            EXPECT_EQ(model.mtype, e["mtype"]);
            EXPECT_EQ(model.flag, e["flag"]);
            EXPECT_EQ(model.blend(), e["blend"]);
            EXPECT_EQ(model.zoffs, e["zoffs"]);
            const auto box = storedBox(model);
            const json corners = box ? json::array({box->min, box->max}) : json(nullptr);
            EXPECT_EQ(corners, e["bbox_raw"]);
            ASSERT_EQ(model.mmats.size(), e["mmats"].size());
            for (std::size_t k = 0; k < model.mmats.size(); ++k) expectMmat(d, model, k, e["mmats"][k]);
        }
    }
}

TEST(CcsfTextures, HaveThePixelsThatTheirHashesName) {
    std::size_t levels = 0;
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Document d = read(v.bytes, false, defects);
        ASSERT_EQ(d.textures.size(), v.sidecar["textures"].size());
        for (std::size_t i = 0; i < d.textures.size(); ++i) {
            const Texture& t = d.textures[i];
            const json& e = v.sidecar["textures"][i];
            SCOPED_TRACE(e["name"].get<std::string>());
            EXPECT_EQ(nameOrNull(d, t.object), e["name"]);
            EXPECT_EQ(nameOrNull(d, t.clut), e["clut"]);
            EXPECT_EQ(t.psm, e["psm"]);
            EXPECT_EQ(t.flag, e["flag"]);
            EXPECT_EQ(t.aref, e["aref"]);
            EXPECT_EQ(t.clamps() ? "clamp" : "repeat", e["wrap"]);
            EXPECT_EQ(t.topFirst(), e.value("row_order", "bottom") == "top");
            const Clut* clut = nullptr;
            for (const Clut& c : d.cluts) {
                if (c.object == t.clut && clut == nullptr) clut = &c;
            }
            ASSERT_EQ(t.levels.size(), e["levels"].size());
            for (std::size_t level = 0; level < t.levels.size(); ++level, ++levels) {
                std::uint64_t missing = 0;
                const auto image = imageOf(d, t, clut, level, missing, defects);
                ASSERT_TRUE(image.has_value());
                EXPECT_EQ(image->width, e["levels"][level]["width"]);
                EXPECT_EQ(image->height, e["levels"][level]["height"]);
                ByteVector rgba = image->rgba;
                for (const std::uint8_t index : image->indexed) {
                    rgba.insert(rgba.end(), image->palette[index].begin(), image->palette[index].end());
                }
                EXPECT_EQ(test::sha256(rgba), e["levels"][level]["rgba_sha256"]);
            }
        }
        EXPECT_TRUE(defects.empty());
    }
    EXPECT_GT(levels, 0U);
}

TEST(Sha256, KnowsItsTestVectors) {
    EXPECT_EQ(test::sha256(asBytes("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(test::sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

PoseChoice poseFor(const json& pose) {
    if (pose["source"] == "bind") return parsePose("bind");
    return parsePose(pose["source"].get<std::string>() + "@" + pose["time"].dump());
}

TEST(CcsfPoses, PutNodesWhereTheSidecarsSay) {
    std::size_t matrices = 0;
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Document d = read(v.bytes, false, defects);
        const Hierarchy hierarchy = hierarchyOf(d, defects);
        for (const json& pose : v.sidecar.value("poses", json::array())) {
            SCOPED_TRACE(pose["source"].get<std::string>() + " at " + pose["time"].dump());
            const auto worlds = worldsOf(hierarchy, poseOf(d, hierarchy, poseFor(pose), defects));
            for (std::size_t i = 0; i < d.objs.size(); ++i) {
                const std::string name(d.nameOf(d.objs[i].object));
                if (!pose["world"].contains(name)) continue;
                ++matrices;
                for (int cell = 0; cell < 16; ++cell) {
                    expectNear(worlds[i][cell % 4][cell / 4], pose["world"][name][static_cast<std::size_t>(cell)], 2e-4,
                               name);
                }
            }
        }
        EXPECT_TRUE(defects.empty());
    }
    EXPECT_GT(matrices, 0U);
}

/// Primitives of a scene by name, with what places them: the world matrix of their node, or the joints of its skin.
struct Placed {
    const Primitive* primitive;
    Mat4d world;
    std::vector<Mat4d> joints;

    /// What takes a vertex to its place.
    Mat4d at(std::size_t vertex) const {
        if (joints.empty()) return world;
        Mat4d out(0.0);
        for (const Influences& set : primitive->influences) {
            for (int k = 0; k < 4; ++k) {
                const auto weight = static_cast<double>(set.weights[vertex][k]);
                if (weight > 0.0) out += joints.at(set.joints[vertex][static_cast<std::size_t>(k)]) * weight;
            }
        }
        return out;
    }
    Vec3 point(std::size_t vertex) const {
        return Vec3(at(vertex) * glm::dvec4(Vec3d(primitive->positions[vertex]), 1.0));
    }
    /// A skin's go with the inverse transpose, as in viewers of glTF.
    Vec3 normal(std::size_t vertex) const {
        const Mat3d m(at(vertex));
        if (joints.empty()) return Vec3(glm::normalize(m * Vec3d(primitive->normals[vertex])));
        return Vec3(glm::normalize(glm::transpose(glm::inverse(m)) * Vec3d(primitive->normals[vertex])));
    }
};
std::map<std::string, Placed> placedPrimitives(const Scene& scene, const std::vector<Mat4d>& worlds) {
    std::map<std::string, Placed> out;
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        if (!scene.nodes[n].mesh) continue;
        std::vector<Mat4d> joints;
        if (scene.nodes[n].skin) {
            const Skin& skin = scene.skins[*scene.nodes[n].skin];
            for (std::size_t j = 0; j < skin.joints.size(); ++j)
                joints.push_back(worlds[skin.joints[j]] * Mat4d(skin.inverseBindMatrices[j]));
        }
        for (const Primitive& p : scene.meshes[*scene.nodes[n].mesh].primitives)
            out.emplace(p.name, Placed{&p, worlds[n], joints});
    }
    return out;
}

TEST(CcsfScene, HasEveryPosedVertexInPlace) {
    std::size_t vertices = 0;
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Document d = read(v.bytes, false, defects);
        for (const json& pose : v.sidecar.value("poses", json::array())) {
            SCOPED_TRACE(pose["source"].get<std::string>() + " at " + pose["time"].dump());
            SceneOptions options;
            options.pose = poseFor(pose);
            const Scene scene = toScene(d, options, defects);
            EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>());
            const auto placed = placedPrimitives(scene, worldMatrices(scene));
            for (const json& e : pose["posed"]) {
                const std::string start = e["model"].get<std::string>() + "." + e["mmat"].dump() + ".";
                const auto found = placed.lower_bound(start);
                if (found == placed.end() || !found->first.starts_with(start)) {
                    EXPECT_TRUE(e["positions"].empty()) << start;
                    continue;
                }
                const Primitive& p = *found->second.primitive;
                ASSERT_EQ(p.positions.size(), e["positions"].size());
                for (std::size_t i = 0; i < p.positions.size(); ++i, ++vertices) {
                    expectNear(found->second.point(i), e["positions"][i], 5e-4, start);
                    if (!e["normals"].empty())
                        expectNear(found->second.normal(i), e["normals"][i], 1e-3, start + " normal");
                }
                if (e.contains("triangles_auto")) {
                    EXPECT_EQ(triples(p.indices), e["triangles_auto"]) << start;
                }
            }
        }
    }
    EXPECT_GT(vertices, 0U);
}

TEST(CcsfScene, IsSoundInEveryContentAndPose) {
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        for (const char* pose : {"", "bind", "none", "frames@3"}) {
            for (const Winding winding : {Winding::Auto, Winding::Strip}) {
                Defects defects;
                SceneOptions options;
                options.content = ContentSet::all();
                options.winding = winding;
                if (*pose != '\0') options.pose = parsePose(pose);
                const Document d = read(v.bytes, false, defects);
                EXPECT_EQ(test::sceneFaults(toScene(d, options, defects)), std::vector<std::string>()) << pose;
                check(d, defects);
                EXPECT_EQ(defects.count(Severity::Error), 0U);
            }
        }
    }
}

TEST(CcsfClumps, ListTheNodesBehindExtObjs) {
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Document d = read(v.bytes, false, defects);
        const Hierarchy h = hierarchyOf(d, defects);
        for (std::size_t i = 0; i < d.clumps.size(); ++i) {
            if (!v.sidecar["clumps"][i].contains("resolved")) continue;
            json names = json::array();
            for (const std::uint32_t node : d.clumps[i].nodes) names.push_back(nameOrNull(d, h.resolved[node]));
            EXPECT_EQ(names, v.sidecar["clumps"][i]["resolved"]);
        }
    }
}

TEST(CcsfMorphs, AreDifferencesInUnitsOfLength) {
    for (const auto& v : ccsfVectors("plain")) {
        if (v.sidecar["morphers"].empty()) continue;
        SCOPED_TRACE(v.name);
        Defects defects;
        const Document d = read(v.bytes, false, defects);
        const Scene scene = toScene(d, {}, defects);
        for (const json& morpher : v.sidecar["morphers"]) {
            const auto base = std::find_if(scene.meshes.begin(), scene.meshes.end(),
                                           [&](const Mesh& m) { return m.name == morpher["base"]; });
            ASSERT_NE(base, scene.meshes.end());
            for (std::size_t t = 0; t < morpher["targets"].size(); ++t) {
                std::size_t vertex = 0;
                for (const Primitive& p : base->primitives) {
                    ASSERT_LT(t, p.targets.size());
                    EXPECT_EQ(p.targets[t].name, morpher["targets"][t]);
                    for (const Vec3& move : p.targets[t].positions) {
                        expectNear(move, morpher["displacements"][t][vertex++], 1e-5, "displacement");
                    }
                }
                EXPECT_EQ(vertex, morpher["displacements"][t].size());
            }
            for (const json& target : morpher["targets"]) {
                for (const Mesh& mesh : scene.meshes) EXPECT_NE(mesh.name, target);
            }
        }
    }
}

JointOf slotsAsJoints(const Model& model) {
    return [&model](std::uint32_t stored) { return static_cast<std::uint16_t>(clumpSlot(model, stored).value_or(0)); };
}

TEST(CcsfInfluences, LoseNoWeight) {
    std::size_t beyondFour = 0;
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        Defects defects;
        const Document d = read(v.bytes, false, defects);
        for (const Model& model : d.models) {
            for (const Mmat& mmat : model.mmats) {
                if (mmat.kind != MmatKind::Skin) continue;
                std::size_t dropped = 0;
                const auto sets = influencesOf(model, mmat, slotsAsJoints(model), dropped);
                const json stored = weights(model, mmat);
                beyondFour += sets.size() > 1 ? 1U : 0U;
                for (std::size_t i = 0; i < stored.size(); ++i) {
                    double sum = 0.0;
                    std::map<std::uint32_t, double> got;
                    for (const Influences& set : sets) {
                        for (std::size_t k = 0; k < 4; ++k) {
                            const float weight = set.weights[i][static_cast<int>(k)];
                            sum += weight;
                            if (weight > 0.0F) got[set.joints[i][k]] += weight;
                        }
                    }
                    EXPECT_NEAR(sum, 1.0, 1e-6);
                    std::map<std::uint32_t, double> wanted;
                    double all = 0.0;
                    for (const json& e : stored[i]) all += e[1].get<double>();
                    for (const json& e : stored[i]) wanted[e[0]] += e[1].get<double>() / all;
                    for (const auto& [slot, weight] : wanted) EXPECT_NEAR(got[slot], weight, 1e-6);
                }
            }
        }
    }
    std::cout << "[          ] " << beyondFour << " mmats with more than four influences\n";
}

TEST(CcsfInfluences, PutTheFifthIntoASecondSet) {
    // Five entries of weights 10, 100, 46, 60, 40: one vertex.
    ByteVector entries;
    const std::array<std::uint16_t, 5> stored{10, 100, 46, 60, 40};
    for (std::size_t i = 0; i < 5; ++i) {
        entries.resize(entries.size() + 6);
        const auto w = static_cast<std::uint16_t>(stored[i] | (i == 4 ? 0x200 : 0) | (i << 10));
        entries.push_back(static_cast<std::uint8_t>(w));
        entries.push_back(static_cast<std::uint8_t>(w >> 8));
    }
    Model model;
    Mmat mmat;
    mmat.kind = MmatKind::Skin;
    mmat.offsetNum = 5;
    mmat.vertexCount = 1;
    mmat.entries = entries;
    std::size_t dropped = 0;
    const auto sets = influencesOf(model, mmat, slotsAsJoints(model), dropped);
    EXPECT_EQ(dropped, 0U);
    ASSERT_EQ(sets.size(), 2U);
    EXPECT_EQ(sets[0].joints[0], (std::array<std::uint16_t, 4>{1, 3, 2, 4}));
    EXPECT_EQ(sets[1].joints[0][0], 0);
    EXPECT_FLOAT_EQ(sets[1].weights[0].x, 10.0F / 256.0F);
}

}  // namespace
}  // namespace geomconv::ccsf
