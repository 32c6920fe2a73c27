#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/formats.hpp"

namespace geomconv {

/// Paths below a folder, with `/` between the steps, kept in one block: a tree of 10,000 files takes some hundred KB.
class PathList {
public:
    void add(std::string_view path, bool wholeName) {
        text_ += path;
        ends_.push_back(static_cast<std::uint32_t>(text_.size()));
        whole_.push_back(wholeName);
    }
    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](std::size_t i) const {
        const std::size_t start = i == 0 ? 0 : ends_[i - 1];
        return std::string_view(text_).substr(start, ends_[i] - start);
    }
    /// Whether the output keeps the whole name because another file would give the same one.
    bool wholeName(std::size_t i) const { return whole_[i]; }

private:
    std::string text_;
    std::vector<std::uint32_t> ends_;
    std::vector<bool> whole_;
};

struct WalkOptions {
    std::filesystem::path root;
    std::filesystem::path output;    ///< not entered when it lies inside root
    std::vector<std::string> globs;  ///< against the file name and the path below root; empty: all
};

struct WalkResult {
    PathList files;
    std::vector<std::string> unreadable;  ///< folders, with the reason behind ": "
};

/// All ordinary files below root that pass the globs, in the order of their names, folder by folder. Links are
/// followed; a folder that can be reached twice is read once, so links in circles end. Devices and pipes are passed
/// over. Throws SystemError when root itself cannot be read.
WalkResult walk(const WalkOptions& options, const FormatTable& formats);

/// Whether a file is worth a try: its format is known, and where only its name speaks, the name is not one that files
/// of all kinds have (.json).
bool worthReading(const Format* format, Bytes bytes, std::string_view fileName);

/// What a file's output is called, below the output folder and without the new ending: the name without its own ending
/// where a format knows that one and no other file gives the same; else the whole name.
std::string outputStem(std::string_view path, bool wholeName, const FormatTable& formats);

}  // namespace geomconv
