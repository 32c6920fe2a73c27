#include "app/render.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lib/bytes/text.hpp"

namespace geomconv {

using Json = nlohmann::ordered_json;

namespace {

bool isUpper(char c) {
    return c >= 'A' && c <= 'Z';
}

std::string numberText(double value) {
    if (!std::isfinite(value)) return "not finite";
    std::array<char, 64> room{};
    const auto shortest = std::to_chars(room.data(), room.data() + room.size(), value).ptr;
    if (shortest - room.data() <= 9) return {room.data(), shortest};
    const auto six = std::to_chars(room.data(), room.data() + room.size(), value, std::chars_format::general, 6).ptr;
    return {room.data(), six};
}

bool isScalar(const Json& value) {
    return !value.is_object() && !value.is_array();
}

/// A scalar, or an array of scalars on one line.
std::string cellText(const Json& value) {
    if (value.is_null()) return "-";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return printable(value.get_ref<const std::string&>());
    if (value.is_number_float()) return numberText(value.get<double>());
    if (value.is_number()) return value.dump();
    std::string out;
    if (value.is_object()) {
        for (const auto& [key, item] : value.items()) {
            out += (out.empty() ? "" : ", ") + printable(wordsFromKey(key)) + ' ' + cellText(item);
        }
        return out;
    }
    for (const Json& item : value) out += (out.empty() ? "" : value.front().is_number() ? " " : ", ") + cellText(item);
    return out.empty() ? "none" : out;
}

bool allScalars(const Json& array) {
    return std::all_of(array.begin(), array.end(), isScalar);
}

bool isTable(const Json& value) {
    return value.is_array() && !value.empty() &&
           std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_object(); });
}

constexpr std::size_t kMaxLine = 140;

void renderObject(const Json& object, std::size_t indent, std::string& out);

bool hasBlockOfItsOwn(const Json& value) {
    return isTable(value) || (value.is_object() && !value.empty());
}

struct Column {
    std::string key;
    std::vector<std::string> cells;  ///< the head first
    bool number = true;
    bool saysNothing = true;  ///< zero, no, absent in every row
};

std::vector<Column> columnsOf(const Json& array) {
    std::vector<Column> columns;
    for (const Json& item : array) {
        for (const auto& [key, value] : item.items()) {
            const bool known =
                std::any_of(columns.begin(), columns.end(), [&](const Column& c) { return c.key == key; });
            if (!known && !hasBlockOfItsOwn(value)) columns.push_back({key, {printable(wordsFromKey(key))}});
        }
    }
    for (Column& column : columns) {
        for (const Json& item : array) {
            const auto found = item.find(column.key);
            const bool empty = found == item.end() || found->is_null() || hasBlockOfItsOwn(*found);
            column.cells.push_back(empty ? "" : cellText(*found));
            if (empty) continue;
            column.number = column.number && found->is_number();
            const bool nothing = column.cells.back() == "0" || *found == false || (found->is_array() && found->empty());
            column.saysNothing = column.saysNothing && nothing;
        }
    }
    return columns;
}

std::size_t widthOf(const Column& column) {
    std::size_t width = 0;
    for (const std::string& cell : column.cells) width = std::max(width, displayWidth(cell));
    return width;
}

std::string tableText(const std::vector<const Column*>& columns, std::size_t indent) {
    std::vector<std::vector<std::string>> rows(columns.front()->cells.size());
    std::vector<bool> right;
    for (const Column* column : columns) {
        right.push_back(column->number);
        for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back(column->cells[r]);
    }
    return renderTable(rows, right, indent);
}

/// Arrays of objects: scalar members are columns. Columns that say nothing in any row are only named; a table that is
/// too wide goes on below, its names repeated. Members that are tables or objects follow, under the row's name.
void renderTableOf(const Json& array, std::size_t indent, std::string& out) {
    const std::vector<Column> columns = columnsOf(array);
    const Column* label = nullptr;
    for (const Column& column : columns) {
        if (label == nullptr || (column.key == "name" && label->key != "name")) label = &column;
    }
    std::string silent;
    std::vector<const Column*> block;
    std::size_t width = indent;
    const auto flush = [&] {
        if (!block.empty()) out += tableText(block, indent);
        block.clear();
        width = indent;
    };
    for (const Column& column : columns) {
        if (column.saysNothing && array.size() > 1 && &column != label) {
            silent += (silent.empty() ? "" : ", ") + column.cells.front();
            continue;
        }
        if (!block.empty() && width + widthOf(column) > kMaxLine) {
            flush();
            if (label != &column) {
                block.push_back(label);
                width += widthOf(*label) + 2;
            }
        }
        block.push_back(&column);
        width += widthOf(column) + 2;
    }
    flush();
    if (!silent.empty()) out += std::string(indent, ' ') + "none of them: " + silent + '\n';
    for (std::size_t i = 0; i < array.size(); ++i) {
        for (const auto& [key, value] : array[i].items()) {
            if (!hasBlockOfItsOwn(value)) continue;
            const std::string name = label != nullptr ? label->cells[i + 1] : std::to_string(i);
            out += std::string(indent, ' ') + printable(wordsFromKey(key)) + " of " + name + ":\n";
            if (value.is_object())
                renderObject(value, indent + 2, out);
            else
                renderTableOf(value, indent + 2, out);
        }
    }
}

void renderObject(const Json& object, std::size_t indent, std::string& out) {
    std::size_t widest = 0;
    for (const auto& [key, value] : object.items()) {
        const bool line = isScalar(value) || (value.is_array() && allScalars(value));
        if (line) widest = std::max(widest, displayWidth(printable(wordsFromKey(key))));
    }
    const std::string margin(indent, ' ');
    for (const auto& [key, value] : object.items()) {
        const std::string words = printable(wordsFromKey(key));
        if (isTable(value)) {
            out += margin + words + ":\n";
            renderTableOf(value, indent + 2, out);
            continue;
        }
        if (value.is_object()) {
            const std::string line = cellText(value);
            const bool flat = std::all_of(value.begin(), value.end(), isScalar);
            if (flat && !value.empty() && margin.size() + words.size() + 2 + line.size() <= kMaxLine) {
                out += margin + words + ": " + line + '\n';
                continue;
            }
            out += margin + words + (value.empty() ? ": none\n" : ":\n");
            renderObject(value, indent + 2, out);
            continue;
        }
        const std::size_t pad = widest > displayWidth(words) ? widest - displayWidth(words) : 0;
        out += margin + words + ": " + std::string(pad, ' ') + cellText(value) + '\n';
    }
}

}  // namespace

std::size_t displayWidth(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wordsFromKey(std::string_view key) {
    std::string out;
    for (std::size_t i = 0; i < key.size(); ++i) {
        const char c = key[i];
        const bool afterLower = i > 0 && !isUpper(key[i - 1]) && key[i - 1] != ' ';
        const bool beforeLower = i + 1 < key.size() && key[i + 1] >= 'a' && key[i + 1] <= 'z';
        if (!isUpper(c) || i == 0) {
            out += c;
        } else if (beforeLower || !afterLower) {
            if (afterLower || beforeLower) out += ' ';
            out += beforeLower ? static_cast<char>(c - 'A' + 'a') : c;
        } else {
            out += ' ';
            out += i + 1 == key.size() ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return out;
}

std::string renderTable(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right,
                        std::size_t indent) {
    std::vector<std::size_t> widths(right.size(), 0);
    for (const auto& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], displayWidth(row[c]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line(indent, ' ');
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string pad(widths[c] - displayWidth(row[c]), ' ');
            if (c > 0) line += "  ";
            line += right[c] ? pad + row[c] : row[c] + pad;
        }
        while (!line.empty() && line.back() == ' ') line.pop_back();
        out += line + '\n';
    }
    return out;
}

std::string renderInfo(const Extras& info) {
    std::string out;
    const Json value = info.value();
    if (value.is_object()) renderObject(value, 2, out);
    return out;
}

}  // namespace geomconv
