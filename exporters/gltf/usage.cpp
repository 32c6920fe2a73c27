#include "exporters/gltf/usage.hpp"

namespace geomconv::gltf {

namespace {

std::string_view componentName(ComponentType type) {
    switch (type) {
        case ComponentType::Byte:
            return "BYTE";
        case ComponentType::UnsignedByte:
            return "UNSIGNED_BYTE";
        case ComponentType::Short:
            return "SHORT";
        case ComponentType::UnsignedShort:
            return "UNSIGNED_SHORT";
        case ComponentType::UnsignedInt:
            return "UNSIGNED_INT";
        default:
            return "FLOAT";
    }
}

}  // namespace

std::optional<std::uint32_t> attribute(const AttributeList& attributes, std::string_view name) {
    for (const auto& [key, accessor] : attributes) {
        if (key == name) return accessor;
    }
    return std::nullopt;
}

void expectUsage(const Document& document, std::uint32_t number, const Usage& usage, const std::vector<Place>& where) {
    const Accessor& accessor = document.accessors[number];
    const bool integer = accessor.component != ComponentType::Float;
    const bool fits = (usage.types & typeBit(accessor.type)) != 0 &&
                      (usage.components & componentBit(accessor.component)) != 0 &&
                      (!integer || !usage.integersNormalized || accessor.normalized);
    if (fits) return;
    std::vector<Place> at{{"accessor", std::to_string(number)}};
    at.insert(at.end(), where.begin(), where.end());
    throw FormatError("accessor-type",
                      std::string(elementTypeName(accessor.type)) + " of " +
                          std::string(componentName(accessor.component)) +
                          (!integer              ? ""
                           : accessor.normalized ? ", normalised,"
                                                 : ", not normalised,") +
                          " cannot be " + std::string(usage.name),
                      std::move(at));
}

}  // namespace geomconv::gltf
