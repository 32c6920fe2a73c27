#include "formats/groove/groove.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::groove {

namespace {

constexpr std::string_view kOtherGame =
    "; does not land on the chunk end, perhaps the level of another Argonaut PC game";

/// Whether the data that the headers announce is there at all, before any of it is allocated.
void requireData(const ByteReader& in, const std::vector<ModelHeader>& headers) {
    std::uint64_t needed = 0;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        needed += headers[i].dataSize();
        if (needed <= in.left()) continue;
        in.fail("truncated", "model " + std::to_string(i) + ": " + counted(headers[i].nVerts, "vertices") + ", " +
                                 std::to_string(headers[i].nFaces) + " faces and their collision end " +
                                 std::to_string(needed - in.left()) + " bytes behind the chunk" +
                                 std::string(kOtherGame));
    }
}

}  // namespace

Trak readTrak(ByteReader& in, ModelReading& reading) {
    Trak trak;
    const std::uint32_t n = in.count32(kTrakHeader, "model count");
    std::vector<ModelHeader> headers;
    headers.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        ByteReader header = in.within("model", std::to_string(i), kTrakHeader);
        headers.push_back(readModelHeader(header, ModelKind::Trak, reading));
    }
    requireData(in, headers);
    trak.models.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        ByteReader data = in.within("model", std::to_string(i), headers[i].dataSize());
        trak.models.push_back(readModelData(data, std::move(headers[i]), reading));
    }
    if (in.left() != 0) {
        reading.defects.add(
            in.defect(Severity::Warning, "trailing", in.offset(),
                      std::to_string(in.left()) + " bytes behind the last model" + std::string(kOtherGame)));
        const Bytes rest = in.rest();
        trak.rest.assign(rest.begin(), rest.end());
    }
    return trak;
}

ByteVector writeTrak(const Trak& trak) {
    ByteWriter out;
    std::uint64_t size = 4 + trak.rest.size();
    for (const Model& m : trak.models) size += kTrakHeader + modelDataSize(m);
    out.reserve(size);
    out.u32(trak.models.size(), "model count");
    for (const Model& m : trak.models) writeModelHeader(out, m, ModelKind::Trak);
    for (const Model& m : trak.models) writeModelData(out, m);
    out.bytes(trak.rest);
    return out.finish();
}

}  // namespace geomconv::groove
