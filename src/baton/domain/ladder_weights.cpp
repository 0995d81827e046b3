#include "baton/domain/ladder_weights.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/figure_text.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kFewest = 3; // events it must have answered to return with a small sample

bool rests_on_exclusions(Figure figure) {
    return figure == Figure::pass_adj || figure == Figure::pass_run || figure == Figure::infra_fail;
}

/// Weighed, and insufficient when too much of the window was set aside.
std::vector<CriterionVerdict> weigh_all(
    const std::vector<Criterion>& criteria,
    const LadderHistory& history,
    const Profile& profile,
    TimePoint as_of
) {
    std::vector<CriterionVerdict> verdicts;
    for (const auto& criterion : criteria) {
        auto verdict = weigh(criterion, history, as_of, profile.quantiles);
        if (rests_on_exclusions(criterion.figure)) {
            const LadderWindow window{
                .from = as_of - (criterion.window * history.day_length),
                .until = as_of,
            };
            const auto excluded =
                measure(Figure::excluded_share, history, window, profile.quantiles);
            if (excluded.value.value_or(0) > profile.excluded_max) {
                verdict.met = Met::insufficient;
                verdict.advice = fmt::format(
                    "{} of it is not the downstream's and was set aside: wait",
                    figure_text(Figure::excluded_share, *excluded.value)
                );
            }
        }
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

/// "pass rate after exclusions 84.1 % of 132 in 7 days, asked >= 90.0 %"
std::string sentence_of(const CriterionVerdict& one) {
    const auto& of = one.criterion;
    if (of.figure == Figure::silence) { // it reaches back to the last answer, whatever the window
        return fmt::format(
            "{} {}, {} unanswered, asked {} {}",
            phrase_of(of.figure),
            figure_text(of.figure, one.measured.value.value_or(0)),
            one.measured.n,
            name_of(of.comparison),
            figure_text(of.figure, of.target)
        );
    }
    return fmt::format(
        "{} {} of {} in {} days, asked {} {}{}",
        phrase_of(of.figure),
        one.measured.value ? figure_text(of.figure, *one.measured.value) : "unknown",
        one.measured.n,
        of.window,
        name_of(of.comparison),
        figure_text(of.figure, of.target),
        of.bound == Bound::none ? "" : fmt::format(" ({} bound)", name_of(of.bound))
    );
}

} // namespace

bool any_is(const std::vector<CriterionVerdict>& verdicts, Met met) {
    return std::ranges::any_of(verdicts, [met](const auto& one) { return one.met == met; });
}

bool all_are(const std::vector<CriterionVerdict>& verdicts, Met met) {
    return std::ranges::all_of(verdicts, [met](const auto& one) { return one.met == met; });
}

void append(std::vector<CriterionVerdict>& to, const std::vector<CriterionVerdict>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::string> ids_of(const std::vector<CriterionVerdict>& verdicts) {
    std::vector<std::string> ids;
    for (const auto& one : verdicts) {
        ids.push_back(one.criterion.id);
    }
    return ids;
}

std::vector<CriterionVerdict> missed_of(const std::vector<CriterionVerdict>& verdicts) {
    std::vector<CriterionVerdict> missed;
    for (const auto& one : verdicts) {
        if (one.met == Met::no) {
            missed.push_back(one);
        }
    }
    return missed;
}

bool LadderWeights::violated() const {
    return any_is(demotion, Met::no) || any_is(at_once, Met::no);
}

bool LadderWeights::troubled() const {
    return violated() || any_is(watch, Met::no);
}

bool LadderWeights::tells_nothing() const {
    auto relevant = against();
    if (relevant.empty() || troubled()) {
        return false;
    }
    const auto is_other = [](const CriterionVerdict& one) {
        return !rests_on_exclusions(one.criterion.figure) &&
               one.criterion.figure != Figure::pass_raw;
    };
    if (!std::ranges::all_of(relevant, is_other)) {
        std::erase_if(relevant, is_other);
    }
    return all_are(relevant, Met::insufficient);
}

std::vector<CriterionVerdict> LadderWeights::lowering() const {
    auto together = at_once;
    append(together, demotion);
    return together;
}

std::vector<CriterionVerdict> LadderWeights::against() const {
    auto together = lowering();
    append(together, watch);
    return together;
}

std::string missed_text(const std::vector<CriterionVerdict>& verdicts) {
    std::string text;
    for (const auto& one : verdicts) {
        if (one.met == Met::no) {
            text += (text.empty() ? "" : "; ") + sentence_of(one);
        }
    }
    return text;
}

const std::vector<Criterion>& criteria_above(Level level, const Profile& profile) {
    static const std::vector<Criterion> kNone;
    switch (level) {
    case Level::l1:
        return profile.to_l2;
    case Level::l2:
        return profile.to_l3;
    case Level::l3:
        return profile.to_l4;
    case Level::l4:
        break;
    }
    return kNone;
}

LadderHistory since_raised(const LadderFacts& facts) {
    auto history = facts.history;
    if (facts.standing && facts.standing->raised_at) {
        std::erase_if(history.days, [&facts](const LadderDay& day) {
            return day.day < *facts.standing->raised_at;
        });
    }
    return history;
}

bool is_clean_with_few(const LadderFacts& facts, const Profile& profile, TimePoint as_of) {
    auto criteria = profile.restore;
    int longest = 0;
    for (auto& criterion : criteria) {
        criterion.least = 0;
        longest = std::max(longest, criterion.window);
    }
    std::size_t answered = 0;
    for (const auto& day : facts.history.days) {
        const bool is_in =
            day.day >= as_of - (longest * facts.history.day_length) && day.day < as_of;
        answered += is_in && !day.paused ? std::min(day.answered, day.decided) : 0;
    }
    return answered >= kFewest &&
           all_are(weigh_all(criteria, facts.history, profile, as_of), Met::yes);
}

LadderWeights weights_of(const LadderFacts& facts, const Profile& profile, TimePoint as_of) {
    const auto weighed = [&](const std::vector<Criterion>& criteria) {
        return weigh_all(criteria, facts.history, profile, as_of);
    };
    LadderWeights weights;
    if (facts.listed >= Level::l3) {
        const auto since = since_raised(facts);
        weights.watch = weighed(profile.watch);
        weights.demotion = weigh_all(profile.demotion, since, profile, as_of);
        weights.at_once = weigh_all(profile.at_once, since, profile, as_of);
        weights.restore = weighed(profile.restore);
    }
    weights.next = weighed(criteria_above(facts.listed, profile));
    return weights;
}

} // namespace baton::domain
