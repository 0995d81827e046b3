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

namespace baton::domain {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
const RepoName kUpstream = *RepoName::parse("up/stream");

Downstream
listed(const std::string& repo, const std::function<void(Downstream&)>& with = [](Downstream&) {}) {
    Downstream one;
    one.repo = *RepoName::parse("down/" + repo);
    one.device = "npu";
    with(one);
    return one;
}

Allowlist allowlist(const std::vector<Downstream>& all) {
    Allowlist list;
    for (const auto& one : all) {
        EXPECT_TRUE(list.add(one));
    }
    return list;
}

struct At {
    std::string head = "a";
    Millis time{0};
    std::vector<std::string> labels = {};
    std::string label = {};
    std::string sender = "someone";
    Association association = Association::member;
};

Event pull_request(std::string delivery, std::string action, const At& at = {}) {
    Event one;
    one.delivery = DeliveryId(std::move(delivery));
    one.name = "pull_request";
    one.action = std::move(action);
    one.repository = kUpstream;
    one.sender = Login(at.sender);
    PullRequestFacts facts;
    facts.number = PrNumber{7};
    facts.head = HeadSha(at.head);
    facts.open = one.action != "closed";
    facts.labels = at.labels;
    facts.label = at.label;
    facts.author = Login("author");
    facts.association = at.association;
    facts.updated_at = kNow + at.time;
    one.facts = facts;
    return one;
}

Event push(const std::string& ref, std::vector<std::string> files = {}, bool complete = true) {
    Event one;
    one.delivery = DeliveryId("p");
    one.name = "push";
    one.repository = kUpstream;
    one.facts = PushFacts{
        .ref = ref,
        .before = HeadSha("b"),
        .after = HeadSha("c"),
        .deleted = false,
        .files = std::move(files),
        .files_complete = complete
    };
    return one;
}

/// A pull request told event by event, as the planner does it.
class Story {
public:
    explicit Story(Allowlist list)
        : list_(std::move(list)) {}

    Plan tell(const Event& event, const Rights& rights = {}) {
        const PlanInput input{
            .event = event,
            .known = known_,
            .now = kNow,
            .label_prefixes = {"ciflow/crcr/", "ciflow/oot/"}
        };
        auto result = plan(input, list_, rights);
        if (result.pull_request) {
            known_ = result.pull_request;
        }
        return result;
    }

private:
    Allowlist list_;
    std::optional<PullRequest> known_;
};

/// downstream -> "state delivery", for what is sent; "" for what is not.
using Outcomes = std::map<std::string, std::string>;

Outcomes outcomes(const Plan& plan) {
    Outcomes result;
    for (const auto& decision : plan.decisions) {
        result[std::string(decision.downstream.repo())] = "";
    }
    for (const auto& dispatch : plan.dispatches) {
        result[std::string(dispatch.key.downstream.repo())] =
            std::string(name_of(dispatch.state)) + " " + dispatch.key.delivery.text();
    }
    return result;
}

Rights rights(const std::string& login, Permission permission) {
    return Rights{.known = {{Login(login), permission}}};
}

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

const auto kOnLabel = [](Downstream& d) { d.trigger = Trigger::label; };
const auto kRights = rights("someone", Permission::triage);

TEST(Plan, WaitsForTheLabelAndThenSendsTheNewestBodyOfTheHead) {
    Story story(allowlist({listed("a", kOnLabel), listed("b")}));
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d1", "opened", {.head = "x"}))),
        (Outcomes{{"a", ""}, {"b", "pending d1"}})
    );
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d2", "synchronize", {.head = "y", .time = 1s}))),
        (Outcomes{{"a", ""}, {"b", "pending d2"}})
    );
    const At labelled{
        .head = "y", .time = 2s, .labels = {"ciflow/crcr/npu"}, .label = "ciflow/crcr/npu"
    };
    const auto plan = story.tell(pull_request("d3", "labeled", labelled), kRights);
    EXPECT_EQ(outcomes(plan), (Outcomes{{"a", "pending d2"}}));
    EXPECT_EQ(plan.dispatches[0].head, HeadSha("y"));
}

TEST(Plan, TakesEitherLabelPrefixButNotAnotherDevice) {
    for (const auto& [label, expected] : std::map<std::string, std::string>{
             {"ciflow/crcr/npu", "pending d1"},
             {"ciflow/oot/npu", "pending d1"},
             {"ciflow/oot/gpu", ""},
             {"npu", ""}
         }) {
        Story story(allowlist({listed("a", kOnLabel)}));
        EXPECT_EQ(
            outcomes(story.tell(pull_request("d1", "opened", {.labels = {label}}))),
            (Outcomes{{"a", expected}})
        ) << label;
    }
}

TEST(Plan, ALabelAndANewCommitForOneShaAreOneDispatchInEitherOrder) {
    const At labelled{
        .head = "y", .time = 1s, .labels = {"ciflow/crcr/npu"}, .label = "ciflow/crcr/npu"
    };
    const auto labeled = pull_request("d3", "labeled", labelled);
    const auto commit =
        pull_request("d2", "synchronize", {.head = "y", .time = 1s, .labels = {"ciflow/crcr/npu"}});
    for (const auto& order : {std::vector{labeled, commit}, std::vector{commit, labeled}}) {
        Story story(allowlist({listed("a", kOnLabel)}));
        story.tell(pull_request("d1", "opened", {.head = "x"}));
        std::set<DispatchKey> keys;
        for (const auto& event : order) {
            for (const auto& dispatch : story.tell(event, kRights).dispatches) {
                keys.insert(dispatch.key);
            }
        }
        EXPECT_EQ(keys.size(), 1U);
        EXPECT_EQ(keys.begin()->delivery, DeliveryId("d2"));
    }
}

TEST(Plan, ALabelBySomeoneWithoutTriageRightsDoesNotCountNowOrLater) {
    Story story(allowlist({listed("a", kOnLabel)}));
    story.tell(pull_request("d1", "opened"));
    const At labelled{.time = 1s, .labels = {"ciflow/crcr/npu"}, .label = "ciflow/crcr/npu"};
    EXPECT_EQ(
        outcomes(
            story.tell(pull_request("d2", "labeled", labelled), rights("someone", Permission::read))
        ),
        (Outcomes{{"a", ""}})
    );
    const At next{.head = "z", .time = 2s, .labels = {"ciflow/crcr/npu"}};
    EXPECT_EQ(outcomes(story.tell(pull_request("d3", "synchronize", next))), (Outcomes{{"a", ""}}));
}

TEST(Plan, AsksForTheLabellersRightsOnlyWhereLabelsMatter) {
    const auto labeled = pull_request("d2", "labeled", {.labels = {"x"}, .label = "x"});
    EXPECT_EQ(rights_wanted(labeled, {}, allowlist({listed("a")})), std::set<Login>{});
    EXPECT_EQ(
        rights_wanted(labeled, {}, allowlist({listed("a", kOnLabel)})), (std::set{Login("someone")})
    );
    EXPECT_EQ(
        rights_wanted(pull_request("d1", "opened"), {}, allowlist({listed("a", kOnLabel)})),
        std::set<Login>{}
    );
}

TEST(Plan, StaysUndecidedWhileTheLabellersRightsAreUnknownAndDecidesWhenTheyAre) {
    Story story(allowlist({listed("a", kOnLabel)}));
    story.tell(pull_request("d1", "opened"));
    const auto labeled = pull_request(
        "d2", "labeled", {.time = 1s, .labels = {"ciflow/oot/npu"}, .label = "ciflow/oot/npu"}
    );
    const auto first = story.tell(labeled);
    EXPECT_TRUE(first.undecided);
    EXPECT_TRUE(first.dispatches.empty());
    const auto second = story.tell(labeled, kRights);
    EXPECT_FALSE(second.undecided);
    EXPECT_EQ(outcomes(second), (Outcomes{{"a", "pending d1"}}));
}

TEST(Plan, SendsTheWorkOfNewcomersToCarefulDownstreamsOnlyOnceSomebodyLabelledIt) {
    const auto careful = [](Downstream& d) { d.trust = Trust::approved; };
    Story story(allowlist({listed("a", careful)}));
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d1", "opened", {.association = Association::none}))),
        (Outcomes{{"a", ""}})
    );
    const At labelled{
        .time = 1s, .labels = {"ok"}, .label = "ok", .association = Association::none
    };
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d2", "labeled", labelled), kRights)),
        (Outcomes{{"a", "pending d1"}})
    );
    const At next{.head = "z", .time = 2s, .association = Association::none};
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d3", "synchronize", next))),
        (Outcomes{{"a", "pending d3"}})
    );
}

TEST(Plan, TrustsEarlierContributorsWithoutALabel) {
    const auto careful = [](Downstream& d) { d.trust = Trust::approved; };
    for (const auto& [association, expected] : std::map<Association, std::string>{
             {Association::contributor, "pending d1"},
             {Association::owner, "pending d1"},
             {Association::first_timer, ""}
         }) {
        Story story(allowlist({listed("a", careful)}));
        EXPECT_EQ(
            outcomes(story.tell(pull_request("d1", "opened", {.association = association}))),
            (Outcomes{{"a", expected}})
        );
    }
}

TEST(Plan, HoldsBackOnlyTheDownstreamsWhoseQuestionIsOpen) {
    const auto strict = [](Downstream& d) { d.trust = Trust::write; };
    Story story(allowlist({listed("a", strict), listed("b")}));
    const auto opened = pull_request("d1", "opened");
    const auto first = story.tell(opened);
    EXPECT_TRUE(first.undecided);
    EXPECT_EQ(outcomes(first), (Outcomes{{"a", ""}, {"b", "pending d1"}}));
    EXPECT_EQ(
        outcomes(story.tell(opened, rights("author", Permission::write))),
        (Outcomes{{"a", "pending d1"}, {"b", "pending d1"}})
    );
    EXPECT_EQ(
        outcomes(story.tell(opened, rights("author", Permission::triage))),
        (Outcomes{{"a", ""}, {"b", "pending d1"}})
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

TEST(Plan, ALateWebhookOfAClosedPullRequestStartsNothing) {
    Story story(allowlist({listed("a")}));
    story.tell(pull_request("d2", "closed", {.head = "y", .time = 5s}));
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d1", "synchronize", {.head = "y", .time = 1s}))),
        (Outcomes{{"a", "cancelled d1"}})
    );
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
