#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// A document says "80 %" without saying of what, and how to round. Each way to read it is a
/// reading.
namespace baton::quality {

enum class Base : std::uint8_t { printed = 1, rows }; // the total the document prints, or its sum
enum class Rounding : std::uint8_t { floor = 1, exact }; // floor: 99.2 is reached with 99

enum class Reading : std::uint8_t { printed = 1, pct_printed, floor_rows, pct_rows };

inline constexpr std::array kReadings{
    Reading::printed, Reading::pct_printed, Reading::floor_rows, Reading::pct_rows
};

std::string_view name_of(Reading reading); // "pct-printed"
std::optional<Reading> reading_named(std::string_view name);

Base base_of(Reading reading);
Rounding rounding_of(Reading reading);
Reading reading_of(Base base, Rounding rounding);

/// The least score that reaches `percent` of `total`.
int least_points(int percent, int total, Rounding rounding);

} // namespace baton::quality
