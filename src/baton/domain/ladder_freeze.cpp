#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_weights.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace baton::domain {

std::string freeze_reason(const FreezeFacts& facts, const Profile& profile) {
    if (static_cast<double>(facts.unsent) >
        profile.unsent_max * static_cast<double>(facts.dispatches)) {
        return fmt::format(
            "the relay could not send {} of {} dispatches", facts.unsent, facts.dispatches
        );
    }
    if (facts.violated >= profile.frozen_least &&
        static_cast<double>(facts.violated) >=
            profile.frozen_share * static_cast<double>(facts.judged)) {
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
