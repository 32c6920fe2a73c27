#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/format.hpp"

namespace geomconv::obj {

/// How sure the first lines make us; never throws.
Confidence probe(Bytes bytes, std::string_view name) noexcept;

/// Reads an OBJ: a node and mesh per object, a child node per group below it (or a node per group where there are no
/// objects), a primitive per material and kind of corner. Vertices keep the order of the file's positions; polygons are
/// cut into triangles; those that are convex stay faces in Primitive::faceSizes. Materials come from the .mtl through
/// the companions, images from there too, as they are. Throws FormatError with the line: `number`, `nonfinite`,
/// `index-range`, `truncated`, `not-obj`. Defects: `missing-mtl`, `missing-material`, `missing-image`, `bad-normals`,
/// `bad-uvs`, `mixed-corners`, `short-face`, `unused-vertices`, `unused-index`, `extra-numbers`, `free-form`,
/// `unknown-keyword`.
Scene readScene(const Input& input, const ReadOptions& options, Defects& defects);

/// What an OBJ node that was a `g` inside an `o` carries as extras, so that it is written as one again.
inline constexpr std::string_view kGroupMark = R"({"obj":"group"})";

/// Writes the scene as OBJ: an object per node with a mesh, one more per hull ("PART/HULL"), node transforms, scale and
/// up axis baked in; contents that the scene keeps apart in STEM_collision.obj and so on; materials in STEM.mtl and
/// images beside it where the output can have siblings. Triangles keep the scene's order, numbers that no transform
/// touches their bits. Defects: what OBJ cannot hold, once per kind (`lost-skins`, `lost-animations`,
/// `lost-morph-targets`, `lost-alpha`, `lost-materials`, `unplaced`). Throws SystemError from the sinks, GeometryError
/// for an image that cannot be coded.
void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects);

}  // namespace geomconv::obj
