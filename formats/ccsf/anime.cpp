#include "formats/ccsf/anime.hpp"

#include <array>

#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

namespace {

constexpr std::array<ControllerField, 4> kObjFields{{{"position", 0, 3},
                                                     {.name = "rotation", .shift = 3, .width = 3, .rotation = true},
                                                     {"scale", 6, 3},
                                                     {"transparency", 9, 1}}};
constexpr std::array<ControllerField, 6> kMaterialFields{
    {{"u", 0, 1}, {"v", 3, 1}, {"scaleU", 6, 1}, {"scaleV", 9, 1}, {"unknown12", 12, 1}, {"unknown15", 15, 1}}};
constexpr std::array<ControllerField, 3> kCameraFields{
    {{"position", 0, 3}, {.name = "rotation", .shift = 3, .width = 3, .rotation = true}, {"fov", 6, 1}}};
constexpr std::array<ControllerField, 3> kDistantFields{{{.name = "rotation", .shift = 3, .width = 3, .rotation = true},
                                                         {.name = "colour", .shift = 6, .width = 1, .colour = true},
                                                         {"intensity", 9, 1}}};
constexpr std::array<ControllerField, 8> kDirectFields{{{"position", 0, 3},
                                                        {.name = "rotation", .shift = 3, .width = 3, .rotation = true},
                                                        {.name = "colour", .shift = 6, .width = 1, .colour = true},
                                                        {"intensity", 9, 1},
                                                        {"start", 12, 1},
                                                        {"end", 15, 1},
                                                        {"radius18", 18, 1},
                                                        {"radius21", 21, 1}}};
constexpr std::array<ControllerField, 5> kOmniFields{{{"position", 0, 3},
                                                      {.name = "colour", .shift = 6, .width = 1, .colour = true},
                                                      {"intensity", 9, 1},
                                                      {"start", 12, 1},
                                                      {"end", 15, 1}}};

}  // namespace

std::span<const ControllerField> controllerFields(std::uint16_t kind) noexcept {
    switch (kind) {
        case kind::kObjController:
            return kObjFields;
        case kind::kMaterialController:
            return kMaterialFields;
        case kind::kCameraController:
            return kCameraFields;
        case kind::kDistantLightController:
            return kDistantFields;
        case kind::kDirectLightController:
        case kind::kSpotLightController:
            return kDirectFields;
        case kind::kOmniLightController:
            return kOmniFields;
        default:
            return {};
    }
}

Controller readController(ByteReader& in, std::uint16_t kind) {
    Controller out;
    out.object = in.u32("object");
    out.flags = in.u32("flags");
    for (const ControllerField& field : controllerFields(kind))
        out.tracks.push_back(readTrack(in, (out.flags >> field.shift) & 7, field.width, field.rotation));
    return out;
}

void readAnime(ByteReader& in, Reading& reading) {
    Anime anime;
    anime.chunk = reading.chunk;
    anime.object = reading.object(in, "object");
    anime.frames = in.u32("frames");
    anime.words = in.u32("words");
    const auto drop = [&](std::uint64_t at, std::string detail) {
        reading.warn(in, "bad-anime", at, std::move(detail) + "; the animation is left out");
        in.skip(in.left(), "rest");
    };
    const std::uint64_t end = in.position() + 4 * std::uint64_t{anime.words};
    if (end > in.size()) return drop(in.offset(), std::to_string(anime.words) + " words of records end past the chunk");
    if (end != in.size()) reading.warn(in, "anime-size", "the records end before the chunk does");
    while (in.position() < end) {
        Chunk record;
        record.offset = in.offset();
        if (end - in.position() < 8) return drop(record.offset, "a record's head ends past the records");
        record.kind = in.u16("record kind");
        record.tag = in.u16("record tag");
        record.size = in.u32("record size");
        const std::uint64_t bytes = 4 * std::uint64_t{record.size};
        if (bytes > end - in.position()) {
            return drop(record.offset, "record " + hex(record.kind) + " of " + std::to_string(record.size) +
                                           " words ends past the records");
        }
        record.payload = in.bytes(bytes, "record");
        if (findKind(record.kind, Section::Frames) == nullptr && reading.first("record " + hex(record.kind))) {
            reading.warn(in, "unknown-kind", record.offset,
                         "record kind " + hex(record.kind) + " is not known; kept as bytes");
        }
        if (record.kind == kind::kTop && bytes >= 4) anime.loops = load<std::int32_t>(record.payload, 0) == -2;
        anime.records.push_back(record);
    }
    in.skip(in.left(), "rest");
    reading.document.animes.push_back(std::move(anime));
}

Track readTrack(ByteReader& in, std::uint32_t kind, std::uint32_t width, bool rotation) {
    Track track;
    track.width = width;
    switch (kind) {
        case 0:
            return track;
        case 1:
            track.form = Track::Form::Constant;
            track.count = 1;
            track.keys = in.bytes(4 * width, "constant");
            return track;
        case 2:
            track.form = Track::Form::Keys;
            break;
        case 4:
            if (!rotation) in.fail("controller", "controller kind 4 is for rotations alone");
            track.form = Track::Form::Quaternions;
            track.width = 4;
            break;
        default:
            in.fail("controller", "controller kind " + std::to_string(kind) + " is not known");
    }
    track.count = in.count32(4 + 4 * track.width, "key count");
    track.keys = in.bytes(std::uint64_t{track.count} * (4 + 4 * track.width), "keys");
    if (track.count == 0) track.form = Track::Form::Absent;
    return track;
}

std::uint32_t Track::frame(std::size_t key) const noexcept {
    return form == Form::Constant ? 0 : load<std::uint32_t>(keys, key * (4 + 4 * width));
}

float Track::value(std::size_t key, std::size_t component) const noexcept {
    const std::size_t start = form == Form::Constant ? 0 : key * (4 + 4 * width) + 4;
    return load<float>(keys, start + 4 * component);
}

std::uint8_t Track::byte(std::size_t key, std::size_t component) const noexcept {
    return keys[(form == Form::Constant ? 0 : key * (4 + 4 * width) + 4) + component];
}

Track::Place Track::placeAt(double time) const noexcept {
    std::size_t at = 0;
    std::uint32_t before = 0;
    for (; at < count; ++at) {
        const std::uint32_t f = frame(at);
        if (f < before) break;  // never reached: the value before it stays
        if (f >= time) {
            if (at == 0) return {0, 0, 0.0};
            return {at - 1, at, (time - before) / (static_cast<double>(f) - before)};
        }
        before = f;
    }
    return {at - 1, at - 1, 0.0};
}

ObjController readObjController(ByteReader& in) {
    ObjController out;
    out.object = in.u32("object");
    out.flags = in.u32("flags");
    out.position = readTrack(in, out.flags & 7, 3, false);
    out.rotation = readTrack(in, (out.flags >> 3) & 7, 3, true);
    out.scale = readTrack(in, (out.flags >> 6) & 7, 3, false);
    out.transparency = readTrack(in, (out.flags >> 9) & 7, 1, false);
    return out;
}

std::optional<FObj> readFObj(const Chunk& record) {
    // Later games leave fields out by flags, in an order that only one source gives; these are told by their size.
    if (record.payload.size() != 52) return std::nullopt;
    const auto at = [&](std::size_t i) { return load<float>(record.payload, 8 + 4 * i); };
    FObj out;
    out.object = load<std::uint32_t>(record.payload, 0);
    out.transform.position = {at(0), at(1), at(2)};
    out.transform.rotation = {at(3), at(4), at(5)};
    out.transform.scale = {at(6), at(7), at(8)};
    out.transparency = at(9);
    return out;
}

}  // namespace geomconv::ccsf
