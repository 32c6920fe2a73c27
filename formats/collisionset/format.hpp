#pragma once

#include "lib/format.hpp"

namespace geomconv::collisionset {

extern const Format kFormat;

}  // namespace geomconv::collisionset
