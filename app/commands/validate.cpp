#include "app/commands/commands.hpp"
#include "app/commands/inspect.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/bytes/text.hpp"
#include "lib/scene/check.hpp"

namespace geomconv {

namespace {

/// A line per defect, then the counts.
std::string textOf(const std::string& file, const Format& format, const Defects& defects, const Console& console) {
    const std::string name = printable(file);
    std::string out;
    for (const Defect& defect : defects.list()) {
        const bool error = defect.severity == Severity::Error;
        std::string label = error ? "error" : "warning";
        if (console.colorOut()) label = (error ? "\x1b[1;31m" : "\x1b[1;33m") + label + "\x1b[0m";
        out += name + ": " + label + ": " + printable(toText(defect)) + " [" + defect.kind + "]\n";
    }
    for (const auto& [kind, count] : defects.leftOut()) {
        out += name + ": " + std::to_string(count) + " more of the kind " + kind + '\n';
    }
    out += name + ": " + std::string(format.id) + ", ";
    if (defects.empty()) return out + "no fault found\n";
    return out + counted(defects.count(Severity::Error), "errors") + ", " +
           counted(defects.count(Severity::Warning), "warnings") + '\n';
}

Inspection validate(const Opened& opened, const ReadOptions& reading, FileReport& report, bool strict,
                    Console& console) {
    const Format& format = *opened.format;
    try {
        if (format.check != nullptr) {
            format.check(opened.input(), reading, report.defects);
        } else if (format.readScene != nullptr) {
            static_cast<void>(format.readScene(opened.input(), reading, report.defects));
        } else if (format.list != nullptr) {
            static_cast<void>(format.list(opened.input(), reading, report.defects));
        }
        // The interchange formats look at it in their own check.
        if (reading.topology && format.role == Role::Game && format.readScene != nullptr) {
            Defects again;  // the reader's words have been said
            checkMeaning(format.readScene(opened.input(), reading, again), true, report.defects);
        }
    } catch (const FormatError& e) {
        // What stops a reader is one more line of the report.
        addThrown(report.defects, e.defect());
    } catch (const GeometryError& e) {
        report.defects.error(e.rule(), std::nullopt, {}, e.what());
    }
    Inspection out;
    out.code = failed(report.defects, strict) ? ExitCode::BadInput : ExitCode::Done;
    out.text = textOf(opened.name, format, report.defects, console);
    out.writeRow = [valid = out.code == ExitCode::Done](JsonWriter& json) { json.field("valid", valid); };
    return out;
}

}  // namespace

ExitCode runValidate(const Arguments& arguments, Context& context) {
    return inspectContents(arguments, context, validate);
}

}  // namespace geomconv
