#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace geomconv::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ByteVector twoMeshes() {
    return collisionLibrary({tetrahedron("rou_e101_bdy"), tetrahedron("mob_n040", 2.0F)});
}

std::string text(const ByteVector& bytes) {
    return std::string(asText(bytes));
}

TEST(CliConvert, WritesWhatTheEndingSays) {
    const Program program;
    program.write("lib.bin", twoMeshes());
    for (const std::string output : {"a.obj", "a.glb", "a.gltf", "a.json"}) {
        EXPECT_EQ(program({"convert", "lib.bin", "-o", output}).code, 0) << output;
        EXPECT_TRUE(program.has(output)) << output;
    }
    EXPECT_EQ(program.read("a.glb").substr(0, 4), "glTF");
    EXPECT_EQ(nlohmann::json::parse(program.read("a.json"))["source"]["format"], "collisionset");
}

TEST(CliConvert, WorksInAPipe) {
    const Program program;
    program.write("a.bin", twoMeshes());
    ASSERT_EQ(program({"convert", "a.bin", "-o", "a.obj"}).code, 0);
    const Outcome run =
        program({"convert", "-", "--from", "collisionset", "--to", "obj", "-o", "-"}, text(twoMeshes()));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("rou_e101_bdy"));
    // Content tells the format without --from.
    EXPECT_EQ(program({"convert", "-", "--to", "obj", "-o", "-"}, text(twoMeshes())).code, 0);
}

TEST(CliConvert, GivesOneInputSeveralOutputs) {
    const Program program;
    program.write("a.bin", twoMeshes());
    EXPECT_EQ(program({"convert", "a.bin", "-o", "x.obj", "-o", "y.json", "-o", "z.glb"}).code, 0);
    EXPECT_TRUE(program.has("x.obj") && program.has("y.json") && program.has("z.glb"));
}

TEST(CliConvert, NamesOutputsInAFolderAfterTheirInputs) {
    const Program program;
    program.write("a.bin", twoMeshes());
    program.write("sub/b.bin", twoMeshes());
    EXPECT_EQ(program({"convert", "a.bin", "sub/b.bin", "-o", "new/deep/", "--to", "obj"}).code, 0);
    EXPECT_TRUE(program.has("new/deep/a.obj") && program.has("new/deep/b.obj"));
    EXPECT_EQ(program({"convert", "a.bin", "-o", "new/deep", "--to", "glb"}).code, 0)
        << "a folder that exists needs no slash";
    EXPECT_TRUE(program.has("new/deep/a.glb"));
}

TEST(CliConvert, RefusesTwoInputsOfOneName) {
    const Program program;
    program.write("a.bin", twoMeshes());
    program.write("sub/a.bin", twoMeshes());
    const Outcome run = program({"convert", "a.bin", "sub/a.bin", "-o", "new/", "--to", "obj"});
    EXPECT_EQ(run.code, 2);
    EXPECT_FALSE(program.has("new"));
}

TEST(CliConvert, LeavesAnOldOutputAloneWhenItFails) {
    const Program program;
    ByteVector bad = twoMeshes();
    bad.resize(bad.size() - 5);
    program.write("bad.bin", bad);
    program.write("old.obj", "precious");
    EXPECT_EQ(program({"convert", "bad.bin", "-o", "old.obj"}).code, 1);
    EXPECT_EQ(program.read("old.obj"), "precious");
    EXPECT_THAT(program.files(), ElementsAre("bad.bin", "old.obj"));
}

TEST(CliConvert, WritesNoneOfSeveralOutputsWhenOneFails) {
    const Program program;
    program.write("a.bin", twoMeshes());
    program.write("file", "no folder");
    EXPECT_EQ(program({"convert", "a.bin", "-o", "x.obj", "-o", "file/y.obj"}).code, 3);
    EXPECT_THAT(program.files(), ElementsAre("a.bin", "file"));
}

TEST(CliConvert, CannotWriteBelowAFile) {
    const Program program;
    program.write("a.bin", twoMeshes());
    const Outcome run = program({"convert", "a.bin", "-o", "a.bin/x.obj"});
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("geomconv: error: "));
}

TEST(CliConvert, RefusesAnOutputThatIsAnInput) {
    const Program program;
    program.write("a.bin", twoMeshes());
    std::filesystem::create_symlink(program / "a.bin", program / "link.bin");
    // a.gltf would have a.bin beside it.
    for (const std::string output : {"a.bin", "./a.bin", "link.bin", "a.gltf"}) {
        EXPECT_EQ(program({"convert", "a.bin", "-o", output}).code, 3) << output;
    }
    EXPECT_EQ(program.read("a.bin"), text(twoMeshes()));
}

TEST(CliConvert, NoClobberRefusesToReplace) {
    const Program program;
    program.write("a.bin", twoMeshes());
    program.write("a.obj", "mine");
    EXPECT_EQ(program({"convert", "a.bin", "-o", "a.obj", "--no-clobber"}).code, 3);
    EXPECT_EQ(program.read("a.obj"), "mine");
    EXPECT_EQ(program({"convert", "a.bin", "-o", "a.obj"}).code, 0);
    EXPECT_NE(program.read("a.obj"), "mine");
}

TEST(CliConvert, StrictMakesWarningsErrors) {
    const Program program;
    ByteVector odd = twoMeshes();
    odd.insert(odd.end(), 32, 0);
    program.write("odd.bin", odd);
    EXPECT_EQ(program({"convert", "odd.bin", "-o", "a.obj"}).code, 0);
    EXPECT_EQ(program({"convert", "odd.bin", "-o", "b.obj", "--strict"}).code, 1);
    EXPECT_FALSE(program.has("b.obj"));
    EXPECT_EQ(program({"validate", "odd.bin"}).code, 0);
    EXPECT_EQ(program({"validate", "odd.bin", "--strict"}).code, 1);
}

TEST(CliConvert, SelectsByName) {
    const Program program;
    program.write("a.bin", twoMeshes());
    EXPECT_EQ(program({"convert", "a.bin", "-o", "rou.obj", "--select", "ROU_*"}).code, 0);
    EXPECT_THAT(program.read("rou.obj"), HasSubstr("rou_e101_bdy"));
    EXPECT_THAT(program.read("rou.obj"), ::testing::Not(HasSubstr("mob_n040")));
    EXPECT_EQ(program({"convert", "a.bin", "-o", "none.obj", "--select", "[xy]*"}).code, 1);
    EXPECT_FALSE(program.has("none.obj"));
}

TEST(CliConvert, TellsWhatNeedsABaseFile) {
    const Program program;
    program.write("a.bin", twoMeshes());
    for (const std::string id : {"ccsf", "groove", "cmp"}) {
        const Outcome run = program({"convert", "a.bin", "-o", "x", "--to", id});
        EXPECT_EQ(run.code, 2) << id;
        EXPECT_THAT(run.err, HasSubstr("geomconv import")) << id;
    }
}

TEST(CliConvert, RefusesAnOptionOfAnotherFormat) {
    const Program program;
    program.write("a.bin", twoMeshes());
    const Outcome run = program({"convert", "a.bin", "-o", "a.obj", "--lod", "all"});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("--lod is an option of cmp"));
    EXPECT_FALSE(program.has("a.obj"));
}

TEST(CliConvert, ChangesTheByteOrder) {
    const Program program;
    program.write("be.bin", twoMeshes());
    EXPECT_EQ(program({"convert", "be.bin", "-o", "le.bin", "--byte-order", "le"}).code, 0);
    EXPECT_NE(program.read("le.bin"), program.read("be.bin"));
    EXPECT_EQ(program({"convert", "le.bin", "-o", "again.bin", "--byte-order", "be"}).code, 0);
    EXPECT_EQ(program.read("again.bin"), program.read("be.bin"));
    EXPECT_EQ(program({"convert", "le.bin", "-o", "kept.bin"}).code, 0);
    EXPECT_EQ(program.read("kept.bin"), program.read("le.bin"));
}

TEST(CliConvert, GivesTheSameBytesTwice) {
    const Program program;
    program.write("a.bin", twoMeshes());
    for (const std::string output : {"obj", "glb", "json"}) {
        ASSERT_EQ(program({"convert", "a.bin", "-o", "1." + output}).code, 0);
        ASSERT_EQ(program({"convert", "a.bin", "-o", "2." + output}).code, 0);
        EXPECT_EQ(program.read("1." + output).size(), program.read("2." + output).size());
    }
    EXPECT_EQ(program.read("1.glb"), program.read("2.glb"));
}

TEST(CliConvert, TakesNamesThatLookLikeOptionsBehindDashes) {
    const Program program;
    program.write("-a.bin", twoMeshes());
    EXPECT_EQ(program({"convert", "-o", "a.obj", "--", "-a.bin"}).code, 0);
    EXPECT_TRUE(program.has("a.obj"));
}

TEST(CliConvert, TakesBracketsAsTheyAre) {
    const Program program;
    program.write("[a].bin", twoMeshes());
    EXPECT_EQ(program({"convert", "[a].bin", "-o", "[x,y].obj"}).code, 0);
    EXPECT_TRUE(program.has("[x,y].obj"));
}

TEST(CliConvert, AFileWithColonsInItsNameWinsOverAMember) {
    const Program program;
    program.write("a.bin", twoMeshes());
    program.write("a.bin::x", twoMeshes());
    EXPECT_EQ(program({"convert", "a.bin::x", "-o", "x.obj"}).code, 0);
    const Outcome run = program({"convert", "a.bin::y", "-o", "y.obj"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("a.bin"));
}

TEST(CliDump, PrintsTheDocument) {
    const Program program;
    program.write("a.bin", twoMeshes());
    const Outcome run = program({"dump", "a.bin"});
    ASSERT_EQ(run.code, 0);
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["document"], "collisionset");
    EXPECT_TRUE(json.contains("geomconv"));
    EXPECT_EQ(program({"dump", "a.bin", "-o", "a.json"}).code, 0);
    EXPECT_EQ(program.read("a.json"), run.out);
}

TEST(CliList, NamesWhatIsInside) {
    const Program program;
    program.write("a.bin", twoMeshes());
    const Outcome run = program({"list", "a.bin"});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.out, HasSubstr("rou_e101_bdy"));
    const auto json = nlohmann::json::parse(program({"list", "a.bin", "--json"}).out);
    EXPECT_EQ(json["files"][0]["members"][1]["name"], "mob_n040");
}

TEST(CliFormats, TableAndJsonAgree) {
    const Program program;
    const auto json = nlohmann::json::parse(program({"formats", "--json"}).out);
    const std::string table = program({"formats"}).out;
    EXPECT_GE(json["formats"].size(), 13U);
    for (const auto& row : json["formats"]) EXPECT_THAT(table, HasSubstr(row["id"].get<std::string>() + ' '));
}

TEST(CliConvert, FromMayNameTheContainerItself) {
    const Program program;
    const std::string archive = (sourceDir() / "samples/scenes.bin").string();
    const Outcome run = program({"convert", archive, "--from", "ccs-archive", "-o", "out/", "--to", "glb"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(program.has("out/village.glb") && program.has("out/empty.glb"));
    const std::string pack = (sourceDir() / "samples/collisionset/MiscBin.pak").string();
    EXPECT_EQ(program({"convert", pack, "--from", "ipfb", "-o", "pack/", "--to", "obj"}).code, 0);
    EXPECT_TRUE(program.has("pack/CollisionSet_S01.obj"));
}

TEST(CliConvert, ADamagedMemberDoesNotStopTheOthers) {
    const Program program;
    ByteVector archive = readFile(sourceDir() / "samples/scenes.bin");
    for (std::size_t i = 0; i < 8; ++i) archive[3000 + i] ^= 0xff;
    program.write("in/scenes.bin", archive);
    const Outcome run = program({"convert", "in/scenes.bin", "-o", "out/", "--to", "glb"});
    EXPECT_EQ(run.code, 4) << run.err;
    EXPECT_THAT(run.err, HasSubstr("geomconv: error: in/scenes.bin::village.cmp: offset 0x"));
    EXPECT_TRUE(program.has("out/empty.glb"));
    EXPECT_FALSE(program.has("out/village.glb"));
    EXPECT_EQ(program({"batch", "in", "-o", "two", "--to", "glb"}).code, 4);
    EXPECT_TRUE(program.has("two/scenes.bin/empty.glb"));
}

}  // namespace
}  // namespace geomconv::test
