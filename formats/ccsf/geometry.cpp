#include "formats/ccsf/geometry.hpp"

#include <algorithm>
#include <cmath>

#include "formats/ccsf/model.hpp"

namespace geomconv::ccsf {

namespace {

Vec3 normalised(const Vec3d& n, std::size_t& zero) {
    const double length = glm::length(n);
    if (!(length > 0.0) || !std::isfinite(length)) {
        ++zero;
        return {0.0F, 0.0F, 1.0F};
    }
    return Vec3(n / length);
}

/// The scene has no place for what float cannot hold: only scales near its limit lead there.
Vec3 finite(const Vec3d& p) {
    const auto one = [](double v) {
        const auto f = static_cast<float>(v);
        return std::isfinite(f) ? f : 0.0F;
    };
    return {one(p.x), one(p.y), one(p.z)};
}

Vec3d doubles(const Raw3& p) {
    return {p[0], p[1], p[2]};
}

Vec3d storedNormal(const Mmat& mmat, std::size_t i) {
    const auto n = rawNormal(mmat, i);
    return {n[0], n[1], n[2]};
}

/// Whether counts and arrays of a mmat fit: a body that was not read (mtype & 0x40) has no normals.
bool hasNormals(const Mmat& mmat) {
    return !mmat.normals.empty();
}

Points transformed(const Model& model, const Mmat& mmat, const Mat4d& matrix) {
    Points out;
    const Mat3d turn(matrix);
    const double unit = model.unit();
    out.positions.resize(mmat.vertexCount);
    for (std::size_t i = 0; i < mmat.vertexCount; ++i) {
        out.positions[i] = finite(Vec3d(matrix * glm::dvec4(doubles(rawPosition(mmat, i)) * unit, 1.0)));
    }
    if (!hasNormals(mmat)) return out;
    out.normals.resize(mmat.vertexCount);
    for (std::size_t i = 0; i < mmat.vertexCount; ++i) {
        out.normals[i] = normalised(turn * storedNormal(mmat, i), out.zeroNormals);
    }
    return out;
}

}  // namespace

std::optional<StoredBox> storedBox(const Model& model) {
    StoredBox box;
    bool any = false;
    const auto grow = [&](const Raw3& p) {
        if (!any) box = {p, p};
        any = true;
        for (std::size_t k = 0; k < 3; ++k) {
            box.min[k] = std::min(box.min[k], p[k]);
            box.max[k] = std::max(box.max[k], p[k]);
        }
    };
    for (const Mmat& mmat : model.mmats) {
        if (mmat.kind == MmatKind::Skin) {
            for (std::uint32_t i = 0; i < mmat.offsetNum; ++i) grow(skinEntry(model, mmat, i).position);
        } else {
            for (std::uint32_t i = 0; i < mmat.vertexCount; ++i) grow(rawPosition(mmat, i));
        }
    }
    return any ? std::optional(box) : std::nullopt;
}

std::vector<std::uint8_t> stripFlags(const Model& model, const Mmat& mmat) {
    std::vector<std::uint8_t> flags;
    if (!hasNormals(mmat)) return flags;
    flags.reserve(mmat.vertexCount);
    if (mmat.kind == MmatKind::Skin) {
        for (std::uint32_t i = 0; i < mmat.offsetNum; ++i) {
            if (skinEntry(model, mmat, i).last) flags.push_back(stripFlag(mmat, i));
        }
    } else {
        for (std::uint32_t i = 0; i < mmat.vertexCount; ++i) flags.push_back(stripFlag(mmat, i));
    }
    return flags;
}

Strips storedTriangles(const Mmat& mmat, std::span<const std::uint8_t> flags, std::uint16_t version, Winding winding) {
    Strips strips = trianglesOf(flags, version);
    if (winding == Winding::Auto) {
        turnByNormals(
            strips, [&](std::uint32_t i) { return doubles(rawPosition(mmat, i)); },
            [&](std::uint32_t i) { return storedNormal(mmat, i); });
    }
    return strips;
}

Points storedPoints(const Model& model, const Mmat& mmat) {
    Points out;
    const auto unit = model.unit();
    out.positions.resize(mmat.vertexCount);
    for (std::size_t i = 0; i < mmat.vertexCount; ++i) out.positions[i] = finite(doubles(rawPosition(mmat, i)) * unit);
    if (!hasNormals(mmat)) return out;
    out.normals.resize(mmat.vertexCount);
    for (std::size_t i = 0; i < mmat.vertexCount; ++i) {
        const auto n = rawNormal(mmat, i);
        const int square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if (square == 0) {
            ++out.zeroNormals;
            out.normals[i] = {0.0F, 0.0F, 1.0F};
            continue;
        }
        const float scale = 1.0F / std::sqrt(static_cast<float>(square));
        out.normals[i] = {static_cast<float>(n[0]) * scale, static_cast<float>(n[1]) * scale,
                          static_cast<float>(n[2]) * scale};
    }
    return out;
}

Points posedPoints(const Model& model, const Mmat& mmat, const NodeAt& nodeAt, std::size_t& missing) {
    static const Mat4d kIdentity(1.0);
    const auto matrixOf = [&](std::uint32_t stored) -> const Mat4d& {
        const auto slot = clumpSlot(model, stored);
        const Mat4d* node = slot ? nodeAt(*slot) : nullptr;
        if (node == nullptr) ++missing;
        return node != nullptr ? *node : kIdentity;
    };
    if (mmat.kind == MmatKind::Bone) return transformed(model, mmat, matrixOf(mmat.node));
    if (mmat.kind != MmatKind::Skin) return storedPoints(model, mmat);
    Points out;
    out.positions.reserve(mmat.vertexCount);
    out.normals.reserve(mmat.vertexCount);
    const double unit = model.unit();
    Vec3d position(0.0);
    Vec3d normal(0.0);
    for (std::uint32_t i = 0; i < mmat.offsetNum; ++i) {
        const SkinEntry entry = skinEntry(model, mmat, i);
        const Mat4d& node = matrixOf(entry.slot);
        const double weight = entry.weight / 256.0;
        position += weight * Vec3d(node * glm::dvec4(doubles(entry.position) * unit, 1.0));
        normal += weight * (Mat3d(node) * storedNormal(mmat, i));
        if (!entry.last) continue;
        out.positions.push_back(finite(position));
        out.normals.push_back(normalised(normal, out.zeroNormals));
        position = normal = Vec3d(0.0);
    }
    return out;
}

std::vector<Vec2> textureCoordinates(const Mmat& mmat, bool topFirst) {
    std::vector<Vec2> out;
    if (mmat.st.empty()) return out;
    out.resize(mmat.vertexCount);
    const float one = mmat.wideSt ? 1.0F / 65536.0F : 1.0F / 256.0F;
    for (std::size_t i = 0; i < mmat.vertexCount; ++i) {
        const auto st = rawSt(mmat, i);
        const float v = static_cast<float>(st[1]) * one;
        out[i] = {static_cast<float>(st[0]) * one, topFirst ? v : 1.0F - v};
    }
    return out;
}

std::vector<Vec4> vertexColours(const Mmat& mmat) {
    std::vector<Vec4> out;
    if (mmat.colours.empty()) return out;
    out.resize(mmat.vertexCount);
    const auto factor = [](std::uint8_t c) { return c >= 0x80 ? 1.0F : static_cast<float>(c) / 128.0F; };
    for (std::size_t i = 0; i < mmat.vertexCount; ++i) {
        const std::uint8_t* c = mmat.colours.data() + 4 * i;
        out[i] = {factor(c[0]), factor(c[1]), factor(c[2]), factor(c[3])};
    }
    return out;
}

std::vector<Influences> influencesOf(const Model& model, const Mmat& mmat) {
    std::vector<Influences> sets;
    const auto set = [&](std::size_t number) -> Influences& {
        while (sets.size() <= number) {
            Influences& added = sets.emplace_back();
            added.joints.resize(mmat.vertexCount);
            added.weights.resize(mmat.vertexCount);
        }
        return sets[number];
    };
    const auto put = [&](std::size_t vertex, std::size_t place, std::uint32_t stored, float weight) {
        Influences& to = set(place / 4);
        to.joints[vertex][place % 4] = static_cast<std::uint16_t>(clumpSlot(model, stored).value_or(0));
        to.weights[vertex][static_cast<int>(place % 4)] = weight;
    };
    if (mmat.kind == MmatKind::Bone) {
        for (std::size_t i = 0; i < mmat.vertexCount; ++i) put(i, 0, mmat.node, 1.0F);
        return sets;
    }
    std::vector<SkinEntry> open;
    std::size_t vertex = 0;
    for (std::uint32_t i = 0; i < mmat.offsetNum && mmat.kind == MmatKind::Skin; ++i) {
        open.push_back(skinEntry(model, mmat, i));
        if (!open.back().last) continue;
        std::stable_sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
        std::uint64_t sum = 0;
        for (const SkinEntry& e : open) sum += e.weight;
        // Weights that are all 0 move nothing; the first entry then holds the vertex.
        for (std::size_t k = 0; k < open.size(); ++k) {
            const double weight =
                sum > 0 ? static_cast<double>(open[k].weight) / static_cast<double>(sum) : (k == 0 ? 1.0 : 0.0);
            if (k == 0 || weight > 0.0) put(vertex, k, open[k].slot, static_cast<float>(weight));
        }
        open.clear();
        ++vertex;
    }
    return sets;
}

std::vector<Vec3> displacements(const Model& base, const Mmat& baseMmat, const Model& target, const Mmat& targetMmat) {
    std::vector<Vec3> out(baseMmat.vertexCount);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = finite(doubles(rawPosition(targetMmat, i)) * target.unit() -
                        doubles(rawPosition(baseMmat, i)) * base.unit());
    }
    return out;
}

}  // namespace geomconv::ccsf
