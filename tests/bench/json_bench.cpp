// Scene JSON both ways, beside the limits: to_chars alone on the same numbers, and nlohmann's SAX parser on the same
// text.

#include <benchmark/benchmark.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "exporters/json/json.hpp"
#include "tests/bench/limits.hpp"
#include "tests/bench/null_output.hpp"

namespace {

using namespace geomconv;

Scene made() {
    Primitive p;
    for (std::uint32_t i = 0; i < 200000; ++i) {
        const auto at = static_cast<float>(std::round(std::sin(i * 0.1) * 1e6) / 1e6);
        p.positions.push_back({at, 1.0F - at, at * 0.5F});
        p.normals.push_back({0.0F, at, 1.0F});
        p.uvs.push_back({at, at});
        p.indices.insert(p.indices.end(), {i, i / 2, i / 3});
    }
    Scene scene;
    scene.meshes.resize(1);
    scene.meshes[0].primitives.push_back(std::move(p));
    return scene;
}

const Scene& scene() {
    static const Scene scene = made();
    return scene;
}
constexpr std::int64_t kNumbers = 200000 * (3 + 3 + 2 + 3);

const ByteVector& text() {
    static const ByteVector bytes = [] {
        MemoryOutput out;
        Defects defects;
        json::writeScene(scene(), {}, out, defects);
        return out.takeMain();
    }();
    return bytes;
}

void writeJson(benchmark::State& state) {
    for (auto _ : state) {
        NullOutput out;
        Defects defects;
        json::writeScene(scene(), {}, out, defects);
    }
    state.SetItemsProcessed(state.iterations() * kNumbers);
}
BENCHMARK(writeJson)->Unit(benchmark::kMillisecond);

void toCharsAlone(benchmark::State& state) {
    const Primitive& p = scene().meshes[0].primitives[0];
    for (auto _ : state) numbersAsTextAlone(p, 0);
    state.SetItemsProcessed(state.iterations() * kNumbers);
}
BENCHMARK(toCharsAlone)->Unit(benchmark::kMillisecond);

void readJson(benchmark::State& state) {
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(json::readScene({"x.json", text(), {}, nullptr}, {}, defects));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text().size()));
}
BENCHMARK(readJson)->Unit(benchmark::kMillisecond);

struct Forget : nlohmann::json_sax<nlohmann::json> {
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t v) override { return sum += static_cast<double>(v), true; }
    bool number_float(number_float_t v, const string_t&) override { return sum += v, true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
    double sum = 0.0;
};

void nlohmannSax(benchmark::State& state) {
    for (auto _ : state) {
        Forget forget;
        nlohmann::json::sax_parse(text().begin(), text().end(), &forget);
        benchmark::DoNotOptimize(forget.sum);
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text().size()));
}
BENCHMARK(nlohmannSax)->Unit(benchmark::kMillisecond);

}  // namespace
