#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/files/file_set.hpp"
#include "lib/files/sink.hpp"

namespace geomconv {

/// The files of one output: the main one and what lies beside it (.mtl, .bin, .png). Nothing appears under its name
/// before `commit`: each file is written beside its target as a temporary and renamed when all are complete. Dropped
/// without commit, everything is removed again, folders that were made for it too.
class OutputSet {
public:
    virtual ~OutputSet() = default;

    /// The main file. The same sink on every call.
    virtual Sink& main() = 0;
    /// A further file in the same folder, by its file name ("ship.mtl"). Throws SystemError when there can be none
    /// (standard output, a device); ask canHaveSiblings first.
    virtual Sink& sibling(std::string_view fileName) = 0;
    virtual bool canHaveSiblings() const = 0;
    /// The main file's name without folder and extension, UTF-8, control characters as '_': siblings are named after
    /// it.
    virtual std::string stem() const = 0;
    /// Completes all files. Throws SystemError.
    virtual void commit() = 0;
};

struct OutputOptions {
    bool noClobber = false;   ///< refuse to replace an existing file
    bool keepBackup = false;  ///< copy what is replaced to NAME.bak first (`import --in-place`)
    FileSet inputs = {};      ///< refused as outputs unless keepBackup
    /// Files beside the inputs that were read too; the list may grow until commit. Replaced by the same bytes only.
    std::shared_ptr<const std::vector<std::filesystem::path>> companions = nullptr;
};

/// Files on disk. Folders on the way are made. A target that exists and is no ordinary file (a device, a pipe) is
/// written as it is.
class FileOutput final : public OutputSet {
public:
    /// Throws SystemError: unwritable folder, refused by noClobber, output is an input.
    FileOutput(const std::filesystem::path& path, OutputOptions options);
    ~FileOutput() override;

    Sink& main() override;
    Sink& sibling(std::string_view fileName) override;
    bool canHaveSiblings() const override;
    std::string stem() const override;
    void commit() override;
    /// The paths that commit made, in order of creation.
    std::vector<std::filesystem::path> paths() const;
    std::uint64_t bytesWritten() const;

private:
    struct File;
    File& openFile(const std::filesystem::path& path);
    void refuseLosingCompanions() const;
    void makeFolder(const std::filesystem::path& folder);

    std::filesystem::path path_;
    OutputOptions options_;
    std::vector<std::unique_ptr<File>> files_;
    std::vector<std::filesystem::path> madeFolders_;  ///< outermost first
};

/// Standard output.
class StandardOutput final : public OutputSet {
public:
    StandardOutput();
    ~StandardOutput() override;
    Sink& main() override;
    Sink& sibling(std::string_view fileName) override;
    bool canHaveSiblings() const override { return false; }
    std::string stem() const override { return "out"; }
    void commit() override;

private:
    std::unique_ptr<Sink> sink_;
};

/// Everything in memory, for tests and for members of containers.
class MemoryOutput final : public OutputSet {
public:
    explicit MemoryOutput(std::string stem = "out", bool siblings = true)
        : stem_(std::move(stem)), siblings_(siblings) {}
    Sink& main() override { return main_; }
    Sink& sibling(std::string_view fileName) override;
    bool canHaveSiblings() const override { return siblings_; }
    std::string stem() const override { return stem_; }
    void commit() override {}

    ByteVector takeMain() { return main_.take(); }
    std::vector<std::pair<std::string, ByteVector>> takeSiblings();

private:
    std::string stem_;
    bool siblings_;
    MemorySink main_;
    std::vector<std::pair<std::string, std::unique_ptr<MemorySink>>> others_;
};

/// Removes every temporary that is still open; called when the program is interrupted. Async-signal-safe.
void removeTemporaries() noexcept;

}  // namespace geomconv
