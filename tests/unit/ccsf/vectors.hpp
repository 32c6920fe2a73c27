#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/bytes/bytes.hpp"

namespace geomconv::test {

/// A CCSF file with what a correct reader finds in it.
struct CcsfVector {
    std::string name;
    ByteVector bytes;
    nlohmann::json sidecar;
};

/// The vectors of tests/vectors/ccsf and, where it exists, of the shared folder; each name once. container: "plain",
/// "gzip", "archive" or "malformed".
const std::vector<CcsfVector>& ccsfVectors(std::string_view container);
const CcsfVector& ccsfVector(std::string_view name);

}  // namespace geomconv::test
