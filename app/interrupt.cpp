#include "app/interrupt.hpp"

#include <atomic>
#include <csignal>

#include "app/exit_codes.hpp"
#include "lib/files/output_set.hpp"

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace geomconv {

namespace {

std::atomic<bool> deferred{false};
std::atomic<bool> pending{false};

extern "C" void onInterrupt(int signal) {
    if (deferred.load() && !pending.exchange(true)) {
#ifdef _WIN32
        std::signal(signal, &onInterrupt);  // Windows resets the handler
#endif
        return;
    }
    removeTemporaries();
    static_cast<void>(signal);
    ::_exit(static_cast<int>(ExitCode::Interrupted));
}

}  // namespace

void installSignalHandlers() {
    for (const int signal : {SIGINT, SIGTERM}) {
        // Whoever started us with the signal ignored (nohup, a shell's background job) wants it so.
        if (std::signal(signal, &onInterrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
#ifndef _WIN32
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write, with an exit code of its own
#endif
}

void deferInterrupts() {
    deferred.store(true);
}

bool interruptPending() noexcept {
    return pending.load();
}

}  // namespace geomconv
