#pragma once

#include <string>

#include "lib/bytes/bytes.hpp"

namespace geomconv::test {

/// FIPS 180-4, in lower-case hexadecimal: expectations of the vectors name pixels by it.
std::string sha256(Bytes bytes);

}  // namespace geomconv::test
