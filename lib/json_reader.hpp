#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/geometry/math.hpp"

namespace geomconv {

/// Pulls values out of a JSON text one by one; nothing is kept but the position and the nesting, so that vertex arrays
/// go straight into their vectors. The counterpart of JsonWriter. Strict: RFC 8259 and nothing more, a byte order mark
/// is passed over. Throws FormatError (`json`) with the offset of the failing byte. Nesting is limited to kDepthLimit.
///
///     in.beginObject();
///     for (std::string key; in.nextKey(key);) {
///         if (key == "points") in.numbers(points);
///         else in.skip();
///     }
class JsonReader {
public:
    static constexpr std::size_t kDepthLimit = 256;
    enum class Kind : std::uint8_t { Object, Array, Text, Number, Boolean, Null, End };

    explicit JsonReader(std::string_view text);

    /// What comes next.
    Kind peek();
    void beginObject();
    /// The next key of the innermost object; false when it ends, which closes it.
    bool nextKey(std::string& key);
    void beginArray();
    /// Whether the innermost array has a further item; false when it ends, which closes it.
    bool nextItem();

    std::string text();
    /// A text of base64. field: for the message.
    ByteVector base64(std::string_view field);
    double number();
    /// Rounded once, from the text: what JsonWriter wrote comes back bit for bit. null gives NaN.
    float float32();
    /// A whole number of 0..2^64-1.
    std::uint64_t unsignedInteger();
    std::uint32_t unsigned32();
    std::int32_t signed32();
    bool boolean();
    void null();
    /// Passes over a value, whatever it is.
    void skip();
    /// Passes over a value and gives its text.
    std::string_view raw();
    /// Refuses anything behind the outermost value.
    void expectEnd();

    /// A flat array of numbers, appended.
    void numbers(std::vector<float>& out);
    void numbers(std::vector<std::uint32_t>& out);
    void numbers(std::vector<std::int32_t>& out);
    void numbers(std::vector<std::uint16_t>& out);
    /// A flat array of vectors or matrices (by columns), appended; refuses a length that is no whole number of them.
    void numbers(std::vector<Vec2>& out);
    void numbers(std::vector<Vec3>& out);
    void numbers(std::vector<Vec4>& out);
    void numbers(std::vector<Mat4>& out);
    void numbers(std::vector<std::array<std::uint32_t, 3>>& out);
    void numbers(std::vector<std::array<std::uint16_t, 4>>& out);
    /// A flat array of exactly as many numbers.
    void numbers(std::span<float> out);

    std::uint64_t offset() const noexcept { return static_cast<std::uint64_t>(at_ - begin_); }
    [[noreturn]] void fail(const std::string& detail) const;

private:
    void space() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
    }
    void open(char bracket, std::string_view what);
    bool separated(char close);
    void expectWord(std::string_view word);
    const char* numberEnd() const;
    std::optional<std::string_view> plainText();
    char32_t escaped();
    char32_t hex4();
    template <class T>
    T parsed();
    template <class T>
    T item();
    template <class Number, class T>
    void flatArray(std::vector<T>& out);
    template <class Number>
    std::size_t expectedItems(std::size_t read, const char* first) const;

    const char* begin_;
    const char* at_;
    const char* end_;
    std::vector<bool> hasItems_;  ///< per open object or array
};

/// A sound JSON text without the blanks and line ends between its tokens; what is no UTF-8 in it becomes U+FFFD.
std::string compactJson(std::string_view text);

}  // namespace geomconv
