#include "formats/cmp/format.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "formats/cmp/cmp.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::cmp {

void check(const Input& input, const ReadOptions& options, Defects& defects) {
    ReadOptions all = options;
    all.content = ContentSet::all();
    all.format.set("lod", "all");
    collectDefects(defects, [&] { toScene(input, all, defects); });
}

namespace {

constexpr std::array<std::string_view, 2> kExtensions{".cmp", ".3db"};
constexpr std::array<OptionSpec, 1> kOptions{
    {{.name = "lod", .value = "N|all", .help = "Level of detail (0)", .verbs = verbBits({Verb::Read})}}};

std::string_view jointName(JointKind kind) {
    static constexpr std::array<std::string_view, 7> kNames{"root",      "fixed",       "loose", "revolute",
                                                            "prismatic", "cylindrical", "sphere"};
    return kNames[static_cast<std::size_t>(kind)];
}

ModelParts modelParts(const Input& input, const ReadOptions&, Defects& defects) {
    return partsOf(read(input.bytes, defects), defects);
}

nlohmann::ordered_json info(const Input& input, const ReadOptions&, Defects& defects) {
    const Model model = read(input.bytes, defects);
    const ModelParts parts = partsOf(model, defects);
    const auto fragments = fragmentsByName(model);
    nlohmann::ordered_json out;
    out["compound"] = model.compound;
    if (!model.exporterVersion.empty()) out["exporterVersion"] = printable(model.exporterVersion);
    auto& rows = out["parts"] = nlohmann::ordered_json::array();
    for (const ModelPart& part : parts.parts) {
        nlohmann::ordered_json row;
        row["name"] = printable(part.name);
        row["id"] = hexId(part.id);
        row["parent"] = part.parent ? nlohmann::ordered_json(printable(parts.parts[*part.parent].name)) : nullptr;
        row["joint"] = jointName(part.joint);
        row["hardpoints"] = part.hardpoints.size();
        const auto fragment = fragments.find(part.fragment);
        row["levels"] = fragment == fragments.end() ? 0 : fragment->second->levels.size();
        rows.push_back(std::move(row));
    }
    auto& meshes = out["meshes"] = nlohmann::ordered_json::array();
    for (const MeshLibrary& mesh : model.meshes) {
        meshes.push_back({{"name", printable(utf8FromWindows1252(mesh.name))},
                          {"vertices", mesh.vertexCount},
                          {"indices", mesh.indices.size()},
                          {"groups", mesh.groups.size()},
                          {"vertexFormat", hex(mesh.vertexFormat)}});
    }
    return out;
}

std::vector<Member> list(const Input& input, const ReadOptions&, Defects& defects) {
    const ModelParts parts = partsOf(read(input.bytes, defects), defects);
    std::vector<Member> out;
    for (const ModelPart& part : parts.parts) {
        out.push_back(
            {printable(part.name), "part", std::nullopt, std::nullopt,
             std::string(jointName(part.joint)) + ", " + std::to_string(part.hardpoints.size()) + " hardpoints"});
    }
    return out;
}

}  // namespace

const Format kFormat{
    .id = "cmp",
    .title = "Freelancer model",
    .extensions = kExtensions,
    .role = Role::Game,
    .options = kOptions,
    .contents = "render; helpers are the hardpoints",
    .probe = probe,
    .readScene = toScene,
    .check = check,
    .info = info,
    .list = list,
    .modelParts = modelParts,
};

}  // namespace geomconv::cmp
