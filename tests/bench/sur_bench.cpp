#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "exporters/gltf/format.hpp"
#include "exporters/json/format.hpp"
#include "exporters/obj/format.hpp"
#include "formats/sur/build.hpp"
#include "formats/sur/format.hpp"
#include "formats/sur/sur.hpp"
#include "lib/geometry/convex_hull.hpp"
#include "tests/bench/null_output.hpp"

// A .sur of some 50 MB made of realistic hulls: 20 parts, 1,100 hulls each, 30 to 60 points a hull.

namespace {

using namespace geomconv;

sur::HullGeometry pebble(std::uint32_t id, std::mt19937& random) {
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> place(-500.0F, 500.0F);
    std::uniform_int_distribution<int> count(30, 60);
    const Vec3 middle(place(random), place(random), place(random));
    const Vec3 half(1.0F + std::abs(normal(random)), 1.0F + std::abs(normal(random)),
                    2.0F + 3.0F * std::abs(normal(random)));
    std::vector<Vec3> cloud;
    for (int n = count(random); n > 0; --n) {
        cloud.push_back(middle + half * glm::normalize(Vec3(normal(random), normal(random), normal(random))));
    }
    const ConvexHull hull = convexHull(cloud);
    sur::HullGeometry out;
    out.id = id;
    for (const std::uint32_t i : hull.indices) out.points.push_back(cloud[i]);
    out.triangles = hull.triangles;
    return out;
}

const ByteVector& madeLibrary() {
    static const ByteVector bytes = [] {
        std::mt19937 random(50);
        Defects defects;
        sur::Library library;
        for (std::uint32_t p = 0; p < 20; ++p) {
            const std::uint32_t id = 0x9E3779B9U * (p + 1);
            if (p >= 4) {  // four parts are made, the others are theirs again
                library.parts.push_back(library.parts[p % 4]);
                library.parts.back().id = id;
                continue;
            }
            std::vector<sur::HullGeometry> hulls;
            for (std::uint32_t h = 0; h < 1100; ++h) hulls.push_back(pebble(h % 5 == 0 ? id + h : id, random));
            library.parts.push_back(sur::createPart(id, hulls, {}, defects));
        }
        return sur::write(library);
    }();
    return bytes;
}

Input input() {
    return {"made.sur", madeLibrary(), {}, {}};
}

void bytesPerSecond(benchmark::State& state, std::uint64_t bytes) {
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
}

void BM_SurRead(benchmark::State& state) {
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(sur::read(input().bytes, defects));
    }
    bytesPerSecond(state, madeLibrary().size());
}

void BM_SurWrite(benchmark::State& state) {
    Defects defects;
    const sur::Library library = sur::read(madeLibrary(), defects);
    for (auto _ : state) benchmark::DoNotOptimize(sur::write(library));
    bytesPerSecond(state, madeLibrary().size());
}

void BM_SurReadScene(benchmark::State& state) {
    ReadOptions options;
    options.forMesh = true;
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(sur::kFormat.readScene(input(), options, defects));
    }
    bytesPerSecond(state, madeLibrary().size());
}

/// From the bytes of a .sur to those of another format; the rate is that of the bytes written.
void convert(benchmark::State& state, const Format& to, bool forMesh) {
    ReadOptions options;
    options.forMesh = forMesh;
    options.wayBack = !forMesh;
    std::uint64_t written = 0;
    for (auto _ : state) {
        Defects defects;
        NullOutput out(true);
        to.writeScene(sur::kFormat.readScene(input(), options, defects), {}, out, defects);
        written = out.main().written();
    }
    bytesPerSecond(state, written);
    state.counters["outputMB"] = static_cast<double>(written) / 1e6;
}
void BM_SurToGlb(benchmark::State& state) {
    convert(state, gltf::kGlb, true);
}
void BM_SurToObj(benchmark::State& state) {
    convert(state, obj::kFormat, true);
}
void BM_SurToJson(benchmark::State& state) {
    convert(state, json::kFormat, false);
}

void BM_SurCheck(benchmark::State& state) {
    for (auto _ : state) {
        Defects defects;
        sur::kFormat.check(input(), {}, defects);
        benchmark::DoNotOptimize(defects);
    }
    bytesPerSecond(state, madeLibrary().size());
}

void BM_SurDump(benchmark::State& state) {
    for (auto _ : state) {
        Defects defects;
        NullSink sink;
        sur::kFormat.dump(input(), {}, sink, defects);
    }
    bytesPerSecond(state, madeLibrary().size());
}

}  // namespace

BENCHMARK(BM_SurRead)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SurWrite)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SurReadScene)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SurToGlb)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SurToObj)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SurToJson)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SurCheck)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SurDump)->Unit(benchmark::kMillisecond);
