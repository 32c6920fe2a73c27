#include "formats/groove/floortest.hpp"

#include <cmath>
#include <map>
#include <numbers>

namespace geomconv::groove {

namespace {

constexpr std::int32_t kBestStart = 1000000;
constexpr std::int32_t kAboveStart = -1000000;
constexpr std::int32_t kCeilingStart = -10000000;
/// A plane more than 1/32 above the probe is a surface above.
constexpr std::int32_t kAboveLimit = -0x80;
constexpr std::uint8_t kSkipped = 0x11;
constexpr std::uint8_t kSkippedInstead = 0x12;
constexpr std::uint8_t kNoFloorMaterial = 0x1e;

// The engine's arithmetic: two's complement that wraps. Done in unsigned words, where wrapping is defined.
std::int32_t plus(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
std::int32_t minus(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
std::int32_t times(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

/// Passing polygons of which another one has the same dist.
void markTies(std::vector<FloorCandidate>& candidates) {
    std::map<std::int32_t, unsigned> passing;
    for (const FloorCandidate& c : candidates) {
        if (c.verdict == FloorVerdict::Passes) passing[c.dist] += 1;
    }
    for (FloorCandidate& c : candidates) c.tie = c.verdict == FloorVerdict::Passes && passing[c.dist] > 1;
}

std::uint8_t skippedMaterial(std::uint32_t stratFlags) {
    return (stratFlags & kStratSkip12) != 0 ? kSkippedInstead : kSkipped;
}

}  // namespace

std::string_view outcomeName(FloorOutcome outcome) {
    constexpr std::array<std::string_view, 5> kNames{"floor", "above", "none", "nofloor", "outside"};
    return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view verdictName(FloorVerdict verdict) {
    constexpr std::array<std::string_view, 6> kNames{"skipped", "fails", "passes", "above", "above, fails", "ignored"};
    return kNames[static_cast<std::size_t>(verdict)];
}

const std::array<std::int32_t, 4096>& sineTable() {
    static const std::array<std::int32_t, 4096> kTable = [] {
        std::array<std::int32_t, 4096> table{};
        for (std::size_t i = 0; i <= 1024; ++i) {
            const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / 4096.0;
            const auto value = static_cast<std::int32_t>(std::lround(4096.0 * std::sin(angle)));
            table[i] = value;
            table[2048 - i] = value;
            table[2048 + i] = -value;
            table[(4096 - i) & 4095U] = -value;
        }
        return table;
    }();
    return kTable;
}

std::optional<std::int32_t> toFixed(double units) {
    const double value = std::round(units * 4096.0);
    if (!(value >= -2147483648.0 && value <= 2147483647.0)) return std::nullopt;
    return static_cast<std::int32_t>(value);
}

FloorTest::FloorTest(const Level& level) : FloorTest(requireMap(level), requireTrak(level).models) {}

FloorTest::FloorTest(const Map& map, const std::vector<Model>& models)
    : w_(static_cast<std::int32_t>(map.w)), h_(static_cast<std::int32_t>(map.h)) {
    std::vector<std::uint32_t> firsts{0};
    for (const Model& m : models) {
        for (std::size_t p = 0; p < m.polygons.size(); ++p) polygons_.push_back(prepared(m, p));
        firsts.push_back(static_cast<std::uint32_t>(polygons_.size()));
    }
    CellLists lists = cellLists(map);
    cells_ = std::move(lists.starts);
    const auto& sines = sineTable();
    tiles_.reserve(lists.tiles.size());
    for (const std::uint32_t number : lists.tiles) {
        const Tile& t = map.tiles[number];
        tiles_.push_back({t.x, t.y, t.z, sines[t.turn()], sines[(t.turn() + 1024) & 4095U], t.turn() != 0, number,
                          firsts[t.model], firsts[t.model + 1]});
    }
}

FloorTest::Polygon FloorTest::prepared(const Model& model, std::size_t number) {
    const CollisionPolygon& source = model.polygons[number];
    const Plane& surface = source.planes[0];
    Polygon p{};
    p.nx = surface.nx * 32;
    p.ny = surface.ny * 32;
    p.nz = surface.nz * 32;
    p.d = surface.d * 4096;
    p.tolerance = -0x40 - ((0x1000 - p.ny) >> 6);
    p.number = static_cast<std::uint32_t>(number);
    p.material = source.material;
    p.edgeCount = static_cast<std::uint8_t>(source.edgeCount());
    p.group = static_cast<std::uint8_t>(model.groupOf(number));
    for (std::size_t k = 0; k < 4; ++k) {
        const Plane& edge = source.planes[k + 1];
        p.edges[k] = {edge.nx * 32, edge.ny * 32, edge.nz * 32, edge.d};
    }
    return p;
}

FloorTest::Local FloorTest::localProbe(const PlacedTile& tile, const FloorProbe& probe) {
    const std::int32_t dx = minus(probe.x, tile.x);
    const std::int32_t dz = minus(probe.z, tile.z);
    const std::int32_t y = plus(minus(probe.y, tile.y), probe.offset);
    if (!tile.turned) return {dx, y, dz};
    return {minus(times(dx, tile.cos), times(dz, tile.sin)) >> 12, y,
            plus(times(dx, tile.sin), times(dz, tile.cos)) >> 12};
}

unsigned FloorTest::failingEdge(const Polygon& polygon, const Local& at) {
    for (unsigned k = 0; k < polygon.edgeCount; ++k) {
        const Edge& e = polygon.edges[k];
        const std::int32_t sum = plus(plus(times(e.ny, at.y), times(e.nz, at.z)), times(e.nx, at.x));
        if (minus(sum >> 12, e.d) < polygon.tolerance) return k + 1;
    }
    return 0;
}

std::optional<std::uint32_t> FloorTest::cellAt(const FloorProbe& probe) const {
    const std::int32_t x = probe.x >> 12;
    const std::int32_t z = probe.z >> 12;
    if (x < 0 || z < 0 || x >= w_ || z >= h_) return std::nullopt;
    return static_cast<std::uint32_t>(x + z * w_);
}

FloorResult FloorTest::probe(const FloorProbe& probe) const {
    FloorResult result;
    result.cellX = probe.x >> 12;
    result.cellZ = probe.z >> 12;
    const auto cell = cellAt(probe);
    if (!cell) {
        result.outcome = FloorOutcome::Outside;
        return result;
    }
    const bool ceilings = (probe.stratFlags & kStratCeilings) != 0;
    const std::uint8_t skipped = skippedMaterial(probe.stratFlags);
    std::int32_t best = kBestStart;
    std::int32_t bestAbove = kAboveStart;
    std::int32_t bestCeiling = ceilings ? kCeilingStart : 0;

    for (std::uint32_t t = cells_[*cell]; t < cells_[*cell + 1]; ++t) {
        const PlacedTile& tile = tiles_[t];
        const Local local = localProbe(tile, probe);
        for (std::uint32_t i = tile.firstPolygon; i < tile.endPolygon; ++i) {
            const Polygon& p = polygons_[i];
            if (p.material == skipped || p.ny == 0 || (p.ny < 0 && !ceilings)) continue;
            const std::int32_t toPlane =
                minus(minus(minus(p.d, times(p.nz, local.z)), times(p.nx, local.x)), times(p.ny, local.y)) / p.ny;
            const std::int32_t dist = minus(0, toPlane);
            const Local onPlane{local.x, plus(local.y, toPlane), local.z};
            const auto hit = [&] { return FloorHit{tile.number, p.number, plus(tile.y, onPlane.y), p.material, dist}; };
            if (dist < kAboveLimit) {
                const bool isAbove = p.ny > 0 && bestAbove < dist;
                const bool isCeiling = bestCeiling < dist;
                if ((!isAbove && !isCeiling) || failingEdge(p, onPlane) != 0) continue;
                if (isAbove) {
                    bestAbove = dist;
                    result.above = hit();
                } else {
                    bestCeiling = dist;
                    result.ceiling = hit();
                }
            } else if (dist < best && p.ny > 0 && failingEdge(p, onPlane) == 0) {
                best = dist;
                result.found = hit();
            }
        }
    }

    const FloorHit* chosen = result.found ? &*result.found : nullptr;
    result.outcome = FloorOutcome::Floor;
    if (chosen == nullptr && result.above && (probe.stratFlags & kStratStaysBelow) == 0) {
        chosen = &*result.above;
        result.outcome = FloorOutcome::Above;
    }
    if (chosen == nullptr) {
        result.outcome = FloorOutcome::None;
    } else if (chosen->material == kNoFloorMaterial) {
        result.outcome = FloorOutcome::NoFloor;
        result.h = kNoFloorHeight;
    } else {
        result.h = chosen->h;
    }
    return result;
}

FloorCandidate FloorTest::candidate(const PlacedTile& tile, const Polygon& p, const FloorProbe& probe) const {
    FloorCandidate c;
    c.tile = tile.number;
    c.polygon = p.number;
    c.group = p.group;
    c.material = p.material;
    c.ny = p.ny / 32;
    c.edgeCount = p.edgeCount;
    c.tolerance = p.tolerance;
    const bool ceilings = (probe.stratFlags & kStratCeilings) != 0;
    if (p.ny == 0) return c;
    const Local local = localProbe(tile, probe);
    const std::int32_t toPlane =
        minus(minus(minus(p.d, times(p.nz, local.z)), times(p.nx, local.x)), times(p.ny, local.y)) / p.ny;
    c.dist = minus(0, toPlane);
    const Local onPlane{local.x, plus(local.y, toPlane), local.z};
    c.h = plus(tile.y, onPlane.y);
    for (unsigned k = 0; k < p.edgeCount; ++k) {
        const Edge& e = p.edges[k];
        c.edges[k] =
            minus(plus(plus(times(e.ny, onPlane.y), times(e.nz, onPlane.z)), times(e.nx, onPlane.x)) >> 12, e.d);
    }
    if (p.material == skippedMaterial(probe.stratFlags) || (p.ny < 0 && !ceilings)) return c;
    c.failedEdge = failingEdge(p, onPlane);
    if (c.dist < kAboveLimit)
        c.verdict = c.failedEdge == 0 ? FloorVerdict::Above : FloorVerdict::AboveFails;
    else if (p.ny < 0)
        c.verdict = FloorVerdict::IgnoredBelow;
    else
        c.verdict = c.failedEdge == 0 ? FloorVerdict::Passes : FloorVerdict::Fails;
    return c;
}

std::uint64_t FloorTest::polygonsAt(const FloorProbe& probe) const {
    const auto cell = cellAt(probe);
    if (!cell) return 0;
    std::uint64_t n = 0;
    for (std::uint32_t t = cells_[*cell]; t < cells_[*cell + 1]; ++t)
        n += tiles_[t].endPolygon - tiles_[t].firstPolygon;
    return n;
}

std::vector<FloorCandidate> FloorTest::candidates(const FloorProbe& probe) const {
    std::vector<FloorCandidate> out;
    const auto cell = cellAt(probe);
    if (!cell) return out;
    for (std::uint32_t t = cells_[*cell]; t < cells_[*cell + 1]; ++t) {
        const PlacedTile& tile = tiles_[t];
        for (std::uint32_t i = tile.firstPolygon; i < tile.endPolygon && out.size() < kMostCandidates; ++i) {
            out.push_back(candidate(tile, polygons_[i], probe));
        }
    }
    markTies(out);
    return out;
}

}  // namespace geomconv::groove
