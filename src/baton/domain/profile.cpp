#include "baton/domain/profile.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/figure_text.hpp"
#include "baton/domain/ladder_day.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace baton::domain {

namespace {

constexpr std::size_t kMoreMax = 100'000; // beyond that, advice is no advice

constexpr std::array<std::pair<Comparison, std::string_view>, 4> kComparisons{{
    {Comparison::below, "<"},
    {Comparison::at_most, "<="},
    {Comparison::above, ">"},
    {Comparison::at_least, ">="},
}};

constexpr std::array<std::pair<Bound, std::string_view>, 3> kBounds{{
    {Bound::none, "none"},
    {Bound::lower, "lower"},
    {Bound::upper, "upper"},
}};

bool holds(Comparison comparison, double value, double target) {
    switch (comparison) {
    case Comparison::below:
        return value < target;
    case Comparison::at_most:
        return value <= target;
    case Comparison::above:
        return value > target;
    case Comparison::at_least:
        return value >= target;
    }
    return false;
}

bool is_more_better(Comparison comparison) {
    return comparison == Comparison::at_least || comparison == Comparison::above;
}

Measured measured_of(BoundedShare share) {
    return {
        .value = share.value(),
        .n = share.n,
        .lower = share.lower(),
        .upper = share.upper(),
    };
}

/// How many good ones in a row would meet it; none: no number of them does.
std::optional<std::size_t> good_ones(const Criterion& criterion, const Measured& measured) {
    const auto k = static_cast<std::size_t>(
        std::llround(measured.value.value_or(0) * static_cast<double>(measured.n))
    );
    const bool more = is_more_better(criterion.comparison);
    const auto met_with = [&](std::size_t m) {
        const auto share = measured_of({.k = more ? k + m : k, .n = measured.n + m});
        const auto value = compared(share, criterion.bound);
        return share.n >= criterion.least && value &&
               holds(criterion.comparison, *value, criterion.target);
    };
    if (!met_with(kMoreMax)) {
        return std::nullopt;
    }
    std::size_t low = 0; // is not enough
    std::size_t high = kMoreMax;
    while (high - low > 1) {
        const auto middle = low + ((high - low) / 2);
        (met_with(middle) ? high : low) = middle;
    }
    return high;
}

/// A share that is met, while the end of its interval that speaks against it is not.
std::string weakness_of(const Criterion& criterion, const Measured& measured) {
    const auto& worst = is_more_better(criterion.comparison) ? measured.lower : measured.upper;
    const bool is_weak = criterion.bound == Bound::none && is_share(criterion.figure) && worst &&
                         !holds(criterion.comparison, *worst, criterion.target);
    return is_weak ? fmt::format(
                         "met, weakly supported: with so few it may as well be {}",
                         figure_text(criterion.figure, *worst)
                     )
                   : "";
}

std::string advice_for(const Criterion& criterion, const Measured& measured, Met met) {
    if (met == Met::yes) {
        return weakness_of(criterion, measured);
    }
    if (!measured.value) {
        return measured.n == 0 ? "nothing was measured yet" : "it is not known";
    }
    if (met == Met::insufficient) {
        const auto more = criterion.least - measured.n;
        return fmt::format("{} more sample{}", more, more == 1 ? "" : "s");
    }
    if (is_share(criterion.figure)) {
        const auto more = good_ones(criterion, measured);
        return more ? fmt::format("{} more good ones in a row", *more)
                    : "no number of good ones alone";
    }
    const auto away = std::abs(*measured.value - criterion.target);
    return fmt::format(
        "{} {}",
        figure_text(criterion.figure, away),
        is_more_better(criterion.comparison) ? "more" : "less"
    );
}

} // namespace

std::optional<double> compared(const Measured& measured, Bound bound) {
    switch (bound) {
    case Bound::none:
        return measured.value;
    case Bound::lower:
        return measured.lower;
    case Bound::upper:
        return measured.upper;
    }
    return std::nullopt;
}

std::string_view name_of(Comparison comparison) {
    const auto* const found = std::ranges::find(
        kComparisons, comparison, &std::pair<Comparison, std::string_view>::first
    );
    return found == kComparisons.end() ? std::string_view{} : found->second;
}

std::optional<Comparison> comparison_named(std::string_view name) {
    const auto* const found =
        std::ranges::find(kComparisons, name, &std::pair<Comparison, std::string_view>::second);
    return found == kComparisons.end() ? std::nullopt : std::optional(found->first);
}

std::string_view name_of(Bound bound) {
    const auto* const found =
        std::ranges::find(kBounds, bound, &std::pair<Bound, std::string_view>::first);
    return found == kBounds.end() ? std::string_view{} : found->second;
}

std::optional<Bound> bound_named(std::string_view name) {
    const auto* const found =
        std::ranges::find(kBounds, name, &std::pair<Bound, std::string_view>::second);
    return found == kBounds.end() ? std::nullopt : std::optional(found->first);
}

std::set<int> windows_of(const Profile& profile) {
    std::set<int> windows;
    for (const auto* criteria :
         {&profile.to_l2,
          &profile.to_l3,
          &profile.to_l4,
          &profile.watch,
          &profile.demotion,
          &profile.at_once,
          &profile.restore}) {
        for (const auto& criterion : *criteria) {
            windows.insert(criterion.window);
        }
    }
    return windows;
}

int history_days(const Profile& profile) {
    constexpr int kSilenceDays = 90;
    const auto windows = windows_of(profile);
    return std::max(kSilenceDays, windows.empty() ? 0 : *windows.rbegin());
}

std::string label_of(const Profile& profile) {
    return fmt::format("{}/{}", profile.name, profile.version);
}

std::string_view name_of(Met met) {
    switch (met) {
    case Met::yes:
        return "met";
    case Met::no:
        return "missed";
    case Met::insufficient:
        return "insufficient";
    }
    return "";
}

CriterionVerdict
weigh(const Criterion& criterion, const LadderHistory& history, TimePoint as_of, Quantiles how) {
    const LadderWindow window{
        .from = as_of - (criterion.window * history.day_length),
        .until = as_of,
    };
    CriterionVerdict verdict{
        .criterion = criterion,
        .measured = measure(criterion.figure, history, window, how),
        .met = Met::insufficient,
        .advice = {},
    };
    const auto value = compared(verdict.measured, criterion.bound);
    if (value && verdict.measured.n >= criterion.least) {
        verdict.met = holds(criterion.comparison, *value, criterion.target) ? Met::yes : Met::no;
    }
    verdict.advice = advice_for(criterion, verdict.measured, verdict.met);
    return verdict;
}

} // namespace baton::domain
