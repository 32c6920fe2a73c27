#include "lib/files/input_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "lib/files/system_error.hpp"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace geomconv {

namespace fs = std::filesystem;

namespace {

/// More than any of these files has, and little enough for a stream without end (/dev/zero) to be told in a second.
constexpr std::size_t kStreamLimit = std::size_t{1} << 30;

/// Reads a stream to its end; sizes are unknown for pipes, so the buffer grows.
ByteVector readAll(std::FILE* stream, const std::string& name) {
    ByteVector bytes;
    std::size_t used = 0;
    while (true) {
        if (used == bytes.size()) bytes.resize(bytes.empty() ? 64 * 1024 : bytes.size() * 2);
        const std::size_t n = std::fread(bytes.data() + used, 1, bytes.size() - used, stream);
        used += n;
        if (n == 0) break;
        if (used > kStreamLimit) throw SystemError(name, "more than 1 GiB comes out of it; name a file instead");
    }
    if (std::ferror(stream) != 0) throw SystemError(name, systemReason(errno));
    bytes.resize(used);
    return bytes;
}

}  // namespace

fs::path pathFromUtf8(std::string_view text) {
    return fs::path(std::u8string_view(reinterpret_cast<const char8_t*>(text.data()), text.size()));
}

std::string utf8FromPath(const fs::path& path) {
    const std::u8string text = path.u8string();
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

std::shared_ptr<const InputFile> InputFile::fromBytes(std::string name, ByteVector bytes) {
    std::shared_ptr<InputFile> file(new InputFile());
    file->name_ = std::move(name);
    file->owned_ = std::move(bytes);
    file->bytes_ = file->owned_;
    return file;
}

std::shared_ptr<const InputFile> InputFile::standardInput() {
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
#endif
    return fromBytes("-", readAll(stdin, "standard input"));
}

#ifdef _WIN32

std::shared_ptr<const InputFile> InputFile::open(const fs::path& path) {
    const std::string name = utf8FromPath(path);
    if (fs::is_directory(path)) throw SystemError(name, systemReason(EISDIR));
    std::FILE* stream = _wfopen(path.c_str(), L"rb");
    if (stream == nullptr) throw SystemError(name, systemReason(errno));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> closer(stream, &std::fclose);
    return fromBytes(name, readAll(stream, name));
}

InputFile::~InputFile() = default;

void InputFile::release(std::uint64_t) const noexcept {}

#else

std::shared_ptr<const InputFile> InputFile::open(const fs::path& path) {
    const std::string name = utf8FromPath(path);
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw SystemError(name, systemReason(errno));
    struct Closer {
        int fd;
        ~Closer() { ::close(fd); }
    };
    struct stat status {};
    if (::fstat(fd, &status) != 0) {
        const Closer closer{fd};
        throw SystemError(name, systemReason(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        const Closer closer{fd};
        throw SystemError(name, systemReason(EISDIR));
    }
    if (!S_ISREG(status.st_mode) || status.st_size == 0) {
        // A pipe, a device, or a file of /proc that calls itself empty.
        std::FILE* stream = ::fdopen(fd, "rb");
        if (stream == nullptr) {
            const Closer closer{fd};
            throw SystemError(name, systemReason(errno));
        }
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> closer(stream, &std::fclose);
        return fromBytes(name, readAll(stream, name));
    }
    const Closer closer{fd};
    const auto size = static_cast<std::size_t>(status.st_size);
    void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapping == MAP_FAILED) throw SystemError(name, systemReason(errno));
    ::madvise(mapping, size, MADV_SEQUENTIAL);
    std::shared_ptr<InputFile> file(new InputFile());
    file->name_ = name;
    file->mapping_ = mapping;
    file->mappingSize_ = size;
    file->bytes_ = {static_cast<const std::uint8_t*>(mapping), size};
    return file;
}

InputFile::~InputFile() {
    if (mapping_ != nullptr) ::munmap(mapping_, mappingSize_);
}

void InputFile::release(std::uint64_t n) const noexcept {
    constexpr std::uint64_t kPage = 64 * 1024;  // a multiple of every page size in use
    if (mapping_ == nullptr) return;
    const std::uint64_t whole = (n < mappingSize_ ? n : mappingSize_) / kPage * kPage;
    if (whole > 0) ::madvise(mapping_, static_cast<std::size_t>(whole), MADV_DONTNEED);
}

#endif

}  // namespace geomconv
