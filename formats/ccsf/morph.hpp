#pragma once

#include <map>
#include <vector>

#include "formats/ccsf/ccsf.hpp"

namespace geomconv::ccsf {

/// Which models are morph targets of which: the Morpher chunk names the base, F_Morpher records and morph controllers
/// the targets.
class Morphs {
public:
    /// Distinct targets of a base model, in the order in which records name them.
    const std::vector<std::uint32_t>& targetsOf(std::uint32_t baseModel) const;
    bool isTarget(std::uint32_t model) const { return model < target_.size() && target_[model]; }

private:
    friend Morphs morphsOf(const Document& document);
    std::map<std::uint32_t, std::vector<std::uint32_t>> targets_;
    std::vector<bool> target_;
};

Morphs morphsOf(const Document& document);

}  // namespace geomconv::ccsf
