#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "formats/sur/records.hpp"

namespace geomconv::sur {

float readFinite(ByteReader& in, std::string_view field, Defects& defects, bool recover) {
    const std::uint64_t at = in.offset();
    const float value = in.f32(field);
    if (std::isfinite(value)) return value;
    Defect defect = in.defect(Severity::Error, "nonfinite", at, std::string(field) + " is no number");
    if (recover) defect.detail += "; 0 is taken";
    defects.refuse(std::move(defect), recover);
    return 0.0F;
}

Vec3 readVec3(ByteReader& in, std::string_view field, Defects& defects, bool recover) {
    Vec3 v;
    for (int axis = 0; axis < 3; ++axis) v[axis] = readFinite(in, field, defects, recover);
    return v;
}

void writeVec3(ByteWriter& out, const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis) out.f32(v[axis]);
}

namespace {

/// Where the points lie: the hulls tell where they begin, the root node is where they end. The first hull's array is
/// the first one; where it is not (seen in no file), the hulls must end at the lowest array that they name.
PointArray findPoints(const ByteReader& inner, std::uint32_t end) {
    ByteReader in = inner.within({}, {}, 0, inner.size());
    in.at(kHeaderBytes, "first hull");
    const std::uint64_t fieldAt = in.offset();
    const std::int64_t first = std::int64_t{kHeaderBytes} + in.s32("point offset of hull 0");
    if (first < kHeaderBytes + kHullBytes || first > end) {
        in.failAt("offset-range", fieldAt,
                  "point offset of hull 0 leads to " + std::to_string(first) + ", the root node is at " +
                      std::to_string(end));
    }
    std::int64_t lowest = first;
    std::int64_t at = kHeaderBytes;
    while (at < lowest && at + kHullBytes <= lowest) {
        in.at(static_cast<std::uint64_t>(at), "hull");
        const std::int64_t points = at + in.s32("point offset");
        if (points > at && points < lowest) lowest = points;
        in.skip(8, "hull");
        at += kHullBytes + std::int64_t{kFaceBytes} * in.u16("face count");
    }
    const auto begin = static_cast<std::uint32_t>(at == lowest ? lowest : first);
    return {begin, (end - begin) / kPointBytes};
}

/// Reads a surf block, front to back.
class SurfaceReader {
public:
    SurfaceReader(ByteReader& block, Defects& defects, bool recover)
        : block_(block), defects_(defects), recover_(recover) {}

    Surface read() {
        readHeader();
        const ByteReader inner = block_.within({}, {}, 0, byteSize_);
        const PointArray points = findPoints(inner, pointsEnd(inner));
        readHulls(inner, points);
        readPoints(inner, points);
        dropHullsWithoutPoints();
        if (lost_) {
            surface_.block.assign(block_.all().begin(), block_.all().end());
            surface_.hullOffsets = hullAt_;
        } else {
            readTree(inner, points);
        }
        settleWrapHulls();
        return std::move(surface_);
    }

private:
    void readHeader() {
        surface_.massCenter = readVec3(block_, "mass center", defects_, recover_);
        surface_.rotationInertia = readVec3(block_, "rotation inertia", defects_, recover_);
        surface_.radius = readFinite(block_, "radius", defects_, recover_);
        const std::uint64_t wordAt = block_.offset();
        const std::uint32_t word = block_.u32("surface deviation and byte size");
        surface_.surfaceDeviation = static_cast<std::uint8_t>(word & 0xff);
        byteSize_ = word >> 8;
        root_ = block_.s32("root node offset");
        for (std::uint32_t& w : surface_.padding) w = block_.u32("padding");
        if (byteSize_ > block_.size()) {
            lose(block_.defect(
                Severity::Error, "surf-size", wordAt,
                "byte size " + std::to_string(byteSize_) + " inside a chunk of " + std::to_string(block_.size())));
            byteSize_ = static_cast<std::uint32_t>(block_.size());
        } else if (byteSize_ != block_.size()) {
            defects_.add(block_.defect(
                Severity::Warning, "surf-size", wordAt,
                "byte size " + std::to_string(byteSize_) + ", the chunk has " + std::to_string(block_.size())));
        }
    }

    /// Throws, or recovering warns; the block's bytes are then kept and its tree left out.
    void lose(Defect defect) {
        defects_.refuse(std::move(defect), recover_);
        lost_ = true;
    }

    /// The root node's offset. Recovering, points go on to the end of the block where it leads out of it.
    std::uint32_t pointsEnd(const ByteReader& inner) {
        const bool inside = root_ >= static_cast<std::int32_t>(kHeaderBytes + kHullBytes) &&
                            static_cast<std::uint64_t>(root_) + kNodeBytes <= inner.size();
        if (inside) return static_cast<std::uint32_t>(root_);
        lose(inner.defect(Severity::Error, "offset-range", inner.offsetOf(32),
                          "root node offset " + std::to_string(root_) + ", the block has " +
                              std::to_string(inner.size()) + " bytes"));
        return byteSize_;
    }

    /// Hulls lie end to end from the header to the points; this needs no tree and also finds what a broken tree loses.
    void readHulls(const ByteReader& inner, const PointArray& points) {
        std::size_t number = 0;
        for (std::uint32_t next = kHeaderBytes; next < points.at; ++number) {
            ByteReader in = inner.within("hull", std::to_string(number), next, points.at - next);
            try {
                surface_.hulls.push_back(readHull(in, next, points));
                hullAt_.push_back(next);
                next += static_cast<std::uint32_t>(in.position());
            } catch (const FormatError& error) {
                Defect loss = error.defect();
                // Its number of faces still leads to the next one, where it can be right.
                const std::uint64_t size = sizeOfHull(in);
                const bool goesOn = size > 0 && size <= points.at - next;
                if (recover_)
                    loss.detail += goesOn ? "; the hull is left out" : "; the hulls from here on are left out";
                lose(std::move(loss));
                if (!goesOn) return;
                next += static_cast<std::uint32_t>(size);
            }
        }
    }
    static std::uint64_t sizeOfHull(ByteReader& in) {
        if (in.size() < kHullBytes) return 0;
        in.at(12, "face count");
        const std::uint16_t faces = in.u16("face count");
        return faces == 0 || faces > kMaxFaces ? 0 : kHullBytes + std::uint64_t{kFaceBytes} * faces;
    }

    void readPoints(const ByteReader& inner, const PointArray& points) {
        ByteReader in = inner.within("points", {}, points.at, std::uint64_t{points.count} * kPointBytes);
        surface_.points.resize(points.count);
        for (std::uint32_t p = 0; p < points.count; ++p) {
            Point& point = surface_.points[p];
            const std::uint64_t at = in.offset();
            Vec3 stored;
            for (int axis = 0; axis < 3; ++axis) stored[axis] = in.f32("point");
            point.clientData = in.u32("client data");
            if (std::isfinite(stored.x) && std::isfinite(stored.y) && std::isfinite(stored.z)) {
                point.position = stored;
                continue;
            }
            const std::uint64_t axis = !std::isfinite(stored.x) ? 0 : !std::isfinite(stored.y) ? 1 : 2;
            Defect defect = in.defect(Severity::Error, "nonfinite", at + 4 * axis, "point is no number");
            if (recover_) defect.detail += "; hulls that use point " + std::to_string(p) + " are left out";
            lose(std::move(defect));
            noNumbers_.push_back(p);
        }
    }

    void dropHullsWithoutPoints() {
        if (noNumbers_.empty()) return;
        const auto uses = [&](const Hull& hull) {
            return std::any_of(hull.faces.begin(), hull.faces.end(), [&](const Face& face) {
                return std::any_of(face.points.begin(), face.points.end(), [&](std::uint16_t p) {
                    return std::binary_search(noNumbers_.begin(), noNumbers_.end(), hull.firstPoint + p);
                });
            });
        };
        std::size_t kept = 0;
        for (std::size_t h = 0; h < surface_.hulls.size(); ++h) {
            if (uses(surface_.hulls[h])) continue;
            if (kept != h) surface_.hulls[kept] = std::move(surface_.hulls[h]);
            hullAt_[kept++] = hullAt_[h];
        }
        surface_.hulls.resize(kept);
        hullAt_.resize(kept);
    }

    void readTree(const ByteReader& inner, const PointArray& points) {
        const auto nodesAt = static_cast<std::uint32_t>(root_);
        auto fault = readNodes(inner, nodesAt, hullAt_, surface_.nodes);
        if (!fault && (nodesAt - points.at) % kPointBytes != 0)
            fault = TreeFault{32, "the points end off a multiple of 16"};
        if (fault) {
            defects_.add(block_.defect(Severity::Warning, "tree", block_.offsetOf(fault->at), fault->detail));
            surface_.nodes.clear();
            surface_.block.assign(block_.all().begin(), block_.all().end());
            return;
        }
        const auto end = nodesAt + static_cast<std::uint32_t>(surface_.nodes.size()) * kNodeBytes;
        if (byteSize_ != end) surface_.byteSize = byteSize_;
        const Bytes tail = block_.all().subspan(end);
        surface_.tail.assign(tail.begin(), tail.end());
    }

    /// Clears the derived offsets of wrap hulls, so that only odd ones are kept.
    void settleWrapHulls() {
        const auto carrier = carriers(surface_.nodes, surface_.hulls.size());
        for (std::size_t h = 0; h < surface_.hulls.size(); ++h) {
            Hull& hull = surface_.hulls[h];
            if (hull.terminal()) continue;
            const std::uint32_t stored = std::exchange(hull.id, 0);
            if (stored != static_cast<std::uint32_t>(root_) + carrier[h] * kNodeBytes - hullAt_[h])
                hull.nodeOffset = stored;
        }
    }

    ByteReader& block_;
    Defects& defects_;
    bool recover_;
    Surface surface_;
    std::uint32_t byteSize_ = 0;
    std::int32_t root_ = 0;
    std::vector<std::uint32_t> hullAt_;     ///< block offset of each hull
    std::vector<std::uint32_t> noNumbers_;  ///< points that are no numbers, rising
    bool lost_ = false;                     ///< something was left out
};

}  // namespace

Surface readSurface(ByteReader& block, Defects& defects, bool recover) {
    return SurfaceReader(block, defects, recover).read();
}

Layout layoutOf(const Surface& surface) {
    Layout layout;
    layout.hulls.reserve(surface.hulls.size());
    std::uint64_t at = kHeaderBytes;
    for (const Hull& hull : surface.hulls) {
        layout.hulls.push_back(static_cast<std::uint32_t>(at));
        at += kHullBytes + std::uint64_t{kFaceBytes} * hull.faces.size();
    }
    if (!surface.hullOffsets.empty()) layout.hulls = surface.hullOffsets;
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
