#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace geomconv {

/// An opaque JSON value for the way back into a game format, kept as compact JSON text: writers splice it in, readers
/// cut it out, and only the format that made it looks inside. Empty means absent.
class Extras {
public:
    Extras() = default;
    explicit Extras(const nlohmann::ordered_json& value);
    /// Text that is known to be one JSON value.
    static Extras fromText(std::string text);

    bool empty() const noexcept { return text_.empty(); }
    const std::string& text() const noexcept { return text_; }
    /// The parsed value; null when empty. Never throws for text that came from the constructors above.
    nlohmann::ordered_json value() const;

    bool operator==(const Extras&) const = default;

private:
    std::string text_;
};

}  // namespace geomconv
