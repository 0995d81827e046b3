#include "baton/wire/allowlist_cron.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

constexpr std::array<std::string_view, 12> kMonths{
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
};
constexpr std::array<std::string_view, 7> kWeekdays{
    "sun", "mon", "tue", "wed", "thu", "fri", "sat"
};

struct Field {
    std::string_view name;
    int least{0};
    int most{0};
    std::span<const std::string_view> words; // the first one stands for `least`
};

constexpr std::array<Field, 5> kFields{{
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

Result<std::int64_t> value_of(const Field& field, std::string_view text) {
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
    return *value;
}

Result<void> check_step(const Field& field, std::string_view range, std::string_view step) {
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
    return {};
}

/// `*`, `5`, `1-5`, any of the last two by name, `*/15`, `1-30/2`.
Result<void> check_item(const Field& field, std::string_view item) {
    const auto slash = item.find('/');
    const auto range = item.substr(0, slash);
    if (slash != std::string_view::npos) {
        if (auto step = check_step(field, range, item.substr(slash + 1)); !step) {
            return step;
        }
    }
    if (range == "*") {
        return {};
    }
    const auto dash = range.find('-');
    BATON_TRY(const auto first, value_of(field, range.substr(0, dash)));
    if (dash != std::string_view::npos) {
        BATON_TRY(const auto last, value_of(field, range.substr(dash + 1)));
        if (first > last) {
            return fail(
                Errc::invalid,
                fmt::format("{}: the range {} runs backwards", field.name, inert(range))
            );
        }
    }
    return {};
}

} // namespace

Result<void> check_cron(std::string_view text) {
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
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        for (const auto item : split(parts[i], ",")) {
            if (auto good = check_item(kFields[i], item); !good) {
                return good;
            }
        }
    }
    return {};
}

} // namespace baton::wire
