#include <exception>
#include <string>
#include <vector>

#include "app/cli.hpp"
#include "app/exit_codes.hpp"
#include "app/interrupt.hpp"
#include "lib/files/input_file.hpp"

namespace {

int run(const std::vector<std::string>& arguments) {
    try {
        return geomconv::runCommandLine(arguments);
    } catch (const geomconv::Interrupted&) {
        return static_cast<int>(geomconv::ExitCode::Interrupted);
    }
}

}  // namespace

#ifdef _WIN32
int wmain(int argc, wchar_t** argv) {
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; ++i) arguments.push_back(geomconv::utf8FromPath(argv[i]));
    return run(arguments);
}
#else
int main(int argc, char** argv) {
    return run({argv + (argc > 0 ? 1 : 0), argv + argc});
}
#endif
