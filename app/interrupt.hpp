#pragma once

#include <exception>

namespace geomconv {

/// Ctrl-C was pressed; thrown at a point where nothing is half done. Exit code 130.
class Interrupted : public std::exception {
public:
    const char* what() const noexcept override { return "interrupted"; }
};

/// What Ctrl-C and SIGTERM do from now on. By default temporaries are removed and the program ends at once.
void installSignalHandlers();
/// From now on the first Ctrl-C only sets a flag and the second one ends the program at once.
void deferInterrupts();
/// Whether an interrupt was deferred.
bool interruptPending() noexcept;

}  // namespace geomconv
