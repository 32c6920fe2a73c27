#pragma once

#include <cmath>

#include "formats/groove/build.hpp"
#include "formats/groove/groove.hpp"

/// Made levels: the one of samples/, and larger ones for measuring.
namespace geomconv::test {

/// Corners of a quad as seen from outside: top left, top right, bottom right, bottom left; game space of the tile.
struct Quad {
    std::array<Vec3d, 4> corners;
};

/// Collects quads and triangles of one tile model.
class TileModel {
public:
    explicit TileModel(const std::vector<groove::Texture>& textures) : textures_(textures) {}

    /// The texture upright, seen from outside.
    TileModel& quad(const Quad& q, std::uint16_t texture, std::uint16_t bits = 0) {
        const auto v = vertices(q.corners);
        face({v[2], v[3], v[0]}, texture, static_cast<std::uint16_t>(0x0800 | bits));
        face({v[0], v[1], v[2]}, texture, static_cast<std::uint16_t>(0x0810 | bits));
        return *this;
    }
    /// Counter-clockwise from outside.
    TileModel& triangle(const std::array<Vec3d, 3>& corners, std::uint16_t texture) {
        const auto v = vertices(corners);
        face({v[0], v[2], v[1]}, texture, 0x0800);
        return *this;
    }
    TileModel& collide(std::span<const Vec3d> counterClockwise, std::uint8_t material = 0) {
        groove::PolygonSource source;
        source.corners = counterClockwise;
        source.reference = counterClockwise;
        source.material = material;
        polygons_.push_back(groove::buildPolygon(source));
        return *this;
    }
    TileModel& collideQuad(const Quad& q, std::uint8_t material = 0) {
        const std::array turned{q.corners[3], q.corners[2], q.corners[1], q.corners[0]};
        return collide(turned, material);
    }
    groove::Model finish() {
        groove::finishModel(model_, std::move(polygons_), textures_);
        return std::move(model_);
    }

private:
    template <std::size_t N>
    std::array<std::uint16_t, N> vertices(const std::array<Vec3d, N>& corners) {
        const Vec3d normal =
            glm::normalize(glm::cross(corners[N - 1] - corners[0], corners[1] - corners[0])) * (N == 4 ? 1.0 : -1.0);
        std::array<std::uint16_t, N> out{};
        for (std::size_t i = 0; i < N; ++i) {
            out[i] = static_cast<std::uint16_t>(model_.vertices.size());
            // Export space: z mirrored.
            model_.vertices.push_back(
                {Vec3(Vec3d(corners[i].x, corners[i].y, -corners[i].z)), Vec3(Vec3d(normal.x, normal.y, -normal.z))});
        }
        return out;
    }
    void face(const std::array<std::uint16_t, 3>& v, std::uint16_t texture, std::uint16_t flags) {
        groove::Face f;
        f.flags = flags;
        f.vertices = v;
        f.texture = texture;
        model_.faces.push_back(f);
    }

    const std::vector<groove::Texture>& textures_;
    groove::Model model_;
    std::vector<groove::BuiltPolygon> polygons_;
};

/// A plate over the cell, x right and z down as seen from above.
inline Quad plate(double low, double high) {
    return {{{{-0.5, low, -0.5}, {0.5, high, -0.5}, {0.5, high, 0.5}, {-0.5, low, 0.5}}}};
}

/// A block over the cell from 0 to `height`: its top, then the sides towards +z, +x, -z, -x.
inline std::array<Quad, 5> block(double height) {
    const auto side = [height](double ax, double az, double bx, double bz) {
        return Quad{{{{ax, height, az}, {bx, height, bz}, {bx, 0, bz}, {ax, 0, az}}}};
    };
    return {plate(height, height), side(-0.5, 0.5, 0.5, 0.5), side(0.5, 0.5, 0.5, -0.5), side(0.5, -0.5, -0.5, -0.5),
            side(-0.5, -0.5, -0.5, 0.5)};
}

namespace groove_sample {

using groove::Level;
using groove::Model;

enum Textures : std::uint16_t { kGrass, kBrick, kLetter, kSand, kWater, kRed };

constexpr std::uint16_t rgb(unsigned r, unsigned g, unsigned b) {
    return static_cast<std::uint16_t>(0x8000U | r | (g << 5) | (b << 10));
}

/// A page of four 64 x 64 patterns in a row: grass, bricks, a letter F, sand.
inline groove::Page patternPage() {
    std::vector<std::uint16_t> words(256 * 256, 0x8000);
    for (std::size_t y = 0; y < 64; ++y) {
        for (std::size_t x = 0; x < 64; ++x) {
            words[y * 256 + x] = ((x / 16 + y / 16) & 1) != 0 ? rgb(6, 20, 5) : rgb(9, 24, 7);
            const std::size_t shift = (y / 16 & 1) != 0 ? 16 : 0;
            const bool mortar = y % 16 < 2 || (x + shift) % 32 < 2;
            words[y * 256 + 64 + x] = mortar ? rgb(14, 14, 14) : rgb(22, 10, 7);
            const bool letter =
                x >= 12 && y >= 8 && y < 56 && (x < 22 || (y < 18 && x < 52) || (y >= 28 && y < 38 && x < 42));
            words[y * 256 + 128 + x] = letter ? rgb(2, 3, 12) : rgb(20, 26, 31);
            words[y * 256 + 192 + x] = x < 4 || y < 4 ? rgb(20, 17, 9) : rgb(29, 26, 16);
        }
    }
    return {0x81, 256, 256, groove::encodeRle16(words)};
}

/// A page of palette indices: waves.
inline groove::Page wavePage() {
    groove::Page page{0, 64, 64, ByteVector(64 * 64)};
    for (std::size_t y = 0; y < 64; ++y) {
        for (std::size_t x = 0; x < 64; ++x) page.body[y * 64 + x] = static_cast<std::uint8_t>((x / 8 + y / 4) % 4);
    }
    return page;
}

inline groove::Textures textures() {
    groove::Textures text;
    text.palettes.push_back({0, {rgb(3, 8, 20), rgb(4, 11, 24), rgb(6, 15, 27), rgb(9, 19, 30)}, ByteVector(4, 0)});
    text.pages = {patternPage(), wavePage()};
    for (std::uint8_t i = 0; i < 4; ++i) {
        const auto u = static_cast<std::uint8_t>(64 * i);
        text.textures.push_back({0, 0, -1, u, static_cast<std::uint8_t>(u + 63), 0, 63});
    }
    text.textures.push_back({0x1000, 1, 0, 0, 63, 0, 63});        // water, half transparent
    text.textures.push_back({0x0001, -1, -1, 200, 40, 30, 255});  // a flat red
    text.rest.assign(4, 0);
    return text;
}

enum Models : std::uint32_t { kFall, kGround, kLetterBlock, kRamp, kSpike, kGate, kPond };

inline std::vector<Model> models(const std::vector<groove::Texture>& table) {
    std::vector<Model> out;
    const auto up = [](double y) { return plate(y, y); };
    // The plane below everything, on which a fall ends: seen by the floor test only.
    TileModel fall(table);
    fall.collideQuad(up(-2.75), 0x1e);
    out.push_back(fall.finish());
    out.push_back(TileModel(table).quad(up(0), kGrass).collideQuad(up(0)).finish());
    TileModel letter(table);
    const auto sides = block(0.5);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        letter.quad(sides[i], i == 0 ? kLetter : kBrick).collideQuad(sides[i], i == 0 ? 3 : 0);
    }
    out.push_back(letter.finish());
    const Quad slope = plate(0, 0.5);
    const std::array<Vec3d, 3> left{{{-0.5, 0, -0.5}, {0.5, 0.5, -0.5}, {0.5, 0, -0.5}}};
    const std::array<Vec3d, 3> right{{{-0.5, 0, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0.5}}};
    out.push_back(TileModel(table)
                      .quad(slope, kSand)
                      .triangle(left, kBrick)
                      .triangle(right, kBrick)
                      .collideQuad(slope, 5)
                      .collide(left)
                      .collide(right)
                      .finish());
    // A thin triangle beside a path: its sharp corner holds up feet beside it.
    const std::array<Vec3d, 3> spike{{{0.234, 0.553, -0.225}, {0.177, 0.651, -0.250}, {0.229, 0.497, 0.185}}};
    out.push_back(
        TileModel(table).quad(up(0.26), kSand).triangle(spike, kRed).collideQuad(up(0.26)).collide(spike).finish());
    TileModel gate(table);
    for (const Quad& q : block(1.0)) gate.quad(q, kRed, 0x0400).collideQuad(q);
    out.push_back(gate.finish());
    out.push_back(TileModel(table).quad(up(-0.25), kWater).collideQuad(up(-0.5), 7).finish());
    return out;
}

/// Colours that grow with x in red and with z in green, so that a turned picture shows.
inline groove::ColourSets colours(const groove::Tile& tile, const Model& model) {
    groove::ColourSets out;
    for (const groove::Vertex& v : model.vertices) {
        const auto shade = [](double at) {
            return static_cast<std::uint8_t>(64.0 + std::fmin(std::fmax(at, 0.0), 8.0) * 8.0);
        };
        out.colours.push_back({shade(tile.x / 4096.0 + v.position.x), shade(tile.z / 4096.0 - v.position.z), 0x70, 0});
    }
    if (!out.colours.empty()) out.colours.front().sets = 1;
    return out;
}

inline groove::Tile tile(std::uint32_t model, double x, double y, double z, std::uint32_t turn = 0) {
    groove::Tile t;
    t.position = Vec3(Vec3d(x, y, -z));
    t.rotation = turn;
    t.modelA = t.model = model;
    t.ry = static_cast<std::int32_t>(turn);
    t.x = static_cast<std::int32_t>(x * 4096);
    t.y = static_cast<std::int32_t>(y * 4096);
    t.z = static_cast<std::int32_t>(z * 4096);
    return t;
}

/// 8 x 6 cells: grass, a letter F of blocks, ramps, a pond, a spike and a gate.
inline groove::Map map(const std::vector<Model>& models) {
    groove::Map out;
    out.w = 8;
    out.h = 6;
    const auto isLetter = [](unsigned x, unsigned z) {
        return (x == 2 && z < 5) || (z == 0 && (x == 3 || x == 4)) || (z == 2 && x == 3);
    };
    for (unsigned z = 0; z < out.h; ++z) {
        for (unsigned x = 0; x < out.w; ++x) {
            const double cx = x + 0.5;
            const double cz = z + 0.5;
            out.tiles.push_back(tile(kFall, cx, 0, cz));
            if (isLetter(x, z))
                out.tiles.push_back(tile(kLetterBlock, cx, 0, cz));
            else if (x == 1 && z == 2)
                out.tiles.push_back(tile(kRamp, cx, 0, cz));
            else if (x == 2 && z == 5)
                out.tiles.push_back(tile(kRamp, cx, 0, cz, 1024));
            else if (x == 6 && z == 3)
                out.tiles.push_back(tile(kSpike, cx, 0, cz, 3072));
            else if (x == 5 && z >= 4)
                out.tiles.push_back(tile(kPond, cx, 0, cz));
            else if (!(x == 7 && z == 5))
                out.tiles.push_back(tile(kGround, cx, 0, cz));
        }
    }
    out.tiles.push_back(tile(kGate, 6.5, 0, 1.5));
    out.tiles.back().animFlag = 1;
    out.tiles.back().swap = 0;
    out.swaps = {{6, 0, 1, kGate, kGround}};
    for (groove::Tile& t : out.tiles) t.colours = colours(t, models[t.model]);
    out.tiles.back().swapColours = colours(out.tiles.back(), models[kGround]);
    for (groove::Zone& zone : out.zones) zone.waterLevel = -1024;
    out.zones[0].mask = 0xFFFFFFFF;
    out.zoneGrid.assign(48, 0);
    return out;
}

/// Behind the tiles: one strat, view distance and the last word.
inline ByteVector mapRest() {
    ByteWriter out;
    out.u32(1);
    out.u32(1);
    for (int i = 0; i < 3; ++i) out.u16(std::uint16_t{0});
    for (const std::int32_t v : {0x800, 0, 0x800}) out.s32(v);
    out.zeros(58 - 18);
    out.s32(200);
    out.s16(0);
    return out.finish();
}

/// Two boxes: one rigid, one of two bones, the upper of which nods.
inline groove::Stpc stpc(const std::vector<groove::Texture>& table) {
    groove::Stpc out;
    TileModel rigid(table);
    for (const Quad& q : block(0.75)) rigid.quad(q, kBrick);
    out.objects.push_back(rigid.finish());
    out.objects.back().nStatic = static_cast<std::uint16_t>(out.objects.back().vertices.size());
    TileModel skinned(table);
    for (const Quad& q : block(0.5)) skinned.quad(q, kSand);
    for (const Quad& q : block(0.5)) skinned.quad(q, kLetter);
    out.objects.push_back(skinned.finish());
    out.objects.back().bones = {20, 20};
    ByteWriter behind;
    behind.u32(1);
    for (const std::int32_t v : {0, 0, 4, 1, 0, 0, 2, 0}) behind.s32(v);
    behind.zeros(4 * 4);
    for (int frame = 0; frame < 4; ++frame) {
        for (int bone = 0; bone < 2; ++bone) {
            // Quarter steps of a nod about x by 30 degrees; exact enough in floats written as such.
            constexpr std::array<float, 4> kSin{0.0F, 0.25F, 0.5F, 0.25F};
            constexpr std::array<float, 4> kCos{1.0F, 0.9682458F, 0.8660254F, 0.9682458F};
            const float s = bone == 1 ? kSin[static_cast<std::size_t>(frame)] : 0.0F;
            const float c = bone == 1 ? kCos[static_cast<std::size_t>(frame)] : 1.0F;
            const float y = bone == 1 ? 0.5F : 0.0F;
            for (const float v : {1.0F, 0.0F, 0.0F, 0.0F, 0.0F, c, s, 0.0F, 0.0F, -s, c, 0.0F, 0.0F, y, 0.0F, 1.0F})
                behind.f32(v);
        }
    }
    behind.u32(0);
    out.behind = behind.finish();
    return out;
}

inline void addChunk(groove::Container& container, std::string_view tag, ByteVector payload) {
    groove::Chunk chunk;
    chunk.tag = std::string(tag);
    chunk.declared = static_cast<std::uint32_t>(payload.size());
    chunk.payload = std::move(payload);
    container.chunks.push_back(std::move(chunk));
}

inline ByteVector words(std::initializer_list<std::uint32_t> list) {
    ByteWriter out;
    for (const std::uint32_t v : list) out.u32(v);
    return out.finish();
}

inline ByteVector assembled(const groove::Textures& text, const groove::Trak& trak, const groove::Stpc& stpc,
                            const groove::Map& map) {
    groove::Container out;
    addChunk(out, "INFO", words({1}));
    addChunk(out, "VERS", words({1}));
    const std::string_view name("geomconv sample\0", 16);
    addChunk(out, "NAME", ByteVector(name.begin(), name.end()));
    addChunk(out, "WFPC", words({groove::kFlagSwaps | groove::kFlagViewDistance}));
    addChunk(out, "TEXT", groove::writeTextures(text));
    addChunk(out, "TRAK", groove::writeTrak(trak));
    addChunk(out, "STPC", groove::writeStpc(stpc));
    addChunk(out, "MAP ", groove::writeMap(map));
    ByteWriter light;
    light.u32(1);
    for (const unsigned v : {2U, 255U, 240U, 200U}) light.u8(static_cast<std::uint8_t>(v));
    for (const float v : {4.0F, 3.0F, -3.0F, 2.0F, 6.0F}) light.f32(v);
    light.u8(std::uint8_t{0});
    addChunk(out, "LGHT", light.finish());
    addChunk(out, "END ", {});
    // The word counts what follows it.
    out.fileSize = 0;
    out.lengthWord = static_cast<std::uint32_t>(-4);
    return groove::writeContainer(out);
}

}  // namespace groove_sample

/// The level of samples/letter_f.wad.
inline ByteVector sampleLevel() {
    const groove::Textures text = groove_sample::textures();
    groove::Trak trak;
    trak.models = groove_sample::models(text.textures);
    groove::Map map = groove_sample::map(trak.models);
    map.rest = groove_sample::mapRest();
    return groove_sample::assembled(text, trak, groove_sample::stpc(text.textures), map);
}

/// side x side cells, each with a model of its own of `detail` x `detail` quads.
inline ByteVector largeLevel(unsigned side, unsigned detail) {
    const groove::Textures text = groove_sample::textures();
    groove::Trak trak;
    groove::Map map;
    map.w = map.h = side;
    for (unsigned z = 0; z < side; ++z) {
        for (unsigned x = 0; x < side; ++x) {
            TileModel model(text.textures);
            const auto height = [&](double dx, double dz) {
                return std::sin((x + dx) * 0.7) * std::cos((z + dz) * 0.5);
            };
            for (unsigned k = 0; k < detail * detail; ++k) {
                const double x0 = static_cast<double>(k % detail) / detail - 0.5;
                const double z0 = static_cast<double>(k / detail) / detail - 0.5;
                const double x1 = x0 + 1.0 / detail;
                const double z1 = z0 + 1.0 / detail;
                const Quad q{{{{x0, height(x0, z0), z0},
                               {x1, height(x1, z0), z0},
                               {x1, height(x1, z1), z1},
                               {x0, height(x0, z1), z1}}}};
                model.quad(q, static_cast<std::uint16_t>(k % 4));
                model.collideQuad(q);
            }
            trak.models.push_back(model.finish());
            map.tiles.push_back(groove_sample::tile(z * side + x, x + 0.5, 0, z + 0.5));
            map.tiles.back().colours = groove_sample::colours(map.tiles.back(), trak.models.back());
        }
    }
    map.swaps.emplace();
    map.zoneGrid.assign(std::size_t{side} * side, 0);
    map.zones[0].mask = 0xFFFFFFFF;
    map.rest = groove_sample::mapRest();
    return groove_sample::assembled(text, trak, groove_sample::stpc(text.textures), map);
}

}  // namespace geomconv::test
