// Writes the samples that are made by the program's own builders. make_samples FOLDER

#include <cstdio>

#include "formats/ipfb/ipfb.hpp"
#include "tests/samples/collision_libraries.hpp"
#include "tests/samples/patrol_ship.hpp"
#include "tests/support/shared.hpp"

namespace geomconv {
namespace {

void makeCollisionLibraries(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    const ByteVector asteroids = collisionset::write(collisionset::samples::asteroids());
    const ByteVector ship = collisionset::write(collisionset::samples::ship());
    test::writeFile(folder / "asteroids.bin", asteroids);
    test::writeFile(folder / "ship.bin", ship);
    const std::string_view note = collisionset::samples::kNote;
    const ipfb::NewPack pack = ipfb::make({{"CollisionSet_S01.bin", asteroids},
                                           {"CollisionSet_S02.bin", asteroids},
                                           {"ships\\e101.bin", ship},
                                           {"notes.txt", ByteVector(note.begin(), note.end())}});
    test::writeFile(folder / "MiscBin.pak", pack.pak);
    test::writeFile(folder / "MiscBin.p00", pack.part);
}

}  // namespace
}  // namespace geomconv

int main(int argc, char** argv) {
    using namespace geomconv;
    if (argc != 2) {
        std::fprintf(stderr, "make_samples FOLDER\n");
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    test::writeFile(folder / "patrol_ship.sur", sur::write(test::patrolShip()));
    std::string names;
    for (const std::string& name : test::patrolShipNames()) names += name + '\n';
    test::writeFile(folder / "patrol_ship_names.txt", asBytes(names));
    makeCollisionLibraries(folder / "collisionset");
}
