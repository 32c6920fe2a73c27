#pragma once

#include <string_view>

namespace geomconv {

/// One line of the log of `-v` on standard error, with the time since the start. The logger is made at the first call.
void writeLog(std::string_view text, bool color);

}  // namespace geomconv
