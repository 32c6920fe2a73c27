#include <algorithm>
#include <string>

#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::sur {

Hull readHull(ByteReader& in, std::uint32_t hullAt, const PointArray& points) {
    Hull hull;
    const std::uint64_t at = in.offset();
    const std::int64_t pointsAt = std::int64_t{hullAt} + in.s32("point offset");
    const std::int64_t beyond = pointsAt - points.at;
    if (beyond < 0 || beyond % kPointBytes != 0 || beyond / kPointBytes >= points.count) {
        in.failAt(
            "offset-range", at,
            "point offset leads to " + std::to_string(pointsAt) + ", the points begin at " + std::to_string(points.at));
    }
    hull.firstPoint = static_cast<std::uint32_t>(beyond / kPointBytes);
    hull.id = in.u32("id");
    const std::uint32_t word = in.u32("type and size");
    hull.type = static_cast<std::uint8_t>(word & 0xff);
    hull.size = word >> 8;
    const std::uint64_t countAt = in.offset();
    const std::uint16_t faceCount = in.u16("face count");
    hull.reserved = in.u16("reserved");
    in.checkCount(faceCount, kFaceBytes, "face count", countAt);
    if (faceCount == 0 || faceCount > kMaxFaces) {
        in.failAt("face-count", countAt, "face count " + std::to_string(faceCount) + ", it must be 1 to 4096");
    }
    const std::uint64_t facesAt = in.offset();
    const Bytes bytes = in.bytes(std::uint64_t{faceCount} * kFaceBytes, "faces");
    const std::uint32_t limit = points.count - hull.firstPoint;
    hull.faces.resize(faceCount);
    for (std::size_t f = 0; f < faceCount; ++f) {
        const Face& face = hull.faces[f] = unpackFace(bytes.data() + f * kFaceBytes);
        const std::uint16_t last = std::max({face.points[0], face.points[1], face.points[2]});
        if (last >= limit) {
            in.failAt(
                "index-range", facesAt + f * kFaceBytes,
                "face " + std::to_string(f) + " names point " + std::to_string(last) + " of " + std::to_string(limit));
        }
    }
    return hull;
}

void writeHull(ByteWriter& out, const Hull& hull, std::uint32_t hullAt, std::uint32_t pointsAt, std::uint32_t nodeAt) {
    out.u32(pointsAt + hull.firstPoint * kPointBytes - hullAt);
    out.u32(hull.terminal() ? hull.id : hull.nodeOffset.value_or(nodeAt - hullAt));
    out.u8(hull.type);
    out.u8(static_cast<std::uint8_t>(hull.size & 0xff));
    out.u16(std::uint64_t{hull.size >> 8}, "hull size");
    if (hull.faces.size() > kMaxFaces) {
        throw FormatError("field-range", "a hull of " + counted(hull.faces.size(), "faces") + ", the limit is 4096");
    }
    out.u16(static_cast<std::uint16_t>(hull.faces.size()));
    out.u16(hull.reserved);
    for (const Face& face : hull.faces) out.bytes(packFace(face));
}

}  // namespace geomconv::sur
