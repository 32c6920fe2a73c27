#pragma once

namespace geomconv {

/// Parses, runs, catches; gives the exit code.
int runCommandLine(int argc, char** argv);

}  // namespace geomconv
