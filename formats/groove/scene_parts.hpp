#pragma once

#include <map>
#include <span>

#include "formats/groove/groove.hpp"

/// What the parts of toScene share.
namespace geomconv::groove {

/// Texture and material bits of a face: what a material is made of.
constexpr std::uint32_t materialKey(const Face& face) {
    return (std::uint32_t{face.texture} << 16) | (face.flags & Face::kMaterialBits);
}

/// The materials that faces use, by texture and then flags, and the pages they show.
class MaterialTable {
public:
    void use(const Model& model);
    /// Puts materials and images into the scene; `index` works from then on.
    void build(Scene& scene, const Level& level, Defects& defects);
    std::uint32_t index(std::uint32_t key) const { return indices_.at(key); }

private:
    std::map<std::uint32_t, std::uint32_t> indices_;
};

/// Triangles and polygons that placing shared models may give, so that a small file cannot ask for gigabytes.
class PlacementBudget {
public:
    explicit PlacementBudget(std::uint64_t fileSize) : left_((std::uint64_t{1} << 20) + fileSize / 4) {}
    /// Throws FormatError (`placed-limit`).
    void take(std::uint64_t triangles);

private:
    std::uint64_t left_;
};

/// Faces of one material: vertices as (vertex << 2 | rectangle corner), each pair once, and triangles of them.
struct ModelPart {
    std::uint32_t key = 0;
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> modelVertices;  ///< Primitive::modelVertices: vertices without a face are not counted
    std::vector<std::uint32_t> indices;
    std::vector<std::uint32_t> faces;  ///< of the model, rising
};
/// A model's faces by material, in order of first use; corner order of the space asked for.
std::vector<ModelPart> modelParts(const Model& model, bool exportSpace);

struct SceneContext {
    const Level& level;
    const SceneOptions& options;
    const MaterialTable& materials;
    PlacementBudget& budget;
    Defects& defects;
};

/// Positions, normals, UVs and triangles of a model's part; colours when given (one per model vertex).
Primitive partPrimitive(const Model& model, ModelPart part, std::span<const VertexColour> colours,
                        const SceneContext& context);

/// "tile_0443": a noun and a number of at least `digits` digits.
std::string numbered(std::string_view noun, std::uint64_t number, std::size_t digits);
/// Game space to the space of the scene, and back.
template <class V>
V inScene(V v, bool exportSpace) {
    if (exportSpace) v.z = -v.z;
    return v;
}

void addTiles(Scene& scene, const SceneContext& context);
void addCollision(Scene& scene, const SceneContext& context);
void addObjects(Scene& scene, const SceneContext& context);
void addHelpers(Scene& scene, const SceneContext& context);

}  // namespace geomconv::groove
