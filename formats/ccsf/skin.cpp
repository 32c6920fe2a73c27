#include "formats/ccsf/skin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "formats/ccsf/model.hpp"

namespace geomconv::ccsf {

namespace {

/// How far apart the influences of a vertex may lie, in position units.
constexpr double kFit = 2.0;
constexpr std::size_t kMostPaired = 8;
constexpr std::size_t kMostSlots = 256;
constexpr std::uint64_t kLeastPairs = 3;
constexpr std::uint32_t kNoNumber = 0xffffffff;

/// Eigenvalues and vectors (columns) of a symmetric matrix, by cyclic Jacobi rotations.
template <std::size_t N>
struct Eigen {
    std::array<double, N> values{};
    std::array<std::array<double, N>, N> vectors{};
};

template <std::size_t N>
Eigen<N> eigenOf(std::array<std::array<double, N>, N> a) {
    constexpr int kSweeps = 32;
    Eigen<N> out;
    for (std::size_t i = 0; i < N; ++i) out.vectors[i][i] = 1.0;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        double off = 0.0;
        double all = 0.0;
        for (std::size_t i = 0; i < N; ++i) {
            for (std::size_t k = 0; k < N; ++k) {
                all += a[i][k] * a[i][k];
                if (i != k) off += a[i][k] * a[i][k];
            }
        }
        if (!(off > 1e-30 * all)) break;
        for (std::size_t p = 0; p < N; ++p) {
            for (std::size_t q = p + 1; q < N; ++q) {
                if (a[p][q] == 0.0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
                const double c = 1.0 / std::sqrt(t * t + 1.0);
                const double s = t * c;
                for (std::size_t i = 0; i < N; ++i) {
                    const double ip = a[i][p], iq = a[i][q];
                    a[i][p] = c * ip - s * iq;
                    a[i][q] = s * ip + c * iq;
                }
                for (std::size_t i = 0; i < N; ++i) {
                    const double pi = a[p][i], qi = a[q][i];
                    a[p][i] = c * pi - s * qi;
                    a[q][i] = s * pi + c * qi;
                }
                for (std::size_t i = 0; i < N; ++i) {
                    const double ip = out.vectors[i][p], iq = out.vectors[i][q];
                    out.vectors[i][p] = c * ip - s * iq;
                    out.vectors[i][q] = s * ip + c * iq;
                }
            }
        }
    }
    for (std::size_t i = 0; i < N; ++i) out.values[i] = a[i][i];
    return out;
}

/// What a rigid fit needs of the pairs of two slots.
struct Pairs {
    std::uint32_t a = 0, b = 0;  ///< numbers of used slots, a < b
    std::uint64_t count = 0;
    Vec3d sumA{0.0}, sumB{0.0};
    Mat3d cross{0.0};          ///< column j: sum of p_a times component j of p_b
    Mat3d scatter{0.0};        ///< the same of p_b and p_b
    std::optional<Mat4d> fit;  ///< p_a = fit * p_b
    double apart = 0.0;        ///< the largest distance that is left

    void add(const Vec3d& pa, const Vec3d& pb) {
        ++count;
        sumA += pa;
        sumB += pb;
        for (int j = 0; j < 3; ++j) {
            cross[j] += pa * pb[j];
            scatter[j] += pb * pb[j];
        }
    }

    void solve() {
        if (count < kLeastPairs) return;
        const double n = static_cast<double>(count);
        const Vec3d centreA = sumA / n;
        const Vec3d centreB = sumB / n;
        std::array<std::array<double, 3>, 3> spread{};
        Mat3d h;  // row i, column j: a_i b_j about the centres
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                h[j][i] = cross[j][i] - n * centreA[i] * centreB[j];
                spread[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
                    scatter[j][i] - n * centreB[i] * centreB[j];
            }
        }
        auto along = eigenOf<3>(spread).values;
        std::sort(along.begin(), along.end());
        if (!(along[1] > 1.0)) return;  // less than a unit wide: on a line, the turn about it is not known
        const double xx = h[0][0], xy = h[0][1], xz = h[0][2];  // b_x a_x, b_x a_y, b_x a_z
        const double yx = h[1][0], yy = h[1][1], yz = h[1][2];
        const double zx = h[2][0], zy = h[2][1], zz = h[2][2];
        const std::array<std::array<double, 4>, 4> m{{{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                                                      {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                                                      {zx - xz, xy + yx, -xx + yy - zz, yz + zy},
                                                      {xy - yx, zx + xz, yz + zy, -xx - yy + zz}}};
        const Eigen<4> eigen = eigenOf<4>(m);
        const auto best =
            static_cast<std::size_t>(std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
        const auto& v = eigen.vectors;
        const Mat3d turn = glm::mat3_cast(glm::normalize(Quatd(v[0][best], v[1][best], v[2][best], v[3][best])));
        Mat4d t(turn);
        t[3] = glm::dvec4(centreA - turn * centreB, 1.0);
        fit = t;
    }
};

class Binding {
public:
    Binding(const Model& model, const SlotWorlds& slots) : model_(model), slots_(slots) {}

    std::optional<std::vector<Mat4d>> find() {
        numberSlots();
        if (used_.size() < 2 || used_.size() > kMostSlots || fits()) return std::nullopt;
        gather();
        for (Pairs& pair : pairs_) pair.solve();
        measure();
        return joined();
    }

private:
    struct Influence {
        std::uint32_t number = 0;  ///< of used_
        Vec3d position{0.0};       ///< in position units
    };

    /// Calls see(influences) for each vertex of the skin mmats with two or more slots that the clump has.
    template <class See>
    void eachVertex(See see) const {
        std::vector<Influence> open;
        for (const Mmat& mmat : model_.mmats) {
            open.clear();
            for (std::uint32_t i = 0; mmat.kind == MmatKind::Skin && i < mmat.offsetNum; ++i) {
                const SkinEntry entry = skinEntry(model_, mmat, i);
                const auto slot = clumpSlot(model_, entry.slot);
                if (slot && *slot < numberOf_.size() && entry.weight > 0 && open.size() < kMostPaired) {
                    const Vec3d p(entry.position[0], entry.position[1], entry.position[2]);
                    open.push_back({numberOf_[*slot], p});
                }
                if (!entry.last) continue;
                if (open.size() > 1) see(std::span<const Influence>(open));
                open.clear();
            }
        }
    }
    /// Calls see(pa, pb, a, b) for each two influences of each vertex, a before b.
    template <class See>
    void eachPair(See see) const {
        eachVertex([&](std::span<const Influence> vertex) {
            for (std::size_t i = 0; i < vertex.size(); ++i) {
                for (std::size_t k = i + 1; k < vertex.size(); ++k) {
                    const bool inOrder = vertex[i].number < vertex[k].number;
                    const Influence& a = inOrder ? vertex[i] : vertex[k];
                    const Influence& b = inOrder ? vertex[k] : vertex[i];
                    if (a.number != b.number) see(a, b);
                }
            }
        });
    }

    /// Slots that entries name, in slot order.
    void numberSlots() {
        for (const Mmat& mmat : model_.mmats) {
            for (std::uint32_t i = 0; mmat.kind == MmatKind::Skin && i < mmat.offsetNum; ++i) {
                const auto slot = clumpSlot(model_, skinEntry(model_, mmat, i).slot);
                if (!slot || *slot >= slots_.objs.size()) continue;
                if (*slot >= numberOf_.size()) numberOf_.resize(*slot + 1, kNoNumber);
                numberOf_[*slot] = 0;
            }
        }
        for (std::uint32_t slot = 0; slot < numberOf_.size(); ++slot) {
            if (numberOf_[slot] == kNoNumber) continue;
            numberOf_[slot] = static_cast<std::uint32_t>(used_.size());
            used_.push_back(slot);
        }
    }

    /// Whether the known worlds bring all influences of each vertex together. Distances are measured in the node of the
    /// lower slot, so that a world's scale does not count.
    bool fits() const {
        std::vector<Mat4d> inverse;
        for (const std::uint32_t slot : used_) {
            if (!isInvertible(known(slot))) return false;
            inverse.push_back(glm::inverse(known(slot)));
        }
        const double unit = model_.unit();
        bool good = unit != 0.0;
        eachPair([&](const Influence& a, const Influence& b) {
            if (!good) return;
            const glm::dvec4 world = known(used_[b.number]) * glm::dvec4(b.position * unit, 1.0);
            good = glm::length(Vec3d(inverse[a.number] * world) / unit - a.position) <= kFit;
        });
        return good;
    }

    void gather() {
        pairAt_.assign(used_.size() * used_.size(), kNoNumber);
        eachPair([&](const Influence& a, const Influence& b) {
            std::uint32_t& at = pairAt_[a.number * used_.size() + b.number];
            if (at == kNoNumber) {
                at = static_cast<std::uint32_t>(pairs_.size());
                pairs_.emplace_back().a = a.number;
                pairs_.back().b = b.number;
            }
            pairs_[at].add(a.position, b.position);
        });
    }
    void measure() {
        eachPair([&](const Influence& a, const Influence& b) {
            Pairs& pair = pairs_[pairAt_[a.number * used_.size() + b.number]];
            if (!pair.fit) return;
            const Vec3d there(*pair.fit * glm::dvec4(b.position, 1.0));
            pair.apart = std::max(pair.apart, glm::length(there - a.position));
        });
    }

    std::uint32_t rootOf(std::uint32_t number) {
        while (tree_[number] != number) number = tree_[number] = tree_[tree_[number]];
        return number;
    }

    /// Edges of the spanning forest, most pairs first; the root of a tree is its lowest slot.
    std::vector<const Pairs*> forest() {
        std::vector<const Pairs*> edges;
        for (const Pairs& pair : pairs_) {
            if (pair.fit) edges.push_back(&pair);
        }
        std::sort(edges.begin(), edges.end(), [](const Pairs* x, const Pairs* y) {
            if (x->count != y->count) return x->count > y->count;
            return x->a != y->a ? x->a < y->a : x->b < y->b;
        });
        tree_.resize(used_.size());
        std::iota(tree_.begin(), tree_.end(), 0U);
        std::erase_if(edges, [&](const Pairs* edge) {
            const std::uint32_t a = rootOf(edge->a);
            const std::uint32_t b = rootOf(edge->b);
            tree_[std::max(a, b)] = std::min(a, b);
            return a == b;
        });
        return edges;
    }

    std::vector<Mat4d> joined() {
        const std::vector<const Pairs*> edges = forest();
        std::vector<bool> sound(used_.size(), true);
        for (const Pairs& pair : pairs_) {
            if (pair.fit && pair.apart > kFit) sound[rootOf(pair.a)] = false;
        }
        std::vector<std::vector<const Pairs*>> at(used_.size());
        for (const Pairs* edge : edges) {
            at[edge->a].push_back(edge);
            at[edge->b].push_back(edge);
        }
        std::vector<Mat4d> worlds;
        for (std::uint32_t slot = 0; slot < slots_.objs.size(); ++slot) worlds.push_back(known(slot));
        std::vector<bool> done(worlds.size());
        for (std::uint32_t root = 0; root < used_.size(); ++root) {
            if (rootOf(root) != root || at[root].empty()) continue;
            if (sound[root] && isInvertible(worlds[used_[root]])) grow(root, at, worlds, done);
        }
        for (std::uint32_t number = 0; number < used_.size(); ++number) {
            if (!at[number].empty()) done[used_[number]] = true;  // a tree that fell back keeps the known worlds
        }
        hang(worlds, done);
        return worlds;
    }

    /// From the root of a tree outward. The fits are in position units, worlds in units of length.
    void grow(std::uint32_t root, const std::vector<std::vector<const Pairs*>>& at, std::vector<Mat4d>& worlds,
              std::vector<bool>& done) const {
        std::vector<std::uint32_t> open{root};
        done[used_[root]] = true;
        while (!open.empty()) {
            const std::uint32_t here = open.back();
            open.pop_back();
            for (const Pairs* edge : at[here]) {
                const std::uint32_t there = edge->a == here ? edge->b : edge->a;
                if (done[used_[there]]) continue;
                Mat4d step = edge->a == here ? *edge->fit : glm::inverse(*edge->fit);
                step[3] = glm::dvec4(Vec3d(step[3]) * model_.unit(), 1.0);
                worlds[used_[there]] = worlds[used_[here]] * step;
                done[used_[there]] = true;
                open.push_back(there);
            }
        }
    }

    /// Slots in no tree: the parent's world and their own local transform.
    void hang(std::vector<Mat4d>& worlds, std::vector<bool>& done) const {
        std::map<std::uint32_t, std::uint32_t> slotOf;
        for (std::uint32_t slot = 0; slot < worlds.size(); ++slot) slotOf.emplace(slots_.objs[slot], slot);
        const auto parentOf = [&](std::uint32_t slot) -> std::optional<std::uint32_t> {
            const std::uint32_t obj = slots_.objs[slot];
            const std::uint32_t parent = obj != kNone ? slots_.parents[obj] : kNone;
            const auto found = parent != kNone ? slotOf.find(parent) : slotOf.end();
            return found != slotOf.end() ? std::optional(found->second) : std::nullopt;
        };
        std::vector<std::uint32_t> chain;
        for (std::uint32_t start = 0; start < worlds.size(); ++start) {
            for (std::optional slot = start; slot && !done[*slot]; slot = parentOf(*slot)) {
                chain.push_back(*slot);
                done[*slot] = true;
            }
            for (; !chain.empty(); chain.pop_back()) {
                const auto parent = parentOf(chain.back());
                if (parent) worlds[chain.back()] = worlds[*parent] * matrixOf(slots_.locals[slots_.objs[chain.back()]]);
            }
        }
    }

    const Mat4d& known(std::uint32_t slot) const {
        static const Mat4d kIdentity(1.0);
        return slots_.objs[slot] != kNone ? slots_.worlds[slots_.objs[slot]] : kIdentity;
    }

    const Model& model_;
    const SlotWorlds& slots_;
    std::vector<std::uint32_t> numberOf_;  ///< per clump slot its number among used_
    std::vector<std::uint32_t> used_;
    std::vector<Pairs> pairs_;
    std::vector<std::uint32_t> pairAt_;
    std::vector<std::uint32_t> tree_;
};

}  // namespace

bool isInvertible(const Mat4d& world) {
    const double det = glm::determinant(Mat3d(world));
    const double size = glm::length(world[0]) * glm::length(world[1]) * glm::length(world[2]);
    return std::isfinite(det) && std::abs(det) > 1e-9 * size && std::isfinite(glm::length(world[3]));
}

std::optional<std::vector<Mat4d>> recoveredBind(const Model& model, const SlotWorlds& slots) {
    return Binding(model, slots).find();
}

}  // namespace geomconv::ccsf
