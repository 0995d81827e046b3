#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/profile.hpp"

#include <optional>
#include <vector>

namespace baton::domain {

/// The first midnight from `as_of` on at which every criterion would be met if from now on
/// everything passes, as often and as fast as it was; none within a quarter.
std::optional<TimePoint> first_met(
    const std::vector<Criterion>& criteria,
    const LadderHistory& history,
    TimePoint as_of,
    Quantiles how
);

} // namespace baton::domain
