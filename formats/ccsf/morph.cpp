#include "formats/ccsf/morph.hpp"

#include <set>

#include "formats/ccsf/anime.hpp"
#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

namespace {

/// Target models of one record.
std::vector<std::uint32_t> targetsIn(const Chunk& record) {
    std::vector<std::uint32_t> out;
    ByteReader in(record.payload);
    try {
        in.skip(4, "morpher");
        if (record.kind == kind::kFMorpher) {
            const std::uint16_t n = in.u16("target count");
            in.skip(2, "padding");
            for (std::uint16_t i = 0; i < n; ++i) {
                out.push_back(in.u32("target"));
                in.skip(4, "weight");
            }
        } else {
            const std::uint32_t n = in.u32("target count");
            for (std::uint32_t i = 0; i < n; ++i) {
                out.push_back(in.u32("target"));
                readTrack(in, in.u32("flags") & 7, 1, false);
            }
        }
    } catch (const FormatError&) {
        // A record that is cut short names the targets before the cut.
    }
    return out;
}

}  // namespace

const std::vector<std::uint32_t>& Morphs::targetsOf(std::uint32_t baseModel) const {
    static const std::vector<std::uint32_t> kNoTargets;
    const auto found = targets_.find(baseModel);
    return found != targets_.end() ? found->second : kNoTargets;
}

Morphs morphsOf(const Document& document) {
    Morphs out;
    out.target_.resize(document.objects.size());
    std::map<std::uint32_t, std::uint32_t> baseOf;
    for (const Morpher& morpher : document.morphers) baseOf.emplace(morpher.object, morpher.baseModel);
    if (baseOf.empty()) return out;
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    const auto see = [&](const Chunk& record) {
        if ((record.kind != kind::kFMorpher && record.kind != kind::kMorphController) || record.payload.size() < 4)
            return;
        const auto base = baseOf.find(load<std::uint32_t>(record.payload, 0));
        if (base == baseOf.end()) return;
        for (const std::uint32_t target : targetsIn(record)) {
            if (target >= out.target_.size() || target == base->second) continue;
            if (known.emplace(base->second, target).second) out.targets_[base->second].push_back(target);
            out.target_[target] = true;
        }
    };
    for (const Anime& anime : document.animes) {
        for (const Chunk& record : anime.records) see(record);
    }
    for (std::size_t i = document.frameStart; i < document.chunks.size(); ++i) see(document.chunks[i]);
    return out;
}

}  // namespace geomconv::ccsf
