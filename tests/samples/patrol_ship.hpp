#pragma once

#include <string>
#include <vector>

#include "formats/sur/sur.hpp"

namespace geomconv::test {

/// The library of samples/patrol_ship.sur: a small ship of four parts, as an exporter for the game lays it out. The
/// hull of the fuselage is cut into three, wings are fixed to it and copied into it, a turret turns; four hardpoints
/// have hulls of their own.
sur::Library patrolShip();

/// The names of its parts and hardpoints, for --names.
std::vector<std::string> patrolShipNames();

}  // namespace geomconv::test
