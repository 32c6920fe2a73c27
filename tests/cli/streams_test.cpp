#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace geomconv::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

ByteVector twoMeshes() {
    return collisionLibrary({tetrahedron("rou_e101_bdy"), tetrahedron("mob_n040", 2.0F)});
}

ByteVector damaged() {
    ByteVector bytes = twoMeshes();
    bytes[32 + 4 * 12 + 3] = 99;  // the first index of the first record
    return bytes;
}

TEST(CliStreams, VersionGoesToStandardOutput) {
    const Outcome run = Program()({"--version"});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.out, MatchesRegex("geomconv [0-9]+\\.[0-9]+\\.[0-9]+\n"));
    EXPECT_THAT(run.err, IsEmpty());
}

TEST(CliStreams, NoCommandIsAUsageError) {
    const Outcome run = Program()({});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith("geomconv: error: "));
}

TEST(CliStreams, UnknownCommandsAndOptionsSuggestTheNearest) {
    const Program program;
    const Outcome command = program({"convrt", "a", "-o", "b"});
    EXPECT_EQ(command.code, 2);
    EXPECT_THAT(command.err, HasSubstr("did you mean convert?"));
    const Outcome option = program({"convert", "a", "--outptu", "b.obj"});
    EXPECT_EQ(option.code, 2);
    EXPECT_THAT(option.err, HasSubstr("has no option --outptu; did you mean --output?"));
}

TEST(CliStreams, BadValuesAreRefusedBeforeAnInputIsRead) {
    const Program program;  // none of the inputs exists
    const std::vector<std::vector<std::string>> lines{
        {"convert", "no.bin", "-o", "a.obj", "--scale", "nan"},
        {"convert", "no.bin", "-o", "a.obj", "--scale", "0"},
        {"convert", "no.bin", "-o", "a.obj", "--up", "x"},
        {"convert", "no.bin", "-o", "a.obj", "--precision", "99"},
        {"convert", "no.bin", "-o", "a.obj", "--from", "nosuch"},
        {"convert", "no.bin", "-o", "a.obj", "--to", "nosuch"},
        {"convert", "no.bin", "-o", "a.obj", "--to="},
        {"convert", "no.bin", "-o", "a.obj", "--content", "render,paint"},
        {"convert", "no.bin", "-o", "a.obj", "--max-memory", "much"},
        {"convert", "no.bin", "-o", "a.obj", "--strict=yes"},
        {"convert", "no.bin", "-o", "a.obj", "-o", "a.obj"},
        {"convert", "no.bin", "-o", "a.obj", "--scale", "1", "--scale", "2"},
        {"convert", "no.bin", "-o", "a.xyz"},
        {"convert", "no.bin", "-o", "-"},
        {"convert", "no.bin"},
        {"convert", "no.bin", "-o"},
        {"convert", "no.bin", "-o", "--to", "obj"},
        {"convert", "no.bin", "no2.bin", "-o", "a.obj"},
        {"convert", "no.bin", "-o", "folder/"},
        {"convert", "-o", "a.obj"},
        {"convert", "", "-o", "a.obj"},
        {"info"},
        {"info", "no.bin", "--color", "sometimes"},
        {"info", "no.bin", "-v", "-q"},
        {"dump", "no.bin", "no2.bin"},
        {"extract", "no.bin"},
        {"import", "no.bin", "no.obj"},
        {"import", "no.bin", "no.obj", "-o", "a.bin", "--in-place"},
        {"batch", "nosuch"},
        {"batch", ".", "-o", "out"},
        {"batch", ".", "-o", "out", "--to", "obj", "--shard", "0/4"},
        {"batch", ".", "-o", "out", "--to", "obj", "--shard", "5/4"},
        {"batch", ".", "-o", "out", "--to", "obj", "-j", "0"},
        {"completion", "tcsh"},
        {"formats", "extra"},
    };
    for (const auto& line : lines) {
        const Outcome run = program(line);
        std::string text;
        for (const std::string& word : line) text += word + ' ';
        EXPECT_EQ(run.code, 2) << text << run.err;
        EXPECT_THAT(run.out, IsEmpty()) << text;
        EXPECT_THAT(run.err, MatchesRegex("geomconv: error: [^\n]+\n")) << text;
    }
    EXPECT_THAT(program.files(), IsEmpty());
}

TEST(CliStreams, AMissingFileIsTheSystemsNo) {
    const Program program;
    for (const std::string command : {"info", "validate", "dump", "list"}) {
        const Outcome run = program({command, "no.bin"});
        EXPECT_EQ(run.code, 3) << command;
        EXPECT_EQ(run.err, "geomconv: error: no.bin: No such file or directory\n") << command;
    }
}

TEST(CliStreams, ABrokenFileIsOneLineWithPlaceAndReason) {
    const Program program;
    program.write("bad.bin", damaged());
    const Outcome run = program({"convert", "bad.bin", "-o", "bad.obj"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err,
                MatchesRegex("geomconv: error: bad.bin: offset 0x[0-9a-f]+: record 0 'rou_e101_bdy': [^\n]+\n"));
    EXPECT_THAT(program.files(), ::testing::ElementsAre("bad.bin"));
}

TEST(CliStreams, AnUnknownFileSaysWhatWasTried) {
    const Program program;
    program.write("notes.txt", "hello\n");
    const Outcome run = program({"info", "notes.txt"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, StartsWith("geomconv: error: notes.txt: neither its first bytes nor its name"));
}

TEST(CliStreams, WhatPeopleTypeWrongIsAnsweredWithWhatToDo) {
    const Program program;
    program.write("good.bin", twoMeshes());
    program.write("folder/good.bin", twoMeshes());
    const Outcome folder = program({"info", "folder"});
    EXPECT_EQ(folder.code, 3);
    EXPECT_EQ(folder.err, "geomconv: error: folder: is a folder; geomconv batch converts whole folders\n");
    const Outcome noCommand = program({"good.bin", "-o", "good.obj"});
    EXPECT_EQ(noCommand.code, 2);
    EXPECT_THAT(noCommand.err, HasSubstr("'good.bin' is a file; a command comes first"));
    const Outcome noOutput = program({"convert", "good.bin", "good.obj"});
    EXPECT_EQ(noOutput.code, 2);
    EXPECT_EQ(noOutput.err, "geomconv: error: convert needs -o OUTPUT: -o good.obj\n");
    EXPECT_EQ(program({"convert", "good.bin"}).err, "geomconv: error: convert needs -o OUTPUT\n");
}

TEST(CliStreams, TopologyIsToldWhenItIsAskedFor) {
    const Program program;
    program.write("good.bin", twoMeshes());
    ASSERT_EQ(program({"convert", "good.bin", "-o", "good.obj"}).code, 0);
    const auto row = [&](const std::vector<std::string>& arguments) {
        return nlohmann::json::parse(program(arguments).out).at("files").at(0);
    };
    EXPECT_FALSE(row({"info", "good.bin", "--json"}).contains("topology"));
    const auto ofGame = row({"info", "good.bin", "--json", "--topology"}).at("topology");
    ASSERT_EQ(ofGame.size(), 2U);
    EXPECT_EQ(ofGame[0].at("closed"), true);
    EXPECT_EQ(ofGame[0].at("openEdges"), 0);
    EXPECT_FALSE(row({"info", "good.obj", "--json"}).at("meshes").at(0).contains("closed"));
    EXPECT_EQ(row({"info", "good.obj", "--json", "--topology"}).at("meshes").at(0).at("closed"), true);

    // Three triangles on one edge.
    program.write("fan.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv -1 0 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n");
    EXPECT_THAT(program({"validate", "fan.obj", "--topology"}).out, HasSubstr("crowded-edges"));
    EXPECT_THAT(program({"validate", "fan.obj"}).out, ::testing::Not(HasSubstr("crowded-edges")));
}

TEST(CliStreams, SeveralInputsWithOneFailureGiveFour) {
    const Program program;
    program.write("good.bin", twoMeshes());
    program.write("bad.bin", damaged());
    for (const std::string command : {"info", "validate", "list"}) {
        const Outcome run = program({command, "good.bin", "bad.bin", "missing.bin"});
        EXPECT_EQ(run.code, 4) << command;
        EXPECT_THAT(run.out, HasSubstr("good.bin")) << command;
    }
    const Outcome run = program({"convert", "good.bin", "bad.bin", "-o", "out/", "--to", "obj"});
    EXPECT_EQ(run.code, 4);
    EXPECT_TRUE(program.has("out/good.obj"));
    EXPECT_FALSE(program.has("out/bad.obj"));
}

TEST(CliStreams, ErrorsAppearInTheJsonToo) {
    const Program program;
    program.write("good.bin", twoMeshes());
    program.write("bad.bin", damaged());
    const Outcome run = program({"validate", "--json", "good.bin", "bad.bin", "missing.bin"});
    EXPECT_EQ(run.code, 4);
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_TRUE(json.at("geomconv").contains("version"));
    ASSERT_EQ(json.at("files").size(), 3U);
    EXPECT_EQ(json["files"][0]["file"], "good.bin");
    EXPECT_EQ(json["files"][0]["format"], "collisionset");
    EXPECT_EQ(json["files"][0]["valid"], true);
    EXPECT_TRUE(json["files"][0]["defects"].empty());
    const auto& defect = json["files"][1]["defects"].at(0);
    EXPECT_EQ(defect["severity"], "error");
    EXPECT_EQ(defect["kind"], "index-range");
    EXPECT_TRUE(defect["offset"].is_number());
    EXPECT_EQ(defect["where"][0]["noun"], "record");
    EXPECT_TRUE(defect["detail"].is_string());
    EXPECT_THAT(json["files"][2]["error"].get<std::string>(), HasSubstr("No such file"));
}

TEST(CliStreams, InfoJsonHasOneShapeForOneAndMany) {
    const Program program;
    program.write("good.bin", twoMeshes());
    const Outcome run = program({"info", "good.bin", "--json"});
    EXPECT_EQ(run.code, 0);
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["files"][0]["format"], "collisionset");
    EXPECT_TRUE(json["files"][0]["defects"].is_array());
}

TEST(CliStreams, ColoursOnlyWhenAskedAndNeverWithNoColor) {
    const Program program;
    program.write("bad.bin", damaged());
    EXPECT_THAT(program({"validate", "bad.bin"}).out, ::testing::Not(HasSubstr("\x1b[")));
    EXPECT_THAT(program({"--color", "always", "validate", "bad.bin"}).out, HasSubstr("\x1b["));
    EXPECT_THAT(program({"validate", "--color=always", "bad.bin"}).out, HasSubstr("\x1b["));
    // A terminal is made by script(1) where there is one; without it the run has no terminal and no colour either.
    const std::string line = "script -qec \"$G validate bad.bin\" /dev/null < /dev/null";
    EXPECT_THAT(program.shell("NO_COLOR=1 " + line).out, ::testing::Not(HasSubstr("\x1b[1;31m")));
    if (program.shell("command -v script").code == 0) {
        EXPECT_THAT(program.shell("unset NO_COLOR; TERM=xterm " + line).out, HasSubstr("\x1b[1;31m"));
    }
}

TEST(CliStreams, QuietLeavesErrorsOnly) {
    const Program program;
    ByteVector odd = twoMeshes();
    odd.insert(odd.end(), 32, 0);  // trailing zeros are a warning
    program.write("odd.bin", odd);
    program.write("bad.bin", damaged());
    EXPECT_THAT(program({"convert", "odd.bin", "-o", "a.obj"}).err, HasSubstr("geomconv: warning: odd.bin: "));
    EXPECT_THAT(program({"-q", "convert", "odd.bin", "-o", "a.obj"}).err, IsEmpty());
    EXPECT_THAT(program({"convert", "bad.bin", "-o", "b.obj", "-q"}).err, StartsWith("geomconv: error: "));
}

TEST(CliStreams, VerboseLogsToStandardError) {
    const Program program;
    program.write("good.bin", twoMeshes());
    const Outcome run = program({"-v", "convert", "good.bin", "-o", "-", "--to", "obj"});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.err, HasSubstr("collisionset"));
    EXPECT_THAT(run.out, ::testing::Not(HasSubstr("geomconv: [")));
}

TEST(CliStreams, ABrokenPipeEndsQuietlyWithThree) {
    const Program program;
    std::vector<LibraryRecord> records;
    for (int i = 0; i < 2000; ++i) records.push_back(tetrahedron("mesh_" + std::to_string(i)));
    program.write("many.bin", collisionLibrary(records));
    const Outcome run = program.shell("$G convert many.bin -o - --to obj | true; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, IsEmpty());
}

TEST(CliStreams, AFullDiskIsTheSystemsNo) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    const Program program;
    program.write("good.bin", twoMeshes());
    EXPECT_EQ(program({"convert", "good.bin", "-o", "/dev/full", "--to", "obj"}).code, 3);
    for (const std::string line :
         {"$G --version > /dev/full", "$G info good.bin > /dev/full", "$G info good.bin --json > /dev/full",
          "$G convert good.bin --to obj -o - > /dev/full", "$G formats > /dev/full", "$G list good.bin > /dev/full"}) {
        const Outcome run = program.shell(line);
        EXPECT_EQ(run.code, 3) << line;
        EXPECT_THAT(run.err, MatchesRegex("geomconv: error: [^\n]*No space left on device\n")) << line;
    }
}

TEST(CliStreams, NamesOfFilesCannotWriteToTheTerminal) {
    const Program program;
    const Outcome run = program({"info", "evil\x1b[2J.bin"});
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, ::testing::Not(HasSubstr("\x1b")));
}

TEST(CliOutputs, LeaveNoEmptyFolderWhenTheyFail) {
    const Program program;
    program.write("in/bad.bin", damaged());
    EXPECT_EQ(program({"convert", "in/bad.bin", "-o", "new/deep/a.obj"}).code, 1);
    EXPECT_EQ(program({"batch", "in", "-o", "out", "--to", "obj"}).code, 4);
    EXPECT_FALSE(program.has("new"));
    EXPECT_FALSE(program.has("out"));
}

TEST(CliStreams, AnOptionInPlaceOfACommandIsNamed) {
    const Program program;
    EXPECT_THAT(program({"-x"}).err, HasSubstr("geomconv has no option -x"));
    EXPECT_EQ(program({"-q"}).code, 2);
    EXPECT_THAT(program({"-q"}).err, HasSubstr("which command?"));
    EXPECT_EQ(program({"help", "nothing"}).code, 2);
    EXPECT_EQ(program({"help", "convert"}).code, 0);
}

TEST(CliOutputs, NeverReplaceAFileThatAnOptionNames) {
    const Program program;
    const auto samples = sourceDir() / "samples";
    program.write("ship.sur", readFile(samples / "patrol_ship.sur"));
    program.write("names.obj", readFile(samples / "patrol_ship_names.txt"));
    program.write("mesh.obj", readFile(samples / "patrol_ship_names.txt"));
    ASSERT_EQ(program({"convert", "ship.sur", "-o", "mesh.obj"}).code, 0);
    const auto refused = [&](const std::vector<std::string>& words, const std::string& file) {
        const std::string before = program.read(file);
        const Outcome run = program(words);
        EXPECT_EQ(run.code, 3) << words[0] << ": " << run.err;
        EXPECT_THAT(run.err, HasSubstr("is also an input")) << words[0];
        EXPECT_EQ(program.read(file), before) << words[0];
    };
    refused({"convert", "ship.sur", "--names", "names.obj", "-o", "./names.obj"}, "names.obj");
    refused({"dump", "ship.sur", "--names", "names.obj", "-o", "names.obj"}, "names.obj");
    refused({"hitbox", "mesh.obj", "--mass-from", "ship.sur", "-o", "ship.sur"}, "ship.sur");
    refused({"batch", ".", "-o", "out", "--to", "glb", "--report", "mesh.obj"}, "mesh.obj");
}

TEST(CliOutputs, ManyThatExistAreReplacedInProportion) {
    const Program program;
    std::vector<std::string> words{"convert"};
    for (int i = 0; i < 3000; ++i) {
        words.push_back("f" + std::to_string(i) + ".obj");
        program.write(words.back(), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    }
    for (const char* word : {"-o", "out/", "--to", "json"}) words.emplace_back(word);
    ASSERT_EQ(program(words).code, 0);
    // Each output looked at every input: nine million looks at the disk, which is minutes.
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(program(words).code, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(CliSignals, ALimitOfFileSizesIsAnErrorOfTheSystem) {
    const Program program;
    std::string mesh;
    for (int i = 0; i < 6000; ++i) mesh += "v 1 " + std::to_string(i % 3) + ' ' + std::to_string(i) + '\n';
    for (int i = 1; i < 6000; i += 3) mesh += "f " + std::to_string(i) + " -1 " + std::to_string(i + 1) + '\n';
    program.write("a.obj", mesh);
    const Outcome run = program.shell("ulimit -f 20; $G convert a.obj -o a.json");
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("geomconv: error: a.json: "));
    EXPECT_EQ(program.files(), std::vector<std::string>{"a.obj"});
}

TEST(CliSignals, AClosedTerminalLeavesNothingHalfWritten) {
    const Program program;
    program.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    // The first output is begun; the second waits for a reader who never comes.
    const Outcome run = program.shell(
        "mkfifo pipe; $G convert a.obj -o a.json -o pipe --to json & P=$!; sleep 1; ls -A; kill -HUP $P; wait $P; "
        "echo code $?");
    EXPECT_THAT(run.out, HasSubstr(".tmp"));
    EXPECT_THAT(run.out, HasSubstr("code 130"));
    for (const std::string& file : program.files()) EXPECT_EQ(file.find(".tmp"), std::string::npos) << file;
}

}  // namespace
}  // namespace geomconv::test
