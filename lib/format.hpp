#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "lib/defect.hpp"
#include "lib/files/input_file.hpp"
#include "lib/files/output_set.hpp"
#include "lib/files/sink.hpp"
#include "lib/scene/content.hpp"
#include "lib/scene/model_parts.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv {

// ---------------------------------------------------------------------------------------------------- options

/// Which commands a format's own option belongs to.
enum class Verb : std::uint8_t { Read = 1, Write = 2, Patch = 4, Build = 8, Info = 16 };

/// Verbs as the bits of OptionSpec::verbs.
constexpr std::uint8_t verbBits(std::initializer_list<Verb> verbs) {
    unsigned bits = 0;
    for (const Verb verb : verbs) bits |= static_cast<unsigned>(verb);
    return static_cast<std::uint8_t>(bits);
}

/// One option that a format adds to the command line. Help, completions and man page come from these rows.
struct OptionSpec {
    std::string_view name;   ///< without dashes: "winding"
    std::string_view value;  ///< "auto|strip", "N", "FILE"; empty for a flag
    std::string_view help;   ///< one line, as in the table of commands: "Level of detail (0)"
    std::uint8_t verbs = 0;  ///< verbBits
    bool choices = false;    ///< value lists the only allowed words, separated by |
    bool repeatable = false;
    std::int64_t least = 0;  ///< of an N in `value`
    std::int64_t most = UINT32_MAX;
};

/// The options that were given, in order. Names are checked against the specs before a reader sees them.
class OptionValues {
public:
    void set(std::string name, std::string value) { values_.emplace_back(std::move(name), std::move(value)); }
    bool has(std::string_view name) const { return get(name).has_value(); }
    /// The last value given; a flag gives an empty text.
    std::optional<std::string_view> get(std::string_view name) const;
    std::string_view get(std::string_view name, std::string_view otherwise) const {
        return get(name).value_or(otherwise);
    }
    std::vector<std::string_view> all(std::string_view name) const;
    const std::vector<std::pair<std::string, std::string>>& list() const { return values_; }

private:
    std::vector<std::pair<std::string, std::string>> values_;
};

/// Gives the bytes of a file that belongs to an input (MiscBin.p00 of MiscBin.pak, ship.mtl of ship.obj), by file name
/// relative to the input's folder; null when there is none. Never leaves that folder, never throws for a missing file.
using Companions = std::function<std::shared_ptr<const InputFile>(std::string_view fileName)>;

/// What a reading verb gets. Readers open nothing.
struct Input {
    std::string_view name;  ///< for messages and names derived from it: "ship.sur", "DATA.BIN::xasc00"
    Bytes bytes;
    Companions companions;                  ///< may be empty
    std::shared_ptr<const InputFile> file;  ///< what holds the bytes where they come from a file, for `release`
};

enum class ByteOrderChoice : std::uint8_t { Auto, Big, Little };

struct ReadOptions {
    ByteOrderChoice byteOrder = ByteOrderChoice::Auto;
    bool recover = false;                              ///< read what can be read of a damaged file, each loss a warning
    std::uint64_t maxMemory = std::uint64_t{1} << 30;  ///< what compressed input may unpack to
    std::optional<ContentSet> content;                 ///< absent: the format's default
    std::shared_ptr<const ModelParts> model;           ///< the sibling model of a collision library, or null
    std::vector<std::string> names;                    ///< known names, whose hashes name ids (--names)
    bool forMesh = false;   ///< the target is a mesh format (obj, gltf, glb): duplicates are dropped
    bool wayBack = false;   ///< the target is JSON: extras carry all that the game file needs
    bool finite = false;    ///< the target holds no NaN and no infinity: mesh formats and JSON
    bool topology = false;  ///< validate/info: manifold statistics too
    OptionValues format;    ///< the format's own options
};

enum class HullNames : std::uint8_t { Plain, Godot, Unreal };
enum class UpChoice : std::uint8_t { Default, Native, Y, Z };
enum class ByteOrderOut : std::uint8_t { Keep, Big, Little };

struct WriteOptions {
    double scale = 1.0;
    UpChoice up = UpChoice::Default;  ///< Default: y for glTF, native for OBJ and JSON
    std::optional<int> precision;     ///< decimals in text output; absent: shortest that reads back
    bool textures = true;             ///< images beside an OBJ/glTF, embedded in a GLB
    HullNames hullNames = HullNames::Plain;
    ByteOrderOut byteOrder = ByteOrderOut::Keep;
    OptionValues format;
};

// ---------------------------------------------------------------------------------------------------- results

enum class Confidence : std::uint8_t { No, Maybe, Likely, Certain };

/// One row of `list`: a member of a container, or a named mesh, model, part, chunk.
struct Member {
    std::string name;  ///< what FILE::MEMBER and `extract` take
    std::string kind;  ///< "file", "part", "hull", "mesh", "chunk"
    std::optional<std::uint64_t> offset;
    std::optional<std::uint64_t> size;
    std::string detail;  ///< "12 hulls, 340 faces"
};

/// The members of a container that was opened once: its index is read a single time, however many are taken.
struct Members {
    std::vector<std::string> names;  ///< what FILE::MEMBER and `extract` take, in the order of `list`
    /// The raw bytes of names[i], which borrow nothing; nullopt where there turns out to be no member. Throws and warns
    /// as `extract` does. Not for several threads at once.
    std::function<std::optional<ByteVector>(std::size_t i, Defects&)> take;
};

/// What `import` asks of a format that can patch.
struct PatchOptions {
    bool add = false;                 ///< meshes without a partner are added
    std::vector<std::string> remove;  ///< globs of records to remove
    ByteOrderOut byteOrder = ByteOrderOut::Keep;
    /// Further inputs by option name ("coll-obj"), in the order given: options whose value is FILE or ends with =FILE.
    std::vector<std::pair<std::string, std::shared_ptr<const InputFile>>> files = {};
    /// Those of `files` that hold a scene (an OBJ, a GLB), read.
    std::vector<std::pair<std::string, std::shared_ptr<const Scene>>> scenes = {};
    OptionValues format;
};

/// One line of what `import` changed.
struct Change {
    enum class Kind : std::uint8_t { Replaced, Added, Removed, Kept } kind = Kind::Replaced;
    std::string name;
    std::string detail;  ///< "24 -> 30 vertices, 12 -> 20 triangles"
};

struct PatchResult {
    ByteVector bytes;
    std::vector<Change> changes;
    Extras report;  ///< the format's own figures, or empty
};

// ---------------------------------------------------------------------------------------------------- the row

enum class Role : std::uint8_t { Game, Interchange, Container };

/// A format, type-erased at the bytes. A null member means "cannot": `geomconv formats`, help and tests read the rows.
/// Readers throw FormatError for what they cannot go past and put the rest into the list of defects.
struct Format {
    std::string_view id;
    std::string_view title;
    std::span<const std::string_view> extensions;  ///< with dot, lower case: ".sur"; the first is the one for output
    Role role = Role::Game;
    std::span<const OptionSpec> options = {};
    std::string_view contents = "";  ///< default of --content for the help, and what else there is

    /// How sure the first bytes make us (name: for tie-breaks only). Looks at a few KB; never throws.
    Confidence (*probe)(Bytes bytes, std::string_view name) noexcept = nullptr;
    Scene (*readScene)(const Input&, const ReadOptions&, Defects&) = nullptr;
    /// Throws GeometryError for what the format cannot hold, SystemError from the sinks; does not commit.
    void (*writeScene)(const Scene&, const WriteOptions&, OutputSet&, Defects&) = nullptr;
    /// base with the edits in; everything else byte-identical. With nothing to do it returns the same bytes.
    PatchResult (*patch)(const Input& base, const ReadOptions&, const Scene& edits, const PatchOptions&,
                         Defects&) = nullptr;
    /// The native document as JSON: {"geomconv": head, "document": id, ...}.
    void (*dump)(const Input&, const ReadOptions&, Sink&, Defects&) = nullptr;
    /// The game file from a dump.
    ByteVector (*undump)(const Input& json, Defects&) = nullptr;
    /// Every rule of FORMAT.md that the file breaks, as defects. A file that cannot be read gets its error in the list
    /// too.
    void (*check)(const Input&, const ReadOptions&, Defects&) = nullptr;
    /// A summary for `info`: an object; the person's text is made from it (app/report).
    nlohmann::ordered_json (*info)(const Input&, const ReadOptions&, Defects&) = nullptr;
    std::vector<Member> (*list)(const Input&, const ReadOptions&, Defects&) = nullptr;
    /// The raw bytes of one member of `list`. Containers: the unpacked file. A transparent container holds one file and
    /// gives it for any name.
    ByteVector (*extract)(const Input&, const ReadOptions&, std::string_view member, Defects&) = nullptr;
    /// Containers that may have many members: all of them, for those who take more than one. Borrows from the input.
    /// Null: `list` and `extract` serve.
    Members (*members)(const Input&, const ReadOptions&, Defects&) = nullptr;
    /// Containers only: the member that a conversion takes when none is named. Throws FormatError when there is none or
    /// several could be meant. Null: the only member that can be read, or several that are identical.
    std::string (*defaultMember)(const Input&, const ReadOptions&, Defects&) = nullptr;
    /// Containers only: the container with one member's bytes replaced, written to the output (several part files).
    void (*replaceMember)(const Input&, const ReadOptions&, std::string_view member, Bytes content, const PatchOptions&,
                          OutputSet&, Defects&) = nullptr;
    /// The name of the file that a file of this name is a piece of and is read with (MiscBin.pak for MiscBin.p00),
    /// looked for beside it; nullopt for a file that stands alone. `batch` passes over a piece whose whole is there.
    std::optional<std::string> (*wholeOf)(std::string_view fileName) = nullptr;
    /// Models only: the parts that a collision library beside it is named by.
    ModelParts (*modelParts)(const Input&, const ReadOptions&, Defects&) = nullptr;
    /// Containers that wrap exactly one file (gzip, z1): readers look through them without being asked.
    bool transparent = false;
    /// Collision libraries whose parts a model beside them names and places (ReadOptions::model).
    bool usesModel = false;
};

}  // namespace geomconv
