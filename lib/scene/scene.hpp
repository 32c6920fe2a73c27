#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/geometry/math.hpp"
#include "lib/scene/extras.hpp"

namespace geomconv {

/// What a node shows; `--content` chooses among these.
enum class Content : std::uint8_t { Render, Collision, Objects, Shadow, Helpers, Bounds };

enum class UpAxis { X, Y, Z };
enum class Handedness { Right, Left };

/// The frame that all numbers of a scene are in. Exporters turn it; the scene keeps the numbers of the file.
/// Triangles are counter-clockwise from outside in a right-handed space and in a left-handed one alike (seen in that
/// space); an exporter that mirrors turns them.
struct Space {
    UpAxis up = UpAxis::Y;
    Handedness handedness = Handedness::Right;

    bool operator==(const Space&) const = default;
};

struct Source {
    std::string format;  ///< id of the format: "sur"
    std::string file;    ///< file name without folder
    Extras extras;       ///< what the format needs to write the same bytes back
};

/// Up to four influences of each vertex; further ones are in a further set. joints index Skin::joints.
struct Influences {
    std::vector<std::array<std::uint16_t, 4>> joints;  ///< one per vertex
    std::vector<Vec4> weights;                         ///< one per vertex, sum over all sets is 1
};

struct MorphTarget {
    std::string name;
    std::vector<Vec3> positions;  ///< differences, one per vertex
    std::vector<Vec3> normals;    ///< differences, one per vertex or empty
};

enum class Topology : std::uint8_t { Triangles, Lines, Points };

/// Vertices with one material. Arrays are one entry per vertex or empty.
struct Primitive {
    std::string
        name;  ///< what a writer that makes an object of each primitive (OBJ) calls it; empty: named after its mesh
    Topology topology = Topology::Triangles;
    std::optional<std::uint32_t> material;  ///< Scene::materials
    std::vector<Vec3> positions;            ///< node space, the file's unit
    std::vector<Vec3> normals;              ///< unit length
    std::vector<Vec2> uvs;                  ///< u right, v down from the image's top left (glTF's convention)
    std::vector<Vec4> colors;               ///< RGBA, linear factor as glTF's COLOR_0, 0..1 usual
    std::vector<Vec4> tangents;             ///< xyz and handedness in w
    std::vector<Influences> influences;     ///< sets of four, all the same length as positions
    std::vector<MorphTarget> targets;
    std::vector<std::uint32_t> indices;  ///< triples (lines: pairs; points: single or empty for all vertices in order)
    /// Corners of each face, where faces may be polygons: each is a fan of (corners - 2) triangles, which stand
    /// together in indices and share their first corner. Empty: every triangle is a face of its own.
    std::vector<std::uint32_t> faceSizes;
    /// Which vertex of the file's model each vertex was made of: where a material or a uv splits one, all that came of
    /// it name it, in every primitive of the mesh, and agree in position, normal and colour. Below the number of
    /// vertices of the mesh. Empty: each is its own.
    std::vector<std::uint32_t> modelVertices;
    /// Which face of the model each triangle is, rising; the primitives of a mesh share them out among themselves, each
    /// face to one. Empty: the faces of the primitives follow one another.
    std::vector<std::uint32_t> modelFaces;
};

struct Mesh {
    std::string name;
    std::vector<Primitive> primitives;
    std::vector<float> weights;  ///< default weight per morph target, or empty
    Extras extras;
};

enum class HullType : std::uint8_t { Terminal, Wrap, Box };

/// A closed convex surface.
struct Hull {
    std::string name;
    std::optional<std::uint32_t> id;  ///< the id the game knows it by
    HullType type = HullType::Terminal;
    std::vector<Vec3> points;                             ///< node space
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
    Extras extras;
};

enum class AlphaMode : std::uint8_t { Opaque, Mask, Blend };
enum class Wrap : std::uint8_t { Repeat, Clamp, Mirror };
enum class Filter : std::uint8_t { Unspecified, Nearest, Linear };

struct Material {
    std::string name;
    Vec4 baseColor{1.0F, 1.0F, 1.0F, 1.0F};  ///< RGBA factor
    std::optional<std::uint32_t> image;      ///< Scene::images, base colour texture
    Wrap wrapU = Wrap::Repeat;
    Wrap wrapV = Wrap::Repeat;
    Filter filter = Filter::Unspecified;
    AlphaMode alphaMode = AlphaMode::Opaque;
    float alphaCutoff = 0.5F;
    float metallic = 0.0F;
    float roughness = 1.0F;
    Vec3 emissive{0.0F, 0.0F, 0.0F};
    bool doubleSided = false;
    bool unlit = false;
    Extras extras;
};

/// Either pixels or an encoded file, never both: encoded images are copied, not decoded and encoded again.
struct Image {
    std::string name;      ///< without extension
    std::string mimeType;  ///< of `encoded`: "image/png"
    ByteVector encoded;
    std::string uri;  ///< where an image lies that was named but not read, relative to the input's folder
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    ByteVector rgba;     ///< width * height * 4, rows from the top; or, with a palette, empty
    ByteVector indexed;  ///< width * height palette indices, rows from the top
    std::vector<std::array<std::uint8_t, 4>> palette;  ///< at most 256 RGBA colours, for `indexed`
};

struct Skin {
    std::string name;
    std::vector<std::uint32_t> joints;          ///< Scene::nodes
    std::vector<Mat4> inverseBindMatrices;      ///< one per joint, or empty for identities
    std::optional<std::uint32_t> skeletonRoot;  ///< Scene::nodes
};

enum class ChannelPath : std::uint8_t { Translation, Rotation, Scale, Weights };
enum class Interpolation : std::uint8_t { Linear, Step, CubicSpline };

struct Channel {
    std::uint32_t node = 0;  ///< Scene::nodes
    ChannelPath path = ChannelPath::Translation;
    Interpolation interpolation = Interpolation::Linear;
    std::vector<float> times;   ///< seconds, rising
    std::vector<float> values;  ///< per time 3 (translation, scale), 4 (rotation x y z w) or one per target (weights);
                                ///< three times as many with CubicSpline
};

struct Animation {
    std::string name;
    std::vector<Channel> channels;
    Extras extras;
};

struct Node {
    std::string name;
    std::optional<std::uint32_t> parent;  ///< Scene::nodes; any order, no cycles
    Vec3 translation{0.0F, 0.0F, 0.0F};
    Quat rotation = quat(0.0F, 0.0F, 0.0F, 1.0F);
    Vec3 scale{1.0F, 1.0F, 1.0F};
    std::optional<Mat4> matrix;  ///< instead of the three above, when they cannot say it
    std::optional<std::uint32_t> mesh;
    std::vector<std::uint32_t> hulls;  ///< Scene::hulls
    std::optional<std::uint32_t> skin;
    Content content = Content::Render;
    Extras extras;
};

/// The neutral scene graph between every reader and every writer. It knows no format and no library. Order is the
/// file's order everywhere.
struct Scene {
    Source source;
    Space space;
    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<Hull> hulls;
    std::vector<Material> materials;
    std::vector<Image> images;
    std::vector<Skin> skins;
    std::vector<Animation> animations;
    /// Contents belong into files of their own where a format has no scene graph (OBJ): all but render go beside the
    /// main file under its name and the content's (level_collision.obj, level_objects.obj).
    bool separateContents = false;
};

}  // namespace geomconv
