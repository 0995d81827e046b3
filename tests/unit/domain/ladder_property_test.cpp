#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unit/domain/ladder_story.hpp"

namespace baton::domain {

namespace {

using namespace ladder_story;

RC_GTEST_PROP(LadderProperty, BoundsLieAroundTheShare, ()) {
    const auto n = *rc::gen::inRange<std::size_t>(1, 100'000);
    const auto k = *rc::gen::inRange<std::size_t>(0, n + 1);
    const BoundedShare share{.k = k, .n = n};
    RC_ASSERT(*share.lower() >= 0);
    RC_ASSERT(*share.lower() <= *share.value());
    RC_ASSERT(*share.value() <= *share.upper());
    RC_ASSERT(*share.upper() <= 1);
    const BoundedShare more{.k = k * 2, .n = n * 2};
    RC_ASSERT(*more.upper() - *more.lower() <= *share.upper() - *share.lower());
}

LadderDay any_day(int number) {
    auto one =
        day(number, *rc::gen::inRange<std::size_t>(0, 40), *rc::gen::inRange<std::size_t>(0, 12));
    const auto failed = one.outcomes[place(OutcomeClass::test)];
    const auto excluded = *rc::gen::inRange<std::size_t>(0, failed + 1);
    one.excluded[place(OutcomeClass::test)] = excluded;
    one.alone = *rc::gen::inRange<std::size_t>(0, excluded + 1);
    one.alone_events = one.alone;
    one.decided -= excluded;
    one.timed_out = *rc::gen::inRange<std::size_t>(0, failed + 1);
    return one;
}

std::vector<LadderDay> any_days(int count) {
    std::vector<LadderDay> all;
    for (int i = 0; i < count; ++i) {
        all.push_back(any_day(i));
    }
    return all;
}

LadderDay with_one_more_success(LadderDay one) {
    ++one.events;
    ++one.answered;
    ++one.decided;
    ++one.passed;
    ++one.completed;
    ++one.completed_passed;
    ++one.outcomes[place(OutcomeClass::success)];
    return one;
}

int rank_of(Met met) {
    return met == Met::no ? 0 : met == Met::insufficient ? 1 : 2;
}

RC_GTEST_PROP(LadderProperty, OneMoreSuccessLowersNoRate, ()) {
    const auto all = any_days(7);
    auto better = all;
    auto& one = better[*rc::gen::inRange<std::size_t>(0, better.size())];
    one = with_one_more_success(one);
    const LadderWindow window{.from = kMonday, .until = kMonday + 7 * kDay};
    for (const auto figure :
         {Figure::pass_raw, Figure::pass_adj, Figure::pass_run, Figure::answered}) {
        const auto before = measure(figure, history(all), window, Quantiles::nearest_rank);
        const auto after = measure(figure, history(better), window, Quantiles::nearest_rank);
        RC_ASSERT(after.value.value_or(0) >= before.value.value_or(0));
        RC_ASSERT(after.lower.value_or(0) >= before.lower.value_or(0));
        RC_ASSERT(after.upper.value_or(0) >= before.upper.value_or(0));
    }
    for (const auto figure : {Figure::timeout_rate, Figure::excluded_share, Figure::infra_fail}) {
        const auto before = measure(figure, history(all), window, Quantiles::nearest_rank);
        const auto after = measure(figure, history(better), window, Quantiles::nearest_rank);
        RC_ASSERT(after.value.value_or(0) <= before.value.value_or(1));
    }
}

RC_GTEST_PROP(LadderProperty, OneMoreSuccessMakesNoVerdictWorse, ()) {
    auto profile = rules();
    profile.excluded_max = 1; // less set aside may make known what was not
    for (auto* list : {&profile.watch, &profile.demotion, &profile.at_once}) {
        for (auto& criterion : *list) {
            criterion.least = 0; // and so may one more sample
        }
    }
    LadderFacts facts{.listed = Level::l3, .history = history(any_days(7))};
    const auto as_of = kMonday + 7 * kDay;
    const auto before = judge_level(facts, profile, as_of, "");
    auto& one = facts.history.days[*rc::gen::inRange<std::size_t>(0, 7)];
    one = with_one_more_success(one);
    const auto after = judge_level(facts, profile, as_of, "");
    RC_ASSERT(after.standing.effective >= before.standing.effective);
    RC_ASSERT(after.standing.state <= before.standing.state);
    RC_ASSERT(after.demotion.size() >= before.demotion.size() || before.violated);
    for (std::size_t i = 0; i < 3; ++i) {
        RC_ASSERT(rank_of(after.demotion[i].met) >= rank_of(before.demotion[i].met));
    }
}

Sent any_sent() {
    Sent one;
    one.by = *rc::gen::element<std::string>("a/a", "b/b", "c/c", "d/d", "a/second");
    one.letters =
        *rc::gen::element<std::string>("+", "+", "-", "--", "-+", "!", "t", "z", "c", "", "s");
    one.at = std::chrono::hours(*rc::gen::inRange(0, 72));
    one.pr = *rc::gen::inRange(0, 4);
    one.head = one.pr == 0 ? "trunk" + std::to_string(one.at / 8h)
                           : "pull" + std::to_string(one.pr) + std::to_string(one.at / 24h);
    one.job = *rc::gen::element<std::string>("test", "build");
    return one;
}

RC_GTEST_PROP(LadderProperty, TheOrderOfTheEvidenceDoesNotMatter, ()) {
    auto told = evidence(*rc::gen::container<std::vector<Sent>>(rc::gen::exec(any_sent)));
    told.pulls[PrNumber{1}] = {.merged_at = kMonday + 40h};
    told.pulls[PrNumber{2}] = {.closed_at = kMonday + 40h};
    const auto by_name = [](const LadderEvidence& of) {
        std::map<std::tuple<DispatchId, std::string, std::string>, JudgedOutcome> all;
        for (auto one : judge_outcomes(of)) {
            const auto id = of.events[one.event].id;
            one.event = 0;
            const auto name = std::tuple(id, one.workflow, one.job);
            all.emplace(name, std::move(one));
        }
        return all;
    };
    auto mixed = told;
    const auto keys =
        *rc::gen::container<std::vector<int>>(told.events.size(), rc::gen::inRange(0, 1000));
    std::vector<std::pair<int, LadderEvent>> keyed;
    for (std::size_t i = 0; i < told.events.size(); ++i) {
        keyed.emplace_back(keys[i], told.events[i]);
    }
    std::ranges::sort(keyed, {}, [](const auto& one) {
        return std::tuple(one.first, one.second.id);
    });
    for (std::size_t i = 0; i < keyed.size(); ++i) {
        mixed.events[i] = keyed[i].second;
    }
    RC_ASSERT(by_name(mixed) == by_name(told));
    const auto acme = *RepoName::parse("a/a");
    RC_ASSERT(
        days_of(mixed, judge_outcomes(mixed), acme, {}, kDay) ==
        days_of(told, judge_outcomes(told), acme, {}, kDay)
    );
}

RC_GTEST_PROP(LadderProperty, NobodyMovesUpAndDownFasterThanTheRulesAllow, ()) {
    const auto profile = rules();
    LadderFacts facts{.listed = Level::l3, .history = history({})};
    std::optional<int> demoted;
    std::optional<int> returned;
    for (int now = 1; now <= 60; ++now) {
        const auto kind = *rc::gen::inRange(0, 4);
        facts.history.days.push_back(
            kind == 0   ? day(now - 1, 0, 20)
            : kind == 1 ? silent_day(now - 1, 10)
            : kind == 2 ? day(now - 1, 17, 3)
                        : day(now - 1, 200, 0)
        );
        const auto verdict = judge_level(facts, profile, kMonday + now * kDay, "");
        for (const auto& moved : verdict.transitions) {
            if (moved.move == LadderMove::demoted) {
                const bool at_once = std::ranges::any_of(moved.rules, [](const std::string& rule) {
                    return rule.starts_with("once.");
                });
                RC_ASSERT(!returned || at_once || now - *returned >= profile.cool_down);
                demoted = now;
            }
            if (moved.move == LadderMove::returned) {
                RC_ASSERT(demoted);
                RC_ASSERT(now - *demoted >= profile.temporary_least);
                RC_ASSERT(now - *demoted >= profile.restore_after);
                returned = now;
            }
        }
        RC_ASSERT(verdict.standing.effective <= verdict.standing.listed);
        RC_ASSERT(
            (verdict.standing.effective < verdict.standing.listed) ==
            (verdict.standing.state == LadderState::temporary)
        );
        facts.standing = verdict.standing;
    }
}

} // namespace

} // namespace baton::domain
