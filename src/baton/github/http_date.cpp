#include "baton/github/http_date.hpp"

#include "baton/base/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace baton::github {

namespace {

constexpr std::array<std::string_view, 12> kMonths{
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
};
constexpr std::string_view kPattern = "???, dd ??? dddd dd:dd:dd GMT"; // d: a digit, ?: anything

bool fits_pattern(std::string_view text) {
    return text.size() == kPattern.size() &&
           std::ranges::equal(text, kPattern, [](char c, char wanted) {
               return wanted == '?' || (wanted == 'd' ? c >= '0' && c <= '9' : c == wanted);
           });
}

int number_at(std::string_view text, std::size_t at, std::size_t digits) {
    int number = 0;
    std::from_chars(text.data() + at, text.data() + at + digits, number);
    return number;
}

} // namespace

std::optional<TimePoint> parse_http_date(std::string_view text) {
    if (!fits_pattern(text)) {
        return std::nullopt;
    }
    const auto month = std::ranges::find(kMonths, text.substr(8, 3));
    if (month == kMonths.end()) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{
        std::chrono::year(number_at(text, 12, 4)),
        std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
        std::chrono::day(static_cast<unsigned>(number_at(text, 5, 2))),
    };
    const std::chrono::hours hour(number_at(text, 17, 2));
    const std::chrono::minutes minute(number_at(text, 20, 2));
    const std::chrono::seconds second(number_at(text, 23, 2));
    if (!date.ok() || hour.count() > 23 || minute.count() > 59 ||
        second.count() > 60) { // 60: a leap second
        return std::nullopt;
    }
    return TimePoint(std::chrono::sys_days(date)) + hour + minute + second;
}

} // namespace baton::github
