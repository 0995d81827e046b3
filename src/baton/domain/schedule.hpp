#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/cron.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace baton::domain {

/// What the dispatches of a schedule are called: `nightly` when one day never sees two of them,
/// else `periodic`.
std::string_view event_of(const Cron& schedule);

/// Whether a downstream wants what its schedule makes.
bool takes_part(const Downstream& downstream, const Cron& schedule);

/// Missed runs of one schedule that are told one by one.
inline constexpr std::size_t kMissedRunsMax = 1000;

/// What a schedule asks for at one moment. Only the newest due moment is worth a run: after a
/// downtime there is one catch-up, not a pile of them.
struct ScheduleTurn {
    std::vector<TimePoint> missed; // before it, in order
    std::size_t missed_earlier{0}; // still before those, too many to tell one by one
    std::optional<TimePoint> due;  // to be sent now
    TimePoint next{};              // the one after that
};

/// `mark`: what was due until then is dealt with.
ScheduleTurn turn_of(const Cron& schedule, TimePoint mark, TimePoint now);

} // namespace baton::domain
