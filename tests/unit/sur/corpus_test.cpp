#include <gtest/gtest.h>

#include <cstdio>

#include "formats/sur/sur.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::sur {
namespace {

TEST(SurCorpus, EveryRealFileIsReadAndRewrittenByteForByte) {
    const auto shared = test::sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    const auto files = test::filesIn(*shared / "corpus" / "sur", ".sur", true);
    std::size_t identical = 0;
    std::size_t kept = 0;
    for (const auto& path : files) {
        SCOPED_TRACE(path.filename().string());
        const ByteVector bytes = test::readFile(path);
        Defects defects;
        const Library library = read(bytes, defects);
        EXPECT_FALSE(library.parts.empty());
        for (const Part& part : library.parts) kept += part.surface && !part.surface->block.empty() ? 1U : 0U;
        const bool same = write(library) == bytes;
        EXPECT_TRUE(same);
        identical += same ? 1U : 0U;
        EXPECT_EQ(defects.count(Severity::Error), 0U);
        for (const Defect& d : defects.list()) std::printf("  %s: %s\n", path.filename().c_str(), toText(d).c_str());
    }
    std::printf("%zu real files read, %zu rewritten byte for byte, %zu parts with a damaged tree kept as they came\n",
                files.size(), identical, kept);
    EXPECT_FALSE(files.empty());
}

}  // namespace
}  // namespace geomconv::sur
