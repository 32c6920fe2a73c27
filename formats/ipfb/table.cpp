#include <algorithm>

#include "formats/ipfb/ipfb.hpp"
#include "formats/z1/z1.hpp"
#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/byte_writer.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::ipfb {

namespace {

/// Stage resource tables name these; all hold the same library on the disc.
constexpr std::array<std::string_view, 18> kKnown{
    "CollisionSet_S01.bin",      "CollisionSet_S02.bin",  "CollisionSet_S03.bin", "CollisionSet_S04.bin",
    "CollisionSet_S05.bin",      "CollisionSet_S06.bin",  "CollisionSet_S07.bin", "CollisionSet_S08.bin",
    "CollisionSet_S09.bin",      "CollisionSet_S10.bin",  "CollisionSet_S11.bin", "CollisionSet_S12.bin",
    "CollisionSet_S13.bin",      "CollisionSet_S14.bin",  "CollisionSet_S15.bin", "CollisionSet_S16.bin",
    "CollisionSet_Tutorial.bin", "CollisionSet_test.bin",
};

constexpr std::uint32_t kPrime = 0xfff9d7;

std::optional<std::uint32_t> hexDigits(std::string_view text) {
    if (text.size() != 8) return std::nullopt;
    std::uint32_t value = 0;
    for (const char c : text) {
        const auto lower = static_cast<char>(c | 0x20);
        if (c >= '0' && c <= '9')
            value = value << 4 | static_cast<std::uint32_t>(c - '0');
        else if (lower >= 'a' && lower <= 'f')
            value = value << 4 | static_cast<std::uint32_t>(lower - 'a' + 10);
        else
            return std::nullopt;
    }
    return value;
}

}  // namespace

std::uint32_t nameHash(std::string_view path) noexcept {
    std::uint32_t sum = 0;
    std::uint32_t value = 0;
    for (const char c : path) {
        const auto byte = static_cast<std::uint8_t>(c == '/' ? '\\' : asciiLower(c));
        sum = (sum + byte) & 0xff;
        value = (value * 256 + byte) % kPrime;
    }
    return sum << 24 | value;
}

namespace {

std::optional<std::string_view> knownName(std::uint32_t hash) noexcept {
    static const auto hashes = [] {
        std::array<std::uint32_t, kKnown.size()> out{};
        std::transform(kKnown.begin(), kKnown.end(), out.begin(), &nameHash);
        return out;
    }();
    const auto at = std::find(hashes.begin(), hashes.end(), hash);
    if (at == hashes.end()) return std::nullopt;
    return kKnown[static_cast<std::size_t>(at - hashes.begin())];
}

}  // namespace

std::string nameOf(std::uint32_t hash) {
    if (const auto known = knownName(hash)) return std::string(*known);
    return '$' + hexId(hash).substr(2);
}

std::uint32_t hashOf(std::string_view member) noexcept {
    if (member.starts_with('$')) {
        if (const auto value = hexDigits(member.substr(1))) return *value;
    }
    return nameHash(member);
}

bool isKnownLibrary(std::uint32_t hash) noexcept {
    return knownName(hash).has_value();
}

bool isPack(Bytes bytes) noexcept {
    return bytes.size() >= 16 && asText(bytes.first(4)) == "IPFB";
}

std::optional<std::string> packOfPart(std::string_view fileName) {
    if (!z1::isPartName(fileName)) return std::nullopt;
    const bool upper = fileName[fileName.size() - 3] == 'P';
    return std::string(fileName.substr(0, fileName.size() - 4)) + (upper ? ".PAK" : ".pak");
}

Table readTable(Bytes pak, bool recover, Defects& defects) {
    ByteReader in(pak, ByteOrder::Big);
    if (!isPack(pak)) in.fail("pack-magic", "does not begin IPFB");
    Table table;
    in.skip(4, "magic");
    table.count = in.u32("count");
    table.alignment = in.u32("alignment");
    table.partLimit = in.u32("partLimit");
    if (std::uint64_t{12} * table.count > in.left()) {
        in.failAt("pack-count", 4,
                  std::to_string(table.count) + " entries need " + std::to_string(std::uint64_t{12} * table.count) +
                      " bytes, " + std::to_string(in.left()) + " left");
    }
    if (table.partLimit != kPartLimit) {
        defects.refuse(in.defect(Severity::Error, "pack-part-limit", 12,
                                 "part limit " + hex(table.partLimit) + ", only " + hex(kPartLimit) + " is known"),
                       recover);
    }
    table.entries.reserve(table.count);
    for (std::uint32_t i = 0; i < table.count; ++i) {
        Entry entry;
        const std::uint64_t at = in.offset();
        entry.hash = in.u32("hash");
        entry.location = in.u32("location");
        entry.stored = in.u32("stored");
        if (entry.hash == 0) break;
        if (!table.entries.empty() && entry.hash <= table.entries.back().hash) {
            defects.warn("pack-order", at, {{"entry", std::to_string(i), nameOf(entry.hash)}},
                         "not in ascending order of hashes");
        }
        table.entries.push_back(entry);
    }
    return table;
}

NewPack make(const std::vector<std::pair<std::string, ByteVector>>& files) {
    NewPack out;
    std::vector<Entry> entries;
    for (const auto& [name, content] : files) {
        const ByteVector block = z1::pack(content);
        out.part.resize((out.part.size() + kAlignment - 1) / kAlignment * kAlignment);
        entries.push_back(
            {hashOf(name), static_cast<std::uint32_t>(out.part.size()), static_cast<std::uint32_t>(block.size())});
        out.part.insert(out.part.end(), block.begin(), block.end());
        if (out.part.size() > kPartLimit) throw FormatError("pack-part-limit", "over 256 MiB");
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
    ByteWriter pak(ByteOrder::Big);
    pak.text("IPFB");
    pak.u32(entries.size(), "count");
    pak.u32(kAlignment);
    pak.u32(kPartLimit);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i > 0 && entries[i].hash == entries[i - 1].hash) {
            throw FormatError("pack-same-hash", "two names have the hash " + hexId(entries[i].hash));
        }
        pak.u32(entries[i].hash);
        pak.u32(entries[i].location);
        pak.u32(entries[i].stored);
    }
    out.pak = pak.finish();
    return out;
}

}  // namespace geomconv::ipfb
