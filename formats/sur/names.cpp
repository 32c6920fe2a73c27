#include "formats/sur/names.hpp"

#include <charconv>

#include "lib/bytes/checksum.hpp"
#include "lib/bytes/text.hpp"
#include "lib/defect.hpp"

namespace geomconv::sur {

namespace {

bool digit(char c) {
    return c >= '0' && c <= '9';
}

std::optional<std::uint32_t> literalId(std::string_view name) {
    if (name == "0") return 0;
    if (name.size() < 3 || name.size() > 10 || name[0] != '0' || (name[1] != 'x' && name[1] != 'X'))
        return std::nullopt;
    std::uint32_t id = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + 2, end, id, 16);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return id;
}

}  // namespace

std::string_view withoutOrdinal(std::string_view name) {
    std::size_t start = name.size();
    while (start > 0 && digit(name[start - 1])) --start;
    const std::size_t digits = name.size() - start;
    if (digits == 0 || start < 2) return name;
    const char mark = name[start - 1];
    if (mark == '#' || (mark == '.' && digits >= 3)) return name.substr(0, start - 1);
    return name;
}

std::optional<std::uint32_t> idFromName(std::string_view name) {
    const std::string_view bare = withoutOrdinal(name);
    const auto literal = literalId(bare);
    return literal ? literal : freelancerId(bare);
}

KnownNames::KnownNames(const ModelParts* model, const std::vector<std::string>& names) {
    if (model != nullptr) {
        for (const ModelPart& part : model->parts) {
            add(part.name);
            for (const ModelHardpoint& hardpoint : part.hardpoints) add(hardpoint.name);
        }
    }
    for (const std::string& name : names) add(name);
}

void KnownNames::add(const std::string& name) {
    const auto id = freelancerId(name);
    const bool readsBack = !name.empty() && name.find('/') == std::string::npos && printable(name) == name;
    if (id && *id != 0 && readsBack && idFromName(name) == id) names_.try_emplace(*id, name);
}

std::string KnownNames::nameOf(std::uint32_t id) const {
    if (id == 0) return "0";
    const auto found = names_.find(id);
    return found == names_.end() ? hexId(id) : found->second;
}

}  // namespace geomconv::sur
