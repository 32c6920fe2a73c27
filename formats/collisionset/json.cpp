#include "lib/json.hpp"

#include <span>

#include "formats/collisionset/collisionset.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/bytes/words.hpp"
#include "lib/json_reader.hpp"

namespace geomconv::collisionset {

namespace {

std::span<const float> floatsOf(const std::vector<Vec3>& vertex) {
    static_assert(sizeof(Vec3) == 3 * sizeof(float));
    if (vertex.empty()) return {};
    return {&vertex.front().x, 3 * vertex.size()};
}

// ---- record

void writeRecordJson(JsonWriter& out, const Record& record) {
    const std::string shown = printable(record.name());
    const std::span<const float> vertex = floatsOf(record.vertex);
    out.field("size", record.size());
    out.field("nameLen", static_cast<std::uint64_t>(record.nameField.size()));
    out.field("name", shown);
    if (record.nameField != makeNameField(shown)) out.base64("nameField", asBytes(record.nameField));
    out.field("nv", record.nv());
    out.field("nt", record.nt());
    if (allFinite(vertex)) {
        out.field("vertex", vertex);
    } else {
        // NaN and its payload have no JSON number.
        out.base64("vertexBytes", {reinterpret_cast<const std::uint8_t*>(vertex.data()), vertex.size_bytes()});
    }
    out.field("index", std::span<const std::uint32_t>(record.index));
}

Record readRecordJson(JsonReader& in) {
    Record record;
    bool named = false;
    std::string name;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "name") {
            name = in.text();
        } else if (key == "nameField") {
            record.nameField = std::string(asText(in.base64(key)));
            named = true;
        } else if (key == "vertex") {
            in.numbers(record.vertex);
        } else if (key == "vertexBytes") {
            const ByteVector bytes = in.base64(key);
            if (bytes.size() % sizeof(Vec3) != 0) in.fail("vertexBytes is cut off inside a vertex");
            record.vertex.resize(bytes.size() / sizeof(Vec3));
            copyWords32(record.vertex.data(), bytes, ByteOrder::Little);
        } else if (key == "index") {
            in.numbers(record.index);
        } else {
            in.skip();
        }
    }
    // The raw field holds while the name that is shown has not been edited.
    if (!named || printable(record.name()) != name) {
        if (name.find('\0') != std::string::npos || name.size() >= kNameFieldLimit) in.fail("no legal name");
        record.nameField = makeNameField(name);
    }
    if (record.nameField.size() > kNameFieldLimit) in.fail("nameField is longer than 4096 bytes");
    if (record.index.size() % 3 != 0) in.fail("the number of indices is no multiple of 3");
    if (record.size() > UINT32_MAX) in.fail("the record is larger than its size word can say");
    return record;
}

}  // namespace

// ---- library

void toJson(const Library& library, Sink& sink) {
    JsonWriter out(sink);
    out.beginObject();
    out.head();
    out.field("document", "collisionset");
    out.field("byteOrder", library.byteOrder == ByteOrder::Big ? "be" : "le");
    out.field("trailingZeros", library.trailingZeros);
    out.objects("records", library.records, [&](const Record& record) { writeRecordJson(out, record); });
    out.endObject();
}

Library fromJson(std::string_view text) {
    JsonReader in(text);
    Library library;
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (key == "document") {
            if (in.text() != "collisionset") in.fail("the dump of another format");
        } else if (key == "byteOrder") {
            const std::string order = in.text();
            if (order != "be" && order != "le") in.fail("byteOrder is be or le");
            library.byteOrder = order == "le" ? ByteOrder::Little : ByteOrder::Big;
        } else if (key == "trailingZeros") {
            library.trailingZeros = in.unsignedInteger();
            if (library.trailingZeros > kPaddingLimit)
                in.fail("trailingZeros is over " + std::to_string(kPaddingLimit));
        } else if (key == "records") {
            in.beginArray();
            while (in.nextItem()) library.records.push_back(readRecordJson(in));
        } else {
            in.skip();
        }
    }
    in.expectEnd();
    std::uint64_t at = 0;
    for (Record& record : library.records) {
        record.offset = at;
        record.number = static_cast<std::uint32_t>(&record - library.records.data());
        at += 8 + record.size();
        for (const std::uint32_t i : record.index) {
            if (i >= record.nv()) {
                throw FormatError("index-range",
                                  "index " + std::to_string(i) + " of " + counted(record.nv(), "vertices"),
                                  {place(record.number, record.name())});
            }
        }
    }
    return library;
}

}  // namespace geomconv::collisionset
