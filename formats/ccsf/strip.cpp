#include "formats/ccsf/strip.hpp"

#include "formats/ccsf/kinds.hpp"

namespace geomconv::ccsf {

Strips trianglesOf(std::span<const std::uint8_t> flags, std::uint16_t version) {
    Strips out;
    const bool generation1 = version <= kLastGeneration1;
    std::uint32_t begin = 0;    // first vertex of the last run of nonzero flags
    std::uint32_t emitted = 0;  // triangles since the last nonzero flag
    bool reversed = false;      // the last nonzero flag is 2
    bool newStrip = true;
    const auto count = static_cast<std::uint32_t>(flags.size());
    out.indices.reserve(3 * flags.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint8_t flag = flags[i];
        if (flag != 0) {
            if (i == 0 || flags[i - 1] == 0) begin = i;
            reversed = flag == 2;
            out.oddFlag = out.oddFlag || flag > 2;
            emitted = 0;
            newStrip = true;
            continue;
        }
        if (i < 2) {
            out.oddOpening = true;
            continue;
        }
        if (newStrip) out.starts.push_back(static_cast<std::uint32_t>(out.indices.size() / 3));
        newStrip = false;
        const bool straight = generation1 ? (i - begin) % 2 == 1 : (emitted % 2 == 0) != reversed;
        ++emitted;
        const std::uint32_t first = straight ? i - 2 : i - 1;
        const std::uint32_t second = straight ? i - 1 : i - 2;
        out.indices.insert(out.indices.end(), {first, second, i});
    }
    return out;
}

}  // namespace geomconv::ccsf
