#include "baton/base/time.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kFirst{};
constexpr TimePoint kLast =
    std::chrono::sys_days(std::chrono::year{9999} / 12 / 31) + hours{24} - Millis{1};
constexpr Millis kDurationMax = days{3650};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Over the zeros that end before `end`.
void put_digits(std::string& text, std::size_t end, std::int64_t value) {
    for (; value > 0; value /= 10) {
        text[--end] = static_cast<char>('0' + value % 10);
    }
}

/// Takes a text apart from the left; once something is not as expected it stays failed.
class Reader {
public:
    explicit Reader(std::string_view text)
        : rest_(text) {}

    /// Exactly `digits` digits.
    int number(std::size_t digits) {
        if (rest_.size() < digits || !std::ranges::all_of(rest_.substr(0, digits), is_digit)) {
            failed_ = true;
            return 0;
        }
        int value = 0;
        for (const char c : rest_.substr(0, digits)) {
            value = value * 10 + (c - '0');
        }
        rest_.remove_prefix(digits);
        return value;
    }

    /// One of these characters; '\0' when there is another or none.
    char one_of(std::string_view allowed) {
        if (rest_.empty() || allowed.find(rest_.front()) == std::string_view::npos) {
            failed_ = true;
            return '\0';
        }
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    /// `.123456`, cut to milliseconds; nothing when no fraction stands here.
    Millis fraction() {
        if (rest_.empty() || rest_.front() != '.') {
            return Millis{0};
        }
        rest_.remove_prefix(1);
        int ms = 0;
        std::size_t digits = 0;
        for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1), ++digits) {
            ms = digits < 3 ? ms * 10 + (rest_.front() - '0') : ms;
        }
        for (std::size_t d = digits; d < 3; ++d) {
            ms *= 10;
        }
        failed_ = failed_ || digits == 0;
        return Millis{ms};
    }

    bool finished_well() const { return !failed_ && rest_.empty(); }

private:
    std::string_view rest_;
    bool failed_{false};
};

/// What to subtract from the local time; nullopt for an offset that no clock has.
std::optional<Millis> read_offset(Reader& reader) {
    const char sign = reader.one_of("Zz+-");
    if (sign != '+' && sign != '-') {
        return Millis{0};
    }
    const int h = reader.number(2);
    reader.one_of(":");
    const int m = reader.number(2);
    if (h > 23 || m > 59) {
        return std::nullopt;
    }
    const Millis offset = hours{h} + minutes{m};
    return sign == '+' ? offset : -offset;
}

struct Unit {
    std::string_view name;
    Millis size;
};

constexpr std::array<Unit, 5> kUnits{{
    {.name = "d", .size = days{1}},
    {.name = "h", .size = hours{1}},
    {.name = "m", .size = minutes{1}},
    {.name = "s", .size = seconds{1}},
    {.name = "ms", .size = Millis{1}},
}};

} // namespace

std::string to_rfc3339(TimePoint when) {
    // By hand: a page writes thousands of them, and fmt took a twentieth of its time for it.
    const auto shown = std::clamp(when, kFirst, kLast);
    const auto day = std::chrono::floor<days>(shown);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{shown - day};
    std::string text = "0000-00-00T00:00:00.000Z";
    put_digits(text, 4, static_cast<int>(date.year()));
    put_digits(text, 7, static_cast<unsigned>(date.month()));
    put_digits(text, 10, static_cast<unsigned>(date.day()));
    put_digits(text, 13, time.hours().count());
    put_digits(text, 16, time.minutes().count());
    put_digits(text, 19, time.seconds().count());
    put_digits(text, 23, time.subseconds().count());
    return text;
}

Result<TimePoint> parse_rfc3339(std::string_view text) {
    Reader reader(text);
    const auto year = std::chrono::year{reader.number(4)};
    reader.one_of("-");
    const auto month = std::chrono::month{static_cast<unsigned>(reader.number(2))};
    reader.one_of("-");
    const auto day = std::chrono::day{static_cast<unsigned>(reader.number(2))};
    reader.one_of("Tt ");
    const hours h{reader.number(2)};
    reader.one_of(":");
    const minutes m{reader.number(2)};
    reader.one_of(":");
    const seconds s{reader.number(2)};
    const Millis fraction = reader.fraction();
    const auto offset = read_offset(reader);
    const std::chrono::year_month_day date{year, month, day};
    if (reader.finished_well() && offset && date.ok() && h < hours{24} && m < minutes{60} &&
        s < seconds{60}) {
        const TimePoint when = std::chrono::sys_days(date) + h + m + s + fraction - *offset;
        if (when >= kFirst && when <= kLast) {
            return when;
        }
    }
    return fail(
        Errc::invalid,
        fmt::format("\"{}\" is not a time: write it like 2026-11-15T13:30:00Z", inert(text))
    );
}

Result<Millis> parse_duration(std::string_view text) {
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto unit = std::ranges::find(kUnits, text.substr(digits), &Unit::name);
    if (digits == 0 || unit == kUnits.end()) {
        return fail(
            Errc::invalid,
            fmt::format("\"{}\" is not a duration: write it like 90s, 15m, 2h or 7d", inert(text))
        );
    }
    const std::int64_t most = kDurationMax / unit->size;
    std::int64_t count = 0;
    for (const char c : text.substr(0, digits)) {
        count = count * 10 + (c - '0');
        if (count > most) {
            return fail(
                Errc::invalid, fmt::format("\"{}\" is longer than ten years (3650d)", inert(text))
            );
        }
    }
    return unit->size * count;
}

std::string to_text(Millis duration) {
    if (duration == Millis{0}) {
        return "0s";
    }
    const auto unit = std::ranges::find_if(kUnits, [duration](const Unit& candidate) {
        return duration % candidate.size == Millis{0};
    });
    return fmt::format("{}{}", duration / unit->size, unit->name);
}

} // namespace baton
