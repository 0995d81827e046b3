// Checks while something is broken: kill -9 around the creation of a check, and a GitHub that
// answers 5xx for a while. Each check stands once, and calls are not wasted.

#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/sim_world.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "e2e/reviewed_pull.hpp"
#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

constexpr sim::Pace kQuick{.queue = 20ms, .work = 60ms};
const char* const kBlocker = "acme/blocker";

Stage::Plan with_blocker() {
    return {
        .allowlist = "L4: [{acme/blocker: {device: npu, oncalls: [olga]}}]\n",
        .callbacks = true,
        .more_config = "callbacks_per_minute: 60000\ngate_settle: 200ms\n",
    };
}

TEST(RelayChecksTrouble, KillMinusNineAroundACheckMakesNoSecondOne) {
    for (const auto* const point :
         {"store.commit_postings.after",
          "github.post_check.before",
          "github.post_check.after",
          "store.end_posting.before",
          "store.end_posting.after"}) {
        SCOPED_TRACE(point);
        Stage stage(with_blocker());
        ASSERT_TRUE(stage.start({"--kill-at", point})) << stage.log();
        const auto same_port = std::vector<std::string>{"--port", std::to_string(stage.port())};
        stage.play(kBlocker, {.script = sim::Script::pass, .pace = kQuick});
        ReviewedPull pull(stage);
        ASSERT_TRUE(stage.relay().wait(20s).has_value()) << "the point was never passed";
        ASSERT_TRUE(stage.start(same_port)) << stage.log();
        ASSERT_TRUE(pull.tell_of_opening_again());
        ASSERT_TRUE(eventually([&] { return pull.gate().conclusion == "success"; }, 120s))
            << stage.log();
        EXPECT_EQ(pull.checks_at(pull.head()).size(), 2U) << "the gate and one job";
        EXPECT_TRUE(pull.is_mergeable());
    }
}

/// Every kind of call that has to do with checks.
std::size_t check_calls(Stage& stage) {
    return stage.github().with([](sim::SimWorld& world) {
        return world.requests["create_check"] + world.requests["update_check"] +
               world.requests["check_runs"];
    });
}

TEST(RelayChecksTrouble, AGithubThatFailsForAWhileIsNotPesteredAndGetsEverythingInTheEnd) {
    constexpr std::size_t kPulls = 10;
    constexpr std::size_t kChecks = 2 * kPulls; // each a gate and a job
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::pass, .pace = kQuick});
    stage.github().with([](sim::SimWorld& world) {
        for (const auto* const route : {"create_check", "update_check", "check_runs"}) {
            world.faults.add({.route = route, .fault = sim::Fault::server_error(502)});
        }
    });
    std::vector<std::unique_ptr<ReviewedPull>> pulls;
    for (std::size_t i = 0; i < kPulls; ++i) {
        pulls.push_back(std::make_unique<ReviewedPull>(stage));
    }
    ASSERT_TRUE(eventually(
        [&] {
            return stage.received_in_all() == kPulls && stage.is_all_said() &&
                   check_calls(stage) >= 4;
        },
        60s
    )) << stage.log();
    const auto in_vain = check_calls(stage);
    stage.github().with([](sim::SimWorld& world) { world.faults.clear(); });
    const ReviewedPull::Picture green{
        {"crcr/acme/blocker/ci/test", "completed", "success"},
        {"crcr/gate", "completed", "success"},
    };
    const auto all_green = [&] {
        return std::ranges::all_of(pulls, [&](const auto& pull) {
            return pull->picture() == green;
        });
    };
    ASSERT_TRUE(eventually(all_green, 120s)) << stage.log();
    const auto in_all = check_calls(stage);
    std::cout << fmt::format("{} checks: {} calls in vain, {} in all\n", kChecks, in_vain, in_all);
    EXPECT_LE(in_vain, 8U + 4U) << "eight may be on their way, then one tries, ever more rarely";
    EXPECT_LE(in_all - in_vain, kChecks + in_vain + kPulls)
        << "each is created, after a look where that is uncertain; a gate may have had to settle";
}

} // namespace
} // namespace baton::test
