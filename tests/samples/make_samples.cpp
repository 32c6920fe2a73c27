// Writes the samples that are made by the program's own builders. make_samples FOLDER

#include <cstdio>

#include "tests/samples/patrol_ship.hpp"
#include "tests/support/shared.hpp"

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
}
