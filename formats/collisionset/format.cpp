#include "formats/collisionset/format.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "formats/collisionset/collisionset.hpp"
#include "lib/bytes/counted.hpp"

namespace geomconv::collisionset {

namespace {

constexpr auto kMaking = verbBits({Verb::Write, Verb::Patch});
constexpr std::array<std::string_view, 1> kExtensions{".bin"};
constexpr std::array<OptionSpec, 4> kOptions{{
    {.name = "weld",
     .value = "",
     .help = "Merge vertices with equal positions (glTF input: on; OBJ, JSON and libraries: off)",
     .verbs = kMaking},
    {.name = "no-weld",
     .value = "",
     .help = "Keep vertices as the mesh has them (OBJ, JSON and libraries)",
     .verbs = kMaking},
    {.name = "force-names",
     .value = "",
     .help = "Write duplicate, empty and over-long names too (refused)",
     .verbs = kMaking},
    {.name = "record",
     .value = "NAME|#N",
     .help = "The record that the only mesh replaces, whatever the mesh is called (its own name)",
     .verbs = verbBits({Verb::Patch})},
}};

Scene readScene(const Input& input, const ReadOptions& options, Defects& defects) {
    return toScene(read(input.bytes, options, defects), input.name, options, defects);
}

void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& outputs, Defects& defects) {
    fromScene(scene, options, outputs.main(), defects);
}

PatchResult patchRow(const Input& base, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                     Defects& defects) {
    return patch(base.bytes, reading, edits, options, defects);
}

void dump(const Input& input, const ReadOptions& options, Sink& out, Defects& defects) {
    toJson(read(input.bytes, options, defects), out);
}

ByteVector undump(const Input& json, Defects&) {
    return write(fromJson(asText(json.bytes)));
}

void check(const Input& input, const ReadOptions& options, Defects& defects) {
    survey(input.bytes, options, defects);
}

nlohmann::ordered_json info(const Input& input, const ReadOptions& options, Defects& defects) {
    return summary(survey(input.bytes, options, defects));
}

/// How many records have each name.
using NameCounts = std::unordered_map<std::string, std::size_t>;

NameCounts namesOf(const Library& library) {
    NameCounts names;
    for (const Record& record : library.records) ++names[printable(record.name())];
    return names;
}

/// Names that occur more than once are listed, and taken, as #N.
std::string memberName(const Record& record, const NameCounts& names) {
    std::string name = printable(record.name());
    return name.empty() || names.at(name) > 1 ? "#" + std::to_string(record.number) : name;
}

std::vector<Member> list(const Input& input, const ReadOptions& options, Defects& defects) {
    const Library library = read(input.bytes, options, defects);
    const NameCounts names = namesOf(library);
    std::vector<Member> members;
    for (const Record& record : library.records) {
        std::string detail = std::string(family(record.name()));
        if (part(record.name()) != "none") detail += ' ' + std::string(part(record.name()));
        detail += ", " + counted(record.nv(), "vertices") + ", " + counted(record.nt(), "triangles");
        if (names.at(printable(record.name())) > 1) detail += ", named " + printable(record.name());
        members.push_back({memberName(record, names), "mesh", record.offset, 8 + record.size(), std::move(detail)});
    }
    return members;
}

/// One record is a library by itself.
ByteVector extract(const Input& input, const ReadOptions& options, std::string_view member, Defects& defects) {
    Library library = read(input.bytes, options, defects);
    const NameCounts names = namesOf(library);
    library.trailingZeros = 0;
    for (Record& record : library.records) {
        if (memberName(record, names) != member && "#" + std::to_string(record.number) != member) continue;
        library.records = {std::move(record)};
        return write(library);
    }
    throw FormatError("no-member", "no record is called " + std::string(member));
}

/// The same of all, read once.
Members members(const Input& input, const ReadOptions& options, Defects& defects) {
    Library library = read(input.bytes, options, defects);
    const NameCounts names = namesOf(library);
    Members out;
    for (const Record& record : library.records) out.names.push_back(memberName(record, names));
    std::vector<Record> records = std::exchange(library.records, {});
    library.trailingZeros = 0;
    out.take = [library = std::move(library), records = std::move(records)](std::size_t i, Defects&) mutable {
        library.records.assign(1, records[i]);
        return std::make_optional(write(library));
    };
    return out;
}

}  // namespace

const Format kFormat{
    .id = "collisionset",
    .title = "Project Sylpheed collision library",
    .extensions = kExtensions,
    .role = Role::Game,
    .options = kOptions,
    .contents = "collision",
    .probe = probe,
    .readScene = readScene,
    .writeScene = writeScene,
    .patch = patchRow,
    .dump = dump,
    .undump = undump,
    .check = check,
    .info = info,
    .list = list,
    .extract = extract,
    .members = members,
};

}  // namespace geomconv::collisionset
