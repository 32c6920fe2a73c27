#pragma once

#include "lib/scene/scene.hpp"

namespace geomconv {

/// Puts everything of `more` behind what `scene` holds, indices moved along. source and space stay those of `scene`
/// when it holds nodes, else they are taken from `more`. The spaces must agree: nothing is turned.
void appendScene(Scene& scene, Scene&& more);

}  // namespace geomconv
