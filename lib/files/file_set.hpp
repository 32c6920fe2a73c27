#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <vector>

namespace geomconv {

/// Files on disk, known by what they are and not by what they are called: one that is reached through a link or by
/// another spelling of its path is the same. Built once; asking costs one look at the disk however many there are.
/// Copies share.
class FileSet {
public:
    FileSet() = default;
    /// Paths of nothing on disk are passed over.
    FileSet(const std::vector<std::filesystem::path>&
                paths);  // NOLINT(google-explicit-constructor): a list of paths is one
    FileSet(std::initializer_list<std::filesystem::path> paths) : FileSet(std::vector(paths)) {}

    bool contains(const std::filesystem::path& path) const;

private:
    struct Ids;
    std::shared_ptr<const Ids> ids_;
};

}  // namespace geomconv
