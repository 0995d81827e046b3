#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/domain/ladder_life.hpp"
#include "unit/domain/ladder_story.hpp"

namespace baton::domain {

namespace {

using namespace ladder_story;

TEST(Ladder, NothingMovesWhileAllIsWell) {
    Life life(Level::l3);
    const auto verdict = life.live(good, 30);
    EXPECT_TRUE(life.moves().empty());
    EXPECT_EQ(verdict.standing.state, LadderState::ok);
    EXPECT_EQ(verdict.standing.effective, Level::l3);
    EXPECT_FALSE(verdict.violated);
}

TEST(Ladder, AnythingDoubtfulIsWatchedAndCalmsDown) {
    Life life(Level::l3);
    life.live(good, 7);
    const auto verdict = life.live(middling, 1);
    EXPECT_EQ(life.moves(), Moves{}) << "97 % in the week";
    EXPECT_FALSE(verdict.violated);
    life.live(middling, 3);
    EXPECT_EQ(life.moves(), (Moves{"10 watched"}));
    const auto calm = life.live(good, 20);
    EXPECT_EQ(life.moves().size(), 2U);
    ASSERT_TRUE(life.moves()[1].ends_with(" calmed"));
    EXPECT_EQ(calm.standing.watched_at, calm.standing.since - kDay) << "the midnight before";
}

TEST(Ladder, ViolatedTwiceInARowLowersForAWhile) {
    Life life(Level::l4);
    const auto first = life.live(doubtful);
    EXPECT_EQ(first.standing.state, LadderState::watch);
    EXPECT_EQ(first.standing.effective, Level::l4);
    const auto second = life.live(doubtful);
    EXPECT_EQ(second.standing.state, LadderState::temporary);
    EXPECT_EQ(second.standing.effective, Level::l3);
    EXPECT_EQ(second.standing.listed, Level::l4);
    EXPECT_EQ(life.moves(), (Moves{"1 watched", "2 demoted"}));
    const auto& moved = second.transitions[0];
    EXPECT_EQ(moved.from, Level::l4);
    EXPECT_EQ(moved.to, Level::l3);
    EXPECT_EQ(moved.rules, (std::vector<std::string>{"down.pass"}));
    EXPECT_EQ(moved.reason, "pass rate after exclusions 80.0 % of 40 in 7 days, asked >= 90.0 %");
}

TEST(Ladder, WhatIsCertainLowersAtOnce) {
    Life life(Level::l3);
    const auto verdict = life.live(bad);
    EXPECT_EQ(life.moves(), (Moves{"1 demoted"}));
    EXPECT_EQ(verdict.standing.effective, Level::l2);
}

TEST(Ladder, SilenceOfThreeDaysLowers) {
    Life life(Level::l3);
    life.profile().at_once.erase(life.profile().at_once.begin());
    life.profile().demotion.clear();
    life.profile().watch.clear();
    life.live(good, 5);
    life.live(mute, 3);
    EXPECT_EQ(life.moves(), Moves{}) << "71 hours";
    life.live(mute, 1);
    EXPECT_EQ(life.moves(), (Moves{"9 demoted"}));
}

TEST(Ladder, TooFewTellNothing) {
    Life life(Level::l3);
    const auto verdict = life.live(few, 7);
    EXPECT_TRUE(life.moves().empty());
    EXPECT_TRUE(verdict.insufficient);
    life.live(nothing, 20);
    EXPECT_TRUE(life.moves().empty()) << "nothing was sent: that is no silence";
}

TEST(Ladder, TooMuchSetAsideTellsNothing) {
    Life life(Level::l3);
    const auto upstream_broke = [](int number) {
        auto one = day(number, 5, 15);
        one.excluded[place(OutcomeClass::test)] = 10;
        return one;
    };
    const auto verdict = life.live(upstream_broke, 7);
    EXPECT_TRUE(life.moves().empty());
    EXPECT_TRUE(verdict.insufficient);
    EXPECT_EQ(
        verdict.demotion[0].advice, "50.0 % of it is not the downstream's and was set aside: wait"
    );
}

TEST(Ladder, ReturnsAfterThreeCleanEvaluations) {
    Life life(Level::l3);
    life.live(bad, 1);
    const auto verdict = life.live(good, 12);
    // the bad day leaves the window with the eighth; the third clean evaluation is the tenth
    EXPECT_EQ(life.moves(), (Moves{"1 demoted", "10 returned"}));
    EXPECT_EQ(verdict.standing.effective, Level::l3);
    EXPECT_EQ(verdict.standing.state, LadderState::ok);
}

TEST(Ladder, ReturnsNotBeforeTwoDays) {
    Life life(Level::l3);
    life.profile().restore_after = 1;
    life.live(bad, 1);
    life.live([](int number) { return day(number, 2000, 0); }, 3);
    EXPECT_EQ(life.moves(), (Moves{"1 demoted", "3 returned"}));
}

TEST(Ladder, CoolsDownBeforeItIsLoweredAgain) {
    Life life(Level::l3);
    life.live(bad, 1);
    life.live(good, 9);
    ASSERT_EQ(life.moves().back(), "10 returned");
    life.live(doubtful, 13);
    EXPECT_EQ(life.moves().back(), "11 watched") << "lowered again not before the 24th";
    life.live(doubtful, 1);
    EXPECT_EQ(life.moves().back(), "24 demoted");
}

TEST(Ladder, ProposesToLowerWhatStaysBad) {
    Life life(Level::l3);
    life.live(bad, 2); // demoted at the end of Monday, which is a Tuesday's midnight
    EXPECT_EQ(life.moves(), (Moves{"1 demoted"}));
    const auto verdict = life.live(bad, 1);
    EXPECT_EQ(life.moves(), (Moves{"1 demoted", "3 proposed"}));
    ASSERT_TRUE(verdict.standing.proposal);
    EXPECT_EQ(verdict.standing.proposal->to, Level::l2);
    EXPECT_EQ(
        verdict.transitions[0].reason,
        "L3 to L2: still violated 2 working days after the temporary demotion"
    );
    life.live(good, 10);
    EXPECT_EQ(life.moves(), (Moves{"1 demoted", "3 proposed", "12 returned", "12 withdrawn"}));
}

TEST(Ladder, ProposesToLowerWhatWasLoweredThreeTimes) {
    Life life(Level::l3);
    for (int i = 0; i < 3; ++i) {
        life.live([](int number) { return day(number, 0, 400); }, 1);
        life.live(good, 15);
    }
    EXPECT_EQ(
        life.moves(),
        (Moves{
            "1 demoted",
            "10 returned",
            "17 demoted",
            "26 returned",
            "33 demoted",
            "33 proposed",
            "42 returned",
        })
    );
}

TEST(Ladder, ProposesToLowerALevelTwoThatIsSilentForAWeek) {
    Life life(Level::l2);
    life.live(good, 3);
    life.live(mute, 7);
    EXPECT_TRUE(life.moves().empty() || life.moves()[0].ends_with("proposed"));
    life.live(mute, 1);
    EXPECT_EQ(life.moves().back(), "11 proposed");
    EXPECT_EQ(life.facts().standing->proposal->to, Level::l1);
    EXPECT_EQ(life.facts().standing->effective, Level::l2) << "level 2 is lowered by people alone";
}

TEST(Ladder, ProposesToRaiseWhenEverythingIsMetTwice) {
    Life life(Level::l2);
    const auto verdict = life.live(good, 2);
    EXPECT_EQ(life.moves(), (Moves{"2 proposed"}));
    EXPECT_EQ(verdict.ready_for, Level::l3);
    EXPECT_EQ(verdict.standing.proposal->to, Level::l3);
    EXPECT_EQ(verdict.standing.effective, Level::l2) << "a proposal moves nothing";
    EXPECT_EQ(verdict.transitions.back().from, Level::l2);
    EXPECT_EQ(verdict.transitions.back().to, Level::l3);
    life.live(bad, 1);
    EXPECT_EQ(life.moves().size(), 1U) << "one bad evaluation withdraws nothing";
    life.live(bad, 1);
    EXPECT_EQ(life.moves().back(), "4 withdrawn");
}

TEST(Ladder, NeverProposesLevelFour) {
    Life life(Level::l3);
    const auto verdict = life.live(good, 10);
    EXPECT_EQ(verdict.ready_for, Level::l4);
    EXPECT_EQ(verdict.forecast, "ready: level 4 is the upstream's choice");
    EXPECT_TRUE(life.moves().empty());
}

TEST(Ladder, RaisesNobodyFourteenDaysAfterADemotion) {
    Life life(Level::l3);
    life.live(good, 3);
    life.facts().listed = Level::l2;
    life.live(good, 14);
    EXPECT_EQ(life.moves(), (Moves{"4 relisted"}));
    const auto verdict = life.live(good, 1);
    EXPECT_EQ(life.moves().back(), "18 proposed");
    EXPECT_EQ(verdict.earliest, kMonday + 18 * kDay);
}

TEST(Ladder, TheListHasTheLastWord) {
    Life life(Level::l3);
    life.live(bad, 4);
    ASSERT_TRUE(life.facts().standing->proposal);
    life.facts().listed = Level::l2;
    const auto verdict = life.live(bad, 1);
    EXPECT_EQ(life.moves().back(), "5 relisted");
    EXPECT_FALSE(verdict.standing.proposal);
    EXPECT_EQ(verdict.standing.effective, Level::l2);
    EXPECT_EQ(verdict.standing.state, LadderState::ok);
}

TEST(Ladder, FrozenTellsWhatWouldHaveMoved) {
    Life life(Level::l3);
    life.live(good, 1);
    life.freeze("4 of 7 are violated at once");
    const auto verdict = life.live(bad, 2);
    EXPECT_EQ(life.moves(), (Moves{"2 frozen", "3 frozen"}));
    EXPECT_EQ(verdict.transitions[0].reason, "demoted: 4 of 7 are violated at once");
    EXPECT_EQ(verdict.standing.effective, Level::l3);
    EXPECT_EQ(verdict.standing.violated, 0);
    life.freeze("");
    life.live(bad, 1);
    EXPECT_EQ(life.moves().back(), "4 demoted");
}

TEST(Ladder, PausedMovesNothing) {
    Life life(Level::l3);
    life.live(bad, 1);
    life.facts().paused = true;
    life.live(good, 20);
    EXPECT_EQ(life.moves(), (Moves{"1 demoted"}));
}

TEST(Ladder, FreezesWhenTheRelayIsUnwellOrHalfAreViolated) {
    const auto profile = rules();
    EXPECT_EQ(freeze_reason({.dispatches = 100, .unsent = 5}, profile), "");
    EXPECT_EQ(
        freeze_reason({.dispatches = 100, .unsent = 6}, profile),
        "the relay could not send 6 of 100 dispatches"
    );
    EXPECT_EQ(freeze_reason({.judged = 2, .violated = 2}, profile), "");
    EXPECT_EQ(freeze_reason({.judged = 7, .violated = 3}, profile), "");
    EXPECT_EQ(freeze_reason({.judged = 6, .violated = 3}, profile), "3 of 6 are violated at once");
    EXPECT_EQ(freeze_reason({}, profile), "");
}

TEST(Ladder, FreezesWhileTheRelaysOwnProbeGoesWrong) {
    const auto profile = rules();
    EXPECT_EQ(freeze_reason({.probed = 2, .faulty = 2}, profile), "");
    EXPECT_EQ(freeze_reason({.probed = 7, .faulty = 3}, profile), "");
    EXPECT_EQ(
        freeze_reason({.probed = 6, .faulty = 3}, profile),
        "3 of 6 runs of the relay's own probe did not end as they were made to"
    );
}

TEST(Ladder, AProbeIsFaultyWhenItDoesNotEndAsItWasMadeTo) {
    struct Row {
        const char* what;
        Sent sent;
        std::size_t probed;
        std::size_t faulty;
    };

    const std::vector<Row> rows{
        {"it passed", {.letters = "+"}, 1, 0},
        {"it passed when it was run again", {.letters = "-+"}, 1, 0},
        {"it failed", {.letters = "-"}, 1, 1},
        {"it was made to fail", {.letters = "-", .job = "xfail"}, 1, 0},
        {"it was made to fail and passed", {.letters = "+", .job = "xfail"}, 1, 1},
        {"it was made to run out of time", {.letters = "t", .job = "xtimeout"}, 1, 0},
        {"the relay never heard of its end", {.letters = "z"}, 1, 1},
        {"nobody started it", {.letters = ""}, 1, 1},
        {"it still runs", {.letters = "."}, 0, 0},
        {"it was sent on another day", {.letters = "-", .at = 25h}, 0, 0},
        {"it is somebody else", {.by = "acme/y", .letters = "-"}, 0, 0},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        FreezeFacts facts;
        const LadderWindow first_day{.from = kMonday, .until = kMonday + kDay};
        add_probe(facts, {event(row.sent)}, *RepoName::parse("acme/x"), first_day);
        EXPECT_EQ(facts.probed, row.probed);
        EXPECT_EQ(facts.faulty, row.faulty);
    }
    FreezeFacts overtaken;
    auto stopped = event({.letters = "c", .pr = 1});
    stopped.overtaken_at = stopped.sent_at;
    add_probe(overtaken, {stopped}, stopped.downstream, {kMonday, kMonday + kDay});
    EXPECT_EQ(overtaken.probed, 0U) << "nobody waited for it any more";
}

TEST(Ladder, OnlyWhoStandsAsListedIsViolatedAnew) {
    LadderFacts facts{.listed = Level::l3, .history = history({bad(0)})};
    const auto as_of = kMonday + kDay;
    EXPECT_TRUE(is_judged(facts));
    EXPECT_TRUE(is_violated(facts, rules(), as_of));
    facts.standing = judge_level(facts, rules(), as_of, "").standing;
    EXPECT_FALSE(is_violated(facts, rules(), as_of));
    facts.listed = Level::l2;
    EXPECT_FALSE(is_judged(facts));
    EXPECT_FALSE(is_violated(facts, rules(), as_of));
}

TEST(Ladder, TellsWhenItCouldBeRaisedAtTheEarliest) {
    LadderFacts facts{.listed = Level::l2, .history = history({day(0, 10, 10)})};
    facts.history.first_at_level2 = kMonday - 10 * kDay;
    const auto tenure = judge_level(facts, rules(), kMonday + kDay, "");
    EXPECT_EQ(tenure.earliest, kMonday + 21 * kDay) << "30 days at level 2, and once more";
    EXPECT_FALSE(tenure.ready_for);
    facts.history.first_at_level2 = kMonday - 100 * kDay;
    const auto pass = judge_level(facts, rules(), kMonday + kDay, "");
    EXPECT_EQ(pass.earliest, kMonday + 6 * kDay) << "five days of 20 make 110 of 120";
    auto slow = rules();
    slow.to_l3 = {asks("l3.e2e", Figure::e2e_p50, Comparison::below, 60'000)};
    const auto never = judge_level(facts, slow, kMonday + kDay, "");
    EXPECT_FALSE(never.earliest);
    EXPECT_EQ(never.forecast, "median from event to result 1 h of 20 in 7 days, asked < 1 min");
}

TEST(Ladder, CountsWorkingDays) {
    const auto friday = kMonday + 4 * kDay;
    EXPECT_EQ(add_working_days(kMonday, 2, kDay), kMonday + 2 * kDay);
    EXPECT_EQ(add_working_days(friday, 1, kDay), kMonday + 7 * kDay);
    EXPECT_EQ(add_working_days(friday, 2, kDay), kMonday + 8 * kDay);
    EXPECT_EQ(add_working_days(friday, 0, kDay), friday);
    EXPECT_EQ(add_working_days(kMonday + 5 * kDay, 1, kDay), kMonday + 7 * kDay);
}

TEST(Criterion, SaysWhatWouldChangeIt) {
    const auto as_of = kMonday + 7 * kDay;
    const auto advice = [&](const Criterion& criterion, const LadderDay& one) {
        return weigh(criterion, history({one}), as_of, Quantiles::nearest_rank).advice;
    };
    using enum Comparison;
    EXPECT_EQ(
        advice(asks("a", Figure::pass_raw, at_least, 0.9), day(0, 8, 2)),
        "10 more good ones in a row"
    );
    EXPECT_EQ(advice(asks("a", Figure::pass_raw, at_least, 0.9), day(0, 100, 0)), "");
    EXPECT_EQ(
        advice(asks("a", Figure::pass_raw, at_least, 0.9, 30), day(0, 9, 1)), "20 more samples"
    );
    EXPECT_EQ(
        advice(asks("a", Figure::pass_raw, at_least, 0.9), day(0, 0, 0)), "nothing was measured yet"
    );
    EXPECT_EQ(advice(asks("a", Figure::e2e_p50, below, 1'800'000), day(0, 5, 0)), "30 min less");
    EXPECT_EQ(advice(asks("a", Figure::events, at_least, 30), day(0, 20, 1)), "9 more");
    EXPECT_EQ(advice(asks("a", Figure::tenure_l2, at_least, 110), day(0, 1, 0)), "3 days more");
    auto timeouts = day(0, 99, 0);
    timeouts.timed_out = 1;
    EXPECT_EQ(
        advice(asks("a", Figure::timeout_rate, below, 0.01), timeouts), "2 more good ones in a row"
    );
    auto bound = asks("a", Figure::pass_run, at_least, 0.9);
    bound.bound = Bound::lower;
    EXPECT_EQ(advice(bound, day(0, 24, 0)), "1 more good ones in a row");
}

TEST(Criterion, SaysWhenChanceMayExplainThatItIsMet) {
    const auto as_of = kMonday + 7 * kDay;
    const auto timeouts_of = [&](std::size_t jobs) {
        const auto criterion = asks("t", Figure::timeout_rate, Comparison::below, 0.01);
        return weigh(criterion, history({day(0, jobs, 0)}), as_of, Quantiles::nearest_rank);
    };
    EXPECT_EQ(timeouts_of(100).met, Met::yes);
    EXPECT_EQ(
        timeouts_of(100).advice, "met, weakly supported: with so few it may as well be 2.6 %"
    );
    EXPECT_EQ(timeouts_of(267).met, Met::yes);
    EXPECT_NE(timeouts_of(267).advice, "");
    EXPECT_EQ(timeouts_of(268).advice, "") << "no time-out proves it from about 270 jobs on";
}

} // namespace

} // namespace baton::domain
