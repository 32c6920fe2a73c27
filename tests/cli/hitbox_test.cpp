#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace geomconv::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A cube of side 2 about the origin, called as asked.
std::string cube(const std::string& name) {
    std::string out = "o " + name + '\n';
    for (const char* x : {"-1", "1"}) {
        for (const char* y : {"-1", "1"}) {
            for (const char* z : {"-1", "1"}) out += std::string("v ") + x + ' ' + y + ' ' + z + '\n';
        }
    }
    return out + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
}

nlohmann::json infoOf(const Program& program, const std::string& file) {
    const Outcome run = program({"info", "--json", file});
    EXPECT_EQ(run.code, 0) << run.err;
    return nlohmann::json::parse(run.out)["files"][0];
}

double volumeOf(const Program& program, const std::string& file) {
    return infoOf(program, file)["parts"][0]["volume"].get<double>();
}

TEST(CliHitbox, ScalesWhateverItIsMadeOf) {
    const Program program;
    program.write("cube.obj", cube("wing_lt/wing_lt"));
    ASSERT_EQ(program({"hitbox", "cube.obj", "-o", "one.sur"}).code, 0);
    EXPECT_EQ(volumeOf(program, "one.sur"), 8.0);
    ASSERT_EQ(program({"hitbox", "cube.obj", "--scale", "3", "-o", "mesh.sur"}).code, 0);
    ASSERT_EQ(program({"hitbox", "one.sur", "--scale", "3", "-o", "rebuilt.sur"}).code, 0);
    ASSERT_EQ(program({"convert", "cube.obj", "--scale", "3", "-o", "converted.sur"}).code, 0);
    ASSERT_EQ(program({"convert", "one.sur", "--scale", "3", "-o", "library.sur"}).code, 0);
    ASSERT_EQ(program.shell("\"$G\" dump one.sur > dump.json && \"$G\" convert dump.json --scale 3 -o dumped.sur").code,
              0);
    for (const char* file : {"mesh.sur", "rebuilt.sur", "converted.sur", "library.sur", "dumped.sur"}) {
        EXPECT_EQ(volumeOf(program, file), 216.0) << file;
    }
    EXPECT_EQ(program.read("mesh.sur"), program.read("rebuilt.sur"));
    // Hulls for other formats are scaled by their writer, and once.
    ASSERT_EQ(program({"hitbox", "cube.obj", "--scale", "3", "-o", "hulls.obj"}).code, 0);
    ASSERT_EQ(program({"hitbox", "hulls.obj", "-o", "again.sur"}).code, 0);
    EXPECT_EQ(volumeOf(program, "again.sur"), 216.0);
}

TEST(CliHitbox, ADamagedLibraryIsBuiltAnewFromWhatIsLeft) {
    const Program program;
    program.write("a.obj", cube("a/a"));
    program.write("b.obj", cube("b/b"));
    ASSERT_EQ(program({"hitbox", "a.obj", "b.obj", "-o", "two.sur"}).code, 0);
    const std::string whole = program.read("two.sur");
    program.write("cut.sur", std::string_view(whole).substr(0, whole.size() - 20));  // into the tree
    EXPECT_EQ(program({"hitbox", "cut.sur", "-o", "new.sur"}).code, 1);
    EXPECT_FALSE(program.has("new.sur"));
    const Outcome run = program({"hitbox", "cut.sur", "--recover", "-o", "new.sur"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("warning: cut.sur: offset"));
    EXPECT_EQ(infoOf(program, "new.sur")["hulls"], 2);
    EXPECT_THAT(program({"validate", "new.sur"}).out, HasSubstr("no fault found"));
    // Cut within its points the second part has no hull left, and goes.
    program.write("cut.sur", std::string_view(whole).substr(0, whole.size() - 40));
    const Outcome less = program({"hitbox", "cut.sur", "--recover", "-o", "new.sur"});
    ASSERT_EQ(less.code, 0) << less.err;
    EXPECT_THAT(less.err, HasSubstr("it has no hull that could be read and built; it is left out"));
    EXPECT_EQ(infoOf(program, "new.sur")["partCount"], 1);
    EXPECT_THAT(program({"validate", "new.sur"}).out, HasSubstr("no fault found"));
}

TEST(CliHitbox, ARenamedPartIsTheSameUnderItsNewName) {
    const Program program;
    program.write("old.obj", cube("wing_lt/wing_lt"));
    program.write("new.obj", cube("wing_lt_lod1/wing_lt_lod1"));
    ASSERT_EQ(program({"hitbox", "old.obj", "-o", "old.sur"}).code, 0);
    ASSERT_EQ(program({"hitbox", "new.obj", "-o", "new.sur"}).code, 0);
    const Outcome run = program({"import", "old.sur", "--rename", "wing_lt=wing_lt_lod1", "-o", "renamed.sur"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("replaced wing_lt: now wing_lt_lod1: 1 part, 1 hull, 0 hardpoints"));
    EXPECT_EQ(program.read("renamed.sur"), program.read("new.sur"));
    const Outcome none = program({"import", "old.sur", "--rename", "wing=x", "-o", "none.sur"});
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err, HasSubstr("old.sur: object wing: not-found"));
}

TEST(CliHitbox, AModelNamesItsOwnParts) {
    const auto shared = sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    const Program program;
    const std::string model = (*shared / "corpus" / "sur" / "bmod-client" / "bm_bh_lf.cmp").string();
    ASSERT_EQ(program({"hitbox", model, "-o", "own.sur"}).code, 0);
    ASSERT_EQ(program({"hitbox", model, "--model", model, "-o", "named.sur"}).code, 0);
    ASSERT_EQ(program({"convert", model, "-o", "converted.sur"}).code, 0);
    EXPECT_EQ(program.read("own.sur"), program.read("named.sur"));
    EXPECT_EQ(program.read("own.sur"), program.read("converted.sur"));
    EXPECT_GT(infoOf(program, "own.sur")["partCount"], 1);
    EXPECT_THAT(program({"validate", "own.sur", "--model", model}).out, Not(HasSubstr("without-model")));
    ASSERT_EQ(program({"hitbox", model, "--model", "none", "-o", "one.sur"}).code, 0);
    EXPECT_EQ(infoOf(program, "one.sur")["partCount"], 1);
    ASSERT_EQ(program({"hitbox", model, "--part", "Root", "-o", "root.sur"}).code, 0);
    EXPECT_EQ(infoOf(program, "root.sur")["partCount"], 1);
}

TEST(CliHitbox, ALibraryThatIsFoldedAlreadyIsNotFoldedTwice) {
    const auto shared = sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    const Program program;
    for (const std::string name : {"bm_bh_lf", "bm_ju_hf"}) {
        const std::string stem = (*shared / "corpus" / "sur" / "bmod-client" / name).string();
        ASSERT_EQ(program({"hitbox", stem + ".sur", "--model", stem + ".cmp", "-o", "again.sur"}).code, 0);
        EXPECT_EQ(infoOf(program, "again.sur")["hulls"], infoOf(program, stem + ".sur")["hulls"]) << name;
        const std::string single = infoOf(program, "again.sur")["parts"].dump();
        ASSERT_EQ(program({"hitbox", "again.sur", "--model", stem + ".cmp", "-o", "third.sur"}).code, 0);
        EXPECT_EQ(infoOf(program, "third.sur")["parts"].dump(), single) << name;
    }
}

}  // namespace
}  // namespace geomconv::test
