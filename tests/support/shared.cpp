#include "tests/support/shared.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>

namespace geomconv::test {

namespace fs = std::filesystem;

fs::path sourceDir() {
    return fs::path(GEOMCONV_SOURCE_DIR);
}

std::optional<fs::path> sharedDir() {
    if (const char* named = std::getenv("GEOMCONV_SHARED")) return fs::path(named);
    fs::path beside = sourceDir().parent_path() / "shared";
    if (fs::is_directory(beside / "vectors")) return beside;
    return std::nullopt;
}

std::vector<fs::path> filesIn(const fs::path& folder, std::string_view extension, bool recursive) {
    std::vector<fs::path> out;
    if (!fs::is_directory(folder)) return out;
    const auto take = [&](const fs::directory_entry& entry) {
        if (entry.is_regular_file() && entry.path().extension() == extension) out.push_back(entry.path());
    };
    if (recursive) {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) take(entry);
    } else {
        for (const auto& entry : fs::directory_iterator(folder)) take(entry);
    }
    std::sort(out.begin(), out.end());
    return out;
}

ByteVector readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    ByteVector bytes(fs::file_size(path));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

std::string readText(const fs::path& path) {
    const ByteVector bytes = readFile(path);
    return std::string(asText(bytes));
}

void writeFile(const fs::path& path, Bytes bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!out) throw std::runtime_error("cannot write " + path.string());
}

TemporaryFolder::TemporaryFolder() {
    static std::atomic<unsigned> serial{0};
    std::random_device random;
    path_ = fs::temp_directory_path() /
            ("geomconv-test-" + std::to_string(random()) + "-" + std::to_string(serial.fetch_add(1)));
    fs::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace geomconv::test
