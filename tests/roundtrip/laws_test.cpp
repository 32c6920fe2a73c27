// The laws that every format keeps, over every sample, vector and real file, for every row of the two registries. A
// new format is under them by its row and its samples alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "exporters/registry.hpp"
#include "formats/registry.hpp"
#include "lib/files/output_set.hpp"
#include "lib/format.hpp"
#include "tests/support/check_scene.hpp"
#include "tests/support/shared.hpp"

namespace geomconv {
namespace {

namespace fs = std::filesystem;

struct Subject {
    fs::path path;
    ByteVector bytes;
    const Format* format = nullptr;
};

std::vector<const Format*> allFormats() {
    std::vector<const Format*> out(gameFormats().begin(), gameFormats().end());
    out.insert(out.end(), interchangeFormats().begin(), interchangeFormats().end());
    return out;
}

/// The first of the surest.
const Format* formatOf(Bytes bytes, const std::string& name) {
    const Format* best = nullptr;
    Confidence confidence = Confidence::No;
    for (const Format* format : allFormats()) {
        if (format->probe == nullptr) continue;
        const Confidence c = format->probe(bytes, name);
        if (c > confidence) {
            best = format;
            confidence = c;
        }
    }
    return best;
}

/// Every file of the samples, of tests/vectors and, where they exist, of the shared vectors and real files.
const std::vector<Subject>& subjects() {
    static const std::vector<Subject> all = [] {
        std::vector<fs::path> folders{test::sourceDir() / "samples", test::sourceDir() / "tests/vectors"};
        if (const auto shared = test::sharedDir()) {
            folders.push_back(*shared / "vectors");
            folders.push_back(*shared / "corpus");
        }
        std::vector<Subject> out;
        for (const fs::path& folder : folders) {
            if (!fs::is_directory(folder)) continue;
            std::vector<fs::path> files;
            for (const auto& entry : fs::recursive_directory_iterator(folder)) {
                if (entry.is_regular_file()) files.push_back(entry.path());
            }
            std::sort(files.begin(), files.end());
            for (const fs::path& path : files) {
                Subject subject{path, test::readFile(path), nullptr};
                subject.format = formatOf(subject.bytes, path.filename().string());
                if (subject.format != nullptr) out.push_back(std::move(subject));
            }
        }
        return out;
    }();
    return all;
}

/// Files beside the subject, by name.
Companions besides(const Subject& subject) {
    return [folder = subject.path.parent_path()](std::string_view name) -> std::shared_ptr<const InputFile> {
        const fs::path path = folder / pathFromUtf8(name);
        if (!fs::is_regular_file(path)) return nullptr;
        return InputFile::open(path);
    };
}

Input inputOf(const Subject& subject, const std::string& name) {
    return {name, subject.bytes, besides(subject), nullptr};
}

/// Counts per format id, printed at the end so that a run says how much it has seen.
class Tally {
public:
    explicit Tally(std::string what) : what_(std::move(what)) {}
    ~Tally() {
        std::string line;
        for (const auto& [id, n] : counts_) line += ' ' + id + ' ' + std::to_string(n);
        std::printf("%s:%s\n", what_.c_str(), line.empty() ? " none" : line.c_str());
    }
    void add(std::string_view id) { counts_[std::string(id)] += 1; }

private:
    std::string what_;
    std::map<std::string, int> counts_;
};

/// Whether check finds no error: the laws of bytes hold for sound files.
bool isSound(const Subject& subject) {
    if (subject.format->check == nullptr) return true;
    Defects defects;
    const std::string name = subject.path.filename().string();
    subject.format->check(inputOf(subject, name), {}, defects);
    return defects.count(Severity::Error) == 0;
}

TEST(Laws, AReadSceneIsSound) {
    Tally tally("scenes read");
    for (const Subject& s : subjects()) {
        if (s.format->readScene == nullptr) continue;
        ReadOptions options;
        options.content = ContentSet::all();
        Defects defects;
        const std::string name = s.path.filename().string();
        try {
            const Scene scene = s.format->readScene(inputOf(s, name), options, defects);
            EXPECT_EQ(test::sceneFaults(scene), std::vector<std::string>()) << s.path;
            // Scene JSON says where the scene once came from.
            EXPECT_TRUE(scene.source.format == s.format->id || s.format->id == "json") << s.path;
            tally.add(s.format->id);
        } catch (const FormatError& e) {
            EXPECT_FALSE(e.defect().kind.empty()) << s.path;
        }
    }
}

TEST(Laws, CheckReportsInsteadOfThrowing) {
    Tally tally("files checked");
    for (const Subject& s : subjects()) {
        if (s.format->check == nullptr) continue;
        Defects defects;
        const std::string name = s.path.filename().string();
        EXPECT_NO_THROW(s.format->check(inputOf(s, name), {}, defects)) << s.path;
        for (const Defect& d : defects.list()) {
            EXPECT_FALSE(d.kind.empty() || d.detail.empty()) << s.path << ": " << toText(d);
        }
        tally.add(s.format->id);
    }
}

TEST(Laws, WhatCheckCallsSoundCanBeRead) {
    for (const Subject& s : subjects()) {
        if (s.format->check == nullptr || s.format->readScene == nullptr || !isSound(s)) continue;
        Defects defects;
        const std::string name = s.path.filename().string();
        EXPECT_NO_THROW(s.format->readScene(inputOf(s, name), {}, defects)) << s.path;
    }
}

TEST(Laws, ADumpGivesTheSameBytesBack) {
    Tally tally("dumps undone");
    for (const Subject& s : subjects()) {
        if (s.format->dump == nullptr || s.format->undump == nullptr || !isSound(s)) continue;
        const std::string name = s.path.filename().string();
        MemorySink sink;
        Defects defects;
        s.format->dump(inputOf(s, name), {}, sink, defects);
        const ByteVector dump = sink.take();
        Defects back;
        EXPECT_EQ(s.format->undump({"dump.json", dump, {}, nullptr}, back), s.bytes) << s.path;
        tally.add(s.format->id);
    }
}

TEST(Laws, APatchOfNothingGivesTheSameBytesBack) {
    Tally tally("patched with nothing");
    for (const Subject& s : subjects()) {
        if (s.format->patch == nullptr || !isSound(s)) continue;
        const std::string name = s.path.filename().string();
        Defects defects;
        const PatchResult result = s.format->patch(inputOf(s, name), {}, Scene{}, {}, defects);
        EXPECT_EQ(result.bytes, s.bytes) << s.path;
        EXPECT_TRUE(result.changes.empty()) << s.path;
        tally.add(s.format->id);
    }
}

const Format& jsonFormat() {
    return **std::find_if(interchangeFormats().begin(), interchangeFormats().end(),
                          [](const Format* f) { return f->id == "json"; });
}

TEST(Laws, SceneJsonCarriesTheGameFile) {
    const Format& json = jsonFormat();
    if (json.readScene == nullptr || json.writeScene == nullptr) FAIL() << "scene JSON cannot be read and written";
    Tally tally("game files through scene JSON");
    for (const Subject& s : subjects()) {
        if (s.format->role != Role::Game || s.format->writeScene == nullptr || !isSound(s)) continue;
        const std::string name = s.path.filename().string();
        ReadOptions options;
        options.wayBack = true;
        Defects defects;
        const Scene scene = s.format->readScene(inputOf(s, name), options, defects);
        MemoryOutput text;
        json.writeScene(scene, {}, text, defects);
        const ByteVector bytes = text.takeMain();
        const Scene back = json.readScene({"scene.json", bytes, {}, nullptr}, {}, defects);
        MemoryOutput out;
        s.format->writeScene(back, {}, out, defects);
        EXPECT_EQ(out.takeMain(), s.bytes) << s.path;
        tally.add(s.format->id);
    }
}

/// What no reader may throw on any bytes: anything but a FormatError.
void readAnything(const Format& format, const std::string& name, Bytes bytes) {
    const Input input{name, bytes, {}, nullptr};
    ReadOptions options;
    options.content = ContentSet::all();
    options.maxMemory = std::uint64_t{64} << 20;
    Defects defects;
    try {
        if (format.readScene != nullptr) format.readScene(input, options, defects);
        if (format.list != nullptr) format.list(input, options, defects);
    } catch (const FormatError&) {
    }
    if (format.check != nullptr) format.check(input, options, defects);
}

TEST(Laws, AFileCutAnywhereIsAnErrorOrAScene) {
    Tally tally("cuts read");
    for (const Subject& s : subjects()) {
        if (s.bytes.size() > 8000) continue;
        const std::string name = s.path.filename().string();
        const std::size_t step = 1 + s.bytes.size() / 100;
        for (std::size_t n = 0; n < s.bytes.size(); n += step) {
            // An allocation of its own length, so that a sanitizer sees one byte too many.
            const ByteVector cut(s.bytes.begin(), s.bytes.begin() + static_cast<std::ptrdiff_t>(n));
            ASSERT_NO_THROW(readAnything(*s.format, name, cut)) << s.path << " cut at " << n;
            tally.add(s.format->id);
        }
    }
}

TEST(Registry, EveryRowIsComplete) {
    std::vector<std::string_view> ids;
    for (const Format* f : allFormats()) {
        EXPECT_FALSE(f->id.empty() || f->title.empty());
        EXPECT_FALSE(f->extensions.empty()) << f->id;
        for (const std::string_view e : f->extensions) EXPECT_TRUE(e.starts_with('.')) << f->id;
        EXPECT_NE(f->probe, nullptr) << f->id;
        EXPECT_TRUE(f->readScene != nullptr || f->list != nullptr) << f->id << " can do nothing";
        EXPECT_EQ(std::count(ids.begin(), ids.end(), f->id), 0) << f->id;
        ids.push_back(f->id);
        for (const OptionSpec& o : f->options) {
            EXPECT_FALSE(o.name.empty() || o.help.empty()) << f->id;
            EXPECT_NE(o.verbs, 0) << f->id << " --" << o.name;
        }
    }
}

}  // namespace
}  // namespace geomconv
