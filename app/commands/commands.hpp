#pragma once

#include "app/console.hpp"

namespace geomconv {

struct Arguments;
struct Context;

// What the table of commands calls: each understands its arguments (UsageError before an input is read), then works.
ExitCode runConvert(const Arguments& arguments, Context& context);
ExitCode runInfo(const Arguments& arguments, Context& context);
ExitCode runDump(const Arguments& arguments, Context& context);
ExitCode runValidate(const Arguments& arguments, Context& context);
ExitCode runList(const Arguments& arguments, Context& context);
ExitCode runExtract(const Arguments& arguments, Context& context);
ExitCode runHitbox(const Arguments& arguments, Context& context);
ExitCode runImport(const Arguments& arguments, Context& context);
ExitCode runBatch(const Arguments& arguments, Context& context);
ExitCode runDemo(const Arguments& arguments, Context& context);
ExitCode runFloortest(const Arguments& arguments, Context& context);
ExitCode runManpage(const Arguments& arguments, Context& context);
ExitCode runFormats(const Arguments& arguments, Context& context);
ExitCode runCompletion(const Arguments& arguments, Context& context);

}  // namespace geomconv
