#include "formats/cmp/mesh.hpp"

#include <string>

#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/checksum.hpp"

namespace geomconv::cmp {

VertexLayout vertexLayout(std::uint16_t format) {
    // D3D order: position, normal, point size, diffuse, specular, texture coordinates.
    VertexLayout layout;
    std::uint32_t at = (format & 0x002) != 0 ? 12 : 0;
    if ((format & 0x010) != 0) {
        layout.normal = at;
        at += 12;
    }
    if ((format & 0x020) != 0) at += 4;
    if ((format & 0x040) != 0) {
        layout.diffuse = at;
        at += 4;
    }
    if ((format & 0x080) != 0) at += 4;
    const std::uint32_t uvSets = (format >> 8) & 15U;
    if (uvSets > 0) layout.uv = at;
    layout.stride = at + 8 * uvSets;
    return layout;
}

MeshLibrary readMeshLibrary(const std::string& name, Bytes data, std::uint64_t base) {
    ByteReader in(data, ByteOrder::Little, base);
    in.name("mesh", name);
    MeshLibrary mesh;
    mesh.name = name;
    mesh.id = freelancerHash(name);
    in.u32("mesh type");
    mesh.primitive = in.u32("primitive type");
    const std::uint16_t groups = in.u16("group count");
    const std::uint16_t indices = in.u16("index count");
    mesh.vertexFormat = in.u16("vertex format");
    mesh.vertexCount = in.u16("vertex count");
    mesh.stride = vertexLayout(mesh.vertexFormat).stride;
    in.checkCount(groups, 12, "group count", base + 8);
    mesh.groups.reserve(groups);
    for (unsigned g = 0; g < groups; ++g) {
        MeshGroup group;
        group.material = in.u32("material");
        group.firstVertex = in.u16("first vertex");
        group.lastVertex = in.u16("last vertex");
        group.indexCount = in.u16("group index count");
        group.padding = in.u16("group padding");
        mesh.groups.push_back(group);
    }
    in.checkCount(indices, 2, "index count", base + 10);
    mesh.indices.reserve(indices);
    for (unsigned i = 0; i < indices; ++i) mesh.indices.push_back(in.u16("index"));
    in.checkCount(mesh.vertexCount, mesh.stride, "vertex count", base + 14);
    mesh.vertices = in.bytes(std::uint64_t{mesh.vertexCount} * mesh.stride, "vertices");
    return mesh;
}

MeshRef readMeshRef(Bytes data, std::uint64_t base) {
    ByteReader in(data, ByteOrder::Little, base);
    in.name("VMeshRef", "");
    MeshRef ref;
    in.u32("size");
    ref.meshId = in.u32("mesh id");
    ref.vertexStart = in.u16("vertex start");
    ref.vertexCount = in.u16("vertex count");
    ref.indexStart = in.u16("index start");
    ref.indexCount = in.u16("index count");
    ref.groupStart = in.u16("group start");
    ref.groupCount = in.u16("group count");
    // Unlike the rest of the game's boxes: maximum before minimum, axis by axis.
    for (int axis = 0; axis < 3; ++axis) {
        ref.maximum[axis] = in.f32("maximum");
        ref.minimum[axis] = in.f32("minimum");
    }
    for (int axis = 0; axis < 3; ++axis) ref.center[axis] = in.f32("center");
    ref.radius = in.f32("radius");
    return ref;
}

}  // namespace geomconv::cmp
