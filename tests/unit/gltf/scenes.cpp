#include "tests/unit/gltf/scenes.hpp"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/shared.hpp"

namespace geomconv::test {

Primitive tetrahedron() {
    Primitive p;
    p.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 0.1F)};
    p.normals.assign(4, Vec3(0, 0, 1));
    p.uvs = {Vec2(0, 0), Vec2(1, 0), Vec2(0, 1), Vec2(1, 1)};
    p.colors.assign(4, Vec4(1, 0.5F, 0.25F, 1));
    p.indices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    return p;
}

Hull hull(std::string name, std::optional<std::uint32_t> id, HullType type) {
    Hull h;
    h.name = std::move(name);
    h.id = id;
    h.type = type;
    h.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    h.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    return h;
}

Image pixel(std::string name) {
    Image image;
    image.name = std::move(name);
    image.width = image.height = 1;
    image.rgba = {255, 128, 0, 255};
    return image;
}

Scene hullScene() {
    Scene scene;
    scene.nodes.resize(2);
    scene.nodes[0].name = "Root";
    scene.nodes[1].name = "wing_lt";
    scene.nodes[1].parent = 0;
    scene.nodes[1].translation = Vec3(0, 2, 0);
    scene.hulls = {hull("Root", 0x12688f2d, HullType::Terminal), hull("", 0x03981f6f, HullType::Terminal),
                   hull("wrap", std::nullopt, HullType::Wrap)};
    scene.hulls[1].extras = Extras::fromText(R"({"pierce":[1,2]})");
    scene.hulls[2].extras = Extras::fromText(R"({"geomconv":{"node":7}})");
    scene.nodes[0].hulls = {0};
    scene.nodes[1].hulls = {1, 2};
    return scene;
}

namespace {

void addMaterials(Scene& scene) {
    scene.images = {pixel("rust \xc3\xa4"), pixel("glow")};
    scene.materials.resize(5);
    scene.materials[0].name = "rust";
    scene.materials[0].image = 0;
    scene.materials[1].name = "glow";
    scene.materials[1].image = 1;
    scene.materials[1].wrapU = Wrap::Clamp;
    scene.materials[1].wrapV = Wrap::Mirror;
    scene.materials[1].filter = Filter::Nearest;
    scene.materials[1].unlit = true;
    scene.materials[1].emissive = Vec3(1, 0.5F, 0);
    scene.materials[2].name = "leaf";
    scene.materials[2].alphaMode = AlphaMode::Mask;
    scene.materials[2].alphaCutoff = 0.25F;
    scene.materials[2].doubleSided = true;
    scene.materials[3].name = "glass";
    scene.materials[3].alphaMode = AlphaMode::Blend;
    scene.materials[3].baseColor = Vec4(0.5F, 0.5F, 1, 0.5F);
    scene.materials[3].extras = Extras::fromText(R"({"ior":1.5})");
    scene.materials[4].name = "metal";
    scene.materials[4].metallic = 1.0F;
    scene.materials[4].roughness = 0.25F;
}

void addMeshes(Scene& scene) {
    scene.meshes.resize(4);
    scene.meshes[0].name = "body";
    for (std::uint32_t m = 0; m < 5; ++m) {
        scene.meshes[0].primitives.push_back(tetrahedron());
        scene.meshes[0].primitives.back().material = m;
    }
    scene.meshes[0].primitives[1].uvs.clear();
    scene.meshes[1].name = "wires";
    scene.meshes[1].primitives.resize(2);
    scene.meshes[1].primitives[0].topology = Topology::Lines;
    scene.meshes[1].primitives[0].positions = {Vec3(0, 0, 0), Vec3(1, 1, 1)};
    scene.meshes[1].primitives[0].indices = {0, 1};
    scene.meshes[1].primitives[1].topology = Topology::Points;
    scene.meshes[1].primitives[1].positions = {Vec3(0, 0, 0), Vec3(1, 1, 1)};
    Mesh& arm = scene.meshes[2];
    arm.name = "arm";
    arm.primitives.push_back(tetrahedron());
    Influences set;
    set.joints = {{0, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    set.weights = {Vec4(1, 0, 0, 0), Vec4(0.25F, 0.75F, 0, 0), Vec4(1, 0, 0, 0), Vec4(1, 0, 0, 0)};
    arm.primitives[0].influences = {set};
    Mesh& face = scene.meshes[3];
    face.name = "face";
    face.primitives.push_back(tetrahedron());
    face.primitives[0].targets = {
        {"smile", std::vector<Vec3>(4, Vec3(0, 0.25F, 0)), {}},
        {"frown", std::vector<Vec3>(4, Vec3(0, -0.25F, 0)), std::vector<Vec3>(4, Vec3(0.0F))}};
    face.weights = {0.5F, 0.0F};
    face.extras = Extras::fromText(R"({"rig":"simple"})");
}

void addNodes(Scene& scene) {
    scene.nodes.resize(8);
    const char* names[] = {"world", "body", "body.001", "wires", "arm", "shoulder", "hand", "face"};
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) scene.nodes[i].name = names[i];
    for (std::uint32_t i = 1; i < 8; ++i) scene.nodes[i].parent = i == 6 ? 5U : 0U;
    scene.nodes[0].translation = Vec3(1, 2, 3);
    scene.nodes[0].extras = Extras::fromText(R"({"note":"z","a":1})");
    scene.nodes[1].mesh = 0;
    scene.nodes[2].mesh = 0;
    scene.nodes[2].scale = Vec3(-1, 1, 1);
    scene.nodes[3].mesh = 1;
    scene.nodes[3].matrix = Mat4(2.0F);
    (*scene.nodes[3].matrix)[3] = Vec4(5, 6, 7, 1);
    scene.nodes[4].mesh = 2;
    scene.nodes[4].skin = 0;
    scene.nodes[4].translation = Vec3(9, 9, 9);
    scene.nodes[6].rotation = quat(0, 0.6F, 0, 0.8F);
    scene.nodes[7].mesh = 3;
    Skin skin;
    skin.name = "bones";
    skin.joints = {5, 6};
    skin.inverseBindMatrices = {Mat4(1.0F), Mat4(1.0F)};
    skin.skeletonRoot = 5;
    scene.skins = {skin};
}

Channel channel(std::uint32_t node, ChannelPath path, Interpolation how, std::vector<float> values) {
    return {node, path, how, {0.0F, 0.5F}, std::move(values)};
}

void addAnimations(Scene& scene) {
    Animation move;
    move.name = "move";
    move.channels = {channel(5, ChannelPath::Translation, Interpolation::Linear, {0, 0, 0, 1, 0, 0}),
                     channel(6, ChannelPath::Rotation, Interpolation::Step, {0, 0, 0, 1, 0, 1, 0, 0}),
                     channel(1, ChannelPath::Scale, Interpolation::CubicSpline, std::vector<float>(18, 0.5F)),
                     channel(7, ChannelPath::Weights, Interpolation::Linear, {0, 0, 1, 1})};
    move.extras = Extras::fromText(R"({"fps":30})");
    scene.animations = {move};
}

}  // namespace

Scene fullScene() {
    Scene scene;
    addMaterials(scene);
    addMeshes(scene);
    addNodes(scene);
    addAnimations(scene);
    return scene;
}

namespace {

std::optional<std::vector<nlohmann::json>> validate(const std::vector<std::pair<std::string, ByteVector>>& files) {
    const auto tool = sourceDir() / "scripts/gltf-validator";
    if (!std::filesystem::is_directory(tool / "node_modules/gltf-validator") ||
        std::system("node --version > /dev/null 2>&1") != 0) {
        std::printf("node or scripts/gltf-validator/node_modules is missing (scripts/test.sh): not validated\n");
        return std::nullopt;
    }
    TemporaryFolder folder;
    std::string command = "node '" + (tool / "validate.js").string() + "'";
    for (const auto& [name, bytes] : files) {
        writeFile(folder / name, bytes);
        const bool model = name.ends_with(".glb") || name.ends_with(".gltf");
        if (model) command += " '" + (folder / name).string() + "'";
    }
    const auto report = (folder / "report.txt").string();
    const bool ran = std::system((command + " > '" + report + "' 2>&1").c_str()) == 0;
    if (!ran) throw std::runtime_error(readText(report));
    std::vector<nlohmann::json> rows;
    std::istringstream lines(readText(report));
    for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
    return rows;
}

}  // namespace

std::optional<std::vector<std::string>> validatorComplaints(
    const std::vector<std::pair<std::string, ByteVector>>& files) {
    const auto rows = validate(files);
    if (!rows) return std::nullopt;
    std::vector<std::string> complaints;
    for (const auto& row : *rows) {
        if (row["errors"] == 0 && row["warnings"] == 0) continue;
        complaints.push_back(row["file"].get<std::string>() + ": " + row["issues"][0].dump());
    }
    return complaints;
}

std::optional<std::vector<int>> validatorErrors(const std::vector<std::pair<std::string, ByteVector>>& files) {
    const auto rows = validate(files);
    if (!rows) return std::nullopt;
    std::vector<int> errors;
    for (const auto& row : *rows) errors.push_back(row["errors"].get<int>());
    return errors;
}

}  // namespace geomconv::test
