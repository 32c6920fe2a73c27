#include "lib/deflate/inflater.hpp"

#include <algorithm>
#include <new>

namespace geomconv {

void feedDeflate(z_stream& stream, Bytes& rest) noexcept {
    const std::size_t n = std::min<std::size_t>(rest.size(), kDeflatePiece);
    stream.next_in = const_cast<Bytef*>(rest.data());  // zlib's interface; it only reads
    stream.avail_in = static_cast<uInt>(n);
    rest = rest.subspan(n);
}

Inflater::Inflater(Bytes packed, int windowBits) : rest_(packed) {
    if (inflateInit2(&stream_, windowBits) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() {
    inflateEnd(&stream_);
}

Inflater::State Inflater::fill(std::span<std::uint8_t> space, std::size_t& wrote) {
    wrote = 0;
    for (;;) {
        if (stream_.avail_in == 0 && !rest_.empty()) feedDeflate(stream_, rest_);
        const std::size_t room = std::min<std::size_t>(space.size() - wrote, kDeflatePiece);
        stream_.next_out = space.data() + wrote;
        stream_.avail_out = static_cast<uInt>(room);
        const int result = inflate(&stream_, Z_NO_FLUSH);
        wrote += room - stream_.avail_out;
        if (result == Z_STREAM_END) return State::End;
        if (result != Z_OK && result != Z_BUF_ERROR) return State::Broken;
        if (wrote == space.size()) return State::More;
        if (stream_.avail_in == 0 && rest_.empty()) return State::Truncated;
    }
}

}  // namespace geomconv
