#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/collisionset/collisionset.hpp"

/// Made CollisionSet libraries: those of samples/collisionset, and large ones to measure with. Only operations that
/// IEEE 754 rounds exactly are used, so that every machine makes the same bytes.
namespace geomconv::collisionset::samples {

/// A number of 0 to 1 for a lattice point.
inline double lattice(int x, int y, int z, std::uint32_t seed) {
    std::uint32_t h = seed;
    for (const int c : {x, y, z}) {
        h ^= static_cast<std::uint32_t>(c + 1000);
        h *= 0x85ebca6bU;
        h ^= h >> 13;
    }
    h *= 0xc2b2ae35U;
    return static_cast<double>(h >> 8) / 16777216.0;
}

/// Noise between the lattice points around p.
inline double noise(const Vec3d& p, std::uint32_t seed) {
    const std::array<int, 3> cell{static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y)),
                                  static_cast<int>(std::floor(p.z))};
    double sum = 0.0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        double weight = 1.0;
        std::array<int, 3> at = cell;
        for (unsigned axis = 0; axis < 3; ++axis) {
            const double t = p[static_cast<int>(axis)] - cell[axis];
            const double smooth = t * t * (3.0 - 2.0 * t);
            const bool upper = (corner >> axis & 1U) != 0;
            weight *= upper ? smooth : 1.0 - smooth;
            at[axis] += upper ? 1 : 0;
        }
        sum += weight * lattice(at[0], at[1], at[2], seed);
    }
    return sum;
}

/// A closed surface around a point: a cube of n x n squares a side, blown up to a sphere and dented. 12 n^2 triangles,
/// counter-clockwise from outside.
inline Record blob(std::string_view name, int n, Vec3d centre, Vec3d radius, double dents, std::uint32_t seed) {
    Record record;
    record.nameField = makeNameField(name);
    std::map<std::array<int, 3>, std::uint32_t> known;
    const auto vertex = [&](const std::array<int, 3>& at) {
        const auto [entry, isNew] = known.try_emplace(at, static_cast<std::uint32_t>(record.vertex.size()));
        if (isNew) {
            const Vec3d cube(2.0 * at[0] / n - 1.0, 2.0 * at[1] / n - 1.0, 2.0 * at[2] / n - 1.0);
            const Vec3d out = cube / std::sqrt(cube.x * cube.x + cube.y * cube.y + cube.z * cube.z);
            const double dent = 1.0 + dents * (noise(out * 2.5 + 7.0, seed) - 0.5) +
                                dents / 3.0 * (noise(out * 6.0 + 19.0, seed + 1) - 0.5);
            record.vertex.emplace_back(centre + out * radius * dent);
        }
        return entry->second;
    };
    for (int axis = 0; axis < 3; ++axis) {
        for (const int side : {0, n}) {
            for (int u = 0; u < n; ++u) {
                for (int v = 0; v < n; ++v) {
                    std::array<std::uint32_t, 4> corner{};
                    for (unsigned k = 0; k < 4; ++k) {
                        std::array<int, 3> at{};
                        at[static_cast<std::size_t>(axis)] = side;
                        at[static_cast<std::size_t>((axis + 1) % 3)] = u + (k == 1 || k == 2 ? 1 : 0);
                        at[static_cast<std::size_t>((axis + 2) % 3)] = v + (k >= 2 ? 1 : 0);
                        corner[k] = vertex(at);
                    }
                    if (side == 0) std::swap(corner[1], corner[3]);
                    for (const unsigned k : {0U, 1U, 2U, 0U, 2U, 3U}) record.index.push_back(corner[k]);
                }
            }
        }
    }
    return record;
}

/// A prism along z over a polygon (x, y), counter-clockwise, scaled at its far end.
inline Record prism(std::string_view name, const std::vector<std::array<double, 2>>& outline, double near, double far,
                    double taper) {
    Record record;
    record.nameField = makeNameField(name);
    const auto n = static_cast<std::uint32_t>(outline.size());
    for (const auto& p : outline) record.vertex.emplace_back(Vec3d(p[0], p[1], near));
    for (const auto& p : outline) record.vertex.emplace_back(Vec3d(p[0] * taper, p[1] * taper, far));
    for (std::uint32_t i = 1; i + 1 < n; ++i) record.index.insert(record.index.end(), {0, i + 1, i});
    for (std::uint32_t i = 1; i + 1 < n; ++i) record.index.insert(record.index.end(), {n, n + i, n + i + 1});
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t next = (i + 1) % n;
        record.index.insert(record.index.end(), {i, next, n + next, i, n + next, n + i});
    }
    return record;
}

/// What the text in the pack says.
inline constexpr std::string_view kNote = "stage notes\n";

/// Four asteroids of a stage, from coarse to fine.
inline Library asteroids() {
    Library out;
    out.records.push_back(blob("S01_Asteroid_cmesh_01a", 3, Vec3d(0.0), Vec3d(900.0, 700.0, 800.0), 0.7, 11));
    out.records.push_back(blob("S01_Asteroid_cmesh_01b", 4, Vec3d(0.0), Vec3d(1500.0, 1100.0, 1000.0), 0.6, 12));
    out.records.push_back(blob("S01_Asteroid_cmesh_02", 5, Vec3d(0.0), Vec3d(2600.0), 0.5, 13));
    out.records.push_back(blob("S01_p1_Asteroid_cmesh_03", 6, Vec3d(0.0), Vec3d(5200.0, 4000.0, 4400.0), 0.5, 14));
    return out;
}

/// A ship of body, bridge, engine, weapon and shield, and a fighter.
inline Library ship() {
    const std::vector<std::array<double, 2>> hexagon{{60, 0}, {35, 30}, {-35, 30}, {-60, 0}, {-35, -25}, {35, -25}};
    const std::vector<std::array<double, 2>> octagon{{20, 8},   {8, 20},   {-8, 20}, {-20, 8},
                                                     {-20, -8}, {-8, -20}, {8, -20}, {20, -8}};
    const std::vector<std::array<double, 2>> square{{10, 10}, {-10, 10}, {-10, -10}, {10, -10}};
    Library out;
    out.records.push_back(prism("rou_e101_bdy", hexagon, -220.0, 240.0, 0.35));
    out.records.push_back(blob("rou_e101_brg_01", 2, Vec3d(0.0, 42.0, -60.0), Vec3d(22.0, 18.0, 30.0), 0.0, 1));
    out.records.push_back(prism("rou_e101_eng", octagon, -290.0, -220.0, 1.4));
    out.records.push_back(prism("rou_e101_wep_01", square, 120.0, 260.0, 0.5));
    out.records.push_back(blob("rou_e101_sld", 4, Vec3d(0.0), Vec3d(120.0, 90.0, 340.0), 0.0, 1));
    out.records.push_back(prism("mob_n110_bdy", hexagon, -20.0, 35.0, 0.1));
    return out;
}

/// About this many triangles in records of 4,800 each: 18 bytes of file a triangle.
inline Library large(std::size_t triangles) {
    Library out;
    for (std::size_t i = 0; 4800 * i < triangles; ++i) {
        const auto seed = static_cast<std::uint32_t>(i);
        out.records.push_back(blob("S02_Asteroid_cmesh_" + std::to_string(i), 20, Vec3d(9000.0 * seed, 0.0, 0.0),
                                   Vec3d(4000.0), 0.5, seed));
    }
    return out;
}

}  // namespace geomconv::collisionset::samples
