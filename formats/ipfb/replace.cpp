#include <algorithm>
#include <set>

#include "formats/ipfb/ipfb.hpp"
#include "formats/z1/z1.hpp"
#include "lib/bytes/byte_writer.hpp"

namespace geomconv::ipfb {

namespace {

/// Entries whose content is to be replaced: the one, or all that hold the same.
std::vector<std::size_t> targets(Pack& pack, std::size_t wanted, const ByteVector& old, bool allIdentical) {
    if (!allIdentical) return {wanted};
    std::vector<std::size_t> out;
    Defects ignored;
    for (std::size_t i = 0; i < pack.table().entries.size(); ++i) {
        try {
            if (i == wanted || pack.unpack(pack.table().entries[i], ignored) == old) out.push_back(i);
        } catch (const FormatError&) {
            // An entry that cannot be read is not identical, and stays as it is.
        }
    }
    return out;
}

/// Appends a block to a part of `size` bytes and gives its offset there.
std::uint64_t append(ByteVector& tail, std::uint64_t size, const ByteVector& block, std::string_view partName) {
    const std::uint64_t at = (size + tail.size() + kAlignment - 1) / kAlignment * kAlignment;
    if (at + block.size() > kPartLimit) {
        throw FormatError("pack-part-limit", std::string(partName) + " would have " +
                                                 std::to_string(at + block.size()) + " bytes, the limit is " +
                                                 std::to_string(kPartLimit));
    }
    tail.resize(static_cast<std::size_t>(at - size));
    tail.insert(tail.end(), block.begin(), block.end());
    return at;
}

void patchEntry(ByteVector& pak, std::size_t number, const Entry& entry) {
    ByteWriter out(ByteOrder::Big);
    out.u32(entry.location);
    out.u32(entry.stored);
    const ByteVector words = out.finish();
    std::copy(words.begin(), words.end(), pak.begin() + static_cast<std::ptrdiff_t>(16 + 12 * number + 4));
}

}  // namespace

void replace(const Input& input, const ReadOptions& options, std::string_view member, Bytes content, bool allIdentical,
             OutputSet& outputs, Defects& defects) {
    Pack pack(input, options, defects);
    const std::size_t wanted = pack.find(member);
    const ByteVector old = pack.unpack(pack.table().entries[wanted], defects);
    ByteVector pak(input.bytes.begin(), input.bytes.end());
    std::map<std::uint32_t, ByteVector> tails;  // what each part gains
    if (!std::equal(old.begin(), old.end(), content.begin(), content.end())) {
        const ByteVector block = z1::pack(content);
        for (const std::size_t i : targets(pack, wanted, old, allIdentical)) {
            Entry entry = pack.table().entries[i];
            const std::uint32_t part = entry.part();
            const std::uint64_t at = append(tails[part], pack.part(part)->bytes().size(), block, pack.partName(part));
            entry.location = part << 28 | static_cast<std::uint32_t>(at);
            entry.stored = static_cast<std::uint32_t>(block.size());
            patchEntry(pak, i, entry);
        }
    }
    outputs.main().write(pak);
    std::set<std::uint32_t> parts;
    for (const Entry& entry : pack.table().entries) parts.insert(entry.part());
    for (const std::uint32_t number : parts) {
        const auto part = pack.part(number);
        if (!part) continue;
        Sink& out = outputs.sibling(outputs.stem() + partExtension(number));
        out.write(part->bytes());
        out.write(tails[number]);
    }
}

}  // namespace geomconv::ipfb
