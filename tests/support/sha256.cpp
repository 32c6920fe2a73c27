#include "tests/support/sha256.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace geomconv::test {

namespace {

/// The first 32 bits of the fractional part of the square or cube root of the n-th prime.
std::uint32_t fraction(long double root) {
    return static_cast<std::uint32_t>(std::floor((root - std::floor(root)) * 4294967296.0L));
}

std::array<unsigned, 64> primes() {
    std::array<unsigned, 64> out{};
    std::size_t n = 0;
    for (unsigned candidate = 2; n < out.size(); ++candidate) {
        bool prime = true;
        for (std::size_t i = 0; i < n; ++i) prime = prime && candidate % out[i] != 0;
        if (prime) out[n++] = candidate;
    }
    return out;
}

void block(const std::uint8_t* p, std::array<std::uint32_t, 8>& h, const std::array<std::uint32_t, 64>& k) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i) {
        w[i] = (std::uint32_t{p[4 * i]} << 24) | (std::uint32_t{p[4 * i + 1]} << 16) |
               (std::uint32_t{p[4 * i + 2]} << 8) | p[4 * i + 3];
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const std::uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    auto s = h;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t e = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
        const std::uint32_t one = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        const std::uint32_t a = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
        const std::uint32_t two = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        s = {one + two, s[0], s[1], s[2], s[3] + one, s[4], s[5], s[6]};
    }
    for (std::size_t i = 0; i < 8; ++i) h[i] += s[i];
}

}  // namespace

std::string sha256(Bytes bytes) {
    static const auto kPrimes = primes();
    std::array<std::uint32_t, 8> h{};
    std::array<std::uint32_t, 64> k{};
    for (std::size_t i = 0; i < 8; ++i) h[i] = fraction(std::sqrt(static_cast<long double>(kPrimes[i])));
    for (std::size_t i = 0; i < 64; ++i) k[i] = fraction(std::cbrt(static_cast<long double>(kPrimes[i])));
    ByteVector padded(bytes.begin(), bytes.end());
    padded.push_back(0x80);
    while (padded.size() % 64 != 56) padded.push_back(0);
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    for (unsigned i = 0; i < 8; ++i) padded.push_back(static_cast<std::uint8_t>(bits >> (56 - 8 * i)));
    for (std::size_t at = 0; at < padded.size(); at += 64) block(padded.data() + at, h, k);
    std::string text;
    for (const std::uint32_t word : h) {
        for (int shift = 28; shift >= 0; shift -= 4) text.push_back("0123456789abcdef"[(word >> shift) & 15]);
    }
    return text;
}

}  // namespace geomconv::test
