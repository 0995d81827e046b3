#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "unit/domain/gate_story.hpp"

namespace baton::domain {

namespace {

using namespace gate_story;

struct Case {
    std::string what;
    GatePartFacts facts;
    Millis after;
    PartState state;
    std::optional<Millis> until = std::nullopt;
};

void expect(const std::vector<Case>& cases) {
    for (const auto& one : cases) {
        const auto part = part_of(one.facts, GateRules{}, kAccepted + one.after);
        EXPECT_EQ(name_of(part.state), name_of(one.state)) << one.what << ": " << part.reason;
        const auto until = one.until ? std::optional(kAccepted + *one.until) : std::nullopt;
        EXPECT_EQ(part.until, until) << one.what;
        EXPECT_FALSE(part.reason.empty()) << one.what;
    }
}

constexpr auto kGood = Conclusion::success;
constexpr auto kBad = Conclusion::failure;

TEST(Gate, WaitsForAStartThirtyMinutesAndNotLonger) {
    auto silent = part(run({}));
    silent.run.silent_at = kAccepted + 20min;
    expect({
        {"just sent", part(run({})), 1min, PartState::waiting, 30min},
        {"a moment before", part(run({})), 30min - 1ms, PartState::waiting, 30min},
        {"at the limit", part(run({})), 30min, PartState::neutral},
        {"called silent already", silent, 21min, PartState::neutral},
        {"GitHub refused it", part(run({}, DispatchState::failed)), 1min, PartState::neutral},
        {"nobody could be told for 72 hours",
         part(run({}, DispatchState::dead)),
         1min,
         PartState::neutral},
    });
}

TEST(Gate, DecidesAtOnceWhenTheRequiredJobsHaveEnded) {
    const std::vector<std::string> required{"build", "test"};
    expect({
        {"both passed",
         part(run({{"build", 1min, kGood}, {"test", 1min, kGood}}), required),
         10min,
         PartState::passed},
        {"skipped and neutral pass",
         part(
             run({{"build", 1min, Conclusion::skipped}, {"test", 1min, Conclusion::neutral}}),
             required
         ),
         10min,
         PartState::passed},
        {"one runs",
         part(run({{"build", 1min, kGood}, {"test"}}), required),
         10min,
         PartState::running,
         181min},
        {"one was never heard of",
         part(run({{"build", 1min, kGood}}), required),
         10min,
         PartState::running,
         40min},
        {"another fails that is not required",
         part(run({{"build", 1min, kGood}, {"test", 1min, kGood}, {"lint", 1min, kBad}}), required),
         10min,
         PartState::passed},
        {"one fails",
         part(run({{"build", 1min, kBad}, {"test", 1min, kGood}}), required),
         10min,
         PartState::failed},
        {"named with its workflow",
         part(run({{"build", 1min, kGood}}), {"CI/build"}),
         10min,
         PartState::passed},
    });
}

TEST(Gate, SettlesForAMinuteWhenNobodySaidWhichJobsThereWillBe) {
    expect({
        {"just ended", part(run({{"build", 1min, kGood}})), 10min, PartState::settling, 11min},
        {"a minute later", part(run({{"build", 1min, kGood}})), 11min, PartState::passed},
        {"red waits too", part(run({{"build", 1min, kBad}})), 10min, PartState::settling, 11min},
        {"another began",
         part(run({{"build", 1min, kGood}, {"test", 10min}})),
         11min,
         PartState::running,
         181min},
    });
}

TEST(Gate, AwaitsTheJobsThatAlmostEveryEarlierRunHad) {
    auto facts = part(run({{"build", 1min, kGood}}));
    for (int i = 0; i < 20; ++i) {
        facts.before.push_back(
            i < 4 ? run({{"build", 1min, kGood}})
                  : run({{"build", 1min, kGood}, {"test", 1min, kGood}})
        );
    }
    EXPECT_EQ(awaited_jobs(facts), (std::vector<std::string>{"CI/build", "CI/test"})) << "16 of 20";
    expect({{"test is awaited", facts, 15min, PartState::running, 40min}});
    facts.before.insert(facts.before.begin(), run({{"build", 1min, kGood}}));
    EXPECT_EQ(awaited_jobs(facts), std::vector<std::string>{"CI/build"}) << "15 of the newest 20";
    expect({{"test is not awaited", facts, 15min, PartState::passed}});
}

TEST(Gate, WaitsForAnEndThreeHoursAndNotLonger) {
    expect({
        {"still running", part(run({{"test"}})), 180min, PartState::running, 181min},
        {"too long", part(run({{"test"}})), 181min, PartState::neutral},
        {"too long, but another is red",
         part(run({{"test"}, {"build", 1min, kBad}})),
         181min,
         PartState::failed},
    });
}

TEST(Gate, WaitsForARunnerThatWasLostWhileItIsRunAgainAndNotLongerThanForTheFirst) {
    const auto lost = [](Millis until) {
        auto facts = part(run({{"test", 1min, Conclusion::timed_out, until}}));
        facts.run.jobs.front().said_by = SaidBy::relay;
        return facts;
    };
    auto ordered = lost(90min);
    ordered.reruns = {rerun(RerunCause::infrastructure, 91min)};
    auto refused = lost(90min);
    refused.reruns = {rerun(RerunCause::infrastructure, 91min, RerunState::refused)};
    auto again = ordered;
    again.run.jobs.push_back(job({"test", 100min, {}, {}, 2}));
    auto lost_twice = ordered;
    lost_twice.run.jobs.push_back(job({"test", 100min, Conclusion::timed_out, 170min, 2}));
    lost_twice.run.jobs.back().said_by = SaidBy::relay;
    auto passed = ordered;
    passed.run.jobs.push_back(job({"test", 100min, kGood, 400min, 2}));
    auto afresh = ordered;
    afresh.spoken = afresh.run;
    afresh.run = run({});
    afresh.run.dispatch.created_at = kAccepted + 170min;
    auto by_hand = again;
    by_hand.reruns.push_back(rerun(RerunCause::person, 95min));
    expect({
        {"at once: nobody announces another job", lost(90min), 90min, PartState::held, 120min},
        {"nobody carried it out", lost(90min), 120min, PartState::neutral},
        {"near the end of its time", lost(170min), 175min, PartState::held, 181min},
        {"given up when the gate waited no more", lost(360min), 361min, PartState::neutral},
        {"ordered", ordered, 92min, PartState::held, 121min},
        {"ordered, and never heard of again", ordered, 121min, PartState::neutral},
        {"could not be ordered", refused, 92min, PartState::neutral},
        {"it runs again in what is left of its time", again, 101min, PartState::running, 181min},
        {"which is over", again, 181min, PartState::neutral},
        {"a person's word buys time", by_hand, 181min, PartState::running, 280min},
        {"lost twice", lost_twice, 171min, PartState::neutral},
        {"its end counts, however late", passed, 402min, PartState::passed},
        {"a fresh dispatch has the same time", afresh, 172min, PartState::waiting, 181min},
        {"and no more", afresh, 181min, PartState::neutral},
    });
}

TEST(Gate, BelievesOnlyTheRunThatHasTheClaimAndShowedItsToken) {
    auto other = run({{"test", 1min, kBad}});
    other.jobs.front().counts = false;
    auto unbound = run({{"test", 1min, kBad}});
    unbound.jobs.front().bound = false;
    auto foreign = run({{"test", 1min, kBad}});
    foreign.jobs.front().run_proven = false;
    expect({
        {"another run has the claim", part(other), 15min, PartState::waiting, 30min},
        {"no token", part(unbound), 15min, PartState::waiting, 30min},
        {"the token of another run", part(foreign), 15min, PartState::waiting, 30min},
    });
}

TEST(Gate, TheNewestAttemptIsTheVerdict) {
    expect({
        {"failed, then passed",
         part(run({{"test", 1min, kBad}, {"test", 20min, kGood, 30min, 2}})),
         31min,
         PartState::passed},
        {"failed, runs again",
         part(run({{"test", 1min, kBad}, {"test", 20min, {}, {}, 2}})),
         31min,
         PartState::running,
         200min},
        {"the late word of an old attempt",
         part(run({{"test", 20min, kGood, 30min, 2}, {"test", 1min, kBad, 40min}})),
         41min,
         PartState::passed},
    });
}

TEST(Gate, IsNotRedBeforeTheRetryIsSpent) {
    const auto lost = part(run({{"test", 1min, Conclusion::timed_out}}));
    auto ordered = lost;
    ordered.reruns = {rerun(RerunCause::infrastructure, 11min)};
    auto spent = part(run(
        {{"test", 1min, Conclusion::timed_out}, {"test", 20min, Conclusion::cancelled, 30min, 2}}
    ));
    spent.reruns = ordered.reruns;
    auto refused = lost;
    refused.reruns = {rerun(RerunCause::infrastructure, 11min, RerunState::refused)};
    expect({
        {"to be ordered", lost, 11min, PartState::held, 40min},
        {"nobody carried it out", lost, 40min, PartState::failed},
        {"ordered", ordered, 12min, PartState::held, 41min},
        {"ordered, and never heard of again", ordered, 41min, PartState::failed},
        {"lost twice", spent, 31min, PartState::failed},
        {"could not be ordered", refused, 12min, PartState::failed},
        {"a test failure is never retried",
         part(run({{"test", 1min, kBad}})),
         11min,
         PartState::failed},
    });
}

TEST(Gate, HoldsWhileSomebodyHasItRunAgain) {
    auto asked = part(run({{"test", 1min, kBad}}));
    asked.reruns = {rerun(RerunCause::person, 60min)};
    auto answered = part(run({{"test", 1min, kBad}, {"test", 61min, kBad, 70min, 2}}));
    answered.reruns = asked.reruns;
    expect({
        {"asked", asked, 61min, PartState::held, 90min},
        {"no answer in half an hour", asked, 90min, PartState::failed},
        {"red again", answered, 71min, PartState::failed},
    });
}

TEST(Gate, IsNeutralWhenTheBaseBranchFailsTheSameJob) {
    auto red_base = part(run({{"test", 1min, kBad}}));
    red_base.base = {run({{"test", -60min, kBad, -50min}})};
    auto mended_base = red_base;
    mended_base.base.insert(mended_base.base.begin(), run({{"test", -30min, kGood, -20min}}));
    auto other_job = part(run({{"test", 1min, kBad}, {"build", 1min, kBad}}));
    other_job.base = red_base.base;
    auto running_base = part(run({{"test", 1min, kBad}}));
    running_base.base = {run({{"test", 0min}})};
    expect({
        {"red there too", red_base, 11min, PartState::neutral},
        {"mended there since", mended_base, 11min, PartState::failed},
        {"only one of two", other_job, 11min, PartState::failed},
        {"not known yet", running_base, 11min, PartState::held, 40min},
        {"not known in time", running_base, 40min, PartState::failed},
    });
}

TEST(Gate, ABaseRunThatWasCancelledExcusesNothing) {
    auto facts = part(run({{"test", 1min, kBad}}));
    facts.base = {
        run({{"test", -30min, Conclusion::cancelled, -20min}}),
        run({{"test", -60min, kGood, -50min}}),
    };
    expect({{"the one before it passed", facts, 11min, PartState::failed}});
}

TEST(Gate, SilenceOfALaterRunTakesBackNothing) {
    auto facts = part(run({}));
    facts.spoken = run({{"test", 1min, kBad}});
    expect({
        {"the later one may still start", facts, 20min, PartState::waiting, 30min},
        {"it did not", facts, 30min, PartState::failed},
    });
    facts.run = run({}, DispatchState::failed);
    expect({{"it could not be told", facts, 20min, PartState::failed}});
}

TEST(Gate, AJobThatNeverBeginsHoldsUpNobodyForHours) {
    const auto facts = part(run({{"build", 1min, kGood}}), {"build", "test"});
    expect({
        {"it may still begin", facts, 39min, PartState::running, 40min},
        {"nothing was heard for half an hour", facts, 40min, PartState::neutral},
    });
}

TEST(Gate, ASuspendedDownstreamHoldsUpNobody) {
    auto facts = part(run({{"test", 1min, kBad}}));
    facts.suspension = GateSuspension{.since = kAccepted - 5min, .reason = "silent twice"};
    expect({{"suspended", facts, 11min, PartState::neutral}});
}

} // namespace

} // namespace baton::domain
