#include "lib/hull_display.hpp"

#include <cmath>

#include "lib/defect.hpp"

namespace geomconv {

std::string nodeName(const Scene& scene, std::size_t node) {
    const Node& n = scene.nodes[node];
    if (!n.name.empty()) return n.name;
    if (n.mesh && !scene.meshes[*n.mesh].name.empty()) return scene.meshes[*n.mesh].name;
    return "node_" + std::to_string(node);
}

std::string hullName(const Hull& hull, std::size_t numberOnNode) {
    if (!hull.name.empty()) return hull.name;
    return hull.id ? hexId(*hull.id) : "hull_" + std::to_string(numberOnNode);
}

std::string hullOutputName(const Scene& scene, std::size_t node, std::size_t numberOnNode, HullNames style,
                           bool separated) {
    if (style == HullNames::Unreal) {
        const std::string number = std::to_string(numberOnNode);
        return "UCX_" + nodeName(scene, node) + (numberOnNode < 10 ? "_0" : "_") + number;
    }
    std::string name = hullName(scene.hulls[scene.nodes[node].hulls[numberOnNode]], numberOnNode);
    if (separated) name = nodeName(scene, node) + '/' + name;
    return style == HullNames::Godot ? name + "-convcolonly" : name;
}

Vec3 hullColor(std::size_t number) {
    constexpr double kGoldenTurn = 0.38196601125010515;
    const double hue = std::fmod(0.58 + static_cast<double>(number) * kGoldenTurn, 1.0) * 6.0;
    // Every third hull is darker: hues alone come close again after some twenty.
    const double value = number % 3 == 2 ? 0.5 : 0.8;
    const auto channel = [&](double shift) {
        const double at = std::fmod(hue + shift, 6.0);
        const double ramp = at < 1.0 ? at : at < 3.0 ? 1.0 : at < 4.0 ? 4.0 - at : 0.0;
        // Three decimals are enough for a colour and keep the files short.
        return static_cast<float>(std::round(1000.0 * value * (0.25 + 0.75 * ramp)) / 1000.0);
    };
    return {channel(2.0), channel(0.0), channel(4.0)};
}

float hullOpacity(HullType type) {
    return type == HullType::Terminal ? 1.0F : 0.25F;
}

}  // namespace geomconv
