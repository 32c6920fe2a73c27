#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "formats/groove/groove.hpp"
#include "tests/support/shared.hpp"

namespace geomconv::groove::test {

/// A made level and what is expected of it.
struct Vector {
    std::filesystem::path path;
    ByteVector bytes;
    nlohmann::json expected;
};

/// The levels kept in tests/vectors/groove, and all of ../shared/vectors/groove where that folder exists.
inline std::vector<Vector> levelVectors() {
    using geomconv::test::filesIn;
    std::vector<std::filesystem::path> paths = filesIn(geomconv::test::sourceDir() / "tests/vectors/groove", ".wad");
    if (const auto shared = geomconv::test::sharedDir()) {
        const auto more = filesIn(*shared / "vectors/groove", ".wad");
        paths.insert(paths.end(), more.begin(), more.end());
    }
    std::vector<Vector> out;
    for (const auto& path : paths) {
        auto sidecar = path;
        sidecar.replace_extension(".json");
        if (!std::filesystem::exists(sidecar)) continue;
        out.push_back({path, geomconv::test::readFile(path), nlohmann::json::parse(geomconv::test::readText(sidecar))});
    }
    return out;
}

}  // namespace geomconv::groove::test
