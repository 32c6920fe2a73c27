#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/format.hpp"

namespace geomconv::json {

/// How sure the first bytes make us: certain where there is a head of ours. Never throws.
Confidence probe(Bytes bytes, std::string_view name) noexcept;

/// Reads scene JSON: what writeScene wrote comes back equal, floats bit for bit, extras as the text they are. Members
/// that are not known are passed over. Throws FormatError with the offset and the place ("positions of primitive 0 of
/// mesh 3"): `json` for what is no JSON or has the wrong type, `schema` for a newer schema or a dump, `base64`, and the
/// kinds of checkStructure. Defects: those of dropNonFinite.
Scene readScene(const Input& input, const ReadOptions& options, Defects& defects);

/// Writes the scene as JSON, streamed: head, source, space, nodes, meshes, hulls, materials, images, skins, animations.
/// Arrays of vectors are flat; matrices are 16 numbers by columns; several sets of influences follow one another in
/// `joints` and `weights`; extras are spliced in as they are. Images are base64 of their encoded bytes; pixels become
/// PNG first. Scale and up axis are a root node, added last. Throws SystemError from the sink.
void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects);

}  // namespace geomconv::json
