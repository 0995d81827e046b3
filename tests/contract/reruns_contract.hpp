#pragma once

#include "contract/checks_fixture.hpp"

namespace baton::test {

class StoreReruns : public ChecksContract {
protected:
    void plan_rerun(const std::string& delivery, const domain::NewRerun& order, TimePoint now) {
        must(store().insert_delivery(a_delivery(delivery, now)));
        auto commit = a_plan(delivery, {}, now);
        commit.plan.reruns = {order};
        must(store().commit_plan(std::move(commit)));
    }

    std::size_t order(std::vector<domain::NewRerun> orders, TimePoint now) {
        ports::PostingCommit commit;
        commit.look = {.subject = a_subject(), .version = 0, .first_at = now};
        commit.reruns = std::move(orders);
        commit.now = now;
        return must(store().commit_postings(std::move(commit))).ordered;
    }

    static ports::RerunEnd end_of(const ports::TakenRerun& taken, TimePoint now) {
        return {.id = taken.order.id, .fence = taken.fence, .detail = "said GitHub", .now = now};
    }

    void ended_as(const ports::TakenRerun& taken, domain::RerunState state, TimePoint now) {
        auto end = end_of(taken, now);
        end.state = state;
        must(store().end_rerun(std::move(end)));
    }
};

TEST_P(StoreReruns, AnOrderOfAPersonIsKeptWithItsDelivery) {
    auto order = a_rerun("d1/a/one");
    order.scope = domain::RerunScope::all;
    plan_rerun("d1", order, at(5));
    const auto found = must(store().reruns_of(a_subject()));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(static_cast<const domain::NewRerun&>(found[0]), order);
    EXPECT_EQ(found[0].state, domain::RerunState::waiting);
    EXPECT_EQ(found[0].created_at, at(5));
    EXPECT_FALSE(found[0].ended_at.has_value());
    EXPECT_EQ(kinds_in(history_of("d1")), (Texts{"rerun_ordered", "planned"}));
    EXPECT_EQ(
        history_of("d1").ledger.at(0).detail,
        "run 101 of a/one for Up/Stream #7 at aaaa (all jobs), by alice"
    );
    EXPECT_EQ(counts().reruns, 1U);
}

TEST_P(StoreReruns, OneKeyIsOneOrderHoweverOftenItIsGiven) {
    plan_rerun("d1", a_rerun("k"), at(5));
    plan_rerun("d2", a_rerun("k"), at(6));
    EXPECT_EQ(order({a_rerun("k"), a_rerun("l"), a_rerun("l")}, at(7)), 1U);
    EXPECT_EQ(must(store().reruns_of(a_subject())).size(), 2U);
    EXPECT_EQ(kinds_in(history_of("d2")), Texts{"planned"});
    const auto first = take_reruns(at(8)).at(0);
    ended_as(first, domain::RerunState::asked, at(9));
    EXPECT_EQ(order({a_rerun("k")}, at(10)), 0U) << "nor after it was carried out";
}

TEST_P(StoreReruns, TheOldestIsHandedOutFirstUntilItIsOver) {
    order({a_rerun("late")}, at(9));
    order({a_rerun("early")}, at(5));
    const auto taken = take_reruns(at(10));
    ASSERT_EQ(taken.size(), 2U);
    EXPECT_EQ(taken[0].order.key, "early");
    EXPECT_EQ(taken[0].attempts, 1);
    EXPECT_TRUE(take_reruns(at(11)).empty()) << "they are leased";
    ended_as(taken[0], domain::RerunState::asked, at(12));
    ended_as(taken[1], domain::RerunState::refused, at(13));
    EXPECT_TRUE(take_reruns(at(900)).empty());
    const auto found = must(store().reruns_of(a_subject()));
    EXPECT_EQ(found.at(0).key, "late") << "in the order they were given";
    EXPECT_EQ(found.at(0).state, domain::RerunState::refused);
    EXPECT_EQ(found.at(0).ended_at, at(13));
    EXPECT_EQ(found.at(0).detail, "said GitHub");
    EXPECT_EQ(counts().reruns, 0U);
}

TEST_P(StoreReruns, WhatIsNotOverIsTriedAgainThen) {
    order({a_rerun("k")}, at(5));
    auto end = end_of(take_reruns(at(6)).at(0), at(7));
    end.again_at = at(60);
    must(store().end_rerun(end));
    EXPECT_TRUE(take_reruns(at(59)).empty());
    const auto second = take_reruns(at(60)).at(0);
    EXPECT_EQ(second.attempts, 2);
    EXPECT_EQ(second.order.detail, "said GitHub");
    must(store().end_rerun(end_of(second, at(61))));
    EXPECT_EQ(take_reruns(at(61)).size(), 1U) << "without a time: at once";
}

TEST_P(StoreReruns, OnlyTheHolderOfALeaseEndsIt) {
    order({a_rerun("k")}, at(5));
    const auto first = take_reruns(at(6)).at(0);
    const auto second = take_reruns(at(36)).at(0);
    EXPECT_EQ(refused(store().end_rerun(end_of(first, at(37)))), Errc::conflict);
    must(store().adopt(InstanceId("relay-2"), at(38)));
    EXPECT_EQ(refused(store().end_rerun(end_of(second, at(39)))), Errc::conflict);
    ended_as(take_reruns(at(39)).at(0), domain::RerunState::dispatched, at(40));
    EXPECT_EQ(refused(store().end_rerun({.id = 99})), Errc::conflict);
}

TEST_P(StoreReruns, AFreshDispatchAndTheEndOfItsOrderAreOneStep) {
    plant("d1", {"a/one"});
    const auto leased = lease_one("a/one", at(2));
    must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(3))));
    order({a_rerun("k"), a_rerun("l")}, at(5));
    const auto taken = take_reruns(at(6));
    auto end = end_of(taken.at(0), at(7));
    end.state = domain::RerunState::dispatched;
    end.afresh = DeliveryId("d1");
    must(store().end_rerun(end));
    EXPECT_EQ(refused(store().end_rerun(end)), Errc::conflict) << "once";
    const auto history = history_of("d1");
    ASSERT_EQ(history.dispatches.size(), 2U);
    EXPECT_EQ(history.dispatches.at(1).dispatch.key.generation, 1);
    EXPECT_EQ(history.dispatches.at(1).dispatch.state, domain::DispatchState::pending);
    auto other = end_of(taken.at(1), at(8));
    other.state = domain::RerunState::dispatched;
    other.afresh = DeliveryId("d1");
    EXPECT_EQ(refused(store().end_rerun(other)), Errc::not_found) << "it waits to be sent already";
    other.afresh = {};
    other.state = domain::RerunState::refused;
    must(store().end_rerun(other));
    EXPECT_EQ(history_of("d1").dispatches.size(), 2U);
}

TEST_P(StoreReruns, ItsEndIsToldAndItsSubjectLookedAt) {
    plan_rerun("d1", a_rerun("k"), at(5));
    EXPECT_TRUE(looks_at(at(6)).empty());
    ended_as(take_reruns(at(6)).at(0), domain::RerunState::refused, at(7));
    EXPECT_EQ(heads_to_look_at(at(7)), Texts{"aaaa"});
    const auto lines = history_of("d1").ledger;
    EXPECT_EQ(lines.back().kind, "rerun_ended");
    EXPECT_EQ(
        lines.back().detail,
        "run 101 of a/one for Up/Stream #7 at aaaa (failed jobs), by alice: refused, said GitHub"
    );
}

TEST_P(StoreReruns, AnOrderWithoutAHeadIsForTheHeadOfItsPullRequest) {
    auto order_ = a_rerun("k");
    order_.subject.head = {};
    order_.run_id = "";
    order({order_}, at(5));
    EXPECT_TRUE(must(store().reruns_of(a_subject())).empty());
    EXPECT_EQ(must(store().reruns_of(a_subject(""))).size(), 1U);
    pull_request_is("d1", "bbbb");
    ended_as(take_reruns(at(200)).at(0), domain::RerunState::asked, at(201));
    EXPECT_EQ(heads_to_look_at(at(201)), Texts{"bbbb"});
}

// --- the gate

class StoreGate : public ChecksContract {
protected:
    /// An open pull request for which a/one was dispatched to, and nothing left to look at.
    void open_pull_request() {
        plant("d1", {"a/one"});
        pull_request_is("d2", "aaaa");
        plan_look("d3", a_subject(), at(101));
        look_away(at(102));
    }

    bool resume(bool by_hand, TimePoint now) {
        return must(store().resume_gate(
            {.upstream = upstream(),
             .downstream = repo("A/One"),
             .reason = "three clean runs",
             .by_hand = by_hand,
             .actor = by_hand ? "alice" : "",
             .now = now}
        ));
    }
};

TEST_P(StoreGate, ASuspensionStandsAndItsSubjectsAreLookedAt) {
    open_pull_request();
    const auto suspension = a_gate_suspension(at(200), "silent on 3 pull requests");
    EXPECT_TRUE(must(store().suspend_gate(suspension)));
    EXPECT_EQ(must(store().gate_suspensions()), std::vector{suspension});
    EXPECT_EQ(looks_at(at(200)).size(), 1U);
    look_away(at(201));
    EXPECT_TRUE(resume(false, at(202)));
    EXPECT_TRUE(must(store().gate_suspensions()).empty());
    EXPECT_EQ(looks_at(at(202)).size(), 1U);
}

TEST_P(StoreGate, SubjectsOfOthersAreLeftInPeace) {
    open_pull_request();
    auto suspension = a_gate_suspension(at(200), "silent");
    suspension.downstream = repo("b/two");
    EXPECT_TRUE(must(store().suspend_gate(suspension)));
    EXPECT_TRUE(looks_at(at(200)).empty());
}

TEST_P(StoreGate, OneThatSaysTheSameChangesNothing) {
    open_pull_request();
    must(store().suspend_gate(a_gate_suspension(at(200), "silent")));
    look_away(at(201));
    EXPECT_FALSE(must(store().suspend_gate(a_gate_suspension(at(210), "silent"))));
    EXPECT_EQ(must(store().gate_suspensions()).at(0).since, at(200));
    EXPECT_TRUE(looks_at(at(210)).empty());
}

TEST_P(StoreGate, OneThatSaysMoreReplacesTheOther) {
    must(store().suspend_gate(a_gate_suspension(at(200), "silent")));
    EXPECT_TRUE(must(store().suspend_gate(a_gate_suspension(at(210), "red on base"))));
    const auto found = must(store().gate_suspensions());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].reason, "red on base");
    EXPECT_EQ(found[0].since, at(210));
}

TEST_P(StoreGate, PairingsAreKeptApartAndShownByName) {
    for (const auto* downstream : {"c/three", "a/one"}) {
        auto suspension = a_gate_suspension(at(200), "silent");
        suspension.downstream = repo(downstream);
        must(store().suspend_gate(suspension));
    }
    EXPECT_TRUE(resume(false, at(201)));
    const auto found = must(store().gate_suspensions());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].downstream, repo("c/three"));
}

TEST_P(StoreGate, OnlyAHandTakesBackWhatAHandDid) {
    auto by_hand = a_gate_suspension(at(200), "maintenance");
    by_hand.by_hand = true;
    by_hand.actor = "alice";
    EXPECT_TRUE(must(store().suspend_gate(by_hand)));
    EXPECT_FALSE(must(store().suspend_gate(a_gate_suspension(at(201), "silent"))))
        << "the relay's own does not take its place";
    EXPECT_FALSE(resume(false, at(202)));
    EXPECT_EQ(must(store().gate_suspensions()), std::vector{by_hand});
    EXPECT_TRUE(resume(true, at(203)));
    EXPECT_FALSE(resume(true, at(204))) << "there is none any more";
}

TEST_P(StoreGate, AHandMayReplaceAndLiftTheRelaysOwn) {
    must(store().suspend_gate(a_gate_suspension(at(200), "silent")));
    auto by_hand = a_gate_suspension(at(201), "silent");
    by_hand.by_hand = true;
    EXPECT_TRUE(must(store().suspend_gate(by_hand)));
    EXPECT_TRUE(resume(true, at(202)));
    must(store().suspend_gate(a_gate_suspension(at(203), "silent")));
    EXPECT_TRUE(resume(true, at(204)));
}

} // namespace baton::test
