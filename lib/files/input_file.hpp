#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

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

/// A path from UTF-8 text and back, on every system.
std::filesystem::path pathFromUtf8(std::string_view text);
std::string utf8FromPath(const std::filesystem::path& path);

}  // namespace geomconv
