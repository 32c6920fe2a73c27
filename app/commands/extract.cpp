#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/conversion.hpp"
#include "app/outputs.hpp"
#include "app/resolve.hpp"
#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

namespace {

struct ExtractOptions {
    std::string file;
    std::vector<std::string> wanted;  ///< names or globs; empty: all
    std::string output;
    bool noClobber = false;
    ReadSettings reading;
};

ExtractOptions extractOptions(const Arguments& arguments, const Context& context) {
    ExtractOptions out;
    out.file = arguments.positionals.front();
    out.wanted.assign(arguments.positionals.begin() + 1, arguments.positionals.end());
    const auto output = arguments.get("output");
    if (!output) throw UsageError("extract needs -o DIR");
    out.output = std::string(*output);
    out.noClobber = arguments.has("no-clobber");
    out.reading = readSettings(arguments, context.formats);
    return out;
}

bool isGlob(const std::string& text) {
    return text.find_first_of("*?[") != std::string::npos;
}

/// What to take: a member by its place in the container, or by a name that the container does not show (a hash, another
/// spelling).
struct Choice {
    std::optional<std::size_t> place;
    std::string name;
};

/// In the container's order, then what was typed and is not shown. Throws FormatError (`no-member`) for a glob that
/// matches nothing.
std::vector<Choice> chosen(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
    struct Wanted {
        const std::string* text;
        bool met = false;
    };
    std::vector<Wanted> globs;
    std::map<std::string, bool> plain;  ///< by the name without case; whether it was met
    for (const std::string& w : wanted) {
        if (isGlob(w)) globs.push_back({&w});
        plain.emplace(lowerCase(w), false);
    }
    std::vector<Choice> out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        bool hit = wanted.empty();
        if (const auto at = plain.find(lowerCase(names[i])); at != plain.end()) hit = at->second = true;
        for (Wanted& glob : globs) {
            if (!globMatches(*glob.text, names[i])) continue;
            hit = glob.met = true;
        }
        if (hit) out.push_back({i, names[i]});
    }
    for (const Wanted& glob : globs) {
        if (!glob.met && !plain.at(lowerCase(*glob.text)))
            throw FormatError("no-member", "no member matches " + *glob.text);
    }
    for (const std::string& w : wanted) {
        if (!isGlob(w) && !std::exchange(plain.at(lowerCase(w)), true)) out.push_back({std::nullopt, w});
    }
    return out;
}

ExitCode extractAll(const ExtractOptions& options, const Opened& opened, const Context& context) {
    const Format& format = require(opened, context.formats);
    if (format.extract == nullptr || format.list == nullptr) {
        throw FormatError({Severity::Error,
                           "unsupported",
                           std::nullopt,
                           {},
                           std::string(format.id) + " holds no members; these formats do: " +
                               context.formats.ids([](const Format& f) { return f.extract != nullptr; })});
    }
    Defects found;
    ReadOptions reading = options.reading.read;
    reading.format = formatOptionsFor(options.reading.read.format, format);
    const Members members = membersOf(opened, options.reading, found);
    refuseDefects(found, options.reading.strict);
    context.console.warnings(opened.name, found);
    const std::vector<Choice> choices = chosen(members.names, options.wanted);
    if (options.output == "-" && choices.size() != 1) {
        throw UsageError("-o - takes one member; this would be " + std::to_string(choices.size()));
    }
    const FileSet inputs = inputFiles(opened, options.reading);
    CodeSum sum;
    FreeNames freeName;
    for (const auto& [place, name] : choices) {
        sum.add(guarded(context.console, opened.name + "::" + name, [&] {
            Defects ofMember;
            const std::optional<ByteVector> bytes =
                place ? members.take(*place, ofMember)
                      : std::make_optional(format.extract(opened.input(), reading, name, ofMember));
            if (!bytes) return ExitCode::Done;
            refuseDefects(ofMember, options.reading.strict);
            const bool piped = options.output == "-";
            const std::string target = piped ? "-" : options.output + '/' + freeName(safeRelative(name));
            const auto output = openOutput(target, options.noClobber, inputs, opened.companionsRead);
            output->main().write(*bytes);
            output->commit();
            context.console.warnings(opened.name + "::" + name, ofMember);
            context.console.log(opened.name + "::" + name + " -> " + target);
            return ExitCode::Done;
        }));
    }
    return sum.total();
}

}  // namespace

ExitCode runExtract(const Arguments& arguments, Context& context) {
    const ExtractOptions options = extractOptions(arguments, context);
    return guarded(context.console, options.file, [&] {
        // A gzip that holds an archive is looked through; one that holds a plain file is the container itself.
        Opened opened = open(options.file, options.reading, context.formats);
        const bool plain = opened.format == nullptr || opened.format->extract == nullptr;
        if (plain && !opened.layers.empty() && locate(options.file).members.empty()) {
            opened = open(options.file, options.reading, context.formats, Wrapping::Keep);
        }
        return extractAll(options, opened, context);
    });
}

}  // namespace geomconv
