#include "formats/ccsf/members.hpp"

#include <algorithm>
#include <map>

#include "formats/ccsf/records.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::ccsf {

namespace {

/// Where a member lies in the file.
struct Located {
    Member member;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

std::string chunkName(const Document& document, const Chunk& chunk) {
    const KindInfo* info = findKind(chunk.kind, Section::Setup);
    if (info != nullptr && info->namesObject && chunk.payload.size() >= 4) {
        const std::string_view name = document.nameOf(load<std::uint32_t>(chunk.payload, 0));
        if (!name.empty()) return std::string(name);
    }
    return info != nullptr ? std::string(info->name) : hex(chunk.kind);
}

std::vector<Located> locate(const Document& document) {
    std::vector<Located> out;
    std::map<std::string, std::size_t, std::less<>> seen;
    for (std::size_t i = 0; i < document.frameStart; ++i) {
        const Chunk& chunk = document.chunks[i];
        std::string name = chunkName(document, chunk);
        const std::size_t met = ++seen[name];
        if (met > 1) name += "#" + std::to_string(met);
        const std::uint64_t size = chunk.payload.size() + 8;
        const KindInfo* info = findKind(chunk.kind, Section::Setup);
        std::string kind = info != nullptr ? std::string(info->name) : "chunk " + hex(chunk.kind);
        out.push_back({Member{std::move(name), std::move(kind), chunk.offset, size, ""}, chunk.offset, size});
    }
    if (document.frameStart < document.chunks.size()) {
        const std::uint64_t start = document.chunks[document.frameStart].offset;
        const Chunk& last = document.chunks.back();
        const std::uint64_t size = last.offset + 8 + last.payload.size() - start;
        const std::string records = counted(document.chunks.size() - document.frameStart, "records");
        out.push_back({Member{"frames", "frame section", start, size, records}, start, size});
    }
    return out;
}

}  // namespace

std::vector<Member> members(const Document& document) {
    std::vector<Member> out;
    for (Located& located : locate(document)) out.push_back(std::move(located.member));
    return out;
}

std::size_t chunkNamed(const Document& document, std::string_view name) {
    const std::vector<Located> all = locate(document);
    for (std::size_t i = 0; i < std::min(all.size(), document.frameStart); ++i) {
        if (all[i].member.name == name) return i;
    }
    throw FormatError("no-member", "there is no chunk of an object " + std::string(name));
}

ByteVector memberBytes(const Document& document, std::string_view name) {
    for (const Located& located : locate(document)) {
        if (located.member.name != name) continue;
        const Bytes bytes =
            document.file.subspan(static_cast<std::size_t>(located.offset), static_cast<std::size_t>(located.size));
        return {bytes.begin(), bytes.end()};
    }
    throw FormatError("no-member", "there is no chunk of an object " + std::string(name));
}

}  // namespace geomconv::ccsf
