#include "lib/files/output_set.hpp"

#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/stat.h>
#endif

#include "lib/files/input_file.hpp"
#include "lib/files/system_error.hpp"
#include "tests/support/shared.hpp"

namespace geomconv {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

std::size_t filesBelow(const fs::path& folder) {
    std::size_t n = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) n += entry.is_regular_file() ? 1U : 0U;
    return n;
}

TEST(FileOutput, AppearsOnlyWhenComplete) {
    const TemporaryFolder folder;
    FileOutput out(folder / "a/b/ship.obj", {});
    out.main().text("v 0 0 0\n");
    out.sibling("ship.mtl").text("newmtl x\n");
    EXPECT_FALSE(fs::exists(folder / "a/b/ship.obj"));
    out.commit();
    EXPECT_EQ(test::readText(folder / "a/b/ship.obj"), "v 0 0 0\n");
    EXPECT_EQ(test::readText(folder / "a/b/ship.mtl"), "newmtl x\n");
    EXPECT_EQ(filesBelow(folder.path()), 2U);
    EXPECT_EQ(out.bytesWritten(), 17U);
}

TEST(FileOutput, LeavesNothingWhenDropped) {
    const TemporaryFolder folder;
    test::writeFile(folder / "ship.obj", asBytes("old"));
    {
        FileOutput out(folder / "ship.obj", {});
        out.main().text(std::string(200000, 'x'));
        out.sibling("ship.mtl").text("y");
    }
    EXPECT_EQ(test::readText(folder / "ship.obj"), "old");
    EXPECT_EQ(filesBelow(folder.path()), 1U);
}

TEST(FileOutput, RefusesToReplaceWhenAsked) {
    const TemporaryFolder folder;
    test::writeFile(folder / "ship.obj", asBytes("old"));
    EXPECT_THROW(FileOutput(folder / "ship.obj", {.noClobber = true}), SystemError);
    EXPECT_THROW(FileOutput(folder / "ship.obj", {.inputs = {folder / "ship.obj"}}), SystemError);
    EXPECT_THROW(FileOutput(folder.path(), {}), SystemError);
}

TEST(FileOutput, StemHasNoControlCharacters) {
    const TemporaryFolder folder;
    EXPECT_EQ(FileOutput(folder / "a\nb\x1b.obj", {}).stem(), "a_b_");
}

TEST(FileOutput, MainFileIsNoSibling) {
    const TemporaryFolder folder;
    FileOutput out(folder / "a.bin", {});
    EXPECT_THROW(out.sibling("a.bin"), SystemError);
}

TEST(FileOutput, ReplacesACompanionOfTheInputsByTheSameBytesOnly) {
    const TemporaryFolder folder;
    test::writeFile(folder / "a.bin", asBytes("old"));
    const auto read = std::make_shared<const std::vector<fs::path>>(std::vector<fs::path>{folder / "a.bin"});
    for (const std::string_view text : {"old", "new"}) {
        FileOutput out(folder / "a.gltf", {.companions = read});
        out.sibling("a.bin").text(text);
        if (text == "old") {
            EXPECT_NO_THROW(out.commit());
        } else {
            EXPECT_THROW(out.commit(), SystemError);
        }
    }
    EXPECT_EQ(test::readText(folder / "a.bin"), "old");
}

TEST(FileOutput, KeepsABackupInPlace) {
    const TemporaryFolder folder;
    test::writeFile(folder / "level.wad", asBytes("old"));
    FileOutput out(folder / "level.wad", {.keepBackup = true, .inputs = {folder / "level.wad"}});
    out.main().text("new");
    out.commit();
    EXPECT_EQ(test::readText(folder / "level.wad"), "new");
    EXPECT_EQ(test::readText(folder / "level.wad.bak"), "old");
}

#ifndef _WIN32
TEST(FileOutput, WritesADeviceAsItIs) {
    FileOutput out("/dev/null", {});
    EXPECT_FALSE(out.canHaveSiblings());
    EXPECT_THROW(out.sibling("x.mtl"), SystemError);
    out.main().text("gone");
    out.commit();
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(FileOutput, SaysWhenTheDeviceIsFull) {
    FileOutput out("/dev/full", {});
    out.main().text("x");
    EXPECT_THROW(out.commit(), SystemError);
}

TEST(FileOutput, ReplacesTheFileBehindALink) {
    const TemporaryFolder folder;
    test::writeFile(folder / "real.obj", asBytes("old"));
    fs::create_symlink("real.obj", folder / "link.obj");
    FileOutput out(folder / "link.obj", {});
    out.main().text("new");
    out.commit();
    EXPECT_TRUE(fs::is_symlink(folder / "link.obj"));
    EXPECT_EQ(test::readText(folder / "real.obj"), "new");
}

TEST(FileOutput, KeepsThePermissionsOfWhatItReplaces) {
    const TemporaryFolder folder;
    test::writeFile(folder / "a.obj", asBytes("old"));
    ::chmod((folder / "a.obj").c_str(), 0640);
    FileOutput out(folder / "a.obj", {});
    out.main().text("new");
    out.commit();
    struct stat status {};
    ASSERT_EQ(::stat((folder / "a.obj").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0640U);
}
#endif

TEST(Sink, PassesLargeAndSmallWritesInOrder) {
    MemorySink sink;
    std::string expected;
    for (std::size_t n : {1U, 70000U, 65536U, 3U, 65535U, 200000U, 0U, 5U}) {
        const std::string piece(n, static_cast<char>('a' + n % 26));
        sink.text(piece);
        expected += piece;
        EXPECT_EQ(sink.written(), expected.size());
    }
    EXPECT_EQ(sink.takeText(), expected);
}

TEST(InputFile, ReadsWhatIsThereAndSaysWhatIsNot) {
    const TemporaryFolder folder;
    test::writeFile(folder / "a.bin", asBytes("abc"));
    test::writeFile(folder / "empty.bin", {});
    EXPECT_EQ(asText(InputFile::open(folder / "a.bin")->bytes()), "abc");
    EXPECT_EQ(InputFile::open(folder / "empty.bin")->bytes().size(), 0U);
    EXPECT_THROW(InputFile::open(folder / "none.bin"), SystemError);
    EXPECT_THROW(InputFile::open(folder.path()), SystemError);
}

TEST(InputFile, StaysReadableAfterRelease) {
    const TemporaryFolder folder;
    const ByteVector bytes(300000, 7);
    test::writeFile(folder / "a.bin", bytes);
    const auto file = InputFile::open(folder / "a.bin");
    file->release(250000);
    EXPECT_EQ(file->bytes()[0], 7);
    EXPECT_EQ(file->bytes()[299999], 7);
}

TEST(FileOutput, TakesFoldersThatItMadeAwayAgain) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "old");
    { const FileOutput out(folder / "old/new/deep/a.obj", {}); }
    EXPECT_TRUE(fs::exists(folder / "old")) << "it was there before";
    EXPECT_FALSE(fs::exists(folder / "old/new"));
    {
        const FileOutput out(folder / "old/new/deep/a.obj", {});
        test::writeFile(folder / "old/new/b", asBytes("of somebody else"));
    }
    EXPECT_TRUE(fs::exists(folder / "old/new/b"));
    EXPECT_FALSE(fs::exists(folder / "old/new/deep"));
    {
        FileOutput out(folder / "old/kept/a.obj", {});
        out.commit();
    }
    EXPECT_TRUE(fs::exists(folder / "old/kept/a.obj"));
    test::writeFile(folder / "file", asBytes("x"));
    EXPECT_THROW(FileOutput(folder / "file/a.obj", {}), SystemError);
}

}  // namespace
}  // namespace geomconv
