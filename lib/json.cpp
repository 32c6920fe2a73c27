#include "lib/json.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstring>

#include "lib/bytes/base64.hpp"
#include "lib/bytes/text.hpp"
#include "lib/version.hpp"

namespace geomconv {

namespace {
constexpr char kHex[] = "0123456789abcdef";
}  // namespace

void writeJsonText(Sink& out, std::string_view value) {
    std::string repaired;
    if (!isUtf8(value)) {
        repaired = repairUtf8(value);
        value = repaired;
    }
    out.put('"');
    std::size_t start = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const auto c = static_cast<unsigned char>(value[i]);
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) continue;
        out.text(value.substr(start, i - start));
        start = i + 1;
        switch (c) {
            case '"':
                out.text("\\\"");
                break;
            case '\\':
                out.text("\\\\");
                break;
            case '\n':
                out.text("\\n");
                break;
            case '\r':
                out.text("\\r");
                break;
            case '\t':
                out.text("\\t");
                break;
            default: {
                const char escape[6] = {'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]};
                out.write(escape, sizeof escape);
            }
        }
    }
    out.text(value.substr(start));
    out.put('"');
}

void JsonWriter::indent() {
    if (compact_) return;
    out_.put('\n');
    for (std::size_t i = 0; i < hasItems_.size(); ++i) out_.text("  ");
}

void JsonWriter::before() {
    if (afterKey_) {
        afterKey_ = false;
        return;
    }
    if (hasItems_.empty()) return;
    if (hasItems_.back()) out_.put(',');
    hasItems_.back() = true;
    indent();
}

void JsonWriter::beginObject() {
    before();
    out_.put('{');
    hasItems_.push_back(false);
}

void JsonWriter::endObject() {
    const bool items = hasItems_.back();
    hasItems_.pop_back();
    if (items) indent();
    out_.put('}');
    if (hasItems_.empty() && !compact_) out_.put('\n');
}

void JsonWriter::beginArray() {
    before();
    out_.put('[');
    hasItems_.push_back(false);
}

void JsonWriter::endArray() {
    const bool items = hasItems_.back();
    hasItems_.pop_back();
    if (items) indent();
    out_.put(']');
    if (hasItems_.empty() && !compact_) out_.put('\n');
}

void JsonWriter::key(std::string_view name) {
    before();
    writeJsonText(out_, name);
    out_.text(compact_ ? ":" : ": ");
    afterKey_ = true;
}

void JsonWriter::text(std::string_view value) {
    before();
    writeJsonText(out_, value);
}

namespace {

char* wordText(char* to, std::string_view word) {
    return static_cast<char*>(std::memcpy(to, word.data(), word.size())) + word.size();
}

// "-0" is an integer to many JSON readers, which then lose the sign.
char* jsonText(char* to, float value, NumberFormat format) {
    if (value == 0.0F && std::signbit(value) && !format.precision) return wordText(to, "-0.0");
    return std::isfinite(value) ? floatText(to, value, format) : wordText(to, "null");
}

char* jsonText(char* to, double value, NumberFormat) {
    if (value == 0.0 && std::signbit(value)) return wordText(to, "-0.0");
    return std::isfinite(value) ? doubleText(to, value) : wordText(to, "null");
}

template <std::integral T>
char* jsonText(char* to, T value, NumberFormat) {
    if constexpr (std::is_unsigned_v<T>) return uintText(to, value);
    return std::to_chars(to, to + kNumberRoom, value).ptr;
}

}  // namespace

void JsonWriter::number(double value) {
    before();
    out_.advance(jsonText(out_.reserve(kNumberRoom), value, numbers_));
}

void JsonWriter::number(float value) {
    before();
    out_.advance(jsonText(out_.reserve(kNumberRoom), value, numbers_));
}

void JsonWriter::integer(std::int64_t value) {
    before();
    writeInt(out_, value);
}

void JsonWriter::unsignedInteger(std::uint64_t value) {
    before();
    char* to = out_.reserve(kNumberRoom);
    out_.advance(std::to_chars(to, to + kNumberRoom, value).ptr);
}

void JsonWriter::boolean(bool value) {
    before();
    out_.text(value ? "true" : "false");
}

void JsonWriter::null() {
    before();
    out_.text("null");
}

void JsonWriter::raw(std::string_view json) {
    before();
    out_.text(json);
}

template <class T>
void JsonWriter::array(std::span<const T> values) {
    constexpr std::size_t kPiece = 256;  // numbers for which room is taken at once
    before();
    out_.put('[');
    for (std::size_t at = 0; at < values.size(); at += kPiece) {
        char* to = out_.reserve(kPiece * (kNumberRoom + 1));
        for (const T value : values.subspan(at, std::min(kPiece, values.size() - at))) {
            to = jsonText(to, value, numbers_);
            *to++ = ',';
        }
        const bool last = values.size() - at <= kPiece;
        out_.advance(last ? to - 1 : to);
    }
    out_.put(']');
}

void JsonWriter::numbers(std::span<const float> values) {
    array(values);
}
void JsonWriter::numbers(std::span<const double> values) {
    array(values);
}
void JsonWriter::numbers(std::span<const std::uint32_t> values) {
    array(values);
}
void JsonWriter::numbers(std::span<const std::uint16_t> values) {
    array(values);
}
void JsonWriter::numbers(std::span<const std::uint8_t> values) {
    array(values);
}
void JsonWriter::numbers(std::span<const std::int32_t> values) {
    array(values);
}

void JsonWriter::base64(std::string_view name, Bytes bytes) {
    constexpr std::size_t kPiece = std::size_t{3} * 4096;
    key(name);
    before();
    out_.put('"');
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        const Bytes piece = bytes.subspan(at, std::min(kPiece, bytes.size() - at));
        out_.advance(writeBase64(out_.reserve(static_cast<std::size_t>(base64Length(piece.size()))), piece));
    }
    out_.put('"');
}

void JsonWriter::hex(std::string_view name, Bytes bytes) {
    constexpr std::size_t kPiece = 4096;
    key(name);
    before();
    out_.put('"');
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        const Bytes piece = bytes.subspan(at, std::min(kPiece, bytes.size() - at));
        char* to = out_.reserve(2 * piece.size());
        for (const std::uint8_t byte : piece) {
            *to++ = kHex[byte >> 4];
            *to++ = kHex[byte & 15];
        }
        out_.advance(to);
    }
    out_.put('"');
}

void JsonWriter::head() {
    key("geomconv");
    beginObject();
    field("version", kVersion);
    field("schema", kSchema);
    endObject();
}

}  // namespace geomconv
