#pragma once

#include "lib/format.hpp"

namespace geomconv::ccsf {

extern const Format kFormat;

}  // namespace geomconv::ccsf
