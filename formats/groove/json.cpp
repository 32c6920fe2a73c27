#include "lib/json.hpp"

#include "formats/groove/groove.hpp"

namespace geomconv::groove {

namespace {

// Each record to JSON. Arrays of numbers are flat, chunks that are not interpreted are base64. Pad and pointer fields
// that are 0 in every file are left out where they are.

/// One number per record of a list.
template <class T, class List, class Get>
void column(JsonWriter& out, std::string_view name, const List& list, Get get) {
    std::vector<T> values;
    values.reserve(list.size());
    for (const auto& item : list) values.push_back(get(item));
    out.field(name, std::span<const T>(values));
}

template <class List, class Get>
void vectorColumn(JsonWriter& out, std::string_view name, const List& list, Get get) {
    std::vector<float> values;
    values.reserve(list.size() * 3);
    for (const auto& item : list) {
        const Vec3 v = get(item);
        values.insert(values.end(), {v.x, v.y, v.z});
    }
    out.field(name, std::span<const float>(values));
}

void whenSet(JsonWriter& out, std::string_view name, std::uint32_t value) {
    if (value != 0) out.field(name, value);
}

void writeModel(JsonWriter& out, const Model& m, ModelKind kind) {
    out.beginObject();
    vectorColumn(out, "boxCenter", std::array{m.boxCenter}, [](const Vec3& v) { return v; });
    vectorColumn(out, "boxCorners", m.boxCorners, [](const Vec3& v) { return v; });
    out.field("groups", std::span<const std::uint16_t>(m.groups));
    whenSet(out, "unknown70", m.unknown70);
    whenSet(out, "unknown74", m.unknown74);
    whenSet(out, "unknown7e", m.unknown7e);
    whenSet(out, "unknown80", m.unknown80);
    if (kind == ModelKind::Stpc) {
        out.field("nStatic", m.nStatic);
        whenSet(out, "unknown88", m.unknown88);
        out.field("bones", std::span<const std::uint16_t>(m.bones));
    }
    vectorColumn(out, "positions", m.vertices, [](const Vertex& v) { return v.position; });
    vectorColumn(out, "normals", m.vertices, [](const Vertex& v) { return v.normal; });
    column<std::uint16_t>(out, "faceFlags", m.faces, [](const Face& f) { return f.flags; });
    std::vector<std::uint16_t> corners;
    for (const Face& f : m.faces) corners.insert(corners.end(), f.vertices.begin(), f.vertices.end());
    out.field("faceVertices", std::span<const std::uint16_t>(corners));
    column<std::uint16_t>(out, "faceTextures", m.faces, [](const Face& f) { return f.texture; });
    for (const Face& f : m.faces) {
        if (f.unknown0a == 0) continue;
        column<std::uint16_t>(out, "faceUnknown0a", m.faces, [](const Face& face) { return face.unknown0a; });
        break;
    }
    vectorColumn(out, "faceNormals", m.faces, [](const Face& f) { return f.normal; });
    column<float>(out, "faceD", m.faces, [](const Face& f) { return f.d; });
    column<std::uint8_t>(out, "polygonTypes", m.polygons, [](const CollisionPolygon& p) { return p.type; });
    column<std::uint8_t>(out, "polygonMaterials", m.polygons, [](const CollisionPolygon& p) { return p.material; });
    // Five planes of nx, ny, nz, unknown03, d each.
    std::vector<std::int32_t> planes;
    for (const CollisionPolygon& p : m.polygons) {
        for (const Plane& q : p.planes) planes.insert(planes.end(), {q.nx, q.ny, q.nz, q.unknown03, q.d});
    }
    out.field("polygonPlanes", std::span<const std::int32_t>(planes));
    out.endObject();
}

void writeModels(JsonWriter& out, std::string_view name, const std::vector<Model>& models, ModelKind kind) {
    out.key(name);
    out.beginArray();
    for (const Model& m : models) writeModel(out, m, kind);
    out.endArray();
}

void writeChunks(JsonWriter& out, const Level& level) {
    out.key("chunks");
    out.beginArray();
    for (const Chunk& c : level.container.chunks) {
        const bool first = findChunk(level.container, c.tag) == &c;
        const bool decoded = first && ((c.tag == "TEXT" && level.text) || (c.tag == "TRAK" && level.trak) ||
                                       (c.tag == "STPC" && level.stpc) || (c.tag == "MAP " && level.map));
        out.beginObject();
        out.field("tag", c.tag);
        out.field("offset", c.offset);
        out.field("declared", c.declared);
        out.field("size", static_cast<std::uint64_t>(c.payload.size()));
        if (!decoded) out.base64("payload", c.payload);
        if (!c.padding.empty()) out.base64("padding", c.padding);
        out.endObject();
    }
    out.endArray();
    if (!level.container.trailing.empty()) out.base64("trailing", level.container.trailing);
}

void writeText(JsonWriter& out, const Textures& text) {
    out.key("text");
    out.beginObject();
    out.objects("palettes", text.palettes, [&](const Palette& p) {
        out.field("id", p.id);
        out.field("colours", std::span<const std::uint16_t>(p.colours));
        out.field("extra", std::span<const std::uint8_t>(p.extra));
    });
    out.objects("pages", text.pages, [&](const Page& p) {
        out.field("flags", p.flags);
        out.field("w", p.w);
        out.field("h", p.h);
        out.base64("body", p.body);
    });
    out.objects("textures", text.textures, [&](const Texture& t) {
        out.field("flags", t.flags);
        out.field("page", std::int32_t{t.page});
        out.field("palette", std::int32_t{t.palette});
        out.field("u0", t.u0);
        out.field("u1", t.u1);
        out.field("v0", t.v0);
        out.field("v1", t.v1);
    });
    out.base64("rest", text.rest);
    out.endObject();
}

void writeTrakJson(JsonWriter& out, const Trak& trak) {
    out.key("trak");
    out.beginObject();
    writeModels(out, "models", trak.models, ModelKind::Trak);
    if (!trak.rest.empty()) out.base64("rest", trak.rest);
    out.endObject();
}

/// The decoded view of what stands behind the objects; the bytes are in `behind`.
void writeAnimations(JsonWriter& out, const Stpc& stpc) {
    out.objects("animations", stpc.animations, [&](const Animation& a) {
        out.field("nFrames", a.nFrames);
        out.field("flag", a.flag);
        out.field("nDelta", a.nDelta);
        out.field("nBones", a.nBones);
        std::vector<std::uint16_t> triggers;
        for (const Trigger& t : a.triggers) triggers.insert(triggers.end(), {t.frame, t.trigger});
        out.field("triggers", std::span<const std::uint16_t>(triggers));
    });
    if (!stpc.cutscenes) return;
    out.objects("cutscenes", *stpc.cutscenes, [&](const Cutscene& c) {
        out.field("name", c.name);
        std::vector<std::int32_t> parts;
        for (const auto& [nDelta, nBones] : c.parts) parts.insert(parts.end(), {nDelta, nBones});
        out.field("parts", std::span<const std::int32_t>(parts));
        writeModels(out, "models", c.models, ModelKind::Stpc);
    });
}

void writeStpcJson(JsonWriter& out, const Stpc& stpc) {
    out.key("stpc");
    out.beginObject();
    writeModels(out, "objects", stpc.objects, ModelKind::Stpc);
    out.field("variant", variantName(stpc.variant));
    if (stpc.animationsKnown) writeAnimations(out, stpc);
    out.field("tailSize", stpc.tailSize);
    if (stpc.scripts) out.field("scripts", *stpc.scripts);
    out.base64("behind", stpc.behind);
    out.endObject();
}

void writeColours(JsonWriter& out, std::string_view name, const ColourSets& sets) {
    out.key(name);
    out.beginObject();
    out.field("sets", sets.sets);
    std::vector<std::uint8_t> bytes;
    bytes.reserve(sets.colours.size() * 4);
    for (const VertexColour& c : sets.colours) bytes.insert(bytes.end(), {c.c0, c.c1, c.c2, c.sets});
    out.field("bytes", std::span<const std::uint8_t>(bytes));
    out.endObject();
}

void writeTile(JsonWriter& out, const Tile& t) {
    out.beginObject();
    out.field("position", std::span<const float>(&t.position.x, 3));
    out.field("rotation", t.rotation);
    out.field("modelA", t.modelA);
    out.field("animFlag", t.animFlag);
    out.field("b", std::span<const std::int32_t>(std::array{t.rx, t.ry, t.rz, t.x, t.y, t.z}));
    out.field("model", t.model);
    if (t.swap) out.field("swap", *t.swap);
    writeColours(out, "colours", t.colours);
    if (t.swapColours) writeColours(out, "swapColours", *t.swapColours);
    out.endObject();
}

void writeMapJson(JsonWriter& out, const Map& map) {
    out.key("map");
    out.beginObject();
    out.field("w", map.w);
    out.field("h", map.h);
    out.key("tiles");
    out.beginArray();
    for (const Tile& t : map.tiles) writeTile(out, t);
    out.endArray();
    out.field("params", std::span<const std::uint32_t>(map.params));
    out.field("doorCount", map.doorCount);
    out.base64("doors", map.doors);
    out.field("waypointCount", map.waypointCount);
    out.base64("waypoints", map.waypoints);
    out.objects("zones", map.zones, [&](const Zone& z) {
        out.field("mask", z.mask);
        out.field("waterLevel", z.waterLevel);
    });
    out.field("zoneGrid", std::span<const std::uint32_t>(map.zoneGrid));
    if (map.swaps) {
        out.objects("swaps", *map.swaps, [&](const Swap& s) {
            out.field("cellX", s.cellX);
            out.field("y", s.y);
            out.field("cellZ", s.cellZ);
            out.field("modelA", s.modelA);
            out.field("modelB", s.modelB);
        });
    }
    out.field("colourRule", map.colourRule);
    out.field("restLands", map.restLands);
    out.base64("rest", map.rest);
    out.endObject();
}

}  // namespace

void toJson(const Level& level, Sink& sink) {
    JsonWriter out(sink);
    out.beginObject();
    out.head();
    out.field("document", "groove");
    out.field("framing", framingName(level.container.framing));
    if (level.container.framing != Framing::F3) out.field("lengthWord", level.container.lengthWord);
    out.field("fileSize", level.container.fileSize);
    out.field("levelFlags", level.levelFlags);
    writeChunks(out, level);
    if (level.text) writeText(out, *level.text);
    if (level.trak) writeTrakJson(out, *level.trak);
    if (level.stpc) writeStpcJson(out, *level.stpc);
    if (level.map) writeMapJson(out, *level.map);
    out.endObject();
}

}  // namespace geomconv::groove
