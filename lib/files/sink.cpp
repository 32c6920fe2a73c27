#include "lib/files/sink.hpp"

#include <utility>

namespace geomconv {

// The buffer is not zeroed: touching it early costs more than it is worth for a small output.
Sink::Sink() : buffer_(new char[kBuffer]) {}

void Sink::flush() {
    const std::size_t n = std::exchange(used_, 0);
    if (n > 0) emit(buffer_.get(), n);
}

void Sink::writeLarge(const void* data, std::size_t n) {
    flush();
    if (n >= kBuffer) {
        emit(data, n);
        return;
    }
    std::memcpy(buffer_.get(), data, n);
    used_ = n;
}

void MemorySink::emit(const void* data, std::size_t n) {
    const auto* p = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), p, p + n);
}

ByteVector MemorySink::take() {
    flush();
    return std::exchange(bytes_, {});
}

std::string MemorySink::takeText() {
    const ByteVector bytes = take();
    return std::string(asText(bytes));
}

}  // namespace geomconv
