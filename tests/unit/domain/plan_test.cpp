#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "unit/domain/plan_story.hpp"

namespace baton::domain {
namespace {

using namespace story;

TEST(Plan, SendsAPullRequestToEveryListedDownstreamWithItsLevel) {
    const auto plan =
        Story(allowlist({listed("a"), listed("b", [](auto& d) { d.level = Level::l4; })})
        ).tell(pull_request("d1", "opened", {.head = "sha"}));
    EXPECT_EQ(outcomes(plan), (Outcomes{{"a", "pending d1"}, {"b", "pending d1"}}));
    EXPECT_EQ(plan.dispatches[1].level, Level::l4);
    EXPECT_EQ(plan.dispatches[1].head, HeadSha("sha"));
    EXPECT_EQ(plan.dispatches[1].pr, PrNumber{7});
    EXPECT_EQ(plan.dispatches[1].event_type, "pull_request");
}

TEST(Plan, SendsNothingToAPausedDownstreamAndSaysUntilWhen) {
    const auto paused = [](Downstream& d) {
        d.pause = Pause{.until = kNow + 1h, .reason = "new racks"};
    };
    const auto plan = Story(allowlist({listed("a", paused)})).tell(pull_request("d1", "opened"));
    EXPECT_EQ(outcomes(plan), (Outcomes{{"a", ""}}));
    EXPECT_NE(plan.decisions[0].reason.find("new racks"), std::string::npos);
}

TEST(Plan, SendsAgainWhenThePauseIsOver) {
    const auto rested = [](Downstream& d) { d.pause = Pause{.until = kNow, .reason = ""}; };
    EXPECT_EQ(
        outcomes(Story(allowlist({listed("a", rested)})).tell(pull_request("d1", "opened"))),
        (Outcomes{{"a", "pending d1"}})
    );
}

TEST(Plan, SendsNothingToANightlyOnlyDownstream) {
    const auto nightly = [](Downstream& d) {
        d.events = {.pull_request = false, .nightly = true, .periodic = false};
    };
    Story story(allowlist({listed("a", nightly)}));
    EXPECT_EQ(outcomes(story.tell(pull_request("d1", "opened"))), (Outcomes{{"a", ""}}));
    EXPECT_EQ(outcomes(story.tell(push("refs/heads/main"))), (Outcomes{{"a", ""}}));
}

TEST(Plan, MatchesPushRefsInFullAndShortForm) {
    const auto main_only = [](Downstream& d) { d.push_refs = {"main", "release/*"}; };
    const auto full = [](Downstream& d) { d.push_refs = {"refs/tags/v*"}; };
    const auto list = allowlist({listed("a", main_only), listed("b", full), listed("c")});
    EXPECT_EQ(
        outcomes(Story(list).tell(push("refs/heads/main"))),
        (Outcomes{{"a", "pending p"}, {"b", ""}, {"c", "pending p"}})
    );
    EXPECT_EQ(
        outcomes(Story(list).tell(push("refs/heads/release/2.1"))),
        (Outcomes{{"a", "pending p"}, {"b", ""}, {"c", "pending p"}})
    );
    EXPECT_EQ(
        outcomes(Story(list).tell(push("refs/tags/v2"))),
        (Outcomes{{"a", ""}, {"b", "pending p"}, {"c", "pending p"}})
    );
}

TEST(Plan, LeavesOutPushesThatTouchNothingOfInterestUnlessTheListOfFilesIsCut) {
    const auto kernels = [](Downstream& d) { d.paths = {"aten/**"}; };
    const auto list = allowlist({listed("a", kernels)});
    EXPECT_EQ(
        outcomes(Story(list).tell(push("refs/heads/main", {"README.md"}))), (Outcomes{{"a", ""}})
    );
    EXPECT_EQ(
        outcomes(Story(list).tell(push("refs/heads/main", {"README.md"}, false))),
        (Outcomes{{"a", "pending p"}})
    );
    EXPECT_EQ(
        outcomes(Story(list).tell(push("refs/heads/main", {"aten/src/x.cpp"}))),
        (Outcomes{{"a", "pending p"}})
    );
}

TEST(Plan, ANewCommitSupersedesOlderHeadsAndClosingCancels) {
    Story story(allowlist({listed("a")}));
    EXPECT_FALSE(story.tell(pull_request("d1", "opened", {.head = "x"})).supersede_older);
    EXPECT_TRUE(
        story.tell(pull_request("d2", "synchronize", {.head = "y", .time = 1s})).supersede_older
    );
    const auto closed = story.tell(pull_request("d3", "closed", {.head = "y", .time = 2s}));
    EXPECT_TRUE(closed.cancel_pending);
    EXPECT_EQ(outcomes(closed), (Outcomes{{"a", "pending d3"}}));
}

TEST(Plan, ALateWebhookOfAnOlderCommitIsRecordedButNotSent) {
    Story story(allowlist({listed("a")}));
    story.tell(pull_request("d2", "synchronize", {.head = "y", .time = 5s}));
    const auto late = story.tell(pull_request("d1", "opened", {.head = "x", .time = 1s}));
    EXPECT_EQ(outcomes(late), (Outcomes{{"a", "superseded d1"}}));
    EXPECT_FALSE(late.supersede_older);
    EXPECT_EQ(late.pull_request->head, HeadSha("y"));
}

TEST(Plan, ALateWebhookOfTheCurrentCommitIsStillSent) {
    Story story(allowlist({listed("a")}));
    story.tell(
        pull_request("d2", "labeled", {.head = "y", .time = 5s, .labels = {"x"}, .label = "x"})
    );
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d1", "synchronize", {.head = "y", .time = 1s}))),
        (Outcomes{{"a", "pending d1"}})
    );
}

TEST(Plan, WhatWasRebuiltAndTheWebhookThatCameAfterAllAreOneDispatchInEitherOrder) {
    const auto rebuilt = pull_request("rebuilt-7-opened-y-1", "opened", {.head = "y", .time = 5s});
    const auto webhook = pull_request("d1", "opened", {.head = "y", .time = 1s});
    Story rebuilt_first(allowlist({listed("a")}));
    EXPECT_EQ(
        outcomes(rebuilt_first.tell(rebuilt)), (Outcomes{{"a", "pending rebuilt-7-opened-y-1"}})
    );
    EXPECT_EQ(outcomes(rebuilt_first.tell(webhook)), (Outcomes{{"a", "superseded d1"}}));
    EXPECT_EQ(
        outcomes(rebuilt_first.tell(pull_request("d2", "synchronize", {.head = "z", .time = 9s}))),
        (Outcomes{{"a", "pending d2"}})
    );

    Story webhook_first(allowlist({listed("a")}));
    EXPECT_EQ(outcomes(webhook_first.tell(webhook)), (Outcomes{{"a", "pending d1"}}));
    EXPECT_EQ(
        outcomes(webhook_first.tell(rebuilt)), (Outcomes{{"a", "superseded rebuilt-7-opened-y-1"}})
    );
}

TEST(Plan, ALateWebhookOfAClosedPullRequestStartsNothing) {
    Story story(allowlist({listed("a")}));
    story.tell(pull_request("d2", "closed", {.head = "y", .time = 5s}));
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d1", "synchronize", {.head = "y", .time = 1s}))),
        (Outcomes{{"a", "cancelled d1"}})
    );
}

TEST(Plan, AWebhookOfTheSameSecondThatShowsAnotherHeadSawTheOneBefore) {
    Story story(allowlist({listed("a")}));
    story.tell(pull_request("d1", "opened", {.head = "x"}));
    story.tell(pull_request("d2", "synchronize", {.head = "y", .time = 5s}));
    const auto late =
        story.tell(pull_request("d3", "labeled", {.head = "x", .time = 5s, .label = "l"}));
    EXPECT_FALSE(late.supersede_older);
    EXPECT_EQ(late.pull_request->head, HeadSha("y"));
    EXPECT_EQ(late.pull_request->newest_forwarded, DeliveryId("d2"));
}

TEST(Plan, ASecondCommitOfTheSameSecondIsNewerWhenItWasPushedOnTop) {
    auto second = pull_request("d2", "synchronize", {.head = "y", .time = 5s});
    std::get<PullRequestFacts>(second.facts).before = HeadSha("x");
    Story story(allowlist({listed("a")}));
    story.tell(pull_request("d1", "synchronize", {.head = "x", .time = 5s}));
    EXPECT_EQ(story.tell(second).pull_request->head, HeadSha("y"));
    Story reordered(allowlist({listed("a")}));
    reordered.tell(second);
    const auto late = reordered.tell(pull_request("d1", "synchronize", {.head = "x", .time = 5s}));
    EXPECT_EQ(outcomes(late), (Outcomes{{"a", "superseded d1"}}));
}

TEST(Plan, ReopeningOvertakesACloseThatStillWaits) {
    Story story(allowlist({listed("a")}));
    story.tell(pull_request("d1", "closed", {.time = 1s}));
    EXPECT_TRUE(story.tell(pull_request("d2", "reopened", {.time = 2s})).supersede_others);
}

TEST(Plan, ACloseCancelsHoweverLateItArrivesUnlessThePullRequestIsOpenAgain) {
    for (const bool reopened : {false, true}) {
        Story story(allowlist({listed("a")}));
        story.tell(pull_request("d1", "opened"));
        auto merged = pull_request("d3", "labeled", {.time = 5s, .label = "Merged"});
        std::get<PullRequestFacts>(merged.facts).open = reopened;
        story.tell(merged);
        EXPECT_EQ(story.tell(pull_request("d2", "closed", {.time = 4s})).cancel_pending, !reopened);
    }
}

TEST(Plan, EventsThatOnlyMoveOurStateSendNothing) {
    Story story(allowlist({listed("a")}));
    for (const auto* action : {"unlabeled", "ready_for_review", "converted_to_draft"}) {
        EXPECT_TRUE(story.tell(pull_request("d1", action)).dispatches.empty()) << action;
    }
    Event other;
    other.name = "check_run";
    other.action = "rerequested";
    other.repository = kUpstream;
    other.facts = OtherFacts{};
    const auto plan = story.tell(other);
    EXPECT_TRUE(plan.dispatches.empty());
    EXPECT_FALSE(plan.pull_request.has_value());
}

TEST(Permission, ReadsGithubsNamesAndDoubtsUnknownOnes) {
    EXPECT_EQ(permission_named("maintain"), Permission::maintain);
    EXPECT_EQ(permission_named("push"), Permission::write);
    EXPECT_EQ(permission_named("god"), Permission::none);
    EXPECT_LT(Permission::read, Permission::triage);
}

} // namespace
} // namespace baton::domain
