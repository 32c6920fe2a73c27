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

/// A file name without the quotation marks that some programs put around it.
std::string_view unquoted(std::string_view name) {
    const bool quoted = name.size() >= 2 && name.front() == '"' && name.find('"', 1) == name.size() - 1;
    return quoted ? name.substr(1, name.size() - 2) : name;
}

/// The names of a list: words, or what stands in quotation marks.
std::vector<std::string> listed(const std::string& names) {
    std::vector<std::string> out;
    for (std::size_t start = 0; (start = names.find_first_not_of(' ', start)) < names.size();) {
        const std::size_t close = names[start] == '"' ? names.find('"', start + 1) : std::string::npos;
        const std::size_t end = close != std::string::npos ? close + 1 : std::min(names.find(' ', start), names.size());
        out.emplace_back(unquoted(std::string_view(names).substr(start, end - start)));
        start = end;
    }
    return out;
}

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
    if (names.empty() || readFile(std::string(unquoted(names)))) return;
    for (const std::string& name : listed(names)) {
        if (!readFile(name)) missing_.add(at, name);
    }
    // Files that were renamed together still name their library as it was.
    if (!anyLibrary_) readFile(std::string(stemOf(input_.name)) + ".mtl");
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
    for (Mesh& mesh : scene.meshes) {
        for (Primitive& primitive : mesh.primitives) {
            const auto place = primitive.material ? places_.find(*primitive.material) : places_.end();
            if (place == places_.end()) continue;
            const auto& [scale, offset] = place->second;
            // v runs up in the file, where scale and offset count from the bottom.
            for (Vec2& uv : primitive.uvs) {
                const Vec2d up(static_cast<double>(uv.x), 1.0 - static_cast<double>(uv.y));
                const Vec2d placed = up * Vec2d(scale) + Vec2d(offset);
                uv = Vec2(Vec2d(placed.x, 1.0 - placed.y));
            }
        }
    }
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
        const std::uint32_t index = isNew ? static_cast<std::uint32_t>(materials_.size()) : found->second;
        if (isNew) {
            byName_.emplace(key, index);
            materials_.emplace_back();
        }
        materials_[index] = std::move(read.material);
        if (read.place != TexturePlace()) places_.emplace(index, read.place);
    }
    return true;
}

std::uint32_t MaterialTable::image(std::string_view quotedPath) {
    const std::string path(unquoted(quotedPath));
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
