#pragma once

#include <stdexcept>

namespace geomconv {

/// The command line asks for something that cannot be: exit code 2, before an input is read.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace geomconv
