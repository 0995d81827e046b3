#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace baton::domain {

/// When something is due, by the five fields of cron: minute, hour, day of month, month, day of
/// week (0 and 7 are Sunday), all in UTC.
///
/// Each field is `*`, a value, a range or a list of them, with `/step` after `*` or a range; months
/// and weekdays may be named by three letters. When both kinds of day are restricted, one of them
/// has to fit; a field that begins with `*` restricts nothing in this sense.
class Cron {
public:
    /// `invalid`, naming the field; also when no day of any year fits, such as 30 February.
    static Result<Cron> parse(std::string_view text);

    /// The first due moment later than `when`: a whole minute.
    TimePoint next_after(TimePoint when) const;

    /// The due moments after `after` up to and with `until`, in order.
    struct Dues {
        std::vector<TimePoint> newest; // at most `most`
        std::size_t earlier{0};        // those before them
    };

    Dues due_between(TimePoint after, TimePoint until, std::size_t most) const;

    /// Whether one day never sees two.
    bool is_at_most_daily() const;

private:
    struct Field {
        std::uint64_t values{0}; // bit n: n fits
        bool open{false};        // begins with *

        bool fits(unsigned value) const { return ((values >> value) & 1U) != 0; }
    };

    bool fits_day(std::chrono::sys_days day) const;
    std::optional<TimePoint> first_from(TimePoint minute) const;

    Field minute_;
    Field hour_;
    Field day_of_month_;
    Field month_;
    Field day_of_week_;
};

} // namespace baton::domain
