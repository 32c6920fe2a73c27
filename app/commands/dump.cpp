#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/conversion.hpp"
#include "app/outputs.hpp"
#include "app/resolve.hpp"

namespace geomconv {

ExitCode runDump(const Arguments& arguments, Context& context) {
    const ReadSettings settings = readSettings(arguments, context.formats);
    const std::string& file = arguments.positionals.front();
    const std::string target(arguments.get("output").value_or("-"));
    return guarded(context.console, file, [&] {
        const Opened opened = open(file, settings, context.formats);
        const Format& format = require(opened, context.formats);
        if (format.dump == nullptr) {
            throw FormatError({Severity::Error,
                               "unsupported",
                               std::nullopt,
                               {},
                               std::string(format.id) + " has no native document to dump; these have: " +
                                   context.formats.ids([](const Format& f) { return f.dump != nullptr; })});
        }
        Defects found = opened.found;
        const ReadOptions reading = readOptionsFor(opened, settings, context.formats, found);
        const FileSet inputs = inputFiles(opened, settings);
        const auto output = openOutput(target, arguments.has("no-clobber"), inputs, opened.companionsRead);
        format.dump(opened.input(), reading, output->main(), found);
        refuseDefects(found, settings.strict);
        output->commit();
        context.console.warnings(opened.name, found);
        return ExitCode::Done;
    });
}

}  // namespace geomconv
