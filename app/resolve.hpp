#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/arguments.hpp"
#include "app/formats.hpp"
#include "lib/format.hpp"

namespace geomconv {

/// How inputs are read: the options of every reading command.
struct ReadSettings {
    const Format* from = nullptr;  ///< --from: of the input itself, behind FILE::MEMBER of the member
    ReadOptions read;
    bool strict = false;         ///< warnings become errors
    std::string model = "auto";  ///< auto, none, or a file
    /// Files that options name (--names, --model): inputs too, which no output may replace.
    std::vector<std::filesystem::path> optionFiles = {};
};

/// Understands the options of every reading command. Throws UsageError, and SystemError when --names cannot be read.
ReadSettings readSettings(const Arguments& arguments, const FormatTable& formats);

/// A container that was opened on the way to an input, outermost first.
struct Layer {
    std::string name;
    std::shared_ptr<const InputFile> file;
    const Format* format = nullptr;
    Companions companions;
    std::string member;  ///< the member that was taken
};

/// An input as typed, found on disk, unpacked and recognised.
struct Opened {
    std::string name;            ///< for messages: as typed, "DATA.BIN::xasc00" for a member
    std::string fileName;        ///< without folder: "ship.sur", "xasc00"
    std::filesystem::path path;  ///< the file on disk; empty for standard input
    std::shared_ptr<const InputFile> file;
    const Format* format = nullptr;  ///< null when nothing knows the bytes
    Companions companions;
    std::shared_ptr<std::vector<std::filesystem::path>> companionsRead;  ///< what `companions` gave so far
    std::vector<Layer> layers;
    Defects found;  ///< what the containers on the way had to say

    Input input() const { return {.name = fileName, .bytes = file->bytes(), .companions = companions, .file = file}; }
};

/// How transparent containers are taken.
enum class Wrapping : std::uint8_t {
    Unwrap,  ///< look through them
    Keep,    ///< stop at the outermost one
};

/// Where a typed input lies: the file, and the members inside it.
struct Location {
    std::string file;  ///< as typed; "-" for standard input
    std::vector<std::string> members;
};

/// Splits FILE::MEMBER and the game's PACK+NAME. A path that exists as it stands wins. Looks at names on disk only.
Location locate(const std::string& typed);

/// Finds, unpacks and recognises one input. Throws SystemError (no such file), FormatError (a container on the way, a
/// member that is not there), UsageError (FILE::MEMBER where FILE is no container).
/// The format may come back as null; `require` turns that into a FormatError.
Opened open(const std::string& typed, const ReadSettings& settings, const FormatTable& formats,
            Wrapping wrapping = Wrapping::Unwrap);
/// The same for one member of an open container, whose format its content tells whatever --from says.
Opened openMember(const Opened& container, const std::string& member, const ReadSettings& settings,
                  const FormatTable& formats);

/// All members of a container, which is opened once for them and must outlive what comes back. Throws FormatError.
Members membersOf(const Opened& container, const ReadSettings& settings, Defects& found);
/// The i-th of them as an input; nullopt where there turns out to be none. Throws as openMember by name.
std::optional<Opened> openMember(const Opened& container, const Members& members, std::size_t i,
                                 const ReadSettings& settings, const FormatTable& formats);

/// The recognised format. Throws FormatError: empty-file, not-recognised.
const Format& require(const Opened& opened, const FormatTable& formats);

/// Whether the bytes can be found only by a model beside them, and that model's parts: --model FILE|auto|none. Null
/// when there is none. `used`: the file's name. Throws what the model's reader throws.
std::shared_ptr<const ModelParts> findModel(const Opened& opened, const ReadSettings& settings,
                                            const FormatTable& formats, Defects& found, std::string* used = nullptr);

/// Everything that is read for this input by name: the file itself and the files of options.
std::vector<std::filesystem::path> inputFiles(const Opened& opened, const ReadSettings& settings);

/// The options for reading this input: settings.read with its model in.
ReadOptions readOptionsFor(const Opened& opened, const ReadSettings& settings, const FormatTable& formats,
                           Defects& found);

/// Files of one folder by name, for readers. Names with a root, `..` or a link that leads out of the folder give null;
/// a name that differs in case only is found. read: grows by the path of each file that was given.
Companions companionsIn(const std::filesystem::path& folder,
                        std::shared_ptr<std::vector<std::filesystem::path>> read = nullptr);

/// Throws UsageError when one of the formats' own options was given that none of these formats knows for these verbs.
void checkFormatOptions(const OptionValues& given, const std::vector<const Format*>& used, std::uint8_t verbs,
                        const FormatTable& formats);
/// Only those that this format knows.
OptionValues formatOptionsFor(const OptionValues& given, const Format& format);

}  // namespace geomconv
