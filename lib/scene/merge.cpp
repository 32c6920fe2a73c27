#include "lib/scene/merge.hpp"

#include <iterator>
#include <utility>

namespace geomconv {

namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void shift(std::optional<std::uint32_t>& index, std::size_t by) {
    if (index) *index += static_cast<std::uint32_t>(by);
}

void shift(std::vector<std::uint32_t>& indices, std::size_t by) {
    for (std::uint32_t& index : indices) index += static_cast<std::uint32_t>(by);
}

}  // namespace

void appendScene(Scene& scene, Scene&& more) {
    if (scene.nodes.empty() && scene.meshes.empty() && scene.images.empty()) {
        scene = std::move(more);
        return;
    }
    for (Node& node : more.nodes) {
        shift(node.parent, scene.nodes.size());
        shift(node.mesh, scene.meshes.size());
        shift(node.hulls, scene.hulls.size());
        shift(node.skin, scene.skins.size());
    }
    for (Mesh& mesh : more.meshes) {
        for (Primitive& primitive : mesh.primitives) shift(primitive.material, scene.materials.size());
    }
    for (Material& material : more.materials) shift(material.image, scene.images.size());
    for (Skin& skin : more.skins) {
        shift(skin.joints, scene.nodes.size());
        shift(skin.skeletonRoot, scene.nodes.size());
    }
    for (Animation& animation : more.animations) {
        for (Channel& channel : animation.channels) channel.node += static_cast<std::uint32_t>(scene.nodes.size());
    }
    append(scene.nodes, more.nodes);
    append(scene.meshes, more.meshes);
    append(scene.hulls, more.hulls);
    append(scene.materials, more.materials);
    append(scene.images, more.images);
    append(scene.skins, more.skins);
    append(scene.animations, more.animations);
}

}  // namespace geomconv
