#pragma once

#include <zlib.h>

#include <cstdint>
#include <span>
#include <string>

#include "lib/bytes/bytes.hpp"

namespace geomconv {

/// No deflate stream unpacks to more: 258 bytes per two bits.
inline constexpr std::uint64_t kDeflateRatio = 1032;
/// zlib counts what it is given in 32 bits: larger arrays go to it in pieces.
inline constexpr std::uint64_t kDeflatePiece = std::uint64_t{1} << 30;

/// One deflate stream that is unpacked step by step, at the caller's pace. Nothing is allocated but zlib's state.
class Inflater {
public:
    enum class State { More, End, Truncated, Broken };

    /// packed: the stream and what may follow it. windowBits as zlib's inflateInit2 takes it: 15 for zlib's own header,
    /// -15 for none.
    Inflater(Bytes packed, int windowBits);
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater();

    /// Fills the space as far as it goes; wrote: how many bytes. More: the space is full, there may be more to come.
    State fill(std::span<std::uint8_t> space, std::size_t& wrote);
    /// Bytes behind what was used.
    std::uint64_t left() const noexcept { return rest_.size() + stream_.avail_in; }
    /// What zlib says of a Broken stream.
    std::string message() const { return stream_.msg != nullptr ? stream_.msg : "broken stream"; }

private:
    z_stream stream_{};
    Bytes rest_;
};

/// Gives zlib the next piece of `rest`, which moves on.
void feedDeflate(z_stream& stream, Bytes& rest) noexcept;

}  // namespace geomconv
