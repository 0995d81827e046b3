#include "baton/quality/calendar.hpp"

#include "baton/quality/assessment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace baton::quality {

std::optional<Day> Calendar::day_of(Release release) const {
    const auto found = std::ranges::find(releases, release, &CalendarRelease::release);
    return found == releases.end() || found->planned ? std::nullopt : std::optional(found->on);
}

std::optional<Release> Calendar::after(Release release) const {
    const auto found = std::ranges::find(releases, release, &CalendarRelease::release);
    return found == releases.end() || found + 1 == releases.end()
               ? std::nullopt
               : std::optional((found + 1)->release);
}

std::optional<CalendarRelease>
documented_with(const Calendar& calendar, Release first, int consecutive) {
    auto found = std::ranges::find(calendar.releases, first, &CalendarRelease::release);
    const auto left = calendar.releases.end() - found;
    const int more = std::max(consecutive, 1) - 1;
    return left > more ? std::optional(*(found + more)) : std::nullopt;
}

std::string to_text(const CalendarRelease& listed) {
    return fmt::format(
        "{} ({}{})",
        to_text(listed.release),
        listed.planned ? "planned for " : "",
        to_text(listed.on)
    );
}

std::optional<Day> released_on(const Assessment& assessment, const Calendar* calendar) {
    if (assessment.released || calendar == nullptr) {
        return assessment.released;
    }
    return calendar->day_of(assessment.release);
}

} // namespace baton::quality
