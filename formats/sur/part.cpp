#include <algorithm>
#include <string>

#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::sur {

namespace {

constexpr bool isTag(std::uint32_t word) {
    const auto tag = static_cast<ChunkTag>(word);
    return tag == ChunkTag::Unfixed || tag == ChunkTag::Extent || tag == ChunkTag::Surface ||
           tag == ChunkTag::Hardpoints;
}

std::string_view tagName(ChunkTag tag) {
    switch (tag) {
        case ChunkTag::Unfixed:
            return "!fxd";
        case ChunkTag::Extent:
            return "exts";
        case ChunkTag::Surface:
            return "surf";
        case ChunkTag::Hardpoints:
            return "hpid";
    }
    return "?";
}

std::uint32_t wordAhead(const ByteReader& in, std::uint64_t ahead) {
    return in.within({}, {}, in.position() + ahead, 4).u32("chunk tag");
}

/// Whether a chunk follows that the part's count leaves out. The next part is told from it by its second word, a count
/// from 1 to 4, and its third, a tag.
bool uncountedChunkFollows(const ByteReader& in) {
    if (in.left() < 4 || !isTag(wordAhead(in, 0))) return false;
    if (in.left() < 12) return true;
    const std::uint32_t count = wordAhead(in, 4);
    return !(count >= 1 && count <= 4 && isTag(wordAhead(in, 8)));
}

/// Passes the content of a chunk and gives its bytes.
ByteVector passPayload(ByteReader& in, ChunkTag tag) {
    const std::uint64_t start = in.position();
    switch (tag) {
        case ChunkTag::Unfixed:
            break;
        case ChunkTag::Extent:
            in.skip(24, "exts");
            break;
        case ChunkTag::Surface:
            in.skip(in.count32(1, "surf size"), "surf");
            break;
        case ChunkTag::Hardpoints:
            in.skip(std::uint64_t{in.count32(4, "hpid count")} * 4, "hpid");
            break;
    }
    const Bytes bytes =
        in.all().subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(in.position() - start));
    return {bytes.begin(), bytes.end()};
}

/// Whether a chunk, a part or the end of the file lies `ahead` of the reader.
bool chunkOrPartAt(const ByteReader& in, std::uint64_t ahead) {
    if (ahead >= in.left()) return ahead == in.left();
    const std::uint64_t left = in.left() - ahead;
    if (left >= 4 && isTag(wordAhead(in, ahead))) return true;
    if (left < 12) return false;
    const std::uint32_t count = wordAhead(in, ahead + 4);
    return count >= 1 && count <= 4 && isTag(wordAhead(in, ahead + 8));
}

/// Recovering, the size of a surf block whose size word leads nowhere: what the block says of itself where that leads
/// to a chunk or a part, else what is left.
std::uint32_t recoveredSize(const ByteReader& in, std::uint64_t at, std::uint32_t stated, Defects& defects) {
    if (chunkOrPartAt(in, stated)) return stated;
    std::uint64_t size = stated;
    const std::uint32_t own = in.left() >= 32 ? wordAhead(in, 28) >> 8 : 0;
    if (own >= 32 && chunkOrPartAt(in, own)) size = own;
    if (size > in.left()) size = in.left();
    if (size == stated) return stated;
    defects.add(in.defect(Severity::Warning, "truncated", at,
                          "surf size " + std::to_string(stated) + ", " + std::to_string(in.left()) + " bytes left; " +
                              std::to_string(size) + " are taken"));
    return static_cast<std::uint32_t>(size);
}

Surface readSurfaceChunk(ByteReader& in, Defects& defects, bool recover) {
    const std::uint64_t at = in.offset();
    const std::uint32_t size =
        recover ? recoveredSize(in, at, in.u32("surf size"), defects) : in.count32(1, "surf size");
    ByteReader block = in.within({}, {}, size);
    if (!recover) return readSurface(block, defects, false);
    try {
        return readSurface(block, defects, true);
    } catch (const FormatError& error) {
        Defect loss = asWarning(error.defect());
        loss.detail += "; the part's hulls are left out";
        defects.add(std::move(loss));
    }
    Surface kept;
    kept.block.assign(block.all().begin(), block.all().end());
    return kept;
}

void readChunk(ByteReader& in, Part& part, Defects& defects, bool recover) {
    const std::uint64_t at = in.offset();
    const std::uint32_t word = in.u32("chunk tag");
    if (!isTag(word)) in.failAt("unknown-chunk", at, "unknown chunk tag " + hexId(word));
    const auto tag = static_cast<ChunkTag>(word);
    Chunk& chunk = part.chunks.emplace_back(Chunk{.tag = tag});
    const auto same = [tag](const Chunk& other) { return other.tag == tag; };
    if (std::count_if(part.chunks.begin(), part.chunks.end(), same) > 1) {
        chunk.repeats = true;
        chunk.payload = passPayload(in, tag);
        defects.add(in.defect(Severity::Warning, "repeated-chunk", at,
                              "chunk " + std::string(tagName(tag)) + " repeats, only the first one counts"));
        return;
    }
    switch (tag) {
        case ChunkTag::Unfixed:
            part.fixed = false;
            break;
        case ChunkTag::Extent: {
            Extent& extent = part.extent.emplace();
            extent.minimum = readVec3(in, "exts minimum", defects, recover);
            extent.maximum = readVec3(in, "exts maximum", defects, recover);
            break;
        }
        case ChunkTag::Surface:
            part.surface = readSurfaceChunk(in, defects, recover);
            break;
        case ChunkTag::Hardpoints:
            part.hardpoints.resize(in.count32(4, "hpid count"));
            for (std::uint32_t& id : part.hardpoints) id = in.u32("hpid");
            break;
    }
}

/// Whether what follows is the end of the file or can only be another part: no tag, then a count and a tag.
bool partFollows(const ByteReader& in) {
    return in.left() == 0 || (in.left() >= 12 && !isTag(wordAhead(in, 0)) && chunkOrPartAt(in, 0));
}

/// Reads a chunk. Recovering, one that cannot be read is the end of the file, for nothing tells where it ends; gives
/// false then.
bool readChunkOrEnd(ByteReader& in, Part& part, Defects& defects, bool recover) {
    if (!recover) {
        readChunk(in, part, defects, recover);
        return true;
    }
    const std::uint64_t start = in.position();
    const std::size_t before = part.chunks.size();
    try {
        readChunk(in, part, defects, recover);
        return true;
    } catch (const FormatError& error) {
        Defect loss = asWarning(error.defect());
        loss.detail += "; the rest of the file, " + counted(in.size() - start, "bytes") + ", is left out";
        defects.add(std::move(loss));
    }
    part.chunks.resize(before);
    in.at(in.size(), "end");
    return false;
}

}  // namespace

std::vector<Chunk> usualChunks(const Part& part) {
    std::vector<Chunk> chunks;
    if (!part.fixed) chunks.push_back({.tag = ChunkTag::Unfixed});
    if (part.extent) chunks.push_back({.tag = ChunkTag::Extent});
    if (part.surface) chunks.push_back({.tag = ChunkTag::Surface});
    if (!part.hardpoints.empty()) chunks.push_back({.tag = ChunkTag::Hardpoints});
    return chunks;
}

Part readPart(ByteReader& in, Defects& defects, bool recover) {
    Part part;
    part.id = in.u32("part id");
    ByteReader body = in.within("part", hexId(part.id), in.position(), in.left());
    const std::uint64_t countAt = body.offset();
    const std::uint32_t count = recover ? body.u32("chunk count") : body.count32(4, "chunk count");
    for (std::uint32_t i = 0; i < count && !(recover && partFollows(body)); ++i) {
        if (!readChunkOrEnd(body, part, defects, recover)) break;
    }
    while (uncountedChunkFollows(body)) {
        if (!readChunkOrEnd(body, part, defects, recover)) break;
    }
    if (part.chunks.size() != count) {
        defects.add(body.defect(Severity::Warning, "chunk-count", countAt,
                                "chunk count " + std::to_string(count) + ", but " + std::to_string(part.chunks.size()) +
                                    " chunks are there"));
        // Fewer than counted are there only when recovering: such a count would make the part unreadable again.
        if (part.chunks.size() > count) part.chunkCount = count;
    }
    if (part.chunks == usualChunks(part)) part.chunks.clear();
    in.skip(body.position(), "part");
    return part;
}

void writePart(ByteWriter& out, const Part& part) {
    const std::vector<Chunk> chunks = part.chunks.empty() ? usualChunks(part) : part.chunks;
    out.u32(part.id);
    out.u32(part.chunkCount.value_or(static_cast<std::uint32_t>(chunks.size())));
    for (const Chunk& chunk : chunks) {
        out.u32(static_cast<std::uint32_t>(chunk.tag));
        if (chunk.repeats) {
            out.bytes(chunk.payload);
            continue;
        }
        switch (chunk.tag) {
            case ChunkTag::Unfixed:
                break;
            case ChunkTag::Extent:
                writeVec3(out, part.extent.value_or(Extent{}).minimum);
                writeVec3(out, part.extent.value_or(Extent{}).maximum);
                break;
            case ChunkTag::Surface:
                writeSurface(out, part.surface.value());
                break;
            case ChunkTag::Hardpoints:
                out.u32(std::uint64_t{part.hardpoints.size()}, "hpid count");
                for (const std::uint32_t id : part.hardpoints) out.u32(id);
                break;
        }
    }
}

PartPlace placeOf(const Part& part) {
    PartPlace place;
    std::uint64_t at = 8;
    for (const Chunk& chunk : part.chunks.empty() ? usualChunks(part) : part.chunks) {
        at += 4;
        if (chunk.repeats)
            at += chunk.payload.size();
        else if (chunk.tag == ChunkTag::Extent)
            at += 24;
        else if (chunk.tag == ChunkTag::Hardpoints)
            at += 4 + 4 * part.hardpoints.size();
        else if (chunk.tag == ChunkTag::Surface) {
            place.surface = at + 4;
            const Surface& surface = *part.surface;
            at += 4 + (surface.block.empty() ? layoutOf(surface).end + surface.tail.size() : surface.block.size());
        }
    }
    place.size = at;
    return place;
}

}  // namespace geomconv::sur
