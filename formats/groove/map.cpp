#include <algorithm>
#include <cmath>

#include "formats/groove/groove.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::groove {

namespace {

constexpr std::uint64_t kTileA = 24;
constexpr std::uint64_t kDoor = 90;
constexpr std::uint64_t kWaypoint = 34;
constexpr std::uint64_t kSwap = 20;
constexpr std::uint64_t kStrat = 58;
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 20;
constexpr std::uint32_t kZones = 32;

ByteVector copied(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

void readTileA(ByteReader& in, Tile& t, std::uint32_t number, const MapContext& context) {
    const std::uint64_t at = in.offset();
    t.position.x = in.f32("tile x");
    t.position.y = in.f32("tile y");
    t.position.z = in.f32("tile z");
    t.rotation = in.u32("tile rot");
    t.modelA = in.u32("tile model");
    t.animFlag = in.u32("tile animFlag");
    for (int i = 0; i < 3; ++i) {
        if (std::isfinite(t.position[i])) continue;
        context.defects.refuse(
            in.defect(Severity::Error, "nonfinite", at, "tile " + std::to_string(number) + ": position is no number"),
            context.recover);
        t.position[i] = 0.0F;
    }
}

void writeTileA(ByteWriter& out, const Tile& t) {
    out.f32(t.position.x);
    out.f32(t.position.y);
    out.f32(t.position.z);
    out.u32(t.rotation);
    out.u32(t.modelA);
    out.u32(t.animFlag);
}

void readTileB(ByteReader& in, Tile& t) {
    t.rx = in.s32("tile rx");
    t.ry = in.s32("tile ry");
    t.rz = in.s32("tile rz");
    t.x = in.s32("tile x");
    t.y = in.s32("tile y");
    t.z = in.s32("tile z");
}

void writeTileB(ByteWriter& out, const Tile& t) {
    out.s32(t.rx);
    out.s32(t.ry);
    out.s32(t.rz);
    out.s32(t.x);
    out.s32(t.y);
    out.s32(t.z);
}

Swap readSwap(ByteReader& in) {
    Swap s;
    s.cellX = in.u32("swap cellX");
    s.y = in.u32("swap y");
    s.cellZ = in.u32("swap cellZ");
    s.modelA = in.u32("swap modelA");
    s.modelB = in.u32("swap modelB");
    return s;
}

void writeSwap(ByteWriter& out, const Swap& s) {
    out.u32(s.cellX);
    out.u32(s.y);
    out.u32(s.cellZ);
    out.u32(s.modelA);
    out.u32(s.modelB);
}

void readZones(ByteReader& in, Map& map, Defects& defects) {
    for (Zone& z : map.zones) {
        z.mask = in.u32("zone mask");
        z.waterLevel = in.s32("zone waterLevel");
    }
    const std::uint64_t at = in.offset();
    const std::uint64_t cells = std::uint64_t{map.w} * map.h;
    in.checkCount(cells, 4, "zone grid cells", at);
    map.zoneGrid.resize(static_cast<std::size_t>(cells));
    for (auto& z : map.zoneGrid) z = in.u32("zone number");
    const auto odd =
        std::find_if(map.zoneGrid.begin(), map.zoneGrid.end(), [](std::uint32_t z) { return z >= kZones; });
    if (odd != map.zoneGrid.end()) {
        defects.add(in.defect(Severity::Warning, "zone-range",
                              at + 4 * static_cast<std::uint64_t>(odd - map.zoneGrid.begin()),
                              "zone number " + std::to_string(*odd) + ", there are 32 zones"));
    }
}

/// The model index of each tile and the swaps: with them, what sizes the colour block.
void readModels(ByteReader& in, Map& map, const MapContext& context) {
    const std::size_t models = context.models.size();
    for (std::size_t i = 0; i < map.tiles.size(); ++i) {
        Tile& t = map.tiles[i];
        t.model = in.u32("tile model");
        if (t.model < models) continue;
        in.failAt("index-range", in.offset() - 4,
                  "tile " + std::to_string(i) + ": model " + std::to_string(t.model) + " of " + std::to_string(models));
    }
    if ((context.levelFlags & kFlagSwaps) == 0) return;
    const std::uint32_t n = in.count32(kSwap, "swap count");
    map.swaps.emplace();
    map.swaps->reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        const Swap swap = readSwap(in);
        if (swap.modelB >= models) {
            in.failAt("index-range", in.offset() - 4,
                      "swap " + std::to_string(i) + ": modelB " + std::to_string(swap.modelB) + " of " +
                          std::to_string(models));
        }
        map.swaps->push_back(swap);
    }
    // Entry k belongs to the k-th tile with animFlag.
    std::uint32_t next = 0;
    for (Tile& t : map.tiles) {
        if (t.animFlag == 0) continue;
        if (next < n) t.swap = next;
        next += 1;
    }
    if (next != n) {
        context.defects.add(in.defect(Severity::Warning, "swap-count", in.offset(),
                                      std::to_string(n) + " swaps for " + counted(next, "tiles") + " with animFlag"));
    }
}

/// One structure: the first set, whose entries tell how many follow. Rule 1: the first entry tells; rule 2: the
/// largest, and no fewer than `least`.
ColourSets readColourSets(ByteReader& in, std::size_t nVerts, std::uint8_t rule, std::uint32_t least) {
    ColourSets out;
    if (nVerts == 0) return out;
    const auto take = [&in, &out](std::uint64_t n) {
        const Bytes bytes = in.bytes(4 * n, "vertex colours");
        for (std::size_t i = 0; i < bytes.size(); i += 4) {
            out.colours.push_back({bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]});
        }
    };
    take(nVerts);
    out.sets = out.colours.front().sets;
    if (rule == 2) {
        for (const VertexColour& c : out.colours) out.sets = std::max<std::uint32_t>(out.sets, c.sets);
        out.sets = std::max(out.sets, least);
    }
    out.sets = std::max<std::uint32_t>(out.sets, 1);
    in.checkCount(std::uint64_t{out.sets - 1} * nVerts, 4, "further vertex colours", in.offset());
    out.colours.reserve(out.sets * nVerts);
    take(std::uint64_t{out.sets - 1} * nVerts);
    return out;
}

void readColours(ByteReader& in, Map& map, const MapContext& context, std::uint8_t rule) {
    map.colourRule = rule;
    for (std::size_t i = 0; i < map.tiles.size(); ++i) {
        Tile& t = map.tiles[i];
        t.colours = readColourSets(in, context.models[t.model].vertices.size(), rule, 0);
        t.swapColours.reset();
        if (!t.swap) continue;
        const std::uint32_t modelB = (*map.swaps)[*t.swap].modelB;
        t.swapColours = readColourSets(in, context.models[modelB].vertices.size(), rule, t.colours.sets);
    }
}

void writeColourSets(ByteWriter& out, const ColourSets& sets) {
    for (const VertexColour& c : sets.colours) {
        out.u8(c.c0);
        out.u8(c.c1);
        out.u8(c.c2);
        out.u8(c.sets);
    }
}

/// Whether strats, camera paths and the words behind them end exactly with the chunk; takes the strats.
bool restLands(Bytes rest, std::uint32_t levelFlags, std::vector<Strat>& strats) {
    ByteReader in(rest);
    try {
        const std::uint32_t n = in.u32("strat count");
        in.skip(4, "maxStrats");
        in.checkCount(n, kStrat, "strat count", 0);
        strats.resize(n);
        for (Strat& s : strats) {
            for (auto& r : s.rotation) r = in.u16("strat rotation");
            s.x = in.s32("strat x");
            s.y = in.s32("strat y");
            s.z = in.s32("strat z");
            in.skip(kStrat - 18, "strat");
        }
        if ((levelFlags & kFlagCameras) != 0) {
            const std::uint64_t point = (levelFlags & kFlagCameraY) != 0 ? 16 : 12;
            const std::uint32_t paths = in.count32(4, "camera path count");
            for (std::uint32_t i = 0; i < paths; ++i) {
                const std::uint32_t loops = in.count32(4, "camera loop count");
                for (std::uint32_t k = 0; k < loops; ++k) {
                    const std::uint16_t points = in.u16("camera point count");
                    in.skip(2, "camera loop flags");
                    in.skip(point * points, "camera points");
                }
            }
        }
        if ((levelFlags & kFlagViewDistance) != 0) in.skip(4, "view distance");
        in.skip(2, "last word");
        if (in.left() == 0) return true;
    } catch (const FormatError&) {
        // No reason to reject: the rest is kept as it came.
    }
    strats.clear();
    return false;
}

/// The colour block, by the rule under which the rest lands; rule 1 when neither does.
void readColoursAndRest(ByteReader& in, Map& map, const MapContext& context) {
    const std::uint64_t start = in.position();
    std::optional<FormatError> failure;
    for (const std::uint8_t rule : {std::uint8_t{1}, std::uint8_t{2}}) {
        in.at(start, "vertex colours");
        try {
            readColours(in, map, context, rule);
        } catch (const FormatError& error) {
            if (!failure) failure = error;
            continue;
        }
        map.restLands = restLands(in.rest(), context.levelFlags, map.strats);
        if (map.restLands) break;
        if (rule == 2 && !failure) {
            // Neither lands.
            in.at(start, "vertex colours");
            readColours(in, map, context, 1);
        }
    }
    if (!map.restLands && failure) {
        // Rule 2 at least fits, or nothing does.
        if (map.colourRule == 1) throw *failure;
        in.at(start, "vertex colours");
        readColours(in, map, context, 2);
    }
    map.rest = copied(in.rest());
    if (!map.restLands) {
        context.defects.add(in.defect(Severity::Warning, "rest", in.offset(),
                                      "the " + std::to_string(map.rest.size()) +
                                          " bytes behind the vertex colours do not end as strats and paths do"));
    }
}

/// A and B are two spellings of one placement.
void compareAB(const ByteReader& in, const Map& map, Defects& defects) {
    for (std::size_t i = 0; i < map.tiles.size(); ++i) {
        const Tile& t = map.tiles[i];
        const auto differs = [](std::int32_t b, double a) { return std::abs(b - a) > 1.0; };
        const auto warn = [&](std::string_view kind, std::string detail) {
            defects.add(in.defect(Severity::Warning, kind, in.offsetOf(12 + kTileA * i),
                                  "tile " + std::to_string(i) + ": " + std::move(detail)));
        };
        if (differs(t.x, t.position.x * 4096.0) || differs(t.y, t.position.y * 4096.0) ||
            differs(t.z, t.position.z * -4096.0) || t.rotation != static_cast<std::uint32_t>(t.ry)) {
            warn("placement", "the two placements differ, the second is used");
        }
        if (t.modelA != t.model) {
            warn("model-index",
                 "models " + std::to_string(t.modelA) + " and " + std::to_string(t.model) + ", the second is used");
        }
        if (t.ry < 0 || t.ry > 4095) {
            warn("rotation", "rotation " + std::to_string(t.ry) + ", used as " + std::to_string(t.turn()));
        }
        if (t.rx != 0 || t.rz != 0) warn("rotation", "rotations about x and z are ignored");
        const Cell cell = cellOf(t);
        if (!inGrid(map, cell)) {
            warn("outside-grid", "cell (" + std::to_string(cell.x) + ", " + std::to_string(cell.z) + ") of " +
                                     std::to_string(map.w) + " x " + std::to_string(map.h) +
                                     ", no list holds the tile");
        }
    }
}

}  // namespace

bool Map::operator==(const Map& o) const {
    return w == o.w && h == o.h && tiles == o.tiles && params == o.params && doorCount == o.doorCount &&
           doors == o.doors && waypointCount == o.waypointCount && waypoints == o.waypoints && zones == o.zones &&
           zoneGrid == o.zoneGrid && swaps == o.swaps && rest == o.rest;
}

Map readMap(ByteReader& in, const MapContext& context) {
    Map map;
    const std::uint32_t n = in.u32("tile count");
    map.w = in.u32("grid width");
    map.h = in.u32("grid height");
    const std::uint64_t cells = std::uint64_t{map.w} * map.h;
    if (cells == 0 || cells > kMostCells) {
        in.failAt("grid", in.offset() - 8,
                  "grid of " + std::to_string(map.w) + " x " + std::to_string(map.h) + " cells, 1 to " +
                      std::to_string(kMostCells) + " are possible");
    }
    in.checkCount(n, kTileA, "tile count", in.offset() - 12);
    map.tiles.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) readTileA(in, map.tiles[i], i, context);
    map.params.resize(in.count32(4, "parameter count"));
    for (auto& p : map.params) p = in.u32("parameter");
    map.doorCount = in.count32(kDoor, "door count");
    map.doors = copied(in.bytes(kDoor * map.doorCount, "doors"));
    map.waypointCount = in.count32(kWaypoint, "waypoint count");
    map.waypoints = copied(in.bytes(kWaypoint * map.waypointCount, "waypoints"));
    readZones(in, map, context.defects);
    for (Tile& t : map.tiles) readTileB(in, t);
    readModels(in, map, context);
    readColoursAndRest(in, map, context);
    compareAB(in, map, context.defects);
    return map;
}

ByteVector writeMap(const Map& map) {
    ByteWriter out;
    out.u32(map.tiles.size(), "tile count");
    out.u32(map.w);
    out.u32(map.h);
    for (const Tile& t : map.tiles) writeTileA(out, t);
    out.u32(map.params.size(), "parameter count");
    for (const auto p : map.params) out.u32(p);
    out.u32(map.doorCount);
    out.bytes(map.doors);
    out.u32(map.waypointCount);
    out.bytes(map.waypoints);
    for (const Zone& z : map.zones) {
        out.u32(z.mask);
        out.s32(z.waterLevel);
    }
    for (const auto z : map.zoneGrid) out.u32(z);
    for (const Tile& t : map.tiles) writeTileB(out, t);
    for (const Tile& t : map.tiles) out.u32(t.model);
    if (map.swaps) {
        out.u32(map.swaps->size(), "swap count");
        for (const Swap& s : *map.swaps) writeSwap(out, s);
    }
    for (const Tile& t : map.tiles) {
        writeColourSets(out, t.colours);
        if (t.swapColours) writeColourSets(out, *t.swapColours);
    }
    out.bytes(map.rest);
    return out.finish();
}

Cell cellOf(const Tile& tile) {
    // Far outside any grid all cells are alike; the bounds keep the conversion defined.
    static constexpr double kFar = 1e12;
    const auto whole = [](double v) { return static_cast<std::int64_t>(std::clamp(std::trunc(v), -kFar, kFar)); };
    return {whole(double{tile.position.x} - 0.5), -whole(double{tile.position.z} + 0.5)};
}

bool inGrid(const Map& map, const Cell& cell) {
    return cell.x >= 0 && cell.z >= 0 && cell.x < std::int64_t{map.w} && cell.z < std::int64_t{map.h};
}

CellLists cellLists(const Map& map) {
    constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<std::uint32_t> cells(map.tiles.size(), kNone);
    CellLists out;
    out.starts.assign(std::size_t{map.w} * map.h + 1, 0);
    for (std::size_t i = 0; i < map.tiles.size(); ++i) {
        const Cell cell = cellOf(map.tiles[i]);
        if (!inGrid(map, cell)) continue;
        cells[i] = static_cast<std::uint32_t>(cell.x + cell.z * std::int64_t{map.w});
        out.starts[cells[i] + 1] += 1;
    }
    for (std::size_t i = 1; i < out.starts.size(); ++i) out.starts[i] += out.starts[i - 1];
    out.tiles.resize(out.starts.back());
    std::vector<std::uint32_t> next(out.starts.begin(), out.starts.end() - 1);
    // The loader puts every tile at the head of its cell's list, so the last one comes first.
    for (std::size_t i = map.tiles.size(); i-- > 0;) {
        if (cells[i] != kNone) out.tiles[next[cells[i]]++] = static_cast<std::uint32_t>(i);
    }
    return out;
}

}  // namespace geomconv::groove
