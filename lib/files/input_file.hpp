#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "lib/bytes/bytes.hpp"

namespace geomconv {

/// An input, mapped where the system can do it and read once otherwise (pipes, devices, standard input).
class InputFile {
public:
    /// Throws SystemError: missing, a folder, no permission.
    static std::shared_ptr<const InputFile> open(const std::filesystem::path& path);
    /// Reads standard input to its end. Throws SystemError.
    static std::shared_ptr<const InputFile> standardInput();
    /// Bytes that were made or unpacked.
    static std::shared_ptr<const InputFile> fromBytes(std::string name, ByteVector bytes);

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    Bytes bytes() const noexcept { return bytes_; }
    /// The name for messages: UTF-8, as given.
    const std::string& name() const noexcept { return name_; }
    /// Tells the system that the first n bytes will not be read again, so that a large mapped input does not
    /// count as used memory. The bytes stay readable (they are read again from the file).
    void release(std::uint64_t n) const noexcept;

private:
    InputFile() = default;

    std::string name_;
    Bytes bytes_;
    ByteVector owned_;
    void* mapping_ = nullptr;
    std::size_t mappingSize_ = 0;
};

/// Releases an input's pages each time some MiB of it were read, wherever they lie: a walk through a large container
/// stays as small as its members.
class ReleaseAsRead {
public:
    /// file: may be null, when there is nothing to release.
    explicit ReleaseAsRead(std::shared_ptr<const InputFile> file) : file_(std::move(file)) {}
    void add(std::uint64_t bytes) noexcept {
        constexpr std::uint64_t kStep = std::uint64_t{16} << 20;
        read_ += bytes;
        if (read_ < kStep || file_ == nullptr) return;
        read_ = 0;
        file_->release(file_->bytes().size());
    }

private:
    std::shared_ptr<const InputFile> file_;
    std::uint64_t read_ = 0;
};

/// A path from UTF-8 text and back, on every system.
std::filesystem::path pathFromUtf8(std::string_view text);
std::string utf8FromPath(const std::filesystem::path& path);

}  // namespace geomconv
