#include "app/walk.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "app/outputs.hpp"
#include "lib/files/input_file.hpp"
#include "lib/files/system_error.hpp"
#include "lib/scene/select.hpp"

namespace geomconv {

namespace fs = std::filesystem;

namespace {

struct Entry {
    std::string name;
    bool folder = false;
};

/// A folder's entries by name; throws std::filesystem::filesystem_error.
std::vector<Entry> entriesOf(const fs::path& folder) {
    std::vector<Entry> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        // What vanished meanwhile, or is a link to nothing, is neither.
        std::error_code gone;
        const bool isFolder = entry.is_directory(gone);
        if (isFolder || entry.is_regular_file(gone)) out.push_back({utf8FromPath(entry.path().filename()), isFolder});
    }
    std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return out;
}

bool isRecognised(const fs::path& file, const std::string& name, const FormatTable& formats) {
    try {
        const auto opened = InputFile::open(file);
        return worthReading(formats.recognise(opened->bytes(), name), opened->bytes(), name);
    } catch (const SystemError&) {
        return false;
    }
}

class Walker {
public:
    Walker(const WalkOptions& options, const FormatTable& formats, WalkResult& result)
        : options_(options), formats_(formats), result_(result) {
        std::error_code none;
        output_ = fs::weakly_canonical(options.output, none);
    }

    /// Folders wait on a list of their own, so that no depth of folders is too much.
    void run() {
        std::vector<std::string> open{""};
        while (!open.empty()) {
            const std::string at = std::move(open.back());
            open.pop_back();
            const fs::path folder = at.empty() ? options_.root : options_.root / pathFromUtf8(at);
            if (passOver(folder)) continue;
            std::vector<Entry> entries;
            try {
                entries = entriesOf(folder);
            } catch (const fs::filesystem_error& e) {
                if (at.empty()) throw SystemError(utf8FromPath(folder), e.code().message());
                result_.unreadable.push_back(utf8FromPath(folder) + ": " + e.code().message());
                continue;
            }
            addFiles(folder, at, entries);
            for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
                if (entry->folder) open.push_back(at.empty() ? entry->name : at + '/' + entry->name);
            }
        }
    }

private:
    bool wanted(const std::string& name, const std::string& path) const {
        if (options_.globs.empty()) return true;
        return std::any_of(options_.globs.begin(), options_.globs.end(),
                           [&](const std::string& glob) { return globMatches(glob, name) || globMatches(glob, path); });
    }

    /// A folder that was read already, or takes the output.
    bool passOver(const fs::path& folder) {
        std::error_code error;
        const fs::path real = fs::canonical(folder, error);
        if (error) return false;
        return (!output_.empty() && real == output_) || !seen_.insert(real).second;
    }

    void addFiles(const fs::path& folder, const std::string& at, const std::vector<Entry>& entries) {
        std::vector<const std::string*> names;
        for (const Entry& entry : entries) {
            const std::string path = at.empty() ? entry.name : at + '/' + entry.name;
            if (!entry.folder && wanted(entry.name, path)) names.push_back(&entry.name);
        }
        const std::vector<bool> whole = keepWholeNames(folder, names);
        for (std::size_t i = 0; i < names.size(); ++i) {
            result_.files.add(at.empty() ? *names[i] : at + '/' + *names[i], whole[i]);
        }
    }

    /// Which names of one folder stay whole: two that would give the same output, looked at by content so that an image
    /// or a material beside a mesh does not count. A whole name can meet another one's stem, so this goes on until none
    /// do.
    std::vector<bool> keepWholeNames(const fs::path& folder, const std::vector<const std::string*>& names) const {
        std::vector<bool> whole(names.size(), false);
        std::vector<signed char> known(names.size(), -1);
        const auto counts = [&](std::size_t i) {
            if (known[i] < 0) known[i] = isRecognised(folder / pathFromUtf8(*names[i]), *names[i], formats_) ? 1 : 0;
            return known[i] == 1;
        };
        for (bool again = true; again;) {
            again = false;
            std::vector<std::pair<std::string, std::size_t>> stems;
            for (std::size_t i = 0; i < names.size(); ++i) {
                stems.emplace_back(lowerCase(outputStem(*names[i], whole[i], formats_)), i);
            }
            std::sort(stems.begin(), stems.end());
            for (std::size_t first = 0; first < stems.size();) {
                std::size_t end = first + 1;
                while (end < stems.size() && stems[end].first == stems[first].first) ++end;
                std::vector<std::size_t> meeting;
                for (std::size_t k = first; end - first > 1 && k < end; ++k) {
                    if (counts(stems[k].second)) meeting.push_back(stems[k].second);
                }
                for (const std::size_t i : meeting) {
                    if (meeting.size() < 2 || whole[i]) continue;
                    whole[i] = true;
                    again = true;
                }
                first = end;
            }
        }
        return whole;
    }

    const WalkOptions& options_;
    const FormatTable& formats_;
    WalkResult& result_;
    fs::path output_;
    std::set<fs::path> seen_;
};

}  // namespace

bool worthReading(const Format* format, Bytes bytes, std::string_view fileName) {
    if (format == nullptr) return false;
    return format->id != "json" || format->probe == nullptr || format->probe(bytes, fileName) >= Confidence::Likely;
}

std::string outputStem(std::string_view path, bool wholeName, const FormatTable& formats) {
    const std::string name(path);
    return wholeName ? name : withoutKnownExtension(name, formats);
}

WalkResult walk(const WalkOptions& options, const FormatTable& formats) {
    WalkResult result;
    Walker(options, formats, result).run();
    return result;
}

}  // namespace geomconv
