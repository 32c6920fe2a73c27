#include <cmath>

#include "formats/groove/groove.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/bytes/fields.hpp"

namespace geomconv::groove {

namespace {

constexpr std::uint64_t kVertexSize = 24;
constexpr std::uint64_t kFaceSize = 28;
constexpr std::uint64_t kPolygonSize = 32;

Vec3 readVec3(ByteReader& in, std::string_view field) {
    const float x = in.f32(field);
    const float y = in.f32(field);
    const float z = in.f32(field);
    return {x, y, z};
}

void writeVec3(ByteWriter& out, const Vec3& v) {
    out.f32(v.x);
    out.f32(v.y);
    out.f32(v.z);
}

/// Refuses numbers that are none, or makes them 0. at: offset of the first.
void requireFinite(const ByteReader& in, std::uint64_t at, Vec3& v, std::string_view field, ModelReading& reading) {
    if (isFinite(v)) return;
    reading.defects.refuse(in.defect(Severity::Error, "nonfinite", at, std::string(field) + " is no number"),
                           reading.recover);
    for (int i = 0; i < 3; ++i) {
        if (!std::isfinite(v[i])) v[i] = 0.0F;
    }
}

void warnOfPad(const ByteReader& in, const Model& m, ModelReading& reading) {
    if (reading.padWarned || (m.unknown70 | m.unknown74 | m.unknown7e | m.unknown80 | m.unknown88) == 0) return;
    reading.padWarned = true;
    reading.defects.add(
        in.defect(Severity::Warning, "pad", in.offset(), "pointer fields of the header are not 0, kept as they are"));
}

Vec3 readVec3(Fields& in) {
    const float x = in.f32();
    const float y = in.f32();
    const float z = in.f32();
    return {x, y, z};
}

Vertex readVertex(ByteReader& in, ModelReading& reading) {
    const std::uint64_t at = in.offset();
    Fields fields(in.bytes(kVertexSize, "vertex"));
    Vertex v;
    v.position = readVec3(fields);
    v.normal = readVec3(fields);
    requireFinite(in, at, v.position, "vertex position", reading);
    requireFinite(in, at + 12, v.normal, "vertex normal", reading);
    return v;
}

void writeVertex(ByteWriter& out, const Vertex& v) {
    writeVec3(out, v.position);
    writeVec3(out, v.normal);
}

Face readFace(ByteReader& in) {
    Fields fields(in.bytes(kFaceSize, "face"));
    Face f;
    f.flags = fields.u16();
    for (auto& v : f.vertices) v = fields.u16();
    f.texture = fields.u16();
    f.unknown0a = fields.u16();
    f.normal = readVec3(fields);
    f.d = fields.f32();
    return f;
}

void writeFace(ByteWriter& out, const Face& f) {
    out.u16(f.flags);
    for (const auto v : f.vertices) out.u16(v);
    out.u16(f.texture);
    out.u16(f.unknown0a);
    writeVec3(out, f.normal);
    out.f32(f.d);
}

CollisionPolygon readPolygon(ByteReader& in) {
    Fields fields(in.bytes(kPolygonSize, "polygon"));
    CollisionPolygon p;
    p.type = fields.u8();
    p.material = fields.u8();
    for (Plane& plane : p.planes) {
        plane.nx = static_cast<std::int8_t>(fields.u8());
        plane.ny = static_cast<std::int8_t>(fields.u8());
        plane.nz = static_cast<std::int8_t>(fields.u8());
        plane.unknown03 = fields.u8();
        plane.d = static_cast<std::int16_t>(fields.u16());
    }
    return p;
}

void writePolygon(ByteWriter& out, const CollisionPolygon& p) {
    out.u8(p.type);
    out.u8(p.material);
    for (const Plane& plane : p.planes) {
        out.u8(static_cast<std::uint8_t>(plane.nx));
        out.u8(static_cast<std::uint8_t>(plane.ny));
        out.u8(static_cast<std::uint8_t>(plane.nz));
        out.u8(plane.unknown03);
        out.s16(plane.d);
    }
}

/// Whether a face's vertices exist; refuses it, or says that it is dropped.
bool acceptFace(const ByteReader& in, const Face& face, std::size_t number, std::size_t nVerts, ModelReading& reading) {
    for (const std::uint16_t v : face.vertices) {
        if (v < nVerts) continue;
        reading.defects.refuse(in.defect(Severity::Error, "index-range", in.offset() - kFaceSize,
                                         "face " + std::to_string(number) + ": vertex " + std::to_string(v) + " of " +
                                             std::to_string(nVerts) + (reading.recover ? ", face dropped" : "")),
                               reading.recover);
        return false;
    }
    return true;
}

std::uint64_t polygonCount(const Model& m) {
    return std::uint64_t{m.groups[0]} + m.groups[1] + m.groups[2];
}

}  // namespace

std::uint64_t ModelHeader::dataSize() const {
    return 2 * std::uint64_t{nBones} + kVertexSize * nVerts + kFaceSize * nFaces + kPolygonSize * polygonCount(model);
}

std::uint64_t modelDataSize(const Model& m) {
    return 2 * m.bones.size() + kVertexSize * m.vertices.size() + kFaceSize * m.faces.size() +
           kPolygonSize * m.polygons.size();
}

ModelHeader readModelHeader(ByteReader& in, ModelKind kind, ModelReading& reading) {
    ModelHeader h;
    Model& m = h.model;
    m.boxCenter = readVec3(in, "box centre");
    requireFinite(in, in.offset() - 12, m.boxCenter, "box centre", reading);
    for (Vec3& corner : m.boxCorners) {
        corner = readVec3(in, "box corner");
        requireFinite(in, in.offset() - 12, corner, "box corner", reading);
    }
    h.nVerts = in.u16("nVerts");
    h.nFaces = in.u16("nFaces");
    m.unknown70 = in.u32("unknown70");
    m.unknown74 = in.u32("unknown74");
    for (auto& n : m.groups) n = in.u16("polygon count");
    m.unknown7e = in.u16("unknown7e");
    m.unknown80 = in.u32("unknown80");
    if (kind == ModelKind::Stpc) {
        m.nStatic = in.u16("nStatic");
        h.nBones = in.u16("nBones");
        m.unknown88 = in.u32("unknown88");
    }
    warnOfPad(in, m, reading);
    return h;
}

void writeModelHeader(ByteWriter& out, const Model& m, ModelKind kind) {
    writeVec3(out, m.boxCenter);
    for (const Vec3& corner : m.boxCorners) writeVec3(out, corner);
    out.u16(m.vertices.size(), "nVerts");
    out.u16(m.faces.size(), "nFaces");
    out.u32(m.unknown70);
    out.u32(m.unknown74);
    for (const auto n : m.groups) out.u16(n);
    out.u16(m.unknown7e);
    out.u32(m.unknown80);
    if (kind == ModelKind::Stpc) {
        out.u16(m.nStatic);
        out.u16(m.bones.size(), "nBones");
        out.u32(m.unknown88);
    }
}

Model readModelData(ByteReader& in, ModelHeader h, ModelReading& reading) {
    Model m = std::move(h.model);
    if (h.dataSize() > in.left()) {
        in.fail("truncated", "the data of " + counted(h.nVerts, "vertices") + ", " + counted(h.nFaces, "faces") +
                                 " and " + std::to_string(polygonCount(m)) + " collision polygons needs " +
                                 std::to_string(2 * std::uint64_t{h.nBones} + kVertexSize * h.nVerts +
                                                kFaceSize * h.nFaces + kPolygonSize * polygonCount(m)) +
                                 " bytes, " + std::to_string(in.left()) + " left");
    }
    m.bones.resize(h.nBones);
    for (auto& n : m.bones) n = in.u16("bone vertex count");
    m.vertices.reserve(h.nVerts);
    for (std::size_t i = 0; i < h.nVerts; ++i) m.vertices.push_back(readVertex(in, reading));
    m.faces.reserve(h.nFaces);
    for (std::size_t i = 0; i < h.nFaces; ++i) {
        const Face face = readFace(in);
        if (acceptFace(in, face, i, h.nVerts, reading)) m.faces.push_back(face);
    }
    m.polygons.resize(static_cast<std::size_t>(polygonCount(m)));
    for (CollisionPolygon& p : m.polygons) p = readPolygon(in);
    return m;
}

void writeModelData(ByteWriter& out, const Model& m) {
    for (const auto n : m.bones) out.u16(n);
    for (const Vertex& v : m.vertices) writeVertex(out, v);
    for (const Face& f : m.faces) writeFace(out, f);
    for (const CollisionPolygon& p : m.polygons) writePolygon(out, p);
}

}  // namespace geomconv::groove
