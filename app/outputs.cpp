#include "app/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <system_error>
#include <utility>

#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

namespace fs = std::filesystem;

WriteSettings writeSettings(const Arguments& arguments, const FormatTable& formats) {
    WriteSettings settings;
    if (const auto id = arguments.get("to")) {
        settings.to = &formats.named(*id, "--to");
        requireWritable(*settings.to, formats);
    }
    WriteOptions& write = settings.write;
    if (const auto scale = arguments.real("scale")) {
        if (*scale == 0) throw UsageError("--scale: 0 would leave nothing");
        constexpr double kMost = 1e12;  // coordinates are floats: beyond this they overflow or vanish
        if (std::abs(*scale) > kMost || std::abs(*scale) < 1 / kMost) {
            throw UsageError("--scale: from 1e-12 to 1e12 without its sign, and this is " +
                             std::string(*arguments.get("scale")));
        }
        write.scale = *scale;
    }
    if (arguments.has("up")) {
        constexpr std::array kChoices{UpChoice::Native, UpChoice::Y, UpChoice::Z};
        write.up = kChoices[arguments.choice("up", {"native", "y", "z"})];
    }
    if (const auto precision = arguments.integer("precision", 0, 17)) write.precision = static_cast<int>(*precision);
    write.textures = arguments.choice("textures", {"png", "none"}) == 0;
    constexpr std::array kNames{HullNames::Plain, HullNames::Godot, HullNames::Unreal};
    write.hullNames = kNames[arguments.choice("hull-names", {"plain", "godot", "unreal"})];
    constexpr std::array kOrders{ByteOrderOut::Keep, ByteOrderOut::Big, ByteOrderOut::Little, ByteOrderOut::Keep};
    write.byteOrder = kOrders[arguments.choice("byte-order", {"keep", "be", "le", "auto"})];
    write.format = arguments.format;
    settings.noClobber = arguments.has("no-clobber");
    return settings;
}

void requireWritable(const Format& format, const FormatTable& formats) {
    if (canWrite(format)) return;
    const std::string id(format.id);
    if (format.patch != nullptr || format.id == "ccsf" || format.id == "groove" || format.id == "cmp") {
        throw UsageError(id +
                         " cannot be written from nothing; put the mesh into a game file that exists: geomconv import "
                         "BASE MESH -o NEW");
    }
    throw UsageError(id + " cannot be written; these can: " + formats.ids(&canWrite));
}

Target targetFor(const std::string& typed, const WriteSettings& settings, const FormatTable& formats) {
    Target target{typed, false, settings.to};
    if (typed.empty()) throw UsageError("-o needs a name");
    std::error_code ignored;
    target.folder = typed.back() == '/' || (typed != "-" && fs::is_directory(pathFromUtf8(typed), ignored));
#ifdef _WIN32
    target.folder = target.folder || typed.back() == '\\';
#endif
    if (target.format != nullptr) return target;
    if (target.folder) {
        throw UsageError("-o " + printable(typed) + " is a folder: --to says which format goes there (" +
                         formats.ids(&canWrite) + ")");
    }
    if (typed == "-")
        throw UsageError("-o - has no ending to tell the format by: add --to (" + formats.ids(&canWrite) + ")");
    target.format = formats.writableByName(typed);
    if (target.format == nullptr) {
        throw UsageError("-o " + printable(typed) + ": no format is known by this ending: add --to (" +
                         formats.ids(&canWrite) + ")");
    }
    requireWritable(*target.format, formats);
    return target;
}

std::unique_ptr<OutputSet> openOutput(const std::string& path, bool noClobber, const FileSet& inputs,
                                      std::shared_ptr<const std::vector<fs::path>> companions) {
    if (path == "-") return std::make_unique<StandardOutput>();
    OutputOptions options;
    options.noClobber = noClobber;
    options.inputs = inputs;
    options.companions = std::move(companions);
    return std::make_unique<FileOutput>(pathFromUtf8(path), std::move(options));
}

namespace {

/// One step of a path that every file system takes.
std::string safeStep(std::string_view step) {
    std::string out = isUtf8(step) ? std::string(step) : repairUtf8(step);
    for (char& c : out) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x20 || u == 0x7f || std::string_view("<>:\"|?*").find(c) != std::string_view::npos) c = '_';
    }
    if (out == "." || out == "..") out = std::string(out.size(), '_');
    if (out.size() > 200) out.resize(200);
    while (!isUtf8(out)) out.pop_back();
    return out;
}

}  // namespace

std::string safeRelative(std::string_view name) {
    std::string out;
    while (!name.empty()) {
        const std::size_t slash = name.find_first_of("/\\");
        const std::string step = safeStep(name.substr(0, slash));
        if (!step.empty()) out += (out.empty() ? "" : "/") + step;
        if (slash == std::string_view::npos) break;
        name.remove_prefix(slash + 1);
    }
    return out.empty() ? "_" : out;
}

std::string withExtension(std::string_view name, std::string_view extension) {
    const std::size_t slash = name.find_last_of('/');
    const std::size_t dot = name.find_last_of('.');
    const bool hasOne = dot != std::string_view::npos && (slash == std::string_view::npos ? dot > 0 : dot > slash + 1);
    return std::string(name.substr(0, hasOne ? dot : std::string_view::npos)) + std::string(extension);
}

std::string withoutKnownExtension(const std::string& name, const FormatTable& formats) {
    const std::string lower = lowerCase(name);
    std::size_t cut = 0;
    for (const Format* row : formats.rows()) {
        for (const std::string_view extension : row->extensions) {
            if (lower.size() > extension.size() && lower.ends_with(extension)) cut = std::max(cut, extension.size());
        }
    }
    const std::string stem = name.substr(0, name.size() - cut);
    return stem.empty() || stem.back() == '/' ? name : stem;
}

std::vector<std::string> outputNames(const std::vector<std::string>& names, std::string_view extension,
                                     const FormatTable& formats) {
    std::vector<std::string> stems;
    for (const std::string& name : names) stems.push_back(withoutKnownExtension(name, formats));
    std::vector<bool> whole(names.size(), false);
    // A name that keeps its extension can meet another one's stem, so this goes on until nobody meets.
    for (bool again = true; again;) {
        again = false;
        std::map<std::string, std::vector<std::size_t>> takers;
        for (std::size_t i = 0; i < names.size(); ++i) takers[lowerCase(whole[i] ? names[i] : stems[i])].push_back(i);
        for (const auto& [name, who] : takers) {
            if (who.size() < 2) continue;
            for (const std::size_t i : who) {
                again = again || !whole[i];
                whole[i] = true;
            }
        }
    }
    std::vector<std::string> out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        out.push_back((whole[i] ? names[i] : stems[i]) + std::string(extension));
    }
    return out;
}

std::string FreeNames::operator()(const std::string& name, const std::string& ending) {
    if (taken_.insert(lowerCase(name + ending)).second) return name + ending;
    std::size_t& n = last_.try_emplace(lowerCase(name + ending), 1).first->second;
    std::string free;
    do free = name + '~' + std::to_string(++n) + ending;
    while (!taken_.insert(lowerCase(free)).second);
    return free;
}

MemberPaths memberPaths(const std::vector<std::string>& names, std::string_view extension, const FormatTable& formats) {
    std::vector<std::string> safe;
    safe.reserve(names.size());
    for (const std::string& name : names) safe.push_back(safeRelative(name));
    MemberPaths out;
    FreeNames freeFile;
    const std::string ending(extension);
    for (const std::string& file : outputNames(safe, extension, formats)) {
        out.files.push_back(freeFile(file.substr(0, file.size() - ending.size()), ending));
    }
    FreeNames freeFolder;
    for (const std::string& name : safe) out.folders.push_back(freeFolder(name));
    return out;
}

}  // namespace geomconv
