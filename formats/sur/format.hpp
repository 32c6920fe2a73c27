#pragma once

#include "lib/format.hpp"

namespace geomconv::sur {

extern const Format kFormat;

}  // namespace geomconv::sur
