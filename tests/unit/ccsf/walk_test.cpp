#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include "formats/ccs_archive/format.hpp"
#include "formats/ccsf/ccsf.hpp"
#include "formats/gzip/format.hpp"
#include "tests/unit/ccsf/vectors.hpp"

namespace geomconv::ccsf {
namespace {

using nlohmann::json;
using test::ccsfVectors;

json nameOrNull(const Document& d, std::uint32_t object) {
    const std::string_view name = d.nameOf(object);
    return name.empty() ? json(nullptr) : json(name);
}
json list(const Vec3& v) {
    return {v.x, v.y, v.z};
}
json vectors(Bytes bytes, std::uint32_t count) {
    json out = json::array();
    for (std::uint32_t i = 0; i < count; ++i) {
        float v[3];
        std::memcpy(v, bytes.data() + 12 * i, 12);
        out.push_back({v[0], v[1], v[2]});
    }
    return out;
}

class EachVector : public ::testing::Test {
protected:
    template <class Check>
    void each(Check check) {
        for (const auto& vector : ccsfVectors("plain")) {
            SCOPED_TRACE(vector.name);
            Defects defects;
            const Document d = read(vector.bytes, false, defects);
            check(vector, d, defects);
        }
    }
};

TEST_F(EachVector, WalksToItsLastByte) {
    each([](const test::CcsfVector& v, const Document& d, const Defects& defects) {
        json chunks = json::array();
        for (const Chunk& c : d.chunks) chunks.push_back({c.kind, c.offset, c.size, c.payload.size() / 4});
        EXPECT_EQ(chunks, v.sidecar["chunks"]);
        EXPECT_TRUE(d.trailing.empty());
        for (const Defect& defect : defects.list()) ADD_FAILURE() << toText(defect);
    });
}

TEST_F(EachVector, ComesOutAsItWentIn) {
    each([](const test::CcsfVector& v, const Document& d, const Defects&) { EXPECT_EQ(write(d), v.bytes); });
}

TEST_F(EachVector, HasTheNamesOfTheIndex) {
    each([](const test::CcsfVector& v, const Document& d, const Defects&) {
        json paths = json::array();
        for (const PathEntry& p : d.paths) paths.push_back(p.text);
        EXPECT_EQ(paths, v.sidecar["paths"]);
        json objects = json::array();
        for (const ObjectEntry& o : d.objects) objects.push_back({o.name, o.path});
        EXPECT_EQ(objects, v.sidecar["objects"]);
        const json& scene = v.sidecar["scene"];
        EXPECT_EQ(d.header.name, scene["name"]);
        EXPECT_EQ(d.header.version, scene["version"]);
        EXPECT_EQ(d.header.frames, scene["frames"]);
        EXPECT_EQ(json(d.header.words), scene["header_words"]);
    });
}

TEST_F(EachVector, HasTheHierarchy) {
    each([](const test::CcsfVector& v, const Document& d, const Defects&) {
        json nodes = json::array();
        for (const Obj& o : d.objs) {
            nodes.push_back({{"object", o.object},
                             {"name", nameOrNull(d, o.object)},
                             {"parent", nameOrNull(d, o.parent)},
                             {"model", nameOrNull(d, o.model)},
                             {"shadow", nameOrNull(d, o.shadowModel)}});
        }
        EXPECT_EQ(nodes, v.sidecar["nodes"]);
        json ext = json::array();
        for (const ExtObj& e : d.extObjs) {
            ext.push_back({{"object", e.object},
                           {"name", nameOrNull(d, e.object)},
                           {"target", e.target},
                           {"target_name", nameOrNull(d, e.target)}});
        }
        EXPECT_EQ(ext, v.sidecar["ext"]);
        json obj2 = json::array();
        for (const Obj2& o : d.obj2s) {
            obj2.push_back(
                {{"object", nameOrNull(d, o.object)}, {"flags", o.flags}, {"modifier", nameOrNull(d, o.modifier)}});
        }
        EXPECT_EQ(obj2, v.sidecar["obj2"]);
        ASSERT_EQ(d.clumps.size(), v.sidecar["clumps"].size());
        for (std::size_t i = 0; i < d.clumps.size(); ++i) {
            const json& expected = v.sidecar["clumps"][i];
            json names = json::array();
            for (const std::uint32_t n : d.clumps[i].nodes) names.push_back(nameOrNull(d, n));
            EXPECT_EQ(names, expected["nodes"]);
            EXPECT_EQ(nameOrNull(d, d.clumps[i].object), expected["name"]);
            if (!expected.contains("bind")) continue;
            json binds = json::array();
            for (const Transform& b : d.clumps[i].binds)
                binds.push_back({list(b.position), list(b.rotation), list(b.scale)});
            EXPECT_EQ(binds, expected["bind"]);
        }
    });
}

TEST_F(EachVector, HasItsMaterialsAndPalettes) {
    each([](const test::CcsfVector& v, const Document& d, const Defects&) {
        json materials = json::array();
        std::set<std::uint32_t> known;
        for (const Material& m : d.materials) {
            if (!known.insert(m.object).second) continue;  // the first chunk of an object wins
            materials.push_back({{"object", m.object},
                                 {"name", nameOrNull(d, m.object)},
                                 {"texture", nameOrNull(d, m.texture)},
                                 {"transparency", m.transparency},
                                 {"crop", {m.offsetU, m.offsetV}}});
        }
        EXPECT_EQ(materials, v.sidecar["materials"]);
        json cluts = json::array();
        for (const Clut& c : d.cluts) {
            cluts.push_back(
                {{"object", c.object}, {"name", nameOrNull(d, c.object)}, {"count", c.count}, {"flag", c.flag}});
        }
        EXPECT_EQ(cluts, v.sidecar["cluts"]);
    });
}

TEST_F(EachVector, HasItsHitMeshesBoxesDummiesAndLights) {
    each([](const test::CcsfVector& v, const Document& d, const Defects&) {
        json hits = json::array();
        for (const Hit& h : d.hits) {
            json groups = json::array();
            for (const HitGroup& g : h.groups) {
                groups.push_back({{"attribute", g.attribute},
                                  {"positions", vectors(g.positions, g.count)},
                                  {"normals", vectors(g.normals, g.count)}});
            }
            hits.push_back({{"object", h.object},
                            {"name", nameOrNull(d, h.object)},
                            {"parent", nameOrNull(d, h.parent)},
                            {"groups", groups}});
        }
        EXPECT_EQ(hits, v.sidecar["hits"]);
        json boxes = json::array();
        for (const Bbox& b : d.boxes) {
            boxes.push_back({{"object", b.object},
                             {"name", nameOrNull(d, b.object)},
                             {"target", nameOrNull(d, b.target)},
                             {"min", list(b.min)},
                             {"max", list(b.max)}});
        }
        EXPECT_EQ(boxes, v.sidecar["boxes"]);
        json dummies = json::array();
        for (const Dummy& m : d.dummies) {
            dummies.push_back({{"object", m.object},
                               {"name", nameOrNull(d, m.object)},
                               {"position", list(m.position)},
                               {"rotation", m.rotation ? list(*m.rotation) : json(nullptr)}});
        }
        EXPECT_EQ(dummies, v.sidecar["dummies"]);
        json lights = json::array();
        for (const Light& l : d.lights)
            lights.push_back({{"object", l.object}, {"name", nameOrNull(d, l.object)}, {"type", l.type}});
        EXPECT_EQ(lights, v.sidecar["lights"]);
    });
}

TEST(CcsfContainers, HoldTheFilesThatTheirSidecarsName) {
    const auto same = [](const ByteVector& content, const json& member) {
        EXPECT_EQ(content.size(), member["inflated"]);
        for (const auto& v : ccsfVectors("plain")) {
            if (v.name == member["same_as"]) {
                EXPECT_EQ(content, v.bytes);
            }
        }
        Defects defects;
        EXPECT_EQ(write(read(content, false, defects)), content);
    };
    for (const auto& v : ccsfVectors("gzip")) {
        Defects defects;
        const Input input{v.name, v.bytes, {}, {}};
        EXPECT_EQ(gzip::kFormat.list(input, {}, defects).at(0).name, v.sidecar["members"][0]["name"]);
        same(gzip::kFormat.extract(input, {}, "", defects), v.sidecar["members"][0]);
    }
    for (const auto& v : ccsfVectors("archive")) {
        Defects defects;
        const Input input{v.name, v.bytes, {}, {}};
        EXPECT_EQ(ccs_archive::kFormat.probe(v.bytes, v.name), Confidence::Certain);
        const auto rows = ccs_archive::kFormat.list(input, {}, defects);
        ASSERT_EQ(rows.size(), v.sidecar["members"].size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const json& member = v.sidecar["members"][i];
            EXPECT_EQ(rows[i].name, member["name"]);
            EXPECT_EQ(rows[i].offset, member["offset"]);
            EXPECT_EQ(rows[i].size, member["inflated"]);
            EXPECT_EQ(rows[i].detail, std::to_string(member["stored"].get<int>()) + " bytes packed");
            same(ccs_archive::kFormat.extract(input, {}, rows[i].name, defects), member);
        }
    }
}

TEST_F(EachVector, CutAtEveryLengthIsRefusedOrWarnedOf) {
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        for (std::size_t n = 0; n < v.bytes.size(); ++n) {
            // An allocation of its own, so that a sanitizer sees one byte too many.
            const ByteVector cut(v.bytes.begin(), v.bytes.begin() + static_cast<std::ptrdiff_t>(n));
            Defects defects;
            bool refused = false;
            try {
                read(cut, false, defects);
            } catch (const FormatError&) {
                refused = true;
            }
            EXPECT_TRUE(refused || !defects.empty()) << n;
            Defects losses;
            try {
                const Document d = read(cut, true, losses);
                EXPECT_EQ(write(d), cut) << n;
                EXPECT_FALSE(losses.empty()) << n;
            } catch (const FormatError&) {
                EXPECT_LT(n, v.sidecar["chunks"][2][1].get<std::size_t>()) << "beyond the index something can be read";
            }
        }
    }
}

TEST_F(EachVector, ChangedBytesNeverBreakTheReader) {
    std::mt19937 random(20);
    for (const auto& v : ccsfVectors("plain")) {
        SCOPED_TRACE(v.name);
        for (int round = 0; round < 150; ++round) {
            ByteVector bytes = v.bytes;
            const auto changes = 1 + random() % 6;
            for (unsigned i = 0; i < changes; ++i) {
                static constexpr std::uint8_t kOdd[] = {0, 1, 0x7f, 0x80, 0xff, 0xcc};
                const auto at = static_cast<std::size_t>(random() % bytes.size());
                bytes[at] = random() % 2 == 0 ? kOdd[random() % 6] : static_cast<std::uint8_t>(random());
            }
            for (const bool recover : {false, true}) {
                Defects defects;
                try {
                    EXPECT_EQ(write(read(bytes, recover, defects)), bytes);
                } catch (const FormatError& e) {
                    EXPECT_TRUE(e.defect().offset.has_value());
                }
            }
        }
    }
}

TEST(CcsfMalformed, RecoverDeliversWhatIsNotDamaged) {
    struct Wanted {
        std::size_t textures, models;
    };
    const std::map<std::string, Wanted> wanted{{"bad_texture_count.ccs", {1, 2}},  {"bad_trunc_positions.ccs", {2, 0}},
                                               {"bad_vertex_count.ccs", {2, 1}},   {"bad_mtype2.ccs", {2, 1}},
                                               {"bad_gzip_truncated.ccs", {2, 0}}, {"bad_material_range.ccs", {2, 2}}};
    std::size_t met = 0;
    for (const auto& v : ccsfVectors("malformed")) {
        const auto found = wanted.find(v.name);
        if (found == wanted.end()) continue;
        ++met;
        SCOPED_TRACE(v.name);
        ReadOptions options;
        options.recover = true;
        Defects defects;
        ByteVector file = v.bytes;
        if (gzip::kFormat.probe(file, "") == Confidence::Certain) {
            file = gzip::kFormat.extract({v.name, v.bytes, {}, {}}, options, "", defects);
        }
        const Document d = read(file, true, defects);
        EXPECT_EQ(write(d), file);
        EXPECT_EQ(d.textures.size(), found->second.textures);
        EXPECT_EQ(d.models.size(), found->second.models);
        EXPECT_EQ(defects.count(Severity::Error), 0U);
        EXPECT_FALSE(defects.empty());
    }
    EXPECT_EQ(met, wanted.size());
}

TEST(CcsfMalformed, HasTheOutcomeThatIsListed) {
    for (const auto& v : ccsfVectors("malformed")) {
        SCOPED_TRACE(v.name + ": " + v.sidecar["expect"]["why"].get<std::string>());
        const std::string outcomes = v.sidecar["expect"]["outcome"];
        Defects defects;
        std::string outcome = "ok";
        std::string said;
        try {
            ByteVector unpacked;
            Bytes file = v.bytes;
            if (gzip::kFormat.probe(file, "") == Confidence::Certain) {
                unpacked = gzip::kFormat.extract({v.name, v.bytes, {}, {}}, {}, "", defects);
                file = unpacked;
            }
            const Document d = read(file, false, defects);
            SceneOptions everything;
            everything.content = ContentSet::all();
            toScene(d, everything, defects);
            if (!defects.empty()) outcome = defects.count(Severity::Error) > 0 ? "error" : "warning";
            for (const Defect& defect : defects.list()) said += toText(defect) + "\n";
        } catch (const FormatError& e) {
            outcome = "error";
            said = e.what();
        }
        EXPECT_NE(outcomes.find(outcome), std::string::npos) << outcome << " instead of " << outcomes << "\n" << said;
        std::cout << "[          ] " << v.name << ": " << said.substr(0, said.find('\n')) << "\n";
    }
}

}  // namespace
}  // namespace geomconv::ccsf
