#include "baton/quality/readings.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace baton::quality {

namespace {

struct Row {
    Reading reading;
    std::string_view name;
    Base base;
    Rounding rounding;
};

constexpr std::array<Row, 4> kRows{{
    {Reading::printed, "printed", Base::printed, Rounding::floor},
    {Reading::pct_printed, "pct-printed", Base::printed, Rounding::exact},
    {Reading::floor_rows, "floor-rows", Base::rows, Rounding::floor},
    {Reading::pct_rows, "pct-rows", Base::rows, Rounding::exact},
}};

const Row& row_of(Reading reading) {
    return *std::ranges::find(kRows, reading, &Row::reading);
}

} // namespace

std::string_view name_of(Reading reading) {
    return row_of(reading).name;
}

std::optional<Reading> reading_named(std::string_view name) {
    const auto* const found = std::ranges::find(kRows, name, &Row::name);
    return found == kRows.end() ? std::nullopt : std::optional(found->reading);
}

Base base_of(Reading reading) {
    return row_of(reading).base;
}

Rounding rounding_of(Reading reading) {
    return row_of(reading).rounding;
}

Reading reading_of(Base base, Rounding rounding) {
    return std::ranges::find_if(
               kRows, [&](const Row& row) { return row.base == base && row.rounding == rounding; }
    )->reading;
}

int least_points(int percent, int total, Rounding rounding) {
    constexpr int kWhole = 100;
    const int product = percent * total;
    return rounding == Rounding::floor ? product / kWhole : (product + kWhole - 1) / kWhole;
}

} // namespace baton::quality
