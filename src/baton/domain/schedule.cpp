#include "baton/domain/schedule.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/cron.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace baton::domain {

std::string_view event_of(const Cron& schedule) {
    return schedule.is_at_most_daily() ? "nightly" : "periodic";
}

bool takes_part(const Downstream& downstream, const Cron& schedule) {
    return schedule.is_at_most_daily() ? downstream.events.nightly : downstream.events.periodic;
}

ScheduleTurn turn_of(const Cron& schedule, TimePoint mark, TimePoint now) {
    ScheduleTurn turn{.next = schedule.next_after(std::max(mark, now))};
    auto dues = schedule.due_between(mark, now, kMissedRunsMax + 1);
    if (dues.newest.empty()) {
        return turn;
    }
    turn.due = dues.newest.back();
    dues.newest.pop_back();
    turn.missed = std::move(dues.newest);
    turn.missed_earlier = dues.earlier;
    return turn;
}

} // namespace baton::domain
