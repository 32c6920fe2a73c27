#include <charconv>

#include "formats/groove/floortest.hpp"
#include "lib/json.hpp"

namespace geomconv::groove {

namespace {

double units(std::int32_t fixed) {
    return fixed / 4096.0;
}

void writeHit(JsonWriter& json, std::string_view key, const std::optional<FloorHit>& hit) {
    json.key(key);
    if (!hit) return json.null();
    json.beginObject();
    json.field("tile", hit->tile);
    json.field("poly", hit->polygon);
    json.field("h", hit->h);
    json.field("mat", hit->material);
    json.field("dist", hit->dist);
    json.endObject();
}

void writeCandidate(JsonWriter& json, const FloorCandidate& c) {
    json.beginObject();
    json.field("tile", c.tile);
    json.field("poly", c.polygon);
    json.field("group", static_cast<std::uint32_t>(c.group));
    json.field("mat", c.material);
    json.field("ny", c.ny);
    json.field("verdict", verdictName(c.verdict));
    if (c.ny != 0) {
        json.field("dist", c.dist);
        json.field("h", c.h);
        json.field("e", std::span<const std::int32_t>(c.edges).first(c.edgeCount));
        json.field("tol", c.tolerance);
    }
    if (c.failedEdge != 0) json.field("failedEdge", static_cast<std::uint32_t>(c.failedEdge));
    if (c.tie) json.field("tie", true);
    json.endObject();
}

void writeCandidates(JsonWriter& json, const FloorTest& test, const FloorProbe& probe) {
    const std::vector<FloorCandidate> candidates = test.candidates(probe);
    json.key("candidates");
    json.beginArray();
    for (const FloorCandidate& c : candidates) writeCandidate(json, c);
    json.endArray();
    const std::uint64_t all = test.polygonsAt(probe);
    if (all > candidates.size()) json.field("candidatesLeftOut", all - candidates.size());
}

void writeProbe(JsonWriter& json, const FloorTest& test, const FloorProbe& probe, bool candidates) {
    const FloorResult r = test.probe(probe);
    json.beginObject();
    json.field("p", std::span<const std::int32_t>(std::array{probe.x, probe.y, probe.z}));
    json.field("cell", std::span<const std::int32_t>(std::array{r.cellX, r.cellZ}));
    json.field("result", outcomeName(r.outcome));
    json.key("h");
    if (r.h)
        json.integer(*r.h);
    else
        json.null();
    json.key("height");
    if (r.h)
        json.number(units(*r.h));
    else
        json.null();
    writeHit(json, "found", r.found);
    writeHit(json, "above", r.above);
    writeHit(json, "ceiling", r.ceiling);
    if (candidates) writeCandidates(json, test, probe);
    json.endObject();
}

void put(Sink& out, double value) {
    out.advance(doubleText(out.reserve(kNumberRoom), value));
}

void putPoint(Sink& out, const FloorProbe& p) {
    bool first = true;
    for (const std::int32_t v : {p.x, p.y, p.z}) {
        if (!first) out.put(' ');
        put(out, units(v));
        first = false;
    }
}

/// "tile 443 polygon 15: floor, material 0, ny 65, dist 1023, height 2.4744 (10135)"
void putCandidate(Sink& out, const FloorCandidate& c, const FloorResult& result) {
    constexpr std::array<std::string_view, 3> kGroups{"floor", "ceiling", "wall"};
    out.text("  tile ");
    writeInt(out, c.tile);
    out.text(" polygon ");
    writeInt(out, c.polygon);
    out.text(": ");
    out.text(kGroups[c.group]);
    out.text(", material ");
    writeInt(out, c.material);
    out.text(", ny ");
    writeInt(out, c.ny);
    if (c.ny == 0) {
        out.text(": a wall, skipped\n");
        return;
    }
    out.text(", dist ");
    writeInt(out, c.dist);
    out.text(", height ");
    put(out, units(c.h));
    out.text(", edges");
    for (unsigned k = 0; k < c.edgeCount; ++k) {
        out.put(' ');
        writeInt(out, c.edges[k]);
    }
    out.text(" (tolerance ");
    writeInt(out, c.tolerance);
    out.text("): ");
    switch (c.verdict) {
        case FloorVerdict::Skipped:
            out.text(c.ny < 0 ? "skipped, faces down" : "skipped, by its material");
            break;
        case FloorVerdict::Fails:
        case FloorVerdict::AboveFails:
            out.text(c.verdict == FloorVerdict::Fails ? "fails at edge " : "above, fails at edge ");
            writeInt(out, c.failedEdge);
            break;
        case FloorVerdict::Passes:
            out.text("passes");
            break;
        case FloorVerdict::Above:
            out.text("passes, but lies above the probe");
            break;
        case FloorVerdict::IgnoredBelow:
            out.text("ignored, faces down below the probe");
            break;
    }
    const auto is = [&c](const std::optional<FloorHit>& hit) {
        return hit && hit->tile == c.tile && hit->polygon == c.polygon;
    };
    if (is(result.found))
        out.text("; WINS: the smallest dist, the highest surface not above the probe");
    else if (is(result.above) && result.outcome == FloorOutcome::Above)
        out.text("; WINS: the lowest surface above, there is none below");
    else if (is(result.above))
        out.text("; the lowest surface above");
    else if (is(result.ceiling))
        out.text("; the ceiling");
    if (c.tie) out.text(is(result.found) ? "; a tie, it was met first" : "; a tie with another polygon");
    out.put('\n');
}

void putOutcome(Sink& out, const FloorResult& r) {
    switch (r.outcome) {
        case FloorOutcome::Floor:
        case FloorOutcome::Above: {
            const FloorHit& hit = r.outcome == FloorOutcome::Floor ? *r.found : *r.above;
            out.text(r.outcome == FloorOutcome::Floor ? "floor " : "floor above ");
            put(out, units(hit.h));
            out.text(" (");
            writeInt(out, hit.h);
            out.text("), tile ");
            writeInt(out, hit.tile);
            out.text(" polygon ");
            writeInt(out, hit.polygon);
            out.text(", material ");
            writeInt(out, hit.material);
            break;
        }
        case FloorOutcome::None:
            out.text("no floor: no polygon of the cell holds the point");
            break;
        case FloorOutcome::NoFloor:
            out.text("no floor: the surface found is of material 30, water or fall, height -16 (-65536)");
            break;
        case FloorOutcome::Outside:
            out.text("outside of the grid");
            break;
    }
    out.put('\n');
}

[[noreturn]] void refuse(std::string detail) {
    throw FormatError("probe", std::move(detail));
}

}  // namespace

FloorProbe makeProbe(double x, double y, double z, const FloorReportOptions& options) {
    const auto fx = toFixed(x);
    const auto fy = toFixed(y);
    const auto fz = toFixed(z);
    if (!fx || !fy || !fz) refuse("the point does not fit 20.12: coordinates lie within -524288 and 524288");
    return {*fx, *fy, *fz, options.offset, options.stratFlags};
}

std::vector<FloorProbe> readProbes(std::string_view text, const FloorReportOptions& options) {
    std::vector<FloorProbe> out;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        std::string_view row = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const auto trim = [&row] {
            while (!row.empty() && (row.front() == ' ' || row.front() == '\t' || row.front() == '\r'))
                row.remove_prefix(1);
        };
        trim();
        if (row.empty() || row.front() == '#') continue;
        std::array<double, 3> point{};
        for (double& v : point) {
            if (!row.empty() && row.front() == '+') row.remove_prefix(1);
            const auto read = std::from_chars(row.data(), row.data() + row.size(), v);
            if (read.ec != std::errc()) refuse("line " + std::to_string(line) + ": not three numbers");
            row.remove_prefix(static_cast<std::size_t>(read.ptr - row.data()));
            trim();
        }
        if (!row.empty()) refuse("line " + std::to_string(line) + ": more than three numbers");
        try {
            out.push_back(makeProbe(point[0], point[1], point[2], options));
        } catch (const FormatError& error) {
            refuse("line " + std::to_string(line) + ": " + error.defect().detail);
        }
    }
    return out;
}

void writeFloorJson(const FloorTest& test, const std::vector<FloorProbe>& probes, const FloorReportOptions& options,
                    Sink& out) {
    JsonWriter json(out);
    json.beginObject();
    json.head();
    json.key("probes");
    json.beginArray();
    for (const FloorProbe& p : probes) writeProbe(json, test, p, options.candidates);
    json.endArray();
    json.endObject();
}

void writeFloorText(const FloorTest& test, const std::vector<FloorProbe>& probes, const FloorReportOptions& options,
                    Sink& out) {
    for (const FloorProbe& p : probes) {
        const FloorResult result = test.probe(p);
        putPoint(out, p);
        out.text(options.candidates ? ", cell " : ": ");
        if (options.candidates) {
            writeInt(out, result.cellX);
            out.text(", ");
            writeInt(out, result.cellZ);
            out.text(":\n");
            const std::vector<FloorCandidate> candidates = test.candidates(p);
            for (const FloorCandidate& c : candidates) putCandidate(out, c, result);
            const std::uint64_t all = test.polygonsAt(p);
            if (all > candidates.size()) {
                out.text("  and ");
                writeInt(out, static_cast<std::int64_t>(all - candidates.size()));
                out.text(" more polygons\n");
            }
        }
        putOutcome(out, result);
    }
    if (options.candidates)
        out.text("Objects with collision models, which exist only in the running game, are not considered.\n");
}

void floorReport(const Input& input, const ReadOptions& options, const std::vector<FloorProbe>& probes,
                 const FloorReportOptions& report, bool json, Sink& out, Defects& defects) {
    const FloorTest test(readToLook(input.bytes, options.recover, defects));
    if (json)
        writeFloorJson(test, probes, report, out);
    else
        writeFloorText(test, probes, report, out);
}

}  // namespace geomconv::groove
