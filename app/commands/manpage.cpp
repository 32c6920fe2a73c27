#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/help.hpp"

namespace geomconv {

ExitCode runManpage(const Arguments&, Context& context) {
    context.console.out(manualPage(context.formats));
    return ExitCode::Done;
}

}  // namespace geomconv
