#include "app/conversion.hpp"

#include <algorithm>

#include "app/usage_error.hpp"
#include "exporters/json/head.hpp"
#include "formats/sur/hitbox.hpp"
#include "formats/sur/sur.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv {

ConversionSettings conversionSettings(const Arguments& arguments, const FormatTable& formats) {
    ConversionSettings settings;
    settings.reading = readSettings(arguments, formats);
    settings.writing = writeSettings(arguments, formats);
    settings.selection = {arguments.all("select"), arguments.all("exclude")};
    return settings;
}

Counts countsOf(const Scene& scene) {
    Counts out;
    out.nodes = scene.nodes.size();
    out.meshes = scene.meshes.size();
    out.hulls = scene.hulls.size();
    out.images = scene.images.size();
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            out.vertices += p.positions.size();
            if (p.topology == Topology::Triangles) out.triangles += p.indices.size() / 3;
        }
    }
    for (const Hull& hull : scene.hulls) {
        out.vertices += hull.points.size();
        out.triangles += hull.triangles.size();
    }
    return out;
}

namespace {

/// --byte-order speaks of the game file: of the output where that is one, else of the input.
ByteOrderChoice readOrder(const ReadSettings& settings, const Format& target) {
    return target.role == Role::Game ? ByteOrderChoice::Auto : settings.read.byteOrder;
}

/// The game file that a dump stands for. Throws FormatError.
Opened undumped(const Opened& json, const std::string& document, const FormatTable& formats, Defects& found) {
    const Format* format = formats.byId(document);
    if (format == nullptr || format->undump == nullptr) {
        throw FormatError({Severity::Error,
                           "unsupported",
                           std::nullopt,
                           {},
                           "this is a dump of " + document + ", which cannot be written back; these can: " +
                               formats.ids([](const Format& f) { return f.undump != nullptr; })});
    }
    Opened out;
    out.name = json.name;
    out.fileName = withExtension(json.fileName, format->extensions.front());
    out.path = json.path;
    out.companions = json.companions;
    out.companionsRead = json.companionsRead;
    out.layers = json.layers;
    out.format = format;
    out.file = InputFile::fromBytes(json.name, format->undump(json.input(), found));
    return out;
}

}  // namespace

std::shared_ptr<const ModelParts> ownModel(const Opened& opened, const ReadSettings& reading) {
    if (opened.format == nullptr || opened.format->modelParts == nullptr) return nullptr;
    ReadOptions options = reading.read;
    options.format = formatOptionsFor(reading.read.format, *opened.format);
    Defects said;  // with the meshes
    return std::make_shared<const ModelParts>(opened.format->modelParts(opened.input(), options, said));
}

Conversion::Conversion(const Opened& opened, const ConversionSettings& settings, const FormatTable& formats,
                       Defects& found)
    : settings_(settings), formats_(formats), found_(found) {
    const Format& format = require(opened, formats);
    if (format.id == "json") {
        const json::JsonHead head = json::readHead(opened.file->bytes());
        fromDump_ = head.isDump();
        if (fromDump_) opened_ = undumped(opened, head.document, formats, found);
    }
    if (!fromDump_) opened_ = opened;
    if (opened_.format->readScene == nullptr) {
        throw FormatError({Severity::Error,
                           "unsupported",
                           std::nullopt,
                           {},
                           std::string(opened_.format->id) + " holds no geometry that can be converted"});
    }
}

bool Conversion::serves(const Format& target) const {
    return scene_.has_value() && forMesh_ == isMesh(target);
}

void Conversion::readFor(const Format& target, Defects& found) {
    ReadOptions options = readOptionsFor(opened_, settings_.reading, formats_, found);
    options.forMesh = isMesh(target);
    options.wayBack = !options.forMesh;
    options.finite = target.role == Role::Interchange;
    options.byteOrder = readOrder(settings_.reading, target);
    scene_.reset();
    scene_ = opened_.format->readScene(opened_.input(), options, found);
    forMesh_ = options.forMesh;
    opened_.file->release(opened_.file->bytes().size());
    if (!settings_.selection.everything() && applySelection(*scene_, settings_.selection) == 0) {
        throw FormatError({Severity::Error,
                           "nothing-selected",
                           std::nullopt,
                           {},
                           "no part, hull, model or mesh has a name that --select and --exclude leave"});
    }
}

void Conversion::write(const Format& target, OutputSet& output) {
    const bool asItIs = settings_.selection.everything() && settings_.writing.write.byteOrder == ByteOrderOut::Keep &&
                        settings_.writing.write.scale == 1.0;
    if (fromDump_ && &target == opened_.format && asItIs) {
        output.main().write(opened_.file->bytes());
        return;
    }
    if (!serves(target)) {
        // What was said at a first reading need not be said again.
        Defects again;
        readFor(target, scene_ ? again : found_);
    }
    counts_ = countsOf(*scene_);
    if (target.id == "sur" && scene_->source.format != "sur") {
        // Meshes of any origin, with the defaults of `hitbox`.
        sur::HitboxOptions hitbox;
        hitbox.model = ownModel(opened_, settings_.reading);
        hitbox.scale = settings_.writing.write.scale;
        sur::HitboxReport report;
        output.main().write(sur::write(sur::buildHitbox(*scene_, hitbox, report, found_)));
        return;
    }
    WriteOptions options = settings_.writing.write;
    options.format = formatOptionsFor(options.format, target);
    target.writeScene(*scene_, options, output, found_);
}

void refuseDefects(const Defects& found, bool strict) {
    const Defect* first = nullptr;
    for (const Defect& defect : found.list()) {
        if (defect.severity == Severity::Error || strict) {
            first = &defect;
            break;
        }
    }
    if (first == nullptr) return;
    Defect thrown = *first;
    thrown.severity = Severity::Error;
    throw FormatError(std::move(thrown));
}

bool holdsMembers(const Opened& opened) {
    return opened.format != nullptr && opened.format->readScene == nullptr && opened.format->extract != nullptr &&
           opened.format->list != nullptr;
}

Opened soleMember(const Opened& container, const ReadSettings& settings, const FormatTable& formats, Defects& found) {
    for (const Defect& defect : container.found.list()) found.add(defect);
    if (container.format->defaultMember != nullptr) {
        ReadOptions options = settings.read;
        options.format = formatOptionsFor(settings.read.format, *container.format);
        return openMember(container, container.format->defaultMember(container.input(), options, found), settings,
                          formats);
    }
    std::optional<Opened> first;
    std::vector<std::string> same;
    std::vector<std::string> readable;
    const Members members = membersOf(container, settings, found);
    for (std::size_t i = 0; i < members.names.size(); ++i) {
        const std::string& name = members.names[i];
        std::optional<Opened> member;
        try {
            member = openMember(container, members, i, settings, formats);
        } catch (const FormatError&) {
            continue;  // a member that does not unpack is not the one; `validate` says why
        }
        if (!member || member->format == nullptr || member->format->readScene == nullptr) continue;
        readable.push_back(name);
        if (!first) {
            first = std::move(member);
            same.push_back(name);
        } else if (std::ranges::equal(first->file->bytes(), member->file->bytes())) {
            same.push_back(name);
        }
    }
    if (!first) {
        throw FormatError({Severity::Error,
                           "no-readable-member",
                           std::nullopt,
                           {},
                           "none of its members is of a format that holds geometry"});
    }
    if (same.size() == readable.size()) {
        if (same.size() > 1) {
            found.warn("identical-members", std::nullopt, {},
                       std::to_string(same.size()) + " members are identical; " + same.front() + " is taken");
        }
        return std::move(*first);
    }
    throw FormatError({Severity::Error,
                       "ambiguous-member",
                       std::nullopt,
                       {},
                       "several members could be meant; name one as FILE::MEMBER, or give a folder with -o DIR/: " +
                           listed(readable)});
}

}  // namespace geomconv
