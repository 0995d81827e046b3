#pragma once

#include "contract/checks_fixture.hpp"

namespace baton::test {

class StoreLooks : public ChecksContract {
protected:
    /// How often the facts about the usual subject changed.
    std::int64_t version() {
        for (const auto& look : looks_at(at(900'000))) {
            if (look.subject == a_subject()) {
                return look.version;
            }
        }
        return 0;
    }

    std::vector<std::string> deliveries_of(ports::RunsQuery query) {
        query.upstream = upstream();
        std::vector<std::string> found;
        for (const auto& run : must(store().runs(std::move(query)))) {
            found.push_back(run.dispatch.key.delivery.text());
        }
        return found;
    }

    void plant_run(const std::string& delivery, const domain::NewDispatch& dispatch) {
        must(store().insert_delivery(a_delivery(delivery)));
        must(store().commit_plan(a_plan(delivery, {dispatch}, at(0))));
    }
};

// --- what raises a look

TEST_P(StoreLooks, PlanningPutsItsSubjectsOnTheList) {
    plan_look("d1", a_subject(), at(5));
    const auto looks = looks_at(at(5));
    ASSERT_EQ(looks.size(), 1U);
    EXPECT_EQ(looks[0].subject, a_subject());
    EXPECT_EQ(looks[0].version, 1);
    EXPECT_EQ(looks[0].first_at, at(5));
    EXPECT_TRUE(looks_at(at(4)).empty());
    EXPECT_EQ(counts().looks, 1U);
}

TEST_P(StoreLooks, TheSameSubjectStandsThereOnceWithItsFirstTime) {
    plan_look("d1", a_subject(), at(5));
    plan_look("d2", a_subject(), at(9));
    const auto looks = looks_at(at(9));
    ASSERT_EQ(looks.size(), 1U);
    EXPECT_EQ(looks[0].version, 2);
    EXPECT_EQ(looks[0].first_at, at(5));
}

TEST_P(StoreLooks, ASubjectIsAHeadOfAPullRequestOrOfTheMergeQueue) {
    plan_look("d1", a_subject("aaaa"), at(1));
    plan_look("d2", a_subject("bbbb"), at(2));
    plan_look("d3", in_merge_queue("aaaa"), at(3));
    const auto looks = looks_at(at(9));
    ASSERT_EQ(looks.size(), 3U) << "the longest due first";
    EXPECT_EQ(looks[1].subject, a_subject("bbbb"));
    EXPECT_EQ(looks[2].subject, in_merge_queue("aaaa"));
    EXPECT_EQ(must(store().looks(at(9), 2)).size(), 2U);
}

TEST_P(StoreLooks, APlanThatWantsALookAtNoCommitIsRefusedAsAWhole) {
    must(store().insert_delivery(a_delivery("d1")));
    auto commit = a_plan("d1", {a_dispatch("d1", "a/one")}, at(1));
    commit.plan.looks = {a_subject("")};
    EXPECT_EQ(refused(store().commit_plan(std::move(commit))), Errc::invalid);
    EXPECT_TRUE(history_of("d1").dispatches.empty());
}

TEST_P(StoreLooks, APlanThatWaitsForRightsStillRaisesItsLooks) {
    must(store().insert_delivery(a_delivery("d1")));
    auto commit = a_plan("d1", {}, at(1));
    commit.plan.looks = {a_subject()};
    commit.again_at = at(30);
    must(store().commit_plan(std::move(commit)));
    EXPECT_EQ(looks_at(at(1)).size(), 1U);
}

TEST_P(StoreLooks, AReportRaisesALookWhenItIsNews) {
    const auto dispatch = sent_at_level("d1", domain::Level::l3);
    EXPECT_EQ(version(), 0) << "that it was sent changes no check";
    report(dispatch, a_start(), at(20));
    EXPECT_EQ(version(), 1);
    report(dispatch, a_start(), at(21));
    EXPECT_EQ(version(), 1) << "said before";
    report(dispatch, an_end(), at(22));
    EXPECT_EQ(version(), 2);
    EXPECT_EQ(looks_at(at(22)).at(0).first_at, at(20));
}

TEST_P(StoreLooks, OnlyLevelThreeAndAboveRaiseLooksByDispatchOrByReport) {
    const auto dispatch = sent_at_level("d1", domain::Level::l2);
    report(dispatch, a_start(), at(20));
    EXPECT_EQ(version(), 0);
    auto risen = a_commit(dispatch, an_end(), at(21));
    risen.level = domain::Level::l4; // the downstream rose meanwhile
    must(store().record_report(std::move(risen)));
    EXPECT_EQ(version(), 1);
}

TEST_P(StoreLooks, WhatIsForNoPullRequestRaisesNone) {
    must(store().insert_delivery(a_delivery("d1")));
    auto nightly = a_dispatch("d1", "a/one");
    nightly.level = domain::Level::l4;
    nightly.pr.reset();
    nightly.event_type = "nightly";
    must(store().commit_plan(a_plan("d1", {nightly}, at(0))));
    report(sent_one("a/one", at(10)), an_end(), at(20));
    auto alone = a_self_report(an_end(), at(21));
    alone.level = domain::Level::l4;
    must(store().record_report(std::move(alone)));
    EXPECT_TRUE(looks_at(at(99)).empty());
}

TEST_P(StoreLooks, SilenceAndTimeOutRaiseALook) {
    const auto silent = sent_at_level("d1", domain::Level::l4);
    must(store().sweep(a_sweep(at(8'000))));
    EXPECT_EQ(version(), 1);
    EXPECT_EQ(looks_at(at(8'000)).size(), 1U);
    report(silent, a_start(), at(8'001));
    EXPECT_EQ(version(), 2);
    must(store().sweep(a_sweep(at(40'000))));
    EXPECT_EQ(version(), 3);
}

TEST_P(StoreLooks, ADispatchThatCameToRestUnsentRaisesALook) {
    using enum domain::DispatchState;
    plant_at("d1", domain::Level::l3);
    must(store().settle(ended(lease_one("a/one", at(1)).lease, pending, at(2))));
    EXPECT_EQ(version(), 0) << "it is tried again";
    must(store().settle(ended(lease_one("a/one", at(20)).lease, failed, at(21))));
    EXPECT_EQ(version(), 1);
    must(store().redeliver({.delivery = DeliveryId("d1"), .now = at(30), .actor = "alice"}));
    EXPECT_EQ(version(), 2) << "it is on its way once more";
    must(store().settle(ended(lease_one("a/one", at(31)).lease, dead, at(32))));
    EXPECT_EQ(version(), 3);
    plant_at("d2", domain::Level::l3);
    must(store().cancel_pending(upstream(), repo("a/one"), "it left the list", at(40)));
    EXPECT_EQ(version(), 4);
}

TEST_P(StoreLooks, ANewerCommitRaisesALookAtTheOneThatItSupersedes) {
    plant_at("d1", domain::Level::l3);
    must(store().insert_delivery(a_delivery("d2", at(5))));
    auto commit = a_plan("d2", {}, at(5));
    commit.plan.pull_request = a_pull_request("bbbb");
    commit.plan.supersede_older = true;
    must(store().commit_plan(std::move(commit)));
    EXPECT_EQ(heads_to_look_at(at(5)), Texts{"aaaa"});
}

TEST_P(StoreLooks, AReportFasterThanGitHubsAnswerIsLookedAtOnceMoreWhenThatCame) {
    plant_at("d1", domain::Level::l4);
    const auto leased = lease_one("a/one", at(1));
    report(leased.dispatch, a_start(), at(2));
    EXPECT_EQ(version(), 1);
    must(store().settle(ended(leased.lease, domain::DispatchState::failed, at(3))));
    EXPECT_EQ(version(), 2) << "it arrived after all";
}

// --- the end of a look

TEST_P(StoreLooks, ALookIsOverWhenItIsWrittenDown) {
    plan_look("d1", a_subject(), at(5));
    const auto look = looks_at(at(5)).at(0);
    must(store().commit_postings({.look = look, .now = at(6)}));
    EXPECT_TRUE(looks_at(at(900)).empty());
    EXPECT_EQ(counts().looks, 0U);
    plan_look("d2", a_subject(), at(7));
    EXPECT_EQ(looks_at(at(7)).at(0).version, 2) << "versions go on";
    EXPECT_EQ(looks_at(at(7)).at(0).first_at, at(5));
}

TEST_P(StoreLooks, ALookIsPutOffUntilTimeAloneMayChangeSomething) {
    plan_look("d1", a_subject(), at(5));
    must(store().commit_postings({.look = looks_at(at(5)).at(0), .look_at = at(60), .now = at(6)}));
    EXPECT_TRUE(looks_at(at(59)).empty());
    EXPECT_EQ(looks_at(at(60)).size(), 1U);
    EXPECT_EQ(counts().looks, 1U);
    plan_look("d2", a_subject(), at(7));
    EXPECT_EQ(looks_at(at(7)).size(), 1U) << "news do not wait for that";
}

TEST_P(StoreLooks, WhatChangedMeanwhileIsLookedAtAgain) {
    plan_look("d1", a_subject(), at(5));
    const auto look = looks_at(at(5)).at(0);
    plan_look("d2", a_subject(), at(6));
    must(store().commit_postings({.look = look, .look_at = at(60), .now = at(7)}));
    const auto left = looks_at(at(7));
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].version, 2);
}

// --- look_again

TEST_P(StoreLooks, LooksAgainAtHeadsOfOpenPullRequests) {
    plan_look("d1", a_subject("aaaa"), at(1));
    plan_look("d2", a_subject("bbbb"), at(1));
    look_away(at(2));
    pull_request_is("d3", "bbbb");
    EXPECT_EQ(must(store().look_again({.upstream = upstream(), .now = at(200)})), 1U);
    EXPECT_EQ(heads_to_look_at(at(200)), Texts{"bbbb"});
    EXPECT_EQ(looks_at(at(200)).at(0).version, 2);
    look_away(at(201));
    pull_request_is("d4", "bbbb", false);
    EXPECT_EQ(must(store().look_again({.upstream = upstream(), .now = at(202)})), 0U);
    EXPECT_EQ(must(store().look_again({.upstream = repo("o/ther"), .now = at(202)})), 0U);
}

TEST_P(StoreLooks, LooksAgainWhereACheckHasNotEnded) {
    plan_look("d1", a_subject(), at(1));
    plan_look("d2", in_merge_queue("qqqq"), at(1));
    auto queued = a_check("crcr/gate");
    queued.subject = in_merge_queue("qqqq");
    want({an_ended_check("crcr/gate"), queued}, at(2));
    look_away(at(2));
    EXPECT_EQ(must(store().look_again({.upstream = upstream(), .now = at(3)})), 1U);
    EXPECT_EQ(heads_to_look_at(at(3)), Texts{"qqqq"});
}

TEST_P(StoreLooks, LooksAgainOnlyWhereADownstreamWasDispatchedFor) {
    plant("d1", {"a/one"});
    pull_request_is("d2", "aaaa");
    plan_look("d3", a_subject(), at(101));
    look_away(at(102));
    ports::LookAgain again{.upstream = upstream(), .downstream = repo("b/two"), .now = at(103)};
    EXPECT_EQ(must(store().look_again(again)), 0U);
    again.downstream = repo("A/One");
    EXPECT_EQ(must(store().look_again(again)), 1U);
}

// --- runs

TEST_P(StoreLooks, RunsComeNewestFirstWithTheirJobs) {
    const auto first = a_sent_dispatch("d1", at(0));
    report(first, a_start("101", "b"), at(20));
    report(first, a_start("101", "a"), at(21));
    const auto second = a_sent_dispatch("d2", at(100));
    const auto runs = must(store().runs({.upstream = upstream(), .head = HeadSha("aaaa")}));
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].dispatch.id, second.id);
    EXPECT_TRUE(runs[0].jobs.empty());
    EXPECT_EQ(runs[1].dispatch, now_of(first));
    EXPECT_EQ(runs[1].jobs, jobs_of("d1")) << "in the order they were first heard of";
    EXPECT_FALSE(runs[1].silent_at.has_value());
    must(store().sweep(a_sweep(at(9'000))));
    const auto later = must(store().runs({.upstream = upstream(), .head = HeadSha("aaaa")}));
    EXPECT_EQ(later.at(0).silent_at, at(9'000));
}

TEST_P(StoreLooks, RunsAreFoundByWhatIsNamed) {
    auto push = a_dispatch("push", "a/one");
    push.pr.reset();
    push.event_type = "push";
    push.head = HeadSha("mmmm");
    push.ref = "main";
    plant_run("push", push);
    auto other_branch = push;
    other_branch.key.delivery = DeliveryId("branch");
    other_branch.ref = "release";
    plant_run("branch", other_branch);
    plant("pr", {"a/one", "b/two"});
    const auto one = repo("A/one");
    EXPECT_EQ(deliveries_of({}), (Texts{"pr", "pr", "branch", "push"}));
    EXPECT_EQ(deliveries_of({.downstream = one}), (Texts{"pr", "branch", "push"}));
    EXPECT_EQ(deliveries_of({.pr = PrNumber{7}}), (Texts{"pr", "pr"}));
    EXPECT_EQ(deliveries_of({.pr = PrNumber{8}}), Texts{});
    EXPECT_EQ(deliveries_of({.head = HeadSha("mmmm")}), (Texts{"branch", "push"}));
    EXPECT_EQ(deliveries_of({.head = HeadSha("mmmm"), .ref = "main"}), Texts{"push"});
    EXPECT_EQ(deliveries_of({.downstream = one, .head = HeadSha("aaaa")}), Texts{"pr"});
    EXPECT_EQ(deliveries_of({.pr = PrNumber{7}, .head = HeadSha("mmmm")}), Texts{});
    EXPECT_EQ(
        deliveries_of({.downstream = one, .event_types = {"push", "nightly"}}),
        (Texts{"branch", "push"})
    );
    EXPECT_EQ(
        deliveries_of({.downstream = one, .event_types = {"push"}, .ref = "main"}), Texts{"push"}
    );
    EXPECT_EQ(deliveries_of({.event_types = {"pull_request"}}), (Texts{"pr", "pr"}));
    EXPECT_EQ(deliveries_of({.downstream = one, .limit = 2}), (Texts{"pr", "branch"}));
    EXPECT_EQ(deliveries_of({.limit = 1}), Texts{"pr"});
    EXPECT_TRUE(must(store().runs({.upstream = repo("o/ther")})).empty());
}

TEST_P(StoreLooks, RunsAreLookedForOnlySoFarBack) {
    auto main = a_dispatch("main", "a/one");
    main.pr.reset();
    main.event_type = "push";
    main.ref = "main";
    plant_run("main", main);
    std::vector<domain::NewDispatch> others;
    for (std::size_t i = 0; i < ports::RunsQuery::kWalkedMax; ++i) {
        auto other = main;
        other.key = {DeliveryId("others"), repo("a/one"), static_cast<int>(i)};
        other.ref = "release";
        others.push_back(std::move(other));
    }
    const auto last = others.back();
    others.pop_back();
    must(store().insert_delivery(a_delivery("others")));
    must(store().commit_plan(a_plan("others", others, at(1))));
    const ports::RunsQuery of_pair{
        .downstream = repo("a/one"), .event_types = {"push"}, .ref = "main"
    };
    const ports::RunsQuery of_upstream{.ref = "main"};
    const ports::RunsQuery of_commit{.head = main.head, .ref = "main"};
    EXPECT_EQ(deliveries_of(of_pair), Texts{"main"});
    EXPECT_EQ(deliveries_of(of_upstream), Texts{"main"});
    must(store().commit_plan(a_plan("others", {last}, at(2))));
    EXPECT_EQ(deliveries_of(of_pair), Texts{});
    EXPECT_EQ(deliveries_of(of_upstream), Texts{});
    EXPECT_EQ(deliveries_of(of_commit), Texts{"main"}) << "a commit is looked at as a whole";
}

TEST_P(StoreLooks, ARunThatHasNotBegunIsLeftOutWhenAskedFor) {
    report(a_sent_dispatch("d1", at(0)), a_start(), at(20));
    a_sent_dispatch("d2", at(100));
    const ports::RunsQuery started{.downstream = repo("a/one"), .started_only = true, .limit = 1};
    EXPECT_EQ(deliveries_of(started), Texts{"d1"});
    must(store().sweep(a_sweep(at(9'000))));
    EXPECT_EQ(deliveries_of(started), Texts{"d2"}) << "silence is an answer too";
}

TEST_P(StoreLooks, TheMessageOfAClosingIsNoRun) {
    auto closing = a_delivery("d1");
    closing.action = "closed";
    must(store().insert_delivery(std::move(closing)));
    must(store().commit_plan(a_plan("d1", {a_dispatch("d1", "a/one")}, at(0))));
    plant("d2", {"a/one"});
    EXPECT_EQ(deliveries_of({}), Texts{"d2"});
    EXPECT_EQ(deliveries_of({.head = HeadSha("aaaa")}), Texts{"d2"});
    EXPECT_EQ(deliveries_of({.downstream = repo("a/one")}), Texts{"d2"});
}

TEST_P(StoreLooks, TheBranchOfADispatchIsKeptAndPassedOnToItsNextGeneration) {
    auto dispatch = a_dispatch("d1", "a/one");
    dispatch.ref = "main";
    plant_run("d1", dispatch);
    must(store().settle(ended(lease_one("a/one", at(1)).lease, domain::DispatchState::failed, at(2))
    ));
    must(store().redeliver({.delivery = DeliveryId("d1"), .now = at(3), .actor = "alice"}));
    const auto found = must(store().dispatches_to(DeliveryId("d1"), repo("a/one")));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].ref, "main");
    EXPECT_EQ(found[1].ref, "main");
}

} // namespace baton::test
