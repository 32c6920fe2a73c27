#pragma once

#include <string>

#include "app/command_table.hpp"

namespace geomconv {

// Everything here is made from the table of commands and the formats' rows.

/// `geomconv --help`.
std::string programHelp();
/// `geomconv COMMAND --help`.
std::string commandHelp(const CommandRow& command, const FormatTable& formats);
/// The manual page, in man's roff.
std::string manualPage(const FormatTable& formats);
/// shell: "bash", "zsh" or "fish"; empty for another one.
std::string completionScript(std::string_view shell, const FormatTable& formats);

}  // namespace geomconv
