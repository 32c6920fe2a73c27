#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/bytes/byte_writer.hpp"

namespace geomconv::test {

/// Puts CCSF files together chunk by chunk: objects are named first, chunks added in order, `file` closes with an empty
/// frame section.
class CcsfBuilder {
public:
    explicit CcsfBuilder(std::uint16_t version, std::string scene = "made")
        : version_(version), scene_(std::move(scene)) {
        object("");
    }

    /// A new object of the file; its index.
    std::uint32_t object(std::string_view name, std::uint16_t path = 1);
    /// A chunk with the size that its payload has, or with one that lies by `lie` words.
    void chunk(std::uint16_t kind, const ByteWriter& payload, std::uint32_t lie = 0, std::uint16_t tag = 0xcccc);
    /// Bytes between chunks, as they are.
    void raw(Bytes bytes) { chunks_.bytes(bytes); }

    void obj(std::uint32_t object, std::uint32_t parent, std::uint32_t model);
    void material(std::uint32_t object, std::uint32_t texture, float transparency = 1.0F);
    /// 8-bit texture without mip maps; stored: its rows, bottom first.
    void texture8(std::uint32_t object, std::uint32_t clut, std::uint8_t tw, std::uint8_t th, Bytes stored,
                  std::uint8_t flag = 1);
    void clut(std::uint32_t object, const std::vector<std::array<std::uint8_t, 4>>& colours);
    /// One rigid mmat of mtype 1 or 0: a strip over a grid of (columns + 1) x (rows + 1) vertices in the xy plane.
    void gridModel(std::uint32_t model, std::uint32_t material, unsigned columns, unsigned rows, std::uint16_t mtype,
                   float scale = 64.0F);

    ByteVector file() const;
    std::uint16_t version() const { return version_; }

private:
    std::uint16_t version_;
    std::string scene_;
    std::vector<std::pair<std::string, std::uint16_t>> objects_;
    ByteWriter chunks_;
};

}  // namespace geomconv::test
