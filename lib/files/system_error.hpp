#pragma once

#include <stdexcept>
#include <string>
#include <system_error>

namespace geomconv {

/// The system said no: missing file, permission, disk full, broken pipe. Exit code 3.
class SystemError : public std::runtime_error {
public:
    /// path: as the user wrote it; reason: without the path.
    SystemError(const std::string& path, const std::string& reason) : std::runtime_error(path + ": " + reason) {}
};

/// What the system says of an errno value, for `reason`.
inline std::string systemReason(int error) {
    return std::generic_category().message(error);
}

}  // namespace geomconv
