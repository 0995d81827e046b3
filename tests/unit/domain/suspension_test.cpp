#include "baton/domain/suspension.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "unit/domain/plan_story.hpp"

namespace baton::domain {

namespace {

using namespace story;

Suspension held(const std::string& repo, const std::string& upstream = "") {
    return {
        .downstream = *RepoName::parse("down/" + repo),
        .upstream = upstream.empty() ? RepoName{} : *RepoName::parse(upstream),
        .since = kNow,
        .until = std::nullopt,
        .reason = "new racks",
        .actor = "alice",
    };
}

Plan planned_with(std::vector<Suspension> suspensions, const Event& event) {
    const PlanInput input{.event = event, .now = kNow, .suspensions = std::move(suspensions)};
    return plan(input, allowlist({listed("a"), listed("b")}), {});
}

TEST(Suspension, HoldsUntilItsTime) {
    auto one = held("a");
    EXPECT_TRUE(is_in_force(one, kNow + 999h));
    one.until = kNow + 1h;
    EXPECT_TRUE(is_in_force(one, kNow + 1h - 1ms));
    EXPECT_FALSE(is_in_force(one, kNow + 1h));
    EXPECT_EQ(to_text(one), "suspended until 2027-01-15T09:00:00.000Z: new racks");
    EXPECT_EQ(to_text(held("a")), "suspended: new racks");
}

TEST(Suspension, IsFoundForThePairingThatItNames) {
    struct Case {
        std::string name;
        std::vector<Suspension> all;
        bool found;
    };

    auto over = held("a");
    over.until = kNow;
    const Pairing pairing{.upstream = kUpstream, .downstream = *RepoName::parse("Down/A")};
    for (const auto& c : std::vector<Case>{
             {"nothing is suspended", {}, false},
             {"of every upstream", {held("a")}, true},
             {"of this upstream", {held("a", "UP/stream")}, true},
             {"of another upstream", {held("a", "else/where")}, false},
             {"another downstream", {held("b")}, false},
             {"it is over", {over}, false},
             {"one is over, another not", {over, held("a", "up/stream")}, true},
         }) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(suspension_of(c.all, pairing, kNow) != nullptr, c.found);
    }
}

TEST(PlanWithSuspensions, WithholdsWithTheReasonAndLeavesOthersAlone) {
    for (const auto& event : {pull_request("d", "opened"), push("refs/heads/main")}) {
        const auto plan = planned_with({held("a")}, event);
        ASSERT_EQ(plan.decisions.size(), 2U);
        EXPECT_FALSE(plan.decisions[0].dispatch);
        EXPECT_EQ(plan.decisions[0].reason, "suspended: new racks");
        EXPECT_TRUE(plan.decisions[1].dispatch);
        EXPECT_EQ(plan.dispatches.size(), 1U);
    }
}

TEST(PlanWithSuspensions, ComesBeforeAPauseOfTheList) {
    const auto paused = listed("a", [](Downstream& d) {
        d.pause = Pause{.until = kNow + 1h, .reason = "holidays"};
    });
    const PlanInput input{
        .event = push("refs/heads/main"), .now = kNow, .suspensions = {held("a")}
    };
    EXPECT_EQ(plan(input, allowlist({paused}), {}).decisions[0].reason, "suspended: new racks");
}

TEST(PlanReasons, SayWhatSpokeForADispatch) {
    struct Case {
        std::string name;
        Downstream downstream;
        Event event;
        std::string reason;
    };

    const auto labelled = At{.labels = {"ciflow/oot/npu"}};
    const auto on_label = [](Downstream& d) { d.trigger = Trigger::label; };
    const auto approved = [](Downstream& d) { d.trust = Trust::approved; };
    const auto refs = [](Downstream& d) { d.push_refs = {"main"}; };
    const auto paths = [](Downstream& d) { d.paths = {"src/**"}; };
    for (const auto& c : std::vector<Case>{
             {"listed", listed("a"), pull_request("d", "opened"), "listed at L1 for npu"},
             {"labelled",
              listed("a", on_label),
              pull_request("d", "opened", labelled),
              "listed at L1 for npu; the label ciflow/oot/npu is there"},
             {"trusted",
              listed("a", approved),
              pull_request("d", "opened"),
              "listed at L1 for npu; its author contributed before"},
             {"ref",
              listed("a", refs),
              push("refs/heads/main"),
              "listed at L1 for npu; refs/heads/main is among its push_refs"},
             {"paths",
              listed("a", paths),
              push("refs/heads/main", {"src/a"}),
              "listed at L1 for npu; a changed file is among its paths"},
         }) {
        SCOPED_TRACE(c.name);
        Story story(allowlist({c.downstream}));
        const auto plan = story.tell(c.event);
        ASSERT_EQ(plan.decisions.size(), 1U);
        EXPECT_TRUE(plan.decisions[0].dispatch);
        EXPECT_EQ(plan.decisions[0].reason, c.reason);
    }
}

} // namespace

} // namespace baton::domain
