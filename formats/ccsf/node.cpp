// Obj 0x0100, Obj2 0x2000, ExtObj 0x0a00, Clump 0x0900: what makes the hierarchy.

#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

void readObj(ByteReader& in, Reading& reading) {
    const std::uint16_t version = reading.document.version();
    Obj obj;
    obj.chunk = reading.chunk;
    obj.object = reading.object(in, "object");
    obj.parent = reading.object(in, "parent");
    obj.model = reading.object(in, "model");
    if (version >= 0x96) obj.shadowModel = reading.object(in, "shadowModel");
    if (version > 0x120) obj.extra = in.u32("extra");
    reading.document.objs.push_back(obj);
}

void readObj2(ByteReader& in, Reading& reading) {
    Obj2 obj2;
    obj2.chunk = reading.chunk;
    obj2.object = reading.object(in, "object");
    obj2.flags = in.u32("flags");
    obj2.modifier = reading.object(in, "modifier");
    obj2.layer = in.u32("layer");
    obj2.shadowLayer = in.u32("shadowLayer");
    reading.document.obj2s.push_back(obj2);
}

void readExtObj(ByteReader& in, Reading& reading) {
    ExtObj ext;
    ext.chunk = reading.chunk;
    ext.object = reading.object(in, "object");
    ext.parent = reading.object(in, "parent");
    ext.target = reading.object(in, "target");
    reading.document.extObjs.push_back(ext);
}

void readClump(ByteReader& in, Reading& reading) {
    Clump clump;
    clump.chunk = reading.chunk;
    clump.object = reading.object(in, "object");
    const std::uint64_t at = in.offset();
    const std::uint16_t count = in.u16("node count");
    in.skip(2, "padding");
    const bool bound = reading.document.version() > kLastGeneration1;
    in.checkCount(count, bound ? 4 + 36 : 4, "node count", at);
    for (std::uint16_t i = 0; i < count; ++i) clump.nodes.push_back(reading.object(in, "node"));
    for (std::uint16_t i = 0; bound && i < count; ++i) {
        Transform& bind = clump.binds.emplace_back();
        bind.position = readVec3(in, "bind position");
        bind.rotation = readVec3(in, "bind rotation");
        bind.scale = readVec3(in, "bind scale");
    }
    reading.document.clumps.push_back(std::move(clump));
}

}  // namespace geomconv::ccsf
