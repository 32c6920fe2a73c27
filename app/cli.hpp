#pragma once

#include <string>
#include <vector>

#include "app/command_table.hpp"

namespace geomconv {

/// Parses, runs, catches; gives the exit code. arguments: UTF-8, without the program's name.
int runCommandLine(const std::vector<std::string>& arguments);

/// The options that may stand before the command, and where the command stands (arguments.size() when there is none).
struct Opening {
    std::size_t command = 0;
    bool help = false;
    bool version = false;
};
Opening readOpening(const std::vector<std::string>& arguments);

/// One command line against the rows of its command. Throws UsageError for unknown options, missing or wrong values,
/// too few or too many arguments. arguments: all, the command's name included. help: set when --help was among them;
/// nothing else is checked then.
struct Parsed {
    GlobalOptions global;
    Arguments arguments;
    bool help = false;
};
Parsed parse(const CommandRow& command, const FormatTable& formats, const std::vector<std::string>& arguments,
             std::size_t commandAt);

}  // namespace geomconv
