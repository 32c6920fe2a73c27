#pragma once

#include "exporters/gltf/document.hpp"

namespace geomconv::gltf {

/// What an accessor must be to serve a purpose: which types and components (bits by enum order), and which of them only
/// normalised, or only under KHR_mesh_quantization.
struct Usage {
    std::string_view name;
    std::uint8_t types;       ///< bits of ElementType
    std::uint8_t components;  ///< bits of componentBit
    bool integersNormalized;  ///< integers must be normalised
};

constexpr std::uint8_t componentBit(ComponentType type) {
    switch (type) {
        case ComponentType::Byte:
            return 1;
        case ComponentType::UnsignedByte:
            return 2;
        case ComponentType::Short:
            return 4;
        case ComponentType::UnsignedShort:
            return 8;
        case ComponentType::UnsignedInt:
            return 16;
        default:
            return 32;
    }
}
constexpr std::uint8_t typeBit(ElementType type) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(type));
}

inline constexpr std::uint8_t kFloat = 32;
inline constexpr std::uint8_t kSmall = 1 | 2 | 4 | 8;  ///< 8 and 16 bits, signed or not

// Specification 3.7.2.1 and KHR_mesh_quantization.
inline constexpr Usage kPosition{"POSITION", typeBit(ElementType::Vec3), kFloat | kSmall, false};
inline constexpr Usage kNormal{"NORMAL", typeBit(ElementType::Vec3), kFloat | 1 | 4, true};
inline constexpr Usage kTangent{"TANGENT", typeBit(ElementType::Vec4), kFloat | 1 | 4, true};
inline constexpr Usage kTexCoord{"TEXCOORD", typeBit(ElementType::Vec2), kFloat | kSmall, false};
inline constexpr Usage kColor{"COLOR", typeBit(ElementType::Vec3) | typeBit(ElementType::Vec4), kFloat | 2 | 8, true};
inline constexpr Usage kJoints{"JOINTS", typeBit(ElementType::Vec4), 2 | 8, false};
inline constexpr Usage kWeights{"WEIGHTS", typeBit(ElementType::Vec4), kFloat | 2 | 8, true};
inline constexpr Usage kTargetPosition{"POSITION of a target", typeBit(ElementType::Vec3), kFloat | 1 | 4, false};
inline constexpr Usage kTargetNormal{"NORMAL of a target", typeBit(ElementType::Vec3), kFloat | 1 | 4, true};
inline constexpr Usage kIndices{"indices", typeBit(ElementType::Scalar), 2 | 8 | 16, false};
inline constexpr Usage kMatrices{"inverseBindMatrices", typeBit(ElementType::Mat4), kFloat, false};
inline constexpr Usage kTimes{"times", typeBit(ElementType::Scalar), kFloat, false};
inline constexpr Usage kTranslations{"translations or scales", typeBit(ElementType::Vec3), kFloat, false};
inline constexpr Usage kRotations{"rotations", typeBit(ElementType::Vec4), kFloat | kSmall, true};
inline constexpr Usage kTargetWeights{"weights", typeBit(ElementType::Scalar), kFloat | kSmall, true};

/// The accessor of an attribute by its name.
std::optional<std::uint32_t> attribute(const AttributeList& attributes, std::string_view name);

/// Throws FormatError (`accessor-type`) when the accessor cannot serve.
void expectUsage(const Document& document, std::uint32_t accessor, const Usage& usage, const std::vector<Place>& where);

}  // namespace geomconv::gltf
