#include "baton/base/assert.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outcome.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr double kZ = 1.645;            // one-sided 95 %
constexpr double kRounding = 1e-9;      // 0.95 of 20 is 19, whatever a double makes of it
constexpr std::size_t kAloneEvery = 20; // one of so many may be set aside because it stands alone

constexpr std::array<std::pair<Figure, std::string_view>, 25> kFigureNames{{
    {Figure::tenure_l2, "tenure_l2"},
    {Figure::tenure_l3, "tenure_l3"},
    {Figure::events, "events"},
    {Figure::days_with_data, "days_with_data"},
    {Figure::pass_raw, "pass_raw"},
    {Figure::pass_adj, "pass_adj"},
    {Figure::pass_run, "pass_run"},
    {Figure::answered, "answered"},
    {Figure::infra_fail, "infra_fail"},
    {Figure::flake_rate, "flake_rate"},
    {Figure::false_alarm, "false_alarm"},
    {Figure::timeout_rate, "timeout_rate"},
    {Figure::overrun_rate, "overrun_rate"},
    {Figure::excluded_share, "excluded_share"},
    {Figure::device_named, "device_named"},
    {Figure::invalid_rate, "invalid_rate"},
    {Figure::limited, "limited"},
    {Figure::gate_coverage, "gate_coverage"},
    {Figure::queue_mean, "queue_mean"},
    {Figure::queue_p50, "queue_p50"},
    {Figure::queue_p95, "queue_p95"},
    {Figure::e2e_p50, "e2e_p50"},
    {Figure::e2e_p95, "e2e_p95"},
    {Figure::silence, "silence"},
    {Figure::oncall_p50, "oncall_p50"},
}};

/// The days of a window, summed up.
class Sum {
public:
    Sum(const LadderHistory& history, LadderWindow window) {
        for (const auto& day : history.days) {
            if (day.day >= window.from && day.day < window.until && !day.paused) {
                days_.push_back(&day);
            }
        }
    }

    std::size_t of(std::size_t LadderDay::* count) const {
        std::size_t all = 0;
        for (const auto* day : days_) {
            all += day->*count;
        }
        return all;
    }

    std::size_t days_with(std::size_t LadderDay::* count) const {
        return static_cast<std::size_t>(std::ranges::count_if(days_, [count](const auto* day) {
            return day->*count > 0;
        }));
    }

    /// Outcomes of the classes that `holds` takes; without those set aside.
    template <class Holds> std::size_t counting(Holds holds) const {
        std::size_t all = 0;
        for (const auto* day : days_) {
            for (std::size_t i = 0; i < kOutcomeClasses.size(); ++i) {
                if (holds(kOutcomeClasses[i])) {
                    all += day->outcomes[i] - std::min(day->excluded[i], day->outcomes[i]);
                }
            }
        }
        return all;
    }

    std::size_t set_aside() const {
        std::size_t all = 0;
        for (const auto* day : days_) {
            all += std::accumulate(day->excluded.begin(), day->excluded.end(), std::size_t{0});
        }
        return all;
    }

    std::vector<Millis> samples(std::vector<Millis> LadderDay::* of) const {
        std::vector<Millis> all;
        for (const auto* day : days_) {
            all.insert(all.end(), (day->*of).begin(), (day->*of).end());
        }
        std::ranges::sort(all);
        return all;
    }

private:
    std::vector<const LadderDay*> days_;
};

std::size_t beyond_limit(std::size_t alone, std::size_t decided) {
    const auto allowed = ((decided + alone) + kAloneEvery - 1) / kAloneEvery;
    return alone > allowed ? alone - allowed : 0;
}

BoundedShare pass_adj(const Sum& sum) {
    const auto passed = sum.counting(is_green);
    const auto decided = passed + sum.counting(is_red);
    return {.k = passed, .n = decided + beyond_limit(sum.of(&LadderDay::alone), decided)};
}

BoundedShare pass_run(const Sum& sum) {
    const auto decided = sum.of(&LadderDay::decided);
    const auto alone = sum.of(&LadderDay::alone_events);
    return {.k = sum.of(&LadderDay::passed), .n = decided + beyond_limit(alone, decided)};
}

/// What was set aside because it is not the downstream's, of all that was decided.
BoundedShare excluded_share(const Sum& sum) {
    const auto others = sum.of(&LadderDay::repeated) + sum.of(&LadderDay::alone);
    const auto all = sum.set_aside();
    const auto excluded = all - std::min(others, all);
    return {.k = excluded, .n = excluded + sum.counting(is_decided)};
}

BoundedShare false_alarm(const Sum& sum) {
    const auto alarms = sum.of(&LadderDay::false_alarms);
    return {.k = alarms, .n = alarms + sum.of(&LadderDay::true_positives)};
}

BoundedShare flake_rate(const Sum& sum) {
    const auto is_flake = [](OutcomeClass outcome) { return outcome == OutcomeClass::flake; };
    return {.k = sum.counting(is_flake), .n = sum.counting(is_green)};
}

Measured share_of(BoundedShare share) {
    return {
        .value = share.value(),
        .n = share.n,
        .lower = share.lower(),
        .upper = share.upper(),
    };
}

Measured share_of(const Sum& sum, std::size_t LadderDay::* k, std::size_t LadderDay::* n) {
    return share_of({.k = sum.of(k), .n = sum.of(n)});
}

Measured count_of(std::size_t count, std::size_t n) {
    return {.value = static_cast<double>(count), .n = n, .lower = {}, .upper = {}};
}

Measured time_of(const std::vector<Millis>& sorted, std::optional<double> p, Quantiles how) {
    Measured measured{.value = {}, .n = sorted.size(), .lower = {}, .upper = {}};
    if (sorted.empty()) {
        return measured;
    }
    if (p) {
        measured.value = static_cast<double>(quantile(sorted, *p, how)->count());
    } else {
        const auto all = std::accumulate(sorted.begin(), sorted.end(), Millis{});
        measured.value = static_cast<double>(all.count()) / static_cast<double>(sorted.size());
    }
    return measured;
}

double days_between(TimePoint from, TimePoint until, Millis day_length) {
    return static_cast<double>((until - from).count()) / static_cast<double>(day_length.count());
}

Measured tenure(std::optional<TimePoint> since, TimePoint until, Millis day_length) {
    if (!since) {
        return {};
    }
    const auto days = std::max(days_between(*since, until, day_length), 0.0);
    return {.value = std::floor(days), .n = 1, .lower = {}, .upper = {}};
}

/// Since the first of those that nobody answered after the last answer. Days on which nothing was
/// sent are cut out: it was paused or suspended, or nothing happened that it could be silent about.
Measured silence(const LadderHistory& history, LadderWindow window) {
    std::optional<TimePoint> answered;
    for (const auto& day : history.days) {
        if (day.day < window.until) {
            answered = std::max(answered, day.last_answer_at);
        }
    }
    std::optional<TimePoint> since;
    std::size_t unanswered = 0;
    std::size_t asked = 0; // days
    for (const auto& day : history.days) {
        if (day.day >= window.until) {
            continue;
        }
        const auto& first = day.first_unanswered_at;
        if (!since && first && (!answered || *first > *answered)) {
            since = first;
        }
        unanswered += since ? day.events - std::min(day.answered, day.events) : 0;
        asked += since && day.events > 0 ? 1 : 0;
    }
    if (!since) {
        const auto sent = Sum(history, window).of(&LadderDay::events);
        return sent == 0 ? Measured{} : count_of(0, sent);
    }
    const auto first_day = day_of(*since, history.day_length);
    const auto before = days_between(first_day, *since, history.day_length);
    return {
        .value = std::max(static_cast<double>(asked) - before, 0.0) * 24,
        .n = unanswered,
        .lower = {},
        .upper = {},
    };
}

std::optional<double> bound_of(const BoundedShare& share, double sign) {
    if (share.n == 0) {
        return std::nullopt;
    }
    if (share.k == (sign < 0 ? 0 : share.n)) {
        return sign < 0 ? 0 : 1; // exactly: rounding must not make one more success look worse
    }
    const auto n = static_cast<double>(share.n);
    const auto k = static_cast<double>(share.k);
    const auto centre = (k + (kZ * kZ / 2)) / (n + (kZ * kZ));
    const auto half = kZ / (n + (kZ * kZ)) * std::sqrt((k * (n - k) / n) + (kZ * kZ / 4));
    return std::clamp(centre + (sign * half), 0.0, 1.0);
}

} // namespace

std::optional<double> BoundedShare::value() const {
    return n == 0 ? std::nullopt : std::optional(static_cast<double>(k) / static_cast<double>(n));
}

std::optional<double> BoundedShare::lower() const {
    return bound_of(*this, -1);
}

std::optional<double> BoundedShare::upper() const {
    return bound_of(*this, 1);
}

std::optional<Millis> quantile(const std::vector<Millis>& sorted, double p, Quantiles how) {
    BATON_ASSERT(p >= 0 && p <= 1);
    if (sorted.empty()) {
        return std::nullopt;
    }
    const auto rank = p * static_cast<double>(sorted.size());
    const auto place =
        how == Quantiles::compat ? std::floor(rank) : std::ceil(rank - kRounding) - 1;
    const auto last = static_cast<double>(sorted.size() - 1);
    return sorted[static_cast<std::size_t>(std::clamp(place, 0.0, last))];
}

std::string_view name_of(Figure figure) {
    const auto* const found =
        std::ranges::find(kFigureNames, figure, &std::pair<Figure, std::string_view>::first);
    return found == kFigureNames.end() ? std::string_view{} : found->second;
}

std::optional<Figure> figure_named(std::string_view name) {
    const auto* const found =
        std::ranges::find(kFigureNames, name, &std::pair<Figure, std::string_view>::second);
    return found == kFigureNames.end() ? std::nullopt : std::optional(found->first);
}

Measured measure(Figure figure, const LadderHistory& history, LadderWindow window, Quantiles how) {
    const Sum sum(history, window);
    const auto end_to_end = how == Quantiles::compat ? &LadderDay::e2e_compat : &LadderDay::e2e;
    switch (figure) {
    case Figure::tenure_l2:
        return tenure(history.first_at_level2, window.until, history.day_length);
    case Figure::tenure_l3:
        return tenure(history.first_at_level3, window.until, history.day_length);
    case Figure::events:
        return count_of(sum.of(&LadderDay::events), sum.of(&LadderDay::events));
    case Figure::days_with_data:
        return count_of(sum.days_with(&LadderDay::events), sum.days_with(&LadderDay::events));
    case Figure::pass_raw:
        return share_of(sum, &LadderDay::completed_passed, &LadderDay::completed);
    case Figure::pass_adj:
        return share_of(pass_adj(sum));
    case Figure::pass_run:
        return share_of(pass_run(sum));
    case Figure::answered:
        return share_of(sum, &LadderDay::answered, &LadderDay::events);
    case Figure::infra_fail:
        return share_of({.k = sum.counting(is_infra), .n = sum.counting(is_decided)});
    case Figure::flake_rate:
        return share_of(flake_rate(sum));
    case Figure::false_alarm:
        return share_of(false_alarm(sum));
    case Figure::timeout_rate:
        return share_of(sum, &LadderDay::timed_out, &LadderDay::completed);
    case Figure::overrun_rate:
        return share_of(sum, &LadderDay::overran, &LadderDay::ran);
    case Figure::excluded_share:
        return share_of(excluded_share(sum));
    case Figure::device_named:
        return share_of(sum, &LadderDay::device_named, &LadderDay::runs);
    case Figure::invalid_rate:
        return share_of(sum, &LadderDay::invalid, &LadderDay::reports);
    case Figure::limited:
        return count_of(sum.of(&LadderDay::limited), sum.of(&LadderDay::reports));
    case Figure::gate_coverage:
        return share_of(sum, &LadderDay::merged_covered, &LadderDay::merged);
    case Figure::queue_mean:
        return time_of(sum.samples(&LadderDay::queue), std::nullopt, how);
    case Figure::queue_p50:
        return time_of(sum.samples(&LadderDay::queue), 0.5, how);
    case Figure::queue_p95:
        return time_of(sum.samples(&LadderDay::queue), 0.95, how);
    case Figure::e2e_p50:
        return time_of(sum.samples(end_to_end), 0.5, how);
    case Figure::e2e_p95:
        return time_of(sum.samples(end_to_end), 0.95, how);
    case Figure::silence:
        return silence(history, window);
    case Figure::oncall_p50:
        return time_of(sum.samples(&LadderDay::oncall), 0.5, how);
    }
    return {};
}

} // namespace baton::domain
