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

namespace {

constexpr std::size_t kMostInfluences = 8;

struct Influence {
    std::uint16_t joint = 0;
    std::uint64_t weight = 0;
};

/// Each joint once, the heaviest first; weights that are all 0 leave the first to hold the vertex.
void merge(std::vector<Influence>& open) {
    std::stable_sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.joint < b.joint; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < open.size(); ++i) {
        if (open[i].joint == open[kept].joint)
            open[kept].weight += open[i].weight;
        else
            open[++kept] = open[i];
    }
    open.resize(kept + 1);
    std::stable_sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
    if (open.front().weight == 0) open.front().weight = 1;
    while (open.back().weight == 0) open.pop_back();
}

}  // namespace

std::vector<Influences> influencesOf(const Model& model, const Mmat& mmat, const JointOf& jointOf,
                                     std::size_t& dropped) {
    std::vector<Influences> sets(1);
    const auto resize = [&](Influences& set) {
        set.joints.resize(mmat.vertexCount);
        set.weights.resize(mmat.vertexCount, Vec4(0.0F));
    };
    resize(sets[0]);
    if (mmat.kind == MmatKind::Bone) {
        std::fill(sets[0].joints.begin(), sets[0].joints.end(), std::array<std::uint16_t, 4>{jointOf(mmat.node)});
        std::fill(sets[0].weights.begin(), sets[0].weights.end(), Vec4(1.0F, 0.0F, 0.0F, 0.0F));
        return sets;
    }
    std::vector<Influence> open;
    std::size_t vertex = 0;
    for (std::uint32_t i = 0; i < mmat.offsetNum && mmat.kind == MmatKind::Skin; ++i) {
        const SkinEntry entry = skinEntry(model, mmat, i);
        open.push_back({jointOf(entry.slot), entry.weight});
        if (!entry.last) continue;
        merge(open);
        if (open.size() > kMostInfluences) {
            open.resize(kMostInfluences);
            ++dropped;
        }
        if (open.size() > 4 && sets.size() == 1) resize(sets.emplace_back());
        std::uint64_t sum = 0;
        for (const Influence& influence : open) sum += influence.weight;
        for (std::size_t k = 0; k < open.size(); ++k) {
            sets[k / 4].joints[vertex][k % 4] = open[k].joint;
            sets[k / 4].weights[vertex][static_cast<int>(k % 4)] =
                static_cast<float>(static_cast<double>(open[k].weight) / static_cast<double>(sum));
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
