#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/breaker.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "unit/domain/breaker_story.hpp"

namespace baton::domain {

namespace {

using namespace breaker_story;
using enum What;
using Move = BreakerVerdict::Move;

struct Case {
    std::string name;
    std::vector<SeenRun> recent;
    Move move;
};

void expect_all(const std::vector<Case>& cases) {
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto verdict = judge_breaker(history(c.recent), {}, kNow);
        EXPECT_EQ(verdict.move, c.move) << verdict.evidence;
        EXPECT_EQ(verdict.reason.empty(), c.move == Move::none);
        EXPECT_EQ(verdict.evidence.empty(), c.move == Move::none);
    }
}

TEST(Breaker, SuspendsWhoIsSilentTwiceInARow) {
    // Sent before the others, started after they were given up: somebody is there.
    auto late = seen(clean, canary(6h));
    late.run.jobs[0].started_at = kNow - 1h;
    expect_all({
        {"nothing is known", {}, Move::none},
        {"once", {seen(silent)}, Move::none},
        {"twice", {seen(silent), seen(silent)}, Move::suspend},
        {"the sweeper said so", {seen(called, canary(10min)), seen(silent)}, Move::suspend},
        {"one has still time", {seen(waiting), seen(silent)}, Move::none},
        {"another has still time", {seen(waiting), seen(silent), seen(silent)}, Move::suspend},
        {"a run in between", {seen(silent), seen(running), seen(silent)}, Move::none},
        {"a start since", {seen(clean, canary(1h)), seen(silent), seen(silent)}, Move::none},
        {"a red start since", {seen(red, canary(1h)), seen(silent), seen(silent)}, Move::none},
        {"a late start", {seen(silent), seen(silent), late}, Move::none},
        {"what was superseded is no sign",
         {seen(silent), seen(superseded), seen(cancelled), seen(silent)},
         Move::suspend},
        {"nor is what was superseded or not sent silence",
         {seen(superseded), seen(cancelled), seen(pending), seen(untold)},
         Move::none},
        {"whoever waits for it",
         {seen(silent, stranger(1)), seen(silent, stranger(2))},
         Move::suspend},
    });
}

TEST(Breaker, SuspendsWhoTimesOutThreeTimesInARow) {
    expect_all({
        {"twice", {seen(timed_out), seen(timed_out)}, Move::none},
        {"three times", {seen(timed_out), seen(timed_out), seen(timed_out)}, Move::suspend},
        {"in different ways", {seen(stuck), seen(lost), seen(timed_out)}, Move::suspend},
        {"for people who write",
         {seen(lost, writer(1)), seen(lost, writer(2)), seen(lost, writer(3))},
         Move::suspend},
        {"a clean one in between", {seen(lost), seen(clean), seen(lost), seen(lost)}, Move::none},
        {"a red one in between", {seen(lost), seen(red), seen(lost), seen(lost)}, Move::none},
        {"one that runs in between",
         {seen(lost), seen(running), seen(lost), seen(lost)},
         Move::suspend},
        {"a stranger's endless loop",
         {seen(stuck, stranger(1)), seen(stuck, stranger(2)), seen(stuck, stranger(3))},
         Move::none},
        {"a stranger in between",
         {seen(lost), seen(clean, stranger(1)), seen(lost), seen(lost)},
         Move::suspend},
        {"stopped jobs", {seen(stopped), seen(stopped), seen(stopped)}, Move::none},
    });
}

TEST(Breaker, SuspendsWhoIsRedOnTheBaseBranchToo) {
    auto elsewhere = base();
    elsewhere.ref = "refs/heads/other";
    expect_all({
        {"base and a pull request", {seen(red, writer(1)), seen(red, base())}, Move::suspend},
        {"in the other order", {seen(red, base()), seen(red, writer(1))}, Move::suspend},
        {"only the base", {seen(red, base()), seen(clean, writer(1))}, Move::none},
        {"only the pull request", {seen(red, writer(1)), seen(clean, base())}, Move::none},
        {"nothing of the base", {seen(red, writer(1))}, Move::none},
        {"another branch", {seen(red, writer(1)), seen(red, elsewhere)}, Move::none},
        {"a stranger's pull request", {seen(red, stranger(1)), seen(red, base())}, Move::none},
        {"the base is well again",
         {seen(clean, base()), seen(red, writer(1)), seen(red, base())},
         Move::none},
        {"a canary says that it is well again",
         {seen(clean, canary()), seen(red, writer(1)), seen(red, base())},
         Move::none},
        {"the canary is red too",
         {seen(red, canary()), seen(red, writer(1)), seen(red, base())},
         Move::suspend},
        {"the pull request is well again",
         {seen(clean, writer(1)), seen(red, writer(1)), seen(red, base())},
         Move::none},
        {"newer runs have not ended",
         {seen(running, writer(1)), seen(running, base()), seen(red, writer(1)), seen(red, base())},
         Move::suspend},
        {"three clean runs since",
         {seen(clean, writer(2)),
          seen(clean, writer(3)),
          seen(clean, writer(4)),
          seen(red, writer(1)),
          seen(red, base())},
         Move::none},
    });
}

TEST(Breaker, SuspendsWhoIsRedForThreePeopleAndOnTheCanary) {
    auto same = writer(3);
    same.author = "Writer1";
    expect_all({
        {"three people and the canary",
         {seen(red, writer(1)), seen(red, writer(2)), seen(red, canary()), seen(red, writer(3))},
         Move::suspend},
        {"two people", {seen(red, writer(1)), seen(red, writer(2)), seen(red, canary())}, Move::none
        },
        {"three pull requests of two people",
         {seen(red, writer(1)), seen(red, writer(2)), seen(red, same), seen(red, canary())},
         Move::none},
        {"one of them a stranger",
         {seen(red, writer(1)), seen(red, writer(2)), seen(red, stranger(3)), seen(red, canary())},
         Move::none},
        {"three people alone",
         {seen(red, writer(1)), seen(red, writer(2)), seen(red, writer(3))},
         Move::none},
        {"the canary is well",
         {seen(clean, canary()), seen(red, writer(1)), seen(red, writer(2)), seen(red, writer(3))},
         Move::none},
        {"the canary was red before it was well",
         {seen(red, writer(1)),
          seen(red, writer(2)),
          seen(clean, canary()),
          seen(red, canary()),
          seen(red, writer(3))},
         Move::none},
        {"one of them is well again",
         {seen(clean, writer(1)),
          seen(red, writer(1)),
          seen(red, writer(2)),
          seen(red, writer(3)),
          seen(red, canary())},
         Move::none},
    });
}

TEST(Breaker, HoldsNothingAgainstWhoIsPaused) {
    auto facts = history({seen(silent), seen(silent)});
    facts.paused = true;
    EXPECT_EQ(judge_breaker(facts, {}, kNow), BreakerVerdict{});
}

TEST(Breaker, DoesNotSuspendAgainForWhatWasJudgedBefore) {
    auto facts = history({seen(silent), seen(silent)});
    facts.resumed_at = kNow - 1h;
    EXPECT_EQ(judge_breaker(facts, {}, kNow).move, Move::none);
    facts.resumed_at = kNow - 4h;
    EXPECT_EQ(judge_breaker(facts, {}, kNow).move, Move::suspend);
}

TEST(Breaker, IsOffWhereARuleIsSetToNone) {
    const BreakerRules off{.silent = 0, .timed_out = 0};
    EXPECT_EQ(judge_breaker(history({seen(silent), seen(silent)}), off, kNow).move, Move::none);
    EXPECT_EQ(judge_breaker(history({seen(lost)}), off, kNow).move, Move::none);
}

TEST(Breaker, ComesBackAfterCleanRunsInARow) {
    const auto c = [](Millis ago) { return seen(clean, canary(ago)); };
    const std::vector<Case> cases{
        {"three canaries", {c(1h), c(2h), c(3h)}, Move::resume},
        {"two canaries", {c(1h), c(2h)}, Move::none},
        {"one begun before", {c(1h), c(2h), c(6h)}, Move::none},
        {"a push and a writer",
         {c(1h), seen(clean, base(2h)), seen(clean, writer(1, 3h))},
         Move::resume},
        {"strangers",
         {seen(clean, stranger(1)), seen(clean, stranger(2)), seen(clean, stranger(3))},
         Move::none},
        {"a stranger's red one in between",
         {c(1h), seen(red, stranger(1)), c(2h), c(3h)},
         Move::resume},
        {"a red one in between", {c(1h), seen(red, writer(1)), c(2h), c(3h)}, Move::none},
        {"a silent one in between", {c(1h), seen(silent), c(2h), c(3h)}, Move::none},
        {"a time-out in between", {c(1h), seen(lost), c(2h), c(3h)}, Move::none},
        {"one that has not ended", {seen(running), c(1h), c(2h), c(3h)}, Move::resume},
        {"one that was stopped", {c(1h), seen(stopped), c(2h), c(3h)}, Move::resume},
        {"nothing since", {}, Move::none},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        auto facts = suspended_since(5h, one.recent);
        EXPECT_EQ(judge_breaker(facts, {}, kNow).move, one.move);
        facts.suspension->by_hand = true;
        EXPECT_EQ(judge_breaker(facts, {}, kNow), BreakerVerdict{});
    }
}

TEST(Breaker, SaysWhenTimeAloneMayMoveIt) {
    auto waits = seen(waiting); // sent a minute ago
    auto runs = seen(running);  // started a minute ago
    const auto look_at = [](std::vector<SeenRun> recent) {
        return judge_breaker(history(std::move(recent)), {}, kNow).look_at;
    };
    EXPECT_EQ(look_at({waits, runs}), kNow + 29min);
    EXPECT_EQ(look_at({runs}), kNow + 179min);
    EXPECT_EQ(look_at({seen(clean), seen(superseded)}), std::nullopt);
}

TEST(Breaker, GivesItsReasonAndItsEvidence) {
    auto first = seen(red, writer(7, 1h));
    first.run.dispatch.id = DispatchId{12};
    first.run.jobs[0].key.run_id = "a\"b\\c\n";
    auto second = seen(red, base(2h));
    const auto verdict = judge_breaker(history({first, second}), {}, kNow);
    EXPECT_EQ(verdict.reason, "it is red on refs/heads/main and on pull request 7");
    EXPECT_EQ(
        verdict.evidence,
        R"({"rule":"red_on_base","needed":1,"runs":[)"
        R"({"dispatch":1,"what":"red","event":"push","pr":null,"author":null,)"
        R"("ref":"refs/heads/main","head":"a","run_ids":["100"],)"
        R"("began_at":"2027-01-15T06:01:00.000Z","known_at":"2027-01-15T06:10:00.000Z"},)"
        R"({"dispatch":12,"what":"red","event":"pull_request","pr":7,"author":"writer7",)"
        R"("ref":"refs/heads/main","head":"a","run_ids":["a\"b\\c\\x0a"],)"
        R"("began_at":"2027-01-15T07:01:00.000Z","known_at":"2027-01-15T07:10:00.000Z"}]})"
    );
    EXPECT_EQ(
        judge_breaker(history({seen(silent), seen(silent)}), {}, kNow).reason,
        "2 runs in a row did not start within 30m"
    );
    EXPECT_EQ(
        judge_breaker(history({seen(lost), seen(lost), seen(lost)}), {}, kNow).reason,
        "3 runs in a row timed out"
    );
}

TEST(Breaker, NamesTheRunsWhoseAuthorsMatter) {
    EXPECT_TRUE(author_matters(seen(red, writer(1)).run, false));
    EXPECT_TRUE(author_matters(seen(lost, writer(1)).run, false));
    EXPECT_FALSE(author_matters(seen(clean, writer(1)).run, false));
    EXPECT_TRUE(author_matters(seen(clean, writer(1)).run, true));
    EXPECT_FALSE(author_matters(seen(silent, writer(1)).run, true));
    EXPECT_FALSE(author_matters(seen(red, canary()).run, true));
}

} // namespace

} // namespace baton::domain
