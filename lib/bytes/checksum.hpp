#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace geomconv {

/// The hash by which Freelancer names parts, hardpoints, meshes and materials: a reflected CRC-32 of polynomial
/// 0xEDB88320 whose table was made with an arithmetic shift, so that the sign bit sticks. Letters A-Z count as a-z.
/// name: windows-1252 bytes. (INI nicknames use another hash.)
std::uint32_t freelancerHash(std::string_view name) noexcept;

/// The same of a UTF-8 name; nullopt when a character has no place in windows-1252, since no such name is in the game.
std::optional<std::uint32_t> freelancerId(std::string_view utf8Name);

}  // namespace geomconv
