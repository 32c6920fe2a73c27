#include <algorithm>
#include <array>
#include <set>

#include "formats/groove/groove.hpp"

namespace geomconv::groove {

namespace {

struct FramingRule {
    Framing framing;
    std::uint64_t start;
    bool sizeCountsHeader;
    bool filledUp;
};
constexpr std::array<FramingRule, 4> kFramings{{{Framing::F0, 4, false, false},
                                                {Framing::F1, 4, true, false},
                                                {Framing::F2, 4, false, true},
                                                {Framing::F3, 0, false, false}}};

constexpr std::array<std::string_view, 19> kKnownTags{"INFO", "VERS", "NAME", "WFPC", "SMPC", "AMPC", "SRPC",
                                                      "TEXT", "SPRT", "FONT", "RIMG", "TRAK", "STPC", "MAP ",
                                                      "LGHT", "LNFO", "LGPC", "PRLT", "END "};
constexpr std::uint64_t kHeader = 8;
/// How far the next header may stand from where a wrong size word puts it.
constexpr std::uint64_t kMostSlack = 8;

/// The tag at a position, turned into reading order; empty where no plausible one stands.
std::string tagAt(Bytes file, std::uint64_t at) {
    if (at > file.size() || file.size() - at < 4) return {};
    std::string tag(4, ' ');
    for (std::size_t i = 0; i < 4; ++i) {
        const char c = static_cast<char>(file[static_cast<std::size_t>(at) + 3 - i]);
        if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ' ')) return {};
        tag[i] = c;
    }
    return tag == "    " ? std::string() : tag;
}

/// For messages: without the blank behind "MAP".
std::string shown(std::string_view tag) {
    return std::string(tag.substr(0, tag.find_last_not_of(' ') + 1));
}

bool isKnown(std::string_view tag) {
    return std::find(kKnownTags.begin(), kKnownTags.end(), tag) != kKnownTags.end();
}

std::uint32_t wordAt(Bytes file, std::uint64_t at) {
    ByteReader in(file.subspan(static_cast<std::size_t>(at), 4));
    return in.u32("word");
}

/// Where a chunk's parts lie.
struct Span {
    std::string tag;
    std::uint64_t at = 0;
    std::uint64_t size = 0;
    std::uint64_t fill = 0;
    std::uint32_t declared = 0;
};

/// Why no chunk can stand at a position.
struct Trouble {
    Defect defect;
    std::uint64_t overrun = 0;  ///< bytes of the payload that are not there
};

enum class Ending : std::uint8_t { AtEnd, AtEndWithRemainder, WithoutEnd };

struct Walk {
    FramingRule rule;
    std::vector<Span> spans;
    std::uint64_t end = 0;
    Ending ending = Ending::WithoutEnd;
    std::vector<Defect> warnings;
};

/// Looks at one header; nullopt when a chunk stands there, which `span` then describes.
std::optional<Trouble> look(Bytes file, const FramingRule& rule, std::uint64_t at, Span& span) {
    const auto trouble = [at](std::string_view kind, std::string detail) {
        return Trouble{{Severity::Error, std::string(kind), at, {}, std::move(detail)}, 0};
    };
    span.tag = tagAt(file, at);
    if (span.tag.empty()) return trouble("container", "not an Argonaut WAD: no chunk tag");
    if (file.size() - at < kHeader) return trouble("truncated", "chunk " + shown(span.tag) + ": header is cut");
    span.at = at;
    span.declared = wordAt(file, at + 4);
    if (rule.sizeCountsHeader && span.declared < kHeader) {
        return trouble("container", "chunk " + shown(span.tag) + ": size " + std::to_string(span.declared) +
                                        " does not hold its header");
    }
    span.size = rule.sizeCountsHeader ? span.declared - kHeader : span.declared;
    const std::uint64_t room = file.size() - at - kHeader;
    if (span.size > room) {
        Trouble t =
            trouble("chunk-past-end", "chunk " + shown(span.tag) + " at " + hex(at) + " claims " +
                                          std::to_string(span.size) + " bytes, " + std::to_string(room) + " remain");
        t.overrun = span.size - room;
        return t;
    }
    span.fill = rule.filledUp ? std::min((4 - span.size % 4) % 4, room - span.size) : 0;
    return std::nullopt;
}

/// Finds a known tag near the nominal end of the chunk before, which then takes or loses the bytes between.
bool slide(Bytes file, const FramingRule& rule, Span& last, std::uint64_t nominal, Span& span) {
    for (const std::int64_t step : {-4, 4, -8, 8}) {
        const auto at = static_cast<std::uint64_t>(static_cast<std::int64_t>(nominal) + step);
        if (at < last.at + kHeader || at + kHeader > file.size() || !isKnown(tagAt(file, at))) continue;
        if (look(file, rule, at, span)) continue;
        last.size = at - last.at - kHeader;
        last.fill = 0;
        return true;
    }
    return false;
}

/// The walk under one framing, or why it fails. Each step passes at least a header, so it ends.
std::optional<Trouble> walk(Bytes file, bool slack, Walk& out) {
    std::uint64_t at = out.rule.start;
    while (true) {
        if (at == file.size() && !out.spans.empty()) {
            out.warnings.push_back({Severity::Warning, "no-end", at, {}, "no END chunk"});
            out.ending = Ending::WithoutEnd;
            break;
        }
        Span span;
        std::optional<Trouble> trouble = look(file, out.rule, at, span);
        if (trouble && slack && !out.spans.empty() && trouble->overrun <= kMostSlack) {
            Span& last = out.spans.back();
            if (slide(file, out.rule, last, at, span)) {
                out.warnings.push_back(
                    {Severity::Warning,
                     "size-word",
                     last.at,
                     {{"chunk", shown(last.tag)}},
                     "declares " + std::to_string(last.declared) + " bytes, has " + std::to_string(last.size)});
                trouble.reset();
            }
        }
        if (trouble) return trouble;
        at = span.at + kHeader + span.size + span.fill;
        const bool last = span.tag == "END ";
        out.spans.push_back(std::move(span));
        if (last) {
            // What would fill END up is no part of it.
            at -= out.spans.back().fill;
            out.spans.back().fill = 0;
            out.ending = at == file.size() ? Ending::AtEnd : Ending::AtEndWithRemainder;
            break;
        }
    }
    out.end = at;
    return std::nullopt;
}

ByteVector copied(Bytes file, std::uint64_t at, std::uint64_t size) {
    const Bytes part = file.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
    return {part.begin(), part.end()};
}

bool isDecoded(std::string_view tag) {
    return tag == "TEXT" || tag == "TRAK" || tag == "STPC" || tag == "MAP ";
}

Container taken(Bytes file, const Walk& walk, Payloads payloads, Defects& defects) {
    Container out;
    out.framing = walk.rule.framing;
    out.fileSize = file.size();
    if (walk.rule.start != 0) out.lengthWord = wordAt(file, 0);
    std::set<std::string> seen;
    for (const Span& span : walk.spans) {
        if (!seen.insert(span.tag).second) {
            defects.warn("duplicate-chunk", span.at, {{"chunk", shown(span.tag)}}, "stands twice, the first is used");
        }
        const bool kept = payloads == Payloads::All || !isDecoded(span.tag);
        out.chunks.push_back({span.tag, span.at, span.declared, span.size,
                              copied(file, span.at + kHeader, kept ? span.size : 0),
                              copied(file, span.at + kHeader + span.size, span.fill)});
    }
    out.trailing = copied(file, walk.end, file.size() - walk.end);
    return out;
}

/// Names what a file is that no walk gets through, where that can be told.
void refuseRelatives(Bytes file) {
    const auto refuse = [](std::uint64_t at, std::string detail) {
        throw FormatError({Severity::Error, "container", at, {}, std::move(detail)});
    };
    if (file.size() < 12) refuse(0, "not an Argonaut WAD: " + std::to_string(file.size()) + " bytes");
    const std::string_view head = asText(file.first(4));
    if (head == "IWAD" || head == "PWAD" || head == "WAD2" || head == "WAD3") {
        refuse(0, "not an Argonaut WAD: a WAD of the DOOM and Quake family");
    }
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{4}}) {
        const std::string tag = tagAt(file, at);
        if (tag == "XSPT" || tag == "XSPS" || tag == "XSPD") refuse(at, "PlayStation WAD, not supported");
    }
}

}  // namespace

std::string_view framingName(Framing framing) {
    constexpr std::array<std::string_view, 4> kNames{"F0", "F1", "F2", "F3"};
    return kNames[static_cast<std::size_t>(framing)];
}

bool looksLikeWad(Bytes bytes) noexcept {
    for (const std::size_t at : {std::size_t{4}, std::size_t{0}}) {
        if (bytes.size() < at + 12) continue;
        for (const std::string_view tag : kKnownTags) {
            bool same = true;
            for (std::size_t i = 0; i < 4; ++i) same = same && static_cast<char>(bytes[at + 3 - i]) == tag[i];
            if (same) return true;
        }
    }
    return false;
}

Container readContainer(Bytes file, Payloads payloads, Defects& defects) {
    refuseRelatives(file);
    std::optional<Walk> best;
    std::optional<Trouble> first;
    for (const bool slack : {false, true}) {
        for (const FramingRule& rule : kFramings) {
            Walk tried{rule, {}, 0, Ending::WithoutEnd, {}};
            std::optional<Trouble> trouble = walk(file, slack, tried);
            if (trouble) {
                if (!first) first = std::move(trouble);
            } else if (!best || tried.ending < best->ending) {
                best = std::move(tried);
            }
        }
        if (best) break;
    }
    if (!best) throw FormatError(first->defect);

    Container out = taken(file, *best, payloads, defects);
    for (Defect& warning : best->warnings) defects.add(std::move(warning));
    if (!out.trailing.empty()) {
        defects.warn("trailing", best->end, {}, std::to_string(out.trailing.size()) + " bytes behind the END chunk");
    }
    if (out.framing != Framing::F3 && out.lengthWord != file.size() && out.lengthWord != file.size() - 4) {
        defects.warn("length-word", 0, {},
                     "length word " + std::to_string(out.lengthWord) + ", the file has " + std::to_string(file.size()) +
                         " bytes");
    }
    return out;
}

ByteVector writeContainer(const Container& container) {
    std::uint64_t size = (container.framing == Framing::F3 ? 0 : 4) + container.trailing.size();
    for (const Chunk& c : container.chunks) size += kHeader + c.payload.size() + c.padding.size();
    ByteWriter out;
    out.reserve(size);
    // The word follows the size by the difference, so that it keeps whatever convention it had.
    if (container.framing != Framing::F3) {
        out.u32(container.lengthWord + static_cast<std::uint32_t>(size - container.fileSize));
    }
    for (const Chunk& c : container.chunks) {
        for (std::size_t i = 0; i < 4; ++i) out.u8(static_cast<std::uint8_t>(c.tag.at(3 - i)));
        out.u32(c.declared);
        out.bytes(c.payload);
        out.bytes(c.padding);
    }
    out.bytes(container.trailing);
    return out.finish();
}

const Chunk* findChunk(const Container& container, std::string_view tag) {
    for (const Chunk& c : container.chunks) {
        if (c.tag == tag) return &c;
    }
    return nullptr;
}

Chunk* findChunk(Container& container, std::string_view tag) {
    return const_cast<Chunk*>(findChunk(static_cast<const Container&>(container), tag));
}

void setPayload(const Container& container, Chunk& chunk, ByteVector payload) {
    if (payload == chunk.payload) return;
    const std::uint64_t size = payload.size() + (container.framing == Framing::F1 ? kHeader : 0);
    if (size > UINT32_MAX) {
        throw FormatError("field-range", std::to_string(payload.size()) + " bytes do not fit a size word",
                          {{"chunk", shown(chunk.tag)}});
    }
    chunk.declared = static_cast<std::uint32_t>(size);
    chunk.size = payload.size();
    chunk.payload = std::move(payload);
    chunk.padding.assign(container.framing == Framing::F2 ? (4 - chunk.payload.size() % 4) % 4 : 0, 0);
}

}  // namespace geomconv::groove
