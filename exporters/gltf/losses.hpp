#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/defect.hpp"

namespace geomconv::gltf {

/// What a conversion cannot keep: said once per kind, with the first object's name and how many more there are.
class Losses {
public:
    void add(std::string_view kind, std::string_view noun, std::string_view name, std::string_view sentence);
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

}  // namespace geomconv::gltf
