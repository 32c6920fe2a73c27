#include "lib/json.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/json_reader.hpp"

namespace geomconv::sur {

namespace {

// Each record: to JSON, then back. Arrays of numbers are flat. What has the usual value in every file (a face's own
// index, material 0, virtual bits as the hull's type asks) is left out.

template <class T, std::size_t N>
std::span<const T> spanOf(const std::array<T, N>& values) {
    return values;
}
std::span<const float> spanOf(const Vec3& v) {
    return {&v.x, 3};
}

template <class T>
T narrowed(const JsonReader& in, std::int64_t value, std::int64_t low, std::int64_t high, std::string_view field) {
    if (value < low || value > high) {
        in.fail(std::string(field) + ' ' + std::to_string(value) + " does not fit, the range is " +
                std::to_string(low) + " to " + std::to_string(high));
    }
    return static_cast<T>(value);
}
std::uint8_t byteFrom(JsonReader& in, std::string_view field) {
    return narrowed<std::uint8_t>(in, in.unsigned32(), 0, 0xff, field);
}

template <class T, std::size_t N>
std::array<T, N> arrayFrom(JsonReader& in, std::int64_t high, std::string_view field) {
    std::vector<std::uint32_t> values;
    in.numbers(values);
    if (values.size() != N) in.fail(std::string(field) + " needs " + std::to_string(N) + " numbers");
    std::array<T, N> out{};
    for (std::size_t i = 0; i < N; ++i) out[i] = narrowed<T>(in, values[i], 0, high, field);
    return out;
}
Vec3 vec3From(JsonReader& in) {
    std::vector<Vec3> values;
    in.numbers(values);
    if (values.size() != 1) in.fail("three numbers expected");
    return values.front();
}

// --------------------------------------------------------------------------------------------------------------- faces

/// Bit 0: the face, bits 1-3: its edges.
std::uint32_t virtualBits(const Face& face) {
    std::uint32_t bits = face.isVirtual ? 1 : 0;
    for (std::size_t e = 0; e < 3; ++e) bits |= face.virtualEdges[e] ? 2U << e : 0U;
    return bits;
}
void setVirtualBits(Face& face, std::uint32_t bits) {
    face.isVirtual = (bits & 1) != 0;
    for (std::size_t e = 0; e < 3; ++e) face.virtualEdges[e] = (bits & (2U << e)) != 0;
}
std::uint32_t usualVirtualBits(const Hull& hull) {
    return hull.terminal() ? 0 : 15;
}

/// A column of the face table: one number per face, left out when every face has the usual one.
template <class Value, class Usual>
void column(JsonWriter& out, const Hull& hull, std::string_view name, Value value, Usual usual) {
    std::vector<std::uint32_t> values;
    bool odd = false;
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        values.push_back(value(hull.faces[f]));
        odd = odd || values.back() != usual(f);
    }
    if (odd) out.field(name, std::span<const std::uint32_t>(values));
}

void facesToJson(JsonWriter& out, const Hull& hull) {
    std::vector<std::uint32_t> points;
    std::vector<std::uint32_t> pierce;
    std::vector<std::int32_t> opposites;
    points.reserve(3 * hull.faces.size());
    opposites.reserve(3 * hull.faces.size());
    pierce.reserve(hull.faces.size());
    for (const Face& face : hull.faces) {
        points.insert(points.end(), face.points.begin(), face.points.end());
        opposites.insert(opposites.end(), face.opposites.begin(), face.opposites.end());
        pierce.push_back(face.pierce);
    }
    out.key("faces");
    out.beginObject();
    out.field("points", std::span<const std::uint32_t>(points));
    out.field("opposites", std::span<const std::int32_t>(opposites));
    out.field("pierce", std::span<const std::uint32_t>(pierce));
    column(
        out, hull, "index", [](const Face& f) -> std::uint32_t { return f.index; },
        [](std::size_t f) { return static_cast<std::uint32_t>(f); });
    column(
        out, hull, "material", [](const Face& f) -> std::uint32_t { return f.material; },
        [](std::size_t) { return 0U; });
    column(out, hull, "virtual", virtualBits, [&](std::size_t) { return usualVirtualBits(hull); });
    out.endObject();
}

void facesFromJson(JsonReader& in, Hull& hull) {
    std::vector<std::uint32_t> points, pierce, index, material, bits;
    std::vector<std::int32_t> opposites;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "points")
            in.numbers(points);
        else if (key == "opposites")
            in.numbers(opposites);
        else if (key == "pierce")
            in.numbers(pierce);
        else if (key == "index")
            in.numbers(index);
        else if (key == "material")
            in.numbers(material);
        else if (key == "virtual")
            in.numbers(bits);
        else
            in.skip();
    }
    const std::size_t n = pierce.size();
    const auto columnFits = [n](const std::vector<std::uint32_t>& c) { return c.empty() || c.size() == n; };
    if (points.size() != 3 * n || opposites.size() != 3 * n || !columnFits(index) || !columnFits(material) ||
        !columnFits(bits)) {
        in.fail("the columns of faces differ in length");
    }
    if (n > kMaxFaces) in.fail("a hull of " + counted(n, "faces") + ", the limit is " + std::to_string(kMaxFaces));
    hull.faces.resize(n);
    for (std::size_t f = 0; f < n; ++f) {
        Face& face = hull.faces[f];
        face.index =
            narrowed<std::uint16_t>(in, index.empty() ? static_cast<std::uint32_t>(f) : index[f], 0, 0xfff, "index");
        face.pierce = narrowed<std::uint16_t>(in, pierce[f], 0, 0xfff, "pierce");
        face.material = narrowed<std::uint8_t>(in, material.empty() ? 0 : material[f], 0, 0x7f, "material");
        setVirtualBits(face, bits.empty() ? usualVirtualBits(hull) : bits[f]);
        for (std::size_t e = 0; e < 3; ++e) {
            face.points[e] = narrowed<std::uint16_t>(in, points[3 * f + e], 0, 0xffff, "points");
            face.opposites[e] = narrowed<std::int16_t>(in, opposites[3 * f + e], -0x4000, 0x3fff, "opposites");
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- hulls

void hullToJson(JsonWriter& out, const Hull& hull) {
    out.field("id", hull.id);
    out.field("type", hull.type);
    out.field("size", hull.size);
    out.field("reserved", hull.reserved);
    if (hull.firstPoint != 0) out.field("firstPoint", hull.firstPoint);
    if (hull.nodeOffset) out.field("nodeOffset", *hull.nodeOffset);
    facesToJson(out, hull);
}

Hull hullFromJson(JsonReader& in) {
    Hull hull;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "id")
            hull.id = in.unsigned32();
        else if (key == "type")
            hull.type = byteFrom(in, key);
        else if (key == "size")
            hull.size = narrowed<std::uint32_t>(in, in.unsigned32(), 0, 0xffffff, key);
        else if (key == "reserved")
            hull.reserved = narrowed<std::uint16_t>(in, in.unsigned32(), 0, 0xffff, key);
        else if (key == "firstPoint")
            hull.firstPoint = narrowed<std::uint32_t>(in, in.unsigned32(), 0, kMaxBlock, key);
        else if (key == "nodeOffset")
            hull.nodeOffset = in.unsigned32();
        else if (key == "faces")
            facesFromJson(in, hull);
        else
            in.skip();
    }
    return hull;
}

// --------------------------------------------------------------------------------------------------------------- nodes

void nodeToJson(JsonWriter& out, const Node& node) {
    if (node.right) out.field("right", *node.right);
    if (node.hull) out.field("hull", *node.hull);
    out.field("center", spanOf(node.center));
    out.field("radius", node.radius);
    out.field("boxSizes", spanOf(node.boxSizes));
    out.field("padding", node.padding);
}

Node nodeFromJson(JsonReader& in) {
    Node node;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "right")
            node.right = in.unsigned32();
        else if (key == "hull")
            node.hull = in.unsigned32();
        else if (key == "center")
            node.center = vec3From(in);
        else if (key == "radius")
            node.radius = in.float32();
        else if (key == "boxSizes")
            node.boxSizes = arrayFrom<std::uint8_t, 3>(in, 0xff, key);
        else if (key == "padding")
            node.padding = byteFrom(in, key);
        else
            in.skip();
    }
    return node;
}

// ------------------------------------------------------------------------------------------------------------- surface

void surfaceToJson(JsonWriter& out, const Surface& surface) {
    out.beginObject();
    out.field("massCenter", spanOf(surface.massCenter));
    out.field("rotationInertia", spanOf(surface.rotationInertia));
    out.field("radius", surface.radius);
    out.field("surfaceDeviation", surface.surfaceDeviation);
    out.field("padding", spanOf(surface.padding));
    out.objects("hulls", surface.hulls, [&](const Hull& hull) { hullToJson(out, hull); });
    std::vector<float> positions;
    std::vector<std::uint32_t> clientData;
    positions.reserve(3 * surface.points.size());
    clientData.reserve(surface.points.size());
    for (const Point& point : surface.points) {
        positions.insert(positions.end(), {point.position.x, point.position.y, point.position.z});
        clientData.push_back(point.clientData);
    }
    out.field("points", std::span<const float>(positions));
    out.field("clientData", std::span<const std::uint32_t>(clientData));
    out.objects("nodes", surface.nodes, [&](const Node& node) { nodeToJson(out, node); });
    if (surface.byteSize) out.field("byteSize", *surface.byteSize);
    if (!surface.tail.empty()) out.base64("tail", surface.tail);
    if (!surface.block.empty()) out.base64("block", surface.block);
    out.endObject();
}

/// A damaged block is written as it is: hulls and points beside it must be what it holds, or an edit would be lost.
void requireBlock(const JsonReader& in, const Surface& surface) {
    ByteReader reader(surface.block);
    Surface held;
    try {
        Defects known;
        held = readSurface(reader, known, true);
    } catch (const FormatError&) {
        held = {};  // kept by `recover`: no hull of it can be found, and none was written beside it
    }
    if (held.hulls != surface.hulls || held.points != surface.points) {
        in.fail(
            "hulls and points are not those of the block beside them; remove \"block\" and give \"nodes\" to use them");
    }
}

Surface surfaceFromJson(JsonReader& in) {
    Surface surface;
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> clientData;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "massCenter")
            surface.massCenter = vec3From(in);
        else if (key == "rotationInertia")
            surface.rotationInertia = vec3From(in);
        else if (key == "radius")
            surface.radius = in.float32();
        else if (key == "surfaceDeviation")
            surface.surfaceDeviation = byteFrom(in, key);
        else if (key == "padding")
            surface.padding = arrayFrom<std::uint32_t, 3>(in, 0xffffffff, key);
        else if (key == "points")
            in.numbers(positions);
        else if (key == "clientData")
            in.numbers(clientData);
        else if (key == "byteSize")
            surface.byteSize = narrowed<std::uint32_t>(in, in.unsigned32(), 0, kMaxBlock, key);
        else if (key == "tail")
            surface.tail = in.base64(key);
        else if (key == "block")
            surface.block = in.base64(key);
        else if (key == "hulls") {
            in.beginArray();
            while (in.nextItem()) surface.hulls.push_back(hullFromJson(in));
        } else if (key == "nodes") {
            in.beginArray();
            while (in.nextItem()) surface.nodes.push_back(nodeFromJson(in));
        } else
            in.skip();
    }
    if (clientData.size() != positions.size()) in.fail("clientData needs one number per point");
    surface.points.resize(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) surface.points[i] = {positions[i], clientData[i]};
    for (const Node& node : surface.nodes) {
        if (node.hull && *node.hull >= surface.hulls.size()) in.fail("a node names hull " + std::to_string(*node.hull));
    }
    if (!surface.block.empty()) requireBlock(in, surface);
    return surface;
}

// ---------------------------------------------------------------------------------------------------------------- part

constexpr std::array<std::pair<std::string_view, ChunkTag>, 4> kTags{{{"!fxd", ChunkTag::Unfixed},
                                                                      {"exts", ChunkTag::Extent},
                                                                      {"surf", ChunkTag::Surface},
                                                                      {"hpid", ChunkTag::Hardpoints}}};

void chunkToJson(JsonWriter& out, const Chunk& chunk) {
    const auto name = std::find_if(kTags.begin(), kTags.end(), [&](const auto& t) { return t.second == chunk.tag; });
    out.field("tag", name->first);
    if (chunk.repeats) out.base64("repeats", chunk.payload);
}

std::vector<Chunk> chunksFromJson(JsonReader& in) {
    std::vector<Chunk> chunks;
    in.beginArray();
    while (in.nextItem()) {
        Chunk& chunk = chunks.emplace_back();
        in.beginObject();
        for (std::string key; in.nextKey(key);) {
            if (key == "tag") {
                const std::string text = in.text();
                const auto tag =
                    std::find_if(kTags.begin(), kTags.end(), [&](const auto& t) { return t.first == text; });
                if (tag == kTags.end()) in.fail("chunk tag is one of !fxd, exts, surf, hpid");
                chunk.tag = tag->second;
            } else if (key == "repeats") {
                chunk.repeats = true;
                chunk.payload = in.base64(key);
            } else
                in.skip();
        }
    }
    return chunks;
}

void partToJson(JsonWriter& out, const Part& part) {
    out.field("id", part.id);
    out.field("fixed", part.fixed);
    if (part.extent) {
        out.key("extent");
        out.beginObject();
        out.field("minimum", spanOf(part.extent->minimum));
        out.field("maximum", spanOf(part.extent->maximum));
        out.endObject();
    }
    if (part.surface) {
        out.key("surface");
        surfaceToJson(out, *part.surface);
    }
    out.field("hardpoints", std::span<const std::uint32_t>(part.hardpoints));
    if (!part.chunks.empty()) {
        out.objects("chunks", part.chunks, [&](const Chunk& chunk) { chunkToJson(out, chunk); });
    }
    if (part.chunkCount) out.field("chunkCount", *part.chunkCount);
}

Extent extentFromJson(JsonReader& in) {
    Extent extent;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "minimum")
            extent.minimum = vec3From(in);
        else if (key == "maximum")
            extent.maximum = vec3From(in);
        else
            in.skip();
    }
    return extent;
}

Part partFromJson(JsonReader& in) {
    Part part;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "id")
            part.id = in.unsigned32();
        else if (key == "fixed")
            part.fixed = in.boolean();
        else if (key == "extent")
            part.extent = extentFromJson(in);
        else if (key == "surface")
            part.surface = surfaceFromJson(in);
        else if (key == "hardpoints")
            in.numbers(part.hardpoints);
        else if (key == "chunks")
            part.chunks = chunksFromJson(in);
        else if (key == "chunkCount")
            part.chunkCount = in.unsigned32();
        else
            in.skip();
    }
    const auto names = [&](ChunkTag tag) {
        return std::any_of(part.chunks.begin(), part.chunks.end(),
                           [tag](const Chunk& c) { return c.tag == tag && !c.repeats; });
    };
    if (names(ChunkTag::Surface) && !part.surface) in.fail("chunks name a surf that is not there");
    if (names(ChunkTag::Extent) && !part.extent) in.fail("chunks name exts that are not there");
    return part;
}

}  // namespace

void toJson(const Library& library, Sink& sink) {
    JsonWriter out(sink);
    out.beginObject();
    out.head();
    out.field("document", "sur");
    out.objects("parts", library.parts, [&](const Part& part) { partToJson(out, part); });
    out.endObject();
}

Library fromJson(std::string_view json) {
    JsonReader in(json);
    Library library;
    bool isSur = false;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "document")
            isSur = in.text() == "sur";
        else if (key == "parts") {
            in.beginArray();
            while (in.nextItem()) library.parts.push_back(partFromJson(in));
        } else
            in.skip();
    }
    in.expectEnd();
    if (!isSur) in.fail("the document is not \"sur\"");
    return library;
}

}  // namespace geomconv::sur
