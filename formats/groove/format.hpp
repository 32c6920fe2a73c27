#pragma once

#include "lib/format.hpp"

namespace geomconv::groove {

extern const Format kFormat;

}  // namespace geomconv::groove
