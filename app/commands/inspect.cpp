#include "app/commands/inspect.hpp"

#include <optional>

#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"
#include "lib/files/output_set.hpp"

namespace geomconv {

InspectOptions inspectOptions(const Arguments& arguments, const Context& context) {
    InspectOptions options;
    options.files = arguments.positionals;
    options.reading = readSettings(arguments, context.formats);
    options.json = arguments.has("json");
    return options;
}

namespace {

struct Row {
    FileReport report;
    Inspection inspection;
    ExitCode code = ExitCode::Done;
};

/// used: gets the input's format.
Row inspectOne(const std::string& file, const InspectOptions& options, const Context& context, std::uint8_t verbs,
               const Inspect& inspect, std::vector<const Format*>& used) {
    Row row;
    row.report.file = file;
    const auto work = [&] {
        const Opened opened = open(file, options.reading, context.formats);
        if (opened.format != nullptr) row.report.format = opened.format->id;
        require(opened, context.formats);
        used.push_back(opened.format);
        if (options.files.size() == 1) {
            checkFormatOptions(options.reading.read.format, {opened.format}, verbs, context.formats);
        }
        for (const Defect& defect : opened.found.list()) row.report.defects.add(defect);
        const ReadOptions reading = readOptionsFor(opened, options.reading, context.formats, row.report.defects);
        row.inspection = inspect(opened, reading, row.report);
        return row.inspection.code;
    };
    row.code = guarded(context.console, file, work, [&](const Failure& failure) { addFailure(row.report, failure); });
    return row;
}

}  // namespace

ExitCode inspectAll(const InspectOptions& options, const Context& context, std::uint8_t verbs, const Inspect& inspect) {
    CodeSum sum;
    std::vector<const Format*> used;
    StandardOutput output;
    std::optional<JsonWriter> json;
    if (options.json) {
        json.emplace(output.main());
        json->beginObject();
        json->head();
        json->key("files");
        json->beginArray();
    }
    for (const std::string& file : options.files) {
        const Row row = inspectOne(file, options, context, verbs, inspect, used);
        sum.add(row.code);
        if (!json) {
            context.console.out(row.inspection.text);
            continue;
        }
        json->beginObject();
        writeFileHead(*json, row.report);
        if (row.inspection.writeRow) row.inspection.writeRow(*json);
        writeDefects(*json, row.report.defects);
        json->endObject();
    }
    if (json) {
        json->endArray();
        json->endObject();
        output.commit();
    }
    // Of several inputs at least one must know an option.
    if (options.files.size() > 1) checkFormatOptions(options.reading.read.format, used, verbs, context.formats);
    return sum.total();
}

ExitCode inspectContents(const Arguments& arguments, const Context& context, InspectContent inspect) {
    InspectOptions options = inspectOptions(arguments, context);
    options.reading.read.topology = arguments.has("topology");
    const auto work = [&](const Opened& opened, const ReadOptions& reading, FileReport& report) {
        return inspect(opened, reading, report, options.reading.strict, context.console);
    };
    return inspectAll(options, context, verbBits({Verb::Read, Verb::Info}), work);
}

}  // namespace geomconv
