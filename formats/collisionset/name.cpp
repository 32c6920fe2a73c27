#include <algorithm>
#include <array>

#include "formats/collisionset/collisionset.hpp"

namespace geomconv::collisionset {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// ^S[0-9]{2}(_p[0-9]+)?_Asteroid_
bool isAsteroid(std::string_view name) noexcept {
    if (name.size() < 3 || name[0] != 'S' || !isDigit(name[1]) || !isDigit(name[2])) return false;
    name.remove_prefix(3);
    if (name.starts_with("_p")) {
        std::size_t n = 2;
        while (n < name.size() && isDigit(name[n])) ++n;
        if (n > 2) name.remove_prefix(n);
    }
    return name.starts_with("_Asteroid_");
}

}  // namespace

std::string makeNameField(std::string_view name) {
    std::string field(name);
    field.resize(std::max<std::size_t>(16, (name.size() + 1 + 7) / 8 * 8), '\0');
    return field;
}

std::string_view family(std::string_view name) noexcept {
    static constexpr std::array<std::string_view, 3> kFamilies{"rou", "mob", "rob"};
    for (const std::string_view known : kFamilies) {
        if (name.size() > 3 && name.starts_with(known) && name[3] == '_') return known;
    }
    return isAsteroid(name) ? "asteroid" : "other";
}

std::string_view part(std::string_view name) noexcept {
    static constexpr std::array<std::string_view, 5> kParts{"bdy", "brg", "eng", "wep", "sld"};
    if (isAsteroid(name)) return "none";
    for (int token = 0;; ++token) {
        const std::size_t end = name.find('_');
        const auto* known = std::find(kParts.begin(), kParts.end(), name.substr(0, end));
        if (token >= 2 && known != kParts.end()) return *known;
        if (end == std::string_view::npos) return "none";
        name.remove_prefix(end + 1);
    }
}

std::string oddities(std::string_view nameField) {
    std::string out;
    const auto say = [&out](std::string text) {
        if (!out.empty()) out += "; ";
        out += text;
    };
    const std::string_view name = untilNul(nameField);
    if (nameField.size() % 8 != 0) say("length " + std::to_string(nameField.size()) + " is no multiple of 8");
    if (name.size() == nameField.size())
        say("no NUL");
    else if (nameField.find_first_not_of('\0', name.size()) != std::string_view::npos)
        say("padding is not NUL");
    if (name.empty()) say("empty");
    const auto unprintable = [](char c) { return c < 0x20 || c > 0x7e; };
    if (std::any_of(name.begin(), name.end(), unprintable)) say("bytes outside 0x20..0x7E");
    return out;
}

Place place(std::uint32_t number, std::string_view name) {
    return {"record", std::to_string(number), printable(name)};
}

}  // namespace geomconv::collisionset
