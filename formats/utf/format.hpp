#pragma once

#include "lib/format.hpp"

namespace geomconv::utf {

extern const Format kFormat;

}  // namespace geomconv::utf
