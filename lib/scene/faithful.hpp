#pragma once

#include <string_view>

namespace geomconv {

/// An option of reading a mesh (ReadOptions::format) that no command line gives: code sets it for game formats whose
/// records hold quads and whose names tell materials. Every quad is then one face from its first corner (in
/// Primitive::faceSizes), though that fan may have a triangle without area or one turned over; and faces are told apart
/// by the order of the o, g and usemtl lines above them. The extras of a mesh hold under kNameTrails for each primitive
/// the name of the last o or g line ("" where there was none) and those of the usemtl lines behind it, the last 16 at
/// most.
inline constexpr std::string_view kFaithful = "faithful";
inline constexpr std::string_view kNameTrails = "names";

}  // namespace geomconv
