#include "baton/sim/downstream_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace baton::sim {
namespace {

using std::chrono::minutes;

const Cue kOpened{.event_type = "pull_request", .action = "opened"};

/// "0.1 test start", "0.1 test success": run, attempt, job and what is said.
std::vector<std::string> told(Script script, const Cue& cue = kOpened, std::uint64_t seed = 1) {
    std::vector<std::string> out;
    for (const auto& step : steps_of(script, cue, {}, seed)) {
        out.push_back(
            std::to_string(step.run) + "." + std::to_string(step.attempt) + " " + step.job + " " +
            (step.conclusion.empty() ? "start" : step.conclusion)
        );
    }
    return out;
}

TEST(DownstreamScript, TellsWhatEachScriptIsNamedAfter) {
    const struct {
        Script script;
        std::vector<std::string> steps;
    } cases[] = {
        {Script::pass, {"0.1 test start", "0.1 test success"}},
        {Script::fail, {"0.1 test start", "0.1 test failure"}},
        {Script::flaky, {"0.1 test start", "0.1 test failure", "0.2 test start", "0.2 test success"}
        },
        {Script::slow, {"0.1 test start", "0.1 test success"}},
        {Script::silent, {}},
        {Script::duplicate,
         {"0.1 test start",
          "0.1 test start",
          "1.1 test start",
          "0.1 test success",
          "0.1 test success",
          "1.1 test success"}},
        {Script::deaf, {"0.1 test start", "1.1 test start", "0.1 test success", "1.1 test failure"}
        },
        {Script::out_of_order, {"0.1 test success", "0.1 test start"}},
        {Script::crash, {"0.1 test start"}},
        {Script::rerun, {"0.1 test start", "0.1 test success", "0.2 test start", "0.2 test success"}
        },
        {Script::nightly, {}},
    };

    for (const auto& each : cases) {
        SCOPED_TRACE(name_of(each.script));
        EXPECT_EQ(told(each.script), each.steps);
    }
}

TEST(DownstreamScript, RunsNothingForAPullRequestThatWasClosed) {
    for (const auto name : script_names()) {
        SCOPED_TRACE(name);
        const Cue closed{.event_type = "pull_request", .action = "closed"};
        EXPECT_EQ(told(*script_named(name), closed), std::vector<std::string>{});
    }
}

TEST(DownstreamScript, ReportsANightlyByOneEnd) {
    EXPECT_EQ(
        told(Script::nightly, {.event_type = "nightly"}),
        std::vector<std::string>{"0.1 test success"}
    );
}

TEST(DownstreamScript, HasTwentyLegsOfWhichOneFails) {
    const auto steps = steps_of(Script::matrix, kOpened, {}, 3);
    std::set<std::string> jobs;
    for (const auto& step : steps) {
        jobs.insert(step.job);
    }
    EXPECT_EQ(steps.size(), 40U);
    EXPECT_EQ(jobs.size(), 20U);
    EXPECT_EQ(std::ranges::count(steps, "failure", &ScriptStep::conclusion), 1);
}

TEST(DownstreamScript, TriesEachForgeryUnderANameOfItsOwnAndOneUnderTheHonestJobs) {
    const auto steps = steps_of(Script::forged, kOpened, {}, 3);
    for (const auto forgery : forgeries()) {
        SCOPED_TRACE(name_of(forgery));
        EXPECT_GE(std::ranges::count(steps, forgery, &ScriptStep::forgery), 1);
        EXPECT_EQ(
            std::ranges::count(steps, "forged-" + std::string(name_of(forgery)), &ScriptStep::job),
            1
        );
    }
    EXPECT_EQ(std::ranges::count(steps, "test", &ScriptStep::job), 3);
}

TEST(DownstreamScript, OnlyTheDeafAndTheForgersGoOnWhenTold) {
    for (const auto name : script_names()) {
        SCOPED_TRACE(name);
        const auto script = *script_named(name);
        const auto steps = steps_of(script, kOpened, {}, 1);
        const bool all_obey = std::ranges::all_of(steps, &ScriptStep::obeys);
        EXPECT_EQ(all_obey, script != Script::deaf && script != Script::forged);
    }
}

TEST(DownstreamScript, ComesInTheOrderOfTimeAndEqualSeedsTellTheSame) {
    for (const auto name : script_names()) {
        SCOPED_TRACE(name);
        const auto script = *script_named(name);
        const auto steps = steps_of(script, kOpened, {.later = minutes{9}}, 5);
        EXPECT_TRUE(std::ranges::is_sorted(steps, {}, &ScriptStep::after));
        EXPECT_EQ(told(script, kOpened, 5), told(script, kOpened, 5));
    }
    const auto one = steps_of(Script::pass, kOpened, {}, 1);
    const auto other = steps_of(Script::pass, kOpened, {}, 2);
    EXPECT_NE(one.front().after, other.front().after);
}

TEST(DownstreamScript, TakesItsTime) {
    const Pace pace{.queue = minutes{2}, .work = minutes{10}, .later = minutes{600}};
    const auto pass = steps_of(Script::pass, kOpened, pace, 1);
    EXPECT_GE(pass[0].after, minutes{2});
    EXPECT_LE(pass[0].after, minutes{3});
    EXPECT_GE(pass[1].after - pass[0].after, minutes{10});
    const auto slow = steps_of(Script::slow, kOpened, pace, 1);
    EXPECT_GE(slow[1].after, minutes{100});
    const auto rerun = steps_of(Script::rerun, kOpened, pace, 1);
    EXPECT_GE(rerun[2].after - rerun[1].after, minutes{600});
}

} // namespace
} // namespace baton::sim
