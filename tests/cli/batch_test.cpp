#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace geomconv::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

ByteVector library(const std::string& name) {
    return collisionLibrary({tetrahedron(name)});
}

/// Files below a folder with their contents.
std::map<std::string, std::string> contents(const fs::path& folder) {
    std::map<std::string, std::string> out;
    if (!fs::exists(folder)) return out;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            out[entry.path().lexically_relative(folder).generic_string()] = readText(entry.path());
    }
    return out;
}

/// A tree of n libraries in some folders.
void fill(const Program& program, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::string name = "mesh_" + std::to_string(i);
        program.write("in/folder" + std::to_string(i % 3) + '/' + name + ".bin", library(name));
    }
}

std::vector<std::string> batch(std::vector<std::string> more) {
    std::vector<std::string> line{"batch", "in", "-o", "out", "--to", "glb"};
    line.insert(line.end(), more.begin(), more.end());
    return line;
}

TEST(CliBatch, KeepsTheShapeOfTheTree) {
    const Program program;
    program.write("in/a.bin", library("a"));
    program.write("in/deep/er/b.bin", library("b"));
    program.write("in/notes.txt", "not a mesh");
    const Outcome run = program(batch({}));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("2 converted, 0 failed, 1 ignored"));
    EXPECT_THAT(program.files(), ::testing::IsSupersetOf({"out/a.glb", "out/deep/er/b.glb"}));
}

TEST(CliBatch, GivesTheSameBytesForAnyNumberOfWorkersAndShards) {
    const Program program;
    fill(program, 40);
    ASSERT_EQ(program({"batch", "in", "-o", "one", "--to", "glb", "-j", "1"}).code, 0);
    ASSERT_EQ(program({"batch", "in", "-o", "eight", "--to", "glb", "-j", "8"}).code, 0);
    for (int i = 1; i <= 7; ++i) {
        ASSERT_EQ(program({"batch", "in", "-o", "shards", "--to", "glb", "--shard", std::to_string(i) + "/7"}).code, 0);
    }
    const auto one = contents(program / "one");
    EXPECT_EQ(one.size(), 40U);
    EXPECT_EQ(one, contents(program / "eight"));
    EXPECT_EQ(one, contents(program / "shards"));
}

TEST(CliBatch, ShardsSplitTheListWithoutOverlap) {
    const Program program;
    fill(program, 10);
    std::map<std::string, int> seen;
    for (int i = 1; i <= 4; ++i) {
        ASSERT_EQ(program(batch({"--shard", std::to_string(i) + "/4", "--report", "r.json"})).code, 0);
        const auto report = nlohmann::json::parse(program.read("r.json"));
        for (const auto& row : report["files"]) ++seen[row["file"].get<std::string>()];
    }
    EXPECT_EQ(seen.size(), 10U);
    for (const auto& [file, times] : seen) EXPECT_EQ(times, 1) << file;
    EXPECT_EQ(program(batch({"--shard", "50/99"})).code, 0) << "an empty shard is no failure";
}

TEST(CliBatch, ABadFileDoesNotStopTheOthers) {
    const Program program;
    fill(program, 6);
    ByteVector bad = library("bad");
    bad.resize(bad.size() - 3);
    program.write("in/folder0/bad.bin", bad);
    const Outcome run = program(batch({"--report", "r.json"}));
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.err, HasSubstr("geomconv: error: in/folder0/bad.bin: offset 0x"));
    EXPECT_EQ(contents(program / "out").size(), 6U);
    const auto report = nlohmann::json::parse(program.read("r.json"));
    EXPECT_EQ(report["summary"]["failed"], 1);
    EXPECT_EQ(report["summary"]["converted"], 6);
    for (const auto& row : report["files"]) {
        const bool isBad = row["file"] == "in/folder0/bad.bin";
        EXPECT_EQ(row["status"], isBad ? "failed" : "converted");
        EXPECT_EQ(row["defects"].empty(), !isBad);
        EXPECT_EQ(row["format"], "collisionset");
        EXPECT_GT(row["bytesIn"], 0);
        EXPECT_TRUE(row["seconds"].is_number());
        if (isBad) continue;
        EXPECT_GT(row["bytesOut"], 0);
        EXPECT_EQ(row["counts"]["triangles"], 4);
    }
}

TEST(CliBatch, ReportRowsAreInTheOrderOfTheList) {
    const Program program;
    fill(program, 30);
    ASSERT_EQ(program(batch({"-j", "8", "--report", "r.json"})).code, 0);
    std::vector<std::string> names;
    for (const auto& row : nlohmann::json::parse(program.read("r.json"))["files"]) names.push_back(row["file"]);
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(CliBatch, FailFastStops) {
    const Program program;
    fill(program, 30);
    ByteVector bad = library("bad");
    bad.resize(bad.size() - 3);
    program.write("in/bad.bin", bad);
    program.write("in/folder0/bad.bin", bad);
    const Outcome run = program(batch({"--fail-fast", "-j", "1"}));
    EXPECT_EQ(run.code, 4);
    EXPECT_LT(contents(program / "out").size(), 30U);
}

TEST(CliBatch, GlobChoosesByNameOrPath) {
    const Program program;
    fill(program, 9);
    ASSERT_EQ(program({"batch", "in", "-o", "a", "--to", "glb", "--glob", "*_1.BIN"}).code, 0);
    EXPECT_EQ(contents(program / "a").size(), 1U);
    ASSERT_EQ(program({"batch", "in", "-o", "b", "--to", "glb", "--glob", "folder2/*"}).code, 0);
    EXPECT_EQ(contents(program / "b").size(), 3U);
}

TEST(CliBatch, SkipsWhatIsUpToDate) {
    const Program program;
    fill(program, 5);
    ASSERT_EQ(program(batch({})).code, 0);
    const Outcome again = program(batch({"--skip-existing"}));
    EXPECT_EQ(again.code, 0);
    EXPECT_THAT(again.out, HasSubstr("0 converted, 5 up to date"));
    fs::last_write_time(program / "in/folder1/mesh_1.bin", fs::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_THAT(program(batch({"--skip-existing"})).out, HasSubstr("1 converted, 4 up to date"));
}

TEST(CliBatch, DryRunWritesNothing) {
    const Program program;
    fill(program, 3);
    const Outcome run = program(batch({"--dry-run"}));
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.out, HasSubstr("in/folder0/mesh_0.bin -> out/folder0/mesh_0.glb\n"));
    EXPECT_FALSE(program.has("out"));
}

TEST(CliBatch, NamesThatWouldMeetKeepTheirEndings) {
    const Program program;
    program.write("in/a.bin", library("a"));
    program.write("in/other.bin", library("o"));
    ASSERT_EQ(program({"convert", "in/a.bin", "-o", "in/a.json"}).code, 0);
    ASSERT_EQ(program({"dump", "in/a.bin", "-o", "in/A.bin.json"}).code, 0);
    program.write("in/other.json", "{\"not\": \"ours\"}");
    const Outcome run = program({"batch", "in", "-o", "out", "--to", "obj", "--dry-run"});
    EXPECT_THAT(run.out, HasSubstr("in/a.bin -> out/a.bin.obj\n"));
    EXPECT_THAT(run.out, HasSubstr("in/other.bin -> out/other.obj\n")) << "a file of no format of ours does not count";
}

TEST(CliBatch, ListsOutputsWithoutAnInputAndRemovesNone) {
    const Program program;
    fill(program, 4);
    ASSERT_EQ(program(batch({})).code, 0);
    fs::remove(program / "in/folder0/mesh_3.bin");
    const Outcome run = program(batch({"--skip-existing", "--report", "r.json", "--glob", "nothing*"}));
    EXPECT_EQ(run.code, 0);
    const auto report = nlohmann::json::parse(program.read("r.json"));
    EXPECT_EQ(report["outputsWithoutInput"], nlohmann::json::array({"out/folder0/mesh_3.glb"}));
    EXPECT_TRUE(program.has("out/folder0/mesh_3.glb"));
}

TEST(CliBatch, EndsWithLinksInCircles) {
    const Program program;
    fill(program, 3);
    fs::create_directory_symlink(program / "in", program / "in/folder0/up");
    fs::create_directory_symlink("self", program / "in/self");
    fs::create_symlink("nowhere", program / "in/dangling.bin");
    const Outcome run = program(batch({}));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(contents(program / "out").size(), 3U);
}

TEST(CliBatch, DoesNotReadItsOwnOutputs) {
    const Program program;
    fill(program, 3);
    for (int i = 0; i < 2; ++i) {
        const Outcome run = program({"batch", "in", "-o", "in/out", "--to", "glb"});
        EXPECT_EQ(run.code, 0);
        EXPECT_THAT(run.out, HasSubstr("3 converted, 0 failed, 0 ignored"));
    }
    EXPECT_EQ(program({"batch", "in", "-o", "in", "--to", "glb"}).code, 2);
    EXPECT_EQ(program({"batch", "in", "-o", "./in/", "--to", "glb"}).code, 2);
}

TEST(CliBatch, PassesOverPipesAndDevices) {
    const Program program;
    fill(program, 1);
    ASSERT_EQ(::mkfifo((program / "in/pipe.bin").c_str(), 0600), 0);
    EXPECT_EQ(program(batch({})).code, 0);
}

TEST(CliBatch, TellsOfFoldersWithoutPermission) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const Program program;
    fill(program, 2);
    fs::create_directories(program / "in/closed");
    fs::permissions(program / "in/closed", fs::perms::none);
    const Outcome run = program(batch({}));
    fs::permissions(program / "in/closed", fs::perms::owner_all);
    EXPECT_EQ(run.code, 4);
    EXPECT_EQ(contents(program / "out").size(), 2U);
}

TEST(CliBatch, AFileThatCannotBeWrittenDoesNotStopTheOthers) {
    const Program program;
    fill(program, 4);
    program.write("out/folder1", "a file where a folder should be");
    const Outcome run = program(batch({}));
    EXPECT_EQ(run.code, 4);
    EXPECT_TRUE(program.has("out/folder0/mesh_0.glb"));
    EXPECT_TRUE(program.has("out/folder2/mesh_2.glb"));
}

TEST(CliBatch, AReportOnAFullDiskIsTheSystemsNo) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    const Program program;
    fill(program, 200);
    EXPECT_EQ(program(batch({"--report", "/dev/full"})).code, 3);
}

TEST(CliBatch, SurvivesFilesThatVanishMeanwhile) {
    const Program program;
    fill(program, 600);
    const Outcome run = program.shell("$G batch in -o out --to glb -j 2 & rm -rf in/folder1; wait $!");
    EXPECT_TRUE(run.code == 0 || run.code == 4) << run.code;
    EXPECT_GE(contents(program / "out").size(), 400U);
}

TEST(CliBatch, InterruptLeavesWholeFilesAndASummary) {
    const Program program;
    fill(program, 3000);
    // Without `timeout --foreground` a background child of bash would ignore the signal.
    const Outcome run =
        program.shell("timeout --foreground -s INT 0.08 $G batch in -o out --to glb -j 2 --report r.json; exit $?");
    if (run.code == 0) GTEST_SKIP() << "it was done before the signal came";
    EXPECT_TRUE(run.code == 130 || run.code == 124) << run.code;
    for (const auto& [name, bytes] : contents(program / "out")) {
        EXPECT_TRUE(name.ends_with(".glb")) << name;
        EXPECT_EQ(bytes.substr(0, 4), "glTF") << name;
    }
    EXPECT_THAT(run.out, HasSubstr("interrupted: "));
    EXPECT_TRUE(nlohmann::json::parse(program.read("r.json"))["summary"]["interrupted"]);
}

TEST(CliBatch, TheNextRunFinishesWhatAKillLeft) {
    const Program program;
    fill(program, 600);
    ASSERT_EQ(program({"batch", "in", "-o", "whole", "--to", "glb"}).code, 0);
    program.shell("timeout -s KILL 0.03 $G batch in -o out --to glb -j 2");
    for (const auto& [name, bytes] : contents(program / "out")) {
        if (name.ends_with(".glb"))
            EXPECT_EQ(bytes, contents(program / "whole")[name]) << name;
        else
            EXPECT_THAT(name, ::testing::EndsWith(".tmp"));
    }
    ASSERT_EQ(program(batch({"--skip-existing"})).code, 0);
    auto out = contents(program / "out");
    std::erase_if(out, [](const auto& file) { return file.first.ends_with(".tmp"); });
    EXPECT_EQ(out, contents(program / "whole"));
}

TEST(CliBatch, MemoryDoesNotGrowWithTheNumberOfFiles) {
    const Program program;
    if (program.shell("/usr/bin/time -f %M true").code != 0) GTEST_SKIP() << "no /usr/bin/time here";
    const std::string bytes(asText(library("same")));
    for (int i = 0; i < 10000; ++i)
        program.write("many/f" + std::to_string(i / 500) + "/a" + std::to_string(i) + ".bin", bytes);
    for (int i = 0; i < 100; ++i)
        program.write("few/f" + std::to_string(i / 5) + "/a" + std::to_string(i) + ".bin", bytes);
    // A peak counts the pages of the program's file that the system happened to map: some runs, and their middle.
    const auto peak = [&](const std::string& folder) {
        std::vector<double> peaks;
        for (int k = 0; k < 5; ++k) {
            const Outcome run =
                program.shell("/usr/bin/time -f 'peak %M' $G batch " + folder + " -o out_" + folder + " --to glb -j 1");
            EXPECT_EQ(run.code, 0);
            peaks.push_back(std::stod(run.err.substr(run.err.find("peak ") + 5)));
        }
        std::sort(peaks.begin(), peaks.end());
        return peaks[peaks.size() / 2];
    };
    const double few = peak("few");
    const double many = peak("many");
    EXPECT_LE(many, few * 1.10) << few << " KB for 100 files, " << many << " KB for 10,000";
}

TEST(CliBatch, WithoutThatFolderSaysSo) {
    const Program program;
    EXPECT_EQ(program(batch({})).code, 3);
    program.write("in", "a file");
    EXPECT_EQ(program(batch({})).code, 2);
}

TEST(CliBatch, PassesOverADataPartOfAPackBesideIt) {
    const Program program;
    const fs::path samples = sourceDir() / "samples" / "collisionset";
    for (const char* name : {"MiscBin.pak", "MiscBin.p00"})
        program.write(std::string("in/") + name, readText(samples / name));
    const Outcome run = program(batch({"--report", "report.json"}));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("3 converted, 0 failed, 1 ignored"));
    const auto rows = nlohmann::json::parse(program.read("report.json")).at("files");
    EXPECT_EQ(rows[0].at("file"), "in/MiscBin.p00");
    EXPECT_EQ(rows[0].at("status"), "ignored");
    EXPECT_TRUE(rows[0].at("error").is_null());

    fs::remove(program / "in/MiscBin.pak");
    EXPECT_EQ(program(batch({})).code, 4) << "a part that lies alone cannot be read";
}

TEST(CliBatch, SaysInTheRowOfAFileWhyItFailed) {
    const Program program;
    program.write("in/bad.sur", "vers");
    program.write("in/good.bin", library("good"));
    EXPECT_EQ(program(batch({"--report", "report.json"})).code, 4);
    const auto rows = nlohmann::json::parse(program.read("report.json")).at("files");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_THAT(rows[0].at("error").get<std::string>(), ::testing::StartsWith("offset 0x"));
    EXPECT_TRUE(rows[1].at("error").is_null());
}

}  // namespace
}  // namespace geomconv::test
