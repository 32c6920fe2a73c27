#include <array>

#include "formats/groove/groove.hpp"

namespace geomconv::groove {

namespace {

constexpr std::uint64_t kAnimationHead = 32;
constexpr std::uint64_t kMatrixSize = 64;

/// What one reading of everything behind the object models gives.
struct Behind {
    std::vector<Animation> animations;
    std::optional<std::vector<Cutscene>> cutscenes;
    std::uint64_t tailSize = 0;
    std::optional<std::uint32_t> scripts;
    bool lands = false;  ///< the script list ends exactly with the chunk
    bool sound = true;   ///< pad words and pointer slots are 0, flags are 0 or 1
};

/// A block of n records of a size of its own; in 64 bits no product of these counts wraps.
void skipRecords(ByteReader& in, std::uint64_t n, std::uint64_t size, std::string_view field) {
    in.checkCount(n, size, field, in.offset());
    in.skip(n * size, field);
}

bool allZero(Bytes bytes) {
    for (const std::uint8_t b : bytes) {
        if (b != 0) return false;
    }
    return true;
}

std::uint64_t nonNegative(const ByteReader& in, std::int32_t value, std::string_view field) {
    if (value < 0) in.fail("animation", std::string(field) + ' ' + std::to_string(value));
    return static_cast<std::uint64_t>(value);
}

/// start: position of the first byte behind the object models.
Animation readAnimation(ByteReader& in, bool slots, std::uint64_t start, bool& sound) {
    Animation a;
    const std::int32_t triggers = in.s32("nA");
    sound = in.u32("animation unknown04") == 0 && sound;
    a.nFrames = in.s32("nFrames");
    a.flag = in.s32("animation flag");
    a.nDelta = in.s32("nDelta");
    sound = in.u32("animation unknown14") == 0 && sound;
    a.nBones = in.s32("nBones");
    sound = in.u32("animation unknown1c") == 0 && sound;
    sound = (a.flag == 0 || a.flag == 1) && sound;
    const std::uint64_t nA = nonNegative(in, triggers, "nA");
    const std::uint64_t frames = nonNegative(in, a.nFrames, "nFrames");
    in.checkCount(nA, 4, "nA", in.offset());
    a.triggers.resize(static_cast<std::size_t>(nA));
    for (Trigger& t : a.triggers) {
        t.frame = in.u16("trigger frame");
        t.trigger = in.u16("trigger");
    }
    if (a.flag == 0) skipRecords(in, frames, 8, "position deltas");
    if (slots) {
        const std::uint64_t words = frames * (a.nDelta != 0 ? 2 : 1);
        in.checkCount(words, 4, "pointer slots", in.offset());
        sound = allZero(in.bytes(4 * words, "pointer slots")) && sound;
    }

    const bool deltas = a.nDelta != 0 && a.nDelta != -1;
    const std::uint64_t nDelta = deltas ? nonNegative(in, a.nDelta, "nDelta") : 0;
    const std::uint64_t nBones = a.nBones > 0 ? static_cast<std::uint64_t>(a.nBones) : 0;
    a.firstDelta = 8 * nDelta;
    a.nextDelta = 2 * nDelta + 2 * (nDelta & 1);
    a.bonesAt = in.position() - start + a.firstDelta;
    a.frameSize = kMatrixSize * nBones + a.nextDelta;
    if (frames > 0) {
        in.skip(a.firstDelta + kMatrixSize * nBones, "first frame");
        skipRecords(in, frames - 1, a.frameSize, "frames");
    }
    return a;
}

Cutscene readCutscene(ByteReader& in, ModelReading& reading) {
    Cutscene c;
    c.name = in.string(4, "cutscene name");
    const std::uint32_t n = in.u32("cutscene model count");
    in.skip(8, "cutscene pad");
    in.checkCount(n, 8 + kStpcHeader, "cutscene model count", in.offset() - 12);
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::int32_t nDelta = in.s32("cutscene nDelta");
        c.parts.emplace_back(nDelta, in.s32("cutscene nBones"));
    }
    std::vector<ModelHeader> headers;
    headers.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) headers.push_back(readModelHeader(in, ModelKind::Stpc, reading));
    for (ModelHeader& h : headers) c.models.push_back(readModelData(in, std::move(h), reading));
    return c;
}

void readScripts(ByteReader& in, Behind& out) {
    out.tailSize = in.left();
    const std::uint32_t n = in.count32(4, "script count");
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t length = in.count32(4, "script length");
        in.skip(4 * std::uint64_t{length}, "script");
    }
    out.scripts = n;
    out.lands = in.left() == 0;
}

/// Throws FormatError when animations or cutscenes do not fit; a script list that does not is only noted.
Behind readBehind(ByteReader& in, bool slots, std::uint32_t levelFlags, ModelReading& reading) {
    Behind out;
    const std::uint64_t start = in.position();
    const std::uint32_t n2 = in.count32(kAnimationHead, "animation count");
    for (std::uint32_t i = 0; i < n2; ++i) out.animations.push_back(readAnimation(in, slots, start, out.sound));
    if ((levelFlags & kFlagCutscenes) != 0) {
        const std::uint32_t n3 = in.count32(16, "cutscene count");
        out.cutscenes.emplace();
        for (std::uint32_t i = 0; i < n3; ++i) out.cutscenes->push_back(readCutscene(in, reading));
    }
    try {
        readScripts(in, out);
    } catch (const FormatError&) {
        out.scripts.reset();
    }
    return out;
}

void take(Stpc& stpc, Behind&& behind) {
    stpc.animationsKnown = true;
    stpc.animations = std::move(behind.animations);
    stpc.cutscenes = std::move(behind.cutscenes);
    stpc.tailSize = behind.tailSize;
    if (behind.lands) stpc.scripts = behind.scripts;
}

/// Tries the block with and without pointer slots and keeps the reading under which the chunk lands.
void decodeBehind(ByteReader& in, Stpc& stpc, std::uint32_t levelFlags, ModelReading& reading) {
    const std::uint64_t start = in.position();
    std::array<std::optional<Behind>, 2> readings;
    for (const bool slots : {true, false}) {
        in.at(start, "animations");
        // What a wrong variant complains of is not the file's fault.
        Defects ignored;
        ModelReading quiet{ignored, reading.recover, true};
        try {
            readings[slots ? 0 : 1] = readBehind(in, slots, levelFlags, quiet);
        } catch (const FormatError&) {
            continue;
        }
    }
    auto& [p, n] = readings;
    if (p && p->lands) {
        stpc.variant = n && n->lands ? SlotVariant::Either : SlotVariant::P;
        return take(stpc, std::move(*p));
    }
    if (n && n->lands) {
        stpc.variant = SlotVariant::N;
        return take(stpc, std::move(*n));
    }
    in.at(start, "animations");
    reading.defects.add(in.defect(Severity::Warning, "stpc", in.offset(),
                                  "what stands behind the object models does not land on the chunk end, with pointer "
                                  "slots or without"));
    if (p && p->sound) return take(stpc, std::move(*p));
    if (n && n->sound) return take(stpc, std::move(*n));
}

}  // namespace

std::string_view variantName(SlotVariant variant) {
    constexpr std::array<std::string_view, 4> kNames{"P", "N", "either", "unknown"};
    return kNames[static_cast<std::size_t>(variant)];
}

Stpc readStpc(ByteReader& in, std::uint32_t levelFlags, ModelReading& reading) {
    Stpc stpc;
    const std::uint32_t n1 = in.count32(kStpcHeader, "object count");
    stpc.objects.reserve(n1);
    for (std::uint32_t i = 0; i < n1; ++i) {
        ByteReader object = in.within("object", std::to_string(i), in.position(), in.left());
        ModelHeader header = readModelHeader(object, ModelKind::Stpc, reading);
        stpc.objects.push_back(readModelData(object, std::move(header), reading));
        in.skip(object.position(), "object");
    }
    const Bytes behind = in.rest();
    stpc.behind.assign(behind.begin(), behind.end());
    decodeBehind(in, stpc, levelFlags, reading);
    return stpc;
}

ByteVector writeStpc(const Stpc& stpc) {
    ByteWriter out;
    out.u32(stpc.objects.size(), "object count");
    for (const Model& m : stpc.objects) {
        writeModelHeader(out, m, ModelKind::Stpc);
        writeModelData(out, m);
    }
    out.bytes(stpc.behind);
    return out.finish();
}

Mat4d boneMatrix(const Stpc& stpc, const Animation& a, std::int32_t frame, std::int32_t bone) {
    const std::uint64_t at =
        a.bonesAt + a.frameSize * static_cast<std::uint64_t>(frame) + kMatrixSize * static_cast<std::uint64_t>(bone);
    ByteReader in(stpc.behind);
    in.at(at, "bone matrix");
    Mat4d m(1.0);
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) m[column][row] = double{in.f32("bone matrix")};
    }
    // The last row of the file's matrices takes no part.
    for (int column = 0; column < 4; ++column) m[column][3] = column == 3 ? 1.0 : 0.0;
    return m;
}

}  // namespace geomconv::groove
