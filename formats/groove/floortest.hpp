#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/groove/groove.hpp"
#include "lib/format.hpp"

/// The floor test of the engine against map tiles, in its own 32-bit integers (FORMAT.md "Floor test"). Objects with
/// collision models, which exist only while the game runs, take no part.
namespace geomconv::groove {

inline constexpr std::int32_t kProbeOffset = 0x400;
inline constexpr std::int32_t kNoFloorHeight = -65536;
inline constexpr std::uint32_t kStratCeilings = 0x00200000;    ///< surfaces that face down are looked at
inline constexpr std::uint32_t kStratSkip12 = 0x08000000;      ///< material 0x12 is skipped instead of 0x11
inline constexpr std::uint32_t kStratStaysBelow = 0x00040200;  ///< a surface above is no floor

/// A question: feet of a strat, game space, 20.12.
struct FloorProbe {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
    std::int32_t offset = kProbeOffset;
    std::uint32_t stratFlags = 0;
};

struct FloorHit {
    std::uint32_t tile = 0;
    std::uint32_t polygon = 0;  ///< counted over floors, ceilings, walls of the tile's model
    std::int32_t h = 0;         ///< 20.12
    std::uint8_t material = 0;
    std::int32_t dist = 0;  ///< of the probe above the surface, measured vertically, 20.12

    bool operator==(const FloorHit&) const = default;
};

enum class FloorOutcome : std::uint8_t { Floor, Above, None, NoFloor, Outside };
/// "floor", "above", "none", "nofloor", "outside".
std::string_view outcomeName(FloorOutcome outcome);

struct FloorResult {
    FloorOutcome outcome = FloorOutcome::None;
    std::int32_t cellX = 0;
    std::int32_t cellZ = 0;
    std::optional<FloorHit> found;    ///< the highest surface that is not above the probe
    std::optional<FloorHit> above;    ///< the lowest surface above
    std::optional<FloorHit> ceiling;  ///< with kStratCeilings only
    std::optional<std::int32_t> h;    ///< absent: none, outside
};

enum class FloorVerdict : std::uint8_t { Skipped, Fails, Passes, Above, AboveFails, IgnoredBelow };

/// What the test says of one polygon of the cell.
struct FloorCandidate {
    std::uint32_t tile = 0;
    std::uint32_t polygon = 0;
    unsigned group = 0;
    std::uint8_t material = 0;
    std::int32_t ny = 0;  ///< of the surface, as stored
    std::int32_t dist = 0;
    std::int32_t h = 0;
    unsigned edgeCount = 0;
    std::array<std::int32_t, 4> edges{};  ///< how far inside each edge
    std::int32_t tolerance = 0;           ///< an edge below it fails
    unsigned failedEdge = 0;              ///< from 1; 0 when none
    FloorVerdict verdict = FloorVerdict::Skipped;
    bool tie = false;  ///< another passing polygon has the same dist
};
std::string_view verdictName(FloorVerdict verdict);

/// Cells of real levels hold some hundreds of polygons.
inline constexpr std::size_t kMostCandidates = 65536;

/// A level made ready for probes: tiles by cell, planes multiplied out.
class FloorTest {
public:
    /// The level is not needed afterwards. Throws FormatError (`missing-chunk`).
    explicit FloorTest(const Level& level);
    FloorTest(const Map& map, const std::vector<Model>& models);

    FloorResult probe(const FloorProbe& probe) const;
    /// Every polygon of the probe's cell in the order of the test, those it never looks at included; the first
    /// kMostCandidates of them.
    std::vector<FloorCandidate> candidates(const FloorProbe& probe) const;
    /// How many polygons the probe's cell holds.
    std::uint64_t polygonsAt(const FloorProbe& probe) const;

private:
    struct Edge {
        std::int32_t nx, ny, nz, d;
    };
    /// The normal components are multiplied by 32, d of the surface by 4096.
    struct Polygon {
        std::int32_t nx, ny, nz, d;
        std::int32_t tolerance;
        std::uint32_t number;
        std::uint8_t material;
        std::uint8_t edgeCount;
        std::uint8_t group;
        std::array<Edge, 4> edges;
    };
    struct PlacedTile {
        std::int32_t x, y, z;
        std::int32_t sin, cos;
        bool turned;
        std::uint32_t number;
        std::uint32_t firstPolygon;
        std::uint32_t endPolygon;
    };
    struct Local {
        std::int32_t x, y, z;
    };
    static Polygon prepared(const Model& model, std::size_t number);
    static Local localProbe(const PlacedTile& tile, const FloorProbe& probe);
    /// The first edge that fails at (x, y, z), from 1; 0 when all pass.
    static unsigned failingEdge(const Polygon& polygon, const Local& at);
    FloorCandidate candidate(const PlacedTile& tile, const Polygon& polygon, const FloorProbe& probe) const;
    std::optional<std::uint32_t> cellAt(const FloorProbe& probe) const;

    std::int32_t w_ = 0;
    std::int32_t h_ = 0;
    std::vector<std::uint32_t> cells_;  ///< w * h + 1 starts in tiles_
    std::vector<PlacedTile> tiles_;
    std::vector<Polygon> polygons_;
};

/// The engine's sine table: 4096 * sin(2 pi i / 4096), rounded half away from zero.
const std::array<std::int32_t, 4096>& sineTable();
/// 20.12 from units, rounded half away from zero; nullopt outside of 32 bits or no number.
std::optional<std::int32_t> toFixed(double units);

struct FloorReportOptions {
    std::uint32_t stratFlags = 0;
    std::int32_t offset = kProbeOffset;
    bool candidates = true;
};
/// Probes from lines `x y z` in units; empty lines and lines that begin with # are passed over. Throws FormatError
/// (`probe`) naming the line.
std::vector<FloorProbe> readProbes(std::string_view text, const FloorReportOptions& options);
/// One probe from three numbers in units. Throws FormatError (`probe`).
FloorProbe makeProbe(double x, double y, double z, const FloorReportOptions& options);
/// {"geomconv": head, "probes": [...]}: integers in 20.12, `height` in units.
void writeFloorJson(const FloorTest& test, const std::vector<FloorProbe>& probes, const FloorReportOptions& options,
                    Sink& out);
/// For a person: every polygon of the cell, which one wins and why, the height as integer and in units.
void writeFloorText(const FloorTest& test, const std::vector<FloorProbe>& probes, const FloorReportOptions& options,
                    Sink& out);
/// All of the `floortest` command behind the parsing of its line: reads the level and reports.
void floorReport(const Input& input, const ReadOptions& options, const std::vector<FloorProbe>& probes,
                 const FloorReportOptions& report, bool json, Sink& out, Defects& defects);

}  // namespace geomconv::groove
