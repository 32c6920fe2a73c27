#pragma once

#include "formats/groove/build.hpp"
#include "lib/format.hpp"

/// New geometry into a level: TRAK and the tile part of MAP are rebuilt, everything else keeps its bytes.
namespace geomconv::groove {

enum class UvReading : std::uint8_t { Page, Rect, Auto };

struct ImportOptions {
    bool exportSpace = false;       ///< the meshes are in raw export space
    bool keepTiles = false;         ///< new tiles behind the old ones instead of in their place
    std::optional<bool> flatZones;  ///< absent: flat when tiles are replaced
    bool collision = true;
    bool skipOutside = false;  ///< triangles outside the grid are dropped instead of refused
    std::uint32_t defaultTexture = 0;
    UvReading uv = UvReading::Page;
    ColourOrder colourOrder = ColourOrder::Rgb;
};

struct ImportReport {
    std::size_t tiles = 0;   ///< new ones
    std::size_t models = 0;  ///< new ones
    std::size_t faces = 0;
    std::size_t vertices = 0;
    std::size_t polygons = 0;     ///< collision records
    std::size_t degenerate = 0;   ///< triangles without area, dropped
    std::size_t outside = 0;      ///< triangles outside the grid, dropped
    std::size_t clamped = 0;      ///< triangles up to 2 units outside, put into the nearest cell
    std::size_t uvMisfits = 0;    ///< faces whose UVs no rectangle half has
    std::size_t wide = 0;         ///< triangles that reach more than 2.5 units from their tile's middle
    std::vector<Needle> needles;  ///< of the new tiles
};

/// collision: the mesh to stand on; null: objects named `collision...` or `matNN_grpG` of the mesh, else the mesh
/// itself. Throws GeometryError: `grid`, `limit`, `empty`, `index`; FormatError (`missing-chunk`).
ImportReport importMesh(Level& level, const Scene& mesh, const Scene* collision, const ImportOptions& options,
                        Defects& defects);

/// The `import` verb: mesh, --coll-obj, --raw.
PatchResult patch(const Input& base, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                  Defects& defects);

/// The material and flag bits that a material's name says: texNNNN[_fHHHH][.NNN].
struct TextureName {
    std::uint32_t texture = 0;
    std::uint16_t bits = 0;
};
std::optional<TextureName> parseTextureName(std::string_view name);

/// What a name of the form matNN[_grpG][_tHH][.NNN] says of collision.
struct CollisionName {
    std::uint8_t material = 0;
    std::optional<std::uint8_t> group;
    std::uint8_t bits = 0;
};
std::optional<CollisionName> parseCollisionName(std::string_view name);

/// Flags that show a triangle's UVs (stored order, texels of the page): which rotation and class come nearest.
struct UvChoice {
    std::size_t rotation = 0;
    std::uint16_t flags = Face::kQuadHalf;
    double distance = 0;  ///< of the worst corner, in texels
};
UvChoice chooseUvFlags(const std::array<Vec2d, 3>& uvs, const Vec4& rectangle);

}  // namespace geomconv::groove
