#include "baton/domain/ladder_forecast.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr int kForecastDays = 92;
constexpr int kUsualDays = 14;            // what a day is like is told by so many
constexpr std::size_t kUsualSamples = 25; // of times; more tell no other median

std::size_t per_day(std::size_t all, std::size_t days) {
    return (all + days - 1) / days;
}

/// So many samples, spread as the known ones are.
std::vector<Millis> like(std::vector<Millis> known, std::size_t days) {
    std::ranges::sort(known);
    const auto count = std::min(per_day(known.size(), days), kUsualSamples);
    std::vector<Millis> some;
    for (std::size_t i = 0; i < count; ++i) {
        some.push_back(known[(((2 * i) + 1) * known.size()) / (2 * count)]);
    }
    return some;
}

/// A day as the last ones were, on which everything passes.
LadderDay good_day(const LadderHistory& history, TimePoint as_of) {
    LadderDay all;
    std::size_t days = 0;
    std::size_t outcomes = 0;
    for (const auto& day : history.days) {
        if (day.day < as_of - (kUsualDays * history.day_length) || day.day >= as_of || day.paused) {
            continue;
        }
        ++days;
        all.events += day.events;
        all.completed += day.completed;
        all.runs += day.runs;
        all.reports += day.reports;
        all.merged += day.merged;
        for (const auto of : kOutcomeClasses) {
            outcomes += is_decided(of) ? day.outcomes[static_cast<std::size_t>(of) - 1] : 0;
        }
        all.queue.insert(all.queue.end(), day.queue.begin(), day.queue.end());
        all.e2e.insert(all.e2e.end(), day.e2e.begin(), day.e2e.end());
        all.e2e_compat.insert(all.e2e_compat.end(), day.e2e_compat.begin(), day.e2e_compat.end());
        all.oncall.insert(all.oncall.end(), day.oncall.begin(), day.oncall.end());
    }
    LadderDay good;
    if (days == 0) {
        return good;
    }
    good.events = good.answered = good.decided = good.passed = per_day(all.events, days);
    good.outcomes[static_cast<std::size_t>(OutcomeClass::success) - 1] = per_day(outcomes, days);
    good.completed = good.completed_passed = good.ran = per_day(all.completed, days);
    good.runs = good.device_named = per_day(all.runs, days);
    good.reports = per_day(all.reports, days);
    good.merged = good.merged_covered = per_day(all.merged, days);
    good.queue = like(std::move(all.queue), days);
    good.e2e = like(std::move(all.e2e), days);
    good.e2e_compat = like(std::move(all.e2e_compat), days);
    good.oncall = like(std::move(all.oncall), days);
    return good;
}

bool all_met(
    const std::vector<Criterion>& criteria,
    const LadderHistory& history,
    TimePoint as_of,
    Quantiles how
) {
    return std::ranges::all_of(criteria, [&](const Criterion& criterion) {
        return weigh(criterion, history, as_of, how).met == Met::yes;
    });
}

} // namespace

std::optional<TimePoint> first_met(
    const std::vector<Criterion>& criteria,
    const LadderHistory& history,
    TimePoint as_of,
    Quantiles how
) {
    if (all_met(criteria, history, as_of, how)) {
        return as_of;
    }
    auto ahead = history;
    auto good = good_day(history, as_of);
    for (int day = 0; day < kForecastDays; ++day) {
        good.day = as_of + (day * history.day_length);
        good.last_answer_at = good.day;
        ahead.days.push_back(good);
    }
    const auto after = [&](int days) { return as_of + (days * history.day_length); };
    if (!all_met(criteria, ahead, after(kForecastDays), how)) {
        return std::nullopt;
    }
    int low = 0; // is too early
    int high = kForecastDays;
    while (high - low > 1) {
        const int middle = low + ((high - low) / 2);
        (all_met(criteria, ahead, after(middle), how) ? high : low) = middle;
    }
    return after(high);
}

} // namespace baton::domain
