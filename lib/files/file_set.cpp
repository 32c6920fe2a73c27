#include "lib/files/file_set.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#ifndef _WIN32
#include <sys/stat.h>
#endif

namespace geomconv {

namespace fs = std::filesystem;

namespace {

#ifdef _WIN32
using Id = fs::path;

std::optional<Id> idOf(const fs::path& path) {
    std::error_code error;
    fs::path real = fs::canonical(path, error);
    if (error) return std::nullopt;
    return real;
}
#else
using Id = std::pair<std::uint64_t, std::uint64_t>;  ///< device and inode

std::optional<Id> idOf(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return Id(status.st_dev, status.st_ino);
}
#endif

}  // namespace

struct FileSet::Ids {
    std::set<Id> all;
};

FileSet::FileSet(const std::vector<fs::path>& paths) {
    auto ids = std::make_shared<Ids>();
    for (const fs::path& path : paths) {
        if (auto id = idOf(path)) ids->all.insert(*std::move(id));
    }
    ids_ = std::move(ids);
}

bool FileSet::contains(const fs::path& path) const {
    if (ids_ == nullptr || ids_->all.empty()) return false;
    const auto id = idOf(path);
    return id && ids_->all.contains(*id);
}

}  // namespace geomconv
