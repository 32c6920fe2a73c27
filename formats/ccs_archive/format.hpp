#pragma once

#include "lib/format.hpp"

namespace geomconv::ccs_archive {

extern const Format kFormat;

}  // namespace geomconv::ccs_archive
