#include "lib/json_reader.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "lib/bytes/base64.hpp"
#include "lib/bytes/number_scan.hpp"
#include "lib/bytes/text.hpp"
#include "lib/defect.hpp"

namespace geomconv {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

JsonReader::JsonReader(std::string_view text) : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {
    if (text.starts_with("\xef\xbb\xbf")) at_ += 3;
}

void JsonReader::fail(const std::string& detail) const {
    throw FormatError({Severity::Error, "json", offset(), {}, detail});
}

JsonReader::Kind JsonReader::peek() {
    space();
    if (at_ == end_) return Kind::End;
    switch (*at_) {
        case '{':
            return Kind::Object;
        case '[':
            return Kind::Array;
        case '"':
            return Kind::Text;
        case 't':
        case 'f':
            return Kind::Boolean;
        case 'n':
            return Kind::Null;
        default:
            break;
    }
    if (*at_ != '-' && !isDigit(*at_)) fail("no JSON value begins here");
    return Kind::Number;
}

void JsonReader::open(char bracket, std::string_view what) {
    space();
    if (at_ == end_ || *at_ != bracket) fail(std::string(what) + " expected");
    if (hasItems_.size() >= kDepthLimit) fail("nested deeper than " + std::to_string(kDepthLimit));
    ++at_;
    hasItems_.push_back(false);
}

void JsonReader::beginObject() {
    open('{', "an object");
}
void JsonReader::beginArray() {
    open('[', "an array");
}

/// Passes the comma before a further item; false when the bracket closes instead.
bool JsonReader::separated(char close) {
    space();
    if (at_ == end_) fail("the text ends inside an object or array");
    if (*at_ == close) {
        ++at_;
        hasItems_.pop_back();
        return false;
    }
    if (hasItems_.back()) {
        if (*at_ != ',') fail("a comma expected");
        ++at_;
        space();
    }
    hasItems_.back() = true;
    return true;
}

bool JsonReader::nextKey(std::string& key) {
    if (!separated('}')) return false;
    if (const auto plain = plainText())
        key.assign(*plain);
    else
        key = text();
    space();
    if (at_ == end_ || *at_ != ':') fail("a colon expected");
    ++at_;
    return true;
}

bool JsonReader::nextItem() {
    return separated(']');
}

char32_t JsonReader::hex4() {
    char32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
        const char c = at_ == end_ ? '\0' : *at_;
        if (isDigit(c))
            code = code * 16 + static_cast<char32_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            code = code * 16 + static_cast<char32_t>(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            code = code * 16 + static_cast<char32_t>(c - 'A' + 10);
        else
            fail("four hex digits expected");
    }
    return code;
}

/// The character behind a backslash; a half of a surrogate pair alone becomes U+FFFD.
char32_t JsonReader::escaped() {
    if (at_ == end_) fail("the text ends inside a string");
    switch (*at_++) {
        case '"':
            return '"';
        case '\\':
            return '\\';
        case '/':
            return '/';
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'u':
            break;
        default:
            --at_;
            fail("an unknown escape");
    }
    const char32_t first = hex4();
    if (first < 0xd800 || first > 0xdfff) return first;
    if (first > 0xdbff || end_ - at_ < 6 || at_[0] != '\\' || at_[1] != 'u') return 0xfffd;
    const char* back = at_;
    at_ += 2;
    const char32_t second = hex4();
    if (second >= 0xdc00 && second <= 0xdfff) return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    at_ = back;
    return 0xfffd;
}

/// Passes a text of ASCII without escapes, as nearly all are, and gives its characters; elsewhere stays where it is.
std::optional<std::string_view> JsonReader::plainText() {
    space();
    if (at_ == end_ || *at_ != '"') return std::nullopt;
    const char* const first = at_ + 1;
    const char* p = first;
    while (p != end_ && *p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\') ++p;
    if (p == end_ || *p != '"') return std::nullopt;
    at_ = p + 1;
    return std::string_view(first, static_cast<std::size_t>(p - first));
}

std::string JsonReader::text() {
    if (const auto plain = plainText()) return std::string(*plain);
    if (at_ == end_ || *at_ != '"') fail("a string expected");
    ++at_;
    std::string out;
    for (;;) {
        const char* run = at_;
        while (at_ != end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20) ++at_;
        out.append(run, at_);
        if (at_ == end_) fail("the text ends inside a string");
        const char c = *at_;
        if (static_cast<unsigned char>(c) < 0x20) fail("a control character inside a string");
        ++at_;
        if (c == '"') return isUtf8(out) ? out : repairUtf8(out);
        appendUtf8(out, escaped());
    }
}

ByteVector JsonReader::base64(std::string_view field) {
    std::optional<ByteVector> bytes = bytesFromBase64(text());
    if (!bytes) fail(std::string(field) + " is no base64");
    return *std::move(bytes);
}

/// The end of a number by the grammar of JSON, which from_chars alone does not keep ("01", "1.", "inf").
const char* JsonReader::numberEnd() const {
    const char* p = at_;
    const auto digits = [&p, this] {
        const char* start = p;
        while (p != end_ && isDigit(*p)) ++p;
        return p != start;
    };
    if (p != end_ && *p == '-') ++p;
    if (p != end_ && *p == '0')
        ++p;
    else if (!digits())
        return nullptr;
    if (p != end_ && *p == '.') {
        ++p;
        if (!digits()) return nullptr;
    }
    if (p != end_ && (*p == 'e' || *p == 'E')) {
        ++p;
        if (p != end_ && (*p == '+' || *p == '-')) ++p;
        if (!digits()) return nullptr;
    }
    return p;
}

template <class T>
T JsonReader::parsed() {
    space();
    const char* stop = numberEnd();
    if (stop == nullptr) fail("a number expected");
    T value{};
    const auto [end, error] = std::from_chars(at_, stop, value);
    if (error == std::errc::result_out_of_range && std::is_floating_point_v<T>) {
        // from_chars does not say whether the number is too large or too small; the exponent's sign does.
        const std::string_view token(at_, static_cast<std::size_t>(stop - at_));
        const bool tiny = token.find("e-") != token.npos || token.find("E-") != token.npos || token.starts_with("0.") ||
                          token.starts_with("-0.");
        if (!tiny) fail("the number is too large");
        value = token[0] == '-' ? -T{} : T{};
    } else if (error != std::errc{} || end != stop) {
        fail(std::is_floating_point_v<T> ? "a number expected" : "a whole number in range expected");
    }
    at_ = stop;
    return value;
}

double JsonReader::number() {
    space();
    return item<double>();
}

float JsonReader::float32() {
    space();
    if (at_ != end_ && *at_ == 'n') {
        null();
        return std::numeric_limits<float>::quiet_NaN();
    }
    return parsed<float>();
}

std::uint64_t JsonReader::unsignedInteger() {
    return parsed<std::uint64_t>();
}
std::uint32_t JsonReader::unsigned32() {
    return parsed<std::uint32_t>();
}
std::int32_t JsonReader::signed32() {
    return parsed<std::int32_t>();
}

void JsonReader::expectWord(std::string_view word) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word))
        fail(std::string(word) + " expected");
    at_ += word.size();
}

bool JsonReader::boolean() {
    space();
    const bool value = at_ != end_ && *at_ == 't';
    expectWord(value ? "true" : "false");
    return value;
}

void JsonReader::null() {
    space();
    expectWord("null");
}

void JsonReader::skip() {
    const std::size_t depth = hasItems_.size();
    std::vector<bool> isObject;
    std::string key;
    do {
        // Inside an object or array: go to its next value, or out of it.
        if (!isObject.empty() && !(isObject.back() ? nextKey(key) : nextItem())) {
            isObject.pop_back();
            continue;
        }
        switch (peek()) {
            case Kind::Object:
                beginObject();
                isObject.push_back(true);
                break;
            case Kind::Array:
                beginArray();
                isObject.push_back(false);
                break;
            case Kind::Text:
                if (!plainText()) text();
                break;
            case Kind::Number: {
                const char* stop = numberEnd();
                if (stop == nullptr) fail("a number expected");
                at_ = stop;
                break;
            }
            case Kind::Boolean:
                boolean();
                break;
            case Kind::Null:
                null();
                break;
            case Kind::End:
                fail("a value expected");
        }
    } while (hasItems_.size() > depth);
}

std::string_view JsonReader::raw() {
    space();
    const char* start = at_;
    skip();
    return {start, static_cast<std::size_t>(at_ - start)};
}

void JsonReader::expectEnd() {
    if (peek() != Kind::End) fail("something behind the end of the JSON value");
}

/// One number of an array, by the shortest way: plain decimals as scanNumber reads them, plain digits; everything else,
/// and everything that JSON refuses, by the long one.
template <class T>
T JsonReader::item() {
    const char* const first = at_ + (at_ != end_ && *at_ == '-' ? 1 : 0);
    const bool plain = end_ - first >= 2 && isDigit(first[0]) && !(first[0] == '0' && isDigit(first[1]));
    if (!plain) {
        if constexpr (std::is_same_v<T, float>)
            return float32();
        else
            return parsed<T>();
    }
    T value{};
    if constexpr (std::is_floating_point_v<T>) {
        const char* const stop = scanDecimal(at_, end_, value);
        if (stop == nullptr || !isDigit(stop[-1])) return parsed<T>();
        at_ = stop;
    } else {
        const auto [stop, error] = std::from_chars(at_, end_, value);
        if (error != std::errc{} || (stop != end_ && (*stop == '.' || *stop == 'e' || *stop == 'E')))
            return parsed<T>();
        at_ = stop;
    }
    return value;
}

/// How many items an array has from what was read of it: memory is asked for once, and fits.
template <class Number>
std::size_t JsonReader::expectedItems(std::size_t read, const char* first) const {
    const void* close = std::memchr(at_, ']', static_cast<std::size_t>(end_ - at_));
    if (close == nullptr) return read;
    const auto left = static_cast<double>(static_cast<const char*>(close) - at_);
    const double each = static_cast<double>(at_ - first) / static_cast<double>(read);
    return read + static_cast<std::size_t>(1.02 * left / each) + 16;
}

template <class Number, class T>
void JsonReader::flatArray(std::vector<T>& out) {
    constexpr std::size_t kWidth = sizeof(T) / sizeof(Number);
    constexpr std::size_t kSample = 256;
    beginArray();
    const char* const first = at_;
    for (std::size_t n = 1; nextItem(); ++n) {
        std::array<Number, kWidth> values{};
        for (std::size_t k = 0; k < kWidth; ++k) {
            if (k > 0 && !nextItem()) fail("the number of values is no multiple of " + std::to_string(kWidth));
            values[k] = item<Number>();
        }
        T value;
        std::memcpy(static_cast<void*>(&value), values.data(), sizeof value);
        out.push_back(value);
        if (n == kSample) out.reserve(out.size() - n + expectedItems<Number>(n, first));
    }
}

void JsonReader::numbers(std::vector<float>& out) {
    flatArray<float>(out);
}
void JsonReader::numbers(std::vector<Vec2>& out) {
    flatArray<float>(out);
}
void JsonReader::numbers(std::vector<Vec3>& out) {
    flatArray<float>(out);
}
void JsonReader::numbers(std::vector<Vec4>& out) {
    flatArray<float>(out);
}
void JsonReader::numbers(std::vector<Mat4>& out) {
    flatArray<float>(out);
}
void JsonReader::numbers(std::vector<std::uint32_t>& out) {
    flatArray<std::uint32_t>(out);
}
void JsonReader::numbers(std::vector<std::int32_t>& out) {
    flatArray<std::int32_t>(out);
}
void JsonReader::numbers(std::vector<std::uint16_t>& out) {
    flatArray<std::uint16_t>(out);
}

void JsonReader::numbers(std::vector<std::array<std::uint32_t, 3>>& out) {
    flatArray<std::uint32_t>(out);
}
void JsonReader::numbers(std::vector<std::array<std::uint16_t, 4>>& out) {
    flatArray<std::uint16_t>(out);
}

void JsonReader::numbers(std::span<float> out) {
    beginArray();
    for (float& value : out) {
        if (!nextItem()) fail(std::to_string(out.size()) + " numbers expected");
        value = float32();
    }
    if (nextItem()) fail(std::to_string(out.size()) + " numbers expected");
}

std::string compactJson(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString && c == '\\' && i + 1 < text.size()) {
            out += c;
            out += text[++i];
            continue;
        }
        if (c == '"') inString = !inString;
        if (inString || (c != ' ' && c != '\n' && c != '\t' && c != '\r')) out += c;
    }
    return isUtf8(out) ? out : repairUtf8(out);
}

}  // namespace geomconv
