#include "formats/cmp/cmp.hpp"

#include <gtest/gtest.h>

#include <cstdio>

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
