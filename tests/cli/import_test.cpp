#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace geomconv::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ByteVector base() {
    return collisionLibrary(
        {tetrahedron("rou_e101_bdy"), tetrahedron("mob_n040", 2.0F), tetrahedron("rob_e001", 3.0F)});
}

/// A library with one record, as the mesh to put in.
void writeEdit(const Program& program, const std::string& name, float size) {
    program.write("edit.bin", collisionLibrary({tetrahedron(name, size)}));
}

TEST(CliImport, ReplacesWhatHasTheSameName) {
    const Program program;
    program.write("base.bin", base());
    writeEdit(program, "mob_n040", 9.0F);
    const Outcome run = program({"import", "base.bin", "edit.bin", "-o", "new.bin"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("base.bin: replaced mob_n040"));
    const auto expected =
        collisionLibrary({tetrahedron("rou_e101_bdy"), tetrahedron("mob_n040", 9.0F), tetrahedron("rob_e001", 3.0F)});
    EXPECT_EQ(program.read("new.bin"), asText(expected));
    EXPECT_EQ(program.read("base.bin"), asText(base()));
}

TEST(CliImport, ACollisionMeshThatIsNoneIsRefusedByItsName) {
    const Program program;
    const std::string level = (sourceDir() / "samples/letter_f.wad").string();
    program.write("floor.obj", "v 1 0 1\nv 1 0 2\nv 2 0 2\nf 1 2 3\n");
    program.write("junk", "\x01\x02\x03\x04");
    program.write("empty", "");
    program.write("odd.obj", "v 1 0 nan\nf 1 1 1\n");
    for (const std::string name : {"junk", "empty", "odd.obj"}) {
        const Outcome run = program({"import", level, "floor.obj", "--coll-obj", name, "-o", "new.wad"});
        EXPECT_NE(run.code, 0) << name;
        EXPECT_THAT(run.err, HasSubstr("error: " + name));
        EXPECT_FALSE(program.has("new.wad")) << name;
    }
    const Outcome run = program({"import", level, "floor.obj", "--coll-obj", "floor.obj", "-o", "new.wad"});
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST(CliImport, InPlaceKeepsABackup) {
    const Program program;
    program.write("base.bin", base());
    writeEdit(program, "mob_n040", 9.0F);
    ASSERT_EQ(program({"import", "base.bin", "edit.bin", "--in-place"}).code, 0);
    EXPECT_EQ(program.read("base.bin.bak"), asText(base()));
    EXPECT_NE(program.read("base.bin"), asText(base()));
}

TEST(CliImport, DryRunWritesNothing) {
    const Program program;
    program.write("base.bin", base());
    writeEdit(program, "mob_n040", 9.0F);
    const Outcome run = program({"import", "base.bin", "edit.bin", "--dry-run"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("nothing was written"));
    EXPECT_THAT(program.files(), ElementsAre("base.bin", "edit.bin"));
}

TEST(CliImport, AddsAndRemovesOnlyWhenAsked) {
    const Program program;
    program.write("base.bin", base());
    writeEdit(program, "rou_new", 9.0F);
    EXPECT_EQ(program({"import", "base.bin", "edit.bin", "-o", "new.bin"}).code, 1);
    EXPECT_FALSE(program.has("new.bin"));
    EXPECT_EQ(program({"import", "base.bin", "edit.bin", "-o", "new.bin", "--add"}).code, 0);
    EXPECT_GT(program.read("new.bin").size(), base().size());
    EXPECT_EQ(program({"import", "base.bin", "-o", "less.bin", "--remove", "rou_*"}).code, 0);
    const auto expected = collisionLibrary({tetrahedron("mob_n040", 2.0F), tetrahedron("rob_e001", 3.0F)});
    EXPECT_EQ(program.read("less.bin"), asText(expected));
}

TEST(CliImport, SaysTheChangesAsJson) {
    const Program program;
    program.write("base.bin", base());
    writeEdit(program, "mob_n040", 9.0F);
    const Outcome run = program({"import", "base.bin", "edit.bin", "-o", "new.bin", "--json", "--report", "r.json"});
    ASSERT_EQ(run.code, 0);
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["files"][0]["changes"][0]["change"], "replaced");
    EXPECT_EQ(json["files"][0]["changes"][0]["name"], "mob_n040");
    EXPECT_EQ(program.read("r.json"), run.out);
}

TEST(CliImport, NamesTheEditThatIsBroken) {
    const Program program;
    program.write("base.bin", base());
    ByteVector bad = collisionLibrary({tetrahedron("mob_n040")});
    bad.resize(bad.size() - 4);
    program.write("edit.bin", bad);
    const Outcome run = program({"import", "base.bin", "edit.bin", "-o", "new.bin"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, ::testing::StartsWith("geomconv: error: edit.bin: "));
}

TEST(CliImport, WritesToStandardOutputWithoutAReport) {
    const Program program;
    program.write("base.bin", base());
    writeEdit(program, "mob_n040", 2.0F);
    const Outcome run = program({"import", "base.bin", "edit.bin", "-o", "-"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out, asText(base()));
}

TEST(CliImport, WithNothingToDoIsAUsageError) {
    const Program program;
    program.write("base.bin", base());
    EXPECT_EQ(program({"import", "base.bin", "-o", "new.bin"}).code, 2);
    EXPECT_FALSE(program.has("new.bin"));
}

TEST(CliExtract, WritesRawMembers) {
    const Program program;
    program.write("plain", asText(base()));
    ASSERT_EQ(program.shell("gzip -k plain && mv plain.gz lib.bin.gz").code, 0);
    ASSERT_EQ(program({"extract", "lib.bin.gz", "--from", "gzip", "-o", "out"}).code, 0);
    EXPECT_EQ(program.read("out/plain"), asText(base()));
    EXPECT_EQ(program({"extract", "lib.bin.gz", "plain", "--from", "gzip", "-o", "-"}).out, asText(base()));
    EXPECT_EQ(program({"extract", "lib.bin.gz", "nosuch*", "-o", "out"}).code, 1);
    program.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(program({"extract", "a.obj", "-o", "out"}).code, 1) << "no container";
}

TEST(CliContainers, GzipIsLookedThrough) {
    const Program program;
    program.write("lib.bin", base());
    ASSERT_EQ(program.shell("gzip lib.bin").code, 0);
    EXPECT_EQ(program({"convert", "lib.bin.gz", "-o", "a.obj"}).code, 0);
    const auto json = nlohmann::json::parse(program({"info", "--json", "lib.bin.gz"}).out);
    EXPECT_EQ(json["files"][0]["format"], "collisionset");
    // What is put in goes back through the container.
    writeEdit(program, "mob_n040", 9.0F);
    ASSERT_EQ(program({"import", "lib.bin.gz", "edit.bin", "-o", "new.bin.gz"}).code, 0);
    EXPECT_EQ(program.shell("gzip -dc new.bin.gz | $G list -").out,
              program.shell("gzip -dc lib.bin.gz | $G list -").out);
}

TEST(CliContainers, MaxMemoryStopsABomb) {
    const Program program;
    ASSERT_EQ(program.shell("head -c 50000000 /dev/zero | gzip -9 > bomb.gz").code, 0);
    const Outcome run = program({"info", "bomb.gz", "--max-memory", "1M"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, ::testing::StartsWith("geomconv: error: bomb.gz: "));
}

}  // namespace
}  // namespace geomconv::test
