#pragma once

#include <chrono>
#include <cstddef>

#include "app/console.hpp"

namespace geomconv {

/// A status line on a terminal: how many of how many, rate, time left, failures. It appears after a second, so that
/// short runs show nothing.
class Progress {
public:
    Progress(Console& console, std::size_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(std::size_t done, std::size_t failed);

private:
    using Clock = std::chrono::steady_clock;
    Console& console_;
    std::size_t total_;
    Clock::time_point start_;
    Clock::time_point last_;
    bool wanted_;
};

}  // namespace geomconv
