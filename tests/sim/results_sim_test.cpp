// Downstreams that report by script, under the same virtual clock: what comes back is kept once, in
// its place, and never moves back, whatever fails in between.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/sim/downstream_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/checkers.hpp"
#include "sim/options.hpp"
#include "sim/world.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kSeedsPerScript = 3;

std::vector<domain::Job> all_jobs(World& world) {
    std::vector<domain::Job> out;
    for (const auto& id : world.accepted()) {
        for (const auto& one : world.history(id).dispatches) {
            out.insert(out.end(), one.jobs.begin(), one.jobs.end());
        }
    }
    return out;
}

class EveryScript : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryScript, KeepsResultsOnceAndInTheirPlaceWhateverFails) {
    for (std::uint64_t seed = 1; seed <= kSeedsPerScript; ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        World world(
            seed,
            {.crash = 0.004,
             .store_failure = 0.02,
             .lost_reply = 0.1,
             .duplicate = 0.2,
             .clock_jump = 0.05,
             .lost_callback = 0.2,
             .lost_answer = 0.2,
             .callbacks = true,
             .script = sim::script_named(GetParam())}
        );
        world.live(12);
        world.heal();
        world.settle(80);
        EXPECT_EQ(check(world), std::vector<std::string>{});
        EXPECT_EQ(world.downstreams().open(), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Script,
    EveryScript,
    testing::ValuesIn(sim::script_names()),
    [](const testing::TestParamInfo<std::string_view>& info) { return std::string(info.param); }
);

TEST(ResultsSim, APeacefulWorldHasEveryResultAtTheFirstTry) {
    World world(2, {.callbacks = true, .script = sim::Script::pass});
    world.live(20);
    world.settle(80);
    EXPECT_EQ(check(world), std::vector<std::string>{});
    for (const auto& [repo, count] : world.downstreams().counts()) {
        EXPECT_EQ(count.refused + count.given_up, 0U) << repo.text();
        EXPECT_EQ(count.tries, count.sent) << repo.text();
    }
    std::set<std::string> stopped; // runs for a commit that a newer one had overtaken
    for (const auto& told : world.told()) {
        if (told.answer.proceed == false) {
            stopped.insert(std::to_string(told.report.run.id));
        }
    }
    const auto jobs = all_jobs(world);
    EXPECT_GT(jobs.size(), 50U);
    for (const auto& job : jobs) {
        SCOPED_TRACE(job.subject.downstream.text() + " " + job.key.run_id);
        EXPECT_TRUE(job.bound && job.run_proven && !job.start_missed);
        EXPECT_TRUE(job.conclusion || stopped.contains(job.key.run_id));
    }
    EXPECT_GT(world.count_of(domain::DispatchState::finished), 40U);
}

TEST(ResultsSim, ARerunDaysLaterStillHasItsPlace) {
    World world(3, {.callbacks = true, .script = sim::Script::rerun, .rerun_after = 72h});
    world.live(3);
    world.settle(200);
    EXPECT_EQ(check(world), std::vector<std::string>{});
    const auto jobs = all_jobs(world);
    const auto again = std::ranges::count_if(jobs, [](const domain::Job& job) {
        return job.key.attempt == 2 && job.bound && job.counts && job.conclusion;
    });
    EXPECT_GT(again, 0);
}

TEST(ResultsSim, TheSecondRunOfADispatchIsTurnedAwayAndItsVerdictDoesNotCount) {
    World world(4, {.callbacks = true, .script = sim::Script::deaf});
    world.live(10);
    world.settle(80);
    EXPECT_EQ(check(world), std::vector<std::string>{});
    const auto jobs = all_jobs(world);
    const auto failed = std::ranges::count(jobs, domain::Conclusion::failure, [](const auto& job) {
        return job.conclusion.value_or(domain::Conclusion::neutral);
    });
    EXPECT_GT(failed, 0) << "the deaf were heard";
    for (const auto& job : jobs) {
        EXPECT_FALSE(job.counts && job.conclusion == domain::Conclusion::failure);
    }
}

TEST(ResultsSim, AForgersReportsAreRefusedAndItsHonestVerdictStands) {
    World world(5, {.callbacks = true, .script = sim::Script::forged});
    world.live(10);
    world.settle(80);
    EXPECT_EQ(check(world), std::vector<std::string>{});
    std::size_t refused = 0;
    for (const auto& [repo, count] : world.downstreams().counts()) {
        refused += count.refused;
    }
    EXPECT_GT(refused, 20U);
    for (const auto& job : all_jobs(world)) {
        if (job.key.job == "test") {
            EXPECT_EQ(job.conclusion, domain::Conclusion::success);
        }
    }
}

TEST(ResultsSim, ARelayMayDieWhileGithubIsAskedForTheCommitOfANightly) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        World world(seed, {.crash = 0.02, .callbacks = true, .script = sim::Script::nightly});
        world.live(20);
        world.settle(80);
        EXPECT_EQ(check(world), std::vector<std::string>{});
    }
}

TEST(ResultsSim, AnyOneStoreCallMayFailWhileResultsComeIn) {
    std::uint64_t nth = 1;
    for (;; nth += options().walk_stride) {
        SCOPED_TRACE(::testing::Message() << "store call " << nth);
        World world(
            21, {.callbacks = true, .script = sim::Script::duplicate, .failing_store_call = nth}
        );
        world.live(2);
        world.settle(80);
        ASSERT_EQ(check(world), std::vector<std::string>{});
        if (world.store_calls() < nth) {
            break;
        }
    }
    EXPECT_GT(nth, 100U);
}

} // namespace
} // namespace baton::test
