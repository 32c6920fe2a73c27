#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "formats/cmp/cmp.hpp"

namespace geomconv::cmp {

/// The kind and record size of a file of the Cons directory; nullopt for a name that is not known.
struct JointLayout {
    JointKind kind;
    std::uint32_t size;
};
std::optional<JointLayout> jointLayout(std::string_view fileName);

/// All records of one file of Cons. base: offset of data[0] in the file. A last record that is cut is left out with a
/// warning (`truncated`).
std::vector<Joint> readJoints(JointLayout layout, Bytes data, std::uint64_t base, Defects& defects);

/// The rest transform of a joint, child against parent, for column vectors.
Mat4 restTransform(const Joint& joint);

}  // namespace geomconv::cmp
