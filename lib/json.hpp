#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lib/files/number_text.hpp"
#include "lib/files/sink.hpp"

namespace geomconv {

/// Lines: structure on lines of its own, for people. Compact: no blanks and no line ends.
enum class JsonLayout : std::uint8_t { Lines, Compact };

/// Streams JSON to a sink: structure on lines of its own (or compact), arrays of numbers on one line, keys in the order
/// written. Nothing is kept but the nesting, so vertex arrays cost no memory. Text that is no valid UTF-8 comes out
/// with U+FFFD. NaN and infinity have no JSON form and are written as null.
class JsonWriter {
public:
    explicit JsonWriter(Sink& out, NumberFormat numbers = {}, JsonLayout layout = JsonLayout::Lines)
        : out_(out), numbers_(numbers), compact_(layout == JsonLayout::Compact) {}

    void beginObject();
    void endObject();
    void beginArray();
    void endArray();
    void key(std::string_view name);

    void text(std::string_view value);
    void number(double value);
    void number(float value);
    void integer(std::int64_t value);
    void unsignedInteger(std::uint64_t value);
    void boolean(bool value);
    void null();
    /// A value that is JSON already.
    void raw(std::string_view json);

    /// A flat array of numbers on one line.
    void numbers(std::span<const float> values);
    void numbers(std::span<const double> values);
    void numbers(std::span<const std::uint32_t> values);
    void numbers(std::span<const std::uint16_t> values);
    void numbers(std::span<const std::uint8_t> values);
    void numbers(std::span<const std::int32_t> values);

    // Key and value in one call.
    void field(std::string_view name, std::string_view value) { key(name), text(value); }
    void field(std::string_view name, const char* value) { key(name), text(value); }
    void field(std::string_view name, bool value) { key(name), boolean(value); }
    void field(std::string_view name, double value) { key(name), number(value); }
    void field(std::string_view name, float value) { key(name), number(value); }
    void field(std::string_view name, std::int32_t value) { key(name), integer(value); }
    void field(std::string_view name, std::int64_t value) { key(name), integer(value); }
    void field(std::string_view name, std::uint32_t value) { key(name), unsignedInteger(value); }
    void field(std::string_view name, std::uint64_t value) { key(name), unsignedInteger(value); }
    void field(std::string_view name, std::uint16_t value) { key(name), unsignedInteger(value); }
    void field(std::string_view name, std::uint8_t value) { key(name), unsignedInteger(value); }
    template <class T>
    void field(std::string_view name, std::span<const T> values) {
        key(name), numbers(values);
    }

    /// An array of objects under a key: write(item) gives the members of each.
    template <class Items, class Write>
    void objects(std::string_view name, const Items& items, Write write) {
        key(name);
        beginArray();
        for (const auto& item : items) {
            beginObject();
            write(item);
            endObject();
        }
        endArray();
    }

    /// Bytes as a text in base64, in pieces.
    void base64(std::string_view name, Bytes bytes);
    /// Bytes as a text of lower-case hexadecimal digits, in pieces.
    void hex(std::string_view name, Bytes bytes);

    /// The head that every JSON of ours begins with: "geomconv": {"version": ..., "schema": ...}.
    void head();

private:
    void before();
    void indent();
    template <class T>
    void array(std::span<const T> values);

    Sink& out_;
    NumberFormat numbers_;
    bool compact_;
    std::vector<bool> hasItems_;  ///< per open object or array
    bool afterKey_ = false;
};

/// A string as a JSON literal, quotes included.
void writeJsonText(Sink& out, std::string_view value);

}  // namespace geomconv
