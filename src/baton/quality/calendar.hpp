#pragma once

#include "baton/quality/assessment.hpp"

#include <optional>
#include <string>
#include <vector>

/// When minor releases came out, and which follows which.
namespace baton::quality {

struct CalendarRelease {
    Release release;
    Day on{};
    bool planned{false}; // nobody has seen it yet: the day may change, the order hardly
};

struct Calendar {
    std::string project;
    std::vector<CalendarRelease> releases; // oldest first, each once

    /// The day of a release; nullopt when it is not listed, or only planned.
    std::optional<Day> day_of(Release release) const;
    /// The one behind it, also in the next major; nullopt when either is not listed.
    std::optional<Release> after(Release release) const;
};

/// The release with which a level is documented when `first` is the first of `consecutive` in a row
/// that reach it; nullopt when the calendar ends before it.
std::optional<CalendarRelease>
documented_with(const Calendar& calendar, Release first, int consecutive);
/// "2.15 (2026-10-28)"; "2.15 (planned for 2026-10-28)"
std::string to_text(const CalendarRelease& listed);

/// What the assessment says, else the calendar; nullptr: there is none.
std::optional<Day> released_on(const Assessment& assessment, const Calendar* calendar);

} // namespace baton::quality
