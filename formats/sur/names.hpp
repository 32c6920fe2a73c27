#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lib/scene/model_parts.hpp"

namespace geomconv::sur {

/// A name without its ordinal: `wing#2` and Blender's `wing.001` are both `wing`. A name that is nothing but an ordinal
/// stays as it is.
std::string_view withoutOrdinal(std::string_view name);

/// The id that a part's or hull's name stands for: the hash of the name without its ordinal; `0` is the part of a model
/// of a single part, `0x1234ABCD` an id itself. UTF-8; nullopt when a character is not in windows-1252.
std::optional<std::uint32_t> idFromName(std::string_view name);

/// Names by id. The first name of an id counts.
class KnownNames {
public:
    /// Names from a model (parts and hardpoints) and from a list of the user.
    KnownNames(const ModelParts* model, const std::vector<std::string>& names);

    /// The name that `idFromName` reads back as this id: a known one where it can (it has no ordinal and no slash of
    /// its own), `0`, or the id in hex.
    std::string nameOf(std::uint32_t id) const;
    bool knows(std::uint32_t id) const { return names_.contains(id); }

private:
    void add(const std::string& name);

    std::unordered_map<std::uint32_t, std::string> names_;
};

/// Names each thing once: the second of a name gets `#2`.
class Ordinals {
public:
    std::string numbered(const std::string& name) {
        const std::uint32_t n = ++seen_[name];
        return n == 1 ? name : name + '#' + std::to_string(n);
    }

private:
    std::unordered_map<std::string, std::uint32_t> seen_;
};

}  // namespace geomconv::sur
