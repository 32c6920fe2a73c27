#include "lib/defect.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace geomconv {

std::string hex(std::uint64_t value) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

std::string hexId(std::uint32_t value) {
    std::string text = "0x00000000";
    for (std::size_t i = 0; i < 8; ++i) text[9 - i] = "0123456789ABCDEF"[(value >> (4 * i)) & 15];
    return text;
}

std::string toText(const Defect& defect) {
    std::string text;
    if (defect.offset) text += "offset " + hex(*defect.offset) + ": ";
    for (std::size_t i = 0; i < defect.where.size(); ++i) {
        if (i > 0) text += " of ";
        text += defect.where[i].noun;
        if (!defect.where[i].number.empty()) text += ' ' + defect.where[i].number;
        if (!defect.where[i].name.empty()) text += " '" + defect.where[i].name + '\'';
    }
    if (!defect.where.empty()) text += ": ";
    return text + defect.detail;
}

Defect asWarning(Defect defect) {
    defect.severity = Severity::Warning;
    return defect;
}

FormatError::FormatError(Defect defect) : defect_(std::move(defect)), text_(toText(defect_)) {}

FormatError::FormatError(std::string_view kind, std::string detail, std::vector<Place> where)
    : FormatError(Defect{Severity::Error, std::string(kind), std::nullopt, std::move(where), std::move(detail)}) {}

GeometryError::GeometryError(std::string object, std::string rule, std::string detail)
    : object_(std::move(object)), rule_(std::move(rule)), detail_(std::move(detail)) {
    text_ = object_.empty() ? rule_ + ": " + detail_ : "object " + object_ + ": " + rule_ + ": " + detail_;
}

void Defects::add(Defect defect) {
    (defect.severity == Severity::Error ? errors_ : warnings_) += 1;
    Tally* tally = nullptr;
    for (Tally& t : tallies_) {
        if (t.kind == defect.kind) tally = &t;
    }
    if (tally == nullptr) tally = &tallies_.emplace_back(Tally{defect.kind, 0, 0});
    tally->added += 1;
    if (tally->kept >= kMaxPerKind) return;
    tally->kept += 1;
    list_.push_back(std::move(defect));
}

void Defects::warn(std::string_view kind, std::optional<std::uint64_t> offset, std::vector<Place> where,
                   std::string detail) {
    add({Severity::Warning, std::string(kind), offset, std::move(where), std::move(detail)});
}

void Defects::error(std::string_view kind, std::optional<std::uint64_t> offset, std::vector<Place> where,
                    std::string detail) {
    add({Severity::Error, std::string(kind), offset, std::move(where), std::move(detail)});
}

void Defects::refuse(Defect defect, bool recover) {
    if (!recover) throw FormatError(std::move(defect));
    add(asWarning(std::move(defect)));
}

std::size_t Defects::count(Severity severity) const noexcept {
    return severity == Severity::Error ? errors_ : warnings_;
}

std::size_t Defects::count(std::string_view kind) const noexcept {
    for (const Tally& t : tallies_) {
        if (t.kind == kind) return t.added;
    }
    return 0;
}

std::vector<std::pair<std::string, std::size_t>> Defects::leftOut() const {
    std::vector<std::pair<std::string, std::size_t>> out;
    for (const Tally& t : tallies_) {
        if (t.added > t.kept) out.emplace_back(t.kind, t.added - t.kept);
    }
    return out;
}

}  // namespace geomconv
