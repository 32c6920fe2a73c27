#include "formats/groove/floortest.hpp"

#include <array>
#include <charconv>

#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/conversion.hpp"
#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

namespace {

struct FloortestOptions {
    std::string level;
    std::vector<std::array<double, 3>> points;  ///< units
    std::string batch;                          ///< a file of probes, or empty
    bool json = false;
    groove::FloorReportOptions report;
    ReadSettings reading;
};

/// "0x200000" or decimal; throws UsageError.
std::uint32_t word(std::string_view option, std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view digits = isHex ? text.substr(2) : text;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, isHex ? 16 : 10);
    if (error == std::errc() && end == digits.data() + digits.size()) return value;
    throw UsageError("--" + std::string(option) + ": '" + printable(text) + "' is no 32-bit number");
}

FloortestOptions floortestOptions(const Arguments& arguments, const Context& context) {
    FloortestOptions out;
    out.level = arguments.positionals.front();
    out.json = arguments.has("json");
    out.batch = std::string(arguments.get("batch").value_or(""));
    out.reading = readSettings(arguments, context.formats);
    if (const auto flags = arguments.get("strat-flags")) out.report.stratFlags = word("strat-flags", *flags);
    if (const auto offset = arguments.integer("probe-offset", INT32_MIN, INT32_MAX)) {
        out.report.offset = static_cast<std::int32_t>(*offset);
    }
    const std::size_t numbers = arguments.positionals.size() - 1;
    if (!out.batch.empty()) {
        if (numbers > 0) throw UsageError("floortest takes X Y Z or --batch FILE, not both");
        out.report.candidates = arguments.has("candidates");
        return out;
    }
    if (numbers != 3) throw UsageError("floortest needs a level and X Y Z, or --batch FILE");
    std::array<double, 3> point{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::string& text = arguments.positionals[axis + 1];
        const auto value = realFromText(text);
        if (!value || !groove::toFixed(*value)) {
            throw UsageError("floortest: '" + printable(text) + "' is no coordinate in units");
        }
        point[axis] = *value;
    }
    out.points.push_back(point);
    return out;
}

}  // namespace

ExitCode runFloortest(const Arguments& arguments, Context& context) {
    const FloortestOptions options = floortestOptions(arguments, context);
    std::vector<groove::FloorProbe> probes;
    for (const auto& [x, y, z] : options.points) probes.push_back(groove::makeProbe(x, y, z, options.report));
    if (!options.batch.empty()) {
        const ExitCode code = guarded(context.console, options.batch, [&] {
            const auto file =
                options.batch == "-" ? InputFile::standardInput() : InputFile::open(pathFromUtf8(options.batch));
            probes = groove::readProbes(asText(file->bytes()), options.report);
            return ExitCode::Done;
        });
        if (code != ExitCode::Done) return code;
    }
    return guarded(context.console, options.level, [&] {
        const Opened opened = open(options.level, options.reading, context.formats);
        const Format& format = require(opened, context.formats);
        if (format.id != "groove") {
            throw FormatError({Severity::Error,
                               "unsupported",
                               std::nullopt,
                               {},
                               "floortest reads Groove levels (.wad), and this is " + std::string(format.id)});
        }
        Defects found = opened.found;
        const ReadOptions reading = readOptionsFor(opened, options.reading, context.formats, found);
        StandardOutput output;
        groove::floorReport(opened.input(), reading, probes, options.report, options.json, output.main(), found);
        refuseDefects(found, options.reading.strict);
        output.commit();
        context.console.warnings(opened.name, found);
        return ExitCode::Done;
    });
}

}  // namespace geomconv
