#pragma once

#include <cstdint>
#include <string_view>

namespace geomconv::ccsf {

/// Chunk and record kinds. Names are those of FORMAT.md, which also has the payloads.
namespace kind {
inline constexpr std::uint16_t kHeader = 0x0001;
inline constexpr std::uint16_t kIndex = 0x0002;
inline constexpr std::uint16_t kSetup = 0x0003;
inline constexpr std::uint16_t kFrame = 0x0005;
inline constexpr std::uint16_t kObj = 0x0100;
inline constexpr std::uint16_t kMaterial = 0x0200;
inline constexpr std::uint16_t kTexture = 0x0300;
inline constexpr std::uint16_t kClut = 0x0400;
inline constexpr std::uint16_t kCamera = 0x0500;
inline constexpr std::uint16_t kLight = 0x0600;
inline constexpr std::uint16_t kAnime = 0x0700;
inline constexpr std::uint16_t kModel = 0x0800;
inline constexpr std::uint16_t kClump = 0x0900;
inline constexpr std::uint16_t kExtObj = 0x0a00;
inline constexpr std::uint16_t kHit = 0x0b00;
inline constexpr std::uint16_t kBbox = 0x0c00;
inline constexpr std::uint16_t kEff = 0x0e00;
inline constexpr std::uint16_t kFBRect = 0x1100;
inline constexpr std::uint16_t kFBPage = 0x1200;
inline constexpr std::uint16_t kDummyPos = 0x1300;
inline constexpr std::uint16_t kDummyPosRot = 0x1400;
inline constexpr std::uint16_t kLayer = 0x1700;
inline constexpr std::uint16_t kShadow = 0x1800;
inline constexpr std::uint16_t kMorpher = 0x1900;
inline constexpr std::uint16_t kObj2 = 0x2000;
inline constexpr std::uint16_t kPcm = 0x2200;
inline constexpr std::uint16_t kDynamics = 0x2300;
inline constexpr std::uint16_t kBinaryBlob = 0x2400;

inline constexpr std::uint16_t kFObj = 0x0101;
inline constexpr std::uint16_t kObjController = 0x0102;
inline constexpr std::uint16_t kFNote = 0x0108;
inline constexpr std::uint16_t kFMaterial = 0x0201;
inline constexpr std::uint16_t kMaterialController = 0x0202;
inline constexpr std::uint16_t kFCamera = 0x0502;
inline constexpr std::uint16_t kCameraController = 0x0503;
inline constexpr std::uint16_t kFAmbient = 0x0601;
inline constexpr std::uint16_t kFDistantLight = 0x0602;
inline constexpr std::uint16_t kDistantLightController = 0x0603;
inline constexpr std::uint16_t kFDirectLight = 0x0604;
inline constexpr std::uint16_t kDirectLightController = 0x0605;
inline constexpr std::uint16_t kFSpotLight = 0x0606;
inline constexpr std::uint16_t kSpotLightController = 0x0607;
inline constexpr std::uint16_t kFOmniLight = 0x0608;
inline constexpr std::uint16_t kOmniLightController = 0x0609;
inline constexpr std::uint16_t kFShadow = 0x1801;
inline constexpr std::uint16_t kFMorpher = 0x1901;
inline constexpr std::uint16_t kMorphController = 0x1902;
inline constexpr std::uint16_t kFPcm = 0x2201;
inline constexpr std::uint16_t kTop = 0xff01;
}  // namespace kind

constexpr std::uint16_t kTag = 0xcccc;
/// Versions up to here are generation 1: no bind pose, shorter model headers.
constexpr std::uint16_t kLastGeneration1 = 0x110;
/// Last Recode and later: 32-bit ST, 12-byte skin entries.
constexpr std::uint16_t kFirstGeneration3 = 0x125;
/// The highest version of any public source.
constexpr std::uint16_t kHighestKnown = 0x131;

enum class Section : std::uint8_t { Setup, Frames };

struct KindInfo {
    std::uint16_t kind;
    std::string_view name;
    Section section;
    bool namesObject;  ///< its first word is an object
};

/// What is known of a kind; null for one that FORMAT.md does not list in that section.
const KindInfo* findKind(std::uint16_t kind, Section section) noexcept;
/// Its name, or "chunk".
std::string_view kindName(std::uint16_t kind, Section section) noexcept;

}  // namespace geomconv::ccsf
