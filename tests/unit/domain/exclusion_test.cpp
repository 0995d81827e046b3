#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/outcome.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unit/domain/ladder_story.hpp"

namespace baton::domain {

namespace {

using namespace ladder_story;
using enum ExclusionRule;

/// The judged outcome of the last event.
JudgedOutcome last_of(const LadderEvidence& told) {
    return judge_outcomes(told).back();
}

const Sent kGreenBase{.letters = "+", .at = 1h, .head = "trunk"};
const Sent kRedBase{.letters = "-", .at = 1h, .head = "trunk"};
const Sent kRedPull{.letters = "-", .at = 5h, .head = "pull", .pr = 7};
const Sent kTwicePull{.letters = "--", .at = 5h, .head = "pull", .pr = 7};

Sent of(std::string by, Sent sent) {
    sent.by = std::move(by);
    return sent;
}

struct Row {
    const char* what;
    std::vector<Sent> sent; // the last one is judged
    ExclusionRule rule;
    bool excluded;
};

void expect_all(const std::vector<Row>& rows) {
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        const auto judged = last_of(evidence(row.sent));
        ASSERT_TRUE(judged.rule);
        EXPECT_EQ(name_of(*judged.rule), name_of(row.rule)) << judged.evidence;
        EXPECT_EQ(judged.excluded, row.excluded);
        EXPECT_FALSE(judged.evidence.empty());
    }
}

TEST(Exclusion, TrunkIsRedWhenTwoOthersAndHalfOfThemAre) {
    const auto green = [](std::string by) { return of(std::move(by), kGreenBase); };
    const auto red = [](std::string by) { return of(std::move(by), kRedBase); };
    expect_all({
        {"two of two", {red("b/b"), red("c/c"), kRedBase}, trunk, true},
        {"one of one", {red("b/b"), kRedBase}, unknown, false},
        {"two of four", {red("b/b"), red("c/c"), green("d/d"), green("e/e"), kRedBase}, trunk, true
        },
        {"two of five",
         {red("b/b"), red("c/c"), green("d/d"), green("e/e"), green("f/f"), kRedBase},
         unknown,
         false},
        {"two of one owner are one voice", {red("b/b"), red("b/c"), kRedBase}, unknown, false},
        {"its own owner has no voice", {red("acme/b"), red("acme/c"), kRedBase}, unknown, false},
        {"who never started has not reported",
         {of("b/b", {.letters = "", .at = 1h, .head = "trunk"}), red("c/c"), kRedBase},
         unknown,
         false},
        {"a pull request on that trunk", {red("b/b"), red("c/c"), kRedBase, kRedPull}, trunk, true},
    });
}

TEST(Exclusion, ItsOwnStandingBreakageCountsOnceADay) {
    expect_all({
        {"nobody else is red", {kRedBase, kRedPull}, standing, false},
        {"the base is too old",
         {{.letters = "-", .at = 1h, .head = "old"},
          {.letters = "-", .at = 49h + 1ms, .head = "new"}},
         unknown,
         false},
        {"just not too old",
         {{.letters = "-", .at = 1h, .head = "old"}, {.letters = "-", .at = 49h, .head = "new"}},
         standing,
         false},
        {"another job was red",
         {{.letters = "-", .at = 1h, .head = "trunk", .job = "build"}, kRedPull},
         unknown,
         false},
        {"nobody started it, nor the one before",
         {{.letters = "", .at = 1h, .head = "trunk"},
          {.letters = "", .at = 5h, .head = "pull", .pr = 7}},
         standing,
         false},
        {"nobody started it, but the one before was answered, in red",
         {kRedBase, {.letters = "", .at = 5h, .head = "pull", .pr = 7}},
         unknown,
         false},
    });
    auto next_day = kRedPull;
    next_day.at = 25h;
    auto again = kRedPull;
    again.at = 6h;
    const auto judged = judge_outcomes(evidence({kRedBase, next_day, again, kRedPull}));
    EXPECT_FALSE(judged[1].repeated);
    EXPECT_TRUE(judged[2].repeated) << "the one of five o'clock counts";
    EXPECT_FALSE(judged[3].repeated);
    const auto hours = judge_outcomes(evidence({kRedBase, again, kRedPull}), 1h);
    EXPECT_FALSE(hours[1].repeated) << "a day may be an hour long";
}

TEST(Exclusion, ThePullRequestBreaksManyAtOnce) {
    const auto red = [](std::string by) { return of(std::move(by), kRedPull); };
    const auto green = [](std::string by) {
        return of(std::move(by), {.letters = "+", .at = 5h, .head = "pull", .pr = 7});
    };
    expect_all({
        {"two of two", {kGreenBase, red("b/b"), red("c/c"), kRedPull}, pull_request, true},
        {"without a base", {red("b/b"), red("c/c"), kRedPull}, pull_request, true},
        {"two of five",
         {kGreenBase, red("b/b"), red("c/c"), green("d/d"), green("e/e"), green("f/f"), kRedPull},
         unknown,
         false},
        {"those that were red before say nothing",
         {kGreenBase, of("b/b", kRedBase), red("b/b"), red("c/c"), kRedPull},
         unknown,
         false},
        {"nor does a missing run come from the pull request",
         {kGreenBase, red("b/b"), red("c/c"), {.letters = "", .at = 5h, .head = "pull", .pr = 7}},
         unknown,
         false},
    });
}

TEST(Exclusion, WhatItAloneSeesIsSetAsideWhenItRepeats) {
    expect_all({
        {"red twice", {kGreenBase, kTwicePull}, alone, true},
        {"red once", {kGreenBase, kRedPull}, unknown, false},
        {"red twice, without a base", {kTwicePull}, unknown, false},
        {"red twice, but of the machines",
         {kGreenBase, {.letters = "!!", .at = 5h, .head = "pull", .pr = 7}},
         unknown,
         false},
        {"red twice, on trunk",
         {kGreenBase, {.letters = "--", .at = 5h, .head = "next"}},
         unknown,
         false},
    });
}

TEST(Exclusion, WhatItAloneSeesIsSettledByWhatFollows) {
    const Sent later_green{.letters = "+", .at = 30h, .head = "merged"};
    const Sent later_red{.letters = "-", .at = 30h, .head = "merged"};
    const Sent newer_head{.letters = "+", .at = 8h, .head = "pull2", .pr = 7};

    struct Settled {
        const char* what;
        std::vector<Sent> more;
        PullEnd end;
        ExclusionRule rule;
        bool provisional;
    };

    const PullEnd merged{.merged_at = kMonday + 20h};
    const std::vector<Settled> rows{
        {"nothing followed", {}, {}, alone, true},
        {"merged, and no trunk run yet", {}, merged, alone, true},
        {"merged, and trunk passed", {later_green}, merged, false_alarm, false},
        {"merged, and trunk was red", {later_red}, merged, alone, false},
        {"closed unmerged", {}, {.closed_at = kMonday + 20h}, alone, false},
        {"a newer head passed", {newer_head}, {}, alone, false},
        {"a newer head passed and trunk too", {newer_head, later_green}, merged, alone, false},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        auto sent = row.more;
        sent.push_back(kGreenBase);
        sent.push_back(kTwicePull);
        auto told = evidence(sent);
        told.pulls[PrNumber{7}] = row.end;
        const auto judged = last_of(told);
        ASSERT_TRUE(judged.rule);
        EXPECT_EQ(name_of(*judged.rule), name_of(row.rule));
        EXPECT_EQ(judged.provisional, row.provisional);
        EXPECT_EQ(judged.excluded, row.rule == alone);
    }
}

TEST(Exclusion, APersonHasTheLastWord) {
    auto told = evidence({kRedBase, kRedPull});
    told.rulings.push_back({
        .dispatch = told.events[1].id,
        .workflow = "ci",
        .job = "test",
        .excluded = true,
        .by = "eve",
        .reason = "the mirror was down",
    });
    const auto judged = last_of(told);
    EXPECT_EQ(judged.rule, overruled);
    EXPECT_TRUE(judged.excluded);
    EXPECT_EQ(judged.evidence, "eve said so: the mirror was down");
    told.rulings[0].job = "another";
    EXPECT_EQ(last_of(told).rule, standing);
}

TEST(Exclusion, NamesWhatItRestsOn) {
    auto told = evidence(
        {of("b/b", kRedBase),
         of("c/c", kRedBase),
         of("d/d", kRedBase),
         of("e/e", kRedBase),
         kRedBase}
    );
    for (std::size_t i = 0; i < told.events.size(); ++i) {
        told.events[i].id = DispatchId{static_cast<std::int64_t>(i) + 1};
    }
    EXPECT_EQ(
        last_of(told).evidence,
        "4 of 4 others that reported on commit trunk are red: b/b (dispatch 1), c/c (dispatch 2), "
        "d/d (dispatch 3) and 1 more"
    );
}

TEST(Exclusion, ADownstreamsOwnVerdictIsShownAndDecidesNothing) {
    auto told = evidence({{.letters = "-", .pr = 1}});
    const auto without = last_of(told);
    told.events[0].jobs[0].attempts.back().triage = "upstream";
    auto with = last_of(told);
    EXPECT_EQ(with.evidence, without.evidence + "; its own verdict: upstream");
    with.evidence = without.evidence;
    EXPECT_EQ(with, without) << "it counts all the same";
}

TEST(Exclusion, GreenOutcomesHaveNoRule) {
    const auto judged = last_of(evidence({kRedBase, {.letters = "-+", .at = 2h, .head = "next"}}));
    EXPECT_EQ(judged.outcome, OutcomeClass::flake);
    EXPECT_FALSE(judged.rule);
    EXPECT_FALSE(judged.excluded);
}

TEST(Exclusion, OfAHundredThousandOutcomesIsNotQuadratic) {
    LadderEvidence told;
    for (int i = 0; i < 50'000; ++i) {
        const auto at = i * 20s;
        const auto by = "owner" + std::to_string(i % 20) + "/repo";
        const auto pr = i % 3 == 0 ? 0 : 1 + (i / 60);
        // one trunk commit and one pull request that hold thousands, as in a bad week
        const auto head = i % 2 == 0 ? "same" : "head" + std::to_string(i / 20);
        told.events.push_back(
            event({.by = by, .letters = i % 5 == 0 ? "--" : "+", .at = at, .head = head, .pr = pr})
        );
        auto& jobs = told.events.back().jobs;
        jobs.push_back(jobs[0]);
        jobs.back().name = "second";
        jobs.push_back(jobs[0]);
        jobs.back().name = "third";
    }
    EXPECT_EQ(judge_outcomes(told).size(), 150'000U);
}

} // namespace

} // namespace baton::domain
