#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "lib/scene/scene.hpp"

namespace geomconv {

/// A set of Content values, as `--content render,collision` names it.
class ContentSet {
public:
    constexpr ContentSet() = default;
    constexpr ContentSet(std::initializer_list<Content> list) {
        for (const Content c : list) bits_ = static_cast<std::uint8_t>(bits_ | bit(c));
    }
    static constexpr ContentSet all() {
        return {Content::Render, Content::Collision, Content::Objects,
                Content::Shadow, Content::Helpers,   Content::Bounds};
    }
    constexpr bool has(Content c) const { return (bits_ & bit(c)) != 0; }
    constexpr void add(Content c) { bits_ = static_cast<std::uint8_t>(bits_ | bit(c)); }
    constexpr bool operator==(const ContentSet&) const = default;

private:
    static constexpr std::uint8_t bit(Content c) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(c)); }
    std::uint8_t bits_ = 0;
};

/// "render" for Content::Render and so on.
std::string_view contentName(Content content);
/// Parses "render,collision" or "all"; nullopt when a word is not known.
std::optional<ContentSet> parseContent(std::string_view list);

}  // namespace geomconv
