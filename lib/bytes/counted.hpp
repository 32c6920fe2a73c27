#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace geomconv {

/// "1 face", "2 faces", "1 vertex", "1 mesh": a number with its noun, which is given in the plural.
inline std::string counted(std::uint64_t n, std::string_view nouns) {
    std::string out = std::to_string(n) + ' ';
    if (n != 1) return out + std::string(nouns);
    if (nouns.ends_with("ices")) return out + std::string(nouns.substr(0, nouns.size() - 4)) + "ex";
    return out + std::string(nouns.substr(0, nouns.size() - (nouns.ends_with("shes") ? 2 : 1)));
}

/// "a, b, c and 7 more": names in a message, of which there may be thousands.
inline std::string listed(std::span<const std::string> names, std::size_t most = 20) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) out += (i > 0 ? ", " : "") + names[i];
    if (names.size() > most) out += " and " + std::to_string(names.size() - most) + " more";
    return out;
}

}  // namespace geomconv
