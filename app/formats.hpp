#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/format.hpp"

namespace geomconv {

/// The rows of all formats as one list, with the questions that the command line asks of it.
class FormatTable {
public:
    /// Rows in the order in which they are probed.
    explicit FormatTable(std::vector<const Format*> rows) : rows_(std::move(rows)) {}

    const std::vector<const Format*>& rows() const { return rows_; }
    /// Null when there is none.
    const Format* byId(std::string_view id) const;
    /// Throws UsageError listing the known ids. option: "--from".
    const Format& named(std::string_view id, std::string_view option) const;

    /// The row that a file name's ending names for reading, or null; a member's name works too.
    const Format* readableByName(std::string_view fileName) const;
    /// The row that a file name's ending names for writing; one that cannot write when there is no other; or null.
    const Format* writableByName(std::string_view fileName) const;
    /// What the content says, what the name says where the content says nothing; null when neither knows.
    const Format* recognise(Bytes bytes, std::string_view fileName) const;

    /// "glb, gltf, json, obj, sur": ids for which the question is true, sorted.
    std::string ids(bool (*wanted)(const Format&)) const;

private:
    std::vector<const Format*> rows_;
};

/// The game formats and the interchange formats of this program.
const FormatTable& allFormats();

/// Whether any reading verb is there.
bool canRead(const Format& format);
/// Whether a scene can be written without a base file.
inline bool canWrite(const Format& format) {
    return format.writeScene != nullptr;
}
inline bool isMesh(const Format& format) {
    return format.role == Role::Interchange && format.id != "json";
}
inline bool isContainer(const Format& format) {
    return format.role == Role::Container;
}
/// Whether the name ends with one of the format's extensions, case aside.
bool hasExtension(const Format& format, std::string_view fileName);
/// Whether verbs has the bit.
inline bool hasVerb(std::uint8_t verbs, Verb verb) {
    return (verbs & static_cast<std::uint8_t>(verb)) != 0;
}
/// ASCII lower case.
std::string lowerCase(std::string_view text);

}  // namespace geomconv
