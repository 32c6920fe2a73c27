#include "lib/files/file_set.hpp"

#include <gtest/gtest.h>

#include "tests/support/shared.hpp"

namespace geomconv {
namespace {

namespace fs = std::filesystem;

TEST(FileSet, KnowsAFileByWhatItIs) {
    const test::TemporaryFolder folder;
    test::writeFile(folder / "a", asBytes("x"));
    test::writeFile(folder / "b", asBytes("x"));
    fs::create_symlink(folder / "a", folder / "link");
    fs::create_directory(folder / "sub");
    const FileSet set{folder / "a", folder / "missing", folder / "sub"};
    EXPECT_TRUE(set.contains(folder / "a"));
    EXPECT_TRUE(set.contains(folder / "link"));
    EXPECT_TRUE(set.contains(folder / "sub/../a"));
    EXPECT_TRUE(set.contains(folder / "sub/."));
    EXPECT_FALSE(set.contains(folder / "b")) << "the same bytes are not the same file";
    EXPECT_FALSE(set.contains(folder / "missing")) << "what is not there is nobody's";
    EXPECT_FALSE(FileSet().contains(folder / "a"));
}

}  // namespace
}  // namespace geomconv
