#pragma once

namespace geomconv {

/// What the program ends with. The meanings are a promise to scripts.
enum class ExitCode : int {
    Done = 0,
    BadInput = 1,    ///< the input is not what it claims: malformed, unsupported, refused, a validation error
    Usage = 2,       ///< the command line is wrong
    System = 3,      ///< the system said no: missing file, permission, disk full, broken pipe
    SomeFailed = 4,  ///< several inputs: at least one failed, the others were done
    Interrupted = 130,
};

}  // namespace geomconv
