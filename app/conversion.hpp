#pragma once

#include <string>
#include <vector>

#include "app/outputs.hpp"
#include "app/resolve.hpp"
#include "lib/scene/select.hpp"

namespace geomconv {

/// Everything that says how one input becomes one output; `convert` and `batch` share it.
struct ConversionSettings {
    ReadSettings reading;
    WriteSettings writing;
    Selection selection;
};

/// The options of converting commands. Throws UsageError.
ConversionSettings conversionSettings(const Arguments& arguments, const FormatTable& formats);

/// What was written, for reports.
struct Counts {
    std::size_t nodes = 0;
    std::size_t meshes = 0;
    std::size_t hulls = 0;
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    std::size_t images = 0;
};
Counts countsOf(const Scene& scene);

/// A scene read once and written to any number of outputs.
struct ReadScene {
    Scene scene;
    bool forMesh = false;  ///< read for obj, gltf, glb; otherwise for JSON and game files
};

/// Reads an input for a target. Throws FormatError, GeometryError.
ReadScene readSceneFor(const Opened& opened, const Format& target, const ConversionSettings& settings,
                       const FormatTable& formats, Defects& found);
/// Whether a scene that was read so serves this target.
bool serves(const ReadScene& scene, const Format& target);

/// Writes it; does not commit. settings.writing.write.format may hold options of other formats.
void writeSceneTo(const Scene& scene, const Format& target, const ConversionSettings& settings, OutputSet& output,
                  Defects& found);

/// One input to one output, dumps included. Does not commit. Throws FormatError, GeometryError, SystemError.
Counts convertTo(const Opened& opened, const Format& target, const ConversionSettings& settings,
                 const FormatTable& formats, OutputSet& output, Defects& found);

/// A defect that stands for all warnings, where --strict makes them errors; throws it when there are any. Errors in the
/// list are thrown too.
void refuseDefects(const Defects& found, bool strict);

/// The one member of a container that a single output can be made of. Several with the same bytes: the first, and found
/// says so. Throws FormatError: none (`no-readable-member`), several that differ (`ambiguous-member`, lists them).
Opened soleMember(const Opened& container, const ReadSettings& settings, const FormatTable& formats, Defects& found);

/// Whether the input holds further inputs instead of a scene.
bool holdsMembers(const Opened& opened);
/// Names of a container's members.
std::vector<std::string> memberNames(const Opened& container, const ReadSettings& settings, Defects& found);

}  // namespace geomconv
