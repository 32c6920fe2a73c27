// Runs a fuzz target without libFuzzer: every seed, every seed cut at many lengths, and mutations of the seeds from a
// fixed start. GEOMCONV_MUTATIONS sets how many mutations there are (20000). Each input lies in an allocation of its
// own length, so that a sanitizer sees one byte too many.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "tests/support/shared.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using geomconv::ByteVector;
namespace fs = std::filesystem;

constexpr std::size_t kLargestSeed = 256 * 1024;

void runOn(const ByteVector& bytes) {
    const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[bytes.size()]);
    std::copy(bytes.begin(), bytes.end(), exact.get());
    LLVMFuzzerTestOneInput(exact.get(), bytes.size());
}

std::vector<ByteVector> readSeeds(int argc, char** argv) {
    std::vector<ByteVector> seeds;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        fs::path folder = geomconv::test::sourceDir() / name;
        if (name.starts_with("shared/")) {
            const auto shared = geomconv::test::sharedDir();
            if (!shared) continue;
            folder = *shared / name.substr(7);
        }
        if (!fs::is_directory(folder)) continue;
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file() && entry.file_size() <= kLargestSeed) files.push_back(entry.path());
        }
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) seeds.push_back(geomconv::test::readFile(file));
    }
    return seeds;
}

/// A few random edits: bytes, words with telling values, blocks moved, the end cut.
ByteVector mutated(const ByteVector& seed, std::mt19937_64& random) {
    static constexpr std::uint32_t kWords[] = {0,          1,          0x7fffffff, 0x80000000, 0xffffffff, 0x20000000,
                                               0x55555556, 0x0000ffff, 0x00010000, 0x7fc00000, 0x7f800000, 0xff800000};
    ByteVector out = seed;
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::size_t edits = 1 + below(6);
    for (std::size_t e = 0; e < edits && !out.empty(); ++e) {
        const std::size_t at = below(out.size());
        switch (below(6)) {
            case 0:
                out[at] = static_cast<std::uint8_t>(random());
                break;
            case 1:
                out[at] = static_cast<std::uint8_t>(out[at] ^ (1U << below(8)));
                break;
            case 2: {
                const std::uint32_t word = kWords[below(std::size(kWords))];
                const std::size_t aligned = at / 4 * 4;
                const bool big = below(2) == 1;
                for (std::size_t k = 0; k < 4 && aligned + k < out.size(); ++k) {
                    out[aligned + k] = static_cast<std::uint8_t>(word >> (8 * (big ? 3 - k : k)));
                }
                break;
            }
            case 3:
                out.resize(at);
                break;
            case 4: {
                const std::size_t n = std::min<std::size_t>(1 + below(64), out.size() - at);
                const std::size_t from = below(out.size() - n + 1);
                std::copy_n(ByteVector(out).begin() + static_cast<std::ptrdiff_t>(from), n,
                            out.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            }
            default: {
                const std::size_t n = 1 + below(16);
                out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), n, static_cast<std::uint8_t>(random()));
            }
        }
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<ByteVector> seeds = readSeeds(argc, argv);
    runOn({});
    std::size_t cuts = 0;
    for (const ByteVector& seed : seeds) {
        runOn(seed);
        const std::size_t step = 1 + seed.size() / 200;
        for (std::size_t n = 0; n < seed.size(); n += step) {
            runOn(ByteVector(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(n)));
            ++cuts;
        }
    }
    const char* wanted = std::getenv("GEOMCONV_MUTATIONS");
    const std::size_t mutations = seeds.empty() ? 0 : (wanted ? std::strtoull(wanted, nullptr, 10) : 20000);
    std::mt19937_64 random(20260101);
    for (std::size_t i = 0; i < mutations; ++i) runOn(mutated(seeds[i % seeds.size()], random));
    std::printf("%zu seeds, %zu cuts, %zu mutations\n", seeds.size(), cuts, mutations);
    return 0;
}
