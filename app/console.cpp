#include "app/console.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>
#include <vector>

#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"
#include "lib/files/input_file.hpp"
#include "lib/files/system_error.hpp"

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace geomconv {

namespace {

constexpr int kStandardOutput = 1;
constexpr int kStandardError = 2;
/// How many warnings of one kind are shown for one file.
constexpr std::size_t kShownPerKind = 3;

bool isTerminal(int fd) {
#ifdef _WIN32
    return ::_isatty(fd) != 0;
#else
    return ::isatty(fd) == 1;
#endif
}

/// False with errno set when the stream does not take the bytes.
bool writeAll(int fd, std::string_view text) {
    while (!text.empty()) {
#ifdef _WIN32
        const auto done = ::_write(fd, text.data(), static_cast<unsigned>(text.size()));
#else
        const ssize_t done = ::write(fd, text.data(), text.size());
#endif
        if (done < 0) {
            if (errno == EINTR) continue;
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
}

bool noColorAsked() {
    const char* value = std::getenv("NO_COLOR");
    return value != nullptr && *value != '\0';
}

bool wantsColor(ColorWhen when, int fd) {
    if (when == ColorWhen::Always) return true;
    if (when == ColorWhen::Never || noColorAsked()) return false;
    const char* terminal = std::getenv("TERM");
    return isTerminal(fd) && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

/// A line that a person can still read: names and values from files may be megabytes long.
std::string shortened(std::string_view text) {
    constexpr std::size_t kHead = 3000;
    constexpr std::size_t kTail = 500;
    if (text.size() <= kHead + kTail + 100) return std::string(text);
    // Not in the middle of a character.
    const auto before = [&](std::size_t at) {
        while ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
        return at;
    };
    const std::size_t head = before(kHead);
    const std::size_t tail = before(text.size() - kTail);
    return std::string(text.substr(0, head)) + " [" + std::to_string(tail - head) + " bytes left out] " +
           std::string(text.substr(tail));
}

}  // namespace

Console::Console(const GlobalOptions& options)
    : options_(options),
      colorOut_(wantsColor(options.color, kStandardOutput)),
      colorErr_(wantsColor(options.color, kStandardError)) {}

void Console::out(std::string_view text) {
    const std::lock_guard guard(lock_);
    clearStatus();
    if (!writeAll(kStandardOutput, text)) {
        throw SystemError("standard output", std::generic_category().message(errno));
    }
}

void Console::line(std::string_view label, std::string_view colour, std::string_view text) {
    std::string whole = "geomconv: ";
    if (!label.empty()) {
        if (colorErr_) whole += colour;
        whole += label;
        if (colorErr_) whole += "\x1b[0m";
        whole += ' ';
    }
    whole += shortened(text);
    whole += '\n';
    const std::lock_guard guard(lock_);
    clearStatus();
    // Standard error that takes nothing leaves no way to say so.
    static_cast<void>(writeAll(kStandardError, whole));
}

void Console::error(std::string_view text) {
    line("error:", "\x1b[1;31m", text);
}

void Console::warning(std::string_view text) {
    if (options_.verbosity != Verbosity::Quiet) line("warning:", "\x1b[1;33m", text);
}

void Console::note(std::string_view text) {
    if (options_.verbosity != Verbosity::Quiet) line("", "", text);
}

void Console::log(std::string_view text) {
    if (options_.verbosity != Verbosity::Verbose) return;
    const std::lock_guard guard(lock_);
    clearStatus();
    writeLog(printable(text), colorErr_);
}

void Console::warnings(std::string_view file, const Defects& defects) {
    if (options_.verbosity == Verbosity::Quiet) return;
    const std::string name = printable(file);
    std::vector<std::pair<std::string_view, std::size_t>> shown;
    for (const Defect& defect : defects.list()) {
        if (defect.severity != Severity::Warning) continue;
        auto tally = shown.begin();
        while (tally != shown.end() && tally->first != defect.kind) ++tally;
        if (tally == shown.end()) tally = shown.insert(shown.end(), {defect.kind, 0});
        if (tally->second++ < kShownPerKind) warning(name + ": " + printable(toText(defect)));
    }
    for (const auto& [kind, seen] : shown) {
        const std::size_t all = defects.count(kind);
        if (all > kShownPerKind) {
            warning(name + ": " + std::to_string(all - kShownPerKind) + " more of the kind " + std::string(kind));
        }
    }
}

void Console::errors(std::string_view file, const Defects& defects) {
    for (const Defect& defect : defects.list()) {
        if (defect.severity == Severity::Error) error(printable(file) + ": " + printable(toText(defect)));
    }
}

bool Console::mayShowProgress() const {
    return options_.progress && options_.verbosity != Verbosity::Quiet && isTerminal(kStandardError);
}

void Console::status(std::string_view text) {
    const std::lock_guard guard(lock_);
    clearStatus();
    if (text.empty()) return;
    static_cast<void>(writeAll(kStandardError, text));
    statusShown_ = true;
}

void Console::clearStatus() {
    if (!statusShown_) return;
    statusShown_ = false;
    static_cast<void>(writeAll(kStandardError, "\r\x1b[K"));
}

std::string Failure::reason(std::string_view file) const {
    const std::string prefix = printable(file) + ": ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

std::optional<Failure> attempt(std::string_view name, const std::function<void()>& work) {
    const std::string prefix = name.empty() ? std::string() : printable(name) + ": ";
    constexpr const char* kNoMemory = "this needs more memory than there is";
    try {
        work();
        return std::nullopt;
    } catch (const AlreadySaid& e) {
        return Failure{e.code, {}, {}};
    } catch (const UsageError& e) {
        return Failure{ExitCode::Usage, printable(e.what()), {}};
    } catch (const FormatError& e) {
        return Failure{ExitCode::BadInput, prefix + printable(e.what()), e.defect()};
    } catch (const GeometryError& e) {
        return Failure{ExitCode::BadInput, prefix + printable(e.what()), {}};
    } catch (const SystemError& e) {
        std::string text = printable(e.what());
        // Whoever closed our output has seen enough; the exit code tells the rest.
        if (text.ends_with(std::generic_category().message(EPIPE))) text.clear();
        return Failure{ExitCode::System, std::move(text), {}};
    } catch (const std::filesystem::filesystem_error& e) {
        const std::string path = e.path1().empty() ? std::string(name) : utf8FromPath(e.path1());
        return Failure{ExitCode::System, printable(path) + ": " + e.code().message(), {}};
    } catch (const std::bad_alloc&) {
        return Failure{ExitCode::BadInput, prefix + kNoMemory, {}};
    } catch (const std::length_error&) {
        return Failure{ExitCode::BadInput, prefix + kNoMemory, {}};
    } catch (const std::exception& e) {
        return Failure{ExitCode::BadInput, prefix + printable(e.what()), {}};
    }
}

ExitCode guarded(Console& console, std::string_view name, const std::function<ExitCode()>& work,
                 const std::function<void(const Failure&)>& said) {
    ExitCode code = ExitCode::Done;
    const auto failure = attempt(name, [&] { code = work(); });
    if (!failure) return code;
    if (!failure->text.empty()) console.error(failure->text);
    if (said) said(*failure);
    return failure->code;
}

void CodeSum::add(ExitCode code) {
    ++files_;
    if (code == ExitCode::Done) return;
    ++failed_;
    last_ = code;
}

ExitCode CodeSum::total() const {
    if (failed_ == 0) return ExitCode::Done;
    return files_ == 1 ? last_ : ExitCode::SomeFailed;
}

}  // namespace geomconv
