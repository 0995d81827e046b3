#pragma once

#include <boost/json/parse.hpp>

#include "contract/store_fixture.hpp"

namespace baton::test {

class StorePlanning : public StoreContract {
protected:
    /// A plan of delivery `id` about the pull request, which is at `head` now.
    ports::PlanCommit about_pr(const std::string& id, const std::string& head, TimePoint now) {
        const auto known =
            must(store().pull_request({.upstream = upstream(), .number = PrNumber{7}}));
        auto commit = a_plan(id, {}, now);
        commit.plan.pull_request = a_pull_request(head, known ? known->version : 0);
        return commit;
    }

    domain::Dispatch only_dispatch_of(const std::string& delivery) {
        const auto history = history_of(delivery);
        EXPECT_EQ(history.dispatches.size(), 1U);
        return history.dispatches.at(0).dispatch;
    }
};

TEST_P(StorePlanning, KeepsEveryFieldOfADispatch) {
    must(store().insert_delivery(a_delivery("d1")));
    const auto wanted = a_dispatch("d1", "Own/Spelling");
    const auto receipt = must(store().commit_plan(a_plan("d1", {wanted}, at(3))));
    EXPECT_EQ(receipt.created, 1U);

    const auto kept = only_dispatch_of("d1");
    EXPECT_EQ(static_cast<const domain::NewDispatch&>(kept), wanted);
    EXPECT_EQ(kept.key.downstream.text(), "Own/Spelling");
    EXPECT_NE(kept.id, DispatchId{});
    EXPECT_EQ(kept.created_at, at(3));
    EXPECT_EQ(kept.due_at, at(3));
    EXPECT_FALSE(kept.sent_at.has_value());
    EXPECT_EQ(kept.attempts, 0);
    EXPECT_EQ(kept.trim, 0);
}

TEST_P(StorePlanning, LeavesExistingDispatchesAloneHoweverTheyAreSpelt) {
    plant("d1", {"a/one"}, at(1));
    auto again = a_dispatch("d1", "A/ONE");
    again.reason = "another reason";
    const auto receipt =
        must(store().commit_plan(a_plan("d1", {again, a_dispatch("d1", "b/two")}, at(2))));
    EXPECT_EQ(receipt.created, 1U);
    const auto history = history_of("d1");
    ASSERT_EQ(history.dispatches.size(), 2U);
    EXPECT_EQ(history.dispatches[0].dispatch.reason, "listed at L2");
    EXPECT_EQ(history.dispatches[0].dispatch.created_at, at(1));
}

TEST_P(StorePlanning, StaysPlannedWhenAnotherReplicaPlansItTooOrPutsItOff) {
    plant("d1", {"a/one"}, at(1));
    must(store().commit_plan(a_plan("d1", {a_dispatch("d1", "a/one")}, at(2))));
    auto later = a_plan("d1", {}, at(3));
    later.again_at = at(4);
    must(store().commit_plan(later));
    EXPECT_EQ(history_of("d1").delivery.state, ports::DeliveryState::planned);
    EXPECT_TRUE(must(store().deliveries_to_plan(at(10), 10)).empty());
    EXPECT_EQ(kinds_in(history_of("d1")), std::vector<std::string>{"planned"});
}

TEST_P(StorePlanning, DispatchesADeliveryThatAnotherOneNames) {
    must(store().insert_delivery(a_delivery("opened")));
    must(store().insert_delivery(a_delivery("labeled")));
    must(store().commit_plan(a_plan("labeled", {a_dispatch("opened", "a/one")}, at(1))));
    EXPECT_TRUE(history_of("labeled").dispatches.empty());
    EXPECT_EQ(only_dispatch_of("opened").key.delivery.text(), "opened");
}

TEST_P(StorePlanning, KeepsADispatchThatWasLateFromTheStart) {
    must(store().insert_delivery(a_delivery("d1")));
    auto late = a_dispatch("d1", "a/one");
    late.state = domain::DispatchState::superseded;
    late.reason = "a newer head is known already";
    must(store().commit_plan(a_plan("d1", {late}, at(1))));
    EXPECT_TRUE(due_at(at(2)).waiting.empty());
    EXPECT_EQ(kinds_in(history_of("d1")), (std::vector<std::string>{"superseded", "planned"}));
}

TEST_P(StorePlanning, RefusesAPlanOfAnUnknownDelivery) {
    EXPECT_EQ(refused(store().commit_plan(a_plan("nobody", {}, at(1)))), Errc::not_found);
}

TEST_P(StorePlanning, ChangesNothingWhenADispatchNamesAnUnknownDelivery) {
    must(store().insert_delivery(a_delivery("d1")));
    auto commit = about_pr("d1", "aaaa", at(1));
    commit.plan.dispatches = {a_dispatch("d1", "a/one"), a_dispatch("nobody", "b/two")};
    EXPECT_EQ(refused(store().commit_plan(commit)), Errc::not_found);
    const auto history = history_of("d1");
    EXPECT_TRUE(history.dispatches.empty());
    EXPECT_TRUE(history.ledger.empty());
    EXPECT_EQ(history.delivery.state, ports::DeliveryState::to_plan);
    EXPECT_FALSE(
        must(store().pull_request({.upstream = upstream(), .number = PrNumber{7}})).has_value()
    );
}

TEST_P(StorePlanning, KnowsNoPullRequestBeforeThePlan) {
    EXPECT_FALSE(
        must(store().pull_request({.upstream = upstream(), .number = PrNumber{7}})).has_value()
    );
}

TEST_P(StorePlanning, KeepsEveryFieldOfAPullRequestAndCountsItsVersions) {
    must(store().insert_delivery(a_delivery("d1")));
    auto commit = a_plan("d1", {}, at(1));
    auto& pr = commit.plan.pull_request.emplace(a_pull_request("aaaa"));
    pr.open = false;
    pr.draft = true;
    pr.labels = {"ciflow/crcr/npu", "with \"quotes\" and ünïcode"};
    pr.label_rulings = {
        {.label = "ciflow/crcr/npu", .at = at(3), .setter = domain::Labeller::may_not},
        {.label = "with \"quotes\" and ünïcode", .at = at(4), .setter = domain::Labeller::unknown},
    };
    pr.author = Login("alice");
    pr.association = domain::Association::first_time_contributor;
    pr.approved = true;
    pr.newest_forwarded = DeliveryId("d1");
    must(store().commit_plan(commit));

    auto expected = pr;
    expected.version = 1;
    EXPECT_EQ(
        must(store().pull_request({.upstream = repo("UP/stream"), .number = PrNumber{7}})), expected
    );

    pr = expected;
    pr.head = HeadSha("bbbb");
    must(store().commit_plan(commit));
    EXPECT_EQ(
        must(store().pull_request({.upstream = upstream(), .number = PrNumber{7}}))->version, 2
    );
}

TEST_P(StorePlanning, RefusesAPlanWhosePullRequestMovedOn) {
    struct Case {
        const char* name;
        std::int64_t version;
    };

    must(store().insert_delivery(a_delivery("d1")));
    must(store().insert_delivery(a_delivery("d2")));
    must(store().commit_plan(about_pr("d1", "aaaa", at(1))));
    must(store().commit_plan(about_pr("d1", "bbbb", at(2)))); // version 2 now
    for (const auto& c :
         {Case{"as if it were new", 0}, Case{"an old version", 1}, Case{"a version to come", 3}}) {
        SCOPED_TRACE(c.name);
        auto commit = a_plan("d2", {a_dispatch("d2", "a/one")}, at(3));
        commit.plan.pull_request = a_pull_request("cccc", c.version);
        EXPECT_EQ(refused(store().commit_plan(commit)), Errc::conflict);
    }
    EXPECT_TRUE(history_of("d2").dispatches.empty());
    EXPECT_TRUE(history_of("d2").ledger.empty());
    EXPECT_EQ(
        must(store().pull_request({.upstream = upstream(), .number = PrNumber{7}}))->head.text(),
        "bbbb"
    );
}

TEST_P(StorePlanning, SupersedesPendingDispatchesOfOtherHeads) {
    plant("old", {"a/one", "b/two"}, at(0));
    must(store().insert_delivery(a_delivery("new")));
    auto newer = a_dispatch("new", "a/one");
    newer.head = HeadSha("bbbb");
    auto commit = about_pr("new", "bbbb", at(5));
    commit.plan.dispatches = {newer};
    commit.plan.supersede_older = true;
    const auto receipt = must(store().commit_plan(commit));
    EXPECT_EQ(receipt.created, 1U);
    EXPECT_EQ(receipt.superseded, 2U);
    EXPECT_EQ(receipt.cancelled, 0U);

    const auto history = history_of("old");
    for (const auto& each : history.dispatches) {
        EXPECT_EQ(each.dispatch.state, domain::DispatchState::superseded);
        EXPECT_NE(each.dispatch.reason.find("bbbb"), std::string::npos) << each.dispatch.reason;
    }
    EXPECT_EQ(kinds_in(history), (std::vector<std::string>{"planned", "superseded", "superseded"}));
    EXPECT_EQ(history.ledger[1].dispatch, history.dispatches[0].dispatch.id);
    EXPECT_EQ(only_dispatch_of("new").state, domain::DispatchState::pending);
}

TEST_P(StorePlanning, SupersedesNothingOfOtherPullRequestsOrAtRest) {
    plant("sent", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(2))));
    must(store().insert_delivery(a_delivery("other")));
    auto other = a_dispatch("other", "a/one");
    other.pr = PrNumber{8};
    auto elsewhere = a_dispatch("other", "b/two");
    elsewhere.upstream = repo("else/where");
    must(store().commit_plan(a_plan("other", {other, elsewhere}, at(3))));

    auto commit = about_pr("sent", "bbbb", at(5));
    commit.plan.supersede_older = true;
    EXPECT_EQ(must(store().commit_plan(commit)).superseded, 0U);
    EXPECT_EQ(count_of(domain::DispatchState::pending), 2U);
    EXPECT_EQ(count_of(domain::DispatchState::sent), 1U);
}

TEST_P(StorePlanning, CancelsWhatIsPendingWhenThePullRequestClosesButNotTheClosingItself) {
    plant("opened", {"a/one", "b/two"});
    must(store().insert_delivery(a_delivery("closed")));
    auto commit = about_pr("closed", "aaaa", at(5));
    commit.plan.dispatches = {a_dispatch("closed", "a/one")};
    commit.plan.cancel_pending = true;
    const auto receipt = must(store().commit_plan(commit));
    EXPECT_EQ(receipt.cancelled, 2U);
    EXPECT_EQ(receipt.created, 1U);
    EXPECT_EQ(only_dispatch_of("closed").state, domain::DispatchState::pending);

    commit = about_pr("closed", "aaaa", at(6)); // planned again: its own dispatch stays
    commit.plan.dispatches = {a_dispatch("closed", "a/one")};
    commit.plan.cancel_pending = true;
    EXPECT_EQ(must(store().commit_plan(commit)).cancelled, 0U);
    EXPECT_EQ(only_dispatch_of("closed").state, domain::DispatchState::pending);
    EXPECT_EQ(
        kinds_in(history_of("opened")),
        (std::vector<std::string>{"planned", "cancelled", "cancelled"})
    );
}

TEST_P(StorePlanning, OnlyMarksALeasedDispatchSoThatItsAttemptCanSucceed) {
    plant("old", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    auto commit = about_pr("old", "bbbb", at(2));
    commit.plan.supersede_older = true;
    EXPECT_EQ(must(store().commit_plan(commit)).superseded, 0U);
    EXPECT_EQ(only_dispatch_of("old").state, domain::DispatchState::pending);

    const auto came_to =
        must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(3))));
    EXPECT_EQ(came_to, domain::DispatchState::sent);
}

TEST_P(StorePlanning, BringsAMarkedDispatchToRestInsteadOfARetry) {
    plant("old", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    auto commit = about_pr("old", "bbbb", at(2));
    commit.plan.supersede_older = true;
    must(store().commit_plan(commit));
    auto closing = about_pr("old", "bbbb", at(2)); // the first mark stays
    closing.plan.cancel_pending = true;
    must(store().commit_plan(closing));

    const auto came_to =
        must(store().settle(ended(leased.lease, domain::DispatchState::pending, at(3))));
    EXPECT_EQ(came_to, domain::DispatchState::superseded);
    const auto kept = only_dispatch_of("old");
    EXPECT_EQ(kept.state, domain::DispatchState::superseded);
    EXPECT_NE(kept.reason.find("bbbb"), std::string::npos) << kept.reason;
    EXPECT_EQ(kinds_in(history_of("old")).back(), "superseded");
    EXPECT_TRUE(due_at(at(100)).waiting.empty());
}

TEST_P(StorePlanning, SupersedesAtOnceWhatWasLeasedByNobodyAlive) {
    plant("old", {"a/one"});
    const auto leased = lease_one("a/one", at(1)); // until 31
    auto commit = about_pr("old", "bbbb", at(31));
    commit.plan.supersede_older = true;
    EXPECT_EQ(must(store().commit_plan(commit)).superseded, 1U);
    EXPECT_EQ(history_of("old").dispatches[0].attempts[0].outcome, domain::Outcome::unknown);
    EXPECT_EQ(
        refused(store().settle(ended(leased.lease, domain::DispatchState::sent, at(32)))),
        Errc::conflict
    );
}

TEST_P(StorePlanning, WritesDownEveryDecisionAsJson) {
    must(store().insert_delivery(a_delivery("d1")));
    auto commit = a_plan("d1", {a_dispatch("d1", "a/one")}, at(4));
    commit.plan.decisions = {
        {.downstream = repo("a/one"), .dispatch = true, .reason = "listed at L2"},
        {.downstream = repo("b/two"), .dispatch = false, .reason = "its \"trigger\" is a label"},
    };
    commit.again_at = at(60);
    must(store().commit_plan(commit));
    const auto history = history_of("d1");
    ASSERT_EQ(kinds_in(history), (std::vector<std::string>{"planned"}));
    EXPECT_EQ(history.ledger[0].at, at(4));
    const auto detail = boost::json::parse(history.ledger[0].detail).as_object();
    EXPECT_EQ(detail.at("created").to_number<int>(), 1);
    EXPECT_EQ(detail.at("again_at_ms").to_number<std::int64_t>(), to_ms(at(60)));
    const auto& second = detail.at("decisions").as_array().at(1).as_object();
    EXPECT_EQ(second.at("downstream").as_string(), "b/two");
    EXPECT_FALSE(second.at("dispatch").as_bool());
    EXPECT_EQ(second.at("reason").as_string(), "its \"trigger\" is a label");
}

TEST_P(StorePlanning, CancelsWhatIsPendingForADownstreamThatLeftTheList) {
    plant("d1", {"a/one", "b/two"});
    plant("d2", {"a/one"});
    const auto leased = lease_one("a/one", at(1)); // of d1
    const auto cancelled =
        must(store().cancel_pending(upstream(), repo("A/One"), "left the list", at(2)));
    EXPECT_EQ(cancelled, 1U);
    EXPECT_EQ(only_dispatch_of("d2").state, domain::DispatchState::cancelled);
    EXPECT_EQ(only_dispatch_of("d2").reason, "left the list");
    EXPECT_EQ(kinds_in(history_of("d2")).back(), "cancelled");
    EXPECT_EQ(must(store().cancel_pending(repo("else/where"), repo("b/two"), "left", at(2))), 0U);

    const auto came_to =
        must(store().settle(ended(leased.lease, domain::DispatchState::pending, at(3))));
    EXPECT_EQ(came_to, domain::DispatchState::cancelled);
    EXPECT_EQ(count_of(domain::DispatchState::pending), 1U);
}

} // namespace baton::test
