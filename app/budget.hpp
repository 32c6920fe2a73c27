#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace geomconv {

/// Memory that workers share: each says before a file how much it may need and waits until that is free. One that wants
/// more than there is gets everything, alone.
class MemoryBudget {
public:
    explicit MemoryBudget(std::uint64_t total) : total_(total) {}

    class Share {
    public:
        Share(MemoryBudget& budget, std::uint64_t bytes) : budget_(budget), bytes_(budget.take(bytes)) {}
        ~Share() { budget_.giveBack(bytes_); }
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

    private:
        MemoryBudget& budget_;
        std::uint64_t bytes_;
    };

    std::uint64_t total() const { return total_; }

private:
    std::uint64_t take(std::uint64_t bytes) {
        const std::uint64_t wanted = bytes < total_ ? bytes : total_;
        std::unique_lock lock(lock_);
        freed_.wait(lock, [&] { return used_ == 0 || used_ + wanted <= total_; });
        used_ += wanted;
        return wanted;
    }
    void giveBack(std::uint64_t bytes) {
        {
            const std::lock_guard lock(lock_);
            used_ -= bytes;
        }
        freed_.notify_all();
    }

    const std::uint64_t total_;
    std::uint64_t used_ = 0;
    std::mutex lock_;
    std::condition_variable freed_;
};

}  // namespace geomconv
