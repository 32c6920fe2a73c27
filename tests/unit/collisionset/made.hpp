#pragma once

#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "formats/collisionset/collisionset.hpp"
#include "lib/bytes/byte_writer.hpp"

namespace geomconv::collisionset::made {

/// A closed box of 8 vertices and 12 triangles, counter-clockwise from outside.
inline Record box(std::string_view name, Vec3 low = Vec3(-1.0F, -1.0F, -1.0F), Vec3 high = Vec3(1.0F, 1.0F, 1.0F)) {
    Record record;
    record.nameField = makeNameField(name);
    for (unsigned corner = 0; corner < 8; ++corner) {
        record.vertex.emplace_back(corner & 1U ? high.x : low.x, corner & 2U ? high.y : low.y,
                                   corner & 4U ? high.z : low.z);
    }
    record.index = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return record;
}

/// One triangle.
inline Record triangle(std::string_view name) {
    Record record;
    record.nameField = makeNameField(name);
    record.vertex = {Vec3(0.0F, 0.0F, 0.0F), Vec3(1.0F, 0.0F, 0.0F), Vec3(0.0F, 1.0F, 0.0F)};
    record.index = {0, 1, 2};
    return record;
}

inline Library library(std::vector<Record> records, ByteOrder order = ByteOrder::Big) {
    Library out;
    out.byteOrder = order;
    out.records = std::move(records);
    return out;
}

/// The bytes of a record with any four numbers, right or wrong.
struct RawRecord {
    std::uint32_t size = 0;
    std::string name;
    std::uint32_t nv = 0;
    std::uint32_t nt = 0;
    std::uint32_t arrayBytes = 0;
};

inline ByteVector raw(const RawRecord& r, ByteOrder order = ByteOrder::Big) {
    ByteWriter out(order);
    out.u32(r.size);
    out.u32(static_cast<std::uint32_t>(r.name.size()));
    out.text(r.name);
    out.u32(r.nv);
    out.u32(r.nt);
    for (std::uint32_t i = 0; i < r.arrayBytes / 4; ++i) out.u32(0x3f800000U);
    return out.finish();
}

inline ByteVector operator+(ByteVector a, const ByteVector& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline ReadOptions reading(bool recover = false) {
    ReadOptions options;
    options.recover = recover;
    return options;
}

/// Kinds of the defects found, in order.
inline std::vector<std::string> kinds(const Defects& defects) {
    std::vector<std::string> out;
    for (const Defect& d : defects.list()) out.push_back(d.kind);
    return out;
}

}  // namespace geomconv::collisionset::made
