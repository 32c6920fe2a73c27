#include "lib/bytes/words.hpp"

#include <cstring>

namespace geomconv {

void copyWords32(void* to, Bytes from, ByteOrder order) noexcept {
    if (from.empty()) return;
    if (order == ByteOrder::Little) {
        std::memcpy(to, from.data(), from.size());
        return;
    }
    auto* out = static_cast<std::uint8_t*>(to);
    for (std::size_t i = 0; i + 4 <= from.size(); i += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, from.data() + i, 4);
        word = (word >> 24) | ((word >> 8) & 0xff00) | ((word << 8) & 0xff0000) | (word << 24);
        std::memcpy(out + i, &word, 4);
    }
}

}  // namespace geomconv
