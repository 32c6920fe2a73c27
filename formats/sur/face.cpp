#include <string>

#include "formats/sur/records.hpp"
#include "lib/bytes/fields.hpp"

namespace geomconv::sur {

namespace {

void store16(std::uint8_t* p, std::uint32_t v) {
    p[0] = static_cast<std::uint8_t>(v & 0xff);
    p[1] = static_cast<std::uint8_t>((v >> 8) & 0xff);
}

/// The low 15 bits of a link as a signed number.
std::int16_t signed15(std::uint16_t link) {
    const int low = link & 0x7fff;
    return static_cast<std::int16_t>(low >= 0x4000 ? low - 0x8000 : low);
}

[[noreturn]] void refuse(std::string_view field, std::int64_t value, std::string_view range) {
    throw FormatError("field-range", std::string(field) + ' ' + std::to_string(value) + " does not fit, the range is " +
                                         std::string(range));
}

}  // namespace

// Head word: bits 0-11 own index, 12-23 pierce, 24-30 material, 31 virtual. Then three edges of a point index and a
// link: bits 0-14 opposite, bit 15 virtual.

Face unpackFace(const std::uint8_t* bytes) noexcept {
    Face face;
    Fields fields({bytes, kFaceBytes});
    const std::uint32_t head = fields.u32();
    face.index = static_cast<std::uint16_t>(head & 0xfff);
    face.pierce = static_cast<std::uint16_t>((head >> 12) & 0xfff);
    face.material = static_cast<std::uint8_t>((head >> 24) & 0x7f);
    face.isVirtual = (head >> 31) != 0;
    for (std::size_t e = 0; e < 3; ++e) {
        face.points[e] = fields.u16();
        const std::uint16_t link = fields.u16();
        face.opposites[e] = signed15(link);
        face.virtualEdges[e] = (link & 0x8000) != 0;
    }
    return face;
}

FaceBytes packFace(const Face& face) {
    if (face.index > 0xfff) refuse("face index", face.index, "0 to 4095");
    if (face.pierce > 0xfff) refuse("pierce index", face.pierce, "0 to 4095");
    if (face.material > 0x7f) refuse("material", face.material, "0 to 127");
    FaceBytes bytes{};
    store16(bytes.data(), face.index | ((face.pierce & 0xfU) << 12));
    store16(bytes.data() + 2,
            (face.pierce >> 4) | (std::uint32_t{face.material} << 8) | (face.isVirtual ? 0x8000U : 0U));
    for (std::size_t e = 0; e < 3; ++e) {
        const int delta = face.opposites[e];
        if (delta < -0x4000 || delta > 0x3fff) refuse("opposite", delta, "-16384 to 16383");
        store16(bytes.data() + 4 + 4 * e, face.points[e]);
        store16(bytes.data() + 6 + 4 * e,
                (static_cast<std::uint32_t>(delta) & 0x7fff) | (face.virtualEdges[e] ? 0x8000U : 0U));
    }
    return bytes;
}

std::optional<HalfEdge> oppositeOf(HalfEdge edge, std::int32_t delta, std::size_t faces) {
    const std::int64_t slot = std::int64_t{4} * edge.face + edge.edge + 1 + delta;
    if (slot < 0 || slot >= static_cast<std::int64_t>(4 * faces) || (slot & 3) == 0) return std::nullopt;
    return HalfEdge{static_cast<std::uint32_t>(slot >> 2), static_cast<std::uint32_t>((slot & 3) - 1)};
}

}  // namespace geomconv::sur
