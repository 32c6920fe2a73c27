#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/arguments.hpp"
#include "app/formats.hpp"
#include "app/resolve.hpp"
#include "lib/files/output_set.hpp"

namespace geomconv {

/// How outputs are written: the options of every writing command.
struct WriteSettings {
    const Format* to = nullptr;  ///< --to
    WriteOptions write;
    bool noClobber = false;
};

/// Understands the options of every writing command. Throws UsageError.
WriteSettings writeSettings(const Arguments& arguments, const FormatTable& formats);

/// One -o, understood.
struct Target {
    std::string typed;
    bool folder = false;             ///< one file per input or member goes there, named after it
    const Format* format = nullptr;  ///< what is written; never null for convert
};

/// -o OUTPUT: "-" is standard output, a name that ends with a slash or is a folder takes many files. The format is
/// --to's, else that of the name's ending. Throws UsageError: no format, or one that cannot be written without a base
/// file.
Target targetFor(const std::string& typed, const WriteSettings& settings, const FormatTable& formats);

/// Throws UsageError for a format that cannot be written, and says what else to do.
void requireWritable(const Format& format, const FormatTable& formats);

/// The output of a target's file. inputs: files that must not be written over; companions: what was read beside them.
std::unique_ptr<OutputSet> openOutput(const std::string& path, bool noClobber, const FileSet& inputs,
                                      std::shared_ptr<const std::vector<std::filesystem::path>> companions = nullptr);

/// A member's or input's name as a relative path of an output: folders kept, everything that could leave the folder or
/// that a file system refuses replaced by '_'.
std::string safeRelative(std::string_view name);
/// "town/ship.sur" with ".glb" gives "town/ship.glb".
std::string withExtension(std::string_view name, std::string_view extension);
/// The name with one extension taken off that a format knows ("DATA.BIN" stays when no format ends so).
std::string withoutKnownExtension(const std::string& name, const FormatTable& formats);

/// Names in one folder, all different, whatever the case: a second one of the same name gets ~2.
class FreeNames {
public:
    std::string operator()(const std::string& name, const std::string& ending = {});

private:
    std::set<std::string> taken_;
    std::map<std::string, std::size_t> last_;  ///< the number that a name got last: thousands may be equal
};

/// Where what is made of a container's members goes, below a folder.
struct MemberPaths {
    std::vector<std::string> files;    ///< as outputNames, each its own
    std::vector<std::string> folders;  ///< for members that are containers themselves
};
MemberPaths memberPaths(const std::vector<std::string>& names, std::string_view extension, const FormatTable& formats);

/// Output names of several inputs in one folder. Names that would meet keep their own extension: a.sur and a.cmp become
/// a.sur.glb and a.cmp.glb. The result depends on the set of names alone. Names that differ in case only count as
/// equal.
std::vector<std::string> outputNames(const std::vector<std::string>& names, std::string_view extension,
                                     const FormatTable& formats);

}  // namespace geomconv
