#include "app/cli.hpp"

int main(int argc, char** argv) { return geomconv::runCommandLine(argc, argv); }
