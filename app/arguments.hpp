#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/format.hpp"

namespace geomconv {

/// What was typed behind a command: names checked against the table of options, values not yet understood.
struct Arguments {
    std::vector<std::string> positionals;
    OptionValues options;  ///< the command's own
    OptionValues format;   ///< those that formats brought

    bool has(std::string_view name) const { return options.has(name); }
    std::optional<std::string_view> get(std::string_view name) const { return options.get(name); }
    std::vector<std::string> all(std::string_view name) const;
    /// One of the words; the first one when the option is absent. Throws UsageError.
    std::size_t choice(std::string_view name, std::initializer_list<std::string_view> words) const;
    /// Throw UsageError for what is no number or out of range.
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most) const;
    std::optional<double> real(std::string_view name) const;
    /// The same for what is kept as a float.
    std::optional<float> realFloat(std::string_view name) const;
    /// "64M", "1 GiB", "4096". Throws UsageError.
    std::optional<std::uint64_t> size(std::string_view name) const;
};

/// A whole number that takes the whole text; nullopt otherwise, and for one that 64 bits do not hold.
std::optional<std::int64_t> wholeFromText(std::string_view text);
/// What to say of a value that is none. Names the option.
std::string noWholeNumber(std::string_view option, std::string_view text, std::int64_t least, std::int64_t most);
/// A finite number that takes the whole text; nullopt otherwise.
std::optional<double> realFromText(std::string_view text);
/// Bytes from "64M", "1GiB", "4096" (K, M, G, T in steps of 1024); nullopt for anything else.
std::optional<std::uint64_t> sizeFromText(std::string_view text);
/// A comma-separated list of n numbers that floats hold. Throws UsageError naming the option.
std::vector<double> realsFromText(std::string_view option, std::string_view text, std::size_t n);

}  // namespace geomconv
