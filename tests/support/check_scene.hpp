#pragma once

#include <string>
#include <vector>

#include "lib/scene/scene.hpp"

namespace geomconv::test {

/// Every invariant of lib/scene/scene.hpp that the scene breaks, one sentence each; empty when it is sound. Called
/// after every read in the tests. Checked: all indices in range, arrays of one length, finite positions, no cycle of
/// parents, joints, channels and key counts, images with pixels of their size, hulls with indices in range.
std::vector<std::string> sceneFaults(const Scene& scene);

/// What is not true of every hull that a reader may deliver, only of a sound one: closed, each edge used once in each
/// direction, V - E + F = 2 per the points that are used, positive volume (or two faces back to back).
std::vector<std::string> hullFaults(const Hull& hull);

}  // namespace geomconv::test
