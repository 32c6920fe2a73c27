#include "lib/files/number_text.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace geomconv {

namespace {

/// "00" "01" ... "99".
constexpr std::array<char, 200> kPairs = [] {
    std::array<char, 200> pairs{};
    for (std::size_t i = 0; i < 100; ++i) {
        pairs[2 * i] = static_cast<char>('0' + i / 10);
        pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return pairs;
}();

constexpr std::array<std::uint64_t, 16> kPowersOf5 = [] {
    std::array<std::uint64_t, 16> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 5 * powers[i - 1];
    return powers;
}();

constexpr unsigned digitCount(std::uint32_t value) {
    if (value < 10000) return value < 100 ? (value < 10 ? 1 : 2) : (value < 1000 ? 3 : 4);
    if (value < 1000000) return value < 100000 ? 5 : 6;
    if (value < 100000000) return value < 10000000 ? 7 : 8;
    return value < 1000000000 ? 9 : 10;
}

/// The digits of a number so that they end at `end`.
void digitsBefore(char* end, std::uint32_t value) {
    while (value >= 100) {
        end -= 2;
        std::memcpy(end, &kPairs[std::size_t{2} * (value % 100)], 2);
        value /= 100;
    }
    if (value >= 10)
        std::memcpy(end - 2, &kPairs[std::size_t{2} * value], 2);
    else
        end[-1] = static_cast<char>('0' + value);
}

/// digits * 10^exponent.
struct Decimal {
    std::uint32_t digits;
    int exponent;
};

/// Exponents q of significand * 2^q for which shortest() works: its products stay below 2^64, and the value has a
/// fraction bit. The values are those from 1.5e-8 up to 2^23.
constexpr int kLowestExponent = -49;
constexpr int kHighestExponent = -1;

/// The shortest decimal number within the interval that rounds to significand * 2^q, and of these the nearest.
/// significand: 2^23 up to 2^24, q: kLowestExponent to kHighestExponent.
///
/// With 10^k <= the interval's width < 10^(k + 1) a multiple of 10^k lies inside, and at most one of 10^(k + 1). The
/// interval is held in integers: times 10^-k it is (4 * significand +- 2) * 5^-k / 2^(2 - q + k), and 5^-k < 2^35.
Decimal shortest(std::uint32_t significand, int q) {
    // Below a power of two floats lie half as far apart.
    const bool powerOfTwo = significand == 1U << 23;
    const int k = (q * 1262611 - (powerOfTwo ? 524031 : 0)) >> 22;  // floor of log10 of 2^q, or of 3/4 of it
    const std::uint64_t scale = kPowersOf5[static_cast<std::size_t>(-k)];
    const std::uint64_t middle = std::uint64_t{significand} * 4 * scale;
    // Bounds themselves round to even significands.
    const std::uint64_t open = significand & 1;
    const std::uint64_t low = middle - (powerOfTwo ? 1 : 2) * scale + open;
    const std::uint64_t high = middle + 2 * scale - open;
    const int shift = 2 - q + k;
    const std::uint64_t unit = std::uint64_t{1} << shift;

    const std::uint64_t below = middle >> shift;
    const std::uint64_t tens = below / 10;
    const std::uint64_t rest = middle & (unit - 1);
    // Bits instead of branches: no processor could foresee which way these go.
    const std::uint64_t tensInside = tens * 10 << shift >= low ? 1 : 0;
    const std::uint64_t nextTensInside = (tens + 1) * 10 << shift <= high ? 1 : 0;
    const std::uint64_t belowInside = below << shift >= low ? 1 : 0;
    const std::uint64_t aboveInside = (below + 1) << shift <= high ? 1 : 0;
    const std::uint64_t nearerAbove =
        2 * rest + (below & 1) > unit ? 1 : 0;  // even but for the 1: the middle goes to even
    const std::uint64_t oneInside = belowInside ^ aboveInside;
    const std::uint64_t all = below + ((oneInside & aboveInside) | (~oneInside & nearerAbove));
    const std::uint64_t fewer = 10 * (tens + nextTensInside);
    const std::uint64_t chosen = all ^ ((all ^ fewer) & (0 - (tensInside ^ nextTensInside)));
    return {static_cast<std::uint32_t>(chosen), k};
}

/// The eight decimal digits of a number below 10^8, the first in the lowest byte.
std::uint64_t eightDigits(std::uint32_t value) {
    // Halves of four digits, quarters of two, digits: each step divides all parts at once, by multiplying.
    std::uint64_t parts = value / 10000 | std::uint64_t{value % 10000} << 32;
    const std::uint64_t hundreds = (parts * 10486 >> 20) & 0x0000007F0000007F;
    parts = hundreds | (parts - 100 * hundreds) << 16;
    const std::uint64_t tens = (parts * 103 >> 10) & 0x000F000F000F000F;
    return tens | (parts - 10 * tens) << 8;
}

void put8(char* to, std::uint64_t bytes) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(to, &bytes, 8);
}

/// Fixed notation of at most eight digits that do not end in zeros, `point` of them in front of the point.
/// Writes up to 17 bytes, of which the text may be fewer.
char* fixedText(char* to, std::uint64_t digits, int count, int point) {
    constexpr std::uint64_t kZeros = 0x3030303030303030;
    digits += kZeros;
    if (point <= 0) {
        put8(to, kZeros);
        to[1] = '.';
        put8(to + 2 - point, digits);
        return to + 2 - point + count;
    }
    if (point >= count) {
        put8(to, digits);
        return to + point;
    }
    const int bits = 8 * point;
    const std::uint64_t front = digits & ((std::uint64_t{1} << bits) - 1);
    put8(to + 1, digits);
    put8(to, front | std::uint64_t{'.'} << bits | (digits ^ front) << 8);
    return to + count + 1;
}

}  // namespace

char* shortestText(char* to, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const int q = static_cast<int>(bits >> 23 & 0xFF) - 150;
    if (q < kLowestExponent || q > kHighestExponent) return std::to_chars(to, to + kNumberRoom, value).ptr;
    const Decimal decimal = shortest((bits & 0x7FFFFF) | 0x800000, q);
    if (decimal.digits >= 100000000) return std::to_chars(to, to + kNumberRoom, value).ptr;
    std::uint64_t digits = eightDigits(decimal.digits);
    const int before = std::countr_zero(digits) & ~7;
    const int behind = std::countl_zero(digits) & ~7;
    digits >>= before;
    const int count = 8 - (before + behind) / 8;
    const int point = 8 - before / 8 + decimal.exponent;  // digits in front of the point
    const int scientific = count + (count > 1 ? 1 : 0) + 4;
    const int fixed = point <= 0 ? 2 - point + count : (point >= count ? point : count + 1);
    if (fixed > scientific) return std::to_chars(to, to + kNumberRoom, value).ptr;
    *to = '-';
    return fixedText(to + (bits >> 31), digits, count, point);
}

char* uintText(char* to, std::uint64_t value) {
    if (value > UINT32_MAX) return std::to_chars(to, to + kNumberRoom, value).ptr;
    const auto digits = static_cast<std::uint32_t>(value);
    to += digitCount(digits);
    digitsBefore(to, digits);
    return to;
}

}  // namespace geomconv
