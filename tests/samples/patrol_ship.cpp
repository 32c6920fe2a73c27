#include "tests/samples/patrol_ship.hpp"

#include <array>

#include "formats/sur/build.hpp"
#include "lib/bytes/checksum.hpp"
#include "lib/geometry/convex_hull.hpp"

namespace geomconv::test {

namespace {

using sur::HullGeometry;

std::uint32_t id(std::string_view name) {
    return *freelancerId(name);
}

HullGeometry hullOf(std::string_view name, const std::vector<Vec3>& cloud) {
    const ConvexHull hull = convexHull(cloud);
    HullGeometry out{id(name), std::string(name), {}, hull.triangles};
    for (const std::uint32_t i : hull.indices) out.points.push_back(cloud[i]);
    return out;
}

/// A ring of eight points around the z axis; the ship points to -z.
struct Ring {
    float z, halfWidth, halfHeight;
};
void addRing(std::vector<Vec3>& cloud, const Ring& ring) {
    // sqrt(1/2) in four digits: the same bytes on every machine.
    constexpr float kDiagonal = 0.7071F;
    constexpr std::array<std::array<float, 2>, 8> kTurn{{{1, 0},
                                                         {kDiagonal, kDiagonal},
                                                         {0, 1},
                                                         {-kDiagonal, kDiagonal},
                                                         {-1, 0},
                                                         {-kDiagonal, -kDiagonal},
                                                         {0, -1},
                                                         {kDiagonal, -kDiagonal}}};
    for (const auto& [x, y] : kTurn) cloud.emplace_back(x * ring.halfWidth, y * ring.halfHeight, ring.z);
}
HullGeometry rings(std::string_view name, std::initializer_list<Ring> list) {
    std::vector<Vec3> cloud;
    for (const Ring& ring : list) addRing(cloud, ring);
    return hullOf(name, cloud);
}

HullGeometry box(std::string_view name, const Vec3& low, const Vec3& high) {
    const auto corners = boxCorners({low, high});
    return {
        id(name), std::string(name), {corners.begin(), corners.end()}, {kBoxTriangles.begin(), kBoxTriangles.end()}};
}

HullGeometry moved(HullGeometry hull, const Vec3& by) {
    for (Vec3& p : hull.points) p += by;
    return hull;
}

/// A swept wing with its root at x = 0 and its tip outwards; side: 1 or -1.
HullGeometry wing(std::string_view name, float side) {
    return hullOf(name, {{0, -0.3F, -3},
                         {0, 0.3F, -3},
                         {0, -0.3F, 4},
                         {0, 0.3F, 4},
                         {6 * side, -0.1F, 1},
                         {6 * side, 0.1F, 1},
                         {6 * side, -0.1F, 4},
                         {6 * side, 0.1F, 4}});
}
HullGeometry gun(std::string_view name, float side) {
    return box(name, {4 * side - 0.4F, -0.9F, -1.5F}, {4 * side + 0.4F, -0.2F, 2.5F});
}

constexpr Vec3 wingPlace(float side) {
    return {1.5F * side, -0.25F, 1.0F};
}

}  // namespace

std::vector<std::string> patrolShipNames() {
    return {"Root",       "wing_lt",    "wing_rt",    "turret",    "HpWeapon01",
            "HpWeapon02", "HpEngine01", "HpShield01", "HpTurret01"};
}

sur::Library patrolShip() {
    Defects defects;
    sur::Library ship;
    const auto add = [&](std::string_view name, const std::vector<HullGeometry>& hulls, bool fixed,
                         std::vector<std::uint32_t> hardpoints) {
        sur::BuildOptions options;
        options.fixed = fixed;
        options.hardpoints = std::move(hardpoints);
        ship.parts.push_back(sur::createPart(id(name), hulls, options, defects));
    };
    const HullGeometry left = wing("wing_lt", -1.0F);
    const HullGeometry right = wing("wing_rt", 1.0F);
    const HullGeometry leftGun = gun("HpWeapon01", -1.0F);
    const HullGeometry rightGun = gun("HpWeapon02", 1.0F);

    // The root answers for its fixed children: their hulls are there again, in its own space.
    add("Root",
        {rings("Root", {{-12.0F, 0.4F, 0.3F}, {-7.0F, 1.3F, 1.0F}}),
         rings("Root", {{-7.0F, 1.3F, 1.0F}, {-3.0F, 1.9F, 1.6F}, {3.0F, 2.0F, 1.6F}}),
         rings("Root", {{3.0F, 2.0F, 1.6F}, {8.0F, 1.6F, 1.3F}}),
         rings("HpEngine01", {{8.0F, 1.2F, 1.0F}, {9.5F, 0.9F, 0.8F}}),
         rings("HpShield01", {{-1.0F, 0.9F, 2.1F}, {1.5F, 0.9F, 2.1F}}), moved(left, wingPlace(-1.0F)),
         moved(leftGun, wingPlace(-1.0F)), moved(right, wingPlace(1.0F)), moved(rightGun, wingPlace(1.0F))},
        false, {id("HpEngine01"), id("HpShield01"), id("HpWeapon01"), id("HpWeapon02")});
    add("wing_lt", {left, leftGun}, true, {id("HpWeapon01")});
    add("wing_rt", {right, rightGun}, true, {id("HpWeapon02")});
    add("turret",
        {rings("turret", {{-0.8F, 0.8F, 0.5F}, {0.8F, 0.8F, 0.5F}}),
         box("turret", {-0.15F, -0.15F, -3.0F}, {0.15F, 0.15F, -0.8F})},
        false, {});
    return ship;
}

}  // namespace geomconv::test
