#include "lib/json.hpp"

#include <algorithm>
#include <cmath>

#include "lib/bytes/base64.hpp"
#include "lib/bytes/text.hpp"
#include "lib/version.hpp"

namespace geomconv {

void writeJsonText(Sink& out, std::string_view value) {
    static constexpr char kHex[] = "0123456789abcdef";
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

// "-0" is an integer to many JSON readers, which then lose the sign.
void putFloat(Sink& out, float value, NumberFormat format) {
    if (value == 0.0F && std::signbit(value) && !format.precision)
        out.text("-0.0");
    else if (std::isfinite(value))
        writeFloat(out, value, format);
    else
        out.text("null");
}

void putDouble(Sink& out, double value) {
    if (value == 0.0 && std::signbit(value))
        out.text("-0.0");
    else if (std::isfinite(value))
        out.advance(doubleText(out.reserve(kNumberRoom), value));
    else
        out.text("null");
}

}  // namespace

void JsonWriter::number(double value) {
    before();
    putDouble(out_, value);
}

void JsonWriter::number(float value) {
    before();
    putFloat(out_, value, numbers_);
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

template <class T, class Write>
void JsonWriter::array(std::span<const T> values, Write write) {
    before();
    out_.put('[');
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out_.put(',');
        write(values[i]);
    }
    out_.put(']');
}

void JsonWriter::numbers(std::span<const float> values) {
    array(values, [this](float v) { putFloat(out_, v, numbers_); });
}
void JsonWriter::numbers(std::span<const double> values) {
    array(values, [this](double v) { putDouble(out_, v); });
}
void JsonWriter::numbers(std::span<const std::uint32_t> values) {
    array(values, [this](std::uint32_t v) { writeInt(out_, v); });
}
void JsonWriter::numbers(std::span<const std::uint16_t> values) {
    array(values, [this](std::uint16_t v) { writeInt(out_, v); });
}
void JsonWriter::numbers(std::span<const std::uint8_t> values) {
    array(values, [this](std::uint8_t v) { writeInt(out_, v); });
}
void JsonWriter::numbers(std::span<const std::int32_t> values) {
    array(values, [this](std::int32_t v) { writeInt(out_, v); });
}

void JsonWriter::base64(std::string_view name, Bytes bytes) {
    constexpr std::size_t kPiece = 3 * 4096;
    key(name);
    before();
    out_.put('"');
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        const Bytes piece = bytes.subspan(at, std::min(kPiece, bytes.size() - at));
        out_.advance(writeBase64(out_.reserve(static_cast<std::size_t>(base64Length(piece.size()))), piece));
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
