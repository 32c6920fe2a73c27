#pragma once

#include "lib/format.hpp"

namespace geomconv::cmp {

extern const Format kFormat;

}  // namespace geomconv::cmp
