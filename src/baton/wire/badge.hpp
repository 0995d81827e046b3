#pragma once

#include "baton/quality/report.hpp"

#include <string>
#include <string_view>

namespace baton::wire {

/// A small picture of two words that says the same as a text. Colours are dark enough for white
/// letters, and never speak alone.
struct Badge {
    std::string left;
    std::string right;
    std::string_view colour; // of the right half, "#116329"
};

inline constexpr std::string_view kBadgeGood = "#116329";
inline constexpr std::string_view kBadgeFair = "#7d4e00";
inline constexpr std::string_view kBadgePoor = "#b3261e";
inline constexpr std::string_view kBadgePlain = "#0a3069";
inline constexpr std::string_view kBadgeGrey = "#57606a";

/// SVG that needs nothing: no script, no font, no network. The words may come from anybody.
std::string draw(const Badge& badge);

/// A platform's, in the colour of its rank; grey when it is stale.
std::string draw_platform(const quality::BadgeWords& words);

} // namespace baton::wire
