#include "formats/ccsf/encode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/ccsf/records.hpp"
#include "lib/bytes/byte_writer.hpp"

namespace geomconv::ccsf {

namespace {

constexpr double kSmallestScale = 64.0;
constexpr double kLargestScale = 16777216.0;
constexpr double kGrid = 4096.0;
constexpr double kFarthest = 32767.0;
/// How far off the grid numbers that went through a text or a matrix may lie, in units of it.
constexpr double kNear = 0.02;

double awayFromZero(double v) {
    return std::round(v);
}

template <class T>
T clamped(double v) {
    return static_cast<T>(std::clamp(awayFromZero(v), static_cast<double>(std::numeric_limits<T>::min()),
                                     static_cast<double>(std::numeric_limits<T>::max())));
}

bool liesOn(std::span<const MmatMesh> meshes, double scale) {
    for (const MmatMesh& mesh : meshes) {
        for (const Vec3d& p : mesh.positions) {
            for (int k = 0; k < 3; ++k) {
                const double v = p[k] * kGrid / scale;
                // Written so that what is no number does not lie on it.
                if (!(std::abs(v) <= kFarthest + 0.5) || !(std::abs(v - std::round(v)) <= kNear)) return false;
            }
        }
    }
    return true;
}

std::array<std::int8_t, 3> storedNormal(const Vec3d& n) {
    const auto one = [](double v) { return static_cast<std::int8_t>(std::clamp(awayFromZero(v * 64.0), -64.0, 64.0)); };
    return {one(n.x), one(n.y), one(n.z)};
}

Vec3d flatNormal(const MmatMesh& mesh, const std::array<std::uint32_t, 3>& t) {
    const Vec3d a = mesh.positions[t[0]];
    const Vec3d across = glm::cross(mesh.positions[t[1]] - a, mesh.positions[t[2]] - a);
    const double length = glm::length(across);
    return length > 0.0 ? across / length : Vec3d(0.0, 0.0, 1.0);
}

/// Brings u16 texture coordinates into range by whole repeats, the same for the whole mesh.
void wrapSt(std::vector<CornerTriangle>& triangles, std::size_t& outside) {
    constexpr std::int32_t kRepeat = 256;
    constexpr std::int32_t kMost = 0xffff;
    for (std::size_t k = 0; k < 2; ++k) {
        std::int32_t low = std::numeric_limits<std::int32_t>::max();
        std::int32_t high = 0;
        for (const CornerTriangle& t : triangles) {
            for (const Corner& c : t) low = std::min(low, c.st[k]), high = std::max(high, c.st[k]);
        }
        if (triangles.empty() || (low >= 0 && high <= kMost)) continue;
        const std::int64_t shift = -static_cast<std::int64_t>(std::floor(static_cast<double>(low) / kRepeat)) * kRepeat;
        for (CornerTriangle& t : triangles) {
            for (Corner& c : t) {
                const std::int64_t moved = c.st[k] + shift;
                if (moved > kMost) ++outside;
                c.st[k] = static_cast<std::int32_t>(std::clamp<std::int64_t>(moved, 0, kMost));
            }
        }
    }
}

/// Corners in strips: flags 1 1 open one, each 0 closes a triangle with the two before it.
struct Stripped {
    std::vector<Corner> corners;
    std::vector<std::uint8_t> flags;
};

/// Greedy over the triangles in their order. Even triangles of a generation 1 strip read (i-1, i-2, i), odd ones
/// (i-2, i-1, i); from generation 2 on the other way round.
Stripped stripsOf(std::span<const CornerTriangle> triangles, bool generation1) {
    Stripped out;
    std::size_t length = 0;  // triangles of the open strip
    for (const CornerTriangle& t : triangles) {
        bool joined = false;
        if (length > 0) {
            const Corner& before = out.corners[out.corners.size() - 2];
            const Corner& last = out.corners.back();
            const bool straight = (length % 2 == 1) == generation1;
            const Corner& first = straight ? before : last;
            const Corner& second = straight ? last : before;
            for (std::size_t k = 0; k < 3 && !joined; ++k) {
                if (t[k] != first || t[(k + 1) % 3] != second) continue;
                out.corners.push_back(t[(k + 2) % 3]);
                out.flags.push_back(0);
                joined = true;
            }
        }
        if (joined) {
            ++length;
            continue;
        }
        out.corners.insert(out.corners.end(), {t[generation1 ? 1 : 0], t[generation1 ? 0 : 1], t[2]});
        out.flags.insert(out.flags.end(), {1, 1, 0});
        length = 1;
    }
    return out;
}

void writeMmat(ByteWriter& out, const MmatTriangles& mmat, std::uint16_t mtype, std::uint16_t version) {
    const Stripped strips = stripsOf(mmat.triangles, version <= kLastGeneration1);
    out.u32(mmat.name);
    out.u32(mmat.material);
    out.u32(static_cast<std::uint32_t>(strips.corners.size()));
    for (const Corner& c : strips.corners) {
        for (const std::int16_t v : c.position) out.u16(static_cast<std::uint16_t>(v));
    }
    out.zeros(strips.corners.size() % 2 * 2);
    for (std::size_t i = 0; i < strips.corners.size(); ++i) {
        for (const std::int8_t v : strips.corners[i].normal) out.u8(static_cast<std::uint8_t>(v));
        out.u8(strips.flags[i]);
    }
    for (const Corner& c : strips.corners) {
        if ((mtype & 0x200) == 0) out.bytes(c.colour);
    }
    for (const Corner& c : strips.corners) {
        for (const std::int32_t v : c.st) {
            if ((mtype & 0x400) != 0) continue;
            if (version >= kFirstGeneration3)
                out.u32(static_cast<std::uint32_t>(v));
            else
                out.u16(static_cast<std::uint16_t>(v));
        }
    }
}

}  // namespace

float vertexScaleFor(std::span<const MmatMesh> meshes, float known, std::string_view model) {
    if (known > 0.0F && std::isfinite(known) && liesOn(meshes, static_cast<double>(known))) return known;
    double farthest = 0.0;
    for (const MmatMesh& mesh : meshes) {
        for (const Vec3d& p : mesh.positions) {
            for (int k = 0; k < 3; ++k) {
                if (!std::isfinite(p[k]))
                    throw GeometryError(std::string(model), "non-finite", "a position is NaN or infinite");
                farthest = std::max(farthest, std::abs(p[k]));
            }
        }
    }
    double scale = kSmallestScale;
    while (scale <= kLargestScale && farthest > kFarthest * scale / kGrid) scale *= 2.0;
    if (scale > kLargestScale) {
        throw GeometryError(
            std::string(model), "range",
            "a coordinate of " + std::to_string(farthest) + " is out of reach of a vertexScale of 2^24");
    }
    return static_cast<float>(scale);
}

std::vector<CornerTriangle> quantised(const MmatMesh& mesh, float vertexScale, std::uint16_t version,
                                      std::size_t& outside) {
    const double grid = kGrid / static_cast<double>(vertexScale);
    const double repeat = version >= kFirstGeneration3 ? 65536.0 : 256.0;
    std::vector<CornerTriangle> out;
    out.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) {
        const Vec3d flat = mesh.normals.empty() ? flatNormal(mesh, t) : Vec3d(0.0);
        CornerTriangle& made = out.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t i = t[k];
            Corner& c = made[k];
            for (int a = 0; a < 3; ++a)
                c.position[static_cast<std::size_t>(a)] = clamped<std::int16_t>(mesh.positions[i][a] * grid);
            c.normal = storedNormal(mesh.normals.empty() ? flat : mesh.normals[i]);
            c.colour = {0x80, 0x80, 0x80, 0x80};
            for (int a = 0; a < 4 && !mesh.colours.empty(); ++a) {
                c.colour[static_cast<std::size_t>(a)] =
                    clamped<std::uint8_t>(static_cast<double>(mesh.colours[i][a]) * 128.0);
            }
            if (mesh.uvs.empty()) continue;
            const double v = static_cast<double>(mesh.uvs[i].y);
            c.st = {clamped<std::int32_t>(static_cast<double>(mesh.uvs[i].x) * repeat),
                    clamped<std::int32_t>((mesh.topFirst ? v : 1.0 - v) * repeat)};
        }
    }
    if (version < kFirstGeneration3) wrapSt(out, outside);
    return out;
}

ByteVector encodeModel(const Document& document, const Model& old, float vertexScale,
                       std::span<const MmatTriangles> mmats) {
    const std::uint16_t version = document.version();
    const Chunk& chunk = document.chunks[old.chunk];
    const std::size_t header = version > kLastGeneration1 ? 28 : 20;
    ByteWriter body;
    const auto mtype = static_cast<std::uint16_t>(old.storedType & ~0x40);
    body.u32(old.object);
    body.f32(vertexScale);
    body.u16(mtype);
    body.u16(static_cast<std::uint16_t>(mmats.size()));
    body.bytes(chunk.payload.subspan(12, 6));  // flag, zoffs, byte 24 and 25
    if (version > kLastGeneration1) {
        body.u16(0);  // no tangents
        body.bytes(chunk.payload.subspan(20, header - 20));
    } else {
        body.bytes(chunk.payload.subspan(18, header - 18));
    }
    const std::uint16_t effective = version < 0x100 ? mtype & 0xff : mtype;
    for (const MmatTriangles& mmat : mmats) writeMmat(body, mmat, effective, version);
    ByteWriter out;
    out.u16(chunk.kind);
    out.u16(chunk.tag);
    out.u32(static_cast<std::uint32_t>(body.size() / 4));
    out.bytes(body.view());
    return out.finish();
}

}  // namespace geomconv::ccsf
