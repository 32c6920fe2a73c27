#include <cmath>

#include "formats/groove/groove.hpp"
#include "lib/bytes/counted.hpp"

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

/// Refuses numbers that are none, or makes them 0.
void requireFinite(const ByteReader& in, Vec3& v, std::string_view field, ModelReading& reading) {
    if (isFinite(v)) return;
    reading.defects.refuse(in.defect(Severity::Error, "nonfinite", in.offset(), std::string(field) + " is no number"),
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

Vertex readVertex(ByteReader& in, ModelReading& reading) {
    Vertex v;
    v.position = readVec3(in, "vertex position");
    requireFinite(in, v.position, "vertex position", reading);
    v.normal = readVec3(in, "vertex normal");
    requireFinite(in, v.normal, "vertex normal", reading);
    return v;
}

void writeVertex(ByteWriter& out, const Vertex& v) {
    writeVec3(out, v.position);
    writeVec3(out, v.normal);
}

Face readFace(ByteReader& in) {
    Face f;
    f.flags = in.u16("face flags");
    for (auto& v : f.vertices) v = in.u16("face vertex");
    f.texture = in.u16("face texture");
    f.unknown0a = in.u16("face unknown0a");
    f.normal = readVec3(in, "face normal");
    f.d = in.f32("face d");
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
    CollisionPolygon p;
    p.type = in.u8("polygon type");
    p.material = in.u8("polygon material");
    for (Plane& plane : p.planes) {
        plane.nx = in.s8("plane nx");
        plane.ny = in.s8("plane ny");
        plane.nz = in.s8("plane nz");
        plane.unknown03 = in.u8("plane unknown03");
        plane.d = in.s16("plane d");
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
    requireFinite(in, m.boxCenter, "box centre", reading);
    for (Vec3& corner : m.boxCorners) {
        corner = readVec3(in, "box corner");
        requireFinite(in, corner, "box corner", reading);
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
