// Running again what failed: by GitHub's buttons, by a comment, and by itself where the
// infrastructure failed; and the comment that tells of trouble until it is over.

#include "baton/base/ids.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/sim_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "e2e/reviewed_pull.hpp"
#include "e2e/stage.hpp"
#include "support/process.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr sim::Pace kQuick{.queue = 20ms, .work = 60ms};
const char* const kBlocker = "acme/blocker";
const char* const kBlockerCheck = "crcr/acme/blocker/ci/test";

/// Fails, and passes when it runs again.
sim::Part mended_by_a_rerun() {
    return {.script = sim::Script::fail, .pace = kQuick, .rerun_script = sim::Script::pass};
}

Stage::Plan with_blocker() {
    return {
        .allowlist = "L4: [{acme/blocker: {device: npu, oncalls: [olga]}}]\n",
        .callbacks = true,
        .more_config = "callbacks_per_minute: 60000\ngate_settle: 200ms\n",
    };
}

std::size_t reruns_asked(Stage& stage) {
    return stage.github().with([](sim::SimWorld& world) { return world.requests["rerun"]; });
}

/// The runs of a downstream, with the attempt that each has come to.
std::map<std::int64_t, std::int64_t> attempts_of(Stage& stage, const std::string& repo) {
    return stage.github().with([&](sim::SimWorld& world) {
        std::map<std::int64_t, std::int64_t> attempts;
        const auto id = world.model.repo(*RepoName::parse(repo))->id;
        for (const auto& [run, played] : world.downstreams.played()) {
            if (played.run.repo_id == id) {
                attempts[run] = played.run.attempt;
            }
        }
        return attempts;
    });
}

bool is_planned(Stage& stage) {
    return eventually([&] { return stage.counts().to_plan == 0; }, ReviewedPull::kPatience);
}

TEST(RelayReruns, TheButtonOfACheckRunsItsFailedJobsAgain) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, mended_by_a_rerun());
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    ASSERT_TRUE(pull.press_rerun(kBlockerCheck));
    ASSERT_TRUE(pull.comes_to(kBlockerCheck, "success")) << stage.log();
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_TRUE(pull.is_mergeable());
    EXPECT_EQ(pull.checks_at(pull.head()).size(), 2U) << "changed, not made again";
    const auto attempts = attempts_of(stage, kBlocker);
    ASSERT_EQ(attempts.size(), 1U) << "the same run";
    EXPECT_EQ(attempts.begin()->second, 2);
}

TEST(RelayReruns, TheButtonOfTheSuiteRunsEverybodyAgain) {
    auto plan = with_blocker();
    plan.allowlist = "L4: [{acme/blocker: {device: npu}}, {acme/other: {device: gpu}}]\n";
    Stage stage(plan);
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, mended_by_a_rerun());
    stage.play("acme/other", {.script = sim::Script::pass, .pace = kQuick});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    ASSERT_TRUE(pull.comes_to("crcr/acme/other/ci/test", "success")) << stage.log();
    ASSERT_TRUE(pull.press_rerun(""));
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    for (const auto* const repo : {kBlocker, "acme/other"}) {
        const auto attempts = attempts_of(stage, repo);
        ASSERT_EQ(attempts.size(), 1U) << repo;
        EXPECT_EQ(attempts.begin()->second, 2) << repo;
    }
}

TEST(RelayReruns, TheButtonOfAnotherAppRunsNothingOfOurs) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, mended_by_a_rerun());
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    ASSERT_TRUE(pull.press_rerun_of_another_app());
    ASSERT_TRUE(is_planned(stage)) << stage.log();
    ASSERT_TRUE(pull.press_rerun(kBlockerCheck));
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_EQ(reruns_asked(stage), 1U) << "ours alone";
}

TEST(RelayReruns, ACommentOfAWriterRunsADeviceAgainAndAStrangersDoesNot) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, mended_by_a_rerun());
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    ASSERT_TRUE(pull.comment("@baton rerun npu", "stranger"));
    ASSERT_TRUE(is_planned(stage)) << stage.log();
    EXPECT_EQ(reruns_asked(stage), 0U);
    EXPECT_FALSE(pull.comment("> @baton rerun npu")) << "a quote is talk";
    ASSERT_TRUE(pull.comment("@baton rerun npu"));
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_EQ(reruns_asked(stage), 1U) << "neither the stranger's nor the quoted one";
}

TEST(RelayReruns, ARunThatGithubNoLongerHasIsDispatchedAfresh) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, {.script = sim::Script::fail, .pace = kQuick});
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    const auto run = attempts_of(stage, kBlocker).begin()->first;
    EXPECT_TRUE(stage.github().with([&](sim::SimWorld& world) {
        return world.downstreams.delete_run(run);
    }));
    stage.play(kBlocker, {.script = sim::Script::pass, .pace = kQuick});
    ASSERT_TRUE(pull.press_rerun(kBlockerCheck));
    ASSERT_TRUE(pull.gate_comes_to("success")) << stage.log();
    EXPECT_EQ(pull.check(kBlockerCheck).conclusion, "success");
    EXPECT_EQ(stage.received(kBlocker, pull.opened()), 2U);
    EXPECT_EQ(pull.checks_at(pull.head()).size(), 2U);
}

TEST(RelayReruns, WhatTheInfrastructureLostIsRunAgainByItselfOnce) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    auto lost = mended_by_a_rerun();
    lost.fails_as = "timed_out";
    stage.play(kBlocker, lost);
    ReviewedPull mended(stage);
    ASSERT_TRUE(mended.gate_comes_to("success")) << stage.log();
    EXPECT_TRUE(mended.is_mergeable());
    EXPECT_EQ(reruns_asked(stage), 1U);

    lost.rerun_script.reset();
    stage.play(kBlocker, lost);
    ReviewedPull lost_twice(stage);
    ASSERT_TRUE(lost_twice.gate_comes_to("failure")) << stage.log();
    EXPECT_FALSE(lost_twice.is_mergeable());
    EXPECT_EQ(reruns_asked(stage), 2U) << "one more, and then it counts";
}

TEST(RelayReruns, AFailedTestIsNeverRunAgainByItself) {
    Stage stage(with_blocker());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, mended_by_a_rerun());
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    EXPECT_EQ(reruns_asked(stage), 0U);
}

TEST(RelayReruns, OneCommentTellsOfTroubleAndThatItIsOver) {
    Stage stage(with_blocker());
    auto config = slurp(stage.config_file());
    config.insert(config.find("    allowlist:"), "    comment: trouble\n");
    stage.folder().write("baton.yml", config);
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.play(kBlocker, mended_by_a_rerun());
    ReviewedPull pull(stage);
    ASSERT_TRUE(pull.gate_comes_to("failure")) << stage.log();
    const auto says = [&](const std::string& word) {
        return eventually(
            [&] {
                const auto comments = pull.comments_by_app();
                return !comments.empty() && comments[0].text.find(word) != std::string::npos;
            },
            ReviewedPull::kPatience
        );
    };
    ASSERT_TRUE(says("Blocked by")) << stage.log();
    EXPECT_THAT(
        pull.comments_by_app()[0].text, AllOf(HasSubstr("acme/blocker"), HasSubstr("@olga"))
    );
    ASSERT_TRUE(pull.press_rerun(kBlockerCheck));
    ASSERT_TRUE(says("resolved")) << stage.log();
    ASSERT_EQ(pull.comments_by_app().size(), 1U) << "edited in place";
    EXPECT_GE(pull.comments_by_app()[0].changes, 1U);
    EXPECT_THAT(pull.comments_by_app()[0].text, Not(HasSubstr("@olga")));
}

} // namespace
} // namespace baton::test
