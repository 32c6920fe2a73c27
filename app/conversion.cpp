#include "app/conversion.hpp"

#include <algorithm>

#include "app/usage_error.hpp"

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

}  // namespace

bool serves(const ReadScene& scene, const Format& target) {
    return scene.forMesh == isMesh(target);
}

ReadScene readSceneFor(const Opened& opened, const Format& target, const ConversionSettings& settings,
                       const FormatTable& formats, Defects& found) {
    const Format& format = require(opened, formats);
    if (format.readScene == nullptr) {
        throw FormatError({Severity::Error,
                           "unsupported",
                           std::nullopt,
                           {},
                           std::string(format.id) + " holds no geometry that can be converted"});
    }
    ReadOptions options = readOptionsFor(opened, settings.reading, formats, found);
    options.forMesh = isMesh(target);
    options.wayBack = !options.forMesh;
    options.finite = target.role == Role::Interchange;
    options.byteOrder = readOrder(settings.reading, target);
    ReadScene out{format.readScene(opened.input(), options, found), options.forMesh};
    opened.file->release(opened.file->bytes().size());
    if (!settings.selection.everything() && applySelection(out.scene, settings.selection) == 0) {
        throw FormatError({Severity::Error,
                           "nothing-selected",
                           std::nullopt,
                           {},
                           "no part, hull, model or mesh has a name that --select and --exclude leave"});
    }
    return out;
}

void writeSceneTo(const Scene& scene, const Format& target, const ConversionSettings& settings, OutputSet& output,
                  Defects& found) {
    WriteOptions options = settings.writing.write;
    options.format = formatOptionsFor(options.format, target);
    target.writeScene(scene, options, output, found);
}

Counts convertTo(const Opened& opened, const Format& target, const ConversionSettings& settings,
                 const FormatTable& formats, OutputSet& output, Defects& found) {
    const ReadScene read = readSceneFor(opened, target, settings, formats, found);
    writeSceneTo(read.scene, target, settings, output, found);
    return countsOf(read.scene);
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

std::vector<std::string> memberNames(const Opened& container, const ReadSettings& settings, Defects& found) {
    ReadOptions options = settings.read;
    options.format = formatOptionsFor(settings.read.format, *container.format);
    std::vector<std::string> out;
    for (Member& member : container.format->list(container.input(), options, found))
        out.push_back(std::move(member.name));
    return out;
}

Opened soleMember(const Opened& container, const ReadSettings& settings, const FormatTable& formats, Defects& found) {
    if (container.format->defaultMember != nullptr) {
        ReadOptions options = settings.read;
        options.format = formatOptionsFor(settings.read.format, *container.format);
        return openMember(container, container.format->defaultMember(container.input(), options, found), settings,
                          formats);
    }
    std::optional<Opened> first;
    std::vector<std::string> same;
    std::vector<std::string> readable;
    for (const std::string& name : memberNames(container, settings, found)) {
        std::optional<Opened> member;
        try {
            member = openMember(container, name, settings, formats);
        } catch (const FormatError&) {
            continue;  // a member that does not unpack is not the one; `validate` says why
        }
        if (member->format == nullptr || member->format->readScene == nullptr) continue;
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
    std::string names;
    constexpr std::size_t kNamed = 20;
    for (std::size_t i = 0; i < readable.size() && i < kNamed; ++i) names += (i > 0 ? ", " : "") + readable[i];
    if (readable.size() > kNamed) names += " and " + std::to_string(readable.size() - kNamed) + " more";
    throw FormatError(
        {Severity::Error,
         "ambiguous-member",
         std::nullopt,
         {},
         "several members could be meant; name one as FILE::MEMBER, or give a folder with -o DIR/: " + names});
}

}  // namespace geomconv
