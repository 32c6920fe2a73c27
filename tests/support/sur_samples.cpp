#include "tests/support/sur_samples.hpp"

namespace geomconv::test {

namespace {

/// Two faces back to back over the points first, first + 1, first + 2.
void flatHull(ByteWriter& out, std::int32_t pointOffset, std::uint32_t word, std::uint32_t type, std::uint16_t first) {
    const bool wrap = type == 5;
    const std::uint16_t mark = wrap ? 0x8000 : 0;
    const auto link = [mark](int delta) { return static_cast<std::uint16_t>((delta & 0x7fff) | mark); };
    const auto point = [first](int p) { return static_cast<std::uint16_t>(first + p); };
    out.s32(pointOffset);
    out.u32(word);
    out.u32(type | (6U << 8));
    out.u16(std::uint16_t{2});
    out.u16(std::uint16_t{0});
    // Face 0: index 0, pierce 1; its edges face edges 2, 1, 0 of face 1.
    out.u32((wrap ? 0x80000000U : 0U) | (1U << 12));
    for (const auto& [p, delta] : {std::pair{0, 6}, {1, 4}, {2, 2}}) {
        out.u16(point(p));
        out.u16(link(delta));
    }
    // Face 1: index 1, pierce 0.
    out.u32((wrap ? 0x80000000U : 0U) | 1U);
    for (const auto& [p, delta] : {std::pair{0, -2}, {2, -4}, {1, -6}}) {
        out.u16(point(p));
        out.u16(link(delta));
    }
}

void node(ByteWriter& out, std::int32_t right, std::int32_t hull, float x, float radius, std::uint8_t box) {
    out.s32(right);
    out.s32(hull);
    out.f32(x);
    out.f32(0.0F);
    out.f32(0.0F);
    out.f32(radius);
    for (int k = 0; k < 3; ++k) out.u8(box);
    out.u8(std::uint8_t{0});
}

}  // namespace

ByteVector smallSur() {
    ByteWriter out;
    out.text("vers");
    out.f32(2.0F);
    out.u32(0x12688F2D);
    out.u32(4);
    out.text("!fxd");
    out.text("exts");
    for (const float v : {-2.0F, -1.0F, 0.0F, -1.0F, 1.0F, 0.0F}) out.f32(v);
    out.text("surf");
    out.u32(372);
    for (const float v : {0.25F, 0.5F, 0.75F, 1.5F, 2.5F, 3.5F, 4.0F}) out.f32(v);
    out.u32(250 | (372U << 8));
    out.u32(288);
    for (int k = 0; k < 3; ++k) out.u32(0);
    flatHull(out, 144, 0x12688F2D, 4, 0);
    flatHull(out, 96, 0xF00FB9DE, 4, 3);
    flatHull(out, 48, 144, 5, 0);
    for (const float x : {-2.0F, 1.0F}) {
        const std::uint32_t id = x < 0.0F ? 0x12688F2D : 0xF00FB9DE;
        for (const auto& [dx, y] : {std::pair{0.0F, -1.0F}, {1.0F, -1.0F}, {0.0F, 1.0F}}) {
            out.f32(x + dx);
            out.f32(y);
            out.f32(0.0F);
            out.u32(id);
        }
    }
    node(out, 56, 144 - 288, 0.0F, 3.0F, 250);
    node(out, 0, 48 - 316, -1.5F, 1.25F, 201);
    node(out, 0, 96 - 344, 1.5F, 1.25F, 201);
    out.text("hpid");
    out.u32(1);
    out.u32(0xF00FB9DE);
    return out.finish();
}

}  // namespace geomconv::test
