#include "exporters/obj/materials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

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
    std::map<std::string, std::size_t> last;  // the number that a name got last: thousands may be equal
    const auto unique = [&](const std::string& base) {
        if (taken.insert(base).second) return base;
        std::size_t& n = last.try_emplace(base, 1).first->second;
        std::string name;
        do name = base + '#' + std::to_string(++n);
        while (!taken.insert(name).second);
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

// ------------------------------------------------------------------------------------------------------- reading

namespace {

/// Numbers between 0 and `most`; what is none, or far off, is the nearest.
float within(float value, float most) {
    return std::isfinite(value) ? std::clamp(value, 0.0F, most) : most;
}

MtlMaterial converted(const tinyobj::material_t& m) {
    constexpr float kBrightest = 1e6F;
    MtlMaterial out;
    Material& material = out.material;
    material.name = m.name;
    material.baseColor = {within(m.diffuse[0], kBrightest), within(m.diffuse[1], kBrightest),
                          within(m.diffuse[2], kBrightest), within(m.dissolve, 1.0F)};
    material.emissive = {within(m.emission[0], kBrightest), within(m.emission[1], kBrightest),
                         within(m.emission[2], kBrightest)};
    material.roughness = within(m.roughness, 1.0F);
    material.metallic = within(m.metallic, 1.0F);
    material.unlit = m.illum == 0;
    if (m.diffuse_texopt.clamp) material.wrapU = material.wrapV = Wrap::Clamp;
    if (material.baseColor.w < 1.0F || !m.alpha_texname.empty()) material.alphaMode = AlphaMode::Blend;
    out.texture = m.diffuse_texname;
    const auto pair = [](const float* values) { return Vec2(values[0], values[1]); };
    const TexturePlace place{pair(m.diffuse_texopt.scale), pair(m.diffuse_texopt.origin_offset)};
    const float sum = place.scale.x + place.scale.y + place.offset.x + place.offset.y;
    if (std::isfinite(sum)) out.place = place;
    return out;
}

std::string_view withoutBlanks(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

/// A line as the library reads it: keywords in the case that the format has, whatever the program wrote; a colour of
/// one number is a grey. Colours that are a spectrum or CIE XYZ, of which it makes nonsense, are left out.
std::string soundLine(std::string_view line) {
    static constexpr std::array<std::string_view, 10> kKeywords{"newmtl", "Kd", "Ke",    "d",      "Tr",
                                                                "Pr",     "Pm", "illum", "map_Kd", "map_d"};
    line = withoutBlanks(line);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, end);
    const std::string_view rest = withoutBlanks(line.substr(end));
    const auto* known = std::find_if(kKeywords.begin(), kKeywords.end(),
                                     [word](std::string_view k) { return equalWithoutCase(k, word); });
    std::string out(known == kKeywords.end() ? word : *known);
    if (rest.empty()) return out;
    out.append(1, ' ').append(rest);
    if (out[0] != 'K') return out;
    if (rest.starts_with("spectral") || rest.starts_with("xyz")) return {};
    if (rest.find_first_of(" \t") == std::string_view::npos) {
        for (int i = 0; i < 2; ++i) out.append(1, ' ').append(rest);
    }
    return out;
}

}  // namespace

std::vector<MtlMaterial> readMaterials(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    std::vector<MtlMaterial> out;
    // Material by material: the library's record of one is two kilobytes, and a hostile file has one in ten bytes.
    std::string one;
    const auto finish = [&] {
        if (one.empty()) return;
        std::istringstream stream(one);
        std::map<std::string, int> names;
        std::vector<tinyobj::material_t> materials;
        std::string ignored;
        tinyobj::LoadMtl(&names, &materials, &stream, &ignored, &ignored);
        if (!materials.empty() && !materials.front().name.empty()) out.push_back(converted(materials.front()));
        one.clear();
    };
    while (!text.empty()) {
        const std::size_t length = std::min(text.find_first_of("\r\n"), text.size());
        std::string_view line = text.substr(0, length);
        text.remove_prefix(std::min(length + 1, text.size()));
        const std::string sound = soundLine(line.substr(0, line.find('\0')));
        if (sound.starts_with("newmtl ")) {
            finish();
            // What is not said is what we want and not what the library fills in.
            one = sound + "\nKd 1 1 1\nPr 1\nillum 2\n";
        } else if (!one.empty()) {
            one.append(sound).push_back('\n');
        }
    }
    finish();
    return out;
}

}  // namespace geomconv::obj
