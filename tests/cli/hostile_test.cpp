#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lib/bytes/byte_writer.hpp"
#include "tests/cli/program.hpp"

namespace geomconv::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl paint\nf 1 2 3\n";

/// A pack of one entry whose data part is not there.
ByteVector packWithoutParts() {
    ByteWriter out(ByteOrder::Big);
    out.text("IPFB");
    for (const std::uint32_t v : {1U, 0x800U, 0x10000000U, 0x10U, 0U, 456U}) out.u32(v);
    return out.finish();
}

TEST(CliHostile, MessagesNeverGoIntoAnOutputWhenAStreamIsClosed) {
    const Program program;
    program.write("in/bad.obj", "f 1 2 3\n");
    const Outcome run = program.shell("\"$G\" batch in -o out --to glb --report report.json 2>&-");
    EXPECT_EQ(run.code, 4);
    EXPECT_TRUE(nlohmann::json::accept(program.read("report.json"))) << program.read("report.json");
}

TEST(CliHostile, AClosedStandardOutputIsAnErrorOfTheSystem) {
    const Program program;
    program.write("a.obj", kTriangle);
    EXPECT_EQ(program.shell("\"$G\" info a.obj >&-").code, 3);
    EXPECT_EQ(program.shell("\"$G\" convert - --from obj -o b.glb <&-").code, 3);
}

TEST(CliHostile, LogLinesCarryNoControlCharacters) {
    const Program program;
    program.write("a\n\x1b[31m.obj", kTriangle);
    const Outcome run = program({"convert", "a\n\x1b[31m.obj", "-o", "b\x07.glb", "-v"});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.err, HasSubstr("a\\x0A\\x1B[31m.obj"));
    EXPECT_THAT(run.err, Not(HasSubstr("\x1b")));
    EXPECT_THAT(run.err, Not(HasSubstr("\a")));
}

TEST(CliHostile, AnOutputThatIsItsOwnSiblingIsRefused) {
    const Program program;
    program.write("a.obj", kTriangle);
    const Outcome gltf = program({"convert", "a.obj", "-o", "b.bin", "--to", "gltf"});
    EXPECT_EQ(gltf.code, 3);
    EXPECT_THAT(gltf.err, StartsWith("geomconv: error: b.bin: "));
    EXPECT_EQ(program({"convert", "a.obj", "-o", "b.mtl", "--to", "obj"}).code, 3);
    EXPECT_THAT(program.files(), ElementsAre("a.obj"));
}

TEST(CliHostile, FilesThatAnInputNamesAreNotReplaced) {
    const Program program;
    program.write("a.obj", "mtllib b.mtl\n" + std::string(kTriangle));
    program.write("b.mtl", "newmtl paint\nKd 0.25 0.5 1\n# mine\n");
    const Outcome run = program({"convert", "a.obj", "-o", "b.obj"});
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, StartsWith("geomconv: error: b.mtl: "));
    EXPECT_THAT(program.read("b.mtl"), HasSubstr("# mine"));
    EXPECT_THAT(program.files(), ElementsAre("a.obj", "b.mtl"));
}

TEST(CliHostile, ScalesThatFloatsCannotTakeAreRefused) {
    const Program program;
    program.write("a.obj", "v 3e38 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(program({"convert", "a.obj", "-o", "b.glb", "--scale", "1e300"}).code, 2);
    EXPECT_EQ(program({"convert", "a.obj", "-o", "b.glb", "--scale", "-1e-300"}).code, 2);
    const Outcome run = program({"convert", "a.obj", "-o", "b.obj", "--scale", "1000"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("beyond what a float can hold"));
    EXPECT_THAT(program.files(), ElementsAre("a.obj"));
}

TEST(CliHostile, AListWithErrorsSaysThem) {
    const Program program;
    program.write("a.pak", packWithoutParts());
    const Outcome run = program({"list", "a.pak"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("geomconv: error: a.pak: "));
    EXPECT_THAT(run.out, Not(IsEmpty()));
}

TEST(CliHostile, AStreamWithoutEndIsRefused) {
    const Outcome run = Program().shell("timeout 120 \"$G\" info /dev/zero");
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, StartsWith("geomconv: error: /dev/zero: "));
}

TEST(CliHostile, LongValuesDoNotFloodTheTerminal) {
    const Program program;
    program.write("a.gltf", R"({"asset":{"version":"2.0"},"scene":1)" + std::string(1000000, '0') + "}");
    const Outcome run = program({"info", "a.gltf"});
    EXPECT_EQ(run.code, 1);
    EXPECT_LT(run.err.size(), 5000U);
    EXPECT_THAT(run.err, HasSubstr("bytes left out"));
}

TEST(CliHostile, ThousandsOfEqualNamesTakeNoQuadraticTime) {
    const Program program;
    std::string text = R"({"asset":{"version":"2.0"},"materials":[{"name":"m"})";
    for (int i = 1; i < 100000; ++i) text += R"(,{"name":"m"})";
    program.write("a.gltf", text + "]}");
    EXPECT_EQ(program.shell("ulimit -t 10; \"$G\" convert a.gltf -o a.obj").code, 0);
    EXPECT_THAT(program.read("a.mtl"), HasSubstr("newmtl m#100000\n"));
}

TEST(CliHostile, ALibraryAndAnImageAreReadOnceHoweverOftenTheyAreNamed) {
    const Program program;
    program.write("p.png", std::string_view("\x89PNG\r\n\x1a\n"));
    std::string library;
    std::string text;
    for (int i = 0; i < 8000; ++i) {
        std::string steps;
        for (int k = 0; k < i % 40; ++k) steps += "./";
        library += "newmtl m" + std::to_string(i) + "\nmap_Kd " + steps + "p.png\n";
        text += "mtllib " + steps + "a.mtl\n";
    }
    program.write("a.mtl", library);
    program.write("a.obj", text + std::string(kTriangle));
    EXPECT_EQ(program.shell("ulimit -t 5; \"$G\" convert a.obj -o b.json").code, 0);
    EXPECT_EQ(nlohmann::json::parse(program.read("b.json")).at("images").size(), 1U);
}

TEST(CliHostile, AnInputThatShrinksEndsTheProgramInOrder) {
    const Program program;
    program.write("base.bin", collisionLibrary({tetrahedron("rou_e101_bdy")}));
    const Outcome run = program.shell(
        "mkfifo mesh.obj\n"
        "\"$G\" import base.bin mesh.obj -o new.bin & sleep 0.3\n"
        "exec 3> mesh.obj; : > base.bin; sleep 0.3; echo 'v 0 0 0' >&3; exec 3>&-\n"
        "wait $!");
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("while it was read"));
    EXPECT_FALSE(program.has("new.bin"));
}

}  // namespace
}  // namespace geomconv::test
