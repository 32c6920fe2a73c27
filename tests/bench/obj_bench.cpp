// OBJ both ways on a made mesh, beside the limits: to_chars alone on the same floats, a bare scan of the same text.

#include <benchmark/benchmark.h>

#include <charconv>
#include <cmath>

#include "exporters/obj/obj.hpp"
#include "tests/bench/limits.hpp"
#include "tests/bench/null_output.hpp"

namespace {

using namespace geomconv;

/// A torus of n x n quads with normals and uvs, numbers of six decimals as tools write them.
Scene torus(std::uint32_t n) {
    const auto rounded = [](double v) { return static_cast<float>(std::round(v * 1e6) / 1e6); };
    Primitive p;
    for (std::uint32_t i = 0; i <= n; ++i) {
        for (std::uint32_t k = 0; k <= n; ++k) {
            const double a = 6.283185307179586 * i / n;
            const double b = 6.283185307179586 * k / n;
            const Vec3d normal(std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b));
            const Vec3d at = Vec3d(std::cos(a), std::sin(a), 0.0) + 0.4 * normal;
            p.positions.push_back({rounded(at.x), rounded(at.y), rounded(at.z)});
            p.normals.push_back({rounded(normal.x), rounded(normal.y), rounded(normal.z)});
            p.uvs.push_back({rounded(static_cast<double>(i) / n), rounded(static_cast<double>(k) / n)});
        }
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t at = i * (n + 1) + k;
            p.indices.insert(p.indices.end(), {at, at + n + 1, at + 1, at + 1, at + n + 1, at + n + 2});
        }
    }
    Scene scene;
    scene.meshes.resize(1);
    scene.meshes[0].primitives.push_back(std::move(p));
    scene.nodes.resize(1);
    scene.nodes[0].name = "torus";
    scene.nodes[0].mesh = 0;
    return scene;
}

const Scene& made() {
    static const Scene scene = torus(400);
    return scene;
}

const ByteVector& text() {
    static const ByteVector bytes = [] {
        MemoryOutput out;
        Defects defects;
        obj::writeScene(made(), {}, out, defects);
        return out.takeMain();
    }();
    return bytes;
}

void writeObj(benchmark::State& state) {
    for (auto _ : state) {
        NullOutput out;
        Defects defects;
        obj::writeScene(made(), {}, out, defects);
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text().size()));
}
BENCHMARK(writeObj)->Unit(benchmark::kMillisecond);

/// The text of the same floats and of the corner numbers, and nothing else: what writing cannot be faster than.
void toCharsAlone(benchmark::State& state) {
    const Primitive& p = made().meshes[0].primitives[0];
    for (auto _ : state) numbersAsTextAlone(p, 1);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text().size()));
}
BENCHMARK(toCharsAlone)->Unit(benchmark::kMillisecond);

void readObj(benchmark::State& state) {
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(obj::readScene({"x.obj", text(), {}, nullptr}, {}, defects));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text().size()));
}
BENCHMARK(readObj)->Unit(benchmark::kMillisecond);

/// from_chars on every number of the text, and nothing else.
void fromCharsAlone(benchmark::State& state) {
    const auto* const begin = reinterpret_cast<const char*>(text().data());
    const char* const end = begin + text().size();
    for (auto _ : state) {
        for (const char* p = begin; p < end;) {
            float value = 0.0F;
            const auto result = std::from_chars(p, end, value);
            p = result.ec == std::errc() ? result.ptr : p + 1;
            benchmark::DoNotOptimize(value);
        }
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text().size()));
}
BENCHMARK(fromCharsAlone)->Unit(benchmark::kMillisecond);

}  // namespace
