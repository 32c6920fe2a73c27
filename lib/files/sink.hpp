#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "lib/bytes/bytes.hpp"

namespace geomconv {

/// Where output bytes go: a buffered front (64 KiB) over a file, a pipe or memory. Writers that make text number by
/// number take room with `reserve` and give back what they did not use with `advance`, so nothing is copied twice.
class Sink {
public:
    static constexpr std::size_t kBuffer = std::size_t{64} * 1024;

    Sink();
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;
    virtual ~Sink() = default;

    void write(const void* data, std::size_t n) {
        if (n <= kBuffer - used_) {
            std::memcpy(buffer_.get() + used_, data, n);
            used_ += n;
        } else {
            writeLarge(data, n);
        }
        written_ += n;
    }
    void write(Bytes b) {
        if (!b.empty()) write(b.data(), b.size());
    }
    void text(std::string_view t) {
        if (!t.empty()) write(t.data(), t.size());
    }
    void put(char c) { write(&c, 1); }

    /// Room for n bytes (n <= kBuffer) in the buffer; the caller writes there and calls advance with the end.
    char* reserve(std::size_t n) {
        if (n > kBuffer - used_) flush();
        return buffer_.get() + used_;
    }
    void advance(const char* end) {
        const auto n = static_cast<std::size_t>(end - (buffer_.get() + used_));
        used_ += n;
        written_ += n;
    }

    /// Bytes written so far, buffered ones included.
    std::uint64_t written() const noexcept { return written_; }
    void flush();

protected:
    /// Takes the bytes or throws SystemError.
    virtual void emit(const void* data, std::size_t n) = 0;

private:
    void writeLarge(const void* data, std::size_t n);

    std::unique_ptr<char[]> buffer_;
    std::size_t used_ = 0;
    std::uint64_t written_ = 0;
};

/// Collects everything in memory; for tests, tools that need the whole, and members of containers.
class MemorySink final : public Sink {
public:
    ByteVector take();
    std::string takeText();

protected:
    void emit(const void* data, std::size_t n) override;

private:
    ByteVector bytes_;
};

/// Counts and forgets; for measuring a length before it is written.
class NullSink final : public Sink {
protected:
    void emit(const void*, std::size_t) override {}
};

}  // namespace geomconv
