#include "lib/files/output_set.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <utility>

#include "lib/files/input_file.hpp"
#include "lib/files/system_error.hpp"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/stat.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace geomconv {

namespace fs = std::filesystem;

namespace {

// Temporaries that exist now, for the signal handler: fixed storage, no allocation, slots taken under a lock and
// read without one.
constexpr std::size_t kSlots = 256;
constexpr std::size_t kPathLimit = 1024;
struct Slot {
    std::atomic<bool> used{false};
    std::array<char, kPathLimit> path{};
};
std::array<Slot, kSlots>& slots() {
    static std::array<Slot, kSlots> all;
    return all;
}
std::mutex& slotLock() {
    static std::mutex lock;
    return lock;
}

std::size_t remember(const fs::path& path) {
    const std::string text = utf8FromPath(path);
    if (text.size() >= kPathLimit) return kSlots;
    const std::lock_guard guard(slotLock());
    for (std::size_t i = 0; i < kSlots; ++i) {
        Slot& slot = slots()[i];
        if (slot.used.load()) continue;
        text.copy(slot.path.data(), text.size());
        slot.path[text.size()] = '\0';
        slot.used.store(true);
        return i;
    }
    return kSlots;
}

void forget(std::size_t slot) {
    if (slot < kSlots) slots()[slot].used.store(false);
}

int openForWriting(const fs::path& path, bool mustBeNew) {
#ifdef _WIN32
    const int flags = _O_WRONLY | _O_BINARY | _O_CREAT | (mustBeNew ? _O_EXCL : 0);
    return _wopen(path.c_str(), flags, _S_IREAD | _S_IWRITE);
#else
    const int flags = O_WRONLY | O_CLOEXEC | (mustBeNew ? O_CREAT | O_EXCL : 0);
    return ::open(path.c_str(), flags, 0666);
#endif
}

class DescriptorSink final : public Sink {
public:
    DescriptorSink(int fd, std::string name, bool close) : fd_(fd), name_(std::move(name)), close_(close) {}
    ~DescriptorSink() override { closeQuietly(); }

    /// Errors of close count: on some file systems the disk is found full only then.
    void closeChecked() {
        flush();
        if (!close_ || fd_ < 0) return;
        const int fd = std::exchange(fd_, -1);
#ifdef _WIN32
        const int result = ::_close(fd);
#else
        const int result = ::close(fd);
#endif
        if (result != 0) throw SystemError(name_, systemReason(errno));
    }

protected:
    void emit(const void* data, std::size_t n) override {
        const auto* p = static_cast<const char*>(data);
        while (n > 0) {
#ifdef _WIN32
            const auto done = ::_write(fd_, p, static_cast<unsigned>(n < (1U << 30) ? n : (1U << 30)));
#else
            const ssize_t done = ::write(fd_, p, n);
#endif
            if (done < 0) {
                if (errno == EINTR) continue;
                throw SystemError(name_, systemReason(errno));
            }
            p += done;
            n -= static_cast<std::size_t>(done);
        }
    }

private:
    void closeQuietly() noexcept {
        if (!close_ || fd_ < 0) return;
#ifdef _WIN32
        ::_close(fd_);
#else
        ::close(fd_);
#endif
        fd_ = -1;
    }

    int fd_;
    std::string name_;
    bool close_;
};

std::uint64_t processId() {
#ifdef _WIN32
    return static_cast<std::uint64_t>(::_getpid());
#else
    return static_cast<std::uint64_t>(::getpid());
#endif
}

bool sameFile(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return fs::equivalent(a, b, error) && !error;
}

bool sameContent(const fs::path& a, const fs::path& b) {
    const auto left = InputFile::open(a);
    const auto right = InputFile::open(b);
    return std::ranges::equal(left->bytes(), right->bytes());
}

}  // namespace

void removeTemporaries() noexcept {
    for (Slot& slot : slots()) {
        if (!slot.used.load()) continue;
#ifdef _WIN32
        ::_unlink(slot.path.data());
#else
        ::unlink(slot.path.data());
#endif
    }
}

struct FileOutput::File {
    fs::path target;
    fs::path temporary;  ///< empty when the target is a device
    std::size_t slot = kSlots;
    std::unique_ptr<DescriptorSink> sink;
    bool committed = false;
};

FileOutput::FileOutput(const fs::path& path, OutputOptions options) : path_(path), options_(std::move(options)) {
    openFile(path_);
}

FileOutput::~FileOutput() {
    for (const auto& file : files_) {
        if (file->committed || file->temporary.empty()) continue;
        file->sink.reset();
        std::error_code ignored;
        fs::remove(file->temporary, ignored);
        forget(file->slot);
    }
    const bool used = std::any_of(files_.begin(), files_.end(), [](const auto& file) { return file->committed; });
    // Only what is empty goes: others may have put something there meanwhile.
    for (std::size_t k = madeFolders_.size(); !used && k-- > 0;) {
        std::error_code ignored;
        fs::remove(madeFolders_[k], ignored);
    }
}

/// With the folders above it.
void FileOutput::makeFolder(const fs::path& folder) {
    std::vector<fs::path> missing;
    std::error_code error;
    for (fs::path at = folder; !at.empty() && !fs::exists(at, error); at = at.parent_path()) missing.push_back(at);
    for (std::size_t k = missing.size(); k-- > 0;) {
        if (fs::create_directory(missing[k], error)) madeFolders_.push_back(missing[k]);
        if (error && !fs::is_directory(missing[k])) {
            throw SystemError(utf8FromPath(folder), systemReason(error.value()));
        }
    }
    if (!fs::is_directory(folder, error)) throw SystemError(utf8FromPath(folder), systemReason(ENOTDIR));
}

FileOutput::File& FileOutput::openFile(const fs::path& path) {
    const std::string name = utf8FromPath(path);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) throw SystemError(name, systemReason(EISDIR));
    auto file = std::make_unique<File>();
    file->target = path;
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        const int fd = openForWriting(path, false);
        if (fd < 0) throw SystemError(name, systemReason(errno));
        file->sink = std::make_unique<DescriptorSink>(fd, name, true);
        return *files_.emplace_back(std::move(file));
    }
    if (fs::exists(status)) {
        if (options_.noClobber) throw SystemError(name, "exists already (--no-clobber)");
        if (!options_.keepBackup && options_.inputs.contains(path))
            throw SystemError(name, "is also an input; give the output another name");
        // A link is followed, so that the file it names is replaced and not the link.
        if (fs::is_symlink(fs::symlink_status(path, error))) file->target = fs::canonical(path, error);
        if (error) file->target = path;
    }
    const fs::path folder = file->target.parent_path();
    if (!folder.empty()) makeFolder(folder);
    static std::atomic<std::uint64_t> serial{0};
    for (int attempt = 0; attempt < 100; ++attempt) {
        fs::path temporary = folder / pathFromUtf8(".geomconv-" + std::to_string(processId()) + '-' +
                                                   std::to_string(serial.fetch_add(1)) + ".tmp");
        const int fd = openForWriting(temporary, true);
        if (fd < 0) {
            const int reason = errno;
            if (reason == EEXIST) continue;
            // Another output that failed may have taken the folder that it had made with it.
            if (reason == ENOENT && !folder.empty()) {
                makeFolder(folder);
                continue;
            }
            throw SystemError(name, systemReason(reason));
        }
        file->temporary = std::move(temporary);
        file->slot = remember(file->temporary);
        file->sink = std::make_unique<DescriptorSink>(fd, name, true);
        return *files_.emplace_back(std::move(file));
    }
    throw SystemError(name, "no temporary file could be made beside it");
}

Sink& FileOutput::main() {
    return *files_.front()->sink;
}

Sink& FileOutput::sibling(std::string_view fileName) {
    if (!canHaveSiblings()) throw SystemError(utf8FromPath(path_), "no file can be written beside it");
    const fs::path path = path_.parent_path() / pathFromUtf8(fileName);
    if (path == path_) throw SystemError(utf8FromPath(path), "is also the name of a file that belongs beside it");
    for (const auto& file : files_) {
        if (file->target == path) return *file->sink;
    }
    return *openFile(path).sink;
}

bool FileOutput::canHaveSiblings() const {
    return !files_.front()->temporary.empty();
}

std::string FileOutput::stem() const {
    std::string stem = utf8FromPath(path_.stem());
    // Files name their siblings in lines of text; a line break in a name would end the line.
    for (char& c : stem) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
    }
    return stem;
}

/// An input's .bin, .mtl or image under an output's name: the input would be damaged.
void FileOutput::refuseLosingCompanions() const {
    if (options_.companions == nullptr || options_.keepBackup) return;
    for (const auto& file : files_) {
        if (file->temporary.empty() || !fs::exists(file->target)) continue;
        for (const fs::path& companion : *options_.companions) {
            if (!sameFile(file->target, companion)) continue;
            if (!sameContent(file->temporary, companion)) {
                throw SystemError(utf8FromPath(file->target), "is also read by an input");
            }
        }
    }
}

void FileOutput::commit() {
    for (const auto& file : files_) file->sink->closeChecked();
    refuseLosingCompanions();
    // Siblings first: when the main file appears, everything that it names is there.
    for (std::size_t k = files_.size(); k-- > 0;) {
        File& file = *files_[k];
        if (!file.temporary.empty()) {
            std::error_code error;
            if (options_.keepBackup && fs::exists(file.target)) {
                fs::path backup = file.target;
                backup += ".bak";
                fs::copy_file(file.target, backup, fs::copy_options::overwrite_existing, error);
                if (error) throw SystemError(utf8FromPath(backup), systemReason(error.value()));
            }
            // What is replaced keeps its permissions.
            const fs::file_status old = fs::status(file.target, error);
            if (fs::is_regular_file(old)) fs::permissions(file.temporary, old.permissions(), error);
            fs::rename(file.temporary, file.target, error);
            if (error) throw SystemError(utf8FromPath(file.target), systemReason(error.value()));
            forget(file.slot);
        }
        file.committed = true;
    }
}

std::vector<fs::path> FileOutput::paths() const {
    std::vector<fs::path> out;
    for (const auto& file : files_) out.push_back(file->target);
    return out;
}

std::uint64_t FileOutput::bytesWritten() const {
    std::uint64_t n = 0;
    for (const auto& file : files_) n += file->sink->written();
    return n;
}

StandardOutput::StandardOutput() {
#ifdef _WIN32
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    sink_ = std::make_unique<DescriptorSink>(1, "standard output", false);
}

StandardOutput::~StandardOutput() = default;

Sink& StandardOutput::main() {
    return *sink_;
}

Sink& StandardOutput::sibling(std::string_view fileName) {
    throw SystemError(std::string(fileName), "standard output has no file beside it");
}

void StandardOutput::commit() {
    sink_->flush();
}

Sink& MemoryOutput::sibling(std::string_view fileName) {
    for (auto& [name, sink] : others_) {
        if (name == fileName) return *sink;
    }
    return *others_.emplace_back(std::string(fileName), std::make_unique<MemorySink>()).second;
}

std::vector<std::pair<std::string, ByteVector>> MemoryOutput::takeSiblings() {
    std::vector<std::pair<std::string, ByteVector>> out;
    for (auto& [name, sink] : others_) out.emplace_back(name, sink->take());
    return out;
}

}  // namespace geomconv
