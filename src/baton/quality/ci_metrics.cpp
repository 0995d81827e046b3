#include "baton/quality/ci_metrics.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/event_verdict.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outage.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

using domain::LadderEvent;
using std::chrono::days;

constexpr int kMonthDays = 30;
constexpr std::int64_t kEventsLeast = 20;
constexpr std::int64_t kOutagesMax = 3;
constexpr std::int64_t kPullsLeast = 20;
constexpr std::int64_t kNightGapMax = 3;
constexpr int kGatingLevel = 4;
constexpr Millis kDayLength{std::chrono::hours{24}};

Window back(Day as_of, int count) {
    return {.from = as_of - days{count}, .to = as_of};
}

bool is_in(TimePoint when, Window window) {
    return when >= window.from && when < window.to;
}

/// Its own events of a window, oldest first; planned maintenance is none.
std::vector<const LadderEvent*> events_of(const CiFacts& facts, Window window) {
    std::vector<const LadderEvent*> own;
    for (const auto& event : facts.evidence.events) {
        if (event.downstream == facts.downstream && is_in(event.sent_at, window) && !event.paused) {
            own.push_back(&event);
        }
    }
    std::ranges::sort(own, {}, [](const LadderEvent* event) {
        return std::pair(event->sent_at, event->id);
    });
    return own;
}

/// A month cannot be told of from what was first heard of last week.
bool is_too_young(Metric& metric, const CiFacts& facts) {
    std::optional<TimePoint> first;
    const auto see = [&first](TimePoint when) { first = std::min(first.value_or(when), when); };
    for (const auto& event : facts.evidence.events) {
        if (event.downstream == facts.downstream) {
            see(event.sent_at);
        }
    }
    std::ranges::for_each(facts.own_nightlies, see);
    if (first && *first < facts.as_of - days{kMonthDays - 1}) {
        return false;
    }
    metric.verdict = MetricVerdict::insufficient;
    metric.reason = first ? fmt::format(
                                "it was first heard of on {}, {} days are needed",
                                to_rfc3339(*first).substr(0, 10),
                                kMonthDays
                            )
                          : "nothing was sent to it";
    return true;
}

/// Hours with three decimals, rounded up: what took too long never seems to have been in time.
Amount hours_of(Millis length) {
    constexpr std::int64_t kMillisOfThousandth = 3600;
    return {.thousandths = (length.count() + kMillisOfThousandth - 1) / kMillisOfThousandth};
}

std::int64_t minutes_of(Millis length) {
    return std::chrono::ceil<std::chrono::minutes>(length).count();
}

void judge_outages(Metric& metric, const std::vector<domain::Outage>& all, bool lasting) {
    const auto longest = domain::longest_of(all);
    const auto count = static_cast<std::int64_t>(all.size());
    metric.verdict = MetricVerdict::unmet;
    if (longest > domain::kOutageMax) {
        metric.reason =
            fmt::format("one took {} hours, 72 at most count", to_text(hours_of(longest)));
    } else if (count > kOutagesMax) {
        metric.reason = fmt::format("{} outages, at most {} count", count, kOutagesMax);
    } else if (20 * metric.num > metric.den) {
        metric.reason =
            fmt::format("outages took {} of {} minutes, more than 5 %", metric.num, metric.den);
    } else if (lasting) {
        metric.verdict = MetricVerdict::pending;
        metric.reason = "an outage lasts";
    } else {
        metric.verdict = MetricVerdict::met;
    }
}

/// The longest row of days without any.
std::int64_t longest_gap(const std::set<Day>& seen, Window window) {
    std::int64_t longest = 0;
    std::int64_t gap = 0;
    for (auto day = window.from; day < window.to; day += days{1}) {
        gap = seen.contains(day) ? 0 : gap + 1;
        longest = std::max(longest, gap);
    }
    return longest;
}

} // namespace

Window cycle_of(const CiFacts& facts) {
    const auto since = facts.released ? (facts.as_of - *facts.released).count() : kMonthDays;
    return back(
        facts.as_of, static_cast<int>(std::clamp<std::int64_t>(since, kMonthDays, kCycleDaysMax))
    );
}

Metric outages(const CiFacts& facts) {
    Metric metric{
        .name = "ci_outages",
        .formula = "3 bad events in a row or 24 h without a good one, until the next good one",
        .least = kEventsLeast,
        .window = cycle_of(facts),
        .figures = {},
        .reason = {},
        .rows = {},
    };
    std::vector<domain::ExpectedRun> runs;
    for (const auto* event : events_of(facts, metric.window)) {
        const auto verdict = domain::verdict_of(*event, facts.required_jobs);
        if (verdict.counts()) {
            runs.push_back(domain::expected_run(*event, verdict));
            metric.rows.push_back(fmt::format(
                "{}\t{}\t{}",
                to_rfc3339(runs.back().due),
                runs.back().good ? "good" : "bad",
                runs.back().completed_at ? to_rfc3339(*runs.back().completed_at) : "-"
            ));
        }
    }
    metric.n = static_cast<std::int64_t>(runs.size());
    if (is_too_young(metric, facts) || lacks_data(metric, "events were answered")) {
        return metric;
    }
    const auto all = domain::outages_of(std::move(runs), facts.cut, facts.as_of);
    Millis together{};
    bool lasting = false;
    for (const auto& outage : all) {
        together += outage.length;
        lasting = lasting || !outage.end;
    }
    metric.num = minutes_of(together);
    metric.den = minutes_of(metric.window.to - metric.window.from);
    metric.figures["outages"] = {.thousandths = static_cast<std::int64_t>(all.size()) * 1000};
    metric.figures["max_recovery_h"] = hours_of(domain::longest_of(all));
    judge_outages(metric, all, lasting);
    return metric;
}

Metric gate_coverage(const CiFacts& facts) {
    Metric metric{
        .name = "gate_coverage_pct",
        .formula = "merged pull requests with a verdict for their head before / those it was sent",
        .least = kPullsLeast,
        .window = back(facts.as_of, kMonthDays),
        .figures = {},
        .reason = {},
        .rows = {},
    };
    const auto judged = domain::judge_outcomes(facts.evidence, kDayLength);
    for (const auto& day : domain::days_of(
             facts.evidence, judged, facts.downstream, facts.required_jobs, kDayLength
         )) {
        if (!is_in(day.day, metric.window) || day.merged == 0) {
            continue;
        }
        metric.num += static_cast<std::int64_t>(day.merged_covered);
        metric.den += static_cast<std::int64_t>(day.merged);
        metric.rows.push_back(fmt::format(
            "{}\t{}\t{}", to_rfc3339(day.day).substr(0, 10), day.merged_covered, day.merged
        ));
    }
    metric.n = metric.den;
    if (facts.level >= kGatingLevel) {
        metric.verdict = MetricVerdict::met; // its check is required: nothing merges past it
        return metric;
    }
    if (lacks_data(metric, "pull requests were merged")) {
        return metric;
    }
    const bool enough = 100 * metric.num >= 95 * metric.den;
    metric.verdict = enough ? MetricVerdict::met : MetricVerdict::unmet;
    metric.reason = enough ? "" : fmt::format("{} of {} had one", metric.num, metric.den);
    return metric;
}

Metric nightly_days(const CiFacts& facts) {
    Metric metric{
        .name = "nightly_days_pct",
        .formula = "days with a nightly that told of tests / 30",
        .least = kMonthDays,
        .window = back(facts.as_of, kMonthDays),
        .figures = {},
        .reason = {},
        .rows = {},
    };
    std::set<Day> seen;
    const auto see = [&seen](TimePoint when) { seen.insert(std::chrono::floor<days>(when)); };
    for (const auto* event : events_of(facts, metric.window)) {
        if (event->event_type == "nightly" &&
            domain::verdict_of(*event, facts.required_jobs).has_verdict()) {
            see(event->sent_at);
        }
    }
    for (const auto when : facts.own_nightlies) {
        if (is_in(when, metric.window)) {
            see(when);
        }
    }
    for (const auto day : seen) {
        metric.rows.push_back(to_text(day));
    }
    metric.num = static_cast<std::int64_t>(seen.size());
    metric.den = kMonthDays;
    metric.n = kMonthDays;
    const auto gap = longest_gap(seen, metric.window);
    metric.figures["longest_gap_days"] = {.thousandths = gap * 1000};
    if (is_too_young(metric, facts)) {
        metric.n = 0;
        return metric;
    }
    const bool enough = 100 * metric.num >= 90 * metric.den;
    metric.verdict = enough && gap <= kNightGapMax ? MetricVerdict::met : MetricVerdict::unmet;
    if (!enough) {
        metric.reason = fmt::format("{} of {} days have one", metric.num, metric.den);
    } else if (gap > kNightGapMax) {
        metric.reason =
            fmt::format("{} days in a row without one, at most {} count", gap, kNightGapMax);
    }
    return metric;
}

} // namespace baton::quality
