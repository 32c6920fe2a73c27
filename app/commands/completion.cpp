#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/help.hpp"
#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

ExitCode runCompletion(const Arguments& arguments, Context& context) {
    const std::string& shell = arguments.positionals.front();
    const std::string script = completionScript(shell, context.formats);
    if (script.empty()) throw UsageError("completion: '" + printable(shell) + "' is none of bash, zsh, fish");
    context.console.out(script);
    return ExitCode::Done;
}

}  // namespace geomconv
