#include "tests/unit/ccsf/vectors.hpp"

#include <iostream>
#include <map>
#include <set>
#include <stdexcept>

#include "tests/support/shared.hpp"

namespace geomconv::test {

namespace {

std::vector<CcsfVector> load(std::string_view container) {
    std::vector<CcsfVector> out;
    std::set<std::string> known;
    std::vector<std::filesystem::path> folders{sourceDir() / "tests" / "vectors" / "ccsf"};
    if (const auto shared = sharedDir()) folders.push_back(*shared / "vectors" / "ccsf");
    for (const auto& folder : folders) {
        for (const auto& path : filesIn(folder, ".json", true)) {
            nlohmann::json sidecar = nlohmann::json::parse(readText(path));
            if (!sidecar.contains("file") || sidecar["container"] != container) continue;
            const std::string file = sidecar["file"];
            if (!known.insert(file).second) continue;
            out.push_back({file, readFile(path.parent_path() / file), std::move(sidecar)});
        }
    }
    std::cout << "[          ] " << out.size() << " vectors of container " << container << "\n";
    return out;
}

}  // namespace

const std::vector<CcsfVector>& ccsfVectors(std::string_view container) {
    static std::map<std::string, std::vector<CcsfVector>, std::less<>> loaded;
    const auto found = loaded.find(container);
    if (found != loaded.end()) return found->second;
    return loaded.emplace(std::string(container), load(container)).first->second;
}

const CcsfVector& ccsfVector(std::string_view name) {
    for (const CcsfVector& vector : ccsfVectors("plain")) {
        if (vector.name == name) return vector;
    }
    throw std::runtime_error("no vector " + std::string(name));
}

}  // namespace geomconv::test
