#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lib/bytes/text.hpp"

namespace geomconv::obj {

/// Something that is said once: how often it happened, where in the text first, and the name it has there.
struct Tally {
    std::size_t count = 0;
    const char* first = nullptr;  ///< null where it has no place in the text
    std::string name;             ///< printable

    void add(const char* at, std::string_view what = {}) {
        if (count++ > 0) return;
        first = at;
        name = printable(what);
    }
};

}  // namespace geomconv::obj
