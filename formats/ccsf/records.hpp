#pragma once

// The readers of single chunks, called by walk.cpp. Each gets a reader over the chunk's payload that knows kind and
// object.

#include <cstring>
#include <set>
#include <string>

#include "formats/ccsf/ccsf.hpp"

namespace geomconv::ccsf {

/// What a chunk's reader needs besides its bytes.
class Reading {
public:
    Reading(Document& d, Defects& list, std::uint32_t at = 0) : document(d), defects(list), chunk(at) {}

    Document& document;
    Defects& defects;
    std::uint32_t chunk;  ///< index of the chunk that is read

    /// True the first time a text is said: what is not known is reported once per kind of thing.
    bool first(std::string what) { return said_.insert(std::move(what)).second; }

    /// An object index; one past the table is a warning (`object-range`).
    std::uint32_t object(ByteReader& in, std::string_view field) {
        const std::uint64_t at = in.offset();
        const std::uint32_t index = in.u32(field);
        if (index >= document.objects.size() && index != 0) {
            warn(in, "object-range", at,
                 std::string(field) + " is object " + std::to_string(index) + ", the table has " +
                     std::to_string(document.objects.size()));
        }
        return index;
    }
    void warn(const ByteReader& in, std::string_view kind, std::uint64_t at, std::string detail) {
        defects.add(in.defect(Severity::Warning, kind, at, std::move(detail)));
    }
    void warn(const ByteReader& in, std::string_view kind, std::string detail) {
        warn(in, kind, in.offset(), std::move(detail));
    }

private:
    std::set<std::string> said_;
};

// Kinds whose size field is right: the reader's span is the payload. They leave `in` behind the fields they know.
void readObj(ByteReader& in, Reading& reading);
void readObj2(ByteReader& in, Reading& reading);
void readExtObj(ByteReader& in, Reading& reading);
void readClump(ByteReader& in, Reading& reading);
void readMaterial(ByteReader& in, Reading& reading);
void readClut(ByteReader& in, Reading& reading);
void readHit(ByteReader& in, Reading& reading);
void readBbox(ByteReader& in, Reading& reading);
void readDummyPos(ByteReader& in, Reading& reading);
void readDummyPosRot(ByteReader& in, Reading& reading);
void readCamera(ByteReader& in, Reading& reading);
void readLight(ByteReader& in, Reading& reading);
void readMorpher(ByteReader& in, Reading& reading);
/// Leaves out an Anime whose records run past it, with a warning (`bad-anime`).
void readAnime(ByteReader& in, Reading& reading);

// Kinds whose end their layout says: the reader's span runs to the end of the file.

/// Throws FormatError `texture` for what only this texture suffers from (sizes, mip maps): the walk then goes on by
/// sizes.
Texture readTexture(ByteReader& in, Reading& reading);

/// The places where sources disagree about a model's layout.
struct ModelLayout {
    bool wideBoneSt = true;  ///< bone bodies of version 0x125 have 32-bit ST
    bool sections = false;   ///< mtype & 2 above version 0x110: mmats are lists of sections
};
/// Throws FormatError `unsupported-mtype` for mtype & 2 without & 4 where mmats are no sections, which no engine reads.
Model readModel(ByteReader& in, Reading& reading, ModelLayout layout);

// ------------------------------------------------------------------------------------------------------ stored arrays

/// A little-endian value inside borrowed bytes whose length the reader has checked.
template <class T>
inline T load(Bytes bytes, std::size_t offset) noexcept {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

inline Vec3 readVec3(ByteReader& in, std::string_view field) {
    const float x = in.f32(field);
    const float y = in.f32(field);
    const float z = in.f32(field);
    return {x, y, z};
}

}  // namespace geomconv::ccsf
