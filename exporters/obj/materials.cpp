#include "exporters/obj/materials.hpp"

#include <set>
#include <utility>

#include "lib/bytes/text.hpp"
#include "lib/hull_display.hpp"

namespace geomconv::obj {

std::string safeName(std::string_view name) {
    std::string out = printable(name);
    while (!out.empty() && (out.back() == ' ' || out.back() == '\\')) out.pop_back();
    out.erase(0, std::min(out.find_first_not_of(' '), out.size()));
    return out;
}

MaterialNames materialNames(const Scene& scene) {
    MaterialNames names;
    std::set<std::string> taken;
    const auto unique = [&taken](const std::string& base) {
        std::string name = base;
        for (unsigned n = 2; !taken.insert(name).second; ++n) name = base + '#' + std::to_string(n);
        return name;
    };
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        const std::string name = safeName(scene.materials[i].name);
        names.materials.push_back(unique(name.empty() ? "material_" + std::to_string(i) : name));
    }
    for (std::size_t i = 0; i < scene.hulls.size(); ++i) names.hulls.push_back(unique("hull_" + std::to_string(i)));
    return names;
}

namespace {

void line(Sink& out, std::string_view key, std::initializer_list<float> values) {
    out.text(key);
    for (const float v : values) {
        out.put(' ');
        writeFloat(out, v);
    }
    out.put('\n');
}

void texture(Sink& out, std::string_view key, const Material& material, std::string_view file) {
    out.text(key);
    if (material.wrapU == Wrap::Clamp && material.wrapV == Wrap::Clamp) out.text(" -clamp on");
    out.put(' ');
    out.text(file);
    out.put('\n');
}

void writeMaterial(Sink& out, const Material& material, const std::vector<std::string>& images) {
    const Vec4& c = material.baseColor;
    line(out, "Kd", {c.x, c.y, c.z});
    if (material.emissive != Vec3(0.0F))
        line(out, "Ke", {material.emissive.x, material.emissive.y, material.emissive.z});
    line(out, "d", {c.w});
    // Pr and Pm are the extension for physically based materials that Blender and others read.
    if (material.roughness != 1.0F) line(out, "Pr", {material.roughness});
    if (material.metallic != 0.0F) line(out, "Pm", {material.metallic});
    // Model 0 is colour without lights, 1 has ambient and diffuse light.
    out.text(material.unlit ? "illum 0\n" : "illum 1\n");
    if (!material.image || images.empty() || images[*material.image].empty()) return;
    texture(out, "map_Kd", material, images[*material.image]);
    // The texture's alpha counts only where map_d names it.
    if (material.alphaMode != AlphaMode::Opaque) texture(out, "map_d", material, images[*material.image]);
}

}  // namespace

void writeMaterials(Sink& out, const Scene& scene, const MaterialNames& names, const std::vector<std::string>& images) {
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        out.text("newmtl " + names.materials[i] + '\n');
        writeMaterial(out, scene.materials[i], images);
        out.put('\n');
    }
    for (std::size_t i = 0; i < scene.hulls.size(); ++i) {
        out.text("newmtl " + names.hulls[i] + '\n');
        const Vec3 c = hullColor(i);
        line(out, "Kd", {c.x, c.y, c.z});
        line(out, "d", {hullOpacity(scene.hulls[i].type)});
        out.text("illum 1\n\n");
    }
}

}  // namespace geomconv::obj
