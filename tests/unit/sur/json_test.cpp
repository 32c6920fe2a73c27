#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "formats/sur/sur.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::sur {
namespace {

std::string dumped(const Library& library) {
    MemorySink sink;
    toJson(library, sink);
    return sink.takeText();
}

TEST(SurJson, EveryRealFileComesBackFromItsDump) {
    const auto shared = test::sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    std::size_t files = 0;
    for (const auto& path : test::filesIn(*shared / "corpus" / "sur", ".sur", true)) {
        SCOPED_TRACE(path.filename().string());
        const ByteVector bytes = test::readFile(path);
        Defects defects;
        const Library library = read(bytes, defects);
        const std::string json = dumped(library);
        EXPECT_TRUE(nlohmann::json::accept(json));
        const Library back = fromJson(json);
        EXPECT_EQ(back, library);
        EXPECT_EQ(write(back), bytes);
        EXPECT_EQ(dumped(back), json);
        ++files;
    }
    std::printf("%zu real files dumped and read back\n", files);
}

/// A library with everything a file may hold and none does.
Library oddLibrary() {
    Library library;
    Part& part = library.parts.emplace_back();
    part.id = 0xfedcba98;
    part.fixed = false;
    part.extent = Extent{Vec3(-1.0F, -0.0F, 1e-45F), Vec3(3.4e38F, 0.1F, 2.0F)};
    part.hardpoints = {7, 0xffffffff};
    part.chunks = {{ChunkTag::Hardpoints, false, {}},
                   {ChunkTag::Surface, false, {}},
                   {ChunkTag::Unfixed, false, {}},
                   {ChunkTag::Extent, false, {}},
                   {ChunkTag::Hardpoints, true, {0, 0, 0, 0}}};
    part.chunkCount = 2;
    Surface& surface = part.surface.emplace();
    surface.radius = 3.5F;
    surface.surfaceDeviation = 251;
    surface.padding = {1, 2, 0xffffffff};
    surface.points = {{Vec3(0.0F), 1}, {Vec3(1.0F, 0.0F, 0.0F), 2}, {Vec3(0.0F, 1.0F, 0.0F), 3}};
    Hull hull;
    hull.id = 9;
    hull.size = 6;
    hull.reserved = 0xffff;
    hull.faces.resize(2);
    hull.faces[0] = {4095, 4095, {0, 1, 2}, {-16384, 16383, -1}, 127, true, {false, true, false}};
    hull.faces[1] = {1, 0, {0, 2, 1}, {1, 2, 3}, 0, false, {true, false, true}};
    surface.hulls = {hull, hull, hull};
    surface.hulls[1].firstPoint = 0;
    surface.hulls[2].type = kWrap;
    surface.hulls[2].id = 0;
    surface.hulls[2].nodeOffset = 77;
    surface.nodes.resize(3);
    surface.nodes[0].right = 2;
    surface.nodes[0].hull = 2;
    surface.nodes[1].hull = 1;
    surface.nodes[2].hull = 0;
    surface.nodes[2].padding = 250;
    surface.nodes[2].boxSizes = {0, 128, 255};
    surface.byteSize = 4 + 48 + 3 * 48 + 3 * 16 + 3 * 28;
    surface.tail = {'S', 'H', 'P', 'E', 0, 0, 0, 0};
    return library;
}

TEST(SurJson, KeepsWhatNoFileHas) {
    const Library library = oddLibrary();
    EXPECT_EQ(fromJson(dumped(library)), library);
    EXPECT_EQ(write(fromJson(dumped(library))), write(library));
}

TEST(SurJson, WritesWhatTheDocumentHoldsAndReadsItBackFromBytes) {
    const Library library = oddLibrary();
    Defects defects;
    EXPECT_EQ(read(write(library), defects), library);
    EXPECT_EQ(defects.count("repeated-chunk"), 1U);
    EXPECT_EQ(defects.count("chunk-count"), 1U);
    EXPECT_EQ(defects.count("surf-size"), 1U);
    EXPECT_EQ(defects.count(Severity::Error), 0U);
}

TEST(SurJson, RefusesWhatDoesNotFit) {
    const auto refused = [](const std::string& part) {
        const std::string json = R"({"document": "sur", "parts": [{)" + part + "}]}";
        EXPECT_THROW(write(fromJson(json)), FormatError) << json;
    };
    refused(R"("id": 4294967296)");
    refused(R"("surface": {"surfaceDeviation": 256})");
    refused(R"("surface": {"padding": [0, 0]})");
    refused(R"("surface": {"massCenter": [0, 0]})");
    refused(R"("surface": {"points": [0, 0, 0], "clientData": []})");
    refused(R"("surface": {"tail": "*"})");
    refused(R"("surface": {"nodes": [{"hull": 0}]})");
    refused(R"("surface": {"hulls": [{"faces": {"points": [0, 1, 65536], "opposites": [0, 0, 0], "pierce": [0]}}]})");
    refused(R"("surface": {"hulls": [{"faces": {"points": [0, 1, 2], "opposites": [0, 0, 16384], "pierce": [0]}}]})");
    refused(R"("surface": {"hulls": [{"faces": {"points": [0, 1], "opposites": [0, 0, 0], "pierce": [0]}}]})");
    refused(R"("surface": {"hulls": [{"faces": {"points": [0, 1, 2], "opposites": [0, 0, 0], "pierce": [4096]}}]})");
    refused(R"("chunks": [{"tag": "surf"}])");
    refused(R"("chunks": [{"tag": "what"}])");
    EXPECT_THROW(fromJson(R"({"parts": []})"), FormatError);
    EXPECT_THROW(fromJson(R"({"document": "ccsf", "parts": []})"), FormatError);
    EXPECT_THROW(fromJson("[]"), FormatError);
}

TEST(SurJson, AnEditBesideADamagedBlockIsRefused) {
    const auto shared = test::sharedDir();
    if (!shared) GTEST_SKIP() << "no shared folder beside the project";
    const auto path = *shared / "corpus" / "sur" / "FLHook-And-88-Flak-m0tah" / "li_gunboat_bugged.sur";
    Defects defects;
    Library library = read(test::readFile(path), defects);
    ASSERT_FALSE(library.parts[1].surface->block.empty());
    library.parts[1].surface->points[0].position.x += 1.0F;
    EXPECT_THROW(fromJson(dumped(library)), FormatError);
}

}  // namespace
}  // namespace geomconv::sur
