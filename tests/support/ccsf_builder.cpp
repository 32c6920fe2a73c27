#include "tests/support/ccsf_builder.hpp"

#include <algorithm>

namespace geomconv::test {

namespace {

void head(ByteWriter& out, std::uint16_t kind, std::uint16_t tag, std::uint64_t words) {
    out.u16(kind);
    out.u16(tag);
    out.u32(static_cast<std::uint32_t>(words));
}

void padded(ByteWriter& out, std::string_view text, std::size_t size) {
    out.text(text.substr(0, size));
    out.zeros(size - std::min(size, text.size()));
}

}  // namespace

std::uint32_t CcsfBuilder::object(std::string_view name, std::uint16_t path) {
    objects_.emplace_back(name, name.empty() ? std::uint16_t{0} : path);
    return static_cast<std::uint32_t>(objects_.size() - 1);
}

void CcsfBuilder::chunk(std::uint16_t kind, const ByteWriter& payload, std::uint32_t lie, std::uint16_t tag) {
    const std::uint64_t words = (payload.size() + 3) / 4;
    head(chunks_, kind, tag, words + lie);
    chunks_.bytes(payload.view());
    chunks_.zeros(4 * words - payload.size());
}

void CcsfBuilder::obj(std::uint32_t object, std::uint32_t parent, std::uint32_t model) {
    ByteWriter p;
    for (const std::uint32_t word : {object, parent, model}) p.u32(word);
    if (version_ >= 0x96) p.u32(0);
    if (version_ > 0x120) p.u32(0);
    chunk(0x0100, p);
}

void CcsfBuilder::material(std::uint32_t object, std::uint32_t texture, float transparency) {
    ByteWriter p;
    p.u32(object);
    p.u32(texture);
    p.f32(transparency);
    p.u32(0);
    if (version_ >= 0x120) p.u32(0);
    chunk(0x0200, p);
}

void CcsfBuilder::texture8(std::uint32_t object, std::uint32_t clut, std::uint8_t tw, std::uint8_t th, Bytes stored,
                           std::uint8_t flag) {
    ByteWriter p;
    p.u32(object);
    p.u32(clut);
    if (version_ >= 0x92) p.u32(0);
    for (const std::uint8_t byte : {flag, std::uint8_t{0x13}, std::uint8_t{0}, std::uint8_t{0x70}, tw, th}) p.u8(byte);
    p.u16(0);
    p.u32(0);
    p.u32(static_cast<std::uint32_t>(stored.size() / 4));
    p.bytes(stored);
    chunk(0x0300, p, 50);
}

void CcsfBuilder::clut(std::uint32_t object, const std::vector<std::array<std::uint8_t, 4>>& colours) {
    ByteWriter p;
    p.u32(object);
    if (version_ >= 0x92) p.u32(0);
    p.u32(1);
    p.u32(0);
    p.u32(static_cast<std::uint32_t>(colours.size()));
    for (const auto& c : colours) p.bytes(c);
    chunk(0x0400, p);
}

void CcsfBuilder::gridModel(std::uint32_t model, std::uint32_t material, unsigned columns, unsigned rows,
                            std::uint16_t mtype, float scale) {
    struct Vertex {
        std::int16_t x, y;
        std::uint8_t flag;
    };
    std::vector<Vertex> vertices;
    for (unsigned y = 0; y < rows; ++y) {
        for (unsigned x = 0; x <= columns; ++x) {
            for (const unsigned up : {1U, 0U}) {
                const auto flag = static_cast<std::uint8_t>(x == 0 ? 1 : 0);
                vertices.push_back({static_cast<std::int16_t>(x * 16), static_cast<std::int16_t>((y + up) * 16), flag});
            }
        }
    }
    ByteWriter p;
    p.u32(model);
    p.f32(scale);
    p.u16(mtype);
    p.u16(1);
    p.u32(0);
    p.u32(0x70);
    if (version_ > 0x110) p.u32(0), p.f32(1.0F);
    p.u32(0);
    p.u32(material);
    p.u32(static_cast<std::uint32_t>(vertices.size()));
    for (const Vertex& v : vertices) p.s16(v.x), p.s16(v.y), p.s16(static_cast<std::int16_t>((v.x * v.y) % 97));
    p.align(4);
    for (const Vertex& v : vertices) p.u32(64U << 16 | std::uint32_t{v.flag} << 24);
    for (const Vertex& v : vertices) p.u32(0x80808080U ^ static_cast<std::uint32_t>(v.x & 0x3f));
    for (const Vertex& v : vertices) {
        for (const int st : {v.x * 4, v.y * 4}) {
            if (version_ >= 0x125)
                p.u32(static_cast<std::uint32_t>(st * 256));
            else
                p.u16(static_cast<std::uint16_t>(st));
        }
    }
    chunk(0x0800, p);
}

ByteVector CcsfBuilder::file() const {
    ByteWriter out;
    head(out, 1, 0xcccc, 13);
    out.text("CCSF");
    padded(out, scene_, 32);
    out.u16(version_);
    out.u16(0);
    for (const std::uint32_t word : {1U, 1U, 0U}) out.u32(word);
    head(out, 2, 0xcccc, 2 + 8 * (2 + objects_.size()));
    out.u32(2);
    out.u32(static_cast<std::uint32_t>(objects_.size()));
    padded(out, "", 32);
    padded(out, " src\\made.max", 32);
    for (const auto& [name, path] : objects_) {
        padded(out, name, 30);
        out.u16(path);
    }
    head(out, 3, 0, 0);
    out.bytes(chunks_.view());
    head(out, 5, 0xcccc, 1);
    out.u32(1);
    head(out, 0xff01, 0xcccc, 1);
    out.s32(-1);
    return out.finish();
}

}  // namespace geomconv::test
