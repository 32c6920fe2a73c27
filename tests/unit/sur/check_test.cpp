#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <set>

#include "formats/sur/build.hpp"
#include "formats/sur/format.hpp"
#include "formats/sur/sur.hpp"
#include "tests/support/shared.hpp"

// Every rule of FORMAT.md, each broken by one change to a sound library.

namespace geomconv::sur {
namespace {

constexpr std::uint32_t kRoot = 0x12688F2D;
constexpr std::uint32_t kMount = 0xF00FB9DE;

HullGeometry box(std::uint32_t id, float x) {
    const auto corners = boxCorners({Vec3(x, -1.0F, -3.0F), Vec3(x + 2.0F, 1.5F, 3.0F)});
    return {id, "", {corners.begin(), corners.end()}, {kBoxTriangles.begin(), kBoxTriangles.end()}};
}

/// Three boxes, the last one a hardpoint's, in one part.
Library sound() {
    Defects defects;
    BuildOptions options;
    options.hardpoints = {kMount};
    Library library;
    library.parts.push_back(
        createPart(kRoot, std::vector{box(kRoot, -4.0F), box(kRoot, 0.0F), box(kMount, 5.0F)}, options, defects));
    return library;
}

/// The kinds that a change brings, each with how many times.
template <class Edit>
std::map<std::string, std::size_t> kindsAfter(Edit edit, const ReadOptions& options = {}) {
    Library library = sound();
    edit(library.parts[0], *library.parts[0].surface);
    Defects defects;
    check(library, defects, options);
    EXPECT_EQ(defects.count(Severity::Error), 0U);
    std::map<std::string, std::size_t> kinds;
    for (const Defect& d : defects.list()) {
        EXPECT_TRUE(d.kind == "no-parts" || d.offset.has_value()) << d.kind;
        ++kinds[d.kind];
    }
    return kinds;
}
using Kinds = std::map<std::string, std::size_t>;

TEST(SurCheck, ASoundLibraryBreaksNoRule) {
    EXPECT_EQ(kindsAfter([](Part&, Surface&) {}), Kinds{});
}

TEST(SurCheck, OneChangeOneKind) {
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[0].size = 0; }), (Kinds{{"size-word", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[0].reserved = 1; }), (Kinds{{"reserved", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.padding[1] = 1; }), (Kinds{{"reserved", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.nodes[1].padding = 1; }), (Kinds{{"reserved", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[0].type = 8; }), (Kinds{{"hull-type", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[0].faces[3].isVirtual = true; }),
              (Kinds{{"virtual-flags", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[3].faces[3].virtualEdges[1] = false; }),
              (Kinds{{"virtual-flags", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[0].faces[3].index = 2; }), (Kinds{{"face-index", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[0].faces[3].pierce = 12; }), (Kinds{{"pierce-range", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[0].faces[3].opposites[0] += 1; }), (Kinds{{"opposite", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[3].nodeOffset = 5; }), (Kinds{{"wrap-offset", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.points[0].clientData = 5; }), (Kinds{{"client-data", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.points.push_back({}); }), (Kinds{{"unused-point", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.massCenter.x += 1.0F; }),
              (Kinds{{"mass-center", 1}, {"radius", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.radius *= 0.9F; }), (Kinds{{"radius", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.surfaceDeviation -= 2; }), (Kinds{{"surface-deviation", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.rotationInertia.y = 0.0F; }), (Kinds{{"rotation-inertia", 1}}));
    EXPECT_EQ(kindsAfter([](Part& p, Surface&) { p.extent->maximum.x -= 1.0F; }), (Kinds{{"extent", 1}}));
    EXPECT_EQ(kindsAfter([](Part& p, Surface&) { p.extent->maximum.x += 1.0F; }), (Kinds{{"extent", 1}}));
    EXPECT_EQ(kindsAfter([](Part& p, Surface&) { p.extent.reset(); }), (Kinds{{"no-extent", 1}}));
    EXPECT_EQ(kindsAfter([](Part& p, Surface&) { p.surface.reset(); }), (Kinds{{"no-surface", 1}}));
    EXPECT_EQ(kindsAfter([](Part& p, Surface&) { p.hardpoints.push_back(7); }), (Kinds{{"hardpoint-without-hull", 1}}));
    EXPECT_EQ(kindsAfter([](Part& p, Surface&) {
                  p.chunks = usualChunks(p);
                  std::swap(p.chunks[0], p.chunks[1]);
              }),
              (Kinds{{"chunk-order", 1}}));
}

TEST(SurCheck, BoxesThatLetShotsPass) {
    // The habit of most exporters: the byte is one too low.
    const Kinds leaf = kindsAfter([](Part&, Surface& s) {
        for (Node& node : s.nodes) {
            if (node.leaf()) --node.boxSizes[2];
        }
    });
    EXPECT_EQ(leaf, (Kinds{{"box-misses-hull", 1}}));
    const Kinds root = kindsAfter([](Part&, Surface& s) { s.nodes[0].boxSizes[0] = 100; });
    EXPECT_EQ(root, (Kinds{{"box-misses-hulls-below", 1}, {"box-misses-child", 1}}));
    const Kinds sphere = kindsAfter([](Part&, Surface& s) {
        for (Node& node : s.nodes) {
            if (node.leaf()) node.radius *= 1.01F;
        }
    });
    EXPECT_EQ(sphere.count("leaf-sphere"), 1U);
}

TEST(SurCheck, TreesAndWraps) {
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) {
                  for (Node& node : s.nodes) {
                      if (node.leaf()) node.hull = 0;
                  }
              }).at("tree"),
              3U);  // two hulls in no node, one in three
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.nodes[0].hull.reset(); }), (Kinds{{"tree", 1}}));
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.nodes[0].hull = 0; }).count("tree"), 1U);
    // A wrap hull around the first box only.
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) {
                  s.hulls[3].faces = s.hulls[0].faces;
                  for (Face& face : s.hulls[3].faces) {
                      face.isVirtual = true;
                      face.virtualEdges = {true, true, true};
                  }
              }),
              (Kinds{{"wrap-misses-points", 1}}));
}

TEST(SurCheck, HullsThatAreNone) {
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.points[0].position *= 0.5F; }).count("not-convex"), 1U);
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) {
                  for (Face& face : s.hulls[0].faces) std::swap(face.points[0], face.points[1]);
              }).count("inside-out"),
              1U);
    const Kinds open = kindsAfter([](Part&, Surface& s) { s.hulls[0].faces.pop_back(); });
    EXPECT_EQ(open.count("open-edge"), 1U);
    EXPECT_EQ(open.count("opposite"), 1U);
    EXPECT_EQ(
        kindsAfter([](Part&, Surface& s) { s.hulls[0].faces[1] = s.hulls[0].faces[0]; }).count("edge-wound-twice"), 1U);
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) {
                  for (Face& face : s.hulls[0].faces) face.points = {0, 0, 0};
              }).count("zero-area"),
              1U);
}

TEST(SurCheck, Libraries) {
    Defects none;
    check({}, none);
    EXPECT_EQ(none.count("no-parts"), 1U);
    Library twice = sound();
    twice.parts.push_back(twice.parts[0]);
    Defects defects;
    check(twice, defects);
    ASSERT_EQ(defects.count("duplicate-part"), 1U);
    // The second part begins where the first ends.
    EXPECT_EQ(*defects.list()[0].offset, write(sound()).size());
}

/// A model of the part Root with the hardpoint HpMount.
std::shared_ptr<ModelParts> rootModel() {
    auto model = std::make_shared<ModelParts>();
    model->parts.push_back({});
    model->parts[0].name = "Root";
    model->parts[0].id = kRoot;
    model->parts[0].hardpoints.push_back({"HpMount", kMount, false, {}, {}});
    return model;
}

TEST(SurCheck, TheModelSaysWhatAPartIs) {
    const auto model = rootModel();
    model->compound = true;
    ReadOptions options;
    options.model = model;
    EXPECT_EQ(kindsAfter([](Part&, Surface&) {}, options), Kinds{});
    EXPECT_EQ(kindsAfter([](Part& p, Surface&) { p.fixed = true; }, options), (Kinds{{"fixed-flag", 1}}));
    EXPECT_EQ(kindsAfter([](Part& p, Surface&) { p.id = 3; }, options).count("part-without-model"), 1U);
}

TEST(SurCheck, TheModelKnowsTheIdsOfHullsAndHardpoints) {
    ReadOptions options;
    options.model = rootModel();
    EXPECT_EQ(kindsAfter([](Part&, Surface&) {}, options), Kinds{});
    const auto listed = [](Part& p, Surface&) { p.hardpoints.push_back(7); };
    EXPECT_EQ(kindsAfter(listed, options).count("hardpoint-without-model"), 1U);
    const auto called = [](Part&, Surface& s) {
        s.hulls[0].id = 7;
        s.hulls[1].id = 8;
    };
    EXPECT_EQ(kindsAfter(called, options).at("hull-without-model"), 1U);  // one warning a part
    EXPECT_EQ(kindsAfter([](Part&, Surface& s) { s.hulls[0].id = 0; }, options).count("hull-without-model"), 0U);
}

TEST(SurCheck, RealFilesAreWarnedOfAndNeverFail) {
    const auto shared = test::sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    std::map<std::string, std::size_t> files;
    std::size_t count = 0;
    for (const auto& path : test::filesIn(*shared / "corpus" / "sur", ".sur", true)) {
        const ByteVector bytes = test::readFile(path);
        Defects defects;
        kFormat.check({"a.sur", bytes, {}, {}}, {}, defects);
        EXPECT_EQ(defects.count(Severity::Error), 0U) << path;
        std::set<std::string> kinds;
        for (const Defect& d : defects.list()) kinds.insert(d.kind);
        for (const std::string& kind : kinds) ++files[kind];
        ++count;
    }
    std::printf("%zu real files checked; files by kind:", count);
    for (const auto& [kind, n] : files) std::printf(" %s %zu", kind.c_str(), n);
    std::printf("\n");
    // As another checker counts them.
    EXPECT_EQ(files["not-convex"], 8U);
    EXPECT_EQ(files["leaf-sphere"], 7U);
    EXPECT_EQ(files["box-misses-child"], 26U);
    EXPECT_EQ(files["edge-wound-twice"], 1U);
    EXPECT_EQ(files["size-word"], 1U);
    EXPECT_EQ(files["zero-area"], 1U);
}

}  // namespace
}  // namespace geomconv::sur
