#pragma once

#include "baton/base/limits.hpp"

#include <set>

#include "contract/store_fixture.hpp"

namespace baton::test {

class StoreDispatching : public StoreContract {};

TEST_P(StoreDispatching, SaysWhatIsDueByDownstreamAndWhenMoreWillBe) {
    plant("d1", {"b/two", "a/one"}, at(10));
    must(store().insert_delivery(a_delivery("d2")));
    auto higher = a_dispatch("d2", "A/One");
    higher.level = domain::Level::l4;
    must(store().commit_plan(a_plan("d2", {higher}, at(20))));
    plant("d3", {"a/one"}, at(22)); // lower again
    const auto retried = lease_one("b/two", at(25));
    must(store().settle(ended(retried.lease, domain::DispatchState::pending, at(30)))); // due at 40

    const auto early = due_at(at(9));
    EXPECT_TRUE(early.waiting.empty());
    EXPECT_EQ(early.next_due, at(10));

    const auto view = due_at(at(30));
    ASSERT_EQ(view.waiting.size(), 1U);
    EXPECT_EQ(view.waiting[0].downstream, repo("a/one"));
    EXPECT_EQ(view.waiting[0].due, 3U);
    EXPECT_EQ(view.waiting[0].oldest_due, at(10));
    EXPECT_EQ(view.waiting[0].level, domain::Level::l4);
    EXPECT_EQ(view.next_due, at(40));

    const auto later = due_at(at(40));
    EXPECT_EQ(later.waiting.size(), 2U);
    EXPECT_FALSE(later.next_due.has_value());
}

TEST_P(StoreDispatching, CountsWhatRunsAndWhatWasSentToday) {
    constexpr std::int64_t kHour = 3600;
    for (int i = 0; i < 4; ++i) {
        plant("d" + std::to_string(i), {"a/one"}, at(0));
    }
    for (const auto sent_at : {at(0), at(20 * kHour), at((25 * kHour) + 1)}) {
        const auto leased = lease_one("a/one", sent_at);
        must(store().settle(ended(leased.lease, domain::DispatchState::sent, sent_at)));
    }

    struct Case {
        const char* name;
        TimePoint now;
        std::size_t running; // for six hours
        std::size_t sent_today;
    };

    const Case cases[] = {
        {"a moment before the first is a day old", at(24 * kHour) - Millis{1}, 2, 3},
        {"when the first is a day old to the millisecond", at(24 * kHour), 2, 2},
        {"a moment before the second has run for six hours", at(26 * kHour) - Millis{1}, 2, 2},
        {"when it has", at(26 * kHour), 1, 2},
        {"when everything is long ago", at(100 * kHour), 0, 0},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto view = due_at(c.now);
        ASSERT_EQ(view.waiting.size(), 1U);
        EXPECT_EQ(view.waiting[0].due, 1U);
        EXPECT_EQ(view.waiting[0].running, c.running);
        EXPECT_EQ(view.waiting[0].sent_today, c.sent_today);
    }
}

TEST_P(StoreDispatching, LetsADownstreamsOwnTimeSayHowLongItRuns) {
    for (const auto* name : {"d1", "d2"}) {
        plant(name, {"a/one", "b/two"}, at(0));
    }
    for (const auto* downstream : {"a/one", "b/two"}) {
        const auto leased = lease_one(downstream, at(0));
        must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(0))));
    }
    const auto view = must(store().due(
        {.now = at(7'200),
         .running_for = std::chrono::hours{6},
         .running_for_of = {{repo("B/Two"), std::chrono::hours{1}}}}
    ));
    ASSERT_EQ(view.waiting.size(), 2U);
    EXPECT_EQ(view.waiting[0].running, 1U);
    EXPECT_EQ(view.waiting[1].running, 0U);
}

TEST_P(StoreDispatching, CountsDueDispatchesNoFurtherThanCanBeUnderWay) {
    must(store().insert_delivery(a_delivery("d1")));
    for (std::size_t i = 0; i < limits::kInFlightMax + 10; ++i) {
        auto again = a_dispatch("d1", "a/one");
        again.key.generation = static_cast<int>(i);
        must(store().commit_plan(a_plan("d1", {again}, at(1))));
    }
    EXPECT_EQ(due_at(at(2)).waiting.at(0).due, limits::kInFlightMax);
    EXPECT_EQ(
        must(store().lease(a_lease("a/one", limits::kInFlightMax, at(2)))).size(),
        limits::kInFlightMax
    );
    EXPECT_EQ(due_at(at(2)).waiting.at(0).due, 10U);
}

TEST_P(StoreDispatching, LeasesOldestDueFirstAndNoMoreThanTheShare) {
    plant("late", {"a/one", "b/two"}, at(20));
    plant("early", {"a/one"}, at(10));
    plant("later", {"a/one"}, at(30));
    auto query = a_lease("A/One", 2, at(30));
    query.shares.push_back({.downstream = repo("b/two"), .count = 5});
    const auto leased = must(store().lease(query));
    ASSERT_EQ(leased.size(), 3U);
    EXPECT_EQ(leased[0].dispatch.key.delivery.text(), "early");
    EXPECT_EQ(leased[1].dispatch.key.delivery.text(), "late");
    EXPECT_EQ(leased[2].dispatch.key.downstream, repo("b/two"));
    for (const auto& each : leased) {
        EXPECT_EQ(each.dispatch.attempts, 1);
        EXPECT_EQ(each.lease.dispatch, each.dispatch.id);
        EXPECT_EQ(each.lease.until, query.until);
    }
}

TEST_P(StoreDispatching, LeasesNothingThatIsNotDueOrUnderALeaseOrAtRest) {
    plant("d1", {"a/one"}, at(10));
    EXPECT_TRUE(must(store().lease(a_lease("a/one", 9, at(9)))).empty());
    const auto leased = lease_one("a/one", at(10));
    EXPECT_TRUE(must(store().lease(a_lease("a/one", 9, at(39)))).empty());
    EXPECT_TRUE(due_at(at(39)).waiting.empty());
    EXPECT_EQ(due_at(at(39)).next_due, at(40)); // the lease ends
    must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(11))));
    EXPECT_TRUE(must(store().lease(a_lease("a/one", 9, at(99)))).empty());
    EXPECT_TRUE(must(store().lease(a_lease("no/body", 9, at(99)))).empty());
}

TEST_P(StoreDispatching, RecordsTheAttemptBeforeAnythingIsSent) {
    plant("d1", {"a/one"});
    lease_one("a/one", at(5));
    const auto history = history_of("d1");
    EXPECT_EQ(history.dispatches.at(0).dispatch.attempts, 1);
    const auto& attempts = history.dispatches.at(0).attempts;
    ASSERT_EQ(attempts.size(), 1U);
    EXPECT_EQ(attempts[0].number, 1);
    EXPECT_EQ(attempts[0].started_at, at(5));
    EXPECT_FALSE(attempts[0].ended_at.has_value());
    EXPECT_FALSE(attempts[0].outcome.has_value());
}

TEST_P(StoreDispatching, EndsTheAttemptAndMovesTheDispatchOn) {
    struct Case {
        domain::DispatchState state;
        bool told; // has a line in the ledger
    };

    using enum domain::DispatchState;
    int number = 0;
    for (const auto& c :
         {Case{sent, false},
          Case{failed, true},
          Case{dead, true},
          Case{superseded, true},
          Case{cancelled, true}}) {
        SCOPED_TRACE(name_of(c.state));
        const auto id = "d" + std::to_string(++number);
        plant(id, {"a/one"});
        const auto leased = lease_one("a/one", at(1));
        auto settlement = ended(leased.lease, c.state, at(2));
        settlement.verdict.trim = 1;
        EXPECT_EQ(must(store().settle(settlement)), c.state);

        const auto history = history_of(id);
        const auto& kept = history.dispatches.at(0);
        EXPECT_EQ(kept.dispatch.state, c.state);
        EXPECT_EQ(kept.dispatch.reason, "because");
        EXPECT_EQ(kept.dispatch.trim, 1);
        EXPECT_EQ(kept.dispatch.sent_at.has_value(), c.state == sent);
        EXPECT_EQ(kept.attempts.at(0).ended_at, at(2));
        EXPECT_EQ(kept.attempts.at(0).outcome, settlement.answer.outcome);
        EXPECT_EQ(kept.attempts.at(0).status, settlement.answer.status);
        EXPECT_EQ(kept.attempts.at(0).detail, settlement.answer.detail);
        EXPECT_EQ(count_of(c.state), 1U);
        auto kinds = kinds_in(history);
        EXPECT_EQ(kinds.back() == name_of(c.state), c.told);
    }
    EXPECT_TRUE(due_at(at(99)).waiting.empty());
}

TEST_P(StoreDispatching, TriesAgainWhenTheVerdictSaysSo) {
    plant("d1", {"a/one"});
    const auto first = lease_one("a/one", at(1));
    EXPECT_EQ(
        must(store().settle(ended(first.lease, domain::DispatchState::pending, at(2)))),
        domain::DispatchState::pending
    );
    EXPECT_TRUE(must(store().lease(a_lease("a/one", 1, at(11)))).empty());
    const auto second = lease_one("a/one", at(12));
    EXPECT_EQ(second.dispatch.attempts, 2);
    EXPECT_EQ(second.dispatch.due_at, at(12));
    EXPECT_GT(second.lease.fence, first.lease.fence);
    EXPECT_EQ(history_of("d1").dispatches.at(0).attempts.size(), 2U);
}

TEST_P(StoreDispatching, RefusesALeaseThatIsNoLongerHeld) {
    plant("d1", {"a/one"});
    const auto old = lease_one("a/one", at(1));
    const auto taken = lease_one("a/one", at(31)); // the first one ended at 31
    EXPECT_GT(taken.lease.fence, old.lease.fence);
    EXPECT_EQ(
        refused(store().settle(ended(old.lease, domain::DispatchState::dead, at(32)))),
        Errc::conflict
    );
    EXPECT_EQ(history_of("d1").dispatches.at(0).dispatch.state, domain::DispatchState::pending);
    EXPECT_FALSE(history_of("d1").dispatches.at(0).attempts.at(1).ended_at.has_value());

    must(store().settle(ended(taken.lease, domain::DispatchState::sent, at(33))));
    EXPECT_EQ(
        refused(store().settle(ended(taken.lease, domain::DispatchState::sent, at(34)))),
        Errc::conflict
    );
    EXPECT_EQ(
        refused(store().settle(ended({}, domain::DispatchState::sent, at(34)))), Errc::conflict
    );
    EXPECT_EQ(history_of("d1").dispatches.at(0).dispatch.sent_at, at(33));
}

TEST_P(StoreDispatching, TakesALateAnswerAsLongAsNobodyElseTookTheDispatch) {
    plant("d1", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    EXPECT_EQ(
        must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(500)))),
        domain::DispatchState::sent
    );
}

TEST_P(StoreDispatching, CountsAnAttemptThatWasTakenOverAsUnknown) {
    plant("d1", {"a/one"});
    lease_one("a/one", at(1));
    const auto view = due_at(at(31));
    ASSERT_EQ(view.waiting.size(), 1U); // an ended lease is due again
    lease_one("a/one", at(31));
    const auto attempts = history_of("d1").dispatches.at(0).attempts;
    ASSERT_EQ(attempts.size(), 2U);
    EXPECT_EQ(attempts[0].outcome, domain::Outcome::unknown);
    EXPECT_FALSE(attempts[0].ended_at.has_value());
    EXPECT_FALSE(attempts[1].outcome.has_value());
    EXPECT_EQ(must(store().counts()).unknown_outcomes, 1U);
}

TEST_P(StoreDispatching, RestsAMarkedDispatchWhoseHolderNeverCameBack) {
    plant("d1", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    must(store().cancel_pending(upstream(), repo("a/one"), "left the list", at(2)));
    EXPECT_TRUE(must(store().lease(a_lease("a/one", 1, at(31)))).empty());
    const auto history = history_of("d1");
    EXPECT_EQ(history.dispatches.at(0).dispatch.state, domain::DispatchState::cancelled);
    EXPECT_EQ(history.dispatches.at(0).attempts.at(0).outcome, domain::Outcome::unknown);
    EXPECT_EQ(kinds_in(history).back(), "cancelled");
    EXPECT_EQ(
        refused(store().settle(ended(leased.lease, domain::DispatchState::sent, at(32)))),
        Errc::conflict
    );
}

TEST_P(StoreDispatching, VoidsTheLeasesOfADeadProcessAtOnce) {
    plant("d1", {"a/one", "b/two", "c/three"});
    const auto lost = lease_one("a/one", at(1));
    lease_one("b/two", at(1));
    const auto adoption = must(store().adopt(InstanceId("relay-2"), at(2)));
    EXPECT_EQ(adoption.voided_leases, 2U);
    EXPECT_EQ(due_at(at(2)).waiting.size(), 3U);
    EXPECT_EQ(
        refused(store().settle(ended(lost.lease, domain::DispatchState::sent, at(3)))),
        Errc::conflict
    );

    const auto again = lease_one("a/one", at(3));
    EXPECT_EQ(again.dispatch.attempts, 2);
    EXPECT_EQ(again.dispatch.due_at, at(2));
    EXPECT_GT(again.lease.fence, lost.lease.fence);
    const auto first = history_of("d1").dispatches.at(0).attempts.at(0);
    EXPECT_EQ(first.outcome, domain::Outcome::unknown);
    EXPECT_FALSE(first.ended_at.has_value());
    EXPECT_EQ(must(store().counts()).unknown_outcomes, 2U);
}

TEST_P(StoreDispatching, AdoptsNothingWhenNothingWasLeased) {
    plant("d1", {"a/one"});
    EXPECT_EQ(must(store().adopt(InstanceId("relay-2"), at(2))).voided_leases, 0U);
    EXPECT_EQ(must(store().counts()).unknown_outcomes, 0U);
}

TEST_P(StoreDispatching, RestsAMarkedDispatchWhenItsLeaseIsVoid) {
    plant("d1", {"a/one"});
    lease_one("a/one", at(1));
    must(store().cancel_pending(upstream(), repo("a/one"), "left the list", at(2)));
    EXPECT_EQ(must(store().adopt(InstanceId("relay-2"), at(3))).voided_leases, 0U);
    EXPECT_EQ(history_of("d1").dispatches.at(0).dispatch.state, domain::DispatchState::cancelled);
    EXPECT_EQ(must(store().counts()).unknown_outcomes, 1U);
}

} // namespace baton::test
