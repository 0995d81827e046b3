// What stands on a pull request while downstreams work, told as stories: a real `baton serve`, a
// simulated GitHub whose branch protection requires the gate, downstreams that play a script.

#include "baton/sim/check_book.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/sim_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "e2e/reviewed_pull.hpp"
#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using sim::PullVerb;
using ::testing::HasSubstr;

constexpr sim::Pace kQuick{.queue = 20ms, .work = 60ms};
constexpr sim::Pace kSeen{.queue = 1500ms, .work = 1500ms}; // each state stands for a while

const char* const kBlocker = "acme/blocker";
const char* const kBlockerCheck = "crcr/acme/blocker/ci/test";

/// One level 4 downstream, and a gate that waits for no more than its word.
Stage::Plan with_blocker(const std::string& more_config = "gate_settle: 200ms\n") {
    return {
        .allowlist = "L4: [{acme/blocker: {device: npu, oncalls: [olga]}}]\n",
        .callbacks = true,
        .more_config = "callbacks_per_minute: 60000\n" + more_config,
    };
}

TEST(RelayChecks, TheGateWaitsForABlockerAndOpensWhenItPasses) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::pass, .pace = kSeen});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("queued")) << stage.log();
    EXPECT_FALSE(pull.is_mergeable()) << "silence never looks green";
    EXPECT_THAT(pull.gate().title, HasSubstr("Waiting for acme/blocker"));

    ASSERT_TRUE(pull.comes_to(kBlockerCheck, "in_progress")) << stage.log();
    ASSERT_TRUE(pull.gate_comes_to("in_progress")) << stage.log();
    EXPECT_FALSE(pull.is_mergeable());

    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_TRUE(pull.is_mergeable());
    EXPECT_EQ(pull.check(kBlockerCheck).conclusion, "success");
    ASSERT_EQ(pull.checks_at(pull.head()).size(), 2U) << "each was created once";
    EXPECT_EQ(pull.check(kBlockerCheck).changes, 1U) << "it began, it ended";
    EXPECT_LE(pull.gate().changes, 3U) << "it began, it settles, it is decided";
    const auto created =
        stage.github().with([](sim::SimWorld& world) { return world.requests["create_check"]; });
    EXPECT_EQ(created, 2U);
}

TEST(RelayChecks, ABlockerThatFailsClosesTheGateWhichNamesIt) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::fail, .pace = kQuick});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    EXPECT_EQ(pull.check(kBlockerCheck).conclusion, "failure");
    EXPECT_FALSE(pull.is_mergeable());
    EXPECT_EQ(pull.gate().title, "Blocked by acme/blocker");
    EXPECT_THAT(pull.gate().summary, HasSubstr("@olga"));
    EXPECT_THAT(pull.gate().summary, HasSubstr("@baton rerun acme/blocker"));
}

TEST(RelayChecks, ABlockerThatNeverStartsHoldsNobodyUpForLong) {
    Stage stage(with_blocker("gate_start: 2s\n"));
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::silent});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("queued")) << stage.log();
    EXPECT_FALSE(pull.is_mergeable());
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_TRUE(pull.is_mergeable());
    EXPECT_THAT(pull.gate().title, HasSubstr("1 neutral"));
    EXPECT_THAT(pull.gate().summary, HasSubstr("it did not start within 2s"));
    EXPECT_EQ(pull.checks_at(pull.head()).size(), 1U) << "a job that nobody heard of shows nothing";
}

TEST(RelayChecks, ABlockerThatIsLostOnTheWayHoldsNobodyUpForLong) {
    Stage stage(with_blocker("gate_run: 2s\n"));
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::crash, .pace = kQuick});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("in_progress")) << stage.log();
    EXPECT_FALSE(pull.is_mergeable());
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_TRUE(pull.is_mergeable());
    EXPECT_THAT(pull.gate().summary, HasSubstr("did not end in time"));
}

TEST(RelayChecks, ANewCommitEndsWhatIsOpenAndIsNamedThere) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::crash, .pace = kQuick});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.comes_to(kBlockerCheck, "in_progress")) << stage.log();
    const auto old_head = pull.head();
    stage.play(kBlocker, {.script = sim::Script::pass, .pace = kQuick});
    ASSERT_TRUE(pull.act(PullVerb::synchronize));
    const auto ended = [&] {
        return std::ranges::all_of(pull.checks_at(old_head), [](const sim::CheckRun& run) {
            return run.conclusion == "cancelled";
        });
    };
    ASSERT_TRUE(eventually(ended, ReviewedPull::kPatience)) << stage.log();
    const auto left = pull.checks_at(old_head);
    EXPECT_EQ(left.size(), 2U);
    for (const auto& run : left) {
        EXPECT_THAT(run.title, HasSubstr(pull.head().text().substr(0, 12))) << run.name;
    }
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_TRUE(pull.is_mergeable());
}

TEST(RelayChecks, ClosingEndsWhatIsOpenAndReopeningBeginsAnew) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::crash, .pace = kQuick});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.comes_to(kBlockerCheck, "in_progress")) << stage.log();
    ASSERT_TRUE(pull.act(PullVerb::closed));
    ASSERT_TRUE(pull.comes_to(kBlockerCheck, "cancelled")) << stage.log();
    ASSERT_TRUE(pull.gate_comes_to("cancelled")) << stage.log();
    EXPECT_EQ(pull.gate().title, "The pull request was closed");
    stage.play(kBlocker, {.script = sim::Script::pass, .pace = kQuick});
    ASSERT_TRUE(pull.act(PullVerb::reopened));
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_EQ(pull.check(kBlockerCheck).conclusion, "success");
    EXPECT_TRUE(pull.is_mergeable());
    EXPECT_EQ(pull.checks_at(pull.head()).size(), 2U) << "the same two were opened again";
}

TEST(RelayChecks, ADraftHasItsGateAsAnyOther) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::pass, .pace = kQuick});
    ReviewedPull pull(stage, {.draft = true});
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_FALSE(pull.is_mergeable()) << "a draft";
    ASSERT_TRUE(pull.act(PullVerb::ready_for_review));
    EXPECT_TRUE(eventually([&] { return pull.is_mergeable(); }, ReviewedPull::kPatience));
}

} // namespace
} // namespace baton::test
