#include <gtest/gtest.h>

#include "tests/unit/collisionset/made.hpp"

namespace geomconv::collisionset {
namespace {

using namespace made;

Scene edits(std::vector<Record> records, std::string_view format = "obj") {
    ReadOptions options;
    options.forMesh = true;
    Defects defects;
    Scene scene = toScene(made::library(std::move(records)), "edit.obj", options, defects);
    scene.source.format = format;
    return scene;
}

PatchResult patched(const ByteVector& base, const Scene& scene, const PatchOptions& options = {}) {
    Defects defects;
    return patch(base, {}, scene, options, defects);
}

std::string refusal(const ByteVector& base, const Scene& scene, const PatchOptions& options = {}) {
    try {
        patched(base, scene, options);
    } catch (const GeometryError& e) {
        return e.rule();
    } catch (const FormatError& e) {
        return e.defect().kind;
    }
    return "";
}

PatchOptions adding() {
    PatchOptions options;
    options.add = true;
    return options;
}

PatchOptions removing(std::vector<std::string> globs) {
    PatchOptions options;
    options.remove = std::move(globs);
    return options;
}

const ByteVector kBase = write(made::library({box("rou_e101_bdy"), triangle("rou_e106_eng"), box("mob_n040")}));

TEST(CollisionSetPatch, WithNothingGivesTheSameBytes) {
    EXPECT_EQ(patched(kBase, Scene{}).bytes, kBase);
    const ByteVector padded = kBase + ByteVector(77);
    EXPECT_EQ(patched(padded, Scene{}).bytes, padded);
}

TEST(CollisionSetPatch, AMeshsOwnExportGivesTheSameBytes) {
    Defects defects;
    const PatchResult result = patched(kBase, edits(read(kBase, {}, defects).records));
    EXPECT_EQ(result.bytes, kBase);
    for (const Change& change : result.changes) EXPECT_EQ(change.kind, Change::Kind::Kept);
    EXPECT_EQ(result.changes.size(), 3U);
}

TEST(CollisionSetPatch, ReplacesOneRecordAndKeepsItsNameFieldAndOrder) {
    for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
        Library library = made::library({box("a"), triangle("b"), box("c")}, order);
        library.records[1].nameField = std::string("b\0junk", 6);
        const ByteVector base = write(library) + ByteVector(5);
        const PatchResult result = patched(base, edits({box("b", Vec3(0.0F), Vec3(2.0F))}));
        const std::string field = library.records[1].nameField;
        library.records[1] = box("b", Vec3(0.0F), Vec3(2.0F));
        library.records[1].nameField = field;
        EXPECT_EQ(result.bytes, write(library) + ByteVector(5));
        ASSERT_EQ(result.changes.size(), 1U);
        EXPECT_EQ(result.changes[0].detail, "3 vertices, 1 triangle -> 8 vertices, 12 triangles");
    }
}

TEST(CollisionSetPatch, AddsOnlyWhenAskedAndBeforeTrailingZeros) {
    EXPECT_EQ(refusal(kBase, edits({box("new")})), "not-found");
    const PatchResult result = patched(kBase + ByteVector(64), edits({box("new")}), adding());
    EXPECT_EQ(result.bytes, kBase + write(made::library({box("new")})) + ByteVector(64));
    EXPECT_EQ(result.changes.at(0).kind, Change::Kind::Added);
}

TEST(CollisionSetPatch, RemovesByGlobAndByNumber) {
    const ByteVector kept = write(made::library({box("mob_n040")}));
    EXPECT_EQ(patched(kBase, Scene{}, removing({"ROU_*"})).bytes, kept);
    EXPECT_EQ(patched(kBase, Scene{}, removing({"#0", "rou_e106_eng"})).bytes, kept);
    EXPECT_EQ(refusal(kBase, Scene{}, removing({"nothing*"})), "not-found");
    EXPECT_EQ(refusal(kBase, Scene{}, removing({"*"})), "no-records");
    EXPECT_EQ(refusal(kBase, edits({box("mob_n040")}), removing({"mob*"})), "conflict");
}

TEST(CollisionSetPatch, ANameThatOccursTwiceNeedsItsNumber) {
    const ByteVector base = write(made::library({box("a"), triangle("a")}));
    EXPECT_EQ(refusal(base, edits({box("a", Vec3(0.0F), Vec3(5.0F))})), "duplicate-name");
    const PatchResult result = patched(base, edits({box("#1")}));
    EXPECT_EQ(result.bytes, write(made::library({box("a"), box("a")})));
    // As many meshes as records: each goes to its own, in order.
    EXPECT_EQ(patched(base, edits({box("a"), triangle("a")})).bytes, base);
    EXPECT_EQ(refusal(base, edits({box("#1"), triangle("#1")})), "duplicate-name");
}

TEST(CollisionSetPatch, TheRecordOptionSaysWhereTheOnlyMeshGoes) {
    PatchOptions options;
    options.format.set("record", "rou_e106_eng");
    const ByteVector wanted = write(made::library({box("rou_e101_bdy"), box("rou_e106_eng"), box("mob_n040")}));
    EXPECT_EQ(patched(kBase, edits({box("whatever")}), options).bytes, wanted);
    EXPECT_EQ(refusal(kBase, edits({box("a"), box("b")}), options), "conflict");
    options.add = true;
    options.format.set("record", "missing");
    EXPECT_EQ(refusal(kBase, edits({box("whatever")}), options), "not-found");
}

TEST(CollisionSetPatch, WhatWasNotEditedIsNotWeldedEither) {
    Record soup = box("a");
    for (std::uint32_t& i : soup.index) {
        soup.vertex.push_back(soup.vertex[i]);
        i = static_cast<std::uint32_t>(soup.vertex.size() - 1);
    }
    const ByteVector base = write(made::library({soup, triangle("b")}));
    EXPECT_EQ(patched(base, edits({soup}, "glb")).bytes, base);
    // Nor does it matter that an export leaves the eight unused vertices out.
    Record exported = soup;
    exported.vertex.erase(exported.vertex.begin(), exported.vertex.begin() + 8);
    for (std::uint32_t& i : exported.index) i -= 8;
    EXPECT_EQ(patched(base, edits({exported}, "obj")).bytes, base);
    exported.vertex[0].x = 9.0F;
    EXPECT_NE(patched(base, edits({exported}, "obj")).bytes, base);
}

TEST(CollisionSetPatch, FindsARecordWithoutAName) {
    Record nameless = triangle("");
    nameless.nameField.clear();
    const ByteVector base = write(made::library({box("a"), nameless}));
    Record edit = box("");
    const PatchResult result = patched(base, edits({edit}));
    edit.nameField.clear();
    EXPECT_EQ(result.bytes, write(made::library({box("a"), edit})));
    EXPECT_EQ(refusal(kBase, edits({box("")}), adding()), "name");
}

TEST(CollisionSetPatch, CopiesContentDefectsOfOtherRecordsUnread) {
    Library library = made::library({box("a"), triangle("b"), box("c")});
    library.records[0].index[0] = 4711;
    library.records[2].vertex[0].x = std::bit_cast<float>(0x7fa00001U);
    const PatchResult result = patched(write(library), edits({box("b")}));
    library.records[1] = box("b");
    EXPECT_EQ(result.bytes, write(library));
}

TEST(CollisionSetPatch, FramingDefectsBehindTheRecordAreCopiedWithAWarning) {
    const ByteVector junk(40, 0xee);
    Defects defects;
    const PatchResult result = patch(kBase + junk, {}, edits({box("rou_e106_eng")}), {}, defects);
    EXPECT_EQ(result.bytes, write(made::library({box("rou_e101_bdy"), box("rou_e106_eng"), box("mob_n040")})) + junk);
    EXPECT_EQ(kinds(defects), (std::vector<std::string>{"name-length"}));
    // Before the record, or where something has to be written behind them, they are errors.
    const ByteVector broken = junk + kBase;
    EXPECT_NE(refusal(broken, edits({box("rou_e106_eng")})), "");
    EXPECT_EQ(refusal(kBase + junk, edits({box("later")})), "name-length");
    EXPECT_EQ(refusal(kBase + junk, edits({box("new")}), adding()), "name-length");
}

TEST(CollisionSetPatch, ChangesTheByteOrderOfEverythingOnRequest) {
    PatchOptions options;
    options.byteOrder = ByteOrderOut::Little;
    const PatchResult result = patched(kBase, edits({box("rou_e106_eng")}), options);
    EXPECT_EQ(result.bytes,
              write(made::library({box("rou_e101_bdy"), box("rou_e106_eng"), box("mob_n040")}, ByteOrder::Little)));
}

TEST(CollisionSetPatch, RefusesWhatIsNoLibrary) {
    EXPECT_EQ(refusal({}, Scene{}), "empty-file");
    EXPECT_EQ(refusal(ByteVector(64), Scene{}), "empty-file");
    EXPECT_EQ(refusal(ByteVector(64, 0xff), Scene{}), "not-recognised");
}

}  // namespace
}  // namespace geomconv::collisionset
