#include "formats/cmp/cmp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <map>

#include "formats/cmp/format.hpp"
#include "formats/cmp/joint.hpp"
#include "formats/cmp/mesh.hpp"
#include "lib/bytes/byte_writer.hpp"
#include "lib/bytes/checksum.hpp"
#include "lib/scene/transform.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::cmp {
namespace {

TEST(CmpVertexLayout, FollowsTheOrderOfD3D) {
    EXPECT_EQ(vertexLayout(0x112).stride, 32U);
    EXPECT_EQ(vertexLayout(0x112).normal, 12U);
    EXPECT_EQ(vertexLayout(0x112).uv, 24U);
    EXPECT_EQ(vertexLayout(0x212).stride, 40U);
    EXPECT_EQ(vertexLayout(0x002).stride, 12U);
    EXPECT_EQ(vertexLayout(0x152).diffuse, 24U);
    EXPECT_EQ(vertexLayout(0x002).uv, std::nullopt);
}

TEST(CmpMeshLibrary, ReadsGroupsIndicesAndVertices) {
    ByteWriter out;
    out.u32(1), out.u32(4), out.u16(std::uint16_t{1}), out.u16(std::uint16_t{3}), out.u16(std::uint16_t{2}),
        out.u16(std::uint16_t{3});
    out.u32(0xabcd), out.u16(std::uint16_t{0}), out.u16(std::uint16_t{2}), out.u16(std::uint16_t{3}),
        out.u16(std::uint16_t{0xcc});
    for (const std::uint16_t i : std::vector<std::uint16_t>{2, 1, 0}) out.u16(i);
    for (int i = 0; i < 9; ++i) out.f32(static_cast<float>(i));
    const ByteVector bytes = out.finish();
    const MeshLibrary mesh = readMeshLibrary("ship.vms", bytes, 0x40);
    EXPECT_EQ(mesh.id, freelancerHash("ship.vms"));
    ASSERT_EQ(mesh.groups.size(), 1U);
    EXPECT_EQ(mesh.groups[0].material, 0xabcdU);
    EXPECT_EQ(mesh.groups[0].padding, 0xcc);
    EXPECT_EQ(mesh.indices, (std::vector<std::uint16_t>{2, 1, 0}));
    EXPECT_EQ(mesh.vertices.size(), 36U);
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        EXPECT_THROW(readMeshLibrary("ship.vms", Bytes(bytes).first(n), 0), FormatError) << n;
    }
}

ByteVector fixedJoint(const Vec3& position, const std::array<float, 9>& rotation) {
    ByteWriter out;
    const auto name = [&out](std::string_view text) {
        out.text(text);
        out.zeros(64 - text.size());
    };
    name("Root");
    name("wing");
    for (int k = 0; k < 3; ++k) out.f32(position[k]);
    for (const float r : rotation) out.f32(r);
    return out.finish();
}

TEST(CmpJoint, TurnsByRowsForColumnVectors) {
    // A quarter turn about z: x goes to y.
    const ByteVector bytes = fixedJoint({10, 0, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 1});
    Defects defects;
    const auto joints = readJoints(*jointLayout("fix"), bytes, 0, defects);
    ASSERT_EQ(joints.size(), 1U);
    EXPECT_EQ(joints[0].child, "wing");
    EXPECT_EQ(restTransform(joints[0]) * Vec4(1, 0, 0, 1), Vec4(10, 1, 0, 1));
}

TEST(CmpJoint, LeavesOutARecordThatIsCut) {
    ByteVector bytes = fixedJoint({0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    bytes.resize(bytes.size() + 20);
    Defects defects;
    EXPECT_EQ(readJoints(*jointLayout("Fix"), bytes, 0, defects).size(), 1U);
    EXPECT_EQ(defects.count("truncated"), 1U);
    EXPECT_EQ(jointLayout("Spring"), std::nullopt);
}

Joint joint(const char* parent, const char* child) {
    Joint out;
    out.parent = parent;
    out.child = child;
    return out;
}

TEST(CmpParts, PutsTheRootFirstAndCutsCircles) {
    Model model;
    model.compound = true;
    model.parts.resize(4);
    const char* names[] = {"wing", "Root", "a", "b"};
    for (std::size_t i = 0; i < 4; ++i) {
        model.parts[i].objectName = names[i];
        model.parts[i].index = static_cast<std::int32_t>(i);
    }
    model.joints = {joint("root", "wing"), joint("a", "b"), joint("b", "a"), joint("Root", "nobody")};
    Defects defects;
    const ModelParts parts = partsOf(model, defects);
    EXPECT_EQ(parts.parts[0].name, "Root");
    EXPECT_EQ(parts.parts[0].id, 0x12688f2dU);
    EXPECT_EQ(parts.parts[1].parent, 0U);
    EXPECT_EQ(defects.count("cycle"), 1U);
    for (const ModelPart& start : parts.parts) {
        const ModelPart* at = &start;
        int steps = 0;
        while (at->parent && steps < 10) {
            at = &parts.parts[*at->parent];
            ++steps;
        }
        EXPECT_LT(steps, 10);
    }
}

/// A UTF tree of folders and files, in the order in which they are added.
class Tree {
public:
    Tree() { add(kRoot, "\\", true, {}); }
    std::size_t folder(std::size_t parent, const std::string& name) { return add(parent, name, true, {}); }
    void file(std::size_t parent, const std::string& name, const ByteVector& data) { add(parent, name, false, data); }

    ByteVector bytes() const {
        ByteWriter names;
        ByteWriter data;
        std::map<std::string, std::uint32_t> at;
        std::vector<std::array<std::uint32_t, 2>> places;
        for (const Entry& entry : entries_) {
            if (at.try_emplace(entry.name, static_cast<std::uint32_t>(names.size())).second) {
                names.text(entry.name);
                names.u8(0);
            }
            places.push_back({at[entry.name], static_cast<std::uint32_t>(data.size())});
            data.bytes(entry.data);
        }
        const ByteVector nameBytes = names.finish();
        ByteWriter out;
        out.text("UTF ");
        const auto treeSize = static_cast<std::uint32_t>(44 * entries_.size());
        const auto nameSize = static_cast<std::uint32_t>(nameBytes.size());
        for (const std::uint32_t v :
             {0x101U, 56U, treeSize, 0U, 44U, 56 + treeSize, nameSize, nameSize, 56 + treeSize + nameSize, 0U, 0U})
            out.u32(v);
        out.u64(0);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const Entry& entry = entries_[i];
            const auto size = static_cast<std::uint32_t>(entry.data.size());
            const std::uint32_t below = entry.folder ? 44 * entry.child : places[i][1];
            for (const std::uint32_t v :
                 {44 * entry.next, places[i][0], entry.folder ? 0x10U : 0x80U, 0U, below, size, size, size, 0U, 0U, 0U})
                out.u32(v);
        }
        out.bytes(nameBytes);
        out.bytes(data.finish());
        return out.finish();
    }

private:
    static constexpr std::size_t kRoot = SIZE_MAX;
    struct Entry {
        std::string name;
        bool folder = false;
        ByteVector data;
        std::uint32_t next = 0;
        std::uint32_t child = 0;
        std::size_t last = 0;
    };
    std::size_t add(std::size_t parent, const std::string& name, bool folder, const ByteVector& data) {
        const std::size_t own = entries_.size();
        entries_.push_back({name, folder, data});
        if (parent == kRoot) return own;
        Entry& above = entries_[parent];
        if (above.child == 0)
            above.child = static_cast<std::uint32_t>(own);
        else
            entries_[above.last].next = static_cast<std::uint32_t>(own);
        above.last = own;
        return own;
    }
    std::vector<Entry> entries_;
};

/// VMeshData of one group over n vertices (position alone), x of the first as given.
ByteVector meshData(std::uint16_t n, float x) {
    ByteWriter out;
    out.u32(1), out.u32(4), out.u16(std::uint16_t{1}), out.u16(std::uint16_t{3}), out.u16(std::uint16_t{2}), out.u16(n);
    out.u32(0xabcd), out.u16(std::uint16_t{0}), out.u16(static_cast<std::uint16_t>(n - 1)), out.u16(std::uint16_t{3}),
        out.u16(std::uint16_t{0xcc});
    for (const std::uint16_t i : std::vector<std::uint16_t>{0, 1, 2}) out.u16(i);
    for (std::uint16_t i = 0; i < n; ++i) {
        out.f32(i == 0 ? x : static_cast<float>(i));
        out.f32(static_cast<float>(i % 3));
        out.f32(0);
    }
    return out.finish();
}

ByteVector meshRef(const std::string& mesh) {
    ByteWriter out;
    out.u32(60), out.u32(freelancerHash(mesh));
    for (int i = 0; i < 5; ++i) out.u16(std::uint16_t{0});
    out.u16(std::uint16_t{1});
    out.zeros(40);
    return out.finish();
}

/// A single part with n levels of one mesh.
ByteVector levels(std::size_t n, std::uint16_t vertices, float x = 0) {
    Tree tree;
    const std::size_t library = tree.folder(tree.folder(0, "VMeshLibrary"), "a.vms");
    tree.file(library, "VMeshData", meshData(vertices, x));
    const std::size_t all = tree.folder(0, "MultiLevel");
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t level = tree.folder(tree.folder(all, "Level" + std::to_string(i)), "VMeshPart");
        tree.file(level, "VMeshRef", meshRef("a.vms"));
    }
    return tree.bytes();
}

TEST(CmpScene, LeavesOutAGroupThatIsNotFinite) {
    for (const float x : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
        const ByteVector bytes = levels(1, 3, x);
        Defects defects;
        const Scene scene = toScene({"a.3db", bytes, {}, {}}, {}, defects);
        EXPECT_TRUE(scene.meshes.empty());
        EXPECT_EQ(defects.count("nonfinite"), 1U);
        EXPECT_EQ(defects.list().size(), 1U);
    }
    Defects none;
    const ByteVector sound = levels(1, 3);
    EXPECT_EQ(toScene({"a.3db", sound, {}, {}}, {}, none).meshes.size(), 1U);
    EXPECT_TRUE(none.empty());
}

TEST(CmpScene, RefusesAFileThatShowsAMeshTooOften) {
    const ByteVector bytes = levels(2000, 60000);
    ReadOptions options;
    options.format.set("lod", "all");
    Defects defects;
    try {
        static_cast<void>(toScene({"a.3db", bytes, {}, {}}, options, defects));
        ADD_FAILURE() << "120 million vertices out of 1 MB";
    } catch (const FormatError& e) {
        EXPECT_EQ(e.defect().kind, "mesh-limit");
    }
}

TEST(CmpModel, ManyPartsAndLevelsTakeTimeInProportion) {
    constexpr std::size_t kParts = 20000;
    Tree tree;
    const std::size_t compound = tree.folder(0, "Cmpnd");
    ByteWriter joints;
    const auto text = [](const std::string& t) { return ByteVector(t.begin(), t.end()); };
    for (std::size_t i = 0; i < kParts; ++i) {
        const std::string name = "p" + std::to_string(i);
        tree.folder(0, name + ".3db");
        const std::size_t part = tree.folder(compound, "Part_" + name);
        tree.file(part, "Object name", text(name));
        tree.file(part, "File name", text(name + ".3DB"));
        if (i == 0) continue;
        // Each hangs on the next: the longest way to the root for every part.
        const std::string child = "p" + std::to_string(i - 1);
        joints.text(name);
        joints.zeros(64 - name.size());
        joints.text(child);
        joints.zeros(64 - child.size() + 48);
    }
    tree.file(tree.folder(compound, "Cons"), "Fix", joints.finish());
    const ByteVector bytes = tree.bytes();
    const std::clock_t start = std::clock();
    Defects defects;
    const Scene scene = toScene({"a.cmp", bytes, {}, {}}, {}, defects);
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5.0);
    EXPECT_EQ(scene.nodes.size(), kParts);
    EXPECT_EQ(scene.nodes[0].name, "p" + std::to_string(kParts - 1));
    EXPECT_TRUE(defects.empty());
}

TEST(CmpParts, CutsTheCircleAndNotWhatHangsOnIt) {
    Model model;
    model.compound = true;
    model.parts.resize(4);
    const char* names[] = {"Root", "leaf", "a", "b"};
    for (std::size_t i = 0; i < 4; ++i) model.parts[i].objectName = names[i];
    model.joints = {joint("a", "leaf"), joint("a", "b"), joint("b", "a")};
    Defects defects;
    const ModelParts parts = partsOf(model, defects);
    EXPECT_EQ(defects.count("cycle"), 1U);
    EXPECT_EQ(parts.parts[1].parent, 2U) << "the leaf stays where its joint puts it";
    EXPECT_EQ(parts.parts[2].parent, std::nullopt);
    EXPECT_EQ(parts.parts[3].parent, 2U);
}

TEST(CmpCorpus, ReadsEveryModel) {
    const auto shared = test::sharedDir();
    if (!shared) {
        std::printf("no shared folder: 0 models read\n");
        return;
    }
    std::size_t models = 0;
    std::size_t triangles = 0;
    std::size_t hardpoints = 0;
    for (const char* extension : {".cmp", ".3db"}) {
        for (const auto& path : test::filesIn(*shared / "corpus", extension, true)) {
            const ByteVector bytes = test::readFile(path);
            const std::string name = path.filename().string();
            EXPECT_EQ(kFormat.probe(bytes, name), Confidence::Certain) << path;
            ReadOptions options;
            options.content = ContentSet::all();
            Defects defects;
            const Scene scene = toScene({name, bytes, {}, {}}, options, defects);
            EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>()) << path;
            for (const Mesh& mesh : scene.meshes) {
                for (const Primitive& p : mesh.primitives) triangles += p.indices.size() / 3;
            }
            for (const Node& node : scene.nodes) hardpoints += node.content == Content::Helpers ? 1U : 0U;
            ++models;
        }
    }
    std::printf("%zu models read, %zu triangles, %zu hardpoints\n", models, triangles, hardpoints);
    EXPECT_EQ(models == 0, triangles == 0);
}

}  // namespace
}  // namespace geomconv::cmp
