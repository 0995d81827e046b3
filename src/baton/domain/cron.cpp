#include "baton/domain/cron.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::array<std::string_view, 12> kMonths{
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
};
constexpr std::array<std::string_view, 7> kWeekdays{
    "sun", "mon", "tue", "wed", "thu", "fri", "sat"
};
/// The farthest two due moments can be apart: from 29 February 2096 to that of 2104.
constexpr std::chrono::days kApartMax{8 * 366};

struct FieldRule {
    std::string_view name;
    int least{0};
    int most{0};
    std::span<const std::string_view> words; // the first one stands for `least`
};

constexpr std::array<FieldRule, 5> kFields{{
    {.name = "minute", .least = 0, .most = 59, .words = {}},
    {.name = "hour", .least = 0, .most = 23, .words = {}},
    {.name = "day of month", .least = 1, .most = 31, .words = {}},
    {.name = "month", .least = 1, .most = 12, .words = kMonths},
    {.name = "day of week", .least = 0, .most = 7, .words = kWeekdays},
}};

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find_first_of(separators);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

Result<int> value_of(const FieldRule& field, std::string_view text) {
    const auto word = std::ranges::find(field.words, lower(text));
    const auto value =
        word == field.words.end()
            ? whole_number(text)
            : std::optional<std::int64_t>(field.least + (word - field.words.begin()));
    if (!value || *value < field.least || *value > field.most) {
        return fail(
            Errc::invalid,
            fmt::format(
                "{}: \"{}\" is not between {} and {}",
                field.name,
                inert(text),
                field.least,
                field.most
            )
        );
    }
    return static_cast<int>(*value);
}

Result<int> step_of(const FieldRule& field, std::string_view range, std::string_view step) {
    const auto value = whole_number(step);
    if (!value || *value < 1 || *value > field.most) {
        return fail(
            Errc::invalid,
            fmt::format("{}: \"{}\" is no step from 1 to {}", field.name, inert(step), field.most)
        );
    }
    if (range != "*" && range.find('-') == std::string_view::npos) {
        return fail(
            Errc::invalid, fmt::format("{}: a step (/{}) needs * or a range", field.name, *value)
        );
    }
    return static_cast<int>(*value);
}

/// `*`, `5`, `1-5`, any of the last two by name, `*/15`, `1-30/2`: the values as bits.
Result<std::uint64_t> values_of(const FieldRule& field, std::string_view item) {
    const auto slash = item.find('/');
    const auto range = item.substr(0, slash);
    int step = 1;
    if (slash != std::string_view::npos) {
        BATON_TRY(step, step_of(field, range, item.substr(slash + 1)));
    }
    int first = field.least;
    int last = field.most;
    if (range != "*") {
        const auto dash = range.find('-');
        BATON_TRY(first, value_of(field, range.substr(0, dash)));
        last = first;
        if (dash != std::string_view::npos) {
            BATON_TRY(last, value_of(field, range.substr(dash + 1)));
        }
    }
    if (first > last) {
        return fail(
            Errc::invalid, fmt::format("{}: the range {} runs backwards", field.name, inert(range))
        );
    }
    std::uint64_t values = 0;
    for (int value = first; value <= last; value += step) {
        values |= std::uint64_t{1} << static_cast<unsigned>(value);
    }
    return values;
}

} // namespace

Result<Cron> Cron::parse(std::string_view text) {
    auto parts = split(text, " \t");
    std::erase(parts, std::string_view{});
    if (parts.size() != kFields.size()) {
        return fail(
            Errc::invalid,
            fmt::format(
                "\"{}\" has {} fields, cron has 5: minute hour day-of-month month day-of-week, "
                "for example \"0 3 * * *\"",
                inert(text),
                parts.size()
            )
        );
    }
    Cron cron;
    const std::array<Field*, kFields.size()> fields{
        &cron.minute_, &cron.hour_, &cron.day_of_month_, &cron.month_, &cron.day_of_week_
    };
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        fields[i]->open = parts[i].starts_with('*');
        for (const auto item : split(parts[i], ",")) {
            BATON_TRY(const auto values, values_of(kFields[i], item));
            fields[i]->values |= values;
        }
    }
    if (cron.day_of_week_.fits(7)) { // Sunday has two numbers
        cron.day_of_week_.values |= 1;
    }
    if (!cron.first_from(TimePoint{})) {
        return fail(
            Errc::invalid,
            fmt::format("\"{}\" is never due: no month that it names has such a day", inert(text))
        );
    }
    return cron;
}

bool Cron::fits_day(std::chrono::sys_days day) const {
    const std::chrono::year_month_day date(day);
    if (!month_.fits(static_cast<unsigned>(date.month()))) {
        return false;
    }
    const bool by_date = day_of_month_.fits(static_cast<unsigned>(date.day()));
    const bool by_week = day_of_week_.fits(std::chrono::weekday(day).c_encoding());
    const bool either = !day_of_month_.open && !day_of_week_.open;
    return either ? by_date || by_week : by_date && by_week;
}

/// The first due moment at or after `from`, a whole minute; nullopt when there is none at all.
std::optional<TimePoint> Cron::first_from(TimePoint from) const {
    const auto first_day = std::chrono::floor<std::chrono::days>(from);
    for (auto day = first_day; day <= first_day + kApartMax; day += std::chrono::days{1}) {
        if (!fits_day(day)) {
            continue;
        }
        for (unsigned hour = 0; hour < 24; ++hour) {
            const auto begin = TimePoint(day) + std::chrono::hours{hour};
            if (!hour_.fits(hour) || begin + std::chrono::hours{1} <= from) {
                continue;
            }
            const auto passed = std::max<std::int64_t>(
                0, std::chrono::floor<std::chrono::minutes>(from - begin).count()
            );
            const auto left = minute_.values >> static_cast<unsigned>(passed);
            if (left != 0) {
                return begin + std::chrono::minutes{passed + std::countr_zero(left)};
            }
        }
    }
    return std::nullopt;
}

TimePoint Cron::next_after(TimePoint when) const {
    const auto minute = std::chrono::floor<std::chrono::minutes>(when) + std::chrono::minutes{1};
    const auto next = first_from(minute);
    BATON_ASSERT(next.has_value()); // `parse` saw to it
    return *next;
}

Cron::Dues Cron::due_between(TimePoint after, TimePoint until, std::size_t most) const {
    Dues dues;
    for (auto due = next_after(after); due <= until; due = next_after(due)) {
        dues.newest.push_back(due);
    }
    if (dues.newest.size() > most) {
        dues.earlier = dues.newest.size() - most;
        dues.newest.erase(
            dues.newest.begin(), dues.newest.begin() + static_cast<std::ptrdiff_t>(dues.earlier)
        );
    }
    return dues;
}

bool Cron::is_at_most_daily() const {
    return std::has_single_bit(minute_.values) && std::has_single_bit(hour_.values);
}

} // namespace baton::domain
