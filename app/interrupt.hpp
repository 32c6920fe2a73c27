#pragma once

#include <exception>

namespace geomconv {

/// Ctrl-C was pressed; thrown at a point where nothing is half done. Exit code 130.
class Interrupted : public std::exception {
public:
    const char* what() const noexcept override { return "interrupted"; }
};

/// Puts something in the place of standard streams that were closed before the start. Without it the next file opened
/// would get their number, and messages would be written into an output.
void keepStandardDescriptors();
/// What Ctrl-C and SIGTERM do from now on: temporaries are removed and the program ends at once. An input that shrinks
/// under the eyes of its reader ends it with an error.
void installSignalHandlers();
/// From now on the first Ctrl-C only sets a flag and the second one ends the program at once.
void deferInterrupts();
/// Whether an interrupt was deferred.
bool interruptPending() noexcept;

}  // namespace geomconv
