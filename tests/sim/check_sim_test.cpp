// What stands on pull requests, in worlds that are made for one question each.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/faults.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "sim/checkers.hpp"
#include "sim/life.hpp"
#include "sim/world.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

const std::string kGateKeeper = "four/gate";

/// The gate on the head of a pull request, as GitHub shows it; queued when there is none.
sim::CheckRun gate_of(World& world, PrNumber number) {
    const auto* const upstream = world.github().repo(kUpstream);
    for (const auto* const run :
         world.github().checks().of(upstream->id, upstream->pulls.at(number).head)) {
        if (run->name == "crcr/gate") {
            return *run;
        }
    }
    return {};
}

std::size_t checks_in(World& world) {
    const auto* const upstream = world.github().repo(kUpstream);
    std::size_t count = 0;
    for (const auto& head : upstream->commits) {
        count += world.github().checks().of(upstream->id, head).size();
    }
    return count;
}

void open_one_after_the_other(World& world, const std::vector<std::string>& authors) {
    for (const auto& author : authors) {
        world.open(author);
        world.pass(2min);
    }
}

/// While GitHub answers 5xx, eight postings leave before the first answer; then one at a time
/// tries. It waits 0.5 s, 1 s, 2 s ... 256 s, then five minutes, each drawn from half of that
/// upwards: in an hour at most 10 tries in the first 256 s, and one each 150 s of the rest: 23.
/// Every try is one call, for a question that fails is not followed by a creation. Afterwards each
/// check takes one call, and one question more where an earlier creation had no answer: at most one
/// per failed call.
TEST(CheckSim, AnHourOfServerErrorsIsMadeGoodWithinSixMinutesAndWithFewCalls) {
    constexpr std::size_t failed_calls = 8 + 10 + 23;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        World world(seed, {.callbacks = true, .script = sim::Script::pass});
        for (const auto* const route : {"create_check", "update_check", "check_runs"}) {
            world.faults().add({.route = route, .fault = sim::Fault::server_error(503)});
        }
        for (int i = 0; i < 25; ++i) {
            world.open("maintainer");
        }
        world.pass(1h);
        EXPECT_EQ(checks_in(world), 0U);
        EXPECT_LE(world.check_calls(), failed_calls);
        world.heal();
        world.pass(6min);
        EXPECT_EQ(check_checks(world), std::vector<std::string>{});
        const auto checks = checks_in(world);
        EXPECT_EQ(checks, 50U) << "a gate and a job for each";
        EXPECT_LE(world.check_calls(), failed_calls + checks + std::min(failed_calls, checks));
        std::cout << "calls " << world.check_calls() << " for " << checks << " checks\n";
    }
}

TEST(CheckSim, WhoNeverStartsHoldsUpNoMergeForLongerThanTheStartMayTake) {
    World world(31, {.callbacks = true, .script = sim::Script::silent});
    const auto number = world.open("newcomer");
    world.pass(check_rules().gate.start - 10s);
    EXPECT_EQ(gate_of(world, number).status, "queued");
    world.pass(10s + 1min);
    EXPECT_EQ(gate_of(world, number).conclusion, "success");
    world.settle(80);
    EXPECT_EQ(check(world), std::vector<std::string>{});
}

TEST(CheckSim, WhoNeverEndsHoldsUpNoMergeForLongerThanTheRunMayTake) {
    World world(32, {.callbacks = true, .script = sim::Script::crash});
    const auto number = world.open("newcomer");
    world.pass(2min); // it starts after a minute and a half at the latest
    EXPECT_EQ(gate_of(world, number).status, "in_progress");
    world.pass(check_rules().gate.run - 2min);
    EXPECT_EQ(gate_of(world, number).status, "in_progress");
    world.pass(2min + 1min);
    EXPECT_EQ(gate_of(world, number).conclusion, "success");
    world.pass(1h); // the job is given up, and that opens nothing again
    world.settle(80);
    EXPECT_EQ(check(world), std::vector<std::string>{});
}

TEST(CheckSim, ARunnerLostWithoutAWordIsRunAgainOnce) {
    for (const auto later : {sim::Script::pass, sim::Script::fail, sim::Script::crash}) {
        SCOPED_TRACE(sim::name_of(later));
        World world(36, {.callbacks = true, .script = sim::Script::pass});
        world.cast(kGateKeeper, sim::Script::crash);
        const auto number = world.open("newcomer");
        world.pass(check_rules().gate.run + 3min);
        EXPECT_EQ(gate_of(world, number).conclusion, "success") << "nobody waits that long";
        world.cast(kGateKeeper, later);
        for (int i = 0; i < 24; ++i) {
            world.pass(10s);
            EXPECT_NE(gate_of(world, number).status, "in_progress") << "nor again for the retry";
        }
        world.pass(3h);
        world.settle(80);
        const auto gate = gate_of(world, number);
        EXPECT_EQ(gate.conclusion, later == sim::Script::fail ? "failure" : "success");
        const auto orders = world.reruns_on(gate.head, number);
        ASSERT_EQ(orders.size(), 1U) << "however often it is lost";
        EXPECT_EQ(orders.front().cause, domain::RerunCause::infrastructure);
        EXPECT_EQ(orders.front().state, domain::RerunState::asked);
        EXPECT_EQ(check(world), std::vector<std::string>{});
    }
}

TEST(CheckSim, ADeadDownstreamIsSuspendedAndComesBackByItselfAfterCleanRuns) {
    World world(33, {.callbacks = true, .script = sim::Script::pass});
    world.cast(kGateKeeper, sim::Script::silent);
    open_one_after_the_other(world, {"newcomer", "somebody"});
    EXPECT_FALSE(world.suspension_of(kGateKeeper));
    world.pass(check_rules().gate.start + 1min);
    const auto suspension = world.suspension_of(kGateKeeper);
    ASSERT_TRUE(suspension);
    EXPECT_FALSE(suspension->by_hand);
    EXPECT_EQ(suspension->reason, "2 runs in a row did not start within 5m");

    const auto meanwhile = world.open("newcomer");
    world.pass(1min);
    EXPECT_EQ(gate_of(world, meanwhile).conclusion, "success") << "nobody waits for the dead";

    world.cast(kGateKeeper, sim::Script::pass);
    open_one_after_the_other(world, {"newcomer", "somebody", "a-third", "a-fourth"});
    world.settle(80);
    world.pass(5min);
    EXPECT_TRUE(world.suspension_of(kGateKeeper)) << "strangers' clean runs bring nobody back";

    open_one_after_the_other(world, {"maintainer", "maintainer"});
    world.push_to_main();
    world.settle(80);
    world.pass(5min);
    EXPECT_FALSE(world.suspension_of(kGateKeeper));

    world.cast(kGateKeeper, sim::Script::fail);
    const auto red = world.open("maintainer");
    world.settle(80);
    EXPECT_EQ(gate_of(world, red).conclusion, "failure") << "it is believed again";
    EXPECT_EQ(check(world), std::vector<std::string>{});
}

TEST(CheckSim, RedPullRequestsOfStrangersNeverSuspendAnybody) {
    for (const auto script : {sim::Script::fail, sim::Script::crash}) {
        for (const auto base : {sim::Script::pass, sim::Script::fail}) {
            SCOPED_TRACE(
                ::testing::Message() << sim::name_of(script) << ", base " << sim::name_of(base)
            );
            World world(34, {.callbacks = true, .script = sim::Script::pass});
            world.cast(kGateKeeper, base);
            world.push_to_main();
            world.pass(2min);
            world.cast(kGateKeeper, script);
            for (int i = 0; i < 10; ++i) {
                world.open(fmt::format("stranger-{}", i));
                world.pass(10min);
                EXPECT_FALSE(world.suspension_of(kGateKeeper));
            }
            world.settle(80);
            world.pass(30min);
            EXPECT_FALSE(world.suspension_of(kGateKeeper));
            EXPECT_EQ(check(world), std::vector<std::string>{});
        }
    }
}

TEST(CheckSim, ADownstreamThatIsRedForItsOwnPeopleAndOnTheBaseBranchIsSuspended) {
    World world(35, {.callbacks = true, .script = sim::Script::fail});
    world.push_to_main();
    const auto number = world.open("maintainer");
    world.settle(80);
    world.pass(1min);
    ASSERT_TRUE(world.suspension_of(kGateKeeper));
    EXPECT_EQ(gate_of(world, number).conclusion, "success");
    EXPECT_EQ(check(world), std::vector<std::string>{});
}

} // namespace
} // namespace baton::test
