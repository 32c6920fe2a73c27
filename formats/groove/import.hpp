#pragma once

#include "formats/groove/build.hpp"
#include "lib/format.hpp"

/// New geometry into a level: TRAK and the tile part of MAP are rebuilt, everything else keeps its bytes.
namespace geomconv::groove {

/// A convex polygon that faces up, file space.
using FloorSurface = std::vector<Vec3d>;

/// How far the floors that the engine's test finds lie from the mesh.
struct FloorCheck {
    static constexpr std::array<double, 5> kSteps{0.001, 0.005, 0.02, 0.1, 1.0};

    std::size_t points = 0;
    std::array<std::size_t, 6> histogram{};  ///< deviation up to each of kSteps, then beyond
    std::size_t missing = 0;                 ///< the test finds no floor
    double largest = 0;                      ///< deviation, units
    Vec3d at{0.0};                           ///< where
};
/// Probes `points` places on the surfaces, spread by area, always the same ones. What counts is the highest surface
/// that is not above the probe, as the engine's test has it. Places outside the grid are left out.
FloorCheck checkFloors(const Level& level, const std::vector<FloorSurface>& surfaces, std::size_t points);

enum class UvReading : std::uint8_t { Page, Rect, Auto };

struct ImportOptions {
    bool exportSpace = false;       ///< the meshes are in raw export space
    bool keepTiles = false;         ///< new tiles behind the old ones instead of in their place
    std::optional<bool> flatZones;  ///< absent: flat when tiles are replaced
    bool collision = true;
    bool skipOutside = false;  ///< triangles outside the grid are dropped instead of refused
    std::uint32_t defaultTexture = 0;
    UvReading uv = UvReading::Page;
    std::size_t floorPoints = 0;  ///< how many places checkFloors looks at; 0: none
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
    std::optional<FloorCheck> floors;
};

/// collision: the mesh to stand on; null: objects named `collision...` or `matNN_grpG` of the mesh, else the mesh
/// itself. Throws GeometryError: `grid`, `limit`, `empty`, `index`; FormatError (`missing-chunk`).
ImportReport importMesh(Level& level, const Scene& mesh, const Scene* collision, const ImportOptions& options,
                        Defects& defects);

/// A rigid object model from a mesh: its faces and vertices; collision, unknown fields and everything else of STPC
/// stay. Objects that are called object_NNN as the export calls this one are taken alone, and moved back from their
/// place in the export's row (in the pose that it has by default); otherwise all meshes are taken as they stand. Throws
/// GeometryError: `index`, `skinned`, `empty`, `limit`; FormatError (`missing-chunk`).
ImportReport importObject(Level& level, const Scene& mesh, std::size_t number, const ImportOptions& options,
                          Defects& defects);

/// Pixels of a texture page from an image of its size, in the coding that the page has. 16 bits: half transparent and
/// less is word 0; where the colour is the old one the old word stays, else its top bit is the old pixel's, or that of
/// most of the page where there was none; black is 0x8000. Palette indices: the nearest colour of the page's palette.
/// A page whose pixels all stay keeps its bytes. Throws GeometryError: `index`, `page-size`.
void importPage(Textures& text, std::size_t page, const Image& image);

/// The `import` verb: mesh, --coll-obj, --object, --page, --raw.
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
