#include <algorithm>
#include <map>
#include <set>

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

/// The names to take, in the container's order; names that the list does not show (hashes, other spellings) as typed.
/// Throws FormatError (`no-member`) for a glob that matches nothing.
std::vector<std::string> chosen(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
    if (wanted.empty()) return names;
    std::vector<std::string> out;
    for (const std::string& name : names) {
        const bool hit = std::any_of(wanted.begin(), wanted.end(),
                                     [&](const std::string& w) { return w == name || globMatches(w, name); });
        if (hit) out.push_back(name);
    }
    for (const std::string& w : wanted) {
        if (std::any_of(names.begin(), names.end(),
                        [&](const std::string& n) { return w == n || globMatches(w, n); })) {
            continue;
        }
        if (isGlob(w)) throw FormatError({Severity::Error, "no-member", std::nullopt, {}, "no member matches " + w});
        out.push_back(w);
    }
    return out;
}

/// A file name of its own for each member: a second one of the same name gets ~2.
class FreeNames {
public:
    std::string operator()(const std::string& member) {
        std::string base = safeRelative(member);
        if (taken_.insert(lowerCase(base)).second) return base;
        std::size_t& n = last_.try_emplace(lowerCase(base), 1).first->second;
        std::string name;
        do name = base + '~' + std::to_string(++n);
        while (!taken_.insert(lowerCase(name)).second);
        return name;
    }

private:
    std::set<std::string> taken_;
    std::map<std::string, std::size_t> last_;  ///< the number that a name got last: thousands may be equal
};

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
    const std::vector<std::string> names = chosen(memberNames(opened, options.reading, found), options.wanted);
    context.console.warnings(opened.name, found);
    if (options.output == "-" && names.size() != 1) {
        throw UsageError("-o - takes one member; this would be " + std::to_string(names.size()));
    }
    std::vector<std::filesystem::path> inputs;
    if (!opened.path.empty()) inputs.push_back(opened.path);
    CodeSum sum;
    FreeNames freeName;
    for (const std::string& name : names) {
        sum.add(guarded(context.console, opened.name + "::" + name, [&] {
            Defects ofMember;
            const ByteVector bytes = format.extract(opened.input(), reading, name, ofMember);
            refuseDefects(ofMember, options.reading.strict);
            const bool piped = options.output == "-";
            const std::string target = piped ? "-" : options.output + '/' + freeName(name);
            const auto output = openOutput(target, options.noClobber, inputs, opened.companionsRead);
            output->main().write(bytes);
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
        checkFormatOptions(options.reading.read.format, {opened.format}, static_cast<std::uint8_t>(Verb::Read),
                           context.formats);
        return extractAll(options, opened, context);
    });
}

}  // namespace geomconv
