#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unit/domain/gate_story.hpp"

namespace baton::domain {

namespace {

using namespace gate_story;

constexpr auto kGood = Conclusion::success;
constexpr auto kBad = Conclusion::failure;
const std::string kTest = "crcr/down/npu/CI/test";
const std::string kGate = "crcr/gate";

CheckRules rules() {
    CheckRules all;
    all.label_prefixes = {"ciflow/crcr/", "ciflow/oot/"};
    all.page = "https://relay.example";
    return all;
}

PullRequest pull_request(std::vector<std::string> labels = {}) {
    PullRequest pr;
    pr.upstream = kUpstream;
    pr.number = PrNumber{7};
    pr.head = HeadSha("a");
    pr.labels = std::move(labels);
    pr.author = Login("ann");
    return pr;
}

CheckFacts facts(Level level, Run newest, std::vector<std::string> labels = {}) {
    CheckFacts all;
    all.subject = {.upstream = kUpstream, .pr = PrNumber{7}, .head = HeadSha("a")};
    all.pull_request = pull_request(std::move(labels));
    all.first_at = kAccepted;
    DownstreamFacts one;
    one.part = part(std::move(newest), {"test"});
    one.part.downstream.level = level;
    one.dispatched = true;
    all.downstreams.push_back(std::move(one));
    all.gated = level == Level::l4;
    return all;
}

/// `queued`, `in_progress`, or how it ended; empty: no such check.
std::string state_of(const Wanted& wanted, const std::string& name) {
    const auto check = std::ranges::find(wanted.checks, name, &Check::name);
    if (check == wanted.checks.end()) {
        return "";
    }
    EXPECT_EQ(check->conclusion.has_value(), check->status == CheckStatus::completed);
    EXPECT_EQ(check->completed_at.has_value(), check->status == CheckStatus::completed);
    EXPECT_FALSE(check->title.empty());
    return std::string(check->conclusion ? name_of(*check->conclusion) : name_of(check->status));
}

std::string at(const CheckFacts& all, Millis after, const std::string& name = kTest) {
    return state_of(checks_wanted(all, rules(), kAccepted + after), name);
}

Check standing(const std::string& name, CheckStatus status = CheckStatus::in_progress) {
    Check check;
    check.name = name;
    check.status = status;
    return check;
}

TEST(Checks, ALevelThreeDownstreamIsShownWhileTheLabelIsThere) {
    const auto ended = run({{"test", 1min, kBad}});
    EXPECT_EQ(at(facts(Level::l3, ended), 15min), "");
    EXPECT_EQ(at(facts(Level::l3, ended, {"ciflow/crcr/npu"}), 15min), "failure");
    EXPECT_EQ(at(facts(Level::l3, ended, {"ciflow/oot/npu"}), 15min), "failure");
    EXPECT_EQ(at(facts(Level::l3, ended, {"ciflow/crcr/gpu"}), 15min), "");
    EXPECT_EQ(at(facts(Level::l3, run({{"test"}}), {"ciflow/crcr/npu"}), 15min), "in_progress");
    EXPECT_EQ(at(facts(Level::l3, ended, {"ciflow/crcr/npu"}), 15min, kGate), "") << "no gate";
}

TEST(Checks, ALabelOfSomeoneWhoMayNotLabelShowsNothing) {
    auto all = facts(Level::l3, run({{"test", 1min, kBad}}), {"ciflow/crcr/npu"});
    all.pull_request->label_rulings = {{.label = "ciflow/crcr/npu", .setter = Labeller::may_not}};
    EXPECT_EQ(at(all, 15min), "");
}

TEST(Checks, WithoutItsLabelWhatStandsTurnsNeutralEndedOrNot) {
    for (const auto& newest : {run({{"test"}}), run({{"test", 1min, kBad}})}) {
        auto all = facts(Level::l3, newest);
        all.standing = {standing(kTest)};
        EXPECT_EQ(at(all, 15min), "neutral");
    }
}

TEST(Checks, ALevelFourDownstreamIsAlwaysShownAndBlocks) {
    EXPECT_EQ(at(facts(Level::l4, run({{"test", 1min, kBad}})), 15min), "failure");
    EXPECT_EQ(at(facts(Level::l4, run({{"test", 1min, kBad}})), 15min, kGate), "failure");
    EXPECT_EQ(at(facts(Level::l4, run({{"test", 1min, kGood}})), 15min, kGate), "success");
    EXPECT_EQ(at(facts(Level::l4, run({{"test"}})), 15min, kGate), "in_progress");
    EXPECT_EQ(at(facts(Level::l4, run({})), 15min, kGate), "queued") << "silence is not green";
}

TEST(Checks, AGateWithNothingToWaitForIsGreenAtOnce) {
    auto all = facts(Level::l4, run({}));
    all.downstreams.front().dispatched = false;
    EXPECT_EQ(at(all, 0min, kGate), "success");
    all.pull_request.reset();
    all.subject.pr.reset();
    all.downstreams.clear();
    EXPECT_EQ(at(all, 0min, kGate), "success") << "of the merge queue";
}

TEST(Checks, AGateIsNotGreenBeforeItIsKnownWhoIsAsked) {
    auto all = facts(Level::l4, run({}));
    all.downstreams.front().dispatched = false;
    all.awaits_plan = true;
    EXPECT_EQ(at(all, 1min, kGate), "queued");
    EXPECT_EQ(checks_wanted(all, rules(), kAccepted + 1min).look_at, kAccepted + 30min);
    EXPECT_EQ(at(all, 30min, kGate), "success") << "and not held up for ever";
}

TEST(Checks, SilenceHoldsUpAMergeForThirtyMinutesAndThenNoLonger) {
    const auto silent = facts(Level::l4, run({}));
    const auto wanted = checks_wanted(silent, rules(), kAccepted + 1min);
    EXPECT_EQ(wanted.look_at, kAccepted + 30min);
    EXPECT_EQ(at(silent, 30min, kGate), "success");
}

TEST(Checks, AnOvertakenGateStaysCancelledHoweverLateItIsLookedAt) {
    for (const bool closed : {true, false}) {
        auto silent = facts(Level::l4, run({}));
        silent.pull_request->open = !closed;
        silent.pull_request->head = HeadSha(closed ? "a" : "b");
        EXPECT_EQ(at(silent, 29min, kGate), "cancelled");
        EXPECT_EQ(at(silent, 30min, kGate), "cancelled");
        EXPECT_EQ(checks_wanted(silent, rules(), kAccepted + 1min).look_at, std::nullopt);
    }
}

TEST(Checks, ANewCommitOrAClosingEndsWhatIsOpenAndNothingElse) {
    for (const bool closed : {true, false}) {
        auto open = facts(Level::l4, run({{"test"}}));
        auto ended = facts(Level::l4, run({{"test", 1min, kBad}}));
        for (auto* all : {&open, &ended}) {
            all->pull_request->open = !closed;
            all->pull_request->head = HeadSha(closed ? "a" : "b");
        }
        EXPECT_EQ(at(open, 15min), "cancelled");
        EXPECT_EQ(at(open, 15min, kGate), "cancelled");
        EXPECT_EQ(checks_wanted(open, rules(), kAccepted + 15min).look_at, std::nullopt);
        EXPECT_EQ(at(ended, 15min), "failure");
        EXPECT_EQ(at(ended, 15min, kGate), "failure");
    }
}

TEST(Checks, AReRunShowsAsQueuedUntilItsFirstWord) {
    auto asked = facts(Level::l4, run({{"test", 1min, kBad}}));
    asked.downstreams.front().part.reruns = {rerun(RerunCause::person, 60min)};
    EXPECT_EQ(at(asked, 61min), "queued");
    EXPECT_EQ(at(asked, 61min, kGate), "in_progress");
    EXPECT_EQ(at(asked, 90min), "failure") << "nobody answered";
    auto answered = facts(Level::l4, run({{"test", 1min, kBad}, {"test", 62min, kGood, 70min, 2}}));
    answered.downstreams.front().part.reruns = asked.downstreams.front().part.reruns;
    EXPECT_EQ(at(answered, 71min), "success");
    EXPECT_EQ(at(answered, 71min, kGate), "success");
}

TEST(Checks, AFreshDispatchKeepsTheNamesOfTheOneBefore) {
    auto again = facts(Level::l4, run({}));
    again.downstreams.front().earlier = {run({{"test", 1min, kBad}})};
    EXPECT_EQ(at(again, 15min), "queued");
    again.downstreams.front().part.run =
        run({{"test", 14min, {}, {}, 1, "200"}}, DispatchState::started);
    EXPECT_EQ(at(again, 15min), "in_progress");
    const auto wanted = checks_wanted(again, rules(), kAccepted + 15min);
    EXPECT_EQ(std::ranges::count(wanted.checks, kTest, &Check::name), 1);
    EXPECT_EQ(std::ranges::find(wanted.checks, kTest, &Check::name)->external_id, "200:7");
}

TEST(Checks, WhatTheInfrastructureLostIsRunAgainOnceAndOnlyThat) {
    auto lost = facts(Level::l4, run({{"test", 1min, Conclusion::timed_out}}));
    const auto wanted = checks_wanted(lost, rules(), kAccepted + 11min);
    ASSERT_EQ(wanted.reruns.size(), 1U);
    EXPECT_EQ(wanted.reruns.front().cause, RerunCause::infrastructure);
    EXPECT_EQ(wanted.reruns.front().run_id, "100");
    EXPECT_EQ(state_of(wanted, kGate), "in_progress") << "held";
    lost.downstreams.front().part.reruns = {rerun(RerunCause::infrastructure, 11min)};
    EXPECT_TRUE(checks_wanted(lost, rules(), kAccepted + 12min).reruns.empty());
    EXPECT_TRUE(
        checks_wanted(facts(Level::l4, run({{"test", 1min, kBad}})), rules(), kAccepted + 11min)
            .reruns.empty()
    );
    auto never = rules();
    never.gate.retries = 0;
    lost.downstreams.front().part.reruns.clear();
    EXPECT_TRUE(checks_wanted(lost, never, kAccepted + 11min).reruns.empty());
    EXPECT_EQ(state_of(checks_wanted(lost, never, kAccepted + 11min), kGate), "failure");
}

TEST(Checks, ARunnerLostWithoutAWordIsRunAgainOnceWhetherOrNotTheGateStillWaits) {
    const auto lost = [](Millis until) {
        auto all = facts(Level::l4, run({{"test", 1min, Conclusion::timed_out, until}}));
        all.downstreams.front().part.run.jobs.front().said_by = SaidBy::relay;
        return all;
    };
    const auto orders = [](const CheckFacts& all, Millis after) {
        return checks_wanted(all, rules(), kAccepted + after).reruns;
    };
    ASSERT_EQ(orders(lost(60min), 61min).size(), 1U);
    EXPECT_EQ(orders(lost(60min), 61min).front().key, "lost/1/100/1");
    EXPECT_EQ(at(lost(60min), 61min, kGate), "in_progress");
    ASSERT_EQ(orders(lost(360min), 361min).size(), 1U);
    EXPECT_EQ(at(lost(360min), 361min, kGate), "success") << "it was decided hours ago";
    EXPECT_TRUE(orders(lost(360min), 390min).empty()) << "that is history";
    auto ordered = lost(60min);
    ordered.downstreams.front().part.reruns = {rerun(RerunCause::infrastructure, 61min)};
    EXPECT_TRUE(orders(ordered, 62min).empty()) << "once";
    auto red = lost(60min);
    red.downstreams.front().part.run.jobs.push_back(job({"build", 1min, kBad}));
    red.downstreams.front().part.downstream.required_jobs = {"test", "build"};
    EXPECT_TRUE(orders(red, 61min).empty()) << "never beside a test failure";
    auto both = lost(12min);
    both.downstreams.front().part.run.jobs.push_back(
        job({"build", 1min, Conclusion::cancelled, 10min, 1, "101"})
    );
    both.downstreams.front().part.downstream.required_jobs = {"test", "build"};
    EXPECT_EQ(orders(both, 13min).size(), 2U) << "both runs";
    auto overtaken = lost(60min);
    overtaken.pull_request->head = HeadSha("b");
    EXPECT_TRUE(orders(overtaken, 61min).empty());
    auto suspended = lost(60min);
    suspended.downstreams.front().part.suspension =
        GateSuspension{.since = kAccepted, .reason = "silent twice"};
    EXPECT_TRUE(orders(suspended, 61min).empty());
}

TEST(Checks, WhoLeavesTheListLeavesNothingOpen) {
    auto gone = facts(Level::l4, run({{"test"}}));
    gone.downstreams.clear();
    gone.gated = false;
    gone.standing = {
        standing(kTest), standing("crcr/down/npu/CI/build", CheckStatus::completed), standing(kGate)
    };
    EXPECT_EQ(at(gone, 15min), "neutral");
    EXPECT_EQ(at(gone, 15min, "crcr/down/npu/CI/build"), "") << "left as it is";
    EXPECT_EQ(at(gone, 15min, kGate), "success");
}

TEST(Checks, LongNamesAreCutAndStayApart) {
    auto one = job({});
    one.key.workflow = std::string(400, 'w');
    auto other = one;
    other.key.job = "another";
    EXPECT_LE(check_name("crcr", one).size(), 255U);
    EXPECT_NE(check_name("crcr", one), check_name("crcr", other));
    one.key.workflow = "";
    for (int i = 0; i < 200; ++i) {
        one.key.workflow += "ü";
    }
    EXPECT_LE(check_name("crcr", one).size(), 255U);
    one.key.workflow = "two\nlines";
    EXPECT_EQ(check_name("crcr", one).find('\n'), std::string::npos);
}

} // namespace

} // namespace baton::domain
