#include <algorithm>

#include "app/commands/commands.hpp"
#include "app/commands/inspect.hpp"
#include "app/render.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

namespace {

std::size_t trianglesOf(const Mesh& mesh) {
    std::size_t n = 0;
    for (const Primitive& p : mesh.primitives) n += p.topology == Topology::Triangles ? p.indices.size() / 3 : 0;
    return n;
}

/// What a scene shows by name, for formats without a list of their own.
std::vector<Member> sceneMembers(const Scene& scene) {
    std::vector<Member> out;
    for (const Node& node : scene.nodes) {
        if (node.mesh) {
            const std::string name = node.name.empty() ? scene.meshes[*node.mesh].name : node.name;
            out.push_back({name, "mesh", {}, {}, counted(trianglesOf(scene.meshes[*node.mesh]), "triangles")});
        }
        for (const std::uint32_t h : node.hulls) {
            out.push_back({scene.hulls[h].name, "hull", {}, {}, counted(scene.hulls[h].triangles.size(), "triangles")});
        }
    }
    return out;
}

std::string textOf(const std::vector<Member>& members) {
    const bool offsets = std::any_of(members.begin(), members.end(), [](const Member& m) { return m.offset; });
    const bool sizes = std::any_of(members.begin(), members.end(), [](const Member& m) { return m.size; });
    std::vector<std::vector<std::string>> rows;
    for (const Member& member : members) {
        std::vector<std::string> row{printable(member.name), printable(member.kind)};
        if (offsets) row.push_back(member.offset ? hex(*member.offset) : "");
        if (sizes) row.push_back(member.size ? std::to_string(*member.size) : "");
        row.push_back(printable(member.detail));
        rows.push_back(std::move(row));
    }
    std::vector<bool> right{false, false};
    if (offsets) right.push_back(true);
    if (sizes) right.push_back(true);
    right.push_back(false);
    return renderTable(rows, right, 0);
}

void writeMembers(JsonWriter& json, const std::vector<Member>& members) {
    json.key("members");
    json.beginArray();
    for (const Member& member : members) {
        json.beginObject();
        json.field("name", member.name);
        json.field("kind", member.kind);
        if (member.offset) json.field("offset", *member.offset);
        if (member.size) json.field("size", *member.size);
        if (!member.detail.empty()) json.field("detail", member.detail);
        json.endObject();
    }
    json.endArray();
}

}  // namespace

ExitCode runList(const Arguments& arguments, Context& context) {
    const InspectOptions options = inspectOptions(arguments, context);
    const auto work = [&](const Opened& opened, const ReadOptions& reading, FileReport& report) {
        const Format& format = *opened.format;
        std::vector<Member> members;
        if (format.list != nullptr) {
            members = format.list(opened.input(), reading, report.defects);
        } else if (format.readScene != nullptr) {
            members = sceneMembers(format.readScene(opened.input(), reading, report.defects));
        } else {
            throw FormatError(
                {Severity::Error, "unsupported", std::nullopt, {}, std::string(format.id) + " has nothing to list"});
        }
        context.console.warnings(opened.name, report.defects);
        context.console.errors(opened.name, report.defects);
        Inspection out;
        out.code = failed(report.defects, options.reading.strict) ? ExitCode::BadInput : ExitCode::Done;
        out.text = textOf(members);
        if (options.files.size() > 1) out.text = printable(opened.name) + ":\n" + out.text;
        out.writeRow = [members = std::move(members)](JsonWriter& json) { writeMembers(json, members); };
        return out;
    };
    return inspectAll(options, context, verbBits({Verb::Read}), work);
}

}  // namespace geomconv
