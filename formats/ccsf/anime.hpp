#pragma once

// What the records of an Anime and of the frame section hold.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/ccsf/ccsf.hpp"

namespace geomconv::ccsf {

/// One controller: absent, one value, or keys (frame, values) that borrow from the record.
struct Track {
    enum class Form : std::uint8_t { Absent, Constant, Keys, Quaternions } form = Form::Absent;
    std::uint32_t width = 0;  ///< floats per value; 4 for quaternions x y z w
    std::uint32_t count = 0;
    Bytes keys;

    bool absent() const noexcept { return form == Form::Absent; }
    std::uint32_t frame(std::size_t key) const noexcept;
    float value(std::size_t key, std::size_t component) const noexcept;
    /// The same of a colour: R, G, B, A.
    std::uint8_t byte(std::size_t key, std::size_t component) const noexcept;

    /// The two keys around a time (in frames) and the part of the way between them. Before the first key its value
    /// holds, after the last one its; of keys on the same frame the earlier shows at that frame, the later behind it; a
    /// key whose frame is lower than the one before it is never reached.
    struct Place {
        std::size_t from = 0, to = 0;
        double part = 0.0;
    };
    Place placeAt(double time) const noexcept;
};

struct ObjController {
    std::uint32_t object = 0, flags = 0;
    Track position, rotation, scale, transparency;
};

/// A controller of 3-bit kind `kind` with `width` floats a value. Throws FormatError (`controller`) for a kind that is
/// not known, `truncated` for keys past the record.
Track readTrack(ByteReader& in, std::uint32_t kind, std::uint32_t width, bool rotation);
/// Record 0x0102.
ObjController readObjController(ByteReader& in);

/// One field of a controller record.
struct ControllerField {
    std::string_view name;
    std::uint32_t shift = 0;  ///< of its 3-bit kind in the flags
    std::uint32_t width = 0;  ///< words per value
    bool rotation = false;    ///< may be keyed quaternions
    bool colour = false;      ///< its one word is R, G, B, A
};
/// The fields of a controller record, in the order of their bits; empty for kinds that are none.
std::span<const ControllerField> controllerFields(std::uint16_t kind) noexcept;

struct Controller {
    std::uint32_t object = 0, flags = 0;
    std::vector<Track> tracks;  ///< one per field
};
Controller readController(ByteReader& in, std::uint16_t kind);

/// Record 0x0101 with all fields present; nullopt for the shorter ones of later games.
struct FObj {
    std::uint32_t object = 0;
    Transform transform;
    float transparency = 1.0F;
};
std::optional<FObj> readFObj(const Chunk& record);

}  // namespace geomconv::ccsf
