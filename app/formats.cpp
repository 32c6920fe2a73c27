#include "app/formats.hpp"

#include <algorithm>

#include "app/usage_error.hpp"
#include "exporters/registry.hpp"
#include "formats/registry.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv {

const FormatTable& allFormats() {
    static const FormatTable table = [] {
        std::vector<const Format*> rows;
        for (const Format* row : gameFormats()) rows.push_back(row);
        for (const Format* row : interchangeFormats()) rows.push_back(row);
        return FormatTable(std::move(rows));
    }();
    return table;
}

bool canRead(const Format& format) {
    return format.readScene != nullptr || format.list != nullptr || format.extract != nullptr ||
           format.info != nullptr || format.check != nullptr || format.dump != nullptr || format.modelParts != nullptr;
}

std::string lowerCase(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

bool hasExtension(const Format& format, std::string_view fileName) {
    const std::string name = lowerCase(fileName);
    return std::any_of(format.extensions.begin(), format.extensions.end(),
                       [&](std::string_view e) { return name.size() > e.size() && name.ends_with(e); });
}

const Format* FormatTable::byId(std::string_view id) const {
    for (const Format* row : rows_) {
        if (row->id == id) return row;
    }
    return nullptr;
}

const Format& FormatTable::named(std::string_view id, std::string_view option) const {
    if (const Format* row = byId(id)) return *row;
    throw UsageError(std::string(option) + ": '" + printable(id) + "' is no format; known are " +
                     ids([](const Format&) { return true; }));
}

const Format* FormatTable::readableByName(std::string_view fileName) const {
    const Format* only = nullptr;
    for (const Format* row : rows_) {
        if (!canRead(*row) || !hasExtension(*row, fileName)) continue;
        if (only != nullptr) return nullptr;  // ".bin" alone says nothing
        only = row;
    }
    return only;
}

const Format* FormatTable::writableByName(std::string_view fileName) const {
    const Format* known = nullptr;
    for (const Format* row : rows_) {
        if (!hasExtension(*row, fileName)) continue;
        if (canWrite(*row)) return row;
        if (known == nullptr) known = row;
    }
    return known;
}

const Format* FormatTable::recognise(Bytes bytes, std::string_view fileName) const {
    const Format* best = nullptr;
    Confidence sure = Confidence::No;
    for (const Format* row : rows_) {
        if (row->probe == nullptr || !canRead(*row)) continue;
        const Confidence confidence = row->probe(bytes, fileName);
        const bool nameDecides =
            confidence == sure && best != nullptr && !hasExtension(*best, fileName) && hasExtension(*row, fileName);
        if (confidence > sure || (confidence != Confidence::No && nameDecides)) {
            best = row;
            sure = confidence;
        }
    }
    return best != nullptr ? best : readableByName(fileName);
}

std::string FormatTable::ids(bool (*wanted)(const Format&)) const {
    std::vector<std::string_view> found;
    for (const Format* row : rows_) {
        if (wanted(*row)) found.push_back(row->id);
    }
    std::sort(found.begin(), found.end());
    std::string out;
    for (const std::string_view id : found) out += (out.empty() ? "" : ", ") + std::string(id);
    return out;
}

}  // namespace geomconv
