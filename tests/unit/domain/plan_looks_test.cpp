#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "unit/domain/plan_story.hpp"

namespace baton::domain {

namespace {

using namespace story;

Allowlist with_level(Level level) {
    return allowlist({listed("a", [level](Downstream& d) { d.level = level; })});
}

std::vector<std::string> heads(const Plan& plan) {
    std::vector<std::string> all;
    for (const auto& look : plan.looks) {
        EXPECT_EQ(look.upstream, kUpstream);
        EXPECT_EQ(look.pr, PrNumber{7});
        all.push_back(look.head.text());
    }
    return all;
}

using Heads = std::vector<std::string>;

TEST(PlanLooks, AtTheHeadWheneverSomethingIsHeardOfAPullRequest) {
    for (const auto* action :
         {"opened",
          "reopened",
          "synchronize",
          "closed",
          "labeled",
          "unlabeled",
          "ready_for_review",
          "converted_to_draft"}) {
        SCOPED_TRACE(action);
        Story story(with_level(Level::l3));
        EXPECT_EQ(heads(story.tell(pull_request("d1", action, {.head = "x"}))), Heads{"x"});
    }
}

TEST(PlanLooks, OnlyWhereSomebodyShowsChecks) {
    for (const auto level : kLevels) {
        SCOPED_TRACE(name_of(level));
        Story story(with_level(level));
        const bool looked = !story.tell(pull_request("d1", "opened")).looks.empty();
        EXPECT_EQ(looked, level >= Level::l3);
    }
}

TEST(PlanLooks, EverywhereWhenTheGateIsThereAlways) {
    const PlanInput input{
        .event = pull_request("d1", "opened", {.head = "x"}), .now = kNow, .gate_always = true
    };
    EXPECT_EQ(heads(plan(input, with_level(Level::l1), {})), Heads{"x"});
    EXPECT_EQ(heads(plan(input, Allowlist{}, {})), Heads{"x"});
}

TEST(PlanLooks, AtTheOldHeadTooWhenItMoved) {
    Story story(with_level(Level::l4));
    story.tell(pull_request("d1", "opened", {.head = "x"}));
    EXPECT_EQ(
        heads(story.tell(pull_request("d2", "synchronize", {.head = "y", .time = 1s}))),
        (Heads{"y", "x"})
    );
}

TEST(PlanLooks, AtTheHeadOfALateWebhookTooSoThatTheirOrderLeavesNoTrace) {
    Story story(with_level(Level::l4));
    story.tell(pull_request("d2", "synchronize", {.head = "y", .time = 1s}));
    EXPECT_EQ(heads(story.tell(pull_request("d1", "opened", {.head = "x"}))), (Heads{"y", "x"}));
}

TEST(PlanLooks, NotAtPushes) {
    Story story(with_level(Level::l4));
    EXPECT_TRUE(story.tell(push("refs/heads/main")).looks.empty());
}

TEST(PlanLooks, AtTheCommitOfTheMergeQueue) {
    Event group;
    group.name = "merge_group";
    group.action = "checks_requested";
    group.repository = kUpstream;
    group.facts = MergeGroupFacts{.head = HeadSha("q"), .base_ref = "refs/heads/main"};
    const auto plan = Story(with_level(Level::l4)).tell(group);
    const Subject expected{.upstream = kUpstream, .pr = {}, .head = HeadSha("q")};
    EXPECT_EQ(plan.looks, std::vector{expected});
    EXPECT_TRUE(plan.dispatches.empty());
}

TEST(PlanRef, NamesTheBranchThatWasPushedToOrThatThePullRequestIsFor) {
    const auto on_label = listed("b", [](Downstream& d) { d.trigger = Trigger::label; });
    Story story(allowlist({listed("a"), on_label}));
    auto opened = pull_request("d1", "opened");
    std::get<PullRequestFacts>(opened.facts).base_ref = "release/2";
    EXPECT_EQ(story.tell(opened).dispatches.at(0).ref, "refs/heads/release/2");
    auto labelled =
        pull_request("d2", "labeled", {.labels = {"ciflow/oot/npu"}, .label = "ciflow/oot/npu"});
    std::get<PullRequestFacts>(labelled.facts).base_ref = "release/2";
    EXPECT_EQ(
        story.tell(labelled, rights("someone", Permission::triage)).dispatches.at(0).ref,
        "refs/heads/release/2"
    );
    EXPECT_EQ(story.tell(push("refs/tags/v1")).dispatches.at(0).ref, "refs/tags/v1");
    EXPECT_EQ(story.tell(pull_request("d3", "opened")).dispatches.at(0).ref, "");
}

TEST(PlanLabels, ThatShowChecksCountOnlyWhenSetByThoseWhoMay) {
    const auto list = with_level(Level::l3);
    const auto labelled =
        pull_request("d2", "labeled", {.labels = {"ciflow/oot/npu"}, .label = "ciflow/oot/npu"});
    EXPECT_EQ(rights_wanted(labelled, {}, list), std::set{Login("someone")});
    for (const auto permission : {Permission::read, Permission::triage}) {
        Story story(list);
        const auto plan = story.tell(labelled, rights("someone", permission));
        EXPECT_EQ(plan.pull_request->has_label("ciflow/oot/npu"), permission == Permission::triage);
    }
    const auto other = pull_request("d2", "labeled", {.labels = {"bug"}, .label = "bug"});
    EXPECT_TRUE(rights_wanted(other, {}, list).empty());
    EXPECT_TRUE(rights_wanted(labelled, {}, with_level(Level::l4)).empty());
}

} // namespace

} // namespace baton::domain
