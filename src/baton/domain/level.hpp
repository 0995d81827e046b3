#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace baton::domain {

/// How far a downstream is trusted. Not being listed is the absence of a level.
enum class Level : std::uint8_t { l1 = 1, l2, l3, l4 };

inline constexpr std::array kLevels{Level::l1, Level::l2, Level::l3, Level::l4};

enum class DisplayOnPr : std::uint8_t { never, label_only, always };

/// The four policy fields that lie under a level; a level is a named preset of them.
struct Policy {
    bool forward_event{false};
    bool display_on_hud{false};
    DisplayOnPr display_on_pr{DisplayOnPr::never};
    bool block_pr{false};

    friend bool operator==(const Policy&, const Policy&) = default;
};

Policy policy_of(Level level);
std::string_view name_of(Level level); // "L1"
std::optional<Level> level_named(std::string_view name);

} // namespace baton::domain
