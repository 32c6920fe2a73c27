#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/defect.hpp"

namespace geomconv {

/// Warnings that many objects can give, above all of what a conversion cannot keep: said once per kind, with the first
/// object and how many more there are.
class Losses {
public:
    /// first: what it is about; only the first of a kind is kept, with its sentence.
    void add(std::string_view kind, Place first, std::string sentence);
    /// Warns of all, in the order in which the kinds came up.
    void report(Defects& defects) const;

private:
    struct Loss {
        std::string kind;
        Place first;
        std::string sentence;
        std::size_t more = 0;
    };
    std::vector<Loss> losses_;
};

}  // namespace geomconv
