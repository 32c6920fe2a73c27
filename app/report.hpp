#pragma once

#include <string>
#include <vector>

#include "app/console.hpp"
#include "lib/defect.hpp"
#include "lib/json.hpp"

namespace geomconv {

/// What one input came to, for the JSON of `info`, `validate`, `list` and `batch`.
struct FileReport {
    std::string file;    ///< as typed, members with ::
    std::string format;  ///< id; empty when nothing knows the bytes
    Defects defects;
    std::string error;  ///< why the file could not be done at all: a missing file, a refused option; empty otherwise
};

/// "errors", "warnings" and "defects": [{"severity", "kind", "offset", "where", "detail"}], kinds of which some were
/// left out with their number.
void writeDefects(JsonWriter& json, const Defects& defects);
/// "file", "format", "error".
void writeFileHead(JsonWriter& json, const FileReport& report);
/// Errors in the list, or warnings where they count as errors.
bool failed(const Defects& defects, bool strict);
/// Adds what a guarded piece of work threw: its defect, or its sentence as FileReport::error.
void addFailure(FileReport& report, const Failure& failure);
/// Adds a defect unless it is there already: a checker may have put it into the list before it threw.
void addThrown(Defects& defects, const Defect& defect);

}  // namespace geomconv
