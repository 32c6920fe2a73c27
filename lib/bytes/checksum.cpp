#include "lib/bytes/checksum.hpp"

#include <array>

#include "lib/bytes/text.hpp"

namespace geomconv {

namespace {

constexpr std::array<std::uint32_t, 256> makeFreelancerTable() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t v = i;
        for (int bit = 0; bit < 8; ++bit) {
            const bool low = (v & 1) != 0;
            v = (v >> 1) | (v & 0x80000000);
            if (low) v ^= 0xEDB88320;
        }
        table[i] = v;
    }
    return table;
}

constexpr std::array<std::uint32_t, 256> kFreelancerTable = makeFreelancerTable();
static_assert(kFreelancerTable[4] == 0xFF6DC419 && kFreelancerTable[128] == 0xEDB88320);

}  // namespace

std::uint32_t freelancerHash(std::string_view name) noexcept {
    std::uint32_t c = 0xFFFFFFFF;
    for (const char letter : name) {
        const auto byte = static_cast<unsigned char>(asciiLower(letter));
        c = (c >> 8) ^ kFreelancerTable[(c ^ byte) & 0xff];
    }
    return ~c;
}

std::optional<std::uint32_t> freelancerId(std::string_view utf8Name) {
    const auto bytes = windows1252FromUtf8(utf8Name);
    if (!bytes) return std::nullopt;
    return freelancerHash(*bytes);
}

}  // namespace geomconv
