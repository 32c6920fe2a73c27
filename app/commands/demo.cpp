#include "formats/groove/demo.hpp"

#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/conversion.hpp"
#include "app/outputs.hpp"
#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

namespace {

struct DemoOptions {
    std::string level;
    bool plaza = false;
    ConversionSettings settings;
    Target target;
};

/// Throws UsageError.
DemoOptions demoOptions(const Arguments& arguments, const Context& context) {
    DemoOptions out;
    out.level = arguments.positionals.front();
    out.plaza = arguments.has("plaza");
    out.settings = conversionSettings(arguments, context.formats);
    const auto output = arguments.get("output");
    if (!output) throw UsageError("demo needs -o OUT.obj");
    out.target = targetFor(std::string(*output), out.settings.writing, context.formats);
    if (out.target.folder) throw UsageError("-o " + printable(out.target.typed) + " is a folder; demo writes one mesh");
    if (out.target.format->role == Role::Game) throw UsageError("demo writes a mesh: obj, gltf, glb or json");
    return out;
}

ExitCode demo(const DemoOptions& options, const Context& context) {
    const ReadSettings& reading = options.settings.reading;
    const Opened opened = open(options.level, reading, context.formats);
    const Format& format = require(opened, context.formats);
    if (format.id != "groove") {
        throw FormatError({Severity::Error,
                           "unsupported",
                           std::nullopt,
                           {},
                           "demo reads Groove levels (.wad), and this is " + std::string(format.id)});
    }
    Defects found = opened.found;
    const groove::Level level = groove::read(opened.file->bytes(), reading.read.recover, found);
    const Scene scene = groove::demoScene(level, options.plaza, found);
    const FileSet inputs = inputFiles(opened, reading);
    const auto output = openOutput(options.target.typed, options.settings.writing.noClobber, inputs);
    WriteOptions write = options.settings.writing.write;
    write.format = formatOptionsFor(write.format, *options.target.format);
    options.target.format->writeScene(scene, write, *output, found);
    refuseDefects(found, reading.strict);
    output->commit();
    context.console.warnings(opened.name, found);
    return ExitCode::Done;
}

}  // namespace

ExitCode runDemo(const Arguments& arguments, Context& context) {
    const DemoOptions options = demoOptions(arguments, context);
    return guarded(context.console, options.level, [&] { return demo(options, context); });
}

}  // namespace geomconv
