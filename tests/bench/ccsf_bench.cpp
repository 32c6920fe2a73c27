// A made CCSF scene of 20 MB with textures and models, gzipped: what each step costs, and the whole way to a GLB
// against the sum of what cannot be saved (inflate, PNG, computing and writing the GLB's bytes).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "exporters/gltf/format.hpp"
#include "formats/ccs_archive/ccs_archive.hpp"
#include "formats/ccsf/ccsf.hpp"
#include "formats/gzip/gzip.hpp"
#include "lib/image/png.hpp"
#include "tests/support/ccsf_builder.hpp"

namespace geomconv {
namespace {

constexpr unsigned kTextures = 48;
constexpr unsigned kModels = 300;

const ByteVector& madeScene() {
    static const ByteVector kFile = [] {
        test::CcsfBuilder b(0x100);
        std::mt19937 random(1);
        std::vector<std::uint32_t> materials;
        for (unsigned i = 0; i < kTextures; ++i) {
            const std::string n = std::to_string(i);
            const auto clut = b.object("CLT_" + n);
            const auto texture = b.object("TEX_" + n);
            materials.push_back(b.object("MAT_" + n));
            std::vector<std::array<std::uint8_t, 4>> colours(256);
            for (auto& c : colours) {
                for (std::size_t k = 0; k < 3; ++k) c[k] = static_cast<std::uint8_t>(random());
                c[3] = 0x80;
            }
            b.clut(clut, colours);
            // Smooth patches with some noise, as painted textures have.
            ByteVector pixels(256 * 256);
            for (std::size_t p = 0; p < pixels.size(); ++p) {
                pixels[p] = static_cast<std::uint8_t>((p >> 4 & 0x0f) + (p >> 12 << 4) + (random() % 4 == 0 ? 1U : 0U));
            }
            b.texture8(texture, clut, 8, 8, pixels);
            b.material(materials.back(), texture);
        }
        for (unsigned i = 0; i < kModels; ++i) {
            const std::string n = std::to_string(i);
            const auto obj = b.object("OBJ_" + n);
            const auto model = b.object("MDL_" + n);
            b.gridModel(model, materials[i % kTextures], 40, 32, i % 2 == 0 ? 0 : 1);
            b.obj(obj, 0, model);
        }
        return b.file();
    }();
    return kFile;
}

const ByteVector& packedScene() {
    static const ByteVector kFile = gzip::pack(madeScene(), "made.cmp");
    return kFile;
}

Scene sceneOf(const ByteVector& file) {
    Defects defects;
    return ccsf::toScene(ccsf::read(file, false, defects), {}, defects);
}

void bytes(benchmark::State& state, std::size_t n) {
    state.SetBytesProcessed(static_cast<std::int64_t>(n) * static_cast<std::int64_t>(state.iterations()));
}

void Inflate(benchmark::State& state) {
    packedScene();
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(gzip::unpackAll(packedScene(), {}, defects));
    }
    bytes(state, madeScene().size());
}
BENCHMARK(Inflate)->Unit(benchmark::kMillisecond);

void Read(benchmark::State& state) {
    madeScene();
    for (auto _ : state) {
        Defects defects;
        benchmark::DoNotOptimize(ccsf::read(madeScene(), false, defects));
    }
    bytes(state, madeScene().size());
}
BENCHMARK(Read)->Unit(benchmark::kMillisecond);

void ReadAndScene(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(sceneOf(madeScene()));
    bytes(state, madeScene().size());
}
BENCHMARK(ReadAndScene)->Unit(benchmark::kMillisecond);

void Png(benchmark::State& state) {
    const Scene scene = sceneOf(madeScene());
    std::size_t pixels = 0;
    for (const Image& image : scene.images) pixels += std::size_t{image.width} * image.height;
    for (auto _ : state) {
        for (const Image& image : scene.images) benchmark::DoNotOptimize(encodePng(image));
    }
    bytes(state, pixels);
}
BENCHMARK(Png)->Unit(benchmark::kMillisecond);

/// A file in the temporary folder, removed at the end.
class TemporaryFile {
public:
    TemporaryFile() : path_(std::filesystem::temp_directory_path() / "geomconv-bench.glb") {}
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// The least that a converter must do behind inflate and PNG: every number of the GLB computed and written once,
/// without a scene, from the stored arrays by straight loops through one small buffer.
std::size_t floorWrite(const ccsf::Document& document, std::FILE* file) {
    std::vector<float> buffer;
    std::size_t written = 0;
    const auto flush = [&] {
        written += std::fwrite(buffer.data(), 1, 4 * buffer.size(), file);
        buffer.clear();
    };
    const auto half = [](Bytes b, std::size_t at) {
        std::int16_t v = 0;
        std::memcpy(&v, b.data() + at, 2);
        return static_cast<float>(v);
    };
    for (const ccsf::Model& model : document.models) {
        const auto unit = static_cast<float>(model.unit());
        for (const ccsf::Mmat& mmat : model.mmats) {
            for (std::size_t i = 0; i < 3 * std::size_t{mmat.vertexCount}; ++i)
                buffer.push_back(half(mmat.positions, 2 * i) * unit);
            flush();
            for (std::size_t i = 0; i < mmat.vertexCount; ++i) {
                const std::uint8_t* n = mmat.normals.data() + 4 * i;
                const auto x = static_cast<float>(static_cast<std::int8_t>(n[0]));
                const auto y = static_cast<float>(static_cast<std::int8_t>(n[1]));
                const auto z = static_cast<float>(static_cast<std::int8_t>(n[2]));
                const float s = 1.0F / std::sqrt(x * x + y * y + z * z);
                buffer.insert(buffer.end(), {x * s, y * s, z * s});
            }
            flush();
            for (std::size_t i = 0; i < mmat.vertexCount; ++i) {
                buffer.push_back(half(mmat.st, 4 * i) / 256.0F);
                buffer.push_back(1.0F - half(mmat.st, 4 * i + 2) / 256.0F);
            }
            flush();
            for (std::size_t i = 0; !model.lit() && i < 4 * std::size_t{mmat.vertexCount}; ++i) {
                buffer.push_back(std::min(1.0F, static_cast<float>(mmat.colours[i]) / 128.0F));
            }
            flush();
            for (std::uint32_t i = 2; i < mmat.vertexCount; ++i) {
                if (mmat.normals[4 * std::size_t{i} + 3] != 0) continue;
                for (const std::uint32_t index : {i - 2, i - 1, i}) buffer.push_back(std::bit_cast<float>(index));
            }
            flush();
        }
    }
    return written;
}

void FloorWrite(benchmark::State& state) {
    Defects defects;
    const ccsf::Document document = ccsf::read(madeScene(), false, defects);
    const TemporaryFile temporary;
    std::size_t size = 0;
    for (auto _ : state) {
        std::FILE* file = std::fopen(temporary.path().c_str(), "wb");
        if (file == nullptr) return state.SkipWithError("no temporary file");
        size = floorWrite(document, file);
        std::fclose(file);
    }
    bytes(state, size);
}
BENCHMARK(FloorWrite)->Unit(benchmark::kMillisecond);

void WholeWayToGlb(benchmark::State& state) {
    packedScene();
    const TemporaryFile temporary;
    std::size_t size = 0;
    for (auto _ : state) {
        Defects defects;
        const gzip::Unpacked unpacked = gzip::unpackAll(packedScene(), {}, defects);
        const Scene scene = sceneOf(unpacked.bytes);
        FileOutput out(temporary.path(), {});
        gltf::kGlb.writeScene(scene, {}, out, defects);
        out.commit();
        size = static_cast<std::size_t>(out.bytesWritten());
    }
    bytes(state, size);
}
BENCHMARK(WholeWayToGlb)->Unit(benchmark::kMillisecond);

/// One member out of an archive of forty.
void FindMember(benchmark::State& state) {
    ByteVector archive;
    for (unsigned i = 0; i < 40; ++i) {
        archive.resize((archive.size() + 2047) / 2048 * 2048);
        const ByteVector packed = gzip::pack(Bytes(madeScene()).first(1 << 19), "m" + std::to_string(i) + ".cmp");
        archive.insert(archive.end(), packed.begin(), packed.end());
    }
    for (auto _ : state) {
        Defects defects;
        const auto entry = ccs_archive::find(archive, "m39");
        benchmark::DoNotOptimize(gzip::unpack(archive, entry->offset, {}, defects));
    }
    bytes(state, 1 << 19);
}
BENCHMARK(FindMember)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace geomconv
