#include "app/progress.hpp"

#include <string>

namespace geomconv {

namespace {

constexpr std::chrono::milliseconds kFirst{1000};
constexpr std::chrono::milliseconds kAgain{200};
constexpr std::size_t kBarWidth = 24;

/// "2:05", "1:00:00".
std::string clockText(double seconds) {
    const auto whole = static_cast<unsigned long>(seconds + 0.5);
    const auto two = [](unsigned long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    const std::string minutes =
        whole < 3600 ? std::to_string(whole / 60) : std::to_string(whole / 3600) + ':' + two(whole / 60 % 60);
    return minutes + ':' + two(whole % 60);
}

}  // namespace

Progress::Progress(Console& console, std::size_t total)
    : console_(console),
      total_(total),
      start_(Clock::now()),
      last_(start_ + kFirst - kAgain),
      wanted_(console.mayShowProgress()) {}

Progress::~Progress() {
    if (wanted_) console_.status("");
}

void Progress::show(std::size_t done, std::size_t failed) {
    const Clock::time_point now = Clock::now();
    if (!wanted_ || now - last_ < kAgain) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = static_cast<double>(done) / seconds;
    const std::size_t filled = total_ == 0 ? kBarWidth : kBarWidth * done / total_;
    std::string text = '[' + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "] " +
                       std::to_string(done) + '/' + std::to_string(total_);
    if (done > 0) {
        const std::string perSecond = std::to_string(rate);
        text += ", " + perSecond.substr(0, perSecond.find('.') + 2) + "/s, " +
                clockText(static_cast<double>(total_ - done) / rate) + " left";
    }
    if (failed > 0) text += ", " + std::to_string(failed) + " failed";
    console_.status(text);
}

}  // namespace geomconv
