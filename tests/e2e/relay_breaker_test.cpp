// A vendor that is dead, or out of its mind, holds up no merge: its part of the gate is suspended,
// by the relay itself or by hand, and comes back.

#include "baton/base/ids.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "e2e/cli_support.hpp"
#include "e2e/reviewed_pull.hpp"
#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr sim::Pace kQuick{.queue = 20ms, .work = 60ms};
constexpr auto kWatchTwice = 120s; // the watch looks every half minute
const char* const kVendor = "acme/vendor";

Stage::Plan with_vendor(const std::string& more_config) {
    return {
        .allowlist = "L4: [{acme/vendor: {device: npu, oncalls: [olga]}}]\n",
        .callbacks = true,
        .more_config = "callbacks_per_minute: 60000\ngate_settle: 200ms\n" + more_config,
    };
}

Finished run_gate(const Stage& stage, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "gate");
    arguments.insert(arguments.end(), {"--config", stage.config_file()});
    return baton(std::move(arguments));
}

bool is_listed(const Stage& stage) {
    return run_gate(stage, {"list"}).out.find(kVendor) != std::string::npos;
}

TEST(RelayBreaker, ADeadVendorIsSuspendedWhileMergesGoOnAndComesBackByItself) {
    Stage stage(with_vendor("gate_start: 5s\n"));
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kVendor, {.script = sim::Script::silent});
    ReviewedPull first(stage);
    ReviewedPull second(stage);
    ASSERT_TRUE(first.gate_comes_to("success")) << stage.log();
    ASSERT_TRUE(second.gate_comes_to("success")) << stage.log();
    EXPECT_TRUE(first.is_mergeable() && second.is_mergeable()) << "silence is waited out";
    ASSERT_TRUE(eventually([&] { return is_listed(stage); }, kWatchTwice)) << stage.log();
    EXPECT_THAT(
        run_gate(stage, {"list"}).out,
        AllOf(HasSubstr("circuit breaker"), HasSubstr("2 runs in a row did not start within 5s"))
    );

    ReviewedPull third(stage);
    ASSERT_TRUE(third.gate_comes_to("success")) << stage.log();
    EXPECT_THAT(third.gate().summary, HasSubstr("suspended"));
    EXPECT_EQ(stage.received(kVendor, third.opened()), 1U) << "it is told as ever";

    stage.play(kVendor, {.script = sim::Script::pass, .pace = kQuick});
    for (int i = 0; i < 3; ++i) {
        ReviewedPull clean(stage);
        ASSERT_TRUE(clean.comes_to("crcr/acme/vendor/ci/test", "success")) << stage.log();
    }
    ASSERT_TRUE(eventually([&] { return !is_listed(stage); }, kWatchTwice)) << stage.log();
    stage.play(kVendor, {.script = sim::Script::fail, .pace = kQuick});
    ReviewedPull blocked(stage);
    ASSERT_TRUE(blocked.gate_comes_to("failure")) << stage.log();
    EXPECT_FALSE(blocked.is_mergeable()) << "it counts again";
}

TEST(RelayBreaker, AVendorIsSuspendedAndResumedByHand) {
    Stage stage(with_vendor(""));
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kVendor, {.script = sim::Script::fail, .pace = kQuick});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    const auto suspended = run_gate(
        stage, {"suspend", kVendor, "--upstream", "up/stream", "--reason", "fire", "--actor", "eve"}
    );
    EXPECT_EQ(suspended.exit_code, 0) << suspended.err;
    EXPECT_TRUE(is_listed(stage));
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_TRUE(pull.is_mergeable());
    EXPECT_THAT(pull.gate().summary, HasSubstr("suspended: fire"));
    EXPECT_EQ(run_gate(stage, {"resume", kVendor, "--upstream", "up/stream"}).exit_code, 0);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    EXPECT_FALSE(pull.is_mergeable());
}

} // namespace
} // namespace baton::test
