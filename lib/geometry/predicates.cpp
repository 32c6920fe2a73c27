#include "lib/geometry/predicates.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace geomconv {

namespace {

/// A number as a sum of doubles that do not overlap, smallest first. 384 parts hold the product of three differences
/// and the sum of three such products; the exponents of floats keep every part in the range of double.
struct Expansion {
    std::array<double, 384> part;
    std::size_t size = 0;
};

/// sum + b, exactly.
void add(Expansion& sum, double b) {
    std::size_t kept = 0;
    double carry = b;
    for (std::size_t i = 0; i < sum.size; ++i) {
        const double a = sum.part[i];
        const double total = carry + a;
        const double virtualA = total - carry;
        const double rest = (carry - (total - virtualA)) + (a - virtualA);
        carry = total;
        if (rest != 0.0) sum.part[kept++] = rest;
    }
    if (carry != 0.0) sum.part[kept++] = carry;
    sum.size = kept;
}

Expansion difference(double a, double b) {
    Expansion out;
    add(out, a);
    add(out, -b);
    return out;
}

/// sum + sign * a * b, exactly.
void addProduct(Expansion& sum, const Expansion& a, const Expansion& b, double sign) {
    for (std::size_t i = 0; i < a.size; ++i) {
        for (std::size_t k = 0; k < b.size; ++k) {
            const double x = sign * a.part[i];
            const double product = x * b.part[k];
            add(sum, std::fma(x, b.part[k], -product));
            add(sum, product);
        }
    }
}

int exactSide(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    std::array<std::array<Expansion, 3>, 3> edge;
    for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        edge[0][axis] = difference(b[k], a[k]);
        edge[1][axis] = difference(c[k], a[k]);
        edge[2][axis] = difference(d[k], a[k]);
    }
    Expansion sum;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t y = (k + 1) % 3;
        const std::size_t z = (k + 2) % 3;
        Expansion normal;
        addProduct(normal, edge[0][y], edge[1][z], 1.0);
        addProduct(normal, edge[0][z], edge[1][y], -1.0);
        addProduct(sum, normal, edge[2][k], 1.0);
    }
    if (sum.size == 0) return 0;
    return sum.part[sum.size - 1] > 0.0 ? 1 : -1;
}

}  // namespace

int sideOfPlane(const Vec3& fa, const Vec3& fb, const Vec3& fc, const Vec3& fd) {
    const Vec3d a(fa);
    const Vec3d b(fb);
    const Vec3d c(fc);
    const Vec3d d(fd);
    const Vec3d u = b - a;
    const Vec3d v = c - a;
    const Vec3d w = d - a;
    const double yz = u.y * v.z;
    const double zy = u.z * v.y;
    const double zx = u.z * v.x;
    const double xz = u.x * v.z;
    const double xy = u.x * v.y;
    const double yx = u.y * v.x;
    const double det = w.x * (yz - zy) + w.y * (zx - xz) + w.z * (xy - yx);
    const double size = std::fabs(w.x) * (std::fabs(yz) + std::fabs(zy)) +
                        std::fabs(w.y) * (std::fabs(zx) + std::fabs(xz)) +
                        std::fabs(w.z) * (std::fabs(xy) + std::fabs(yx));
    // Shewchuk's bound is (7 + 56 u) u times that sum, u = 2^-53; 1e-15 is a little more.
    if (det > 1e-15 * size) return 1;
    if (det < -1e-15 * size) return -1;
    return exactSide(a, b, c, d);
}

}  // namespace geomconv
