#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/scene/scene.hpp"

namespace geomconv::json {

/// The words that stand for the values of an enumeration, for both directions.
template <class T, std::size_t N>
struct Words {
    std::array<std::pair<T, std::string_view>, N> rows;

    constexpr std::string_view of(T value) const {
        for (const auto& [v, word] : rows) {
            if (v == value) return word;
        }
        return rows[0].second;
    }
    constexpr std::optional<T> parse(std::string_view text) const {
        for (const auto& [v, word] : rows) {
            if (word == text) return v;
        }
        return std::nullopt;
    }
};

inline constexpr Words<UpAxis, 3> kUpAxes{{{{UpAxis::X, "x"}, {UpAxis::Y, "y"}, {UpAxis::Z, "z"}}}};
inline constexpr Words<Handedness, 2> kHands{{{{Handedness::Right, "right"}, {Handedness::Left, "left"}}}};
inline constexpr Words<Content, 6> kContents{{{{Content::Render, "render"},
                                               {Content::Collision, "collision"},
                                               {Content::Objects, "objects"},
                                               {Content::Shadow, "shadow"},
                                               {Content::Helpers, "helpers"},
                                               {Content::Bounds, "bounds"}}}};
inline constexpr Words<Topology, 3> kTopologies{
    {{{Topology::Triangles, "triangles"}, {Topology::Lines, "lines"}, {Topology::Points, "points"}}}};
inline constexpr Words<HullType, 3> kHullTypes{
    {{{HullType::Terminal, "terminal"}, {HullType::Wrap, "wrap"}, {HullType::Box, "box"}}}};
inline constexpr Words<AlphaMode, 3> kAlphaModes{
    {{{AlphaMode::Opaque, "opaque"}, {AlphaMode::Mask, "mask"}, {AlphaMode::Blend, "blend"}}}};
inline constexpr Words<Wrap, 3> kWraps{{{{Wrap::Repeat, "repeat"}, {Wrap::Clamp, "clamp"}, {Wrap::Mirror, "mirror"}}}};
inline constexpr Words<Filter, 3> kFilters{
    {{{Filter::Unspecified, "unspecified"}, {Filter::Nearest, "nearest"}, {Filter::Linear, "linear"}}}};
inline constexpr Words<ChannelPath, 4> kPaths{{{{ChannelPath::Translation, "translation"},
                                                {ChannelPath::Rotation, "rotation"},
                                                {ChannelPath::Scale, "scale"},
                                                {ChannelPath::Weights, "weights"}}}};
inline constexpr Words<Interpolation, 3> kInterpolations{
    {{{Interpolation::Linear, "linear"}, {Interpolation::Step, "step"}, {Interpolation::CubicSpline, "cubicSpline"}}}};

}  // namespace geomconv::json
