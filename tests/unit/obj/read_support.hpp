#pragma once

#include <filesystem>
#include <string>

#include "exporters/obj/obj.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::obj::test_support {

/// Files beside a path, as app gives them.
inline Companions besides(std::filesystem::path folder) {
    return [folder = std::move(folder)](std::string_view name) -> std::shared_ptr<const InputFile> {
        const std::filesystem::path path = folder / pathFromUtf8(name);
        if (!std::filesystem::is_regular_file(path)) return nullptr;
        return InputFile::open(path);
    };
}

inline std::filesystem::path vectors() {
    return test::sourceDir() / "tests/vectors/obj";
}

inline Scene readFile(const std::filesystem::path& path, Defects& defects) {
    const ByteVector bytes = test::readFile(path);
    const std::string name = path.filename().string();
    return readScene({name, bytes, besides(path.parent_path()), nullptr}, {}, defects);
}

inline Scene readText(std::string_view text, Defects& defects, const Companions& companions = {}) {
    return readScene({"text.obj", asBytes(text), companions, nullptr}, {}, defects);
}

}  // namespace geomconv::obj::test_support
