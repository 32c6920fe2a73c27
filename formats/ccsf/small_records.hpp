#pragma once

// Chunks and records that no scene is made of: effects, layers, sounds, notes, cameras and lights by frame. Their
// fields are shown in the dump and read for lights and cameras; the bytes stay in the chunk. One function per record,
// top to bottom; an `Out` gets each field under its name of FORMAT.md.
//
//     out.object(name, index)      an object index
//     out.number(name, value)      any integer or float
//     out.numbers(name, span)      floats or bytes of a vector or colour
//     out.bytes(name, bytes)       data that nothing interprets, or padding that is not zero
//     out.items(name, count, each) a list: each() reads one item
//     out.track(name, track, colour) keys

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "formats/ccsf/anime.hpp"
#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

template <class Out>
class SmallRecords {
public:
    SmallRecords(ByteReader& in, Out& out) : in_(in), out_(out) {}

    /// Reads a chunk's or record's fields; false for a kind that has none here.
    bool read(std::uint16_t kind, Section section) {
        if (section == Section::Setup ? !readSetup(kind) : !readFrames(kind)) return false;
        if (in_.left() > 0) out_.bytes("unknown", in_.bytes(in_.left(), "rest"));
        return true;
    }

private:
    bool readSetup(std::uint16_t kind) {
        switch (kind) {
            case kind::kFrame:
                u32("frames");
                return true;
            case kind::kEff:
                eff();
                return true;
            case kind::kFBRect:
                fbRect();
                return true;
            case kind::kFBPage:
                fbPage();
                return true;
            case kind::kLayer:
                layer();
                return true;
            case kind::kShadow:
                shadow();
                return true;
            case kind::kPcm:
                pcm();
                return true;
            case kind::kDynamics:
                dynamics();
                return true;
            case kind::kBinaryBlob:
                object("object");
                return true;
            default:
                return false;
        }
    }

    bool readFrames(std::uint16_t kind) {
        switch (kind) {
            case kind::kFNote:
                fNote();
                return true;
            case kind::kFMaterial:
                fMaterial();
                return true;
            case kind::kFCamera:
                fCamera();
                return true;
            case kind::kFAmbient:
                colour("colour");
                return true;
            case kind::kFDistantLight:
                fDistantLight();
                return true;
            case kind::kFDirectLight:
            case kind::kFSpotLight:
                fDirectLight();
                return true;
            case kind::kFOmniLight:
                fOmniLight();
                return true;
            case kind::kFShadow:
                fShadow();
                return true;
            case kind::kFMorpher:
                fMorpher();
                return true;
            case kind::kMorphController:
                morphController();
                return true;
            case kind::kFPcm:
                fPcm();
                return true;
            default:
                if (controllerFields(kind).empty()) return false;
                controller(kind);
                return true;
        }
    }

    // ---- chunks

    void eff() {
        object("object");
        object("texture");
        u16("flag");
        s16("zoffs");
        u16("unknown0c");
        const std::uint32_t patterns = u16("patNum");
        for (const char* corner : {"x0", "y0", "x1", "y1"}) f32(corner);
        u16("w");
        u16("h");
        in_.checkCount(patterns, 8, "patNum", in_.offset());
        out_.items("patterns", patterns, [&] {
            u16("u");
            u16("v");
            u16("transparency");
            padding(2);
        });
    }
    void fbRect() {
        object("object");
        u8("type");
        padding(3);
        for (const char* side : {"x", "y", "w", "h"}) u16(side);
    }
    void fbPage() {
        object("object");
        const std::uint32_t count = in_.count32(8, "page count");
        out_.items("pages", count, [&] {
            for (const char* side : {"px", "py", "pw", "ph", "type"}) u8(side);
            padding(3);
        });
    }
    void layer() {
        const std::uint32_t count = in_.u16("entry count");
        padding(2);
        in_.checkCount(count, 8, "entry count", in_.offset());
        out_.items("entries", count, [&] {
            u8("kind");
            padding(3);
            object("object");
        });
    }
    void shadow() {
        object("object");
        for (const char* side : {"x", "y", "w", "h"}) u16(side);
        s16("px");
        s16("py");
        u8("copies");
        u8("spread");
        padding(2);
        f32("length");
    }
    void pcm() {
        u32("id");
        u8("type");
        u8("bits");
        u8("track");
        padding(1);
        sound(u32("blocks"));
    }
    void dynamics() {
        object("clump");
        const std::uint32_t springs = in_.u16("springs");
        const std::uint32_t collisions = in_.u16("collisions");
        in_.checkCount(std::uint64_t{springs} + collisions, 16, "springs and collisions", in_.offset());
        out_.items("springs", springs, [&] {
            object("node");
            vector("value");
        });
        out_.items("collisions", collisions, [&] {
            object("node");
            vector("position");
            vector("rotation");
            vector("scale");
        });
    }
    void sound(std::uint32_t blocks) {
        const std::uint32_t words = u32("words");
        const std::uint64_t count = std::uint64_t{blocks} * words;
        in_.checkCount(count, 4, "sound words", in_.offset());
        out_.bytes("data", in_.bytes(4 * count, "sound"));
    }

    // ---- records

    void fNote() {
        object("object");
        u32("event");
        u32("param");
    }
    void fMaterial() {
        object("material");
        const std::uint32_t flag = u32("flag");
        if ((flag & 2) != 0 || in_.left() < 8) return;
        f32("u");
        f32("v");
    }
    /// One float per clear bit 1 to 8, none with bit 0.
    void fCamera() {
        static constexpr std::array<std::string_view, 8> kFields{"x", "y", "z", "rx", "ry", "rz", "unknown7", "fov"};
        object("camera");
        const std::uint32_t flag = u32("flag");
        for (std::size_t i = 0; i < kFields.size() && (flag & 1) == 0; ++i) {
            if ((flag >> (i + 1) & 1) == 0) f32(kFields[i]);
        }
    }
    void fDistantLight() {
        object("light");
        const std::uint32_t flag = u32("flag");
        vector("rotation");
        colour("colour");
        if ((flag & 0x20) != 0) f32("intensity");
    }
    void fDirectLight() {
        object("light");
        u32("flag");
        vector("position");
        vector("rotation");
        colour("colour");
        for (const char* field : {"intensity", "start", "end", "radius18", "radius21"}) f32(field);
    }
    void fOmniLight() {
        object("light");
        u32("flag");
        vector("position");
        colour("colour");
        for (const char* field : {"intensity", "start", "end"}) f32(field);
    }
    void fShadow() {
        object("layer");
        vector("rotation");
        f32("alpha");
    }
    void fPcm() {
        u32("id");
        const std::uint32_t blocks = u16("blocks");
        padding(2);
        sound(blocks);
    }
    void fMorpher() {
        object("morpher");
        const std::uint32_t count = in_.u16("target count");
        padding(2);
        in_.checkCount(count, 8, "target count", in_.offset());
        out_.items("targets", count, [&] {
            object("target");
            f32("weight");
        });
    }
    void controller(std::uint16_t kind) {
        object("object");
        const std::uint32_t flags = u32("flags");
        for (const ControllerField& field : controllerFields(kind))
            track(field.name, readTrack(in_, (flags >> field.shift) & 7, field.width, field.rotation), field.colour);
    }
    void morphController() {
        object("morpher");
        const std::uint32_t count = in_.count32(8, "target count");
        out_.items("targets", count, [&] {
            object("target");
            track("weight", readTrack(in_, u32("flags") & 7, 1, false), false);
        });
    }
    void track(std::string_view name, const Track& track, bool colour) {
        if (!track.absent()) out_.track(name, track, colour);
    }

    // ---- fields

    std::uint32_t u32(std::string_view name) {
        const std::uint32_t value = in_.u32(name);
        out_.number(name, value);
        return value;
    }
    std::uint32_t u16(std::string_view name) {
        const std::uint16_t value = in_.u16(name);
        out_.number(name, value);
        return value;
    }
    void s16(std::string_view name) { out_.number(name, std::int32_t{in_.s16(name)}); }
    void u8(std::string_view name) { out_.number(name, in_.u8(name)); }
    void f32(std::string_view name) { out_.number(name, in_.f32(name)); }
    void object(std::string_view name) { out_.object(name, in_.u32(name)); }
    void vector(std::string_view name) {
        const Vec3 v = readVec3(in_, name);
        out_.numbers(name, std::span<const float>(&v.x, 3));
    }
    void colour(std::string_view name) { out_.numbers(name, std::span<const std::uint8_t>(in_.bytes(4, name))); }
    /// Shown where it is not zero, under its offset in the payload.
    void padding(std::size_t size) {
        static constexpr char kHex[] = "0123456789abcdef";
        const std::uint64_t at = in_.position();
        const Bytes bytes = in_.bytes(size, "padding");
        if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; })) return;
        out_.bytes(std::string("unknown") + kHex[at >> 4 & 15] + kHex[at & 15], bytes);
    }

    ByteReader& in_;
    Out& out_;
};

}  // namespace geomconv::ccsf
