#pragma once

#include "lib/format.hpp"

namespace geomconv::json {

extern const Format kFormat;

}  // namespace geomconv::json
