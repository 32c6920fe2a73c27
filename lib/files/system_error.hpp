#pragma once

#include <stdexcept>
#include <string>

namespace geomconv {

/// The system said no: missing file, permission, disk full, broken pipe. Exit code 3.
class SystemError : public std::runtime_error {
public:
    /// path: as the user wrote it; reason: without the path.
    SystemError(const std::string& path, const std::string& reason) : std::runtime_error(path + ": " + reason) {}
};

}  // namespace geomconv
