#pragma once

#include <memory>
#include <optional>
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

/// What a model that a hitbox is made of says of its own parts; null for an input that is no .cmp or .3db.
std::shared_ptr<const ModelParts> ownModel(const Opened& opened, const ReadSettings& reading);

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

/// One input on its way into any number of outputs: it is read once for the mesh formats and once for JSON and game
/// files, when those are asked for. A dump is turned back into the game file first.
class Conversion {
public:
    /// Reads nothing yet but a dump. Throws FormatError. found: where warnings go; must outlive this.
    Conversion(const Opened& opened, const ConversionSettings& settings, const FormatTable& formats, Defects& found);

    /// Writes one output; does not commit. Throws FormatError, GeometryError, SystemError.
    void write(const Format& target, OutputSet& output);
    /// Of what was written last.
    const Counts& counts() const { return counts_; }

private:
    bool serves(const Format& target) const;
    void readFor(const Format& target, Defects& found);

    const ConversionSettings& settings_;
    const FormatTable& formats_;
    Defects& found_;
    Opened opened_;
    bool fromDump_ = false;
    std::optional<Scene> scene_;
    bool forMesh_ = false;  ///< what scene_ was read for
    Counts counts_;
};

/// A defect that stands for all warnings, where --strict makes them errors; throws it when there are any. Errors in the
/// list are thrown too.
void refuseDefects(const Defects& found, bool strict);

/// The one member of a container that a single output can be made of. Several with the same bytes: the first, and found
/// says so, behind what the container has to say. Throws FormatError: none (`no-readable-member`), several that differ
/// (`ambiguous-member`, lists them).
Opened soleMember(const Opened& container, const ReadSettings& settings, const FormatTable& formats, Defects& found);

/// Whether the input holds further inputs instead of a scene.
bool holdsMembers(const Opened& opened);

}  // namespace geomconv
