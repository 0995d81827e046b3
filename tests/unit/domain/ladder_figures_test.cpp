#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"
#include "baton/domain/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unit/domain/ladder_story.hpp"

namespace baton::domain {

namespace {

using namespace ladder_story;

const RepoName kAcme = *RepoName::parse("acme/x");

LadderWindow days(int from, int until) {
    return {.from = kMonday + from * kDay, .until = kMonday + until * kDay};
}

Measured measured(Figure figure, std::vector<LadderDay> all, LadderWindow window = days(0, 14)) {
    return measure(figure, history(std::move(all)), window, Quantiles::nearest_rank);
}

std::vector<LadderDay>
counted(const LadderEvidence& told, const std::vector<std::string>& required = {}) {
    return days_of(told, judge_outcomes(told), kAcme, required, kDay);
}

TEST(LadderFigures, CountsLatestAttemptsAsUpstreamDoes) {
    // test-infra#8833: 59 attempts of which 51 passed, 52 latest ones of which 49 passed
    LadderEvidence told;
    const auto add = [&told](const std::string& letters, int times) {
        for (int i = 0; i < times; ++i) {
            told.events.push_back(event({.letters = letters, .at = 1h}));
        }
    };
    add("+", 40);
    add("++", 2);
    add("-+", 5);
    add("+", 2);
    add("-", 3);
    std::size_t all = 0;
    std::size_t passed = 0;
    for (const auto& one : told.events) {
        for (const auto& attempt : one.jobs[0].attempts) {
            ++all;
            passed += attempt.conclusion == Conclusion::success ? 1 : 0;
        }
    }
    EXPECT_EQ(all, 59U);
    EXPECT_EQ(passed, 51U);
    const auto raw = measured(Figure::pass_raw, counted(told));
    EXPECT_EQ(raw.n, 52U);
    EXPECT_EQ(std::lround(*raw.value * 1000), 942);
}

TEST(LadderFigures, OneOfAHundredIsNotLessThanOnePercent) {
    auto one = day(0, 100, 0);
    one.overran = 1;
    const auto overrun = asks("l3.overrun", Figure::overrun_rate, Comparison::below, 0.01);
    const auto weighed = [&] {
        return weigh(overrun, history({one}), kMonday + 7 * kDay, Quantiles::nearest_rank).met;
    };
    EXPECT_EQ(weighed(), Met::no);
    one.ran = 101;
    EXPECT_EQ(weighed(), Met::yes);
}

TEST(LadderFigures, FlakyShareIsExactAtFivePercent) {
    const auto low = asks("flaky", Figure::flake_rate, Comparison::below, 0.05, 100);
    const auto weighed = [&low](std::size_t flaky) {
        auto one = day(0, 20184 - flaky, 0);
        one.outcomes[place(OutcomeClass::flake)] = flaky;
        return weigh(low, history({one}), kMonday + 7 * kDay, Quantiles::nearest_rank).met;
    };
    EXPECT_EQ(weighed(1009), Met::yes);
    EXPECT_EQ(weighed(1010), Met::no);
    EXPECT_EQ(weighed(1212), Met::no);
}

TEST(LadderFigures, BoundsHaveTheSampleSizesOfTheDesign) {
    struct Row {
        std::size_t failures;
        std::size_t n90;
        std::size_t n85;
    };

    for (const auto& row : std::vector<Row>{
             {0, 25, 16}, {1, 42, 28}, {2, 58, 38}, {3, 72, 47}, {5, 100, 65}, {10, 164, 108}
         }) {
        SCOPED_TRACE(row.failures);
        const auto lower = [&row](std::size_t n) {
            return *BoundedShare{.k = n - row.failures, .n = n}.lower();
        };
        EXPECT_GE(lower(row.n90), 0.90);
        EXPECT_LT(lower(row.n90 - 1), 0.90);
        EXPECT_GE(lower(row.n85), 0.85);
        EXPECT_LT(lower(row.n85 - 1), 0.85);
    }

    struct Week {
        std::size_t n;
        std::size_t failures;
    };

    for (const auto& week : std::vector<Week>{{20, 5}, {50, 9}, {100, 15}, {200, 27}, {300, 39}}) {
        SCOPED_TRACE(week.n);
        const auto upper = [&week](std::size_t failures) {
            return *BoundedShare{.k = week.n - failures, .n = week.n}.upper();
        };
        EXPECT_LT(upper(week.failures), 0.90);
        EXPECT_GE(upper(week.failures - 1), 0.90);
    }
    EXPECT_FALSE(BoundedShare{}.value());
    EXPECT_FALSE(BoundedShare{}.lower());
}

double chance_of(std::size_t failures, std::size_t n, double pass) {
    const auto k = static_cast<double>(failures);
    const auto all = static_cast<double>(n);
    const auto ways = std::lgamma(all + 1) - std::lgamma(k + 1) - std::lgamma(all - k + 1);
    return std::exp(ways + (k * std::log(1 - pass)) + ((all - k) * std::log(pass)));
}

TEST(LadderFigures, PlainRatesAreNoisyAndBoundsAreNot) {
    struct Row {
        double pass;
        std::size_t n;
        double below90; // percent, as the three
        double below85;
        double surely;
    };

    for (const auto& row : std::vector<Row>{
             {0.93, 50, 13.5, 2.2, 0.7},
             {0.93, 100, 9.1, 0.2, 0.4},
             {0.95, 20, 7.6, 1.6, 0.3},
             {0.95, 50, 3.8, 0.3, 0.1},
         }) {
        double below90 = 0;
        double below85 = 0;
        double surely = 0;
        for (std::size_t failures = 0; failures <= row.n; ++failures) {
            const BoundedShare share{.k = row.n - failures, .n = row.n};
            const auto chance = 100 * chance_of(failures, row.n, row.pass);
            below90 += *share.value() < 0.90 ? chance : 0;
            below85 += *share.value() < 0.85 ? chance : 0;
            surely += *share.upper() < 0.90 ? chance : 0;
        }
        SCOPED_TRACE(row.n);
        EXPECT_NEAR(below90, row.below90, 0.06);
        EXPECT_NEAR(below85, row.below85, 0.06);
        EXPECT_NEAR(surely, row.surely, 0.06);
    }
}

TEST(LadderFigures, QuantilesAreExactAndCompatTakesTheUpperMedian) {
    const std::vector<Millis> even{1s, 2s, 3s, 4s};
    EXPECT_EQ(quantile(even, 0.5, Quantiles::nearest_rank), Millis{2s});
    EXPECT_EQ(quantile(even, 0.5, Quantiles::compat), Millis{3s});
    const std::vector<Millis> odd{1s, 2s, 3s};
    EXPECT_EQ(quantile(odd, 0.5, Quantiles::nearest_rank), Millis{2s});
    EXPECT_EQ(quantile(odd, 0.5, Quantiles::compat), Millis{2s});
    std::vector<Millis> twenty;
    for (int i = 1; i <= 20; ++i) {
        twenty.emplace_back(i);
    }
    EXPECT_EQ(quantile(twenty, 0.95, Quantiles::nearest_rank), Millis{19});
    EXPECT_EQ(quantile(twenty, 0.95, Quantiles::compat), Millis{20});
    EXPECT_EQ(quantile(twenty, 1.0, Quantiles::compat), Millis{20});
    EXPECT_FALSE(quantile({}, 0.5, Quantiles::compat));
}

TEST(LadderFigures, EachHasItsNameAndUnit) {
    for (int i = 1; i <= static_cast<int>(Figure::oncall_p50); ++i) {
        const auto figure = static_cast<Figure>(i);
        EXPECT_FALSE(name_of(figure).empty()) << i;
        EXPECT_EQ(figure_named(name_of(figure)), figure);
    }
    EXPECT_FALSE(figure_named("pass"));
}

TEST(LadderFigures, TakeOnlyTheWindowAndNoPausedDay) {
    auto paused = day(3, 10, 10);
    paused.paused = true;
    const std::vector<LadderDay> all{
        day(0, 5, 5), day(1, 10, 0), day(2, 10, 0), paused, day(4, 1, 9)
    };
    EXPECT_EQ(measured(Figure::pass_adj, all, days(1, 4)).n, 20U);
    EXPECT_EQ(measured(Figure::pass_adj, all, days(1, 4)).value, 1.0);
    EXPECT_EQ(measured(Figure::days_with_data, all, days(0, 14)).value, 4.0);
    EXPECT_EQ(measured(Figure::tenure_l2, all, days(0, 14)).value, 114.0);
    EXPECT_EQ(measured(Figure::tenure_l3, all, days(0, 14)).value, 64.0);
    EXPECT_FALSE(measured(Figure::oncall_p50, all).value);
    EXPECT_FALSE(measured(Figure::pass_adj, {}).value);
}

TEST(LadderFigures, SetAsideNoMoreThanOneOfTwentyForStandingAlone) {
    auto one = day(0, 90, 10);
    one.excluded[place(OutcomeClass::test)] = 10;
    one.alone = 10;
    const auto share = measured(Figure::pass_adj, {one});
    EXPECT_EQ(share.n, 95U) << "five of the hundred are set aside, five count";
    EXPECT_EQ(measured(Figure::excluded_share, {one}).value, 0.0);
    one.alone = 0;
    EXPECT_EQ(measured(Figure::pass_adj, {one}).n, 90U);
    EXPECT_EQ(measured(Figure::excluded_share, {one}).value, 0.1);
}

TEST(LadderFigures, SilenceBeginsWithTheFirstThatNobodyAnswered) {
    const auto hours = [](std::vector<LadderDay> all) {
        return measured(Figure::silence, std::move(all), days(0, 7));
    };
    EXPECT_FALSE(hours({}).value) << "nothing was sent";
    EXPECT_EQ(hours({day(0, 5, 0)}).value, 0.0);
    const auto silent = hours({day(3, 5, 0), silent_day(4, 5), silent_day(5, 5), silent_day(6, 5)});
    EXPECT_EQ(silent.value, 71.0);
    EXPECT_EQ(silent.n, 15U);
    EXPECT_EQ(hours({silent_day(4, 5), day(6, 1, 0)}).value, 0.0) << "it answered since";
    EXPECT_EQ(hours({day(0, 5, 0), silent_day(1, 5), silent_day(6, 5)}).value, 47.0)
        << "in between nothing was sent to it";
    auto paused = day(5, 0, 0);
    paused.paused = true;
    EXPECT_EQ(hours({day(3, 5, 0), silent_day(4, 5), paused, silent_day(6, 5)}).value, 47.0);
}

TEST(LadderDays, ADownstreamThatAnswersLateIsNotSilent) {
    // sent before midnight, answered after: what was sent in between is no silence
    auto told = evidence({
        {.letters = "+", .at = 23h + 30min, .head = "a"},
        {.letters = "", .at = 24h + 30min, .head = "b"},
        {.letters = "", .at = 26h, .head = "c"},
    });
    const auto all = counted(told);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].first_unanswered_at, kMonday + 26h);
}

TEST(LadderDays, HoldWhatBecameOfEvents) {
    auto told = evidence({
        {.letters = "+", .at = 1h, .head = "a"},
        {.letters = "-+", .at = 2h, .head = "b"},
        {.letters = "-", .at = 3h, .head = "c"},
        {.letters = "", .at = 4h, .head = "d"},
        {.letters = "c", .at = 5h, .head = "e", .pr = 7},
        {.letters = ".", .at = 6h, .head = "f"},
        {.letters = "s", .at = 7h, .head = "g"},
        {.by = "b/b", .letters = "-", .at = 3h, .head = "a"},
        {.letters = "t", .at = 30h, .head = "h"},
    });
    told.events[4].overtaken_at = told.events[4].sent_at + 1h;
    told.reports.push_back(
        {.downstream = kAcme, .day = kMonday, .reports = 9, .invalid = 2, .limited = 1}
    );
    const auto all = counted(told);
    ASSERT_EQ(all.size(), 2U);
    const auto& one = all[0];
    EXPECT_EQ(one.events, 5U) << "neither the open one nor the superseded one";
    EXPECT_EQ(one.answered, 4U);
    EXPECT_EQ(one.decided, 4U);
    EXPECT_EQ(one.passed, 2U);
    EXPECT_EQ(one.completed, 4U) << "a, b, c and the cancelled one";
    EXPECT_EQ(one.completed_passed, 2U);
    EXPECT_EQ(one.outcomes[place(OutcomeClass::open)], 1U);
    EXPECT_EQ(one.outcomes[place(OutcomeClass::flake)], 1U);
    EXPECT_EQ(one.queue.size(), 6U);
    EXPECT_EQ(one.e2e.size(), 4U);
    EXPECT_EQ(one.e2e.front(), Millis{90min});
    EXPECT_EQ(one.e2e_compat.front(), Millis{90min}) << "30 minutes of queue and an hour of run";
    EXPECT_EQ(one.reports, 9U);
    EXPECT_EQ(one.invalid, 2U);
    EXPECT_EQ(one.limited, 1U);
    EXPECT_EQ(all[1].timed_out, 1U);
    EXPECT_EQ(all[1].ran, 0U);
}

TEST(LadderDays, WhatTheRelayEndedAfterANewerHeadCameNeitherCompletedNorTimedOut) {
    struct Row {
        std::string letters;
        bool overtaken;
        std::size_t completed;
        std::size_t timed_out;
        std::size_t ran;
    };

    for (const auto& row : std::vector<Row>{
             {"+", false, 1, 0, 1},
             {"+", true, 1, 0, 1},
             {"-", true, 1, 0, 1},
             {"t", false, 1, 1, 0},
             {"t", true, 1, 1, 0}, // it said so
             {"z", false, 1, 1, 0},
             {"z", true, 0, 0, 0},
             {"-z", true, 0, 0, 0},
             {"c", false, 1, 0, 1},
             {"c", true, 1, 0, 1}, // as upstream counts
             {"s", false, 0, 0, 0},
             {".", false, 0, 0, 0},
         }) {
        SCOPED_TRACE(row.letters + (row.overtaken ? ", overtaken" : ""));
        auto told = evidence({{.letters = row.letters, .at = 1h, .pr = 7}});
        if (row.overtaken) {
            told.events[0].overtaken_at = told.events[0].sent_at + 1h;
        }
        const auto one = counted(told).at(0);
        EXPECT_EQ(one.completed, row.completed);
        EXPECT_EQ(one.timed_out, row.timed_out);
        EXPECT_EQ(one.ran, row.ran);
    }
}

TEST(LadderDays, AnEventPassesWhenItsRequiredJobsDo) {
    auto told = evidence({{.letters = "+", .at = 1h}});
    auto& jobs = told.events[0].jobs;
    jobs.push_back({.workflow = "ci", .name = "extra", .attempts = attempts("-", kMonday + 1h)});
    EXPECT_EQ(counted(told)[0].passed, 0U);
    EXPECT_EQ(counted(told, {"test"})[0].passed, 1U);
    EXPECT_EQ(counted(told, {"ci/test"})[0].passed, 1U);
    const auto absent = counted(told, {"test", "lint"})[0];
    EXPECT_EQ(absent.passed, 0U);
    EXPECT_EQ(absent.answered, 0U);
    EXPECT_EQ(absent.decided, 1U);
}

TEST(LadderDays, CountMergedPullRequestsThatWereCovered) {
    auto told = evidence({
        {.letters = "+", .at = 1h, .head = "p1", .pr = 1},
        {.letters = "+", .at = 1h, .head = "old", .pr = 2},
        {.letters = "+", .at = 1h, .head = "p3", .pr = 3},
        {.letters = "+", .at = 1h, .head = "p4", .pr = 4},
    });
    told.pulls[PrNumber{1}] = {.head = HeadSha("p1"), .merged_at = kMonday + 30h};
    told.pulls[PrNumber{2}] = {.head = HeadSha("new"), .merged_at = kMonday + 30h};
    told.pulls[PrNumber{3}] = {.head = HeadSha("p3"), .merged_at = kMonday + 2h};
    const auto all = counted(told);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].merged, 1U);
    EXPECT_EQ(all[0].merged_covered, 0U) << "merged before it ended";
    EXPECT_EQ(all[1].merged, 2U);
    EXPECT_EQ(all[1].merged_covered, 1U);
}

TEST(LadderDays, RehearsalsCountAsAnsweredOrNotAndAsNothingElse) {
    auto told = evidence({
        {.letters = "s", .at = 1h},
        {.letters = "s", .at = 2h},
        {.letters = "z", .at = 3h},
        {.letters = "", .at = 4h},
        {.letters = ".", .at = 5h},
    });
    for (auto& event : told.events) {
        event.level = Level::l1;
    }
    const auto outcomes = judge_outcomes(told);
    for (const auto& one : outcomes) {
        EXPECT_FALSE(one.rule.has_value()) << "nobody is held to account";
    }
    LadderDay expected{.day = kMonday};
    expected.events = 4;
    expected.answered = 2;
    EXPECT_EQ(counted(told), std::vector{expected}) << "what still runs is open";
}

TEST(LadderDays, PausedEventsAreInNoCount) {
    auto told = evidence({{.letters = "-", .at = 1h}, {.letters = "+", .at = 30h}});
    told.events[0].paused = true;
    const auto all = counted(told);
    EXPECT_TRUE(all[0].paused);
    EXPECT_EQ(all[0].events, 0U);
    EXPECT_FALSE(all[1].paused);
}

TEST(LadderDays, MayBeShort) {
    const auto told = evidence({{.letters = "+", .at = 1s}, {.letters = "+", .at = 3s}});
    const auto all = days_of(told, judge_outcomes(told, 1s), kAcme, {}, 1s);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].day, kMonday + 3s);
}

} // namespace

} // namespace baton::domain
