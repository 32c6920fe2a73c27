#pragma once

#include "lib/format.hpp"

namespace geomconv::gltf {

extern const Format kGlb;
extern const Format kGltf;

}  // namespace geomconv::gltf
