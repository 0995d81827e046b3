#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "unit/domain/plan_story.hpp"

namespace baton::domain {
namespace {

using namespace story;

const auto kOnLabel = [](Downstream& d) { d.trigger = Trigger::label; };
const std::string kNpu = "ciflow/crcr/npu";
const auto kRights = rights("someone", Permission::triage);

TEST(PlanTrust, WaitsForTheLabelAndThenSendsTheNewestBodyOfTheHead) {
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

TEST(PlanTrust, SendsNoPushToWhoWaitsForLabelsUnlessItNamesTheRefs) {
    const auto both = [](Downstream& d) {
        d.trigger = Trigger::label;
        d.push_refs = {"main"};
    };
    const auto list = allowlist({listed("a", kOnLabel), listed("b", both)});
    EXPECT_EQ(
        outcomes(Story(list).tell(push("refs/heads/main"))),
        (Outcomes{{"a", ""}, {"b", "pending p"}})
    );
}

TEST(PlanTrust, TakesEitherLabelPrefixButNotAnotherDevice) {
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

TEST(PlanTrust, ALabelAndANewCommitForOneShaAreOneDispatchInEitherOrder) {
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

TEST(PlanTrust, ALabelOfTheSecondInWhichThePullRequestWasOpenedCountsInEitherOrder) {
    const At labelled{.labels = {"ciflow/crcr/npu"}, .label = "ciflow/crcr/npu"};
    const auto opened = pull_request("d1", "opened");
    const auto labeled = pull_request("d2", "labeled", labelled);
    for (const auto& order : {std::vector{opened, labeled}, std::vector{labeled, opened}}) {
        Story story(allowlist({listed("a", kOnLabel)}));
        story.tell(order.front(), kRights);
        EXPECT_EQ(outcomes(story.tell(order.back(), kRights)), (Outcomes{{"a", "pending d1"}}))
            << order.front().action << " came first";
    }
}

TEST(PlanTrust, ALabelOfTheSecondOfANewCommitCountsThoughItSawTheCommitBefore) {
    const At before{.time = 1s, .labels = {"ciflow/crcr/npu"}, .label = "ciflow/crcr/npu"};
    Story story(allowlist({listed("a", kOnLabel)}));
    story.tell(pull_request("d1", "opened"));
    story.tell(pull_request("d2", "synchronize", {.head = "y", .time = 1s}));
    EXPECT_EQ(
        outcomes(story.tell(pull_request("d3", "labeled", before), kRights)),
        (Outcomes{{"a", "pending d2"}})
    );
}

TEST(PlanTrust, ALabelTakenOffInTheSecondOfACommitIsOffInEitherOrder) {
    const At with{.head = "y", .time = 1s, .labels = {"ciflow/crcr/npu"}};
    const auto commit = pull_request("d2", "synchronize", with);
    const auto unlabeled =
        pull_request("d3", "unlabeled", {.head = "y", .time = 1s, .label = "ciflow/crcr/npu"});
    for (const auto& order : {std::vector{commit, unlabeled}, std::vector{unlabeled, commit}}) {
        Story story(allowlist({listed("a", kOnLabel)}));
        story.tell(pull_request("d1", "opened", {.labels = {"ciflow/crcr/npu"}}));
        story.tell(order.front());
        EXPECT_FALSE(story.tell(order.back()).pull_request->has_label("ciflow/crcr/npu"));
    }
}

TEST(PlanTrust, ALabelBySomeoneWithoutTriageRightsDoesNotCountNowOrLater) {
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

TEST(PlanTrust, OfAllThatIsHeardOfALabelTheNewestCountsInWhateverOrderItComes) {
    const auto heard =
        [](const std::string& id, const std::string& action, std::chrono::seconds time) {
            const auto labels =
                action == "labeled" ? std::vector<std::string>{kNpu} : std::vector<std::string>{};
            return pull_request(id, action, {.time = time, .labels = labels, .label = kNpu});
        };

    struct Case {
        std::string_view last; // who labelled last
        bool counts;
    };

    for (const auto& [last, counts] : {Case{"stranger", false}, Case{"triager", true}}) {
        const std::string first = last == "stranger" ? "triager" : "stranger";
        std::vector<Event> events{
            heard("d1", "labeled", 1s), heard("d2", "unlabeled", 2s), heard("d3", "labeled", 3s)
        };
        events[0].sender = Login(first);
        events[1].sender = Login("triager");
        events[2].sender = Login(std::string(last));
        Rights both = rights("triager", Permission::triage);
        both.known.emplace(Login("stranger"), Permission::read);
        std::vector<std::size_t> order{0, 1, 2};
        do {
            Story story(allowlist({listed("a", kOnLabel)}));
            story.tell(pull_request("d0", "opened"));
            Plan plan;
            for (const auto place : order) {
                plan = story.tell(events[place], both);
            }
            EXPECT_EQ(plan.pull_request->has_label(kNpu), counts)
                << last << " labelled last; heard in the order " << testing::PrintToString(order);
        } while (std::ranges::next_permutation(order).found);
    }
}

TEST(PlanTrust, AsksForTheLabellersRightsOnlyWhereLabelsMatter) {
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

TEST(PlanTrust, StaysUndecidedWhileTheLabellersRightsAreUnknownAndDecidesWhenTheyAre) {
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

TEST(PlanTrust, SendsTheWorkOfNewcomersToCarefulDownstreamsOnlyOnceSomebodyLabelledIt) {
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

TEST(PlanTrust, TrustsEarlierContributorsWithoutALabel) {
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

TEST(PlanTrust, HoldsBackOnlyTheDownstreamsWhoseQuestionIsOpen) {
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

} // namespace
} // namespace baton::domain
