#pragma once

#include <cstdint>
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

}  // namespace geomconv
