// The walk over the chunks. A kind's end is its size field, except for Texture and Model, whose size lies: theirs is
// where the layout ends. An end inside the file is believed when a chunk head stands there; if not, the sizes that
// lying exporters wrote are tried in turn, then the next head is searched. An end past the file is an error, and
// searched for only with recover.

#include <algorithm>
#include <utility>

#include "formats/ccsf/header.hpp"
#include "formats/ccsf/records.hpp"
#include "lib/bytes/byte_writer.hpp"

namespace geomconv::ccsf {

namespace {

constexpr std::uint64_t kHead = 8;
/// What the exporters add to the size of every texture, and to a deformable model's per mmat, in words.
constexpr std::uint64_t kTextureLie = 50;
constexpr std::uint64_t kModelLie = 15;
/// What may be read in vain: so many times the file, and a little more for small ones.
constexpr std::uint64_t kMostWaste = 16;
constexpr std::uint64_t kFreeWaste = 1 << 20;

using SizedReader = void (*)(ByteReader&, Reading&);

SizedReader readerOf(std::uint16_t kind) {
    switch (kind) {
        case kind::kObj:
            return readObj;
        case kind::kObj2:
            return readObj2;
        case kind::kExtObj:
            return readExtObj;
        case kind::kClump:
            return readClump;
        case kind::kMaterial:
            return readMaterial;
        case kind::kClut:
            return readClut;
        case kind::kHit:
            return readHit;
        case kind::kBbox:
            return readBbox;
        case kind::kDummyPos:
            return readDummyPos;
        case kind::kDummyPosRot:
            return readDummyPosRot;
        case kind::kCamera:
            return readCamera;
        case kind::kLight:
            return readLight;
        case kind::kMorpher:
            return readMorpher;
        case kind::kAnime:
            return readAnime;
        default:
            return nullptr;
    }
}

bool endsByLayout(std::uint16_t kind, Section section) {
    return section == Section::Setup && (kind == kind::kTexture || kind == kind::kModel);
}

/// A fault of one asset only: its chunk is skipped by size and kept as bytes.
bool isSoft(const Defect& defect) {
    return defect.kind == "unsupported-mtype" || defect.kind == "texture" || defect.kind == "psp-texture";
}

class Walker {
public:
    Walker(ByteReader& in, Document& document, bool recover, Defects& defects)
        : in_(in), document_(document), defects_(defects), reading_(document, defects), recover_(recover) {}

    void run() {
        document_.frameStart = 0;
        std::uint64_t at = in_.position();
        while (at < in_.size()) {
            if (ended_) {
                keepRest(at);
                defects_.warn("trailing", at, {},
                              std::to_string(in_.size() - at) + " bytes behind the end of the frame section");
                break;
            }
            if (!step(at)) break;
        }
        if (document_.frameStart == 0) document_.frameStart = document_.chunks.size();
        if (!ended_ && !cutOff_) {
            const bool noFrame = document_.frameStart == document_.chunks.size() && section_ == Section::Setup;
            defects_.warn("no-end", in_.size(), {},
                          noFrame ? "there is no Frame chunk" : "the frame section has no end Top");
        }
    }

private:
    struct Head {
        std::uint16_t kind = 0;
        std::uint16_t tag = 0;
        std::uint32_t size = 0;
    };

    Head headAt(std::uint64_t at) const {
        const Bytes file = in_.all();
        const auto p = static_cast<std::size_t>(at);
        return {load<std::uint16_t>(file, p), load<std::uint16_t>(file, p + 2), load<std::uint32_t>(file, p + 4)};
    }
    std::uint64_t bySize(std::uint64_t at, const Head& head) const { return at + kHead + 4 * std::uint64_t{head.size}; }

    /// Whether a chunk of a known kind may start there.
    bool looksKnown(std::uint64_t at, Section section) const {
        if (at == in_.size()) return true;
        if (at > in_.size() || in_.size() - at < kHead || at % 4 != 0) return false;
        const Head head = headAt(at);
        if ((head.tag != kTag && head.tag != 0) || findKind(head.kind, section) == nullptr) return false;
        return endsByLayout(head.kind, section) || bySize(at, head) <= in_.size();
    }
    /// The same, and an unknown kind with the usual tag whose size leads to such a chunk.
    bool looksLikeChunk(std::uint64_t at, Section section) const {
        if (looksKnown(at, section)) return true;
        if (at > in_.size() || in_.size() - at < kHead || at % 4 != 0) return false;
        const Head head = headAt(at);
        return head.tag == kTag && findKind(head.kind, section) == nullptr && bySize(at, head) <= in_.size() &&
               looksKnown(bySize(at, head), section);
    }
    /// The next place with the usual tag and a known kind; the file's end when there is none.
    std::uint64_t nextHead(std::uint64_t at) const {
        for (at = (at + 3) / 4 * 4; in_.size() - std::min(at, in_.size()) >= kHead; at += 4) {
            if (headAt(at).tag == kTag && looksKnown(at, section_)) return at;
        }
        return in_.size();
    }

    ByteReader readerFor(const Head& head, std::uint64_t at, std::uint64_t end) const {
        const std::uint64_t start = at + kHead;
        std::string object;
        const KindInfo* info = findKind(head.kind, section_);
        if (info != nullptr && info->namesObject && end - start >= 4) {
            object = document_.nameOf(load<std::uint32_t>(in_.all(), static_cast<std::size_t>(start)));
        }
        if (info == nullptr) object = hex(head.kind);
        return in_.within(info != nullptr ? info->name : "chunk", std::move(object), start, end - start);
    }

    /// Reads the chunk at `at` and moves behind it; false at a damage that ends the reading.
    bool step(std::uint64_t& at) {
        if (in_.size() - at < kHead) return lost(at, "truncated", "the file ends inside a chunk head");
        const Head head = headAt(at);
        if (head.tag != kTag && head.tag != 0) {
            return lost(at, "sync", "no chunk head here: tag " + hex(head.tag) + " of kind " + hex(head.kind));
        }
        if (findKind(head.kind, section_) == nullptr) {
            if (reading_.first("kind " + hex(head.kind))) {
                defects_.warn("unknown-kind", at, {}, "kind " + hex(head.kind) + " is not known; kept as bytes");
            }
        }
        reading_.chunk = static_cast<std::uint32_t>(document_.chunks.size());
        std::uint64_t end = 0;
        if (endsByLayout(head.kind, section_)) {
            end = byLayout(at, head);
        } else {
            end = bySize(at, head);
            if (end > in_.size()) return pastEnd(at, head, end);
            if (section_ == Section::Setup) readSized(at, head, end);
        }
        push(head, at, end);
        at = end;
        return true;
    }

    void push(const Head& head, std::uint64_t at, std::uint64_t end) {
        const Bytes payload =
            in_.all().subspan(static_cast<std::size_t>(at + kHead), static_cast<std::size_t>(end - at - kHead));
        document_.chunks.push_back({head.kind, head.tag, head.size, at, payload, known_});
        known_ = SIZE_MAX;
        if (section_ == Section::Frames && head.kind == kind::kTop && payload.size() >= 4) {
            ended_ = load<std::int32_t>(payload, 0) < 0;
        }
        if (section_ == Section::Setup && head.kind == kind::kFrame) {
            section_ = Section::Frames;
            document_.frameStart = document_.chunks.size();
        }
    }

    void readSized(std::uint64_t at, const Head& head, std::uint64_t end) {
        const SizedReader reader = readerOf(head.kind);
        if (reader == nullptr) return;
        ByteReader in = readerFor(head, at, end);
        try {
            reader(in, reading_);
        } catch (const FormatError& e) {
            Defect defect = asWarning(e.defect());
            defect.kind = "bad-chunk";
            defects_.add(std::move(defect));
            return;
        }
        if (in.left() > 0) known_ = static_cast<std::size_t>(in.position());
        if (in.left() > 0 && reading_.first("fields of " + hex(head.kind))) {
            reading_.warn(in, "unknown-fields",
                          std::to_string(in.left()) + " bytes behind the known fields of this kind; kept");
        }
    }

    // ---- Texture and Model

    /// Reads by layout; gives the end. Keeps the asset unless its own reading failed.
    std::uint64_t byLayout(std::uint64_t at, const Head& head) {
        std::optional<Defect> failure;
        std::optional<std::uint64_t> computed =
            head.kind == kind::kTexture ? tryTexture(at, head, failure) : tryModels(at, head, failure);
        if (computed && looksLikeChunk(*computed, Section::Setup)) return *computed;
        if (computed) countWaste(*computed - at);
        if (failure && !isSoft(*failure) && !recover_) throw FormatError(*failure);
        const std::optional<std::uint64_t> found = fallback(at, head);
        if (failure) {
            const bool error = isSoft(*failure) && failure->kind != "psp-texture" && !recover_;
            defects_.add(error ? *failure : asWarning(*failure));
        }
        if (!found && computed) return *computed;  // the next step says that there is no head
        const std::uint64_t end = found.value_or(in_.size());
        if (computed) {
            const ByteReader in = readerFor(head, at, in_.size());
            defects_.add(
                in.defect(Severity::Warning, "resync", at,
                          "no chunk follows where the layout ends (" + hex(*computed) + "); went on at " + hex(end)));
        }
        return end;
    }

    std::optional<std::uint64_t> tryTexture(std::uint64_t at, const Head& head, std::optional<Defect>& failure) {
        ByteReader in = readerFor(head, at, in_.size());
        try {
            document_.textures.push_back(readTexture(in, reading_));
            return in.offset();
        } catch (const FormatError& e) {
            countWaste(in.position());
            failure = e.defect();
            return std::nullopt;
        }
    }

    /// Layouts that lead nowhere may be long, and the next head may stand close behind: without a limit a made file of
    /// heads alone would be read once per head.
    void countWaste(std::uint64_t bytes) {
        wasted_ += bytes;
        if (wasted_ > kMostWaste * in_.size() + kFreeWaste)
            in_.fail("sync", "too many chunks whose layout leads nowhere");
    }

    /// The layouts that a model may have, the likeliest first.
    std::vector<ModelLayout> layoutsOf(std::uint64_t at) const {
        const std::uint16_t version = document_.version();
        const bool typed = in_.size() - at >= 18;
        const auto place = static_cast<std::size_t>(at + 16);
        const std::uint16_t mtype = typed ? load<std::uint16_t>(in_.all(), place) : std::uint16_t{0};
        if (version > kLastGeneration1 && (mtype & 2) != 0) return {{true, true}, {true, false}};
        if (version == kFirstGeneration3 && (mtype & 4) != 0) return {{true, false}, {false, false}};
        return {{true, false}};
    }

    /// Where sources disagree on the layout, the first that leads to a chunk is right, else the first that can be read.
    std::optional<std::uint64_t> tryModels(std::uint64_t at, const Head& head, std::optional<Defect>& failure) {
        std::optional<std::uint64_t> end;
        std::optional<Model> kept;
        Defects keptSaid;
        for (const ModelLayout layout : layoutsOf(at)) {
            ByteReader in = readerFor(head, at, in_.size());
            Defects said;
            Reading trial(document_, said, reading_.chunk);
            try {
                Model model = readModel(in, trial, layout);
                const bool good = looksLikeChunk(in.offset(), Section::Setup);
                if (!good && kept) {
                    countWaste(in.position());
                    continue;
                }
                kept = std::move(model);
                keptSaid = std::move(said);
                end = in.offset();
                if (good) break;
            } catch (const FormatError& e) {
                countWaste(in.position());
                // The last failure: of a type that is not known it is the one that costs this model only.
                failure = e.defect();
            }
        }
        if (!kept) return std::nullopt;
        failure.reset();
        document_.models.push_back(*std::move(kept));
        for (const Defect& defect : keptSaid.list()) defects_.add(defect);
        return end;
    }

    /// The ends that lying sizes allow, then the next head; nullopt when nothing is found.
    std::optional<std::uint64_t> fallback(std::uint64_t at, const Head& head) const {
        const std::uint64_t sized = bySize(at, head);
        std::uint64_t lie = 4 * kTextureLie;
        if (head.kind == kind::kModel) {
            const bool short18 = in_.size() - at < 20;
            lie = short18 ? 0 : 4 * kModelLie * load<std::uint16_t>(in_.all(), static_cast<std::size_t>(at + 18));
        }
        const std::uint64_t truth = sized > lie ? sized - lie : 0;
        for (const std::uint64_t end : {sized, truth}) {
            if (end >= at + kHead && end <= in_.size() && looksLikeChunk(end, Section::Setup)) return end;
        }
        const std::uint64_t next = nextHead(at + kHead);
        return next < in_.size() ? std::optional(next) : std::nullopt;
    }

    // ---- damage

    bool pastEnd(std::uint64_t& at, const Head& head, std::uint64_t end) {
        const ByteReader in = readerFor(head, at, in_.size());
        Defect defect = in.defect(
            Severity::Error, "truncated", at,
            "size " + std::to_string(head.size) + " ends " + std::to_string(end - in_.size()) + " bytes past the file");
        defects_.refuse(std::move(defect), recover_);
        return goOn(at);
    }
    bool lost(std::uint64_t& at, std::string_view kind, std::string detail) {
        Defect defect = in_.defect(Severity::Error, kind, at, std::move(detail));
        defects_.refuse(std::move(defect), recover_);
        return goOn(at);
    }
    /// Goes on at the next head; the bytes up to it stay with the chunk before, so that nothing is lost in writing.
    bool goOn(std::uint64_t& at) {
        const std::uint64_t next = nextHead(at + 4);
        if (next >= in_.size()) {
            keepRest(at);
            cutOff_ = true;
            return false;
        }
        Chunk& before = document_.chunks.back();
        before.known = std::min(before.known, before.payload.size());
        before.payload = in_.all().subspan(static_cast<std::size_t>(before.offset + kHead),
                                           static_cast<std::size_t>(next - before.offset - kHead));
        at = next;
        return true;
    }
    void keepRest(std::uint64_t at) { document_.trailing = in_.all().subspan(static_cast<std::size_t>(at)); }

    ByteReader& in_;
    Document& document_;
    Defects& defects_;
    Reading reading_;
    bool recover_;
    Section section_ = Section::Setup;
    std::size_t known_ = SIZE_MAX;  ///< how much of the chunk being read its fields are
    std::uint64_t wasted_ = 0;      ///< bytes read by layouts that led nowhere
    bool ended_ = false;
    bool cutOff_ = false;
};

}  // namespace

Confidence probe(Bytes bytes, std::string_view) noexcept {
    if (bytes.size() < 12) return Confidence::No;
    const bool is = load<std::uint32_t>(bytes, 0) == 0xcccc0001 && asText(bytes.subspan(8, 4)) == "CCSF";
    return is ? Confidence::Certain : Confidence::No;
}

Document read(Bytes file, bool recover, Defects& defects) {
    Document document;
    document.file = file;
    ByteReader in(file);
    readHeader(in, document, defects);
    readIndex(in, document, defects);
    Walker(in, document, recover, defects).run();
    return document;
}

ByteVector write(const Document& document) {
    ByteWriter out;
    out.reserve(document.file.size());
    for (const Chunk& chunk : document.chunks) {
        out.u16(chunk.kind);
        out.u16(chunk.tag);
        out.u32(chunk.size);
        out.bytes(chunk.payload);
    }
    out.bytes(document.trailing);
    return out.finish();
}

}  // namespace geomconv::ccsf
