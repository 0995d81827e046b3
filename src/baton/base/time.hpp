#pragma once

#include "baton/base/result.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton {

using Millis = std::chrono::milliseconds;
/// UTC, to the millisecond: what stores keep and pages show.
using TimePoint = std::chrono::sys_time<Millis>;

constexpr std::int64_t to_ms(TimePoint when) {
    return when.time_since_epoch().count();
}

constexpr TimePoint from_ms(std::int64_t ms) {
    return TimePoint(Millis(ms));
}

/// 2026-11-15T13:30:00.123Z
std::string to_rfc3339(TimePoint when);

/// Accepts `Z` or a numeric offset, with or without fractions; years 1970 to 9999.
Result<TimePoint> parse_rfc3339(std::string_view text);

/// `90s`, `15m`, `2h`, `7d`, also `250ms`. At most 10 years; nothing negative.
Result<Millis> parse_duration(std::string_view text);

/// The shortest exact form of the same notation.
std::string to_text(Millis duration);

} // namespace baton
