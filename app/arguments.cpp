#include "app/arguments.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

namespace {

bool fitsFloat(double value) {
    return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
}

}  // namespace

std::vector<std::string> Arguments::all(std::string_view name) const {
    const auto views = options.all(name);
    return {views.begin(), views.end()};
}

std::size_t Arguments::choice(std::string_view name, std::initializer_list<std::string_view> words) const {
    const auto given = get(name);
    if (!given) return 0;
    std::string known;
    std::size_t i = 0;
    for (const std::string_view word : words) {
        if (word == *given) return i;
        known += (i++ == 0 ? "" : ", ") + std::string(word);
    }
    throw UsageError("--" + std::string(name) + ": '" + printable(*given) + "' is none of " + known);
}

std::optional<std::int64_t> Arguments::integer(std::string_view name, std::int64_t least, std::int64_t most) const {
    const auto given = get(name);
    if (!given) return std::nullopt;
    if (const auto value = wholeFromText(*given); value && *value >= least && *value <= most) return value;
    throw UsageError(noWholeNumber(name, *given, least, most));
}

std::optional<std::int64_t> wholeFromText(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string noWholeNumber(std::string_view option, std::string_view text, std::int64_t least, std::int64_t most) {
    return "--" + std::string(option) + ": '" + printable(text) + "' is no whole number from " + std::to_string(least) +
           " to " + std::to_string(most);
}

std::optional<double> realFromText(std::string_view text) {
    double value = 0;
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<double> Arguments::real(std::string_view name) const {
    const auto given = get(name);
    if (!given) return std::nullopt;
    if (const auto value = realFromText(*given)) return value;
    throw UsageError("--" + std::string(name) + ": '" + printable(*given) + "' is no number");
}

std::optional<float> Arguments::realFloat(std::string_view name) const {
    const auto value = real(name);
    if (!value) return std::nullopt;
    if (fitsFloat(*value)) return static_cast<float>(*value);
    throw UsageError("--" + std::string(name) + ": '" + printable(*get(name)) +
                     "' is out of range, floats end at 3.4e38");
}

std::optional<std::uint64_t> sizeFromText(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    int shift = 0;
    if (!unit.empty()) {
        constexpr std::string_view kUnits = "KMGT";
        const char letter =
            unit.front() >= 'a' && unit.front() <= 'z' ? static_cast<char>(unit.front() - 'a' + 'A') : unit.front();
        const std::size_t step = kUnits.find(letter);
        if (step == std::string_view::npos) {
            if (unit != "B" && unit != "b") return std::nullopt;
        } else {
            shift = 10 * static_cast<int>(step + 1);
            unit.remove_prefix(1);
            if (!unit.empty() && unit != "B" && unit != "iB" && unit != "b" && unit != "ib") return std::nullopt;
        }
    }
    // Nothing holds more, and sums of sizes stay in 64 bits.
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
    if (value > (kMost >> shift)) return std::nullopt;
    return value << shift;
}

std::optional<std::uint64_t> Arguments::size(std::string_view name) const {
    const auto given = get(name);
    if (!given) return std::nullopt;
    if (const auto value = sizeFromText(*given); value && *value > 0) return value;
    throw UsageError("--" + std::string(name) + ": '" + printable(*given) +
                     "' is no size from 1 byte to 4194304T; write bytes or a number with K, M, G or T");
}

std::vector<double> realsFromText(std::string_view option, std::string_view text, std::size_t n) {
    std::vector<double> out;
    std::string_view rest = text;
    while (true) {
        const std::size_t comma = rest.find(',');
        const auto value = realFromText(rest.substr(0, comma));
        if (!value || !fitsFloat(*value)) break;
        out.push_back(*value);
        if (comma == std::string_view::npos) {
            if (out.size() == n) return out;
            break;
        }
        rest.remove_prefix(comma + 1);
    }
    throw UsageError("--" + std::string(option) + ": '" + printable(text) + "' is no list of " + std::to_string(n) +
                     " numbers with commas between them, each within the 3.4e38 of a float");
}

}  // namespace geomconv
