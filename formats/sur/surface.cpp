#include <cmath>
#include <string>
#include <utility>

#include "formats/sur/records.hpp"

namespace geomconv::sur {

float readFinite(ByteReader& in, std::string_view field) {
    const std::uint64_t at = in.offset();
    const float value = in.f32(field);
    if (!std::isfinite(value)) in.failAt("nonfinite", at, std::string(field) + " is no number");
    return value;
}

Vec3 readVec3(ByteReader& in, std::string_view field) {
    Vec3 v;
    for (int axis = 0; axis < 3; ++axis) v[axis] = readFinite(in, field);
    return v;
}

void writeVec3(ByteWriter& out, const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis) out.f32(v[axis]);
}

namespace {

/// Hulls lie end to end from the header to the points; this needs no tree and also finds what a broken tree loses.
/// Gives the block offset of each.
std::vector<std::uint32_t> readHulls(const ByteReader& inner, const PointArray& points, Surface& surface) {
    std::vector<std::uint32_t> at;
    std::uint32_t next = kHeaderBytes;
    while (next < points.at) {
        ByteReader in = inner.within("hull", std::to_string(surface.hulls.size()), next, points.at - next);
        at.push_back(next);
        surface.hulls.push_back(readHull(in, next, points));
        next += static_cast<std::uint32_t>(in.position());
    }
    return at;
}

void readPoints(const ByteReader& inner, const PointArray& points, Surface& surface) {
    ByteReader in = inner.within("points", {}, points.at, std::uint64_t{points.count} * kPointBytes);
    surface.points.resize(points.count);
    for (Point& point : surface.points) {
        point.position = readVec3(in, "point");
        point.clientData = in.u32("client data");
    }
}

/// Where the points lie: the first hull tells where they begin, the root node is where they end.
PointArray findPoints(ByteReader& inner, std::int32_t root) {
    const std::uint64_t rootAt = inner.offsetOf(32);
    if (root < static_cast<std::int32_t>(kHeaderBytes + kHullBytes) ||
        static_cast<std::uint64_t>(root) + kNodeBytes > inner.size()) {
        inner.failAt(
            "offset-range", rootAt,
            "root node offset " + std::to_string(root) + ", the block has " + std::to_string(inner.size()) + " bytes");
    }
    inner.at(kHeaderBytes, "first hull");
    const std::uint64_t fieldAt = inner.offset();
    const std::int64_t points = std::int64_t{kHeaderBytes} + inner.s32("point offset of hull 0");
    if (points < kHeaderBytes + kHullBytes || points > root) {
        inner.failAt("offset-range", fieldAt,
                     "point offset of hull 0 leads to " + std::to_string(points) + ", the root node is at " +
                         std::to_string(root));
    }
    return {static_cast<std::uint32_t>(points),
            (static_cast<std::uint32_t>(root) - static_cast<std::uint32_t>(points)) / kPointBytes};
}

/// Clears the derived offsets of wrap hulls, so that only odd ones are kept.
void settleWrapHulls(Surface& surface, const std::vector<std::uint32_t>& hullAt, std::uint32_t nodesAt) {
    const auto carrier = carriers(surface.nodes, surface.hulls.size());
    for (std::size_t h = 0; h < surface.hulls.size(); ++h) {
        Hull& hull = surface.hulls[h];
        if (hull.terminal()) continue;
        const std::uint32_t stored = std::exchange(hull.id, 0);
        if (stored != nodesAt + carrier[h] * kNodeBytes - hullAt[h]) hull.nodeOffset = stored;
    }
}

}  // namespace

Surface readSurface(ByteReader& block, Defects& defects) {
    Surface surface;
    surface.massCenter = readVec3(block, "mass center");
    surface.rotationInertia = readVec3(block, "rotation inertia");
    surface.radius = readFinite(block, "radius");
    const std::uint64_t wordAt = block.offset();
    const std::uint32_t word = block.u32("surface deviation and byte size");
    surface.surfaceDeviation = static_cast<std::uint8_t>(word & 0xff);
    const std::uint32_t byteSize = word >> 8;
    const std::int32_t root = block.s32("root node offset");
    for (std::uint32_t& w : surface.padding) w = block.u32("padding");
    if (byteSize > block.size()) {
        block.failAt("surf-size", wordAt,
                     "byte size " + std::to_string(byteSize) + " inside a chunk of " + std::to_string(block.size()));
    }
    if (byteSize != block.size()) {
        defects.add(
            block.defect(Severity::Warning, "surf-size", wordAt,
                         "byte size " + std::to_string(byteSize) + ", the chunk has " + std::to_string(block.size())));
    }

    ByteReader inner = block.within({}, {}, 0, byteSize);
    const PointArray points = findPoints(inner, root);
    const auto hullAt = readHulls(inner, points, surface);
    readPoints(inner, points, surface);

    const auto nodesAt = static_cast<std::uint32_t>(root);
    auto fault = readNodes(inner, nodesAt, hullAt, surface.nodes);
    if (!fault && (nodesAt - points.at) % kPointBytes != 0)
        fault = TreeFault{32, "the points end off a multiple of 16"};
    if (fault) {
        defects.add(block.defect(Severity::Warning, "tree", block.offsetOf(fault->at), fault->detail));
        surface.nodes.clear();
        surface.block.assign(block.all().begin(), block.all().end());
    } else {
        const auto end = nodesAt + static_cast<std::uint32_t>(surface.nodes.size()) * kNodeBytes;
        if (byteSize != end) surface.byteSize = byteSize;
        const Bytes tail = block.all().subspan(end);
        surface.tail.assign(tail.begin(), tail.end());
    }
    settleWrapHulls(surface, hullAt, nodesAt);
    return surface;
}

Layout layoutOf(const Surface& surface) {
    Layout layout;
    layout.hulls.reserve(surface.hulls.size());
    std::uint64_t at = kHeaderBytes;
    for (const Hull& hull : surface.hulls) {
        layout.hulls.push_back(static_cast<std::uint32_t>(at));
        at += kHullBytes + std::uint64_t{kFaceBytes} * hull.faces.size();
    }
    const std::uint64_t nodes = at + std::uint64_t{kPointBytes} * surface.points.size();
    const std::uint64_t end = nodes + std::uint64_t{kNodeBytes} * surface.nodes.size();
    if (end > kMaxBlock) {
        throw FormatError("field-range", "a surf block of " + std::to_string(end) + " bytes, the limit is " +
                                             std::to_string(kMaxBlock));
    }
    layout.points = static_cast<std::uint32_t>(at);
    layout.nodes = static_cast<std::uint32_t>(nodes);
    layout.end = static_cast<std::uint32_t>(end);
    return layout;
}

void writeSurface(ByteWriter& out, const Surface& surface) {
    if (!surface.block.empty()) {
        out.u32(std::uint64_t{surface.block.size()}, "surf size");
        out.bytes(surface.block);
        return;
    }
    const Layout layout = layoutOf(surface);
    out.u32(layout.end + std::uint64_t{surface.tail.size()}, "surf size");
    writeVec3(out, surface.massCenter);
    writeVec3(out, surface.rotationInertia);
    out.f32(surface.radius);
    out.u32(surface.surfaceDeviation | (surface.byteSize.value_or(layout.end) << 8));
    out.u32(layout.nodes);
    for (const std::uint32_t w : surface.padding) out.u32(w);

    const auto carrier = carriers(surface.nodes, surface.hulls.size());
    for (std::size_t h = 0; h < surface.hulls.size(); ++h) {
        writeHull(out, surface.hulls[h], layout.hulls[h], layout.points, layout.nodes + carrier[h] * kNodeBytes);
    }
    for (const Point& point : surface.points) {
        writeVec3(out, point.position);
        out.u32(point.clientData);
    }
    writeNodes(out, surface.nodes, layout);
    out.bytes(surface.tail);
}

}  // namespace geomconv::sur
