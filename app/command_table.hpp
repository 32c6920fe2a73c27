#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/arguments.hpp"
#include "app/console.hpp"
#include "app/formats.hpp"

namespace geomconv {

/// One option. The parser, the help, the man page and the completions are made from these rows.
struct OptionRow {
    std::string_view name;   ///< without dashes: "to"
    char letter = 0;         ///< 'o' for -o; 0: none
    std::string_view value;  ///< "ID", "N", "auto|none"; empty for a flag
    std::string_view help;   ///< no full stop; ends with the default in brackets where there is one
    bool choices = false;    ///< value lists the only allowed words, separated by |
    bool repeatable = false;
    /// Of an N in `value`, where the command itself does not look: the formats' own options.
    std::optional<std::pair<std::int64_t, std::int64_t>> range = {};
};

struct OptionGroup {
    std::string_view title;
    std::span<const OptionRow> rows;
};

struct Example {
    std::string_view command;
    std::string_view does;
};

/// What a positional argument is, for the help and for completions.
struct Positional {
    std::string_view name;  ///< "INPUT..."
    std::string_view help;
};

/// What commands work with.
struct Context {
    Console& console;
    const FormatTable& formats;
};

struct CommandRow {
    std::string_view name;
    std::string_view usage;    ///< behind the command's name: "INPUT... -o OUTPUT"
    std::string_view summary;  ///< one line
    std::string_view text;     ///< further paragraphs, or empty
    std::span<const Positional> positionals;
    std::size_t least = 1;  ///< how many positionals at least
    std::size_t most = SIZE_MAX;
    std::span<const OptionGroup> groups;
    std::uint8_t formatVerbs = 0;  ///< Verb bits of the formats' own options that it takes
    std::span<const Example> examples;
    ExitCode (*run)(const Arguments&, Context&) = nullptr;
    std::string_view words = {};  ///< completions of the positionals: "bash|zsh|fish"; empty: files
    bool hidden = false;          ///< for the build: in no list of commands
};

/// All commands, in the order of the help.
std::span<const CommandRow> commandTable();
/// Null when there is none.
const CommandRow* commandNamed(std::string_view name);
/// Options of every command, before or behind its name.
std::span<const OptionRow> globalOptions();

/// One option that formats bring to a command, with its owners' ids in the order of the rows.
struct FormatOption {
    OptionRow row;
    std::vector<std::string_view> owners;
};
/// Those of a command. Formats that say the same of an option share a row; where they differ, each has its own.
std::vector<FormatOption> formatOptions(const CommandRow& command, const FormatTable& formats);

}  // namespace geomconv
