#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/command_table.hpp"
#include "app/report.hpp"
#include "app/resolve.hpp"

namespace geomconv {

/// What `info`, `validate` and `list` have in common: several inputs, a text or one JSON document for all.
struct InspectOptions {
    std::vector<std::string> files;
    ReadSettings reading;
    bool json = false;
};

/// Throws UsageError.
InspectOptions inspectOptions(const Arguments& arguments, const Context& context);

/// What a command makes of one opened input: defects into the report, and its own members of the row or its text.
struct Inspection {
    std::function<void(JsonWriter&)> writeRow;  ///< further members of the file's JSON object; may be empty
    std::string text;                           ///< for a person
    ExitCode code = ExitCode::Done;
};
using Inspect = std::function<Inspection(const Opened&, const ReadOptions&, FileReport&)>;

/// Opens each input, runs `inspect`, prints text or the JSON document {"geomconv", "files": [...]}; errors appear on
/// standard error and in the JSON. verbs: which of the formats' own options count.
ExitCode inspectAll(const InspectOptions& options, const Context& context, std::uint8_t verbs, const Inspect& inspect);

/// `info` and `validate`: the same with --topology, and what each makes of an input. strict: warnings count as errors.
using InspectContent = Inspection (*)(const Opened&, const ReadOptions&, FileReport&, bool strict, Console&);
ExitCode inspectContents(const Arguments& arguments, const Context& context, InspectContent inspect);

}  // namespace geomconv
