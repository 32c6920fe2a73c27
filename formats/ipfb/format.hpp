#pragma once

#include "lib/format.hpp"

namespace geomconv::ipfb {

extern const Format kFormat;

}  // namespace geomconv::ipfb
