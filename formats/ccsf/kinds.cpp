#include "formats/ccsf/kinds.hpp"

#include <algorithm>
#include <array>

namespace geomconv::ccsf {

namespace {

constexpr auto kSetup = Section::Setup;
constexpr auto kFrames = Section::Frames;

// Ordered by kind within a section.
constexpr std::array<KindInfo, 38> kSetupKinds{{
    {0x0001, "Header", kSetup, false},
    {0x0002, "Index", kSetup, false},
    {0x0003, "Setup", kSetup, false},
    {0x0005, "Frame", kSetup, false},
    {0x0100, "Obj", kSetup, true},
    {0x0200, "Material", kSetup, true},
    {0x0300, "Texture", kSetup, true},
    {0x0400, "Clut", kSetup, true},
    {0x0500, "Camera", kSetup, true},
    {0x0600, "Light", kSetup, true},
    {0x0700, "Anime", kSetup, true},
    {0x0800, "Model", kSetup, true},
    {0x0900, "Clump", kSetup, true},
    {0x0a00, "ExtObj", kSetup, true},
    {0x0b00, "Hit", kSetup, true},
    {0x0c00, "Bbox", kSetup, true},
    {0x0d00, "Particle", kSetup, true},
    {0x0d80, "ParticleAnmCtrl", kSetup, true},
    {0x0d90, "ParticleGenerator", kSetup, true},
    {0x0e00, "Eff", kSetup, true},
    {0x1000, "BltGrp", kSetup, true},
    {0x1100, "FBRect", kSetup, true},
    {0x1200, "FBPage", kSetup, true},
    {0x1300, "DummyPos", kSetup, true},
    {0x1400, "DummyPosRot", kSetup, true},
    {0x1700, "Layer", kSetup, false},
    {0x1800, "Shadow", kSetup, true},
    {0x1900, "Morpher", kSetup, true},
    {0x1a00, "StreamOutlineParam", kSetup, false},
    {0x1b00, "StreamCelParam", kSetup, false},
    {0x1c00, "StreamToneParam", kSetup, false},
    {0x1d00, "StreamBlurParam", kSetup, false},
    {0x1f00, "Sprite2Tbl", kSetup, true},
    {0x2000, "Obj2", kSetup, true},
    {0x2200, "Pcm", kSetup, false},
    {0x2300, "Dynamics", kSetup, true},
    {0x2400, "BinaryBlob", kSetup, true},
    {0x2700, "SPD", kSetup, false},
}};

constexpr std::array<KindInfo, 27> kFrameKinds{{
    {0x0101, "F_Obj", kFrames, true},
    {0x0102, "ObjController", kFrames, true},
    {0x0108, "F_Note", kFrames, true},
    {0x0201, "F_Material", kFrames, true},
    {0x0202, "MaterialController", kFrames, true},
    {0x0502, "F_Camera", kFrames, true},
    {0x0503, "CameraController", kFrames, true},
    {0x0601, "F_Ambient", kFrames, false},
    {0x0602, "F_DistantLight", kFrames, true},
    {0x0603, "DistantLightController", kFrames, true},
    {0x0604, "F_DirectLight", kFrames, true},
    {0x0605, "DirectLightController", kFrames, true},
    {0x0606, "F_SpotLight", kFrames, true},
    {0x0607, "SpotLightController", kFrames, true},
    {0x0608, "F_OmniLight", kFrames, true},
    {0x0609, "OmniLightController", kFrames, true},
    {0x0802, "F_0802", kFrames, false},
    {0x0803, "F_0803", kFrames, false},
    {0x1801, "F_Shadow", kFrames, true},
    {0x1901, "F_Morpher", kFrames, true},
    {0x1902, "MorphController", kFrames, true},
    {0x1a01, "StreamOutline", kFrames, false},
    {0x1b01, "StreamCel", kFrames, false},
    {0x1c01, "StreamTone", kFrames, false},
    {0x1d01, "StreamBlur", kFrames, false},
    {0x2201, "F_Pcm", kFrames, false},
    {0xff01, "Top", kFrames, false},
}};

}  // namespace

const KindInfo* findKind(std::uint16_t kind, Section section) noexcept {
    const auto in = [kind](auto first, auto last) -> const KindInfo* {
        const auto found =
            std::lower_bound(first, last, kind, [](const KindInfo& k, std::uint16_t v) { return k.kind < v; });
        return found != last && found->kind == kind ? &*found : nullptr;
    };
    if (section == Section::Frames) return in(kFrameKinds.begin(), kFrameKinds.end());
    return in(kSetupKinds.begin(), kSetupKinds.end());
}

std::string_view kindName(std::uint16_t kind, Section section) noexcept {
    const KindInfo* info = findKind(kind, section);
    return info != nullptr ? info->name : "chunk";
}

}  // namespace geomconv::ccsf
