#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "app/exit_codes.hpp"
#include "lib/defect.hpp"

namespace geomconv {

enum class Verbosity : std::uint8_t { Quiet, Normal, Verbose };
enum class ColorWhen : std::uint8_t { Auto, Always, Never };

/// Options of every command.
struct GlobalOptions {
    Verbosity verbosity = Verbosity::Normal;
    ColorWhen color = ColorWhen::Auto;
    bool progress = true;
};

/// The two streams. Standard output carries data and reports; lines about the work go to standard error. Lines of
/// several threads do not mix. Text from files must have passed `printable`.
class Console {
public:
    explicit Console(const GlobalOptions& options);

    /// Writes to standard output, unbuffered. Throws SystemError.
    void out(std::string_view text);
    /// "geomconv: error: TEXT"
    void error(std::string_view text);
    /// "geomconv: warning: TEXT"; not with -q.
    void warning(std::string_view text);
    /// "geomconv: TEXT", said unless -q.
    void note(std::string_view text);
    /// A log line, with -v only.
    void log(std::string_view text);
    /// The warnings of one file, the first ones of each kind in words and the others as a number.
    void warnings(std::string_view file, const Defects& defects);
    /// The errors of one file that was read all the same.
    void errors(std::string_view file, const Defects& defects);
    /// A status line that the next line replaces; for terminals. Empty text removes it.
    void status(std::string_view text);

    Verbosity verbosity() const { return options_.verbosity; }
    bool colorOut() const { return colorOut_; }
    /// Whether a progress bar may be shown.
    bool mayShowProgress() const;

private:
    void line(std::string_view label, std::string_view colour, std::string_view text);
    void clearStatus();

    GlobalOptions options_;
    bool colorOut_ = false;
    bool colorErr_ = false;
    bool statusShown_ = false;
    std::mutex lock_;
};

/// Thrown through a guarded piece of work whose error line has been printed already.
struct AlreadySaid {
    ExitCode code = ExitCode::BadInput;
};

/// What a piece of work threw, ready to be said.
struct Failure {
    ExitCode code = ExitCode::BadInput;
    std::string text;              ///< the error line without the program's name; empty when there is nothing to say
    std::optional<Defect> defect;  ///< where a reader gave one

    /// The line without the file's name, for a report whose row names it.
    std::string reason(std::string_view file) const;
};

/// Runs work and catches what it throws. name: the file at work, for messages that do not name it themselves; may be
/// empty.
std::optional<Failure> attempt(std::string_view name, const std::function<void()>& work);

/// Runs work and turns what it throws into one error line and an exit code. said: also told what was thrown (for
/// reports).
ExitCode guarded(Console& console, std::string_view name, const std::function<ExitCode()>& work,
                 const std::function<void(const Failure&)>& said = {});

/// The code of a command over several inputs: 0, the only input's own code, or 4.
class CodeSum {
public:
    void add(ExitCode code);
    ExitCode total() const;

private:
    std::size_t files_ = 0;
    std::size_t failed_ = 0;
    ExitCode last_ = ExitCode::Done;
};

}  // namespace geomconv
