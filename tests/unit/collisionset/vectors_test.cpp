// Every file of vectors/collisionset against the verdict beside it.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "formats/collisionset/format.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/collisionset/made.hpp"

namespace geomconv::collisionset {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<fs::path> folders() {
    std::vector<fs::path> out{test::sourceDir() / "tests" / "vectors" / "collisionset"};
    if (const auto shared = test::sharedDir()) out.push_back(*shared / "vectors" / "collisionset");
    return out;
}

struct Vector {
    fs::path path;
    ByteVector bytes;
    Json verdict;
};

/// All vectors but packs, which tests/unit/ipfb reads.
std::vector<Vector> vectors() {
    std::vector<Vector> out;
    for (const fs::path& folder : folders()) {
        for (const fs::path& side : test::filesIn(folder, ".json")) {
            Json verdict = Json::parse(test::readText(side));
            const fs::path path = folder / verdict["file"].get<std::string>();
            if (path.extension() == ".bin") out.push_back({path, test::readFile(path), std::move(verdict)});
        }
    }
    return out;
}

/// zero_area -> zeroArea
std::string camel(std::string_view key) {
    std::string out;
    bool raise = false;
    for (const char c : key) {
        if (c == '_') {
            raise = true;
        } else {
            out += raise && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            raise = false;
        }
    }
    return out;
}

bool close(const Json& want, const Json& got) {
    if (want.is_number_float() || got.is_number_float()) {
        if (!want.is_number() || !got.is_number()) return false;
        const double a = want.get<double>();
        const double b = got.get<double>();
        return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
    }
    if (want.is_array()) {
        if (!got.is_array() || got.size() != want.size()) return false;
        for (std::size_t i = 0; i < want.size(); ++i) {
            if (!close(want[i], got[i])) return false;
        }
        return true;
    }
    if (want.is_number()) return got.is_number() && want.get<std::int64_t>() == got.get<std::int64_t>();
    return want == got;
}

void expectFigures(const Json& want, const Json& got, const std::string& where) {
    for (const auto& [key, value] : want.items()) {
        const auto found = got.find(camel(key));
        ASSERT_NE(found, got.end()) << where << " has no " << camel(key);
        if (value.is_object()) {
            EXPECT_EQ(nlohmann::json(*found), nlohmann::json(value)) << where << ' ' << key;
        } else {
            EXPECT_TRUE(close(value, *found)) << where << ' ' << key << ": " << *found << ", expected " << value;
        }
    }
}

void expectDefects(const Json& want, const Defects& got, const std::string& where) {
    ASSERT_EQ(got.list().size(), want.size()) << where;
    for (std::size_t i = 0; i < want.size(); ++i) {
        const Defect& defect = got.list()[i];
        EXPECT_EQ(defect.severity == Severity::Error ? "error" : "warning", want[i]["severity"]) << where;
        EXPECT_EQ(defect.kind, want[i]["kind"]) << where;
        ASSERT_TRUE(defect.offset.has_value()) << where;
        EXPECT_EQ(*defect.offset, want[i]["offset"].get<std::uint64_t>()) << where << ' ' << defect.kind;
        const Json& record = want[i]["record"];
        EXPECT_EQ(defect.where.empty() ? Json(nullptr) : Json(std::stoi(defect.where[0].number)), record) << where;
        if (want[i]["name"].is_string()) {
            EXPECT_EQ(defect.where.at(0).name, want[i]["name"].get<std::string>()) << where;
        }
    }
}

TEST(CollisionSetVectors, FiguresAndDefectsAreThoseOfTheVerdicts) {
    std::size_t files = 0;
    for (const Vector& v : vectors()) {
        SCOPED_TRACE(v.path.string());
        Defects defects;
        const Json got = kFormat.info({.name = "x.bin", .bytes = v.bytes, .companions = {}, .file = {}}, {}, defects);
        expectFigures(v.verdict["library"], got["library"], "library");
        ASSERT_EQ(got["records"].size(), v.verdict["records"].size());
        for (std::size_t i = 0; i < got["records"].size(); ++i) {
            expectFigures(v.verdict["records"][i], got["records"][i], "record " + std::to_string(i));
        }
        const Json analytic = v.verdict.value("analytic", Json::object());
        for (const auto& [name, figures] : analytic.items()) {
            for (const Json& record : got["records"]) {
                if (record["name"] == name) expectFigures(figures, record, name + " by construction");
            }
        }
        expectDefects(v.verdict["defects"], defects, "defects");
        Defects checked;
        kFormat.check({.name = "x.bin", .bytes = v.bytes, .companions = {}, .file = {}}, {}, checked);
        EXPECT_EQ(checked.list(), defects.list());
        ++files;
    }
    std::printf("%zu vectors read\n", files);
    EXPECT_GE(files, 24U);
}

TEST(CollisionSetVectors, RecoveryKeepsExactlyWhatTheVerdictsSay) {
    std::size_t files = 0;
    for (const Vector& v : vectors()) {
        if (!v.verdict.contains("recover")) continue;
        SCOPED_TRACE(v.path.string());
        const Json& want = v.verdict["recover"];
        Defects defects;
        const Reading got = survey(v.bytes, made::reading(true), defects);
        EXPECT_EQ(got.error.has_value(), want["status"] == "error");
        EXPECT_EQ(defects.count(Severity::Error) > 0, want["status"] == "error");
        Json kept = Json::array();
        for (const Record& r : got.library.records) kept.push_back({printable(r.name()), r.nv(), r.nt()});
        EXPECT_EQ(kept, want["kept"]);
        EXPECT_EQ(got.droppedRecords, want["dropped_records"].get<std::uint32_t>());
        EXPECT_EQ(got.droppedTriangles, want["dropped_triangles"].get<std::uint64_t>());
        if (want["status"] == "ok") {
            EXPECT_EQ(got.unreadBytes, want["unread_bytes"].get<std::uint64_t>());
        }
        ++files;
    }
    EXPECT_GE(files, 12U);
}

TEST(CollisionSetVectors, SoundFilesComeBackByteForByte) {
    for (const Vector& v : vectors()) {
        SCOPED_TRACE(v.path.string());
        Defects defects;
        if (v.verdict["status"] == "error") {
            EXPECT_THROW(read(v.bytes, {}, defects), FormatError);
            continue;
        }
        const Library library = read(v.bytes, {}, defects);
        EXPECT_EQ(write(library), v.bytes);

        MemorySink dumped;
        toJson(library, dumped);
        EXPECT_EQ(write(fromJson(dumped.takeText())), v.bytes);

        // Through the scene, as `convert` between libraries goes.
        const Scene scene = toScene(library, "x.bin", {}, defects);
        EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>{});
        MemorySink out;
        fromScene(scene, {}, out, defects);
        EXPECT_EQ(out.take(), v.bytes);
    }
}

TEST(CollisionSetVectors, ByteOrdersAreEachOthersSwap) {
    const fs::path folder = folders().front();
    const ByteVector big = test::readFile(folder / "good_three_be.bin");
    const ByteVector little = test::readFile(folder / "good_three_le.bin");
    Defects defects;
    for (const bool toLittle : {true, false}) {
        const ByteVector& from = toLittle ? big : little;
        const ByteVector& to = toLittle ? little : big;
        WriteOptions options;
        options.byteOrder = toLittle ? ByteOrderOut::Little : ByteOrderOut::Big;
        MemorySink out;
        fromScene(toScene(read(from, {}, defects), "x.bin", {}, defects), options, out, defects);
        EXPECT_EQ(out.take(), to);

        PatchOptions patching;
        patching.byteOrder = options.byteOrder;
        EXPECT_EQ(patch(from, {}, Scene{}, patching, defects).bytes, to);
    }
    EXPECT_TRUE(defects.empty());
}

TEST(CollisionSetVectors, ProbeClaimsWhatHoldsLibraries) {
    for (const Vector& v : vectors()) {
        SCOPED_TRACE(v.path.string());
        const Confidence sure = probe(v.bytes, "file.bin");
        const std::string stem = v.path.stem().string();
        const bool nothing = stem == "bad_random" || stem == "bad_empty";
        EXPECT_EQ(sure, nothing ? Confidence::No : Confidence::Certain);
    }
}

TEST(CollisionSetVectors, ReplacingOneRecordLeavesAllElse) {
    const fs::path folder = folders().front();
    const ByteVector before = test::readFile(folder / "replace_in.bin");
    const ByteVector after = test::readFile(folder / "replace_out.bin");
    Defects defects;
    Library edited = read(after, {}, defects);
    std::erase_if(edited.records, [](const Record& r) { return r.name() != "rou_e106_eng"; });
    ReadOptions forMesh;
    forMesh.forMesh = true;
    const PatchResult result = patch(before, {}, toScene(edited, "mesh.obj", forMesh, defects), {}, defects);
    EXPECT_EQ(result.bytes, after);
    ASSERT_EQ(result.changes.size(), 1U);
    EXPECT_EQ(result.changes[0].kind, Change::Kind::Replaced);
    EXPECT_EQ(result.changes[0].name, "rou_e106_eng");
}

}  // namespace
}  // namespace geomconv::collisionset
