#include <benchmark/benchmark.h>
#include <spng.h>

#include <cstdlib>
#include <random>

#include "lib/image/png.hpp"

namespace geomconv {
namespace {

constexpr std::uint32_t kSize = 1024;

enum class Picture { Noise, Gradient, FewColours };

/// Pixels as texture pages have them: five bits a channel, a tenth of them transparent.
Image page(Picture picture) {
    std::mt19937 random(7);
    Image image;
    image.name = "page";
    image.width = image.height = kSize;
    image.rgba.reserve(std::size_t{4} * kSize * kSize);
    for (std::uint32_t y = 0; y < kSize; ++y) {
        for (std::uint32_t x = 0; x < kSize; ++x) {
            auto word = static_cast<std::uint32_t>(random());
            if (picture == Picture::Gradient) word = (x / 16) | (y / 16) << 5 | (x + y) / 64 << 10 | 1U << 20;
            if (picture == Picture::FewColours) word = word % 200 * 163 | 1U << 20;
            for (const int shift : {0, 5, 10}) {
                const std::uint32_t five = word >> shift & 31;
                image.rgba.push_back(static_cast<std::uint8_t>(five << 3 | five >> 2));
            }
            image.rgba.push_back((word >> 16) % 10 == 0 ? 0 : 255);
        }
    }
    return image;
}

void pngOfPage(benchmark::State& state) {
    const Image image = page(static_cast<Picture>(state.range(0)));
    std::size_t size = 0;
    for (auto _ : state) size = encodePng(image).size();
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(image.rgba.size()));
    state.counters["size"] = static_cast<double>(size);
}
BENCHMARK(pngOfPage)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

/// What the library does at level 1 with the same pixels as RGBA, and nothing else.
void spngLevel1(benchmark::State& state) {
    const Image image = page(static_cast<Picture>(state.range(0)));
    std::size_t size = 0;
    for (auto _ : state) {
        spng_ctx* context = spng_ctx_new(SPNG_CTX_ENCODER);
        spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
        spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, 1);
        spng_ihdr header{};
        header.width = header.height = kSize;
        header.color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
        header.bit_depth = 8;
        spng_set_ihdr(context, &header);
        spng_encode_image(context, image.rgba.data(), image.rgba.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
        int error = 0;
        void* png = spng_get_png_buffer(context, &size, &error);
        benchmark::DoNotOptimize(png);
        std::free(png);
        spng_ctx_free(context);
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(image.rgba.size()));
    state.counters["size"] = static_cast<double>(size);
}
BENCHMARK(spngLevel1)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace geomconv
