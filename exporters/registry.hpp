#pragma once

#include <span>

#include "lib/format.hpp"

namespace geomconv {

/// The interchange formats.
std::span<const Format* const> interchangeFormats();

}  // namespace geomconv
