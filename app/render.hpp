#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/scene/extras.hpp"

namespace geomconv {

/// The person's text of an `info` object: scalars as aligned "words: value" lines, objects as indented blocks, arrays
/// of objects as tables, keys in words ("massCenter" is "mass center"), numbers short, names printable.
std::string renderInfo(const Extras& info);

/// Columns padded to their widest cell; `right` says which are numbers. The last column is not padded.
std::string renderTable(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right,
                        std::size_t indent);

/// "massCenter" gives "mass center", "edges3plus" stays, "hpid" stays.
std::string wordsFromKey(std::string_view key);
/// Characters of UTF-8 text, for alignment.
std::size_t displayWidth(std::string_view text);

}  // namespace geomconv
