#include <charconv>

#include "formats/groove/import.hpp"

namespace geomconv::groove {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Takes a prefix off; false when the text does not begin with it.
bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// A number of one or more digits in front of the text, up to `highest`.
std::optional<std::uint32_t> takeNumber(std::string_view& text, int base, std::uint32_t highest) {
    std::size_t n = 0;
    while (n < text.size() && (base == 16 ? isHexDigit(text[n]) : isDigit(text[n]))) ++n;
    std::uint32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + n, value, base);
    if (n == 0 || read.ec != std::errc() || value > highest) return std::nullopt;
    text.remove_prefix(n);
    return value;
}

/// Blender's ordinal ".001", or nothing, ends a name.
bool endsName(std::string_view text) {
    if (text.empty()) return true;
    if (text.size() < 2 || text[0] != '.') return false;
    for (const char c : text.substr(1)) {
        if (!isDigit(c)) return false;
    }
    return true;
}

}  // namespace

std::optional<TextureName> parseTextureName(std::string_view name) {
    TextureName out;
    if (!take(name, "tex")) return std::nullopt;
    const auto texture = takeNumber(name, 10, UINT32_MAX);
    if (!texture) return std::nullopt;
    out.texture = *texture;
    if (take(name, "_f")) {
        const std::size_t before = name.size();
        const auto bits = takeNumber(name, 16, 0xFFFF);
        if (!bits || before - name.size() != 4) return std::nullopt;
        out.bits = static_cast<std::uint16_t>(*bits & Face::kMaterialBits);
    }
    if (!endsName(name)) return std::nullopt;
    return out;
}

std::optional<CollisionName> parseCollisionName(std::string_view name) {
    CollisionName out;
    if (!take(name, "mat")) return std::nullopt;
    const auto material = take(name, "0x") ? takeNumber(name, 16, 0xFF) : takeNumber(name, 10, 0xFF);
    if (!material) return std::nullopt;
    out.material = static_cast<std::uint8_t>(*material);
    if (take(name, "_grp")) {
        if (name.empty() || name[0] < '0' || name[0] > '2') return std::nullopt;
        out.group = static_cast<std::uint8_t>(name[0] - '0');
        name.remove_prefix(1);
    }
    if (take(name, "_t")) {
        const std::size_t before = name.size();
        const auto bits = takeNumber(name, 16, 0xFF);
        if (!bits || before - name.size() != 2) return std::nullopt;
        // Quad and ceiling follow from the shape.
        out.bits = static_cast<std::uint8_t>(*bits & ~unsigned{CollisionPolygon::kQuad | CollisionPolygon::kCeiling});
    }
    if (!endsName(name)) return std::nullopt;
    return out;
}

}  // namespace geomconv::groove
