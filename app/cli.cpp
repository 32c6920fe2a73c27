#include "app/cli.hpp"

#include <cstdio>
#include <cstring>

#include "exporters/registry.hpp"
#include "formats/registry.hpp"
#include "lib/version.hpp"

namespace geomconv {

int runCommandLine(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) std::printf("geomconv %s\n", kVersion);
    return gameFormats().size() + interchangeFormats().size() > 0 ? 0 : 1;
}

}  // namespace geomconv
