#include "baton/quality/calendar.hpp"

#include "baton/quality/assessment.hpp"

#include <algorithm>
#include <optional>

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

std::optional<Day> released_on(const Assessment& assessment, const Calendar* calendar) {
    if (assessment.released || calendar == nullptr) {
        return assessment.released;
    }
    return calendar->day_of(assessment.release);
}

} // namespace baton::quality
