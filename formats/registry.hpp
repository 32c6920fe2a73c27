#pragma once

#include <span>

#include "lib/format.hpp"

namespace geomconv {

/// The game formats and containers, in the order in which they are probed.
std::span<const Format* const> gameFormats();

}  // namespace geomconv
