#include <benchmark/benchmark.h>

#include <random>

#include "exporters/obj/format.hpp"
#include "formats/groove/floortest.hpp"
#include "formats/groove/format.hpp"
#include "tests/support/groove_level.hpp"

namespace geomconv::groove {
namespace {

/// 32 x 32 cells of 98 faces and 49 collision quads each: 100k triangles.
const ByteVector& level100k() {
    static const ByteVector kBytes = test::largeLevel(32, 7);
    return kBytes;
}

void readLevel(benchmark::State& state) {
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(read(level100k(), false, defects));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(level100k().size()));
}
BENCHMARK(readLevel)->Unit(benchmark::kMillisecond);

void writeLevel(benchmark::State& state) {
    Defects defects;
    const Level level = read(level100k(), false, defects);
    for (auto _ : state) benchmark::DoNotOptimize(write(level));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(level100k().size()));
}
BENCHMARK(writeLevel)->Unit(benchmark::kMillisecond);

void levelToScene(benchmark::State& state) {
    Defects defects;
    const Level level = read(level100k(), false, defects);
    for (auto _ : state) benchmark::DoNotOptimize(toScene(level, "level.wad", {}, defects));
}
BENCHMARK(levelToScene)->Unit(benchmark::kMillisecond);

void levelToObj(benchmark::State& state) {
    Input input;
    input.bytes = level100k();
    for (auto _ : state) {
        Defects defects;
        MemoryOutput out;
        obj::kFormat.writeScene(kFormat.readScene(input, {}, defects), {}, out, defects);
        benchmark::DoNotOptimize(out.takeMain());
    }
}
BENCHMARK(levelToObj)->Unit(benchmark::kMillisecond);

void pageOfRle(benchmark::State& state) {
    const Textures text = test::groove_sample::textures();
    for (auto _ : state) benchmark::DoNotOptimize(decodePage(text.pages[0]));
    state.SetBytesProcessed(state.iterations() * 2 * 256 * 256);
}
BENCHMARK(pageOfRle);

/// Probes at random places of the grid, a little above the ground.
void floorProbes(benchmark::State& state, const ByteVector& bytes) {
    Defects defects;
    const Level level = read(bytes, false, defects);
    const FloorTest floors(level);
    std::mt19937 random(7);
    std::vector<FloorProbe> probes(65536);
    for (FloorProbe& p : probes) {
        p.x = static_cast<std::int32_t>(random() % (level.map->w * 4096));
        p.y = static_cast<std::int32_t>(random() % 8192);
        p.z = static_cast<std::int32_t>(random() % (level.map->h * 4096));
    }
    for (auto _ : state) {
        for (const FloorProbe& p : probes) benchmark::DoNotOptimize(floors.probe(p));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(probes.size()));
}
void floorSample(benchmark::State& state) {
    floorProbes(state, test::sampleLevel());
}
BENCHMARK(floorSample)->Unit(benchmark::kMillisecond);
/// 49 polygons a cell.
void floorDense(benchmark::State& state) {
    floorProbes(state, level100k());
}
BENCHMARK(floorDense)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace geomconv::groove
