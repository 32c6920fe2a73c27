#pragma once

#include "lib/format.hpp"

namespace geomconv::z1 {

extern const Format kFormat;

}  // namespace geomconv::z1
