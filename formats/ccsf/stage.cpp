#include "formats/ccsf/stage.hpp"

#include "formats/ccsf/small_records.hpp"

namespace geomconv::ccsf {

namespace {

/// Takes the fields that a light or camera has.
struct Taken {
    std::uint32_t object = 0;
    StageValues values;

    void take(std::string_view name, float value) {
        static constexpr std::array<std::string_view, 6> kAxes{"x", "y", "z", "rx", "ry", "rz"};
        for (std::size_t i = 0; i < kAxes.size(); ++i) {
            if (name != kAxes[i]) continue;
            auto& vector = i < 3 ? values.position : values.rotation;
            if (!vector) vector = Vec3(0.0F);
            (*vector)[static_cast<int>(i % 3)] = value;
        }
        if (name == "intensity") values.intensity = value;
        if (name == "start") values.start = value;
        if (name == "end") values.end = value;
        if (name == "fov") values.fov = value;
    }
};

/// What SmallRecords gives its fields to.
struct Taker {
    Taken& taken;

    void object(std::string_view, std::uint32_t index) { taken.object = index; }
    template <class T>
    void number(std::string_view name, T value) {
        taken.take(name, static_cast<float>(value));
    }
    void numbers(std::string_view name, std::span<const float> v) {
        (name == "rotation" ? taken.values.rotation : taken.values.position) = Vec3(v[0], v[1], v[2]);
    }
    void numbers(std::string_view, std::span<const std::uint8_t> c) { colour(c[0], c[1], c[2]); }
    void bytes(std::string_view, Bytes) {}
    template <class Each>
    void items(std::string_view, std::uint32_t count, Each each) {
        for (std::uint32_t i = 0; i < count; ++i) each();
    }
    void track(std::string_view name, const Track& track, bool isColour) {
        if (isColour) return colour(track.byte(0, 0), track.byte(0, 1), track.byte(0, 2));
        if (track.form == Track::Form::Quaternions) return;
        if (track.width == 3)
            (name == "rotation" ? taken.values.rotation : taken.values.position) =
                Vec3(track.value(0, 0), track.value(0, 1), track.value(0, 2));
        else
            taken.take(name, track.value(0, 0));
    }
    void colour(int r, int g, int b) {
        taken.values.colour = Vec3(static_cast<float>(r), static_cast<float>(g), static_cast<float>(b)) / 255.0F;
    }
};

bool isOfStage(std::uint16_t kind) {
    switch (kind) {
        case kind::kFCamera:
        case kind::kCameraController:
        case kind::kFDistantLight:
        case kind::kDistantLightController:
        case kind::kFDirectLight:
        case kind::kDirectLightController:
        case kind::kFSpotLight:
        case kind::kSpotLightController:
        case kind::kFOmniLight:
        case kind::kOmniLightController:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::map<std::uint32_t, StageValues> stageValues(const Document& document) {
    std::map<std::uint32_t, StageValues> out;
    const auto see = [&](const Chunk& record) {
        if (!isOfStage(record.kind)) return;
        Taken taken;
        Taker taker{taken};
        ByteReader in(record.payload);
        try {
            SmallRecords(in, taker).read(record.kind, Section::Frames);
        } catch (const FormatError&) {
            return;  // cut short: the dump shows its bytes
        }
        out.emplace(taken.object, taken.values);
    };
    for (const Anime& anime : document.animes) {
        for (const Chunk& record : anime.records) see(record);
    }
    for (std::size_t i = document.frameStart; i < document.chunks.size(); ++i) see(document.chunks[i]);
    return out;
}

}  // namespace geomconv::ccsf
