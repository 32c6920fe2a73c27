#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/conversion.hpp"
#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

namespace fs = std::filesystem;

namespace {

struct ConvertOptions {
    std::vector<std::string> inputs;
    std::vector<Target> targets;  ///< a single one that is a folder, or files
    ConversionSettings settings;
};

constexpr auto kVerbs = verbBits({Verb::Read, Verb::Write});

/// Throws UsageError. Looks at names on disk, reads nothing.
ConvertOptions convertOptions(const Arguments& arguments, const Context& context) {
    ConvertOptions out;
    out.inputs = arguments.positionals;
    out.settings = conversionSettings(arguments, context.formats);
    const std::vector<std::string> outputs = arguments.all("output");
    if (outputs.empty()) {
        const std::string& last = arguments.positionals.back();
        const bool meantAsOutput = arguments.positionals.size() > 1 && context.formats.writableByName(last) != nullptr;
        throw UsageError("convert needs -o OUTPUT" + (meantAsOutput ? ": -o " + printable(last) : std::string()));
    }
    for (const std::string& typed : outputs) {
        out.targets.push_back(targetFor(typed, out.settings.writing, context.formats));
    }
    if (out.inputs.size() > 1 && (out.targets.size() > 1 || !out.targets.front().folder)) {
        throw UsageError(
            "several inputs need one folder: -o " +
            (out.targets.front().typed == "-" ? std::string("DIR") : printable(out.targets.front().typed)) + "/");
    }
    if (std::count(out.inputs.begin(), out.inputs.end(), "-") > 1) {
        throw UsageError("standard input can be read only once");
    }
    std::set<std::string> seen;
    for (const Target& target : out.targets) {
        const std::string path =
            target.typed == "-" ? "-" : utf8FromPath(pathFromUtf8(target.typed).lexically_normal());
        if (!seen.insert(path).second) throw UsageError("-o " + printable(target.typed) + " is given twice");
    }
    return out;
}

class Converter {
public:
    Converter(const ConvertOptions& options, const Context& context) : options_(options), context_(context) {
        std::vector<fs::path> paths = options.settings.reading.optionFiles;
        for (const std::string& input : options.inputs) {
            const std::string file = locate(input).file;
            if (file != "-") paths.push_back(pathFromUtf8(file));
        }
        inputs_ = paths;
    }

    ExitCode run() {
        if (options_.inputs.size() == 1) return one(options_.inputs.front());
        return many();
    }

private:
    Console& console() const { return context_.console; }
    const ReadSettings& reading() const { return options_.settings.reading; }

    ExitCode one(const std::string& input) {
        return guarded(console(), input, [&] {
            Opened opened = open(input, reading(), context_.formats);
            const Format& format = require(opened, context_.formats);
            console().log(input + ": " + std::string(format.id));
            if (holdsMembers(opened)) return container(opened);
            checkOptions({opened.format});
            writeAll(opened, ownFolderTargets(opened));
            return ExitCode::Done;
        });
    }

    void checkOptions(std::vector<const Format*> used) const {
        for (const Target& target : options_.targets) used.push_back(target.format);
        checkFormatOptions(reading().read.format, used, kVerbs, context_.formats);
    }

    /// A folder takes the file under the input's name.
    std::vector<Target> ownFolderTargets(const Opened& opened) const {
        std::vector<Target> out = options_.targets;
        for (Target& target : out) {
            if (!target.folder) continue;
            const std::string name = opened.fileName == "-" ? "stdin" : safeRelative(opened.fileName);
            target.typed =
                inFolder(target.typed, outputNames({name}, extensionOf(*target.format), context_.formats).front());
            target.folder = false;
        }
        return out;
    }

    static std::string extensionOf(const Format& format) { return std::string(format.extensions.front()); }

    static std::string inFolder(const std::string& folder, const std::string& name) {
        return folder.back() == '/' ? folder + name : folder + '/' + name;
    }

    /// Writes every target; all appear only when all are complete.
    void writeAll(const Opened& opened, const std::vector<Target>& targets) {
        Defects found = opened.found;
        Conversion conversion(opened, options_.settings, context_.formats, found);
        std::vector<std::unique_ptr<OutputSet>> outputs;
        for (const Target& target : targets) {
            outputs.push_back(
                openOutput(target.typed, options_.settings.writing.noClobber, inputs_, opened.companionsRead));
            conversion.write(*target.format, *outputs.back());
        }
        refuseDefects(found, reading().strict);
        for (const auto& output : outputs) output->commit();
        console().warnings(opened.name, found);
        for (const Target& target : targets) console().log(opened.name + " -> " + target.typed);
    }

    /// A container as the only input: into a folder member by member, into a file the one member that can be meant.
    ExitCode container(const Opened& opened) {
        const bool folder = options_.targets.size() == 1 && options_.targets.front().folder;
        if (!folder) {
            Defects found;
            Opened member = soleMember(opened, reading(), context_.formats, found);
            for (const Defect& defect : found.list()) member.found.add(defect);
            checkOptions({opened.format, member.format});
            writeAll(member, options_.targets);
            return ExitCode::Done;
        }
        CodeSum sum;
        std::size_t readable = 0;
        members(opened, "", sum, readable);
        if (readable == 0) {
            throw FormatError({Severity::Error,
                               "no-readable-member",
                               std::nullopt,
                               {},
                               "none of its members is of a format that holds geometry"});
        }
        return sum.total();
    }

    /// under: the folder below the target's, with a slash behind it, or empty.
    void members(const Opened& opened, const std::string& under, CodeSum& sum, std::size_t& readable) {
        Defects found = opened.found;
        const Members all = membersOf(opened, reading(), found);
        refuseDefects(found, reading().strict);
        console().warnings(opened.name, found);
        const Target& target = options_.targets.front();
        const MemberPaths paths = memberPaths(all.names, extensionOf(*target.format), context_.formats);
        for (std::size_t i = 0; i < all.names.size(); ++i) {
            const auto work = [&] {
                const std::optional<Opened> member = openMember(opened, all, i, reading(), context_.formats);
                if (!member) return ExitCode::Done;
                if (holdsMembers(*member)) {
                    members(*member, under + paths.folders[i] + '/', sum, readable);
                    return ExitCode::Done;
                }
                if (member->format == nullptr || member->format->readScene == nullptr) {
                    console().log(member->name + ": passed over, no geometry in it");
                    return ExitCode::Done;
                }
                ++readable;
                Target own = target;
                own.folder = false;
                own.typed = inFolder(target.typed, under + paths.files[i]);
                writeAll(*member, {own});
                return ExitCode::Done;
            };
            sum.add(guarded(console(), opened.name + "::" + all.names[i], work));
        }
    }

    /// Several inputs into one folder.
    ExitCode many() {
        const Target& target = options_.targets.front();
        const std::vector<std::string> outputs =
            outputNames(inputNames(), extensionOf(*target.format), context_.formats);
        std::set<std::string> seen;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!seen.insert(lowerCase(outputs[i])).second) {
                throw UsageError("two inputs would be written to " + printable(inFolder(target.typed, outputs[i])));
            }
        }
        CodeSum sum;
        std::vector<const Format*> used;
        for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
            sum.add(guarded(console(), options_.inputs[i], [&] {
                const Opened opened = open(options_.inputs[i], reading(), context_.formats);
                used.push_back(opened.format);
                require(opened, context_.formats);
                if (holdsMembers(opened)) {
                    CodeSum inner;
                    std::size_t readable = 0;
                    members(opened, withoutEnding(outputs[i], *target.format) + '/', inner, readable);
                    return inner.total();
                }
                Target own = target;
                own.folder = false;
                own.typed = inFolder(target.typed, outputs[i]);
                writeAll(opened, {own});
                return ExitCode::Done;
            }));
        }
        checkOptions(used);
        return sum.total();
    }

    static std::string withoutEnding(const std::string& name, const Format& format) {
        return name.substr(0, name.size() - format.extensions.front().size());
    }

    /// What outputs are named after, without looking into the files.
    std::vector<std::string> inputNames() const {
        std::vector<std::string> out;
        for (const std::string& input : options_.inputs) {
            const Location where = locate(input);
            const std::string last =
                where.members.empty() ? utf8FromPath(pathFromUtf8(where.file).filename()) : where.members.back();
            const std::string safe = safeRelative(last);
            out.push_back(where.file == "-" ? "stdin" : safe.substr(safe.rfind('/') + 1));
        }
        return out;
    }

    const ConvertOptions& options_;
    const Context& context_;
    FileSet inputs_;
};

}  // namespace

ExitCode runConvert(const Arguments& arguments, Context& context) {
    const ConvertOptions options = convertOptions(arguments, context);
    return Converter(options, context).run();
}

}  // namespace geomconv
