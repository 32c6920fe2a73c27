#include <nlohmann/json.hpp>

#include "app/commands/commands.hpp"
#include "app/commands/inspect.hpp"
#include "app/render.hpp"
#include "lib/bytes/text.hpp"
#include "lib/scene/summary.hpp"

namespace geomconv {

namespace {

/// A row without `info` of its own is summarised from its scene.
nlohmann::ordered_json sceneInfo(const Format& format, const Input& input, const ReadOptions& options, Defects& found) {
    const Scene scene = format.readScene(input, options, found);
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            vertices += p.positions.size();
            if (p.topology == Topology::Triangles) triangles += p.indices.size() / 3;
        }
    }
    for (const Hull& hull : scene.hulls) {
        vertices += hull.points.size();
        triangles += hull.triangles.size();
    }
    nlohmann::ordered_json info;
    info["nodes"] = scene.nodes.size();
    info["meshes"] = scene.meshes.size();
    info["hulls"] = scene.hulls.size();
    info["materials"] = scene.materials.size();
    info["images"] = scene.images.size();
    info["animations"] = scene.animations.size();
    info["vertices"] = vertices;
    info["triangles"] = triangles;
    return info;
}

/// A row for each mesh and hull of a game file; the interchange formats say it in their own rows.
nlohmann::ordered_json topologyRows(const Format& format, const Input& input, const ReadOptions& options) {
    Defects again;  // the reader's words have been said
    const nlohmann::ordered_json summary = sceneSummary(format.readScene(input, options, again), true);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const char* key : {"meshes", "hulls"}) {
        for (const auto& row : summary[key]) rows.push_back(row);
    }
    return rows;
}

Inspection infoOf(const Opened& opened, const ReadOptions& reading, FileReport& report, bool strict, Console& console) {
    const Format& format = *opened.format;
    nlohmann::ordered_json info;
    if (format.info != nullptr) {
        info = format.info(opened.input(), reading, report.defects);
    } else if (format.readScene != nullptr) {
        info = sceneInfo(format, opened.input(), reading, report.defects);
    } else {
        throw FormatError(
            {Severity::Error, "unsupported", std::nullopt, {}, std::string(format.id) + " cannot be summarised"});
    }
    if (reading.topology && format.role == Role::Game && format.readScene != nullptr) {
        info["topology"] = topologyRows(format, opened.input(), reading);
    }
    // The head of the row says these.
    if (info.is_object()) {
        info.erase("format");
        info.erase("file");
    }
    Inspection out;
    out.code = failed(report.defects, strict) ? ExitCode::BadInput : ExitCode::Done;
    out.text = printable(opened.name) + ": " + std::string(format.title) + " (" + std::string(format.id) + "), " +
               std::to_string(opened.file->bytes().size()) + " bytes\n" + renderInfo(Extras(info));
    out.writeRow = [info = std::move(info)](JsonWriter& json) {
        for (const auto& [key, value] : info.items()) {
            if (key == "defects" || key == "errors" || key == "warnings") continue;
            json.key(key);
            json.raw(value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
        }
    };
    console.errors(opened.name, report.defects);
    console.warnings(opened.name, report.defects);
    return out;
}

}  // namespace

ExitCode runInfo(const Arguments& arguments, Context& context) {
    return inspectContents(arguments, context, infoOf);
}

}  // namespace geomconv
