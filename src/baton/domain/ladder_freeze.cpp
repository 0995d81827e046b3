#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/ladder_weights.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/probe.hpp"
#include "baton/domain/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace baton::domain {

namespace {

CellOutcome end_of(const LadderJob& job) {
    std::vector<AttemptEnd> ends;
    for (const auto& attempt : job.attempts) {
        ends.push_back({.attempt = attempt.number, .conclusion = attempt.conclusion});
    }
    return merge(ends);
}

/// It runs, may still be started, or nobody waited for it any more.
bool tells_nothing(const LadderEvent& event) {
    const auto is_none = [](OutcomeClass outcome) {
        return outcome == OutcomeClass::open || outcome == OutcomeClass::superseded;
    };
    if (event.jobs.empty()) {
        return is_none(class_of(event));
    }
    return std::ranges::any_of(event.jobs, [&](const LadderJob& job) {
        return is_none(class_of(event, job));
    });
}

bool is_half(std::size_t some, std::size_t all, const Profile& profile) {
    return some >= profile.frozen_least &&
           static_cast<double>(some) >= profile.frozen_share * static_cast<double>(all);
}

} // namespace

void add_probe(
    FreezeFacts& facts,
    const std::vector<LadderEvent>& events,
    const RepoName& probe,
    LadderWindow window
) {
    for (const auto& event : events) {
        const bool is_its = event.downstream == probe && !event.paused &&
                            event.sent_at >= window.from && event.sent_at < window.until;
        if (!is_its || tells_nothing(event)) {
            continue;
        }
        const bool faulty =
            event.jobs.empty() || std::ranges::any_of(event.jobs, [](const LadderJob& job) {
                return !fault_of_probe(job.name, end_of(job)).empty();
            });
        ++facts.probed;
        facts.faulty += faulty ? 1 : 0;
    }
}

std::string freeze_reason(const FreezeFacts& facts, const Profile& profile) {
    if (static_cast<double>(facts.unsent) >
        profile.unsent_max * static_cast<double>(facts.dispatches)) {
        return fmt::format(
            "the relay could not send {} of {} dispatches", facts.unsent, facts.dispatches
        );
    }
    if (is_half(facts.faulty, facts.probed, profile)) {
        return fmt::format(
            "{} of {} runs of the relay's own probe did not end as they were made to",
            facts.faulty,
            facts.probed
        );
    }
    if (is_half(facts.violated, facts.judged, profile)) {
        return fmt::format("{} of {} are violated at once", facts.violated, facts.judged);
    }
    return {};
}

bool is_judged(const LadderFacts& facts) {
    return facts.listed >= Level::l3 && !facts.paused;
}

bool is_violated(const LadderFacts& facts, const Profile& profile, TimePoint as_of) {
    if (!is_judged(facts) || (facts.standing && facts.standing->state == LadderState::temporary)) {
        return false;
    }
    return weights_of(facts, profile, as_of).violated();
}

TimePoint add_working_days(TimePoint from, int days, Millis day_length) {
    constexpr std::int64_t kWeek = 7;
    constexpr std::int64_t kFirstIsThursday = 3; // counted from Monday
    constexpr std::int64_t kSaturday = 5;
    while (days > 0) {
        from += day_length;
        const auto day = from.time_since_epoch() / day_length;
        days -= (day + kFirstIsThursday) % kWeek < kSaturday ? 1 : 0;
    }
    return from;
}

} // namespace baton::domain
