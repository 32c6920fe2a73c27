#include "exporters/json/head.hpp"

#include <exception>

#include "lib/json_reader.hpp"

namespace geomconv::json {

namespace {

/// The text of one member of an object, the others passed over.
template <class Take>
void lookInto(JsonReader& in, std::string_view member, Take take) {
    if (in.peek() != JsonReader::Kind::Object) {
        in.skip();
        return;
    }
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == member)
            take();
        else
            in.skip();
    }
}

std::string textOrNothing(JsonReader& in) {
    if (in.peek() == JsonReader::Kind::Text) return in.text();
    in.skip();
    return {};
}

}  // namespace

JsonHead readHead(Bytes text) noexcept {
    JsonHead head;
    try {
        JsonReader in(asText(text));
        if (in.peek() != JsonReader::Kind::Object) return head;
        in.beginObject();
        for (std::string key; in.nextKey(key);) {
            if (key == "geomconv")
                lookInto(in, "schema", [&] { head.schema = in.unsignedInteger(); });
            else if (key == "source")
                lookInto(in, "format", [&] { head.sourceFormat = textOrNothing(in); });
            else if (key == "document")
                head.document = textOrNothing(in);
            else
                in.skip();
            if (head.schema && (!head.sourceFormat.empty() || !head.document.empty())) break;
        }
    } catch (const std::exception&) {
        // Cut or broken: what was found until here stands.
    }
    return head;
}

}  // namespace geomconv::json
