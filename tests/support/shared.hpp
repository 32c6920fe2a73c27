#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/bytes/bytes.hpp"

namespace geomconv::test {

/// The project's root.
std::filesystem::path sourceDir();
/// The folder of shared vectors and real files beside the project (or GEOMCONV_SHARED); nullopt where there is none:
/// tests that use it then pass, saying so.
std::optional<std::filesystem::path> sharedDir();
/// Files of a folder with an extension (".sur"), sorted by path; recursive on request.
std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder, std::string_view extension,
                                           bool recursive = false);
ByteVector readFile(const std::filesystem::path& path);
std::string readText(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, Bytes bytes);

/// A folder of its own under the system's temporary folder, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

}  // namespace geomconv::test
