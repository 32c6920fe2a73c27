// glTF on made scenes: a grid of a million triangles, and thirty thousand hulls as a large .sur gives them. Compare
// with the rates of memcpy and write(2) of the same machine.

#include <benchmark/benchmark.h>

#include <cmath>

#include "exporters/gltf/gltf.hpp"
#include "tests/bench/null_output.hpp"

namespace geomconv {
namespace {

/// side x side quads with normals and UVs.
Scene grid(std::uint32_t side) {
    Primitive p;
    for (std::uint32_t y = 0; y <= side; ++y) {
        for (std::uint32_t x = 0; x <= side; ++x) {
            const auto u = static_cast<float>(x) / static_cast<float>(side);
            const auto v = static_cast<float>(y) / static_cast<float>(side);
            p.positions.emplace_back(u, std::sin(9.0F * u) * std::cos(7.0F * v), v);
            p.normals.emplace_back(0.0F, 1.0F, 0.0F);
            p.uvs.emplace_back(u, v);
        }
    }
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t a = y * (side + 1) + x;
            const std::uint32_t b = a + side + 1;
            p.indices.insert(p.indices.end(), {a, b, a + 1, a + 1, b, b + 1});
        }
    }
    Scene scene;
    scene.meshes.resize(1);
    scene.meshes[0].primitives.push_back(std::move(p));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

/// Octahedra below one part.
Scene hulls(std::uint32_t count) {
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].name = "Root";
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto x = static_cast<float>(i);
        Hull hull;
        hull.name = "hull#" + std::to_string(i);
        hull.id = i;
        hull.points = {Vec3(x + 1, 0, 0), Vec3(x - 1, 0, 0), Vec3(x, 1, 0),
                       Vec3(x, -1, 0),    Vec3(x, 0, 1),     Vec3(x, 0, -1)};
        hull.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
        scene.hulls.push_back(std::move(hull));
        scene.nodes[0].hulls.push_back(i);
    }
    return scene;
}

ByteVector glbOf(const Scene& scene) {
    MemoryOutput out;
    Defects defects;
    gltf::writeGlb(scene, {}, out, defects);
    return out.takeMain();
}

void write(benchmark::State& state, const Scene& scene) {
    std::uint64_t bytes = 0;
    for (auto _ : state) {
        NullOutput out(true);
        Defects defects;
        gltf::writeGlb(scene, {}, out, defects);
        bytes += out.main().written();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void read(benchmark::State& state, const Scene& scene) {
    const ByteVector glb = glbOf(scene);
    Input input;
    input.bytes = glb;
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(gltf::readGlb(input, {}, defects));
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * glb.size()));
}

void check(benchmark::State& state, const Scene& scene) {
    const ByteVector glb = glbOf(scene);
    Input input;
    input.bytes = glb;
    for (auto _ : state) {
        Defects defects;
        gltf::check(input, {}, defects);
        benchmark::DoNotOptimize(defects);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * glb.size()));
}

void WriteGrid(benchmark::State& state) {
    write(state, grid(707));
}
void WriteHulls(benchmark::State& state) {
    write(state, hulls(30000));
}
void ReadGrid(benchmark::State& state) {
    read(state, grid(707));
}
void ReadHulls(benchmark::State& state) {
    read(state, hulls(30000));
}
void CheckGrid(benchmark::State& state) {
    check(state, grid(707));
}
void CheckHulls(benchmark::State& state) {
    check(state, hulls(30000));
}

BENCHMARK(WriteGrid)->Unit(benchmark::kMillisecond);
BENCHMARK(WriteHulls)->Unit(benchmark::kMillisecond);
BENCHMARK(ReadGrid)->Unit(benchmark::kMillisecond);
BENCHMARK(ReadHulls)->Unit(benchmark::kMillisecond);
BENCHMARK(CheckGrid)->Unit(benchmark::kMillisecond);
BENCHMARK(CheckHulls)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace geomconv
