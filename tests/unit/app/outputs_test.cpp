#include "app/outputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/usage_error.hpp"
#include "app/walk.hpp"
#include "tests/support/shared.hpp"

namespace geomconv {
namespace {

using ::testing::ElementsAre;

TEST(OutputNames, LoseTheirEndingWhereThatIsSafe) {
    EXPECT_THAT(outputNames({"a.sur", "b.SUR", "notes.txt"}, ".glb", allFormats()),
                ElementsAre("a.glb", "b.glb", "notes.txt.glb"));
}

TEST(OutputNames, KeepTheirEndingWhereTheyWouldMeet) {
    EXPECT_THAT(outputNames({"a.sur", "a.cmp", "b.sur"}, ".glb", allFormats()),
                ElementsAre("a.sur.glb", "a.cmp.glb", "b.glb"));
    EXPECT_THAT(outputNames({"A.sur", "a.cmp"}, ".glb", allFormats()), ElementsAre("A.sur.glb", "a.cmp.glb"));
}

TEST(OutputNames, GoOnUntilNobodyMeets) {
    EXPECT_THAT(outputNames({"a.sur", "a.cmp", "a.sur.obj"}, ".glb", allFormats()),
                ElementsAre("a.sur.glb", "a.cmp.glb", "a.sur.obj.glb"));
}

TEST(MemberPaths, AreAllDifferent) {
    const MemberPaths paths = memberPaths({"a", "a", "A", "a~2", "b.sur", "c/x", "c\\x"}, ".glb", allFormats());
    EXPECT_THAT(paths.files, ElementsAre("a.glb", "a~2.glb", "A~3.glb", "a~2~2.glb", "b.glb", "c/x.glb", "c/x~2.glb"));
    EXPECT_THAT(paths.folders, ElementsAre("a", "a~2", "A~3", "a~2~2", "b.sur", "c/x", "c/x~2"));
}

TEST(SafeRelative, CannotLeaveTheFolder) {
    EXPECT_EQ(safeRelative("../../etc/passwd"), "__/__/etc/passwd");
    EXPECT_EQ(safeRelative("/abs"), "abs");
    EXPECT_EQ(safeRelative("c:\\x\\y"), "c_/x/y");
    EXPECT_EQ(safeRelative("a//b/./c"), "a/b/_/c");
    EXPECT_EQ(safeRelative(""), "_");
    EXPECT_EQ(safeRelative("$B2528E60"), "$B2528E60");
    EXPECT_EQ(safeRelative(std::string_view("a\0b\n", 4)), "a_b_");
    EXPECT_LE(safeRelative(std::string(5000, 'x')).size(), 200U);
}

TEST(Targets, ComeFromTheEndingOrFromTo) {
    WriteSettings settings;
    EXPECT_EQ(targetFor("x.OBJ", settings, allFormats()).format->id, "obj");
    EXPECT_EQ(targetFor("x.glb", settings, allFormats()).format->id, "glb");
    EXPECT_THROW(targetFor("x.xyz", settings, allFormats()), UsageError);
    EXPECT_THROW(targetFor("-", settings, allFormats()), UsageError);
    EXPECT_THROW(targetFor("folder/", settings, allFormats()), UsageError);
    settings.to = allFormats().byId("json");
    EXPECT_EQ(targetFor("x.xyz", settings, allFormats()).format->id, "json");
    EXPECT_TRUE(targetFor("folder/", settings, allFormats()).folder);
    EXPECT_FALSE(targetFor("-", settings, allFormats()).folder);
}

TEST(Walk, GoesByNameAndMarksNamesThatMeet) {
    const test::TemporaryFolder folder;
    for (const std::string name : {"b/z.obj", "b/a.obj", "a.obj", "a.wad", "c.txt"}) {
        std::filesystem::create_directories((folder / name).parent_path());
        test::writeFile(folder / name, asBytes("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    }
    const WalkResult found = walk({folder.path(), folder / "out", {}}, allFormats());
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < found.files.size(); ++i) paths.emplace_back(found.files[i]);
    EXPECT_THAT(paths, ElementsAre("a.obj", "a.wad", "c.txt", "b/a.obj", "b/z.obj"));
    EXPECT_EQ(outputStem("b/a.obj", false, allFormats()), "b/a");
    EXPECT_EQ(outputStem("b/a.obj", true, allFormats()), "b/a.obj");
    EXPECT_FALSE(found.files.wholeName(3));
}

TEST(Walk, TakesGlobsOfNamesAndOfPaths) {
    const test::TemporaryFolder folder;
    for (const std::string name : {"one.sur", "sub/two.sur", "sub/three.cmp"}) {
        std::filesystem::create_directories((folder / name).parent_path());
        test::writeFile(folder / name, asBytes("x"));
    }
    EXPECT_EQ(walk({folder.path(), {}, {"*.sur"}}, allFormats()).files.size(), 2U);
    EXPECT_EQ(walk({folder.path(), {}, {"sub/*"}}, allFormats()).files.size(), 2U);
    EXPECT_EQ(walk({folder.path(), {}, {"SUB/T*.CMP", "one*"}}, allFormats()).files.size(), 2U);
}

}  // namespace
}  // namespace geomconv
