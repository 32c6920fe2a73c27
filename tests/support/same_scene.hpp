#pragma once

#include <string>
#include <vector>

#include "lib/scene/scene.hpp"

namespace geomconv::test {

/// Where two scenes differ, a sentence each; floats are compared by their bits. Empty when they are the same.
std::vector<std::string> sceneDifferences(const Scene& a, const Scene& b);

}  // namespace geomconv::test
