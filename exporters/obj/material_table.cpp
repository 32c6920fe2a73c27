#include "exporters/obj/material_table.hpp"

#include <algorithm>
#include <utility>

#include "lib/bytes/text.hpp"
#include "lib/files/input_file.hpp"
#include "lib/image/image_files.hpp"

namespace geomconv::obj {

std::string_view baseName(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

std::string_view stemOf(std::string_view path) {
    const std::string_view file = baseName(path);
    const std::size_t dot = file.rfind('.');
    return dot == std::string_view::npos || dot == 0 ? file : file.substr(0, dot);
}

std::string nameFromFile(std::string_view name) {
    return isUtf8(name) ? std::string(name) : utf8FromWindows1252(name);
}

namespace {

/// A companion by the name that stands in the file, which a program on another system may have written.
std::shared_ptr<const InputFile> companion(const Input& input, std::string_view name) {
    if (!input.companions || name.empty()) return nullptr;
    if (auto file = input.companions(name)) return file;
    std::string slashes(name);
    std::replace(slashes.begin(), slashes.end(), '\\', '/');
    if (slashes != name) {
        if (auto file = input.companions(slashes)) return file;
    }
    const std::string_view base = baseName(name);
    return base == name || base.empty() ? nullptr : input.companions(base);
}

/// One file, however its name was spelled ("a.png", "./a.png").
std::string fileKey(const InputFile& file) {
    return utf8FromPath(pathFromUtf8(file.name()).lexically_normal());
}

}  // namespace

void MaterialTable::readLibraries(const std::string& names, const char* at) {
    if (names.empty() || readFile(names)) return;
    if (names.find(' ') == std::string::npos) {
        missing_.add(at, names);
        return;
    }
    for (std::size_t start = 0; start < names.size();) {
        const std::size_t end = std::min(names.find(' ', start), names.size());
        const std::string name = names.substr(start, end - start);
        if (!name.empty() && !readFile(name)) missing_.add(at, name);
        start = end + 1;
    }
}

std::optional<std::uint32_t> MaterialTable::use(const std::string& name, const char* at) {
    const auto found = byName_.find(name);
    if (found != byName_.end()) return found->second;
    if (name.empty() || name == "(null)") return std::nullopt;
    const auto index = static_cast<std::uint32_t>(materials_.size());
    materials_.emplace_back().name = nameFromFile(name);
    byName_.emplace(name, index);
    undefined_.emplace(index, at);
    return index;
}

void MaterialTable::moveTo(Scene& scene) {
    scene.materials = std::move(materials_);
    scene.images = std::move(images_);
}

Tally MaterialTable::missingMaterials() const {
    Tally tally;
    if (!anyLibrary_) return tally;
    for (const auto& [index, at] : undefined_) tally.add(at, materials_[index].name);
    return tally;
}

bool MaterialTable::readFile(const std::string& name) {
    const auto [entry, isNewName] = libraryByName_.try_emplace(name, false);
    if (!isNewName) return entry->second;
    const auto file = companion(input_, name);
    if (!file) return false;
    entry->second = true;
    anyLibrary_ = true;
    // A second time it has nothing new to say, however often and however spelled it is named.
    if (!librariesRead_.insert(fileKey(*file)).second) return true;
    for (MtlMaterial& read : readMaterials(asText(file->bytes()))) {
        const std::string key = read.material.name;
        const auto found = byName_.find(key);
        const bool isNew = found == byName_.end();
        if (!isNew && undefined_.erase(found->second) == 0) continue;  // the first of a name counts
        read.material.name = nameFromFile(key);
        if (!read.texture.empty()) read.material.image = image(read.texture);
        if (isNew) {
            byName_.emplace(key, static_cast<std::uint32_t>(materials_.size()));
            materials_.push_back(std::move(read.material));
        } else {
            materials_[found->second] = std::move(read.material);
        }
    }
    return true;
}

std::uint32_t MaterialTable::image(const std::string& path) {
    const auto [entry, isNew] = imageByPath_.try_emplace(path, static_cast<std::uint32_t>(images_.size()));
    if (!isNew) return entry->second;
    const auto file = companion(input_, path);
    if (file) {
        const auto [known, isNewFile] = imageByFile_.try_emplace(fileKey(*file), entry->second);
        if (!isNewFile) return entry->second = known->second;
    }
    Image& image = images_.emplace_back();
    image.name = nameFromFile(stemOf(path));
    if (file && !file->bytes().empty()) {
        image.encoded.assign(file->bytes().begin(), file->bytes().end());
        image.mimeType = imageMimeType(file->bytes());
        if (image.mimeType.empty()) image.mimeType = imageMimeTypeOfName(path);
    } else {
        image.uri = nameFromFile(path);
        missingImages_.add(nullptr, path);
    }
    return entry->second;
}

}  // namespace geomconv::obj
