#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>

namespace geomconv::obj {

/// A growing array of plain values on std::realloc: large blocks are moved by the system without copying them, and
/// memory that was never written is never touched, which on fresh pages costs ten times as much as a copy.
template <class T>
class PodBuffer {
    // Not is_trivially_copyable: glm spells its copying out when it initialises what it makes.
    static_assert(std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T>);

public:
    PodBuffer() = default;
    PodBuffer(const PodBuffer&) = delete;
    PodBuffer& operator=(const PodBuffer&) = delete;
    ~PodBuffer() { std::free(data_); }

    void push(const T& value) {
        if (size_ == capacity_) grow(size_ + 1);
        new (data_ + size_++) T(value);
    }
    /// Values up to n; new ones are copies of `value`.
    void resize(std::size_t n, const T& value) {
        if (n > capacity_) grow(n);
        for (std::size_t i = size_; i < n; ++i) new (data_ + i) T(value);
        size_ = n;
    }
    void clear() { size_ = 0; }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }

private:
    void grow(std::size_t least) {
        std::size_t wanted = capacity_ < 64 ? 64 : capacity_ * 2;
        if (wanted < least) wanted = least;
        if (wanted > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
        void* moved = std::realloc(static_cast<void*>(data_), wanted * sizeof(T));
        if (moved == nullptr) throw std::bad_alloc();
        data_ = static_cast<T*>(moved);
        capacity_ = wanted;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace geomconv::obj
