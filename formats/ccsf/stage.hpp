#pragma once

// Lights and cameras: what the first record or controller for each says.

#include <map>
#include <optional>

#include "formats/ccsf/ccsf.hpp"

namespace geomconv::ccsf {

/// Values of the first record for an object, in file order, Animes before the frame section; a controller's are those
/// of its first key. What the record does not say is absent.
struct StageValues {
    std::optional<Vec3> position, rotation;  ///< rotation in degrees
    std::optional<Vec3> colour;              ///< 255 = 1
    std::optional<float> intensity, start, end, fov;
};

/// By the object of the light or camera.
std::map<std::uint32_t, StageValues> stageValues(const Document& document);

}  // namespace geomconv::ccsf
