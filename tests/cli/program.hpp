#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/bytes/bytes.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::test {

/// What one run of the program left behind.
struct Outcome {
    int code = -1;  ///< exit code; 128 + signal when one ended it
    std::string out;
    std::string err;
};

/// The built program in a folder of its own.
class Program {
public:
    /// Runs `geomconv ARGUMENTS` in the folder. input: standard input.
    Outcome operator()(const std::vector<std::string>& arguments, const std::string& input = {}) const;
    /// Runs a shell line in the folder; "$G" is the program.
    Outcome shell(const std::string& line) const;

    const std::filesystem::path& folder() const { return folder_.path(); }
    std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }
    void write(std::string_view name, Bytes bytes) const;
    void write(std::string_view name, std::string_view text) const;
    std::string read(std::string_view name) const;
    bool has(std::string_view name) const;
    /// All files below the folder, with `/`, sorted; hidden ones included.
    std::vector<std::string> files() const;

private:
    TemporaryFolder folder_;
    TemporaryFolder streams_;
};

/// One record of a collision library.
struct LibraryRecord {
    std::string name;
    std::vector<std::array<float, 3>> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};
/// A tetrahedron.
LibraryRecord tetrahedron(std::string name, float size = 1.0F);
/// A CollisionSet file, big-endian.
ByteVector collisionLibrary(const std::vector<LibraryRecord>& records);

}  // namespace geomconv::test
