#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unit/domain/plan_story.hpp"

namespace baton::domain {

namespace {

using namespace story;

const HeadSha kHead("aaaa");

Downstream at(const std::string& repo, Level level, const std::string& device = "npu") {
    return listed(repo, [&](Downstream& d) {
        d.level = level;
        d.device = device;
        d.oncalls = {Login("Oncall-" + repo)};
    });
}

/// One of every level, and a second device.
Allowlist ladder() {
    return allowlist(
        {at("one", Level::l1),
         at("two", Level::l2),
         at("three", Level::l3),
         at("four", Level::l4),
         at("five", Level::l4, "gpu")}
    );
}

Event asked(const std::string& sender) {
    Event one;
    one.delivery = DeliveryId("d");
    one.repository = kUpstream;
    one.sender = Login(sender);
    return one;
}

Event comment(const std::string& text, const std::string& sender = "alice") {
    auto one = asked(sender);
    one.name = "issue_comment";
    one.action = "created";
    one.facts = CommentFacts{.number = PrNumber{7}, .text = text, .on_pull_request = true};
    return one;
}

Event rerequest(const std::string& check, const std::string& external_id = "42:7") {
    auto one = asked("alice");
    one.name = check.empty() ? "check_suite" : "check_run";
    one.action = "rerequested";
    one.facts =
        RerequestFacts{.head = kHead, .check = check, .external_id = external_id, .app_id = 11};
    return one;
}

PullRequest known() {
    PullRequest pr;
    pr.upstream = kUpstream;
    pr.number = PrNumber{7};
    pr.head = kHead;
    return pr;
}

Plan planned(
    const Event& event,
    const Rights& told = rights("alice", Permission::write),
    const std::function<void(PlanInput&)>& with = [](PlanInput&) {}
) {
    PlanInput input{.event = event, .known = known(), .now = kNow};
    with(input);
    return plan(input, ladder(), told);
}

Subject subject(std::optional<PrNumber> pr = PrNumber{7}) {
    return {.upstream = kUpstream, .pr = pr, .head = kHead};
}

/// Whose jobs are run again: "three four", each with its run when one is named.
std::string orders(const Plan& plan) {
    std::string all;
    for (const auto& rerun : plan.reruns) {
        all += (all.empty() ? "" : " ") + std::string(rerun.downstream.repo()) +
               (rerun.run_id.empty() ? "" : ":" + rerun.run_id) +
               (rerun.scope == RerunScope::all ? "!" : "");
    }
    return all;
}

/// downstream -> reason, of those who were refused.
std::map<std::string, std::string> refusals(const Plan& plan) {
    std::map<std::string, std::string> all;
    for (const auto& decision : plan.decisions) {
        EXPECT_FALSE(decision.dispatch);
        all[std::string(decision.downstream.repo())] = decision.reason;
    }
    return all;
}

TEST(PlanRerequest, OfACheckRunsWhatFailedInThatRunAgain) {
    const auto plan = planned(rerequest("crcr/Down/three/build and test/unit/1"));
    const NewRerun expected{
        .key = "d/down/three",
        .subject = subject(),
        .downstream = *RepoName::parse("down/three"),
        .run_id = "42",
        .scope = RerunScope::failed,
        .cause = RerunCause::person,
        .actor = "alice",
    };
    ASSERT_EQ(plan.reruns.size(), 1U);
    EXPECT_EQ(plan.reruns[0], expected);
    EXPECT_EQ(plan.looks, std::vector{subject()});
    EXPECT_TRUE(plan.dispatches.empty());
    EXPECT_FALSE(plan.pull_request.has_value());
}

TEST(PlanRerequest, FollowsNameAndExternalId) {
    struct Case {
        std::string name;
        std::string check;
        std::string external_id;
        std::string orders;
        std::vector<Subject> looks;
    };

    for (const auto& c : std::vector<Case>{
             {"a job", "crcr/down/four/w/j", "42:7", "four:42", {subject()}},
             {"a workflow without a job", "crcr/down/four/w", "42:7", "four:42", {subject()}},
             {"a run id with a colon", "crcr/down/four/w/j", "b:42:7", "four:b:42", {subject()}},
             {"the merge queue", "crcr/down/four/w/j", "42:", "four:42", {subject({})}},
             {"the merge queue as 0", "crcr/down/four/w/j", "42:0", "four:42", {subject({})}},
             {"the gate", "crcr/gate", "gate:7", "four five", {subject()}},
             {"the gate of the merge queue", "crcr/gate", "gate:0", "four five", {subject({})}},
             {"somebody else's prefix", "other/down/four/w/j", "42:7", "", {}},
             {"a longer prefix", "crcrx/down/four/w/j", "42:7", "", {}},
             {"only the prefix", "crcr/", "42:7", "", {}},
             {"no workflow", "crcr/down/four", "42:7", "", {}},
             {"no repository", "crcr//four/w/j", "42:7", "", {}},
             {"an id that is not ours", "crcr/down/four/w/j", "42", "", {}},
             {"a number that is none", "crcr/down/four/w/j", "42:7x", "", {}},
             {"a number below none", "crcr/down/four/w/j", "42:-7", "", {}},
         }) {
        SCOPED_TRACE(c.name);
        const auto plan = planned(rerequest(c.check, c.external_id));
        EXPECT_EQ(orders(plan), c.orders);
        EXPECT_EQ(plan.looks, c.looks);
    }
}

TEST(PlanRerequest, KnowsItsOwnPrefixAndApp) {
    const auto named = [](PlanInput& input) { input.check_prefix = "oot"; };
    EXPECT_EQ(orders(planned(rerequest("oot/down/four/w/j"), {}, named)), "four:42");
    EXPECT_EQ(orders(planned(rerequest("crcr/down/four/w/j"), {}, named)), "");
    for (const auto& [app, expected] :
         std::map<std::int64_t, std::string>{{11, "four:42"}, {12, ""}}) {
        const auto ours = [own = app](PlanInput& input) { input.app_id = own; };
        EXPECT_EQ(orders(planned(rerequest("crcr/down/four/w/j"), {}, ours)), expected);
        EXPECT_EQ(planned(rerequest(""), {}, ours).reruns.empty(), expected.empty());
    }
}

TEST(PlanRerequest, OfTheSuiteRunsEveryJobOfThoseWhoShowChecks) {
    const auto plan = planned(rerequest("", ""));
    EXPECT_EQ(orders(plan), "three! four! five!");
    EXPECT_EQ(plan.looks, std::vector{subject()});
    EXPECT_EQ(plan.reruns[0].subject, subject());
}

TEST(PlanRerequest, OfASuiteWhosePullRequestIsNotKnownLeavesItOpen) {
    const auto nobody = [](PlanInput& input) { input.known.reset(); };
    const auto moved_on = [](PlanInput& input) { input.known->head = HeadSha("bbbb"); };
    for (const auto& with : {std::function<void(PlanInput&)>(nobody), {moved_on}}) {
        const auto plan = planned(rerequest("", ""), {}, with);
        EXPECT_EQ(plan.reruns[0].subject, subject({}));
        EXPECT_TRUE(plan.looks.empty());
    }
}

TEST(PlanRerequest, IsRefusedWithAReasonWhereNothingMayBeSent) {
    const auto paused = listed("four", [](Downstream& d) {
        d.level = Level::l4;
        d.pause = Pause{.until = kNow + 1h, .reason = "new racks"};
    });
    const auto tell = [&](const Event& event) {
        return plan({.event = event, .now = kNow}, allowlist({paused}), {});
    };
    for (const auto& event :
         {rerequest("crcr/down/four/w/j"), rerequest("crcr/gate"), rerequest("")}) {
        const auto plan = tell(event);
        EXPECT_TRUE(plan.reruns.empty());
        EXPECT_NE(refusals(plan)["four"].find("new racks"), std::string::npos);
    }
    EXPECT_EQ(
        refusals(tell(rerequest("crcr/down/gone/w/j"))),
        (std::map<std::string, std::string>{{"gone", "it is not listed any more"}})
    );
}

TEST(PlanCommand, MeansADeviceARepositoryOrAllThatShowChecks) {
    struct Case {
        std::string text;
        std::string orders;
    };

    for (const auto& c : std::vector<Case>{
             {"@baton rerun", "three four five"},
             {"@baton rerun --all", "three! four! five!"},
             {"@baton rerun npu", "two three four"},
             {"@baton rerun NPU --all", "two! three! four!"},
             {"@baton rerun gpu", "five"},
             {"@baton rerun Down/Two", "two"},
             {"@baton rerun three", "three"},
             {"@baton rerun up/three", ""},
             {"@baton rerun tpu", ""},
             {"@baton status", ""},
             {"> @baton rerun npu", ""},
             {"nice work", ""},
         }) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(orders(planned(comment(c.text))), c.orders);
    }
}

TEST(PlanCommand, OrdersForTheHeadThatIsKnownOrTheOneToCome) {
    const auto plan = planned(comment("@baton rerun gpu"));
    EXPECT_EQ(plan.reruns[0].subject, subject());
    EXPECT_EQ(plan.reruns[0].key, "d/down/five");
    EXPECT_EQ(plan.reruns[0].actor, "alice");
    EXPECT_EQ(plan.looks, std::vector{subject()});
    const auto unknown = planned(
        comment("@baton rerun gpu"),
        rights("alice", Permission::write),
        [](PlanInput& input) { input.known.reset(); }
    );
    EXPECT_EQ(unknown.reruns[0].subject.head, HeadSha{});
    EXPECT_EQ(unknown.reruns[0].subject.pr, PrNumber{7});
    EXPECT_TRUE(unknown.looks.empty());
}

TEST(PlanCommand, NeedsWriteAccessOrBeingOnCall) {
    struct Case {
        std::string name;
        std::string sender;
        std::optional<Permission> permission;
        std::string orders;
        bool undecided;
    };

    for (const auto& c : std::vector<Case>{
             {"an administrator", "alice", Permission::admin, "two three four", false},
             {"someone who writes", "alice", Permission::write, "two three four", false},
             {"someone who triages", "alice", Permission::triage, "", false},
             {"a stranger", "mallory", Permission::none, "", false},
             {"nobody knows yet", "alice", std::nullopt, "", true},
             {"on-call for one", "oncall-three", Permission::read, "three", false},
             {"on-call for one, else not known", "oncall-three", std::nullopt, "three", true},
             {"on-call for somebody else", "oncall-five", Permission::none, "", false},
         }) {
        SCOPED_TRACE(c.name);
        const auto told = c.permission ? rights(c.sender, *c.permission) : Rights{};
        const auto plan = planned(comment("@baton rerun npu", c.sender), told);
        EXPECT_EQ(orders(plan), c.orders);
        EXPECT_EQ(plan.undecided, c.undecided);
    }
}

TEST(PlanCommand, RefusesWithAReasonInTheLedger) {
    const auto plan =
        planned(comment("@baton rerun npu", "mallory"), rights("mallory", Permission::read));
    const std::string reason =
        "mallory has no write access to the upstream and is not on-call for it";
    EXPECT_EQ(
        refusals(plan),
        (std::map<std::string, std::string>{
            {"one", "at L1 it reports nothing that could be run again"},
            {"two", reason},
            {"three", reason},
            {"four", reason},
        })
    );
    EXPECT_TRUE(plan.looks.empty());
    EXPECT_EQ(
        refusals(planned(comment("@baton rerun tpu"))),
        (std::map<std::string, std::string>{{"", "no device or downstream listed is called tpu"}})
    );
}

TEST(PlanCommand, OfStatusHasTheChecksLookedAtForThoseWhoMayAsk) {
    EXPECT_EQ(planned(comment("@baton status")).looks, std::vector{subject()});
    EXPECT_EQ(planned(comment("@baton status", "oncall-five"), {}).looks, std::vector{subject()});
    const auto refused =
        planned(comment("@baton status", "mallory"), rights("mallory", Permission::read));
    EXPECT_TRUE(refused.looks.empty());
    EXPECT_EQ(refused.decisions.size(), 3U);
}

TEST(PlanCommand, OnAnIssueIsNone) {
    auto on_issue = comment("@baton rerun");
    std::get<CommentFacts>(on_issue.facts).on_pull_request = false;
    EXPECT_TRUE(planned(on_issue).reruns.empty());
    EXPECT_TRUE(rights_wanted(on_issue, {}, ladder()).empty());
}

TEST(PlanCommand, AsksForTheSendersRightsUnlessBeingOnCallAnswers) {
    struct Case {
        std::string name;
        Event event;
        std::set<Login> wanted;
    };

    for (const auto& c : std::vector<Case>{
             {"a command", comment("@baton rerun npu"), {Login("alice")}},
             {"status", comment("@baton status"), {Login("alice")}},
             {"on-call for all of it", comment("@baton rerun gpu", "oncall-five"), {}},
             {"on-call for some of it",
              comment("@baton rerun npu", "oncall-four"),
              {Login("oncall-four")}},
             {"nobody is meant", comment("@baton rerun tpu"), {}},
             {"talk", comment("hello"), {}},
             {"GitHub's own button", rerequest("crcr/gate"), {}},
         }) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(rights_wanted(c.event, {}, ladder()), c.wanted);
    }
}

} // namespace

} // namespace baton::domain
