#include <nlohmann/json.hpp>

#include "formats/groove/scene_parts.hpp"

namespace geomconv::groove {

namespace {

using nlohmann::ordered_json;

/// A light of the LGHT chunk. Types 2 and 4 have a place, type 1 a direction.
struct Light {
    std::uint8_t type = 0;
    std::array<std::uint8_t, 3> colour{};
    Vec3 vector;  ///< export space: direction or position
    std::array<float, 2> radii{};
};

/// As many lights as can be read; the chunk is only informative.
std::vector<Light> readLights(const Chunk& chunk) {
    std::vector<Light> lights;
    ByteReader in(chunk.payload, ByteOrder::Little, chunk.payloadOffset());
    try {
        const std::uint32_t n = in.count32(4, "light count");
        for (std::uint32_t i = 0; i < n; ++i) {
            Light light;
            light.type = in.u8("light type");
            for (auto& c : light.colour) c = in.u8("light colour");
            const bool placedLight = light.type == 2 || light.type == 4;
            if (placedLight || light.type == 1) {
                for (int k = 0; k < 3; ++k) light.vector[k] = in.f32("light vector");
            }
            if (placedLight) {
                for (float& r : light.radii) r = in.f32("light radius");
                in.skip(1, "light unknown18");
            }
            lights.push_back(light);
        }
    } catch (const FormatError&) {
        // What came before stays.
    }
    return lights;
}

void addLights(Scene& scene, const Chunk& chunk, bool exportSpace) {
    const std::vector<Light> lights = readLights(chunk);
    for (std::size_t i = 0; i < lights.size(); ++i) {
        const Light& light = lights[i];
        if (!isFinite(light.vector)) continue;
        Node node;
        node.name = numbered("light_", i, 3);
        node.content = Content::Helpers;
        ordered_json extras{{"lightType", light.type}, {"colour", light.colour}};
        const Vec3 v = inScene(light.vector, !exportSpace);
        if (light.type == 1)
            extras["direction"] = {v.x, v.y, v.z};
        else
            node.translation = v;
        if (light.type == 2 || light.type == 4) extras["radii"] = light.radii;
        node.extras = Extras(extras);
        scene.nodes.push_back(std::move(node));
    }
}

void addStrats(Scene& scene, const Map& map, bool exportSpace) {
    for (std::size_t i = 0; i < map.strats.size(); ++i) {
        const Strat& strat = map.strats[i];
        Node node;
        node.name = numbered("strat_", i, 3);
        node.content = Content::Helpers;
        node.translation = inScene(Vec3(Vec3d(strat.x, strat.y, strat.z) / 4096.0), exportSpace);
        node.extras = Extras(ordered_json{{"rotation", strat.rotation}});
        scene.nodes.push_back(std::move(node));
    }
}

}  // namespace

void addHelpers(Scene& scene, const SceneContext& context) {
    const bool exportSpace = context.options.exportSpace;
    if (const Chunk* chunk = findChunk(context.level.container, "LGHT")) addLights(scene, *chunk, exportSpace);
    if (context.level.map) addStrats(scene, *context.level.map, exportSpace);
}

}  // namespace geomconv::groove
