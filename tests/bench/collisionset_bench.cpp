// A library of half a million triangles (9 MB): reading, both byte orders, to GLB, statistics.

#include <benchmark/benchmark.h>

#include "exporters/gltf/format.hpp"
#include "lib/files/output_set.hpp"
#include "tests/samples/collision_libraries.hpp"

namespace geomconv::collisionset {
namespace {

const ByteVector& file(ByteOrder order) {
    static const Library made = samples::large(500000);
    static const ByteVector big = write(made);
    static const ByteVector little = [] {
        Library library = made;
        library.byteOrder = ByteOrder::Little;
        return write(library);
    }();
    return order == ByteOrder::Big ? big : little;
}

ByteOrder orderOf(const benchmark::State& state) {
    return state.range(0) == 0 ? ByteOrder::Big : ByteOrder::Little;
}

void countBytes(benchmark::State& state, std::size_t bytes) {
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
}

void readLibrary(benchmark::State& state) {
    const ByteVector& bytes = file(orderOf(state));
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(read(bytes, {}, defects));
    }
    countBytes(state, bytes.size());
}
BENCHMARK(readLibrary)->ArgName("little")->Arg(0)->Arg(1);

void writeLibrary(benchmark::State& state) {
    const ByteVector& bytes = file(orderOf(state));
    Defects defects;
    const Library library = read(bytes, {}, defects);
    for (auto _ : state) {
        NullSink out;
        write(library, out);
    }
    countBytes(state, bytes.size());
}
BENCHMARK(writeLibrary)->ArgName("little")->Arg(0)->Arg(1);

void toGlb(benchmark::State& state) {
    const ByteVector& bytes = file(orderOf(state));
    for (auto _ : state) {
        ReadOptions options;
        options.forMesh = options.finite = true;
        Defects defects;
        const Scene scene = toScene(read(bytes, options, defects), "large.bin", options, defects);
        MemoryOutput out;
        gltf::kGlb.writeScene(scene, {}, out, defects);
        benchmark::DoNotOptimize(out.takeMain());
    }
    countBytes(state, bytes.size());
}
BENCHMARK(toGlb)->ArgName("little")->Arg(0)->Arg(1);

void countStatistics(benchmark::State& state) {
    const ByteVector& bytes = file(ByteOrder::Big);
    Defects defects;
    const Library library = read(bytes, {}, defects);
    for (auto _ : state) {
        for (const Record& record : library.records) benchmark::DoNotOptimize(statistics(record));
    }
    countBytes(state, bytes.size());
}
BENCHMARK(countStatistics);

}  // namespace
}  // namespace geomconv::collisionset
