#pragma once

#include "lib/format.hpp"

namespace geomconv::obj {

extern const Format kFormat;

}  // namespace geomconv::obj
