#include "app/resolve.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"
#include "lib/files/system_error.hpp"

namespace geomconv {

namespace fs = std::filesystem;

namespace {

/// Containers inside containers: deeper than any real file, shallow enough for a file made to nest for ever.
constexpr std::size_t kMaxLayers = 16;

bool existsOnDisk(const std::string& path) {
    std::error_code ignored;
    return !path.empty() && fs::exists(pathFromUtf8(path), ignored);
}

/// The entry of a folder with this name, case aside where no exact one exists. The first one in name order.
std::optional<fs::path> findIn(const fs::path& folder, const std::string& name) {
    std::error_code error;
    fs::path exact = folder / pathFromUtf8(name);
    if (fs::exists(exact, error)) return exact;
    const std::string wanted = lowerCase(name);
    std::optional<fs::path> found;
    for (fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error), end; !error && it != end;
         it.increment(error)) {
        const fs::path entry = it->path().filename();
        if (lowerCase(utf8FromPath(entry)) != wanted) continue;
        if (!found || entry < found->filename()) found = folder / entry;
    }
    return found;
}

/// Whether no link on the way from the folder to `relative` below it leads out of the folder.
bool staysInside(const fs::path& folder, const fs::path& relative) {
    std::error_code error;
    fs::path at = folder;
    bool linked = false;
    for (const fs::path& step : relative) {
        at /= step;
        linked = linked || fs::is_symlink(fs::symlink_status(at, error));
    }
    if (!linked) return true;
    const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
    if (error) return false;
    const fs::path target = fs::canonical(at, error);
    if (error) return false;
    return std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first == root.end();
}

std::string baseName(const std::string& member) {
    const std::size_t slash = member.find_last_of("/\\");
    return slash == std::string::npos ? member : member.substr(slash + 1);
}

/// "x.ccs.gz" is "x.ccs" inside; a name without the wrapper's ending stays.
std::string unwrappedName(const Format& wrapper, const std::string& name) {
    const std::string lower = lowerCase(name);
    for (const std::string_view extension : wrapper.extensions) {
        if (lower.size() > extension.size() && lower.ends_with(extension)) {
            return name.substr(0, name.size() - extension.size());
        }
    }
    return name;
}

ReadOptions containerOptions(const Opened& container, const ReadSettings& settings) {
    ReadOptions options = settings.read;
    options.format = formatOptionsFor(settings.read.format, *container.format);
    return options;
}

void refuseTooDeep(const Opened& at) {
    if (at.layers.size() < kMaxLayers) return;
    throw FormatError("nested-containers", "more than " + std::to_string(kMaxLayers) + " containers inside each other");
}

/// Goes one container deeper, to a member that was taken.
void enterTaken(Opened& at, const std::string& member, ByteVector bytes) {
    const Format& container = *at.format;
    at.layers.push_back({at.name, at.file, at.format, at.companions, member});
    if (member.empty()) {
        at.fileName = unwrappedName(container, at.fileName);
    } else {
        at.name += "::" + member;
        at.fileName = baseName(member);
    }
    at.file = InputFile::fromBytes(at.name, std::move(bytes));
    // A wrapped file still has its folder; a member of an archive has none.
    if (!container.transparent) at.companions = {};
}

/// Goes one container deeper.
void enter(Opened& at, const std::string& member, const ReadSettings& settings) {
    refuseTooDeep(at);
    ByteVector bytes = at.format->extract(at.input(), containerOptions(at, settings), member, at.found);
    enterTaken(at, member, std::move(bytes));
}

void recogniseAndUnwrap(Opened& at, const ReadSettings& settings, const FormatTable& formats, Wrapping wrapping) {
    while (true) {
        at.format = formats.recognise(at.file->bytes(), at.fileName);
        if (at.format == nullptr || wrapping == Wrapping::Keep) return;
        if (!at.format->transparent || at.format->extract == nullptr) return;
        enter(at, {}, settings);
    }
}

void descend(Opened& at, const std::string& member, const ReadSettings& settings, const FormatTable& formats) {
    const Format& container = require(at, formats);
    if (container.extract == nullptr) {
        throw UsageError(printable(at.name) + ": " + std::string(container.id) + " has no members to take '" +
                         printable(member) + "' from");
    }
    enter(at, member, settings);
}

/// Wrapping::Unwrap, unless --from asks for the wrapper itself.
void finish(Opened& at, const ReadSettings& settings, const FormatTable& formats, Wrapping wrapping) {
    if (settings.from == nullptr) {
        recogniseAndUnwrap(at, settings, formats, wrapping);
        return;
    }
    // --from overrules for the innermost file, but a gzip around it is still a gzip.
    const Format* seen = formats.recognise(at.file->bytes(), at.fileName);
    while (seen != nullptr && seen != settings.from && seen->transparent && seen->extract != nullptr &&
           seen->probe != nullptr && seen->probe(at.file->bytes(), at.fileName) >= Confidence::Likely &&
           wrapping == Wrapping::Unwrap) {
        at.format = seen;
        enter(at, {}, settings);
        seen = formats.recognise(at.file->bytes(), at.fileName);
    }
    at.format = settings.from;
}

}  // namespace

Location locate(const std::string& typed) {
    if (typed == "-") return {typed, {}};
    if (existsOnDisk(typed)) return {typed, {}};
    // The longest beginning that is a file; what follows are steps inside it.
    for (std::size_t cut = typed.rfind("::"); cut != std::string::npos && cut > 0; cut = typed.rfind("::", cut - 1)) {
        const std::string file = typed.substr(0, cut);
        if (file != "-" && !existsOnDisk(file)) continue;
        Location at{file, {}};
        std::size_t start = cut + 2;
        while (true) {
            const std::size_t next = typed.find("::", start);
            at.members.push_back(typed.substr(start, next == std::string::npos ? next : next - start));
            if (next == std::string::npos) return at;
            start = next + 2;
        }
    }
    for (std::size_t cut = typed.rfind('+'); cut != std::string::npos && cut > 0; cut = typed.rfind('+', cut - 1)) {
        const std::string file = typed.substr(0, cut);
        if (existsOnDisk(file) && cut + 1 < typed.size()) return {file, {typed.substr(cut + 1)}};
    }
    return {typed, {}};
}

Companions companionsIn(const fs::path& folder, std::shared_ptr<std::vector<fs::path>> read) {
    return [folder, read = std::move(read)](std::string_view fileName) -> std::shared_ptr<const InputFile> {
        try {
            std::string name(fileName);
            std::replace(name.begin(), name.end(), '\\', '/');
            const fs::path relative = pathFromUtf8(name);
            if (name.empty() || relative.has_root_path() || name.find(':') != std::string::npos) return nullptr;
            if (std::any_of(relative.begin(), relative.end(), [](const fs::path& p) { return p == ".."; })) {
                return nullptr;
            }
            const auto file = findIn(folder / relative.parent_path(), utf8FromPath(relative.filename()));
            if (!file || !staysInside(folder, relative.parent_path() / file->filename())) return nullptr;
            std::error_code error;
            if (!fs::is_regular_file(*file, error)) return nullptr;
            auto opened = InputFile::open(*file);
            if (read != nullptr) read->push_back(*file);
            return opened;
        } catch (const std::exception&) {
            return nullptr;
        }
    };
}

Opened open(const std::string& typed, const ReadSettings& settings, const FormatTable& formats, Wrapping wrapping) {
    const Location where = locate(typed);
    Opened at;
    at.name = where.file;
    if (where.file == "-") {
        at.file = InputFile::standardInput();
        at.name = at.fileName = "-";
    } else {
        at.path = pathFromUtf8(where.file);
        std::error_code ignored;
        if (fs::is_directory(at.path, ignored)) {
            throw SystemError(where.file, "is a folder; geomconv batch converts whole folders");
        }
        at.file = InputFile::open(at.path);
        at.fileName = utf8FromPath(at.path.filename());
        at.companionsRead = std::make_shared<std::vector<fs::path>>();
        at.companions = companionsIn(at.path.parent_path(), at.companionsRead);
    }
    for (const std::string& member : where.members) {
        recogniseAndUnwrap(at, settings, formats, Wrapping::Unwrap);
        descend(at, member, settings, formats);
    }
    finish(at, settings, formats, wrapping);
    return at;
}

namespace {

/// The container as the place where one of its members is looked for.
Opened onTheWay(const Opened& container) {
    Opened at = container;
    at.found = {};  // what the container had to say has been said of it
    return at;
}

/// --from named the container; what is in it is told by its content.
ReadSettings ofMember(const ReadSettings& settings) {
    ReadSettings out = settings;
    out.from = nullptr;
    return out;
}

}  // namespace

Opened openMember(const Opened& container, const std::string& member, const ReadSettings& settings,
                  const FormatTable& formats) {
    Opened at = onTheWay(container);
    descend(at, member, settings, formats);
    recogniseAndUnwrap(at, ofMember(settings), formats, Wrapping::Unwrap);
    return at;
}

Members membersOf(const Opened& container, const ReadSettings& settings, Defects& found) {
    const Format& format = *container.format;
    ReadOptions options = containerOptions(container, settings);
    if (format.members != nullptr) return format.members(container.input(), options, found);
    Members out;
    for (Member& member : format.list(container.input(), options, found)) out.names.push_back(std::move(member.name));
    out.take = [&container, options = std::move(options), names = out.names](std::size_t i, Defects& ofMember) {
        return std::make_optional(container.format->extract(container.input(), options, names[i], ofMember));
    };
    return out;
}

std::optional<Opened> openMember(const Opened& container, const Members& members, std::size_t i,
                                 const ReadSettings& settings, const FormatTable& formats) {
    refuseTooDeep(container);
    Opened at = onTheWay(container);
    std::optional<ByteVector> bytes = members.take(i, at.found);
    if (!bytes) return std::nullopt;
    enterTaken(at, members.names[i], *std::move(bytes));
    recogniseAndUnwrap(at, ofMember(settings), formats, Wrapping::Unwrap);
    return at;
}

const Format& require(const Opened& opened, const FormatTable& formats) {
    if (opened.format != nullptr) return *opened.format;
    const Bytes bytes = opened.file->bytes();
    if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; })) {
        throw FormatError({Severity::Error,
                           "empty-file",
                           std::nullopt,
                           {},
                           bytes.empty() ? "the file is empty" : "the file holds only zeros"});
    }
    throw FormatError(
        {Severity::Error,
         "not-recognised",
         std::nullopt,
         {},
         "neither its first bytes nor its name tell its format; --from takes one of " + formats.ids(&canRead)});
}

namespace {

std::shared_ptr<const ModelParts> readModel(const Opened& model, const ReadSettings& settings, Defects& found) {
    ReadOptions options = settings.read;
    options.format = formatOptionsFor(settings.read.format, *model.format);
    return std::make_shared<const ModelParts>(model.format->modelParts(model.input(), options, found));
}

}  // namespace

std::shared_ptr<const ModelParts> findModel(const Opened& opened, const ReadSettings& settings,
                                            const FormatTable& formats, Defects& found, std::string* used) {
    if (settings.model == "none") return nullptr;
    ReadSettings plain = settings;
    plain.from = nullptr;
    if (settings.model != "auto") {
        const Opened model = open(settings.model, plain, formats);
        if (model.format == nullptr || model.format->modelParts == nullptr) {
            throw UsageError("--model: " + printable(settings.model) + " is no model that names parts (.cmp, .3db)");
        }
        if (used != nullptr) *used = model.name;
        return readModel(model, settings, found);
    }
    if (opened.format == nullptr || !opened.format->usesModel || opened.path.empty() || !opened.layers.empty()) {
        return nullptr;
    }
    const std::string stem = utf8FromPath(opened.path.stem());
    for (const Format* row : formats.rows()) {
        if (row->modelParts == nullptr) continue;
        for (const std::string_view extension : row->extensions) {
            const auto file = findIn(opened.path.parent_path(), stem + std::string(extension));
            if (!file) continue;
            const Opened model = open(utf8FromPath(*file), plain, formats);
            // Another game's file may have the same ending.
            if (model.format == nullptr || model.format->modelParts == nullptr) continue;
            if (used != nullptr) *used = model.name;
            if (opened.companionsRead != nullptr) opened.companionsRead->push_back(*file);
            return readModel(model, settings, found);
        }
    }
    return nullptr;
}

std::vector<fs::path> inputFiles(const Opened& opened, const ReadSettings& settings) {
    std::vector<fs::path> out = settings.optionFiles;
    if (!opened.path.empty()) out.push_back(opened.path);
    return out;
}

ReadOptions readOptionsFor(const Opened& opened, const ReadSettings& settings, const FormatTable& formats,
                           Defects& found) {
    ReadOptions options = settings.read;
    if (opened.format == nullptr) return options;
    options.format = formatOptionsFor(settings.read.format, *opened.format);
    if (!opened.format->usesModel) return options;
    if (settings.model != "auto") {
        options.model = findModel(opened, settings, formats, found);
        return options;
    }
    // A broken model that was found by itself must not stand in the way of a sound library.
    try {
        Defects ofModel;
        options.model = findModel(opened, settings, formats, ofModel);
    } catch (const std::exception& e) {
        found.warn("model-unreadable", std::nullopt, {}, std::string("the model beside it is not used: ") + e.what());
    }
    return options;
}

namespace {

bool knows(const Format& format, std::string_view option, std::uint8_t verbs) {
    return std::any_of(format.options.begin(), format.options.end(),
                       [&](const OptionSpec& spec) { return spec.name == option && (spec.verbs & verbs) != 0; });
}

}  // namespace

void checkFormatOptions(const OptionValues& given, const std::vector<const Format*>& used, std::uint8_t verbs,
                        const FormatTable& formats) {
    for (const auto& [name, value] : given.list()) {
        const auto known = [&](const Format* f) { return f != nullptr && knows(*f, name, verbs); };
        if (std::any_of(used.begin(), used.end(), known)) continue;
        std::string owners;
        for (const Format* row : formats.rows()) {
            if (knows(*row, name, verbs)) owners += (owners.empty() ? "" : ", ") + std::string(row->id);
        }
        std::string here;
        for (const Format* row : used) {
            if (row == nullptr || here.find(row->id) != std::string::npos) continue;
            here += (here.empty() ? "" : " and ") + std::string(row->id);
        }
        throw UsageError("--" + name + " is an option of " + owners + " and means nothing for " +
                         (here.empty() ? "this input" : here));
    }
}

OptionValues formatOptionsFor(const OptionValues& given, const Format& format) {
    OptionValues out;
    for (const auto& [name, value] : given.list()) {
        if (knows(format, name, 0xff)) out.set(name, value);
    }
    return out;
}

ReadSettings readSettings(const Arguments& arguments, const FormatTable& formats) {
    ReadSettings settings;
    if (const auto id = arguments.get("from")) {
        settings.from = &formats.named(*id, "--from");
        if (!canRead(*settings.from)) {
            throw UsageError("--from: " + std::string(*id) + " cannot be read; these can: " + formats.ids(&canRead));
        }
    }
    constexpr std::array kOrders{ByteOrderChoice::Auto, ByteOrderChoice::Big, ByteOrderChoice::Little,
                                 ByteOrderChoice::Auto};
    settings.read.byteOrder = kOrders[arguments.choice("byte-order", {"auto", "be", "le", "keep"})];
    settings.read.recover = arguments.has("recover");
    settings.strict = arguments.has("strict");
    settings.read.maxMemory = arguments.size("max-memory").value_or(settings.read.maxMemory);
    if (const auto list = arguments.get("content")) {
        settings.read.content = parseContent(*list);
        if (!settings.read.content) {
            throw UsageError("--content: '" + printable(*list) +
                             "' is no list of render, collision, objects, shadow, helpers, bounds, all");
        }
    }
    settings.model = std::string(arguments.get("model").value_or("auto"));
    if (settings.model != "auto" && settings.model != "none") {
        settings.optionFiles.push_back(pathFromUtf8(locate(settings.model).file));
    }
    if (const auto file = arguments.get("names")) {
        const auto text = InputFile::open(pathFromUtf8(*file));
        settings.optionFiles.push_back(pathFromUtf8(*file));
        std::string_view rest = asText(text->bytes());
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            std::string_view line = rest.substr(0, end);
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
            while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
            if (!line.empty()) settings.read.names.emplace_back(line);
        }
    }
    settings.read.format = arguments.format;
    return settings;
}

}  // namespace geomconv
