#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "exporters/obj/materials.hpp"
#include "exporters/obj/tally.hpp"
#include "lib/format.hpp"

namespace geomconv::obj {

/// The last part of a path, whichever slash it is written with.
std::string_view baseName(std::string_view path);
/// The last part without its extension.
std::string_view stemOf(std::string_view path);
/// A name as it stands in a file: UTF-8, or else windows-1252.
std::string nameFromFile(std::string_view name);

/// The scene's materials and images by name, filled by mtllib and usemtl in whatever order they come.
class MaterialTable {
public:
    explicit MaterialTable(const Input& input) : input_(input) {}

    /// mtllib: one file whose name may hold blanks, or several.
    void readLibraries(const std::string& names, const char* at);
    /// usemtl: nullopt for names that say that there is none. A material that no file has is plain white.
    std::optional<std::uint32_t> use(const std::string& name, const char* at);
    /// Gives the materials and images to the scene, and places the uvs of its meshes as the materials say.
    void moveTo(Scene& scene);

    const Tally& missingLibraries() const { return missing_; }
    const Tally& missingImages() const { return missingImages_; }
    /// Materials that are used and stand in none of the files that were found; none when no file was.
    Tally missingMaterials() const;

private:
    bool readFile(const std::string& name);
    std::uint32_t image(std::string_view quotedPath);

    const Input& input_;
    std::vector<Material> materials_;
    std::vector<Image> images_;
    std::unordered_map<std::string, std::uint32_t> byName_;
    std::unordered_map<std::string, std::uint32_t> imageByPath_;
    std::unordered_map<std::string, std::uint32_t> imageByFile_;  ///< by InputFile::name(), the path
    std::unordered_map<std::string, bool> libraryByName_;         ///< whether there is such a file
    std::unordered_set<std::string> librariesRead_;
    std::map<std::uint32_t, const char*> undefined_;  ///< used before any file had them, with the place
    std::map<std::uint32_t, TexturePlace> places_;    ///< of materials whose texture is not where the uvs say
    bool anyLibrary_ = false;
    Tally missing_;
    Tally missingImages_;
};

}  // namespace geomconv::obj
