#include <algorithm>
#include <array>

#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/conversion.hpp"
#include "app/outputs.hpp"
#include "app/render.hpp"
#include "app/report.hpp"
#include "app/resolve.hpp"
#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"
#include "lib/json.hpp"
#include "lib/scene/faithful.hpp"
#include "lib/scene/merge.hpp"

namespace geomconv {

namespace fs = std::filesystem;

namespace {

constexpr auto kVerbs = verbBits({Verb::Read, Verb::Patch});

struct ImportOptions {
    std::string base;
    std::vector<std::string> meshes;
    std::string output;  ///< empty with --dry-run
    bool inPlace = false;
    bool dryRun = false;
    bool noClobber = false;
    bool json = false;
    std::string report;  ///< --report FILE
    ReadSettings reading;
    PatchOptions patch;  ///< without files and scenes: those are opened later
};

/// Throws UsageError.
ImportOptions importOptions(const Arguments& arguments, const Context& context) {
    ImportOptions out;
    out.base = arguments.positionals.front();
    out.meshes.assign(arguments.positionals.begin() + 1, arguments.positionals.end());
    out.inPlace = arguments.has("in-place");
    out.dryRun = arguments.has("dry-run");
    out.noClobber = arguments.has("no-clobber");
    out.json = arguments.has("json");
    out.report = std::string(arguments.get("report").value_or(""));
    out.reading = readSettings(arguments, context.formats);
    out.reading.read.byteOrder = ByteOrderChoice::Auto;
    constexpr std::array kOrders{ByteOrderOut::Keep, ByteOrderOut::Big, ByteOrderOut::Little};
    out.patch.byteOrder = kOrders[arguments.choice("byte-order", {"keep", "be", "le"})];
    out.patch.add = arguments.has("add");
    out.patch.remove = arguments.all("remove");
    out.patch.format = arguments.format;
    const auto output = arguments.get("output");
    if (output && out.inPlace) throw UsageError("-o and --in-place exclude each other");
    if (out.inPlace && out.base == "-") throw UsageError("standard input cannot be changed in place");
    if (!output && !out.inPlace && !out.dryRun) {
        throw UsageError("import needs -o NEW, or --in-place, or --dry-run to see what would change");
    }
    out.output = out.inPlace ? locate(out.base).file : std::string(output.value_or(""));
    const bool fromStandardInput = out.base == "-" || std::count(out.meshes.begin(), out.meshes.end(), "-") > 0;
    if (fromStandardInput && std::count(out.meshes.begin(), out.meshes.end(), "-") + (out.base == "-" ? 1 : 0) > 1) {
        throw UsageError("standard input can be read only once");
    }
    return out;
}

constexpr std::array<std::uint8_t, 8> kPngMagic{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

bool isPng(Bytes bytes) {
    return bytes.size() >= kPngMagic.size() && std::equal(kPngMagic.begin(), kPngMagic.end(), bytes.begin());
}

/// A scene of one image, for formats that take textures.
Scene imageScene(const Opened& png) {
    Image image;
    image.name = utf8FromPath(pathFromUtf8(png.fileName).stem());
    image.mimeType = "image/png";
    image.encoded.assign(png.file->bytes().begin(), png.file->bytes().end());
    Scene scene;
    scene.source = {"png", png.fileName, {}};
    scene.images.push_back(std::move(image));
    return scene;
}

/// Collects the edits; every input's path goes to `paths`, so that none is written over.
class Edits {
public:
    Edits(const ImportOptions& options, const Context& context, const Format& base)
        : options_(options), context_(context), faithful_(base.id == "groove") {}

    Scene meshes() {
        Scene all;
        for (const std::string& file : options_.meshes) {
            saidOf(file, [&] { appendScene(all, sceneOf(openPlain(file))); });
        }
        return all;
    }

    /// The files that options name.
    void addFiles(const Format& base, PatchOptions& patch) {
        for (const auto& [name, value] : options_.patch.format.list()) {
            const auto spec = std::find_if(base.options.begin(), base.options.end(),
                                           [&](const OptionSpec& s) { return s.name == name; });
            if (spec == base.options.end() || !hasVerb(spec->verbs, Verb::Patch)) continue;
            std::string file = value;
            if (spec->value.ends_with("=FILE"))
                file = value.substr(value.find('=') + 1);
            else if (spec->value != "FILE")
                continue;
            if (file.empty()) throw UsageError("--" + name + " needs " + std::string(spec->value));
            saidOf(file, [&] {
                const Opened opened = openPlain(file);
                patch.files.emplace_back(name, opened.file);
                if (spec->value != "FILE") return;  // bytes as they are
                patch.scenes.emplace_back(name, std::make_shared<const Scene>(sceneOf(opened)));
            });
        }
    }

    const std::vector<fs::path>& paths() const { return paths_; }
    const std::vector<const Format*>& formats() const { return used_; }

private:
    /// What is wrong with an edit is said of the edit, not of the base.
    template <class Work>
    void saidOf(const std::string& file, Work work) {
        const auto guardedWork = [&] {
            work();
            return ExitCode::Done;
        };
        const ExitCode code = guarded(context_.console, file, guardedWork);
        if (code != ExitCode::Done) throw AlreadySaid{code};
    }

    Opened openPlain(const std::string& file) {
        ReadSettings plain = options_.reading;
        plain.from = nullptr;
        Opened opened = open(file, plain, context_.formats);
        if (!opened.path.empty()) paths_.push_back(opened.path);
        return opened;
    }

    Scene sceneOf(const Opened& opened) {
        if (isPng(opened.file->bytes())) return imageScene(opened);
        const Format& format = require(opened, context_.formats);
        if (format.readScene == nullptr) {
            throw UsageError(printable(opened.name) + ": " + std::string(format.id) + " holds no mesh to import");
        }
        used_.push_back(&format);
        Defects found;
        ReadOptions reading = readOptionsFor(opened, options_.reading, context_.formats, found);
        if (faithful_) reading.format.set(std::string(kFaithful), "");
        Scene scene = format.readScene(opened.input(), reading, found);
        refuseDefects(found, options_.reading.strict);
        context_.console.warnings(opened.name, found);
        return scene;
    }

    const ImportOptions& options_;
    const Context& context_;
    bool faithful_;  ///< the base has quads, and names that tell materials
    std::vector<fs::path> paths_;
    std::vector<const Format*> used_;
};

constexpr std::string_view kindName(Change::Kind kind) {
    switch (kind) {
        case Change::Kind::Replaced:
            return "replaced";
        case Change::Kind::Added:
            return "added";
        case Change::Kind::Removed:
            return "removed";
        case Change::Kind::Kept:
            return "kept";
    }
    return "";
}

/// A line per change, then the counts; what was kept is only counted.
std::string reportText(const std::string& base, const PatchResult& result, const std::string& output, bool dryRun) {
    const std::string name = printable(base);
    std::array<std::size_t, 4> counts{};
    std::string out;
    for (const Change& change : result.changes) {
        ++counts[static_cast<std::size_t>(change.kind)];
        if (change.kind == Change::Kind::Kept) continue;
        out += name + ": " + std::string(kindName(change.kind)) + ' ' + printable(change.name);
        out += (change.detail.empty() ? "" : ": " + printable(change.detail)) + '\n';
    }
    out += name + ": ";
    for (std::size_t k = 0; k < counts.size(); ++k) {
        out +=
            (k > 0 ? ", " : "") + std::to_string(counts[k]) + ' ' + std::string(kindName(static_cast<Change::Kind>(k)));
    }
    out += dryRun ? "; nothing was written\n" : "; " + printable(output) + " written\n";
    if (!result.report.empty()) out += renderInfo(result.report);
    return out;
}

void reportJson(JsonWriter& json, const ImportOptions& options, const Opened& base, const PatchResult& result,
                const Defects& found) {
    json.beginObject();
    json.head();
    FileReport report;
    report.file = options.base;
    report.format = base.format->id;
    json.key("files");
    json.beginArray();
    json.beginObject();
    writeFileHead(json, report);
    json.field("output", options.output);
    json.field("dryRun", options.dryRun);
    json.key("changes");
    json.beginArray();
    for (const Change& change : result.changes) {
        json.beginObject();
        json.field("change", kindName(change.kind));
        json.field("name", change.name);
        if (!change.detail.empty()) json.field("detail", change.detail);
        json.endObject();
    }
    json.endArray();
    if (!result.report.empty()) {
        json.key("report");
        json.raw(result.report.text());
    }
    writeDefects(json, found);
    json.endObject();
    json.endArray();
    json.endObject();
}

/// Puts the new bytes back through the containers that the base lies in, innermost first.
void writeBack(const Opened& base, ByteVector bytes, const ImportOptions& options, OutputSet& output, Defects& found) {
    for (std::size_t k = base.layers.size(); k-- > 0;) {
        const Layer& layer = base.layers[k];
        if (layer.format->replaceMember == nullptr) {
            throw UsageError(printable(layer.name) + ": " + std::string(layer.format->id) +
                             " cannot take a changed member back; extract it first");
        }
        const Input input{
            .name = layer.name, .bytes = layer.file->bytes(), .companions = layer.companions, .file = layer.file};
        ReadOptions reading = options.reading.read;
        reading.format = formatOptionsFor(options.reading.read.format, *layer.format);
        PatchOptions patch = options.patch;
        patch.format = formatOptionsFor(options.patch.format, *layer.format);
        if (k == 0) {
            layer.format->replaceMember(input, reading, layer.member, bytes, patch, output, found);
            return;
        }
        MemoryOutput inner(output.stem(), false);
        layer.format->replaceMember(input, reading, layer.member, bytes, patch, inner, found);
        bytes = inner.takeMain();
    }
    output.main().write(bytes);
}

void writeReport(const std::string& path, const ImportOptions& options, const Opened& base, const PatchResult& result,
                 const Defects& found, const std::vector<fs::path>& inputs) {
    const auto output = openOutput(path, false, inputs);
    JsonWriter json(output->main());
    reportJson(json, options, base, result, found);
    output->commit();
}

/// The base; of a container that is given alone the member that a conversion takes.
Opened openBase(const ImportOptions& options, const Context& context) {
    Opened base = open(options.base, options.reading, context.formats);
    if (base.format == nullptr || base.format->patch != nullptr || !holdsMembers(base)) return base;
    Defects found;
    Opened member = soleMember(base, options.reading, context.formats, found);
    for (const Defect& defect : member.found.list()) found.add(defect);
    member.found = std::move(found);
    return member;
}

ExitCode import(const ImportOptions& options, const Context& context) {
    Console& console = context.console;
    const Opened base = openBase(options, context);
    const Format& format = require(base, context.formats);
    if (format.patch == nullptr) {
        throw UsageError(printable(base.name) + ": nothing can be put into " + std::string(format.id) +
                         "; these can: " + context.formats.ids([](const Format& f) { return f.patch != nullptr; }));
    }
    Edits edits(options, context, format);
    std::vector<const Format*> used{&format};
    for (const Layer& layer : base.layers) used.push_back(layer.format);
    PatchOptions patch = options.patch;
    patch.format = formatOptionsFor(options.patch.format, format);
    Scene scene = edits.meshes();
    used.insert(used.end(), edits.formats().begin(), edits.formats().end());
    checkFormatOptions(options.patch.format, used, kVerbs, context.formats);
    edits.addFiles(format, patch);
    if (options.meshes.empty() && patch.remove.empty() && patch.format.list().empty() &&
        patch.byteOrder == ByteOrderOut::Keep) {
        throw UsageError("import needs a mesh to put in, or --remove, or an option that changes something");
    }

    Defects found = base.found;
    ReadOptions reading = readOptionsFor(base, options.reading, context.formats, found);
    const PatchResult result = format.patch(base.input(), reading, scene, patch, found);
    refuseDefects(found, options.reading.strict);

    std::vector<fs::path> inputs = edits.paths();
    for (fs::path& path : inputFiles(base, options.reading)) inputs.push_back(std::move(path));
    if (!options.dryRun) {
        OutputOptions out{options.noClobber, options.inPlace, inputs, base.companionsRead};
        const std::unique_ptr<OutputSet> output =
            options.output == "-" ? std::unique_ptr<OutputSet>(std::make_unique<StandardOutput>())
                                  : std::make_unique<FileOutput>(pathFromUtf8(options.output), std::move(out));
        writeBack(base, result.bytes, options, *output, found);
        refuseDefects(found, options.reading.strict);
        output->commit();
    }
    console.warnings(base.name, found);
    if (!options.report.empty()) writeReport(options.report, options, base, result, found, inputs);
    if (options.json) {
        MemorySink sink;
        JsonWriter json(sink);
        reportJson(json, options, base, result, found);
        console.out(sink.takeText());
    } else if (options.output != "-" || options.dryRun) {
        console.out(reportText(base.name, result, options.output, options.dryRun));
    }
    return ExitCode::Done;
}

}  // namespace

ExitCode runImport(const Arguments& arguments, Context& context) {
    const ImportOptions options = importOptions(arguments, context);
    if (options.json && options.output == "-") throw UsageError("--json and -o - both want standard output");
    return guarded(context.console, options.base, [&] { return import(options, context); });
}

}  // namespace geomconv
