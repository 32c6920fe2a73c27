#include "app/interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>

#include "app/exit_codes.hpp"
#include "lib/files/output_set.hpp"

#ifdef _WIN32
#include <process.h>
#else
#include <fcntl.h>
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

#ifndef _WIN32
/// A mapped file whose bytes are gone: another program made it shorter while it was read, or its disk fails.
extern "C" void onLostInput(int) {
    constexpr char kText[] = "geomconv: error: an input became shorter, or its disk failed, while it was read\n";
    removeTemporaries();
    const ssize_t ignored = ::write(2, kText, sizeof kText - 1);
    static_cast<void>(ignored);
    ::_exit(static_cast<int>(ExitCode::System));
}
#endif

}  // namespace

void keepStandardDescriptors() {
#ifndef _WIN32
    for (const int fd : {0, 1, 2}) {
        if (::fcntl(fd, F_GETFD) != -1) continue;
        // Opened the wrong way round, so that using it stays an error.
        if (::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) return;
    }
#endif
}

void installSignalHandlers() {
#ifdef _WIN32
    constexpr std::array kEnding{SIGINT, SIGTERM};
#else
    constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP};
#endif
    for (const int signal : kEnding) {
        // Whoever started us with the signal ignored (nohup, a shell's background job) wants it so.
        if (std::signal(signal, &onInterrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
#ifndef _WIN32
    std::signal(SIGBUS, &onLostInput);
    // A closed pipe and a file beyond the limit of ulimit are errors of write, with an exit code of their own.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
#endif
}

void deferInterrupts() {
    deferred.store(true);
}

bool interruptPending() noexcept {
    return pending.load();
}

}  // namespace geomconv
