#include "formats/sur/hitbox.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/conversion.hpp"
#include "app/render.hpp"
#include "app/report.hpp"
#include "app/usage_error.hpp"
#include "formats/sur/names.hpp"
#include "formats/sur/sur.hpp"
#include "lib/bytes/text.hpp"
#include "lib/json.hpp"
#include "lib/scene/merge.hpp"

namespace geomconv {

namespace {

constexpr auto kVerbs = verbBits({Verb::Read, Verb::Write, Verb::Build});

struct HitboxCommand {
    std::vector<std::string> meshes;
    Target target;
    ConversionSettings settings;
    sur::HitboxOptions hitbox;  ///< without the model, which is opened later
    std::string model;          ///< --model, or empty
    std::string massFrom;       ///< --mass-from, or empty
    bool noModel = false;       ///< --model none: a .cmp among the meshes is a mesh like others
    bool shaped = false;        ///< an option was given that only new hulls can follow
    bool json = false;
};

/// X,Y,Z. Throws UsageError.
std::optional<Vec3> vector(const Arguments& arguments, std::string_view option) {
    const auto text = arguments.get(option);
    if (!text) return std::nullopt;
    const std::vector<double> v = realsFromText(option, *text, 3);
    return Vec3(static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]));
}

/// Two opposite corners in either order. Throws UsageError for a box without volume.
sur::GivenBox givenBox(const std::string& text) {
    const std::vector<double> v = realsFromText("box", text, 6);
    sur::GivenBox box;
    for (int axis = 0; axis < 3; ++axis) {
        const auto low =
            static_cast<float>(std::min(v[static_cast<std::size_t>(axis)], v[static_cast<std::size_t>(axis) + 3]));
        const auto high =
            static_cast<float>(std::max(v[static_cast<std::size_t>(axis)], v[static_cast<std::size_t>(axis) + 3]));
        if (!(low < high)) throw UsageError("--box: " + printable(text) + " encloses nothing");
        box.extent.minimum[axis] = low;
        box.extent.maximum[axis] = high;
    }
    return box;
}

sur::MassOverrides massOverrides(const Arguments& arguments) {
    sur::MassOverrides mass;
    mass.massCenter = vector(arguments, "center");
    mass.rotationInertia = vector(arguments, "inertia");
    if (const auto radius = arguments.realFloat("radius")) {
        if (*radius <= 0) throw UsageError("--radius must be above 0");
        mass.radius = radius;
    }
    if (const auto deviation = arguments.integer("deviation", 0, 255)) {
        mass.surfaceDeviation = static_cast<std::uint8_t>(*deviation);
    }
    return mass;
}

/// What begins as an id must be one: it would be hashed as a name otherwise. Throws UsageError.
std::string nameOrId(std::string_view option, std::string_view text) {
    if (text.empty()) throw UsageError("--" + std::string(option) + ": an empty text names nothing");
    const std::string_view bare = sur::withoutOrdinal(text);
    if (!bare.starts_with("0x") && !bare.starts_with("0X")) return std::string(text);
    const std::string_view digits = bare.substr(2);
    const bool hex = !digits.empty() && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    if (hex && digits.size() <= 8) return std::string(text);
    throw UsageError(
        "--" + std::string(option) + ": '" + printable(text) +
        (hex ? "' is out of range, ids go from 0x0 to 0xFFFFFFFF" : "' is no id: 0x and up to eight hex digits"));
}

sur::HitboxOptions hitboxOptions(const Arguments& arguments) {
    sur::HitboxOptions out;
    constexpr std::array kModes{sur::HitboxMode::Hull, sur::HitboxMode::Exact, sur::HitboxMode::Box,
                                sur::HitboxMode::Decompose};
    out.mode = kModes[arguments.choice("mode", {"hull", "exact", "box", "decompose"})];
    if (const auto part = arguments.get("part")) out.part = nameOrId("part", *part);
    out.compound = arguments.has("compound");
    if (out.part && out.compound) throw UsageError("--part and --compound exclude each other");
    out.fold = arguments.choice("fold", {"on", "off"}) == 0;
    out.fixed = arguments.has("fixed");
    for (const std::string& name : arguments.all("hardpoint")) out.hardpoints.push_back(nameOrId("hardpoint", name));
    if (const auto n = arguments.integer("max-points", 4, UINT32_MAX)) out.maxPoints = static_cast<std::uint32_t>(*n);
    if (const auto n = arguments.integer("max-hulls", 1, UINT32_MAX)) out.maxHulls = static_cast<std::uint32_t>(*n);
    out.epsilon = arguments.real("epsilon");
    if (out.epsilon && *out.epsilon < 0) throw UsageError("--epsilon must not be below 0");
    constexpr std::array kBounds{sur::Bounds::Wrap, sur::Bounds::Box, sur::Bounds::None};
    out.bounds = kBounds[arguments.choice("bounds", {"wrap", "box", "none"})];
    out.tree = arguments.choice("tree", {"ivp", "pairs"}) == 0 ? sur::Tree::Ivp : sur::Tree::Pairs;
    out.keepMass = arguments.has("keep-mass");
    out.mass = massOverrides(arguments);
    for (const std::string& text : arguments.all("box")) out.boxes.push_back(givenBox(text));
    return out;
}

/// Throws UsageError.
HitboxCommand hitboxCommand(const Arguments& arguments, const Context& context) {
    HitboxCommand out;
    out.meshes = arguments.positionals;
    // --model names parts here, with or without a .sur among the meshes.
    out.settings = conversionSettings(arguments, context.formats);
    out.settings.reading.model = "none";
    if (const auto model = arguments.get("model"); model && *model != "none") {
        if (*model == "auto") throw UsageError("--model: name the .cmp or .3db that the parts come from");
        out.model = std::string(*model);
    }
    out.noModel = arguments.get("model") == std::optional<std::string_view>("none");
    out.massFrom = std::string(arguments.get("mass-from").value_or(""));
    out.hitbox = hitboxOptions(arguments);
    out.json = arguments.has("json");
    for (const std::string_view option :
         {"mode", "part", "compound", "model", "hardpoint", "max-points", "max-hulls", "box", "fixed"}) {
        out.shaped = out.shaped || arguments.has(option);
    }
    if (out.meshes.empty() && out.hitbox.boxes.empty()) throw UsageError("hitbox needs a mesh, or --box");
    const auto output = arguments.get("output");
    if (!output) throw UsageError("hitbox needs -o OUT");
    out.target = targetFor(std::string(*output), out.settings.writing, context.formats);
    if (out.target.folder)
        throw UsageError("-o " + printable(out.target.typed) + " is a folder; hitbox writes one file");
    if (out.target.format->role == Role::Game && out.target.format->id != "sur") {
        throw UsageError("hitbox writes sur, or the hulls as obj, gltf, glb or json");
    }
    out.hitbox.forLibrary = out.target.format->id == "sur";
    out.hitbox.scale = out.settings.writing.write.scale;
    if (out.json && out.target.typed == "-") throw UsageError("--json and -o - both want standard output");
    return out;
}

class Hitbox {
public:
    Hitbox(const HitboxCommand& command, const Context& context) : command_(command), context_(context) {}

    ExitCode run() {
        readModel();
        std::vector<Opened> inputs;
        for (const std::string& mesh : command_.meshes) inputs.push_back(openMesh(mesh));
        std::vector<const Format*> used{command_.target.format, context_.formats.byId("sur")};
        for (const Opened& input : inputs) used.push_back(input.format);
        checkFormatOptions(command_.settings.reading.read.format, used, kVerbs, context_.formats);

        const auto companions = std::make_shared<std::vector<std::filesystem::path>>();
        for (const std::filesystem::path& path : command_.settings.reading.optionFiles) paths_.push_back(path);
        if (!command_.massFrom.empty()) paths_.push_back(pathFromUtf8(locate(command_.massFrom).file));
        const auto output = openOutput(command_.target.typed, command_.settings.writing.noClobber, paths_, companions);
        adoptModel(inputs);
        const bool rebuild = inputs.size() == 1 && inputs.front().format->id == "sur" && !command_.shaped &&
                             command_.hitbox.forLibrary && command_.settings.selection.everything();
        if (rebuild)
            rebuildLibrary(inputs.front(), *output);
        else
            build(inputs, *output);
        refuseDefects(found_, command_.settings.reading.strict);
        for (const Opened& input : inputs) {
            if (input.companionsRead == nullptr) continue;
            companions->insert(companions->end(), input.companionsRead->begin(), input.companionsRead->end());
        }
        output->commit();
        context_.console.warnings(name(), found_);
        report();
        return ExitCode::Done;
    }

private:
    std::string name() const { return command_.meshes.empty() ? command_.target.typed : command_.meshes.front(); }

    Opened openMesh(const std::string& file) {
        std::optional<Opened> opened;
        const ExitCode code = guarded(context_.console, file, [&] {
            opened = open(file, command_.settings.reading, context_.formats);
            if (holdsMembers(*opened))
                opened = soleMember(*opened, command_.settings.reading, context_.formats, found_);
            const Format& format = require(*opened, context_.formats);
            if (format.readScene == nullptr) {
                throw FormatError(
                    {Severity::Error, "unsupported", std::nullopt, {}, std::string(format.id) + " holds no geometry"});
            }
            return ExitCode::Done;
        });
        if (code != ExitCode::Done) throw AlreadySaid{code};
        if (!opened->path.empty()) paths_.push_back(opened->path);
        return std::move(*opened);
    }

    /// What is wrong with one mesh is said of that one.
    Scene readMesh(const Opened& opened) {
        Scene scene;
        const ExitCode code = guarded(context_.console, opened.name, [&] {
            Defects found = opened.found;
            ReadSettings reading = command_.settings.reading;
            // Copies that a library carries in fixed ancestors are left out there, for folding makes them again.
            const bool foldsAnew = opened.format->usesModel && !command_.model.empty() && command_.hitbox.fold;
            if (foldsAnew) reading.model = command_.model;
            ReadOptions options = readOptionsFor(opened, reading, context_.formats, found);
            options.forMesh = foldsAnew;
            scene = opened.format->readScene(opened.input(), options, found);
            refuseDefects(found, command_.settings.reading.strict);
            context_.console.warnings(opened.name, found);
            return ExitCode::Done;
        });
        if (code != ExitCode::Done) throw AlreadySaid{code};
        return scene;
    }

    void readModel() {
        hitbox_ = command_.hitbox;
        if (command_.model.empty()) return;
        ReadSettings settings = command_.settings.reading;
        settings.model = command_.model;
        const ExitCode code = guarded(context_.console, command_.model, [&] {
            hitbox_.model = findModel({}, settings, context_.formats, found_);
            return ExitCode::Done;
        });
        if (code != ExitCode::Done) throw AlreadySaid{code};
        paths_.push_back(pathFromUtf8(locate(command_.model).file));
    }

    /// A .cmp or .3db that a hitbox is made of names its own parts, unless the options say where its hulls go.
    void adoptModel(const std::vector<Opened>& inputs) {
        if (inputs.size() != 1 || hitbox_.model || hitbox_.part || hitbox_.compound || command_.noModel) return;
        hitbox_.model = ownModel(inputs.front(), command_.settings.reading);
    }

    void addMass() {
        if (command_.massFrom.empty()) return;
        const sur::MassOverrides derived =
            sur::massFromScene(readMesh(openMesh(command_.massFrom)), command_.hitbox.scale);
        // What was given as a number goes before what was derived.
        sur::MassOverrides& mass = hitbox_.mass;
        if (!mass.massCenter) mass.massCenter = derived.massCenter;
        if (!mass.rotationInertia) mass.rotationInertia = derived.rotationInertia;
        if (!mass.radius) mass.radius = derived.radius;
        if (!mass.surfaceDeviation) mass.surfaceDeviation = derived.surfaceDeviation;
    }

    void rebuildLibrary(const Opened& opened, OutputSet& output) {
        addMass();
        const sur::Library old = sur::read(opened.file->bytes(), found_, command_.settings.reading.read.recover);
        output.main().write(sur::write(sur::rebuildLibrary(old, hitbox_, report_, found_)));
    }

    void build(const std::vector<Opened>& inputs, OutputSet& output) {
        addMass();
        Scene scene;
        for (const Opened& input : inputs) appendScene(scene, readMesh(input));
        if (!inputs.empty() && applySelection(scene, command_.settings.selection) == 0) {
            throw GeometryError("", "no-objects", "no mesh or hull is left to make a hitbox of");
        }
        const std::vector<sur::HitboxPart> parts = sur::planHitbox(scene, hitbox_, found_);
        if (hitbox_.forLibrary) {
            output.main().write(sur::write(sur::hitboxLibrary(parts, hitbox_, report_, found_)));
            return;
        }
        const Scene hulls = sur::hitboxScene(parts, hitbox_, report_);
        WriteOptions write = command_.settings.writing.write;
        write.format = formatOptionsFor(write.format, *command_.target.format);
        command_.target.format->writeScene(hulls, write, output, found_);
    }

    void report() const {
        if (command_.json) {
            MemorySink sink;
            JsonWriter json(sink);
            reportJson(json);
            context_.console.out(sink.takeText());
        } else if (command_.target.typed != "-") {
            context_.console.out(reportText());
        }
    }

    std::string reportText() const {
        std::string out;
        for (const Change& change : report_.changes) {
            if (change.kind == Change::Kind::Kept && change.detail.empty()) continue;
            out += printable(name()) + ": " + printable(change.name) + (change.detail.empty() ? "" : ": ") +
                   printable(change.detail) + '\n';
        }
        std::vector<std::vector<std::string>> rows{
            {"part", "id", "fixed", "hulls", "points", "faces", "volume", "hardpoints"}};
        for (const auto& part : report_.parts) {
            std::array<char, 64> room{};
            const auto end =
                std::to_chars(room.data(), room.data() + room.size(), part.volume, std::chars_format::general, 6).ptr;
            rows.push_back({printable(part.name),
                            hexId(part.id),
                            part.fixed ? "yes" : "no",
                            std::to_string(part.hulls),
                            std::to_string(part.points),
                            std::to_string(part.faces),
                            {room.data(), end},
                            std::to_string(part.hardpoints)});
        }
        out += renderTable(rows, {false, false, false, true, true, true, true, true}, 0);
        return out + printable(command_.target.typed) + " written\n";
    }

    void reportJson(JsonWriter& json) const {
        json.beginObject();
        json.head();
        json.key("files");
        json.beginArray();
        json.beginObject();
        FileReport head;
        head.file = name();
        head.format = command_.target.format->id;
        writeFileHead(json, head);
        json.field("output", command_.target.typed);
        json.key("parts");
        json.beginArray();
        for (const auto& part : report_.parts) {
            json.beginObject();
            json.field("name", part.name);
            json.field("id", hexId(part.id));
            json.field("fixed", part.fixed);
            json.field("hulls", static_cast<std::uint64_t>(part.hulls));
            json.field("points", static_cast<std::uint64_t>(part.points));
            json.field("faces", static_cast<std::uint64_t>(part.faces));
            json.field("volume", part.volume);
            json.field("hardpoints", static_cast<std::uint64_t>(part.hardpoints));
            json.endObject();
        }
        json.endArray();
        json.key("changes");
        json.beginArray();
        for (const Change& change : report_.changes) {
            json.beginObject();
            json.field("name", change.name);
            json.field("detail", change.detail);
            json.endObject();
        }
        json.endArray();
        writeDefects(json, found_);
        json.endObject();
        json.endArray();
        json.endObject();
    }

    const HitboxCommand& command_;
    const Context& context_;
    sur::HitboxOptions hitbox_;
    sur::HitboxReport report_;
    Defects found_;
    std::vector<std::filesystem::path> paths_;
};

}  // namespace

ExitCode runHitbox(const Arguments& arguments, Context& context) {
    const HitboxCommand command = hitboxCommand(arguments, context);
    const std::string name = command.meshes.empty() ? std::string() : command.meshes.front();
    return guarded(context.console, name, [&] { return Hitbox(command, context).run(); });
}

}  // namespace geomconv
