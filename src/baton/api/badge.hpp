#pragma once

#include "baton/hud/downstream_line.hpp"

#include <string>

namespace baton::api {

/// From where a pass rate is good, and below which it is poor: as in the pages
/// (web/src/figures.ts).
inline constexpr double kRateGood = 0.95;
inline constexpr double kRatePoor = 0.8;

/// Level and pass rate as a small picture that says the same as a text. The figure is the one of
/// the pages.
std::string badge_of(const hud::DownstreamLine& line);

} // namespace baton::api
