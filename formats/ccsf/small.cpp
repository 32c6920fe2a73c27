// Hit 0x0b00, Bbox 0x0c00, DummyPos 0x1300, DummyPosRot 0x1400, Camera 0x0500, Light 0x0600, Morpher 0x1900.

#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

void readHit(ByteReader& in, Reading& reading) {
    Hit hit;
    hit.chunk = reading.chunk;
    hit.object = reading.object(in, "object");
    hit.parent = reading.object(in, "parent");
    const std::uint64_t at = in.offset();
    const std::uint16_t groups = in.u16("group count");
    in.skip(2, "padding");
    hit.totalVertices = in.u32("totalVertices");
    in.checkCount(groups, 8, "group count", at);
    for (std::uint16_t i = 0; i < groups; ++i) {
        HitGroup group;
        const std::uint64_t countAt = in.offset();
        group.count = in.u32("vertex count");
        group.attribute = in.u32("attribute");
        in.checkCount(group.count, 24, "vertex count", countAt);
        group.positions = in.bytes(std::uint64_t{group.count} * 12, "positions");
        group.normals = in.bytes(std::uint64_t{group.count} * 12, "normals");
        hit.groups.push_back(group);
    }
    reading.document.hits.push_back(std::move(hit));
}

void readBbox(ByteReader& in, Reading& reading) {
    Bbox box;
    box.chunk = reading.chunk;
    box.object = reading.object(in, "box");
    box.target = reading.object(in, "target");
    box.min = readVec3(in, "min");
    box.max = readVec3(in, "max");
    reading.document.boxes.push_back(box);
}

void readDummyPos(ByteReader& in, Reading& reading) {
    Dummy dummy;
    dummy.chunk = reading.chunk;
    dummy.object = reading.object(in, "object");
    dummy.position = readVec3(in, "position");
    reading.document.dummies.push_back(dummy);
}

void readDummyPosRot(ByteReader& in, Reading& reading) {
    Dummy dummy;
    dummy.chunk = reading.chunk;
    dummy.object = reading.object(in, "object");
    dummy.position = readVec3(in, "position");
    dummy.rotation = readVec3(in, "rotation");
    reading.document.dummies.push_back(dummy);
}

void readCamera(ByteReader& in, Reading& reading) {
    Camera camera;
    camera.chunk = reading.chunk;
    camera.object = reading.object(in, "object");
    reading.document.cameras.push_back(camera);
}

void readLight(ByteReader& in, Reading& reading) {
    Light light;
    light.chunk = reading.chunk;
    light.object = reading.object(in, "object");
    light.type = in.s16("type");
    in.skip(2, "padding");
    reading.document.lights.push_back(light);
}

void readMorpher(ByteReader& in, Reading& reading) {
    Morpher morpher;
    morpher.chunk = reading.chunk;
    morpher.object = reading.object(in, "morpher");
    morpher.baseModel = reading.object(in, "baseModel");
    reading.document.morphers.push_back(morpher);
}

}  // namespace geomconv::ccsf
