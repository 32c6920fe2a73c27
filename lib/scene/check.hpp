#pragma once

#include "lib/defect.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv {

/// Every promise of scene.hpp that the scene breaks, as errors: all indices in range, arrays of one length, whole
/// elements, finite positions and transforms, no cycle of parents, key counts of channels, images with pixels of their
/// size. Kinds: `index-range`, `array-length`, `nonfinite`, `node-cycle`, `key-count`, `image-size`, `model-vertex`,
/// `model-face`.
/// where says the place as "primitive 2 of mesh 3 'wing'".
void checkStructure(const Scene& scene, Defects& defects);

/// For readers at the door: throws the first fault that checkStructure finds as a FormatError.
void requireStructure(const Scene& scene);

/// Takes normals, tangents or uvs that are not finite off their mesh, with one warning per kind (`bad-normals`,
/// `bad-tangents`, `bad-uvs`) that names the first.
void dropNonFinite(Scene& scene, Defects& defects);

/// What a sound scene may still have that is worth a word, as warnings, once per kind and mesh: triangles without area
/// (`degenerate-triangle`), names that several nodes or materials share (`duplicate-name`), normals that are not of
/// length one (`normal-length`), vertices that nothing uses (`unused-vertices`), meshes, hulls and materials that
/// nothing shows or uses (`unused`), hulls that are not closed or face inward (`open-edges`, `crowded-edges`,
/// `turned-edges`, `inside-out`). topology: also edges of meshes that no surface has (`crowded-edges`, `turned-edges`),
/// after points at one position have been joined; open edges of meshes are ordinary, sceneSummary counts them.
void checkMeaning(const Scene& scene, bool topology, Defects& defects);

}  // namespace geomconv
