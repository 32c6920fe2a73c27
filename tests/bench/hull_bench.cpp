// Hulls of points on a sphere, on the sides of a cube and in a Gauss cloud, and whole parts of many hulls.

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "formats/sur/build.hpp"
#include "lib/geometry/convex_hull.hpp"
#include "lib/geometry/topology.hpp"

namespace {

using namespace geomconv;

enum class Kind { Sphere, Cube, Gauss };

std::vector<Vec3> cloud(Kind kind, std::size_t n) {
    std::mt19937 random(1);
    std::normal_distribution<double> gauss;
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::vector<Vec3> out(n);
    for (std::size_t i = 0; i < n; ++i) {
        Vec3d p(gauss(random), gauss(random), gauss(random));
        if (kind == Kind::Sphere) p = glm::normalize(p);
        if (kind == Kind::Cube) {
            p = Vec3d(unit(random), unit(random), unit(random));
            p[static_cast<int>(i % 3)] = i % 2 == 0 ? -1.0 : 1.0;
        }
        out[i] = Vec3(p * 10.0);
    }
    return out;
}

void hullOf(benchmark::State& state, Kind kind) {
    const std::vector<Vec3> points = cloud(kind, static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) {
        const ConvexHull hull = convexHull(points);
        state.counters["points"] = static_cast<double>(hull.indices.size());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(hullOf, sphere, Kind::Sphere)
    ->RangeMultiplier(10)
    ->Range(1000, 1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK_CAPTURE(hullOf, cube, Kind::Cube)->RangeMultiplier(10)->Range(1000, 1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hullOf, gauss, Kind::Gauss)
    ->RangeMultiplier(10)
    ->Range(1000, 1'000'000)
    ->Unit(benchmark::kMillisecond);

/// Small hulls scattered in a part: twenty points of a ball each.
std::vector<sur::HullGeometry> hulls(std::size_t n) {
    const std::vector<Vec3> ball = cloud(Kind::Sphere, 20);
    const ConvexHull shape = convexHull(ball);
    std::mt19937 random(2);
    std::uniform_real_distribution<float> place(-5000.0F, 5000.0F);
    std::vector<sur::HullGeometry> out(n);
    for (sur::HullGeometry& hull : out) {
        const Vec3 center(place(random), place(random), place(random));
        for (const std::uint32_t i : shape.indices) hull.points.push_back(ball[i] + center);
        hull.triangles = shape.triangles;
    }
    return out;
}

/// The format holds 65,536 points a part, so the hulls are dealt to parts of 2,000.
void partOf(benchmark::State& state, sur::Tree tree) {
    const std::vector<sur::HullGeometry> all = hulls(static_cast<std::size_t>(state.range(0)));
    sur::BuildOptions options;
    options.tree = tree;
    for (auto _ : state) {
        Defects defects;
        for (std::size_t begin = 0; begin < all.size(); begin += 2000) {
            const std::size_t count = std::min<std::size_t>(2000, all.size() - begin);
            benchmark::DoNotOptimize(sur::createPart(0, std::span(all).subspan(begin, count), options, defects));
        }
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(partOf, ivp, sur::Tree::Ivp)->Arg(1000)->Arg(2000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(partOf, pairs, sur::Tree::Pairs)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond);

void topologyOfSphere(benchmark::State& state) {
    const std::vector<Vec3> points = cloud(Kind::Sphere, static_cast<std::size_t>(state.range(0)));
    const ConvexHull hull = convexHull(points);
    for (auto _ : state) benchmark::DoNotOptimize(topologyOf(points, hull.triangles));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(hull.triangles.size()));
}
BENCHMARK(topologyOfSphere)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
