#pragma once

#include "lib/format.hpp"

namespace geomconv::gzip {

extern const Format kFormat;

}  // namespace geomconv::gzip
